"""Two `serve` processes on one PostgreSQL, of which one takes over from the other in the middle of a burst.

The server counts: nothing goes out twice, nothing faster than Telegram lets it, and what is lost is shown as doubtful.
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
from tests.wire.botapi import BotApi, too_fast
from tests.wire.botapi.harness import bot_api
from tests.wire.house import PEOPLE
from tests.wire.process import START_S, Served, served

pytestmark = [pytest.mark.wire, pytest.mark.postgres]

CHATS = range(3000, 3020)
GROUP = -5001
TALKERS = [{"id": f"p_{chat}", "name": f"成员{chat}", "telegram": chat, "role": "member"} for chat in CHATS]
STAFF: dict[str, Any] = {"owner": PEOPLE["owner"], "people": TALKERS}
SPEAKS = "takes messages in"
TAKEN_OVER_S = 20.0


class Town:
    """Everybody asks for help, and gets it once."""

    def __init__(self, server: BotApi, one: Served, other: Served) -> None:
        self.server = server
        self.one = one
        self.other = other
        self.said: Counter[int] = Counter()

    def asks(self, chats: Iterable[int], times: int = 1) -> None:
        for _ in range(times):
            for chat in chats:
                self.server.user_says(chat, "/help")
                self.said[chat] += 1

    def asks_in_group(self, times: int) -> None:
        for n in range(times):
            self.server.user_says(CHATS[n % len(CHATS)], f"/help@{self.server.world.username}", chat=GROUP)
            self.said[GROUP] += 1

    async def hears(self, more: int, timeout: float = 60) -> None:
        """Until so many more messages have arrived."""
        enough = len(self.server.sent) + more
        await self.server.until(lambda: len(self.server.sent) >= enough, timeout)

    async def speaks(self, it: Served, times: int = 1) -> None:
        """Until it has taken that part so often."""
        await self.server.until(lambda: told(it).count(SPEAKS) >= times, TAKEN_OVER_S)

    async def settled(self, it: Served) -> None:
        """Until nothing waits but what a chat does not take yet."""

        def at_work() -> bool:
            def look(repos: Any) -> bool:
                states = (JobState.PENDING, JobState.RUNNING, JobState.SENDING)
                jobs = [job for job in repos.jobs.list(states, 1000) if job.kind == "deliver"]
                return bool(repos.facts.unhandled_count() or [j for j in jobs if j.lane != f"to:telegram:{GROUP}"])

            return bool(self.server.world.updates) or it.look(look)

        async with asyncio.timeout(90):
            while at_work():
                await asyncio.sleep(0.2)

    def all_is_well(self, it: Served) -> None:
        """Once each, but for what is shown."""
        doubtful = it.look(lambda repos: repos.jobs.list((JobState.IN_DOUBT,), 1000))
        waiting = it.look(lambda repos: repos.jobs.list((JobState.PENDING,), 1000))
        arrived = Counter(sent.chat for sent in self.server.sent)
        assert not arrived - self.said, "said twice"
        assert sum((self.said - arrived).values()) <= len(doubtful) + len(waiting), "lost"
        assert it.look(lambda repos: repos.jobs.list((JobState.DEAD,), 10)) == ()
        assert too_fast(self.server.sent) == []
        assert "Traceback" not in told(self.one) + told(self.other)


def told(it: Served) -> str:
    return it.log.read_text(encoding="utf-8")


@pytest.fixture
def database(postgres_url: str) -> Iterator[str]:
    with own_schema(postgres_url, "speakers") as url:
        yield url


@pytest.fixture
async def town(tmp_path: Path, database: str) -> AsyncIterator[Town]:
    """The first speaks, the other stands by."""
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    settings = {"QINGHAI_DATABASE_URL": database}
    async with (
        bot_api() as server,
        served(server, folders[0], STAFF, **settings) as one,
        served(server, folders[1], STAFF, **settings) as other,
    ):
        server.add_group(GROUP)
        await one.start()
        await other.launch()
        await server.until(lambda: "serving" in told(other), START_S)
        yield Town(server, one, other)


@pytest.mark.slow  # frozen between its last look and its request it may send one more: on a busy machine it does
async def test_a_speaker_that_was_only_frozen(town: Town) -> None:
    """SIGSTOP in the middle of a burst, another takes over; SIGCONT in the middle of what that one sends."""
    town.asks(CHATS, 3)
    await town.hears(8)
    town.one.signal(signal.SIGSTOP)
    await town.speaks(town.other)
    town.asks(CHATS, 2)
    await town.hears(5)
    town.one.signal(signal.SIGCONT)
    town.asks(CHATS)
    await town.settled(town.other)
    await town.server.until(lambda: "only thinks" in told(town.one), 10)
    town.all_is_well(town.other)
    # It is of use again: it thinks, and takes over in its turn.
    await town.other.end(signal.SIGKILL)
    await town.speaks(town.one, 2)
    town.asks(CHATS)
    await town.settled(town.one)
    town.all_is_well(town.one)


async def test_the_pace_holds_while_one_takes_over_from_another(town: Town) -> None:
    """A group that soon has had what it may have in a minute, and many chats: handed over, then after a kill."""
    town.asks_in_group(12)
    town.asks(CHATS, 2)
    await town.hears(25)
    assert await town.one.end(signal.SIGTERM) == 0
    await town.speaks(town.other)
    await town.one.launch()
    await town.server.until(lambda: told(town.one).count("serving") == 2, START_S)
    town.asks_in_group(12)
    town.asks(CHATS, 2)
    await town.hears(10)
    await town.other.end(signal.SIGKILL)
    await town.speaks(town.one, 2)
    town.asks_in_group(6)
    await town.settled(town.one)
    town.all_is_well(town.one)
