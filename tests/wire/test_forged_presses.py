"""Presses that nobody was given: of others' buttons, of closed questions, made up, tampered with, after a role was lost.

As they come from the platforms, over both real clients. Nothing happens, nobody else hears of it, and every press is
answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.channels.feishu.channel import FeishuChannel
from bot.system import SystemClock
from core.ids import PersonId
from core.people import Role
from tests.wire.botapi.harness import bot_api
from tests.wire.feishu_api import FeishuApi, events
from tests.wire.feishu_api.harness import TOAST, feishu_api
from tests.wire.feishu_api.harness import channel_for as feishu_for
from tests.wire.house import LISI, OWNER, STRANGER, ZHANGSAN, Bot, bot

pytestmark = pytest.mark.wire

WANG, GROUP = 3001, -100
NAMES = {OWNER: "老板", WANG: "王五", ZHANGSAN: "张三", LISI: "李四", STRANGER: "路人"}
FORGERS = (WANG, ZHANGSAN, LISI, STRANGER)
SECRETS = {ZHANGSAN: ("五万", "六万", "收购"), LISI: ("五万", "六万"), STRANGER: ("五万", "六万", "收购")}
MADE_UP = ("yes:", "no:x", "yes:AAAAAAAAAAAA", "cmd:drop 1", "cmd:grant 张三 admin", "cmd:concern 1", "cmd:audit", "cmd:",
           "choice:x:drop", "now:con_20260316_001", "wait:con_20260316_001", "away:con_20260316_001:swap", "pick:x:²",
           "which:x:all", ":::", "no such thing", "yes", "\u202eyes:\u200b", "💥" * 16)  # fmt: skip


def open_id(user: int) -> str:
    return f"ou_{user}"


def people_on(channel: str) -> dict[str, Any]:
    """Everybody on both channels; they are written to on this one."""

    def entry(user: int, person_id: str, **more: str) -> dict[str, Any]:
        there = {"telegram": user, "feishu": open_id(user), "preferred_channel": channel}
        return {"id": person_id, "name": NAMES[user], **there, **more}

    others = [entry(WANG, "p_wang", role="member"), entry(ZHANGSAN, "p_zhangsan"), entry(LISI, "p_lisi")]
    return {"owner": entry(OWNER, "p_owner"), "people": others}


class House:
    """The bot on both channels, of which `over` is the one in use."""

    def __init__(self, it: Bot, feishu: FeishuApi, over: str) -> None:
        self.it, self.feishu, self.over = it, feishu, over

    async def say(self, user: int, text: str) -> None:
        """Somebody writes, and all that follows is done."""
        self.it.advance(timedelta(seconds=10))
        if self.over == "telegram":
            self.it.says(user, text)
        else:
            at = round(self.it.clock.now().timestamp() * 1000)
            await self.feishu.push(events.message(open_id(user), text, at=at))
        await self.it.idle()

    async def press(self, user: int, message_id: str, data: str, chat: int | None = None) -> None:
        """Somebody sends what a button would send, be it theirs or not; it is answered in time."""
        if self.over == "telegram":
            await self._press_on_telegram(user, message_id, data, user if chat is None else chat)
            return
        value = {"data": data, "chat": "oc_group" if chat == GROUP else open_id(user if chat is None else chat)}
        ack = await self.feishu.push(events.press(open_id(user), message_id, value))
        assert ack.code == 200
        assert ack.seconds < 2.5
        assert ack.data is None or ack.data["toast"]["i18n"] == TOAST

    async def _press_on_telegram(self, user: int, message_id: str, data: str, chat: int) -> None:
        world = self.it.server.world
        press_id = world.add_callback()
        kind = "private" if chat > 0 else "group"
        message = {"message_id": int(message_id), "date": int(world.now()), "chat": {"id": chat, "type": kind}}
        sent = {"id": press_id, "from": world.user(user).json(), "message": message, "chat_instance": "1", "data": data}
        self.it.server.push("callback_query", sent)
        await self.it.server.until(lambda: world.callbacks[press_id] is not None, 20)

    def heard(self, user: int) -> list[tuple[str, str, list[str]]]:
        """What came to somebody: the id of each message, its words, what its buttons send."""
        if self.over == "telegram":
            mine = self.it.server.sent_to(user)
            return [(str(m.message_id), m.text, [b["callback_data"] for r in m.buttons for b in r]) for m in mine]
        cards = self.feishu.sent_to(open_id(user))
        return [(m.message_id, m.text, [v["data"] for v in m.buttons.values()]) for m in cards]

    def shown(self, user: int) -> list[tuple[str, str]]:
        """The buttons that somebody was given: the id of the message, and what each sends."""
        return [(message_id, data) for message_id, _, buttons in self.heard(user) for data in buttons]

    async def state(self) -> Any:
        """All that a press may change."""

        def read(repos: Any) -> Any:
            concerns = [c.model_dump_json() for c in repos.concerns.list(open_only=False, limit=99)]
            blocks = [repos.blocks.of(PersonId(p)) for p in ("p_owner", "p_wang", "p_zhangsan", "p_lisi")]
            return concerns, blocks, repos.people.all(), repos.deeds.latest(99)

        return await self.it.look(read)

    async def demote(self, person_id: str) -> None:
        """Their role is taken away, as the owner may at any time."""

        def change(repos: Any) -> None:
            person = repos.people.get(PersonId(person_id))
            repos.people.save(person.model_copy(update={"role": Role.DELEGATE, "granted": Role.DELEGATE}))

        await self.it.look(change)


@contextlib.asynccontextmanager
async def house(folder: Path, over: str) -> AsyncIterator[House]:
    """Two actions wait for a yes, the owner's and a member's; a point waits for the owner, and a list has its buttons."""
    async with bot_api() as server, feishu_api() as feishu:
        for user, name in NAMES.items():
            server.add_user(user, name)

        def beside(clock: SystemClock) -> FeishuChannel:
            return feishu_for(feishu, clock=clock, arrival_time=True)

        async with bot(server, folder, people=people_on(over), beside=beside) as it:
            await feishu.until(lambda: feishu.connected_times > 0)
            story = House(it, feishu, over)
            await story.say(OWNER, "帮我问一下李四，收购案的材料齐了没有")
            await story.say(LISI, "这事不归我，找张三")
            await story.say(OWNER, "让张三给供应商付五万块")
            await story.say(WANG, "让李四给房东付六万块")
            await story.say(OWNER, "/agenda")
            yield story


def tampered(data: str) -> set[str]:
    """What somebody might make of a button's payload."""
    verb, _, rest = data.partition(":")
    flipped = re.sub(r".$", lambda last: "a" if last[0] != "a" else "b", data)
    return {flipped, data.upper(), f"{data}:0", f"{data} ", f"no:{rest}", f"yes:{rest}", f"{verb}:{rest}:{rest}"}


