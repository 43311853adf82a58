"""The runtime: inbox → lane → hub, and due jobs → lane → runner.

Two ways to drive it. `settle` runs everything that is due now, one piece after another, and stops: rehearsals and
tests, where time is a verb. `run` keeps going with several lanes at once: the product.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from bot.logs import named
from bot.metrics import FACTS
from bot.runtime.breath import AT_ONCE
from bot.runtime.clockwatch import ClockWatch
from bot.runtime.inbox import Handler, Inbox
from bot.runtime.intake import Intake
from bot.runtime.lanes import Lanes
from bot.runtime.presence import Alone, Presence
from bot.runtime.runner import Runner
from bot.runtime.ticker import Ticker
from bot.store.database.listener import Listener
from bot.store.database.news import LEAVING
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import ALL_KINDS, ClaimedJob
from bot.store.unit import PeeweeStore
from core.errors import StorageFailed
from core.facts import Fact, FactKind, StoredFact
from core.hub.hub import CognitiveHub
from core.ids import FactId
from core.jobs import JobKind
from core.limits import DebounceLimits
from core.ports import Clock

log = logging.getLogger(__name__)

T = TypeVar("T")

FACTS_AT_ONCE = 16
EVENTS_AT_ONCE = 4
JOBS_AT_ONCE = 16
SENDS_AT_ONCE = 16
TASKS_AT_ONCE = 4
"""Each has places of its own: neither a backlog of messages nor deep tasks hold up the answers to those before, nor
does a channel that is slow hold up the thinking, nor a flood of events from outside those who chat."""
TICKS_A_CLEARING = 60
"""Ticks between looks for work that nobody does any more."""
DRAIN_S = 7.0
"""After a stop signal, how long running work may take to end; what is left is taken up at the next start."""

SPOKEN = frozenset({JobKind.DELIVER, JobKind.REPORT})
"""Kinds of jobs that hand something to a channel: the speaker's alone."""
DEEP = frozenset({JobKind.TASK})
ROOMS = {SPOKEN: SENDS_AT_ONCE, ALL_KINDS - SPOKEN - DEEP: JOBS_AT_ONCE, DEEP: TASKS_AT_ONCE}

Scan = Callable[[], Coroutine[Any, Any, int]]
"""Makes facts of what has fallen due; how many are new."""


