"""Looks whether the clock was set back, so that what was due is not put off by it."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.ports import Clock

log = logging.getLogger(__name__)

TOLERATED = timedelta(minutes=1)
"""Clocks of several machines differ, and are corrected, by less; work is late by no more than that."""
MARKED_EVERY = timedelta(seconds=30)

SEEN = "clock_seen"
"""Under this name a database keeps the latest moment that the clock showed."""


def set_back(seen: datetime, now: datetime) -> timedelta:
    """By how much the clock was set back since it showed `seen`; zero when it was not."""
    return seen - now if seen - now > TOLERATED else timedelta()


class ClockWatch:
    """Keeps the latest moment in the database, for the next start too."""

    def __init__(self, store: PeeweeStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._latest: datetime | None = None
        self._marked: datetime | None = None

    async def look(self) -> None:
        """Once in a while the moment is marked; at once when the clock shows less than before."""
        now = self._clock.now()
        latest, marked = self._latest, self._marked
        self._latest = now
        fresh = marked is not None and marked <= now < marked + MARKED_EVERY
        if fresh and latest is not None and not set_back(latest, now):
            return
        await self._store.run(lambda repos: self._check(repos, latest), at="clock")

    def start(self, repos: StoreRepositories) -> None:
        """The same at the start, within a unit of work."""
        self._check(repos, None)

    def _check(self, repos: StoreRepositories, latest: datetime | None) -> None:
        now = self._clock.now()
        kept = repos.meta.get(SEEN)
        # The last mark may be a little older than what fell due after it.
        marked = datetime.fromisoformat(kept) + MARKED_EVERY if kept else now
        seen = marked if latest is None else latest
        if back := set_back(seen, now):
            log.warning("the clock was set back by %s: what was due stays due", back)
            repos.facts.set_back(back, seen)
            repos.jobs.set_back(back, seen)
            repos.callbacks.set_back(back, seen)
            repos.blocked.set_back(back)
        repos.meta.set(SEEN, now.isoformat())
        self._marked = now
