"""The unit of work: one transaction around a piece of synchronous work, on a thread that does nothing else."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from bot.failpoints import Failpoint, no_failpoint
from bot.store.database.connection import explained, open_database, transaction
from bot.store.database.news import publish
from bot.store.database.outage import Outage
from bot.store.migrations import migrate
from bot.store.repositories import StoreRepositories, repositories
from core.errors import StorageFailed

T = TypeVar("T")
Work = Callable[[StoreRepositories], T]

BESIDE = frozenset({"read", "lease"})
"""Units of work that wait for nobody: those that only read, and the sign of life, a single statement."""

MADE_AGAIN = frozenset({"claim", "scan", "judge", "advance", "done", "expire", "put_off", "defer"})
"""Units of work that a crash of the database server itself may take back: nobody outside has seen anything of them, and
what they did is done again. They don't wait for the disk, which costs PostgreSQL more than all the rest together.

Not so what a channel was told (`accept`) and what it will see (`look`): once that is on disk, so is all before it. Nor
that a message was refused (`retry`): its row would say `sending` again, and be taken for one in doubt.
"""

FIRST = frozenset({"accept"})
"""Units of work that go before all others that wait: whoever brought a fact counts the seconds until it is stored. They
hold nobody up for long, for what comes meanwhile goes into the next one, and that begins only when this one has ended.
"""


class PeeweeStore:
    """`core.ports.Store` on SQLite or PostgreSQL.

    Units of work of one store never overlap: they run one after another on its thread (`FIRST` before whatever waits),
    or, with `inline`, at once in the caller's (for rehearsals and tests, where nothing else waits). Nor do those of
    several processes that write: what a unit has read stays true until it has written. A unit that was begun is
    finished even when the task that awaits it is cancelled.
    """

    def __init__(
        self,
        url: str,
        *,
        inline: bool = False,
        persona: str = "清海",
        me: str = "only",
        failpoint: Failpoint = no_failpoint,
    ) -> None:
        """Open the database at `url` and bring its tables up to date. Raises `ConfigurationError`.

        `me` is the name of this process: under it work is claimed. `failpoint` is called with `NAME.before_commit` and
        `NAME.after_commit` of each unit of work; what it raises comes out of that unit.
        """
        self._db = open_database(url)
        try:
            migrate(self._db)
        except BaseException:
            self._db.close()
            raise
        self._repositories = repositories(self._db, persona, me)
        self._failpoint = failpoint
        self._outage = Outage()
        self._thread = None if inline else ThreadPoolExecutor(1, thread_name_prefix="store")
        self._first: deque[Callable[[], None]] = deque()
        self._others: deque[Callable[[], None]] = deque()
        self._closed = False

    async def run(self, work: Work[T], *, at: str = "read") -> T:
        """Run `work` in one transaction: kept whole when it returns, rolled back when it raises; then that is raised.

        `at` names the unit of work, for failpoints.

        Raises `StorageFailed` when the database itself fails (full, locked, unreachable).
        """
        if self._thread is None:
            return self._unit(work, at)
        return await asyncio.wrap_future(self._queued(self._thread, work, at))

    def run_now(self, work: Work[T], *, at: str = "now") -> T:
        """The same for callers without an event loop; blocks. Not from inside a unit of work."""
        return self._unit(work, at) if self._thread is None else self._queued(self._thread, work, at).result()

    def close(self) -> None:
        """Finish what was begun, then close the database. A second time does nothing."""
        if self._thread is not None:
            self._thread.shutdown()
        self._closed = True
        self._db.close()

    def _queued(self, thread: ThreadPoolExecutor, work: Work[T], at: str) -> Future[T]:
        done: Future[T] = Future()

        def unit() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(self._unit(work, at))
            except BaseException as error:
                done.set_exception(error)

        (self._first if at in FIRST else self._others).append(unit)
        thread.submit(self._next)
        return done

    def _next(self) -> None:
        """As many are waiting as there are calls of this, so there is one."""
        (self._first or self._others).popleft()()

    def _unit(self, work: Work[T], at: str = "read") -> T:
        if self._closed or self._db.in_transaction():
            raise RuntimeError("the store is closed" if self._closed else "a unit of work inside a unit of work")
        try:
            with explained(self._db):
                with transaction(self._db, at not in MADE_AGAIN, alone=at not in BESIDE):
                    self._repositories.news.what = None
                    result = work(self._repositories)
                    publish(self._db, self._repositories.me, self._repositories.news)
                    self._failpoint(f"{at}.before_commit")
                self._failpoint(f"{at}.after_commit")
        except StorageFailed as error:
            self._outage.failed(error)
            raise
        self._outage.well()
        return result
