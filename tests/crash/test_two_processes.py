"""Two `serve` processes on one PostgreSQL, one killed now and then: every delegation comes to its end, nothing twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.runtime.runtime import JOBS_AT_ONCE
from core.jobs import JobState
from tests.postgres import own_schema
from tests.sampling import WHOLE
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.process import START_S, Served, served

pytestmark = [pytest.mark.crash, pytest.mark.wire, pytest.mark.postgres]

DELEGATIONS = 200 if WHOLE else 16
KILL_S = (4.0, 15.0) if WHOLE else (0.5, 1.5)
MOST_KILLS = 1000 if WHOLE else 1
A_SECOND = 5.0
"""Orders given a second."""
PATIENCE_S = 300.0 if WHOLE else 60.0
"""So long after the last kill, or the last end of a delegation, there must be another."""
ASKING, ASKED = 3000, 5000
_ALWAYS = {"working_hours": "00:00-24:00", "working_days": "daily"}
FAMILIES, GIVEN = "赵钱孙李吴郑冯陈褚卫蒋沈韩杨朱秦尤许何吕", "甲乙丙丁戊己庚辛壬癸"
NAMES = [family + given for family in FAMILIES for given in GIVEN]
RESULT = "[回流]"


def staff() -> dict[str, Any]:
    asking = [
        {"id": f"m_{n}", "name": f"组长{n}", "telegram": ASKING + n, "role": "member", **_ALWAYS}
        for n in range(DELEGATIONS)
    ]
    asked = [{"id": f"d_{n}", "name": NAMES[n], "telegram": ASKED + n, **_ALWAYS} for n in range(DELEGATIONS)]
    return {"owner": {"id": "p_owner", "name": "老板", "telegram": 1}, "people": asking + asked}


@pytest.fixture
def database(postgres_url: str) -> Iterator[str]:
    with own_schema(postgres_url, "two") as url:
        yield url


@dataclass
class Town:
    """Who orders, who answers, and who has heard the end."""

    server: BotApi
    houses: list[Served]
    ordered: int = 0
    answered: set[int] = field(default_factory=set)
    kills: int = 0
    finished: set[int] = field(default_factory=set)
    _seen: int = 0
    _starts: Counter[int] = field(default_factory=Counter)

    def all_up(self) -> bool:
        """Everybody has come up since their last death: the next one leaves somebody at work."""
        lived = [it.log.read_text(encoding="utf-8").count("serving ") for it in self.houses]
        return all(count > self._starts[n] for n, count in enumerate(lived))

    async def kill(self, die: random.Random) -> None:
        """One of them dies in the middle of whatever it does, and is started again."""
        n = die.randrange(len(self.houses))
        self._starts[n] += 1
        self.kills += 1
        await self.houses[n].end(signal.SIGKILL)
        await self.houses[n].launch()

    def order(self) -> None:
        """The next delegation."""
        self.server.user_says(ASKING + self.ordered, f"帮我问一下{NAMES[self.ordered]}，周报发了没有")
        self.ordered += 1

    def look(self) -> None:
        """Whoever was asked answers at once."""
        new, self._seen = self.server.sent[self._seen :], len(self.server.sent)
        for sent in new:
            n = sent.chat - ASKED
            if n >= 0 and n not in self.answered:
                self.answered.add(n)
                self.server.user_says(sent.chat, "发了")
            elif RESULT in sent.text:
                self.finished.add(sent.chat - ASKING)

    def in_doubt(self) -> list[tuple[str, str]]:
        """Who may or may not have got something, and by which job; each is shown."""
        look = self.houses[0].look
        jobs = look(lambda repos: repos.jobs.list((JobState.IN_DOUBT,), 10_000))
        flagged = look(lambda repos: repos.receipts.in_doubt(10_000))
        assert {job.key for job in jobs} == {receipt.job_key for receipt in flagged}
        return [(str(job.person_id), job.key) for job in jobs]

    def open_ends(self) -> set[int]:
        """Delegations that have not come to their end, but for those that are held up by a doubtful message."""
        open_ends = set(range(DELEGATIONS)) - self.finished
        if not open_ends or self.ordered < DELEGATIONS or len(open_ends) > DELEGATIONS // 2 + 1:
            return open_ends
        doubtful = {int(person.rpartition("_")[2]) for person, _ in self.in_doubt() if person[:2] in ("m_", "d_")}
        return open_ends - doubtful


async def lived_through(town: Town, die: random.Random, most_kills: int, a_second: float = A_SECOND) -> float:
    """Everything is ordered and comes to its end; seconds that it took."""
    began = last_kill = moved = time.monotonic()
    finished = 0
    kill_at = began + die.uniform(*KILL_S)
    while town.open_ends():
        now = time.monotonic()
        while town.ordered < min(DELEGATIONS, (now - began) * a_second):
            town.order()
        town.look()
        if now >= kill_at and town.kills < most_kills and len(town.finished) < DELEGATIONS * 0.9 and town.all_up():
            await town.kill(die)
            last_kill, kill_at = now, now + die.uniform(*KILL_S)
        if len(town.finished) > finished:
            finished, moved = len(town.finished), now
        assert now - max(moved, last_kill) < PATIENCE_S, f"lost: {town.open_ends()}, in doubt: {town.in_doubt()}"
        await asyncio.sleep(0.1)
    return time.monotonic() - began


async def town_of(stack: AsyncExitStack, tmp_path: Path, database: str, processes: int) -> Town:
    """So many processes, one of which asks for messages."""
    server = await stack.enter_async_context(bot_api())
    server.world.open_chats = True
    houses = []
    for n in range(processes):
        folder = tmp_path / f"{processes}{n}"
        folder.mkdir()
        settings = {"QINGHAI_DATABASE_URL": database}
        houses.append(await stack.enter_async_context(served(server, folder, staff(), **settings)))
    await houses[0].start()
    for house in houses[1:]:
        await house.launch()
        await server.until(lambda it=house: "serving" in it.log.read_text(encoding="utf-8"), START_S)
    return Town(server, houses)


async def test_a_process_is_killed_and_nothing_is_lost_or_doubled(tmp_path: Path, database: str) -> None:
    die = random.Random(int(os.environ.get("QINGHAI_SEED", "4")))
    async with AsyncExitStack() as stack:
        town = await town_of(stack, tmp_path, database, 2)
        took = await lived_through(town, die, MOST_KILLS)
        doubtful = town.in_doubt()
        twice = [key for key, n in Counter((s.chat, s.text) for s in town.server.sent).items() if n > 1]
        print(
            f"\ntwo processes: {DELEGATIONS} delegations, {town.kills} kills, {took:.0f} s: 0 lost, {len(twice)} "
            f"doubled, {len(doubtful)} in doubt, {len(town.server.sent) / took:.1f} messages a second"
        )
        assert town.kills > 0
        assert twice == []
        assert len(doubtful) <= JOBS_AT_ONCE * town.kills


@pytest.mark.slow
async def test_two_processes_are_no_slower_than_one(tmp_path: Path, database: str) -> None:
    """Without deaths, and all ordered at once; printed, for the machine decides."""
    took = []
    for processes in (1, 2):
        async with AsyncExitStack() as stack:
            town = await town_of(stack, tmp_path, database, processes)
            took.append(await lived_through(town, random.Random(1), 0, a_second=1000.0))
            assert town.in_doubt() == []
            for house in town.houses:
                await house.end(signal.SIGTERM)
        with psycopg.connect(database, autocommit=True) as server:
            tables = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
            for (table,) in tables:
                if table != "schema_migration":
                    server.execute(f"TRUNCATE {table} CASCADE")  # type: ignore[arg-type]
    print(f"\n{DELEGATIONS} delegations without deaths: one process {took[0]:.0f} s, two {took[1]:.0f} s")
