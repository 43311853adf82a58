"""Four processes work off one queue on PostgreSQL; now and then one is killed, one stands still for so long that others
take its work over, and all are cut off from the database: none lost, none twice.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from typing import Any

import psycopg
import pytest

from bot.store.unit import PeeweeStore
from tests.crash.claims_life import RUNS, run
from tests.postgres import own_schema
from tests.sampling import WHOLE

pytestmark = [pytest.mark.crash, pytest.mark.postgres]

PROCESSES = 4
JOBS, LANES = (100_000, 20_000) if WHOLE else (600, 120)
KILL_S = (1.0, 6.0) if WHOLE else (0.5, 2.0)
AWAY_S = (5.0, 40.0) if WHOLE else (1.0, 3.0)
FROZEN_S = (5.0, 20.0) if WHOLE else (0.1, 0.5)
BLOWS = 3
"""So many kills, outages and takings over there are at least: there is work until then, however fast or slow it goes."""
STUCK_S = 120.0


class Crew:
    """The processes; each has a name of its own, and a dead one is followed by another."""

    def __init__(self, url: str, server: psycopg.Connection[Any], schema: str) -> None:
        self._url, self._server, self._schema = f"{url}%20-capplication_name%3D{schema}", server, schema
        self._born = self.kills = self.outages = self.taken_over = 0
        self._frozen: ForkServerProcess | None = None
        self._alive: list[ForkServerProcess] = []
        self._context = get_context("forkserver")
        # Everything is imported once, and a new process is there at once.
        self._context.set_forkserver_preload(["tests.crash.claims_life"])

    def fill(self) -> None:
        """As many as there should be."""
        while len(self._alive) < PROCESSES:
            self._born += 1
            me = f"p{self._born}"
            process = self._context.Process(target=run, args=(self._url, me), name=me, daemon=True)
            process.start()
            self._alive.append(process)

    def kill_one(self, die: random.Random) -> None:
        """At once, in the middle of whatever it does; another takes its place."""
        victim = self._awake(die)
        victim.kill()
        victim.join()
        self._alive.remove(victim)
        self.kills += 1
        self.fill()

    def _awake(self, die: random.Random) -> ForkServerProcess:
        return die.choice([process for process in self._alive if process is not self._frozen])

    def freeze_one(self, die: random.Random) -> None:
        """It stands still, with whatever it has in hand."""
        self._frozen = self._awake(die)
        _signal(self._frozen, signal.SIGSTOP)
        self._had = self._in_hand(self._frozen)

    @property
    def frozen(self) -> bool:
        """Somebody stands still."""
        return self._frozen is not None

    def thaw(self) -> bool:
        """As soon as others have what it had it goes on, as though nothing had happened; true when it does."""
        if self._frozen is None or self._in_hand(self._frozen):
            return False
        _signal(self._frozen, signal.SIGCONT)
        self.taken_over += self._had > 0
        self._frozen = None
        return True

    def _in_hand(self, process: ForkServerProcess) -> int:
        return counted(self._server, f"SELECT count(*) FROM runs WHERE me = '{process.name}' AND state = 'open'")

    def had_enough(self) -> bool:
        """Everything that is to happen has happened."""
        return not self.frozen and min(self.kills, self.outages, self.taken_over) >= BLOWS

    def cut_off(self) -> None:
        """The database throws all of them out, as it does when it is started again."""
        self._server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (self._schema,)
        )
        self.outages += 1

    def all_well(self) -> None:
        """Nobody ended of their own accord."""
        for process in self._alive:
            assert process.is_alive(), f"a process ended with {process.exitcode}"

    def close(self) -> None:
        """All of them."""
        for process in self._alive:
            process.kill()
            process.join()


def _signal(process: ForkServerProcess, number: signal.Signals) -> None:
    assert process.pid is not None
    os.kill(process.pid, number)


def filled(server: psycopg.Connection[Any], have: int) -> int:
    """So many more jobs; how many there are then."""
    server.execute(
        "INSERT INTO jobs (key, kind, lane, due, payload, state, attempts, progress) "
        f"SELECT 'j' || n, 'advance', 'lane' || n % {LANES}, n, '{{}}', 'pending', 0, 0 "
        f"FROM generate_series({have + 1}, {have + JOBS}) AS n"
    )
    return have + JOBS


@pytest.fixture
def schema(postgres_url: str) -> Iterator[tuple[str, psycopg.Connection[Any]]]:
    """A queue that is full, its URL, and a connection to look at it."""
    with own_schema(postgres_url, "claims") as url, psycopg.connect(url, autocommit=True) as server:
        PeeweeStore(url, inline=True).close()
        server.execute(RUNS)
        filled(server, 0)
        server.execute("ANALYZE jobs")
        yield url, server


def counted(server: psycopg.Connection[Any], sql: str) -> int:
    row = server.execute(sql).fetchone()
    assert row is not None
    return int(row[0])


def worked_off(crew: Crew, server: psycopg.Connection[Any], die: random.Random) -> int:
    """Until everything is done and everything has happened; how many jobs there were."""
    jobs, left, moved = JOBS, JOBS, time.monotonic()
    spans = {"kill": KILL_S, "away": AWAY_S, "freeze": FROZEN_S}
    due = {what: moved + die.uniform(*span) for what, span in spans.items()}
    while left or not crew.had_enough():
        now = time.monotonic()
        crew.all_well()
        for what in [what for what, at in due.items() if now >= at and (WHOLE or not crew.had_enough())]:
            due[what] = now + die.uniform(*spans[what])
            if what == "kill":
                crew.kill_one(die)
            elif what == "away":
                crew.cut_off()
            elif not crew.frozen:
                crew.freeze_one(die)
        if crew.thaw():
            due["freeze"] = now + die.uniform(*FROZEN_S)
        if left < JOBS / 4 and not crew.had_enough():
            jobs = filled(server, jobs)
        before, left = left, counted(server, "SELECT count(*) FROM jobs WHERE state <> 'done'")
        moved = now if left != before else moved
        assert now - moved < STUCK_S, f"{left} of {jobs} are not done"
        time.sleep(0.005 if crew.frozen else 0.02)
    return jobs


def test_no_job_is_lost_and_none_is_claimed_twice(schema: tuple[str, psycopg.Connection[Any]]) -> None:
    (url, server), name = schema, f"claims_{os.getpid()}"
    began = time.monotonic()
    with ExitStack() as stack:
        crew = Crew(url, server, name)
        stack.callback(crew.close)
        crew.fill()
        jobs = worked_off(crew, server, random.Random(1))
        crew.all_well()
    took = time.monotonic() - began
    print(
        f"\n{jobs} jobs, {PROCESSES} processes, {crew.kills} kills, {crew.outages} outages, {crew.taken_over} "
        f"taken over alive, {took:.0f} s, {jobs / took:.0f} jobs a second"
    )
    assert counted(server, "SELECT count(DISTINCT key) FROM runs WHERE state = 'done'") == jobs
    assert counted(server, "SELECT count(*) FROM runs WHERE state = 'done'") == jobs
    assert counted(server, "SELECT count(*) FROM runs WHERE state = 'open'") == 0
