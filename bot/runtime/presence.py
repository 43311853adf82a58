"""One process among several on a database: it shows that it lives, takes the part of the speaker, buries the dead.

What a process holds is its own for as long as its one lease runs. Whoever could not renew it takes nothing new; what
it still has in hand the others may have taken over by then, and the rows say so when it wants to write.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

from bot.store.repositories import StoreRepositories
from bot.store.repositories.leases import CLOCK, PROCESS, SPEAKER
from bot.store.unit import PeeweeStore
from core.errors import StorageFailed

log = logging.getLogger(__name__)

SPAN = timedelta(seconds=10)
BEAT_S = 2.5
"""A dead speaker is replaced within the span and one beat."""


def steady() -> float:
    """Seconds of a clock that nobody sets, and that also runs while the machine sleeps (where there is one)."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


Release = Callable[[StoreRepositories, str], None]
"""Takes from a process what it holds."""


class Presence(Protocol):
    """What the runtime asks about its own place."""

    @property
    def alive(self) -> bool:
        """It may take work."""
        ...

    @property
    def speaks(self) -> bool:
        """It alone takes messages in and sends them."""
        ...

    async def run(self, changed: Callable[[], None]) -> None:
        """Keep it so until cancelled; `changed` is called whenever either answer may have changed."""
        ...

    def nudge(self) -> None:
        """Somebody left: look at once."""
        ...

    def leave(self, repos: StoreRepositories) -> None:
        """Give back what it had to itself; `run` has ended."""
        ...


class Alone:
    """The only process on its database: it lives and speaks for as long as it runs."""

    alive = True
    speaks = True

    async def run(self, changed: Callable[[], None]) -> None:
        """Nothing ever changes."""
        changed()

    def nudge(self) -> None:
        """There is nobody else."""

    def leave(self, repos: StoreRepositories) -> None:
        """It had nothing that others could take."""


class OneOfMany:
    """A process with a lease."""

    def __init__(
        self,
        store: PeeweeStore,
        release: Release,
        span: timedelta = SPAN,
        monotonic: Callable[[], float] = steady,
    ) -> None:
        self._store = store
        self._release = release
        self._span = span
        self._monotonic = monotonic
        self._alive_until = 0.0
        self._speaks_until = 0.0
        self._alive_since = 0.0
        self._nudged = asyncio.Event()

    @property
    def alive(self) -> bool:
        """Its lease runs."""
        return self._monotonic() < self._alive_until

    @property
    def speaks(self) -> bool:
        """Its lease runs, and that of the speaker is its own."""
        return self.alive and self._monotonic() < self._speaks_until

    async def run(self, changed: Callable[[], None]) -> None:
        """Renew every few seconds, until cancelled."""
        spoke = False
        while True:
            try:
                await self._beat(changed)
            except StorageFailed:  # the store has said so
                pass
            except Exception:  # whoever gives no sign of life any more is dead for ever, and looks alive
                log.exception("a fault while this process showed that it lives")
            if (speaks := self.speaks) is not spoke:  # it may also have lost that part since the last look, frozen
                spoke = speaks
                log.info("this process %s", "takes messages in and sends them" if spoke else "only thinks")
            changed()
            self._nudged.clear()
            try:
                async with asyncio.timeout(BEAT_S):
                    await self._nudged.wait()
            except TimeoutError:
                continue

    async def _beat(self, changed: Callable[[], None]) -> None:
        # Counted from before the request: here the lease ends sooner than the database thinks, never later.
        began, span = self._monotonic(), self._span.total_seconds()
        until = began + span
        if not self.alive:
            self._alive_since = began
        alive, speaks = await self._store.run(self._renew, at="lease")
        self._alive_until = until if alive else 0.0
        self._speaks_until = until if speaks else 0.0
        # Should the next beat get stuck, somebody must notice all the same.
        asyncio.get_running_loop().call_later(until - self._monotonic(), changed)
        # Where all were cut off from the database for a while, the others get the time to show that they live.
        if began - self._alive_since >= span:
            await self._store.run(self._bury, at="bury")

    def _renew(self, repos: StoreRepositories) -> tuple[bool, bool]:
        alive = repos.leases.renew(PROCESS + repos.me, repos.me, self._span)
        repos.leases.mark_clock(repos.me)
        return alive, repos.leases.renew(SPEAKER, repos.me, self._span)

    def _bury(self, repos: StoreRepositories) -> None:
        """First who holds something, then who lives: nobody takes work without a lease, so none is missed between."""
        holders = repos.facts.holders() | repos.jobs.holders()
        for name in sorted(holders - repos.leases.living() - {repos.me}):
            log.warning("process %s is gone: what it had in hand is taken over", name)
            self._release(repos, name)
        repos.leases.sweep()

    def nudge(self) -> None:
        """Somebody left: look at once."""
        self._nudged.set()

    def leave(self, repos: StoreRepositories) -> None:
        """Give the leases back, and let the others know."""
        self._alive_until = self._speaks_until = 0.0
        repos.leases.free(SPEAKER, repos.me)
        repos.leases.free(PROCESS + repos.me, repos.me)
        repos.meta.drop(CLOCK + repos.me)
        repos.news.leaving()
