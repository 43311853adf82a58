"""Two `serve` processes on one PostgreSQL: one takes messages in and sends them, both think, and either may die."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.jobs import JobState
from tests.postgres import own_schema
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.house import PEOPLE
from tests.wire.process import START_S, Served, served

pytestmark = [pytest.mark.wire, pytest.mark.postgres]

TALKERS = [{"id": f"p_{n}", "name": f"成员{n}", "telegram": 3000 + n, "role": "member"} for n in range(30)]
STAFF: dict[str, Any] = {"owner": PEOPLE["owner"], "people": TALKERS}
TAKEN_OVER_S = 15.0


@pytest.fixture
def database(postgres_url: str) -> Iterator[str]:
    """A schema of its own."""
    with own_schema(postgres_url, "several") as url:
        yield url


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


@pytest.fixture
async def both(server: BotApi, tmp_path: Path, database: str) -> AsyncIterator[tuple[Served, Served]]:
    """Two installations on one database; the first polls, the second stands by."""
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    settings = {"QINGHAI_DATABASE_URL": database}
    async with (
        served(server, folders[0], STAFF, **settings) as one,
        served(server, folders[1], STAFF, **settings) as other,
    ):
        await one.start()
        await other.launch()
        await server.until(lambda: "serving" in told(other), START_S)
        yield one, other


def told(it: Served) -> str:
    return it.log.read_text(encoding="utf-8")


def polls(server: BotApi) -> int:
    return sum(name == "getUpdates" for name, _ in server.calls)


def talk(server: BotApi, *numbers: int) -> None:
    for n in numbers:
        server.user_says(3000 + n, "在吗")


async def test_one_polls_and_when_it_is_killed_the_other_goes_on(server: BotApi, both: tuple[Served, Served]) -> None:
    one, other = both
    talk(server, *range(10))
    await server.until(lambda: len(server.sent) >= 10, 30)
    assert server.conflicts == 0
    talk(server, *range(10, 20))
    await server.until(lambda: len(server.sent) >= 12, 30)
    await one.end(signal.SIGKILL)
    died, before = time.monotonic(), polls(server)
    await server.until(lambda: polls(server) > before, TAKEN_OVER_S)
    assert time.monotonic() - died < TAKEN_OVER_S
    talk(server, *range(20, 30))
    await settled(other, server)
    assert server.conflicts == 0
    doubtful = other.look(lambda repos: repos.jobs.list((JobState.IN_DOUBT,), 100))
    dead = other.look(lambda repos: repos.jobs.list((JobState.DEAD,), 100))
    chats = [sent.chat for sent in server.sent]
    # At the kill some were on their way: they arrived or are shown as doubtful, and none went out twice.
    assert len(chats) == len(set(chats))
    assert len(chats) >= 30 - len(doubtful)
    assert dead == ()
    assert await other.end(signal.SIGTERM) == 0


async def test_who_is_asked_to_stop_hands_over_at_once(server: BotApi, both: tuple[Served, Served]) -> None:
    one, other = both
    talk(server, *range(20))
    await server.until(lambda: len(server.sent) >= 5, 30)
    began = time.monotonic()
    assert await one.end(signal.SIGTERM) == 0
    assert time.monotonic() - began < 10
    await server.until(lambda: "takes messages in" in told(other), 5)
    talk(server, *range(20, 30))
    await settled(other, server)
    assert sorted(sent.chat for sent in server.sent) == [3000 + n for n in range(30)]
    assert other.look(lambda repos: repos.jobs.list((JobState.IN_DOUBT, JobState.DEAD), 1)) == ()
    assert await other.end(signal.SIGTERM) == 0
    assert other.look(lambda repos: (repos.leases.living(), repos.leases.holder("speaker"))) == (frozenset(), None)
    assert "Traceback" not in told(one) + told(other)


async def settled(it: Served, server: BotApi) -> None:
    """Until no update waits, and no fact and no job that is due."""

    def at_work() -> bool:
        def look(repos: Any) -> bool:
            states = (JobState.PENDING, JobState.RUNNING, JobState.SENDING)
            spoken = [job for job in repos.jobs.list(states, 1000) if job.kind == "deliver"]
            return bool(repos.facts.unhandled_count() or spoken)

        return bool(server.world.updates) or it.look(look)

    async with asyncio.timeout(60):
        while at_work():
            await asyncio.sleep(0.2)