@pytest.mark.parametrize("over", ["telegram", "feishu"])
async def test_a_press_that_nobody_was_given_does_nothing_and_is_answered(tmp_path: Path, over: str) -> None:
    async with house(tmp_path, over) as story:
        of_owner, of_member = story.shown(OWNER), story.shown(WANG)
        verbs = {data.partition(":")[0] for _, data in (*of_owner, *of_member)}
        assert verbs >= {"yes", "no", "edit", "choice", "cmd"}
        await story.demote("p_wang")
        before = await story.state()
        heard = {user: len(story.heard(user)) for user in NAMES}
        known = sorted({data for _, data in (*of_owner, *of_member)})
        forged = [*known, *MADE_UP, *sorted({t for data in known[:3] for t in tampered(data)})]
        for user in FORGERS:
            theirs = of_owner[0][0] if user != WANG else of_member[0][0]
            # Whoever lost their role may still say no to what they asked for themselves.
            own_no = tuple(d for _, d in of_member if d.startswith("no:") and user == WANG)
            for n, data in enumerate(d for d in forged if not d.startswith(own_no)):
                # Under a message of the owner's, under one that is not there, and in a group.
                place = ((theirs, user), ("999999" if over == "telegram" else "om_none", user), (theirs, GROUP))[n % 3]
                await story.press(user, place[0], data, place[1])
        await story.it.idle()
        assert await story.state() == before
        assert len(story.heard(OWNER)) == heard[OWNER]
        for user, secrets in SECRETS.items():
            told = [text for _, text, _ in story.heard(user)[heard[user] :]]
            assert not [text for text in told if any(secret in text for secret in secrets)]
        group = GROUP if over == "telegram" else None
        assert group is None or story.it.server.sent_to(group) == []
        # What the owner was asked is theirs to answer all the same.
        yes = next((m, d) for m, d in story.shown(OWNER) if d.startswith("yes:"))
        await story.press(OWNER, *yes)
        await story.it.idle()
        assert any("五万" in text for _, text, _ in story.heard(ZHANGSAN))


@pytest.mark.parametrize("over", ["telegram", "feishu"])
async def test_a_closed_question_stays_closed_however_often_it_is_pressed(tmp_path: Path, over: str) -> None:
    async with house(tmp_path, over) as story:
        given = story.shown(OWNER)
        no = next((m, d) for m, d in given if d.startswith("no:"))
        drop = next((m, d) for m, d in given if d.startswith("choice:") and d.endswith(":drop"))
        for message_id, data in (no, drop):
            await story.press(OWNER, message_id, data)
        await story.it.idle()
        concerns, blocks, people, deeds = await story.state()
        heard = len(story.heard(ZHANGSAN)), len(story.heard(LISI))
        of_these = [(m, d) for m, d in given if not d.startswith("cmd:")]
        for message_id, data in of_these * 3:
            await story.press(OWNER, message_id, data)
        await asyncio.gather(*(story.press(OWNER, m, d) for m, d in of_these * 3))
        await story.it.idle()
        assert (await story.state()) == (concerns, blocks, people, deeds)
        assert (len(story.heard(ZHANGSAN)), len(story.heard(LISI))) == heard
