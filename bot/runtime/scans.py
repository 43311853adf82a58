"""The scans: whatever has fallen due becomes a fact. All of them look in one unit of work."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from bot.logs import named
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.errors import StorageFailed

log = logging.getLogger(__name__)

Look = Callable[[StoreRepositories], int]
"""Makes facts of what has fallen due, within an open transaction; how many are new."""


class Scans:
    """All looks, in their order."""

    def __init__(self, store: PeeweeStore, looks: Sequence[Look]) -> None:
        self._store = store
        self._looks = tuple(looks)

    async def scan(self) -> int:
        """How many facts are new. Raises what a look raised, but only when the others have looked too."""
        try:
            return await self._store.run(lambda repos: sum([look(repos) for look in self._looks]), at="scan")
        except StorageFailed:
            raise
        except Exception:
            for look in self._looks:
                await self._alone(look)
            raise

    async def _alone(self, look: Look) -> None:
        try:
            await self._store.run(look, at="scan")
        except StorageFailed:
            raise
        except Exception as error:
            log.error("%s fails: %s", getattr(look, "__name__", "a scan"), named(error))
