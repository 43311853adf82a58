"""What the product looks for all the time, on tables full of what is not wanted now.

`python -m bench.looks --at WHERE` prints milliseconds as JSON, p50 and p95 of each look. What a look takes is given
back, outside the measured span.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from peewee import PostgresqlDatabase

from bench.queues import AT_ONCE, NOW, p95
from bench.rows import fill_callbacks, fill_concerns, fill_facts, fill_jobs
from bot.store import PeeweeStore
from bot.store.database.connection import execute
from bot.store.tables import TABLES
from core.hub.scanning.concerns import BATCH
from core.jobs import JobKind

HOUR, MONTH = timedelta(hours=1), timedelta(days=30)
SENDS = frozenset({JobKind.DELIVER, JobKind.REPORT})
Look = Callable[[Any], Any]


def jobs(repos: Any) -> Any:
    """What the runtime asks first."""
    return repos.jobs.claim(NOW, AT_ONCE)


def sends(repos: Any) -> Any:
    """What the process asks that alone sends."""
    return repos.jobs.claim(NOW, AT_ONCE, SENDS)


def facts(repos: Any) -> Any:
    """What the runtime asks next."""
    return repos.facts.claim(NOW, AT_ONCE)


def timers(repos: Any) -> Any:
    """The scans over concerns."""
    return (
        repos.concerns.timed_out(NOW, BATCH),
        repos.concerns.due(NOW, BATCH),
        repos.concerns.schedules_due(NOW, BATCH),
    )


def callbacks(repos: Any) -> Any:
    """The scan over callbacks."""
    return repos.callbacks.due(NOW, BATCH)


def moments(repos: Any) -> Any:
    """When the next of all is due."""
    return (
        repos.facts.next_due(), repos.jobs.next_due(), repos.concerns.next_at(NOW), repos.callbacks.next_at(NOW)
    )  # fmt: skip


def cases(n: int, due: int) -> list[tuple[str, Look, Callable[[PeeweeStore], None]]]:
    """Each look: its name, what is asked, and what is in the tables."""
    later, before = NOW + HOUR, NOW - HOUR
    return [
        ("jobs: none due", jobs, lambda s: fill_jobs(s, "a", n, state="pending", first=later)),
        ("jobs: all in one lane, none due", jobs,
         lambda s: fill_jobs(s, "a", n, state="pending", first=later, lanes=1)),
        ("jobs: {due} due, a lane each", jobs, lambda s: fill_jobs(s, "a", due, state="pending", first=before)),
        ("jobs: {due} due, all in one lane", jobs,
         lambda s: fill_jobs(s, "a", due, state="pending", first=before, lanes=1)),
        ("jobs: {due} due, none of the kinds asked", sends,
         lambda s: fill_jobs(s, "a", due, state="pending", first=before)),
        ("facts: all put off", facts,
         lambda s: fill_facts(s, "a", n, first=later, state="unhandled", chats=n // 10)),
        ("facts: all due, many chats", facts,
         lambda s: fill_facts(s, "a", n, first=before, state="unhandled", chats=n // 10)),
        ("facts: {due} due, one chat", facts,
         lambda s: fill_facts(s, "a", due, first=before, state="unhandled", chats=1)),
        ("facts: all handled", facts,
         lambda s: fill_facts(s, "a", n, first=before, state="handled", chats=n // 10)),
        ("concerns: all open, none due", timers,
         lambda s: fill_concerns(s, "a", n, "{}", first=later, is_open=True)),
        ("concerns: all closed", timers, lambda s: fill_concerns(s, "a", n, "{}", first=before, is_open=False)),
        ("callbacks: none due", callbacks, lambda s: fill_callbacks(s, "a", n, first=later)),
        ("the next moment of all of them", moments, lambda s: [
            fill_jobs(s, "a", n, state="pending", first=later),
            fill_facts(s, "a", n, first=later, state="unhandled", chats=n // 10),
            fill_concerns(s, "a", n, "{}", first=later, is_open=True),
            fill_callbacks(s, "a", n, first=later),
        ]),
    ]  # fmt: skip


def clear(store: PeeweeStore) -> None:
    """No rows."""

    def work(repos: Any) -> None:
        db = repos.jobs._db
        # What PostgreSQL only marks as deleted would be in the way until its cleaner has come.
        way = "TRUNCATE {} CASCADE" if isinstance(db, PostgresqlDatabase) else "DELETE FROM {}"
        for table in TABLES:
            execute(db, way.format(table._meta.table_name))

    store.run_now(work)


def spans(store: PeeweeStore, look: Look, times: int) -> list[float]:
    """Seconds of each look, sorted."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        store.run_now(look)
        taken.append(time.perf_counter() - began)
        store.run_now(lambda repos: (repos.jobs.release(repos.me), repos.facts.release(repos.me)))
    return sorted(taken)


def measure(where: str, n: int, due: int, times: int) -> dict[str, tuple[float, float]]:
    """p50 and p95 of each look, in milliseconds."""
    store = PeeweeStore(where if "://" in where else f"sqlite:///{where}", inline=True)
    found = {}
    for name, look, fill in cases(n, due):
        clear(store)
        fill(store)
        store.run_now(look)
        store.run_now(lambda repos: (repos.jobs.release(repos.me), repos.facts.release(repos.me)))
        taken = spans(store, look, times)
        found[name.format(due=due)] = (statistics.median(taken) * 1000, p95(taken) * 1000)
    store.close()
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m bench.looks", description="The queries that are asked all the time."
    )
    parser.add_argument("--at", required=True, help="a file, or a postgresql:// URL")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--due", type=int, default=1_000)
    parser.add_argument("--times", type=int, default=100)
    options = parser.parse_args()
    print(json.dumps(measure(options.at, options.rows, options.due, options.times)))
