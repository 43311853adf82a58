"""The unit of work: one transaction around a piece of synchronous work, on a thread that does nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bot.store.db import explained, open_database, transaction
from bot.store.migrations import migrate
from bot.store.repositories import StoreRepositories, repositories

T = TypeVar("T")
Work = Callable[[StoreRepositories], T]


def _no_failpoint(name: str) -> None:
    """Nothing fails on purpose."""


class PeeweeStore:
    """`core.ports.Store` on SQLite or PostgreSQL.

    Units of work of one store never overlap: they run one after another on its thread, or, with `inline`, at once in
    the caller's (for rehearsals and tests, where nothing else waits). A unit that was begun is finished even when
    the task that awaits it is cancelled.
    """

    def __init__(
        self,
        url: str,
        *,
        inline: bool = False,
        persona: str = "清海",
        failpoint: Callable[[str], None] | None = None,
    ) -> None:
        """Open the database at `url` and bring its tables up to date. Raises `ConfigurationError`.

        `failpoint` is called with `before_commit` and `after_commit`; what it raises comes out of the unit of work.
        """
        self._db = open_database(url)
        try:
            migrate(self._db)
        except BaseException:
            self._db.close()
            raise
        self._repositories = repositories(self._db, persona)
        self._failpoint = failpoint or _no_failpoint
        self._thread = None if inline else ThreadPoolExecutor(1, thread_name_prefix="store")
        self._closed = False

    async def run(self, work: Work[T]) -> T:
        """Run `work` in one transaction: kept whole when it returns, rolled back when it raises; then that is raised.

        Raises `ConfigurationError` when the database itself fails (full, locked, unreachable).
        """
        if self._thread is None:
            return self._unit(work)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._unit, work)

    def run_now(self, work: Work[T]) -> T:
        """The same for callers without an event loop; blocks. Not from inside a unit of work."""
        return self._unit(work) if self._thread is None else self._thread.submit(self._unit, work).result()

    def close(self) -> None:
        """Finish what was begun, then close the database. A second time does nothing."""
        if self._thread is not None:
            self._thread.shutdown()
        self._closed = True
        self._db.close()

    def _unit(self, work: Work[T]) -> T:
        if self._closed or self._db.in_transaction():
            raise RuntimeError("the store is closed" if self._closed else "a unit of work inside a unit of work")
        with explained(self._db):
            with transaction(self._db):
                result = work(self._repositories)
                self._failpoint("before_commit")
            self._failpoint("after_commit")
        return result
