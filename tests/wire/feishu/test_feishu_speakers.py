"""Two `serve` processes on one PostgreSQL and Feishu, of which one takes over from the other in the middle of a burst.

The server counts requests: everybody gets each answer once, and nothing is asked of it faster than it allows.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.jobs import JobState
from tests.postgres import own_schema
from tests.wire.feishu_api import FeishuApi, events, too_fast
from tests.wire.feishu_api.harness import feishu_api
from tests.wire.process import START_S, Served, served

pytestmark = [pytest.mark.wire, pytest.mark.postgres, pytest.mark.slow]  # its library takes seconds, four times over

CHATS = [f"ou_{number}" for number in range(20)]
GROUP = "oc_team"
STAFF: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "feishu": "ou_owner"},
    "people": [{"id": f"p_{chat}", "name": f"成员{chat[3:]}", "feishu": chat, "role": "member"} for chat in CHATS],
}
NAMED = [("@_user_1", events.BOT, "清海")]
SPEAKS = "takes messages in"
TAKEN_OVER_S = 30.0


class Town:
    """Everybody asks for help, and gets it once."""

    def __init__(self, server: FeishuApi, one: Served, other: Served) -> None:
        self.server = server
        self.one = one
        self.other = other
        self.said: Counter[str] = Counter()
        self._brought: set[asyncio.Task[None]] = set()

    def asks(self, chats: Iterable[str], times: int) -> None:
        for chat in list(chats) * times:
            self._says(chat, events.message(chat, "/help"))

    def asks_in_group(self, times: int) -> None:
        for number in range(times):
            who = CHATS[number % len(CHATS)]
            self._says(GROUP, events.message(who, "@_user_1 /help", chat=GROUP, mentions=NAMED))

    def _says(self, chat: str, event: events.Json) -> None:
        self.said[chat] += 1
        self._brought.add(asyncio.create_task(self._bring(event)))

    async def _bring(self, event: events.Json) -> None:
        """As Feishu does: until somebody acknowledges it."""
        while True:
            try:
                if (await self.server.push(event, timeout=3.0)).code == 200:
                    return
            except (TimeoutError, ConnectionError):
                await asyncio.sleep(0.5)

    async def hears(self, more: int) -> None:
        """Until so many more messages have arrived."""
        enough = len(self.server.sent) + more
        await self.server.until(lambda: len(self.server.sent) >= enough, 60)

    async def speaks(self, it: Served, times: int) -> None:
        """Until it has taken that part so often."""
        await self.server.until(lambda: told(it).count(SPEAKS) >= times, TAKEN_OVER_S)

    async def all_is_well(self, it: Served) -> None:
        """Each answer once, and none in doubt: what was being sent at a kill went out again under its key."""
        await asyncio.wait_for(asyncio.gather(*self._brought), 60)
        await self.server.until(lambda: not it.look(_at_work), 90)
        assert self._arrived() - self.said == Counter(), "said twice"
        assert self.said - self._arrived() == Counter(), "lost"
        assert too_fast(self.server.asked) == []
        assert "Traceback" not in told(self.one) + told(self.other)

    def _arrived(self) -> Counter[str]:
        return Counter(sent.chat for sent in self.server.sent)


def _at_work(repos: Any) -> bool:
    """What is in doubt or dead ends no wait."""
    jobs = repos.jobs.list(tuple(state for state in JobState if state is not JobState.DONE), 1000)
    return repos.facts.unhandled_count() > 0 or any(job.kind == "deliver" for job in jobs)


def told(it: Served) -> str:
    return it.log.read_text(encoding="utf-8")


@pytest.fixture
def database(postgres_url: str) -> Iterator[str]:
    with own_schema(postgres_url, "feishu_speakers") as url:
        yield url


@pytest.fixture
async def town(tmp_path: Path, database: str) -> AsyncIterator[Town]:
    """The first speaks, the other stands by."""
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    settings = {"QINGHAI_DATABASE_URL": database}
    async with (
        feishu_api() as server,
        served(server, folders[0], STAFF, **settings) as one,
        served(server, folders[1], STAFF, **settings) as other,
    ):
        await one.start(2 * START_S)
        await other.launch()
        await server.until(lambda: "serving" in told(other), 2 * START_S)
        yield Town(server, one, other)


async def test_each_answer_comes_once_and_no_limit_is_broken_while_one_takes_over_from_another(town: Town) -> None:
    """Handed over in the middle of a burst, then after a kill: a person and a group may get five in a second."""
    town.asks_in_group(15)
    town.asks(CHATS, 2)
    town.asks(CHATS[:1], 6)  # with the others not more than one may write in a minute
    await town.hears(25)
    assert await town.one.end(signal.SIGTERM) == 0
    town.asks_in_group(15)
    await town.speaks(town.other, 1)
    assert len(town.server.connections) == 1
    town.asks(CHATS, 2)
    await town.hears(10)
    await town.one.launch()
    await town.server.until(lambda: told(town.one).count("serving") == 2, 2 * START_S)
    town.asks(CHATS, 2)
    await town.hears(10)
    await town.other.end(signal.SIGKILL)
    await town.speaks(town.one, 2)
    town.asks_in_group(5)
    await town.all_is_well(town.one)
