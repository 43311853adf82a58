"""How the bot is, for those who ask: /status, the readiness check, the metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from bot import __version__
from bot.commands.house import ChannelState
from bot.store.repositories import StoreRepositories
from bot.store.repositories.health import Queue
from bot.store.unit import PeeweeStore
from bot.web.house import Gauge
from core.errors import StorageFailed
from core.ports import Channel, Clock

PATIENCE_S = 2.0
"""How long the database may take for a small question."""
STILL_S = 10.0
"""Scans come every second; after so many without one the scheduler stands still."""


@runtime_checkable
class Reporting(Protocol):
    """A channel that says how it goes."""

    @property
    def ready(self) -> bool: ...
    @property
    def status(self) -> str: ...
    @property
    def trouble(self) -> str | None: ...


class Condition:
    """Of one process. `bot.commands.house.House` and `bot.web.house.House` in one."""

    version = __version__

    def __init__(
        self,
        store: PeeweeStore,
        channels: Mapping[str, Channel],
        clock: Clock,
        model: str | None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`model` is its name, None where the rules work alone."""
        self._store = store
        self._channels = channels
        self._clock = clock
        self._monotonic = monotonic
        self._scanned = monotonic()
        self.model = model
        self.started_at: datetime = clock.now()

    async def scanned(self) -> int:
        """The last of the scans: it finds nothing, and shows that the scheduler goes."""
        self._scanned = self._monotonic()
        return 0

    def channels(self) -> tuple[ChannelState, ...]:
        """Of channels that cannot say how they go it is taken that they are well."""
        return tuple(
            ChannelState(name, channel.ready, channel.status, channel.trouble)
            if isinstance(channel, Reporting)
            else ChannelState(name, True, "")
            for name, channel in self._channels.items()
        )

    async def problems(self) -> list[str]:
        """What keeps it from working, in a sentence each."""
        found = []
        speaks = True
        try:
            async with asyncio.timeout(PATIENCE_S):
                speaks = await self._store.run(_speaks)
        except TimeoutError:
            found.append(f"database: no answer within {PATIENCE_S:g} s")
        except StorageFailed as error:
            found.append(str(error))
        if speaks:  # the channels of the others are idle
            found += [f"{c.name}: {c.said}" for c in self.channels() if not c.ready]
        still = self._monotonic() - self._scanned
        if still > STILL_S:
            found.append(f"scheduler: no scan for {still:.0f} s")
        return found

    async def gauges(self) -> Sequence[Gauge]:
        """Queue, processes and database as they are now."""
        now = self._clock.now()
        queue, speaks, living, size = await self._store.run(
            lambda repos: (
                repos.health.queue(now),
                _speaks(repos),
                repos.leases.living() | {repos.me},
                repos.health.size(),
            )
        )
        return (
            *_queue(queue, now),
            Gauge("qinghai_speaks", "Whether this process talks to the channels", float(speaks)),
            Gauge("qinghai_processes", "Processes that live on this database", len(living)),
            Gauge("qinghai_database_bytes", "What the database takes", size),
        )


def _speaks(repos: StoreRepositories) -> bool:
    return repos.leases.speaker() in (None, repos.me)


def _queue(queue: Queue, now: datetime) -> tuple[Gauge, ...]:
    def age(since: datetime | None) -> float:
        return max(0.0, (now - since).total_seconds()) if since is not None else 0.0

    return (
        Gauge("qinghai_jobs_pending", "Jobs to come", queue.pending),
        Gauge("qinghai_jobs_due", "Jobs whose time has come", queue.due),
        Gauge("qinghai_jobs_due_oldest_seconds", "How late the oldest job is that is due", age(queue.oldest_due)),
        Gauge("qinghai_jobs_dead", "Jobs that were given up and are kept", queue.dead),
        Gauge("qinghai_jobs_in_doubt", "Messages that may or may not have arrived", queue.in_doubt),
        Gauge("qinghai_facts_unhandled", "Facts that were not judged yet", queue.facts),
        Gauge("qinghai_facts_due_oldest_seconds", "How late the oldest of them is that is due", age(queue.oldest_fact)),
    )
