"""The same over the wire: nonsense for the real clients of both platforms, and then people who mean it."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.system import SystemClock
from core.ports import Channel
from tests.fuzz import cast
from tests.fuzz.feishu_events import Events
from tests.fuzz.house import Listener
from tests.fuzz.nonsense import Nonsense
from tests.fuzz.telegram_updates import Updates
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.feishu_api import FeishuApi, events
from tests.wire.feishu_api.harness import channel_for, feishu_api
from tests.wire.house import Bot, bot

pytestmark = pytest.mark.wire

INPUTS = 300
NONSENSE_OVER = timedelta(hours=2)
PATIENCE_S = 60.0
UNUSABLE: tuple[Any, ...] = (None, True, "700000001", -5, 0, 0.5, 10**30, [], {})
AT_ONCE = 20
BROUGHT_AGAIN = 5
"""How often Feishu brings an event that was not acknowledged."""


@pytest.fixture
def heard() -> Iterator[Listener]:
    listener = Listener()
    logging.getLogger().addHandler(listener)
    yield listener
    logging.getLogger().removeHandler(listener)


async def test_pages_of_updates_that_nobody_can_read_do_not_hold_up_the_next_one(
    tmp_path: Path, heard: Listener
) -> None:
    nonsense = Nonsense("the wire of telegram")
    async with bot_api() as server, bot(server, tmp_path, people=cast.people()) as it:
        server.world.open_chats = True
        updates = Updates(nonsense, lambda: int(it.clock.now().timestamp()), ["yes:b1", "cmd:concerns 2"])
        for _ in range(INPUTS):
            _queue(server, updates.next(), nonsense)
        server.push_raw({"message": {}}, numbered=False)  # nothing is behind it that would carry the offset past it
        await it.idle(PATIENCE_S)
        it.advance(NONSENSE_OVER)
        await it.idle(PATIENCE_S)

        def write(who: cast.Member, text: str) -> Any:
            return asyncio.sleep(0, it.says(who.telegram, text))

        await _all_is_as_ever(write, lambda who: [sent.text for sent in server.sent_to(who.telegram)], server.until)
        await server.until(lambda: not server.world.updates)
        assert heard.set_aside > INPUTS // 20
        assert not heard.bad


def _queue(server: BotApi, made: Any, nonsense: Nonsense) -> None:
    shown = made if isinstance(made, dict) else {"message": made}
    if nonsense.happens(0.03):
        server.push_raw({**shown, "update_id": nonsense.one(UNUSABLE)}, numbered=False)
    else:
        server.push_raw(shown)


async def test_frames_of_events_that_nobody_can_read_do_not_break_the_connection(
    tmp_path: Path, heard: Listener
) -> None:
    nonsense, shown = Nonsense("the wire of feishu"), ["yes:b1", "cmd:concerns 2"]
    async with feishu_api() as server, on_feishu(server, tmp_path) as it:
        made = Events(nonsense, lambda: int(it.clock.now().timestamp() * 1000), shown)
        for _ in range(INPUTS // AT_ONCE):
            await asyncio.gather(*(_acknowledged(server, made.next()) for _ in range(AT_ONCE)))
            shown += [str(value["data"]) for sent in server.sent[-AT_ONCE:] for value in sent.buttons.values()]
        await it.idle(PATIENCE_S)
        it.advance(NONSENSE_OVER)
        await it.idle(PATIENCE_S)

        async def write(who: cast.Member, text: str) -> None:
            await _acknowledged(server, events.message(who.feishu, text))

        await _all_is_as_ever(write, lambda who: [sent.text for sent in server.sent_to(who.feishu)], server.until)
        assert server.connected_times == 1
        assert heard.set_aside > INPUTS // 20
        assert not heard.bad


@contextlib.asynccontextmanager
async def on_feishu(server: FeishuApi, folder: Path) -> AsyncIterator[Bot]:
    """The bot for people who are on Feishu only."""
    known = cast.people()
    for entry in (known["owner"], *known["people"]):
        del entry["telegram"]

    def beside(clock: SystemClock) -> Channel:
        return channel_for(server, clock=clock, arrival_time=True)

    async with bot_api() as other, bot(other, folder, people=known, beside=beside) as it:
        yield it


async def _acknowledged(server: FeishuApi, event: Any) -> None:
    for _ in range(BROUGHT_AGAIN):
        if (await server.push(event, timeout=PATIENCE_S)).code == 200:
            return
    raise AssertionError(f"comes again for ever: {event!r:.1500}")


async def _all_is_as_ever(
    write: Callable[[cast.Member, str], Awaitable[Any]],
    told: Callable[[cast.Member], list[str]],
    until: Callable[..., Awaitable[None]],
) -> None:
    """Who was loud is answered, and so is who comes now and has somebody asked."""

    async def hears(who: cast.Member, piece: str, so_far: int) -> None:
        try:
            await until(lambda: any(piece in text for text in told(who)[so_far:]), PATIENCE_S)
        except TimeoutError:
            raise AssertionError(f"{who.name} did not hear {piece!r} but {told(who)[so_far:]}") from None

    before = len(told(cast.OWNER))
    await write(cast.OWNER, "/whoami")
    await hears(cast.OWNER, cast.OWNER.name, before)
    assert not told(cast.ASKED_LAST)
    await write(cast.CALM, "帮我问一下吴十，发布会的场地订了吗")
    await hears(cast.ASKED_LAST, "场地", 0)
    await write(cast.ASKED_LAST, "订了，在国际会议中心")
    await hears(cast.CALM, "国际会议中心", 0)
