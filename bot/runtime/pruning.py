"""The daily clearing: what is older than the configuration keeps goes, a small piece with each tick."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bot.store.repositories import StoreRepositories
from bot.store.retention import Retention, Walk
from bot.store.unit import PeeweeStore
from core.ports import Clock

log = logging.getLogger(__name__)

EVERY = timedelta(days=1)
LAST = "pruned_at"
"""Under this name a database keeps when its last pass began: one of several processes makes it."""


class Pruning:
    """A scan of the runtime that makes no facts. Between two passes it costs nothing."""

    def __init__(self, store: PeeweeStore, clock: Clock, kept: Retention) -> None:
        self._store = store
        self._clock = clock
        self._kept = kept
        self._next: datetime | None = None
        self._walk: Walk | None = None

    async def scan(self) -> int:
        """One piece of a pass, if one is due or under way; always 0: nothing fell due for anybody."""
        now = self._clock.now()
        if self._walk is not None:
            walk = self._walk
            self._walk = await self._store.run(lambda repos: repos.retention.prune(now, self._kept, walk), at="prune")
        elif self._next is None or now >= self._next:
            # Only once it is written down: a database that is away must not cost a day.
            ours, self._next = await self._store.run(lambda repos: _begin(repos, now), at="prune")
            self._walk = Walk() if ours else None
        return 0


def _begin(repos: StoreRepositories, now: datetime) -> tuple[bool, datetime]:
    """Whether a pass is due, and when the next one will be."""
    last = repos.meta.get(LAST)
    due = datetime.fromisoformat(last) + EVERY if last else None
    # A clock that was set back must not put it off for as long.
    if due is not None and now < due <= now + EVERY:
        return False, due
    repos.meta.set(LAST, now.isoformat())
    return True, now + EVERY
