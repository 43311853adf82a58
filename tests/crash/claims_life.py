"""One process that works jobs off on PostgreSQL until somebody kills it.

Each claim writes a run beside the job, in the same transaction, and the table of runs admits one open run and one
finished run a job: what is claimed twice at once or done twice ends this process with an error.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.runtime import presence
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.errors import StorageFailed

RUNS = """
CREATE TABLE runs (key TEXT NOT NULL, me TEXT NOT NULL, state TEXT NOT NULL);
CREATE UNIQUE INDEX runs_open ON runs (key) WHERE state = 'open';
CREATE UNIQUE INDEX runs_done ON runs (key) WHERE state = 'done';
CREATE INDEX runs_of ON runs (me) WHERE state = 'open'
"""
AT_ONCE = 16
SPAN = timedelta(seconds=2)
BEAT_S = 0.4


def _sql(repos: StoreRepositories, sql: str, *values: Any) -> int:
    db: Any = repos.jobs._db
    return int(db.execute_sql(sql, values).rowcount)


def claim(repos: StoreRepositories) -> list[str]:
    """Take some, and write down that they run."""
    keys = [c.job.key for c in repos.jobs.claim(datetime.now(UTC), AT_ONCE)]
    for key in keys:
        _sql(repos, "INSERT INTO runs VALUES (%s, %s, 'open')", key, repos.me)
    return keys


def done(repos: StoreRepositories, key: str) -> bool:
    """It is finished, unless others have taken it over."""
    if not repos.jobs.done(key):
        return False
    changed = _sql(repos, "UPDATE runs SET state = 'done' WHERE key = %s AND me = %s AND state = 'open'", key, repos.me)
    assert changed == 1, f"{repos.me} finished {key}, which it did not run"
    return True


def release(repos: StoreRepositories, holder: str) -> None:
    """Take from a process what it holds."""
    repos.jobs.release(holder)
    _sql(repos, "UPDATE runs SET state = 'released' WHERE me = %s AND state = 'open'", holder)


async def live(url: str, me: str) -> None:
    """Until killed."""
    presence.BEAT_S = BEAT_S
    store = await _opened(url, me)
    here = presence.OneOfMany(store, release, SPAN)
    beating = asyncio.create_task(here.run(lambda: None))
    while not beating.done():
        try:
            if here.alive and await _some(store):
                continue
        except StorageFailed:
            await _give_back(store, me)
        await asyncio.sleep(0.02)
    await beating


async def _opened(url: str, me: str) -> PeeweeStore:
    while True:
        try:
            return PeeweeStore(url, me=me)
        except StorageFailed:
            await asyncio.sleep(0.1)


async def _some(store: PeeweeStore) -> bool:
    keys = await store.run(claim)
    for key in keys:
        await store.run(lambda repos, key=key: done(repos, key))
    return bool(keys)


async def _give_back(store: PeeweeStore, me: str) -> None:
    """What was in hand when the database went away is anybody's."""
    while True:
        try:
            await store.run(lambda repos: release(repos, me))
            return
        except StorageFailed:
            await asyncio.sleep(0.05)


def run(url: str, me: str) -> None:
    """In a process of its own."""
    # Outages are what this is about; the log would be full of them.
    logging.disable(logging.CRITICAL)
    asyncio.run(live(url, me))
