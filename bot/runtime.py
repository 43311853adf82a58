"""The runtime: inbox → lane → hub, and due jobs → lane → runner.

Two ways to drive it. `settle` runs everything that is due now, one piece after another, and stops: rehearsals and
tests, where time is a verb. `run` keeps going with several lanes at once: the product.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.brain.budget import new_turn
from bot.jobs.runner import FAULT_RETRIES, Runner
from bot.jobs.ticker import Ticker
from bot.lanes import Lanes
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ClaimedJob
from bot.store.unit import PeeweeStore
from core.effects import Outgoing, Purpose, Send, Words
from core.errors import BrainError, ConfigurationError, StaleVersion
from core.facts import Fact, FactKind, StoredFact
from core.hub.commit import apply
from core.hub.hub import CognitiveHub
from core.jobs import MODEL_RETRIES
from core.ports import Clock

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=10)
FACTS_AT_ONCE = 16
JOBS_AT_ONCE = 16
"""Facts and jobs have places of their own: a backlog of messages must not hold up the answers to those before."""
TICKS_A_CLEARING = 60
"""Ticks between looks for work that nobody does any more."""
DRAIN_S = 8.0
"""After a stop signal, how long running work may take to end; what is left is taken up at the next start."""

Handler = Callable[[StoredFact], Coroutine[Any, Any, bool]]
"""Tries to handle a fact outside the hub (slash commands); true when it did."""

Scan = Callable[[], Coroutine[Any, Any, int]]
"""Makes facts of what has fallen due; how many are new."""


class Runtime:
    """Owns the lanes. One per process."""

    def __init__(
        self,
        store: PeeweeStore,
        hub: CognitiveHub,
        runner: Runner,
        scans: Sequence[Scan],
        clock: Clock,
        commands: Handler,
    ) -> None:
        self._store = store
        self._hub = hub
        self._runner = runner
        self._scans = scans
        self._clock = clock
        self._commands = commands
        self._lanes = Lanes()
        self._wake = asyncio.Event()
        self._handling: set[asyncio.Task[None]] = set()
        self._working: set[asyncio.Task[None]] = set()
        self._aside: set[asyncio.Task[None]] = set()
        self._stopping = False
        self._ticks = 0

    # --- in -------------------------------------------------------------------------------------------------------

    async def accept(self, fact: Fact) -> bool:
        """Store a fact; true when it is new. When this returns, the channel may acknowledge."""
        now = self._clock.now()
        new = await self._store.run(lambda repos: repos.facts.add(fact, now)) is not None
        if new:
            self._wake.set()
        return new

    # --- one after another ----------------------------------------------------------------------------------------

    async def settle(self, most: int = 10_000) -> None:
        """Run everything that is due now. Raises `RuntimeError` after `most` pieces: something feeds itself."""
        for _ in range(most):
            if not await self._one():
                return
        raise RuntimeError(f"not settled after {most} pieces of work")

    async def _one(self) -> bool:
        """One piece: a fact, else a job, else whatever a scan finds."""
        facts, jobs = await self._store.run(self._next)
        for stored in facts:
            await self._handle(stored)
        for claimed in jobs:
            await self._runner.run(claimed)
        return bool(facts or jobs) or await self._scan() > 0

    def _next(self, repos: StoreRepositories) -> tuple[list[StoredFact], list[ClaimedJob]]:
        facts, _ = self._take(repos, facts=1, jobs=0)
        return (facts, []) if facts else self._take(repos, facts=0, jobs=1)

    def _take(self, repos: StoreRepositories, facts: int, jobs: int) -> tuple[list[StoredFact], list[ClaimedJob]]:
        """At most so many of each."""
        now, busy = self._clock.now(), self._lanes.busy
        ready = repos.facts.ready(now, busy, facts) if facts else []
        # A timer's fact and a turn of its concern share a lane.
        taken = busy | {stored.fact.conversation for stored in ready}
        claimed = repos.jobs.claim(now, taken, now + LEASE, jobs) if jobs else []
        return ready, claimed

    async def _scan(self) -> int:
        """Whatever has fallen due becomes a fact; how many there are."""
        return sum([await scan() for scan in self._scans])

    async def next_due(self) -> datetime | None:
        """The next moment at which anything falls due; None when nothing ever will by itself."""

        def look(repos: StoreRepositories) -> list[datetime | None]:
            # A moment that has passed was made a fact by the scan; what comes of it is a fact or a job.
            now = self._clock.now()
            return [
                repos.facts.next_due(),
                repos.jobs.next_due(),
                repos.concerns.next_at(now),
                repos.agenda.next_at(now),
            ]

        return min((at for at in await self._store.run(look) if at is not None), default=None)

    # --- all at once ----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Work until `stop`; several lanes at once."""
        ticker = Ticker(self._tick)
        ticker.start()
        try:
            while not self._stopping:
                self._wake.clear()
                try:
                    await self._dispatch()
                except ConfigurationError as error:  # the database: what is stored waits until it is back
                    log.error("no work taken: %s", error)
                await self._rest()
        finally:
            ticker.stop()
            await self._drain()

    def stop(self) -> None:
        """Take nothing new."""
        self._stopping = True
        self._wake.set()

    async def _tick(self) -> None:
        try:
            await self._scan()
            self._ticks += 1
            if self._ticks % TICKS_A_CLEARING == 0:
                now, busy = self._clock.now(), self._lanes.busy
                await self._store.run(lambda repos: self._runner.clear_up(repos, now, busy))
        finally:
            self._wake.set()

    async def _dispatch(self) -> None:
        room = FACTS_AT_ONCE - len(self._handling), JOBS_AT_ONCE - len(self._working)
        if not any(room):
            return
        facts, jobs = await self._store.run(lambda repos: self._take(repos, *room))
        for stored in facts:
            self._spawn(stored.fact.conversation, self._handle(stored), self._handling)
        for claimed in jobs:
            self._spawn(claimed.job.lane, self._runner.run(claimed), self._working)

    async def _rest(self) -> None:
        """Until something arrives, something ends, or a tick comes."""
        await self._wake.wait()

    def _spawn(self, lane: str, work: Coroutine[Any, Any, None], among: set[asyncio.Task[None]]) -> None:
        """Start work in its lane; the lane is busy from this moment on, not from the task's first step."""
        self._lanes.enter(lane)
        task = asyncio.create_task(work)
        among.add(task)
        task.add_done_callback(lambda done: self._ended(lane, done, among))

    def _ended(self, lane: str, task: asyncio.Task[None], among: set[asyncio.Task[None]]) -> None:
        self._lanes.leave(lane)
        among.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("work in a lane ended badly: %s", error)
        self._wake.set()

    def aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something small that belongs to no lane (answering a button press)."""
        task = asyncio.create_task(work)
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    async def _drain(self) -> None:
        running = self._handling | self._working | self._aside
        if running:
            _, late = await asyncio.wait(running, timeout=DRAIN_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # --- one fact -------------------------------------------------------------------------------------------------

    async def _handle(self, stored: StoredFact) -> None:
        """Commands first, then the hub. A brain that fails puts the fact off; a fault of ours does too, a few times."""
        new_turn()
        try:
            if await self._is_no_news(stored):
                return
            if not await self._commands(stored):
                outcome = await self._hub.handle(stored)
                log.info("fact %s: %s", stored.fact_id, outcome.decision)
        except BrainError as error:
            log.warning("fact %s: %s", stored.fact_id, error)
            await self._put_off(stored, MODEL_RETRIES.after(stored.attempts + 1), str(error))
        except StaleVersion as error:
            await self._put_off(stored, timedelta(seconds=1), str(error))
        except Exception as error:
            log.exception("fact %s failed", stored.fact_id)
            await self._put_off(stored, FAULT_RETRIES.after(stored.attempts + 1), type(error).__name__)

    async def _is_no_news(self, stored: StoredFact) -> bool:
        """An edit that changes no word is closed at once, command or not."""
        if stored.fact.kind is not FactKind.EDIT:
            return False

        def close(repos: StoreRepositories) -> bool:
            if not repos.facts.is_unchanged(stored):
                return False
            repos.facts.handled(stored.fact_id, "ignore", "an edit that changes nothing", "", self._clock.now())
            return True

        return await self._store.run(close)

    async def _put_off(self, stored: StoredFact, wait: timedelta | None, reason: str) -> None:
        now, attempts = self._clock.now(), stored.attempts + 1
        if wait is not None:
            await self._store.run(lambda repos: repos.facts.defer(stored.fact_id, now + wait, attempts))
            return
        await self._store.run(lambda repos: self._give_up(repos, stored, reason))

    def _give_up(self, repos: StoreRepositories, stored: StoredFact, reason: str) -> None:
        """A fault of ours that did not go away: the fact is closed, and who wrote it is asked to say it again."""
        now, fact = self._clock.now(), stored.fact
        repos.facts.handled(stored.fact_id, "failed", reason, "", now)
        if fact.kind is FactKind.MESSAGE and not fact.group:
            sorry = Outgoing(
                purpose=Purpose.REPLY,
                conversation=fact.conversation,
                words=Words(template="chat/failed"),
                answers=True,
            )
            apply(repos, Send(key=f"failed:f{stored.fact_id}", due=now, message=sorry))
