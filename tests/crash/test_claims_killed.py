"""Four processes work off one queue on PostgreSQL, killed at random, the database away now and then: none lost, none twice."""

from __future__ import annotations

import os
import random
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

pytestmark = [pytest.mark.crash, pytest.mark.postgres]

PROCESSES = 4
SWEEP = bool(os.environ.get("QINGHAI_SWEEP"))
JOBS, LANES = (100_000, 20_000) if SWEEP else (1_500, 300)
KILL_S = (1.0, 6.0) if SWEEP else (1.0, 3.0)
AWAY_S = (5.0, 40.0) if SWEEP else (2.0, 5.0)
LONGEST_S = 1800 if SWEEP else 120


class Crew:
    """The processes; each has a name of its own, and a dead one is followed by another."""

    def __init__(self, url: str, server: psycopg.Connection[Any], schema: str) -> None:
        self._url, self._server, self._schema = f"{url}%20-capplication_name%3D{schema}", server, schema
        self._born = self.kills = self.outages = 0
        self._alive: list[ForkServerProcess] = []
        self._context = get_context("forkserver")
        # Everything is imported once, and a new process is there at once.
        self._context.set_forkserver_preload(["tests.crash.claims_life"])

    def fill(self) -> None:
        """As many as there should be."""
        while len(self._alive) < PROCESSES:
            self._born += 1
            process = self._context.Process(target=run, args=(self._url, f"p{self._born}"), daemon=True)
            process.start()
            self._alive.append(process)

    def kill_one(self, die: random.Random) -> None:
        """At once, in the middle of whatever it does; another takes its place."""
        victim = die.choice(self._alive)
        victim.kill()
        victim.join()
        self._alive.remove(victim)
        self.kills += 1
        self.fill()

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


@pytest.fixture
def schema(postgres_url: str) -> Iterator[tuple[str, str, psycopg.Connection[Any]]]:
    """A queue that is full, its URL, and a connection to look at it."""
    name = f"claims_{os.getpid()}"
    url = f"{postgres_url}{'&' if '?' in postgres_url else '?'}options=-csearch_path%3D{name}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        server.execute(f"CREATE SCHEMA {name}")
        server.execute(f"SET search_path = {name}")
        try:
            PeeweeStore(url, inline=True).close()
            server.execute(RUNS)
            server.execute(
                "INSERT INTO jobs (key, kind, lane, due, payload, state, attempts, progress) "
                f"SELECT 'j' || n, 'advance', 'lane' || n % {LANES}, n, '{{}}', 'pending', 0, 0 "
                f"FROM generate_series(1, {JOBS}) AS n"
            )
            server.execute("ANALYZE jobs")
            yield name, url, server
        finally:
            server.execute(f"DROP SCHEMA {name} CASCADE")


def counted(server: psycopg.Connection[Any], sql: str) -> int:
    row = server.execute(sql).fetchone()
    assert row is not None
    return int(row[0])


def test_no_job_is_lost_and_none_is_claimed_twice(schema: tuple[str, str, psycopg.Connection[Any]]) -> None:
    name, url, server = schema
    die, began = random.Random(1), time.monotonic()
    with ExitStack() as stack:
        crew = Crew(url, server, name)
        stack.callback(crew.close)
        crew.fill()
        kill_at, away_at = began + die.uniform(*KILL_S) + 2, began + die.uniform(*AWAY_S) + 2
        while counted(server, "SELECT count(*) FROM jobs WHERE state <> 'done'"):
            now = time.monotonic()
            assert now - began < LONGEST_S, "still not done"
            crew.all_well()
            if now >= kill_at:
                crew.kill_one(die)
                kill_at = now + die.uniform(*KILL_S)
            if now >= away_at:
                crew.cut_off()
                away_at = now + die.uniform(*AWAY_S)
            time.sleep(0.1 if SWEEP else 0.02)
        crew.all_well()
    took = time.monotonic() - began
    taken_back = counted(server, "SELECT count(*) FROM runs WHERE state = 'released'")
    print(
        f"\n{JOBS} jobs, {PROCESSES} processes, {crew.kills} kills, {crew.outages} outages: "
        f"{taken_back} taken back, {took:.0f} s, {JOBS / took:.0f} jobs a second"
    )
    assert counted(server, "SELECT count(DISTINCT key) FROM runs WHERE state = 'done'") == JOBS
    assert counted(server, "SELECT count(*) FROM runs WHERE state = 'done'") == JOBS
    assert counted(server, "SELECT count(*) FROM runs WHERE state = 'open'") == 0
    assert crew.kills > 0
    assert crew.outages > 0