def _nothing() -> None:
    """Nobody asked to be told."""


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
        presence: Presence | None = None,
        listener: Listener | None = None,
        debounce: DebounceLimits = AT_ONCE,
    ) -> None:
        """`presence`: its place among several processes on the database; None when it is the only one. `debounce`: how
        long a message waits for more of its sender's; not at all if it is left out.
        """
        self._store = store
        self._hub = hub
        self._runner = runner
        self._scans = scans
        self._clock = clock
        self._lanes = Lanes()
        self._debounce = debounce
        self._intake = Intake(store, clock, debounce)
        self._inbox = Inbox(store, hub, commands, clock)
        self._presence = presence or Alone()
        self._listener = listener
        self._clock_watch = ClockWatch(store, clock)
        self._wake = asyncio.Event()
        # Between a claim and the moment at which what was claimed counts as in hand, nothing may be cleared away.
        self._claiming = asyncio.Lock()
        self._handling: set[asyncio.Task[None]] = set()
        self._hearing: set[asyncio.Task[None]] = set()
        """Messages and the like, and events from outside."""
        self._working: dict[frozenset[JobKind], set[asyncio.Task[None]]] = {kinds: set() for kinds in ROOMS}
        self._aside: set[asyncio.Task[None]] = set()
        self._facts_in_hand: set[FactId] = set()
        self._jobs_in_hand: set[int] = set()
        self._turned: Callable[[], None] = _nothing
        self._unwritten = False
        self._stopping = False
        self._ticks = 0

    # --- in -------------------------------------------------------------------------------------------------------

    async def accept(self, fact: Fact) -> bool:
        """Store a fact; true when it is new. When this returns, the channel may acknowledge."""
        new = await self._intake.take(fact)
        if new:
            # Sources outside have names of their own choice: as labels they would be too many.
            FACTS.count(fact.channel if fact.kind is not FactKind.EVENT else "outside", fact.kind)
            self._wake.set()
            if self._debounce.within and fact.kind is FactKind.MESSAGE:
                asyncio.get_running_loop().call_later(self._debounce.within.total_seconds(), self._wake.set)
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
        facts, jobs = await self._store.run(self._next, at="claim")
        for stored in facts:
            await self._inbox.handle(stored)
        for claimed in jobs:
            await self._runner.run(claimed)
        return bool(facts or jobs) or await self._scan() > 0

    def _next(self, repos: StoreRepositories) -> tuple[list[StoredFact], list[ClaimedJob]]:
        facts, _ = self._take(repos, (1, 0), ())
        if not facts:
            facts, _ = self._take(repos, (0, 1), ())
        return (facts, []) if facts else self._take(repos, (0, 0), [(1, ALL_KINDS)])

    def _take(
        self, repos: StoreRepositories, places: tuple[int, int], rooms: Sequence[tuple[int, frozenset[JobKind]]]
    ) -> tuple[list[StoredFact], list[ClaimedJob]]:
        """At most so many facts and events from outside (`places`), and so many jobs of some kinds."""
        now, busy = self._clock.now(), self._lanes.busy
        kinds = ALL_KINDS if self._presence.speaks else ALL_KINDS - SPOKEN
        facts, events = places
        ready = repos.facts.claim(now, facts, busy) if facts else []
        ready += repos.facts.claim(now, events, busy, events=True) if events else []
        wanted = [(most, some & kinds) for most, some in rooms if most and some & kinds]
        claimed = [job for most, some in wanted for job in repos.jobs.claim(now, most, some, busy)]
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
                repos.callbacks.next_at(now),
            ]

        return min((at for at in await self._store.run(look) if at is not None), default=None)

    # --- all at once ----------------------------------------------------------------------------------------------

    @property
    def speaks(self) -> bool:
        """Whether this process is the one that takes messages in and sends them."""
        return self._presence.speaks and not self._stopping

    async def run(self, turned: Callable[[], None] = _nothing) -> None:
        """Work until `stop`; several lanes at once. `turned` is called when `speaks` may have changed."""
        self._turned = turned
        ticker = Ticker(self._tick)
        beside = [asyncio.create_task(self._presence.run(self._changed))]
        if self._listener is not None:
            beside.append(asyncio.create_task(self._listener.run(self._heard)))
        ticker.start()
        try:
            while not self._stopping:
                self._wake.clear()
                try:
                    async with self._claiming:
                        await self._dispatch()
                except StorageFailed:  # the store has said so; what is stored waits until it is back
                    self._unwritten = True  # a claim may have been kept all the same
                await self._rest()
        finally:
            ticker.stop()
            await self._drain()
            await end_tasks(beside)
            await self._hand_back()

    def stop(self) -> None:
        """Take nothing new."""
        self._stopping = True
        self._changed()

    def _changed(self) -> None:
        self._turned()
        self._wake.set()

    def _heard(self, what: str) -> None:
        """Another process called."""
        if what == LEAVING:
            self._presence.nudge()
        self._wake.set()

    async def _tick(self) -> None:
        try:
            if self._presence.speaks:
                await self._clock_watch.look()
            self._ticks += 1
            if self._unwritten or self._ticks % TICKS_A_CLEARING == 0:
                await self._clear()
            await self._scan()
        except StorageFailed:
            pass  # the next one tries again
        finally:
            self._wake.set()

    async def _clear(self) -> None:
        async with self._claiming:
            self._unwritten = False  # what ends meanwhile says so anew
            try:
                await self._store.run(self._clear_up, at="clear_up")
            except BaseException:
                self._unwritten = True
                raise

    def _clear_up(self, repos: StoreRepositories) -> None:
        """What this process holds and does not work on: an outcome could not be written down."""
        self._runner.release(repos, repos.me, self._facts_in_hand, self._jobs_in_hand)
        self._runner.sweep(repos)

    async def _dispatch(self) -> None:
        places = FACTS_AT_ONCE - len(self._handling), EVENTS_AT_ONCE - len(self._hearing)
        rooms = [(most - len(self._working[kinds]), kinds) for kinds, most in ROOMS.items()]
        if not (any(places) or any(most for most, _ in rooms)) or not self._presence.alive:
            return
        facts, jobs = await self._store.run(lambda repos: self._take(repos, places, rooms), at="claim")
        for stored in facts:
            self._facts_in_hand.add(stored.fact_id)
            among = self._hearing if stored.fact.kind is FactKind.EVENT else self._handling
            task = self._spawn(stored.fact.conversation, self._inbox.handle(stored), among)
            task.add_done_callback(partial(_let_go, self._facts_in_hand, stored.fact_id))
        for claimed in jobs:
            self._jobs_in_hand.add(claimed.id)
            working = next(tasks for kinds, tasks in self._working.items() if claimed.job.kind in kinds)
            task = self._spawn(claimed.job.lane, self._runner.run(claimed), working)
            task.add_done_callback(partial(_let_go, self._jobs_in_hand, claimed.id))

    async def _rest(self) -> None:
        """Until something arrives, something ends, or a tick comes."""
        await self._wake.wait()

    def _spawn(self, lane: str, work: Coroutine[Any, Any, None], among: set[asyncio.Task[None]]) -> asyncio.Task[None]:
        """Start work in its lane; the lane is busy from this moment on, not from the task's first step."""
        self._lanes.enter(lane)
        task = asyncio.create_task(work)
        among.add(task)
        task.add_done_callback(lambda done: self._ended(lane, done, among))
        return task

    def _ended(self, lane: str, task: asyncio.Task[None], among: set[asyncio.Task[None]]) -> None:
        self._lanes.leave(lane)
        among.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # Nobody wrote down what became of it: once the database is back it is taken up again.
            self._unwritten = True
            if not isinstance(error, StorageFailed):
                log.error("work in a lane ended badly: %s", named(error))
        self._wake.set()

    def aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something small that belongs to no lane (answering a button press)."""
        task = asyncio.create_task(work)
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    async def _drain(self) -> None:
        running = self._handling.union(self._hearing, self._aside, *self._working.values())
        if running:
            _, late = await asyncio.wait(running, timeout=DRAIN_S)
            await end_tasks(late)

    async def _hand_back(self) -> None:
        """Whatever is left is the others', or the next start's; what was being sent is in doubt."""

        def leave(repos: StoreRepositories) -> None:
            self._runner.release(repos, repos.me)
            self._presence.leave(repos)

        with suppress(StorageFailed):
            await self._store.run(leave, at="leave")


async def end_tasks(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel them and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _let_go(held: set[T], one: T, _: object) -> None:
    held.discard(one)
