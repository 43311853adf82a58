"""A simulation of several processes that work off one database: the real claims, everything else by a seeded die.

Time is a number that jumps from event to event. What each process takes, it takes through `Runtime._take`; how long the
work lasts, what becomes of it, who dies in the middle and who is thought dead though he works on, the seed says. Every
begin and end is checked at once against what must hold, and written into a trace.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

from peewee import Database

from bot.runtime.runtime import FACTS_AT_ONCE, JOBS_AT_ONCE, Runtime
from bot.store.database.connection import transaction
from bot.store.repositories import StoreRepositories, repositories
from bot.store.repositories.jobs import ALL_KINDS
from bot.system import VirtualClock
from core.errors import TakenOver
from core.facts import Fact, FactKind
from core.ids import ConversationId
from core.jobs import Job, JobKind, JobState
from tests.flow.office import START

TICK = 1.0
LONGEST = 600.0
"""No piece of work takes longer: it is ended then."""
NOTICED = 12.0
"""From a death until the others take back what the dead one held: the lease, and a look."""
SOON = NOTICED + 2 * TICK
"""Where nobody works in a lane, and there are places, what is due in it is begun within this."""
ROUNDING = 2e-6
"""The store keeps microseconds."""
PUT_OFF = 600.0
"""So long may what people say go before work that was due before it."""

Key = tuple[str, Any]


@dataclass(eq=False)
class Process:
    """One incarnation: it holds work under a name of its own."""

    name: str
    repos: StoreRepositories
    runtime: Runtime
    hands: dict[Key, str] = field(default_factory=dict)
    """What it works on, and in which lane. A fact and a job have places of their own."""
    alive: bool = True
    given_up: bool = False
    """The others have taken back what it held."""

    def room(self, kind: str, places: int) -> int:
        """Free places for facts or jobs."""
        return places - sum(1 for key in self.hands if key[0] == kind)


@dataclass
class Waiting:
    """A piece of work that nobody has finished."""

    lane: str
    due: float


class Simulation:
    """One seed."""

    def __init__(self, db: Database, seed: int) -> None:
        self._db = db
        self._die = random.Random(seed)
        self.clock = VirtualClock(START)
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._number = 0
        self._born = 0
        self.trace: list[tuple[Any, ...]] = []
        self.left: dict[Key, Waiting] = {}
        self.ended: Counter[Key] = Counter()
        self.in_lane: dict[str, tuple[Process, Key]] = {}
        """Who rightly works where."""
        self.longest = self.longest_put_off = 0.0
        """Seconds that a free lane waited with something due; that a job waited for facts that came after it."""
        self._free_since: dict[str, float] = defaultdict(float)
        self.deaths = 0
        self.overruled = 0
        """Ends of work that had been taken over: refused by the store."""
        self.processes = [self._bear() for _ in range(self._die.choice((1, 2, 2, 3, 4)))]
        self._plan()

    # --- the plan -------------------------------------------------------------------------------------------------

    def _plan(self) -> None:
        die, chats = self._die, [f"telegram:{n}" for n in range(self._die.choice((2, 3, 6, 12, 40)))]
        self.crowded = len(chats) > min(FACTS_AT_ONCE, JOBS_AT_ONCE)
        span = die.choice((5.0, 60.0, 600.0))
        for n in range(die.randint(10, 60)):
            self._at(die.uniform(0, span), lambda n=n: self._arrives(n, die.choice(chats)))
        for n in range(die.randint(5, 40)):
            self._at(die.uniform(0, span), lambda n=n: self._is_ordered(n, die.choice(chats)))
        if die.random() < 0.3:  # one chat that never stops talking
            loud, every = die.choice(chats), die.choice((1.0, 3.0, 10.0))
            for n in range(80):
                self._at(n * every, lambda n=n: self._arrives(1000 + n, loud))
        for _ in range(die.choice((0, 1, 2, 5, 8))):
            self._at(die.uniform(0, span + 30), self._somebody_dies)
        for process in self.processes:
            self._at(die.uniform(0, TICK), lambda p=process: self._tick(p))

    def _at(self, when: float, what: Callable[[], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (when, self._number, what))

    def run(self) -> None:
        """To the end: until nothing is left to do."""
        while self._events and (self.left or self._number_of_plans()):
            self.now, _, what = heapq.heappop(self._events)
            self.clock.set(START + timedelta(seconds=self.now))
            what()
            assert self.now < 6 * 3600, f"still not done: {self.left}"

    def _number_of_plans(self) -> int:
        """Events besides the ticks that go on for ever."""
        return len(self._events) - sum(p.alive for p in self.processes)

    def _is_due(self, waiting: Waiting) -> bool:
        return waiting.due <= self.now + ROUNDING

    def _in_unit(self, process: Process, work: Callable[[StoreRepositories], Any]) -> Any:
        with transaction(self._db):
            return work(process.repos)

    # --- what comes -----------------------------------------------------------------------------------------------

    def _arrives(self, n: int, chat: str) -> None:
        fact = Fact(
            channel="telegram",
            event_id=str(n),
            kind=FactKind.MESSAGE,
            occurred_at=self.clock.now(),
            conversation=ConversationId(chat),
            sender="1",
            message_id=str(n),
            text=str(n),
        )
        process = self._die.choice([p for p in self.processes if p.alive])
        fact_id = self._in_unit(process, lambda repos: repos.facts.add(fact, self.clock.now()))
        self.left["fact", fact_id] = Waiting(chat, self.now)
        self._take(process)

    def _is_ordered(self, n: int, chat: str) -> None:
        later = self._die.choice((0.0, 0.0, 5.0, 120.0))
        kind = self._die.choice((JobKind.DELIVER, JobKind.ADVANCE))
        job = Job(key=f"j{n}", kind=kind, lane=chat, due=self.clock.now() + timedelta(seconds=later))
        process = self._die.choice([p for p in self.processes if p.alive])
        self._in_unit(process, lambda repos: repos.jobs.add(job))
        self.left["job", job.key] = Waiting(chat, self.now + later)

    # --- processes ------------------------------------------------------------------------------------------------

    def _bear(self) -> Process:
        self._born += 1
        name = f"p{self._born}"
        none = cast(Any, None)
        runtime = Runtime(none, none, none, (), self.clock, none)
        return Process(name, repositories(self._db, "清海", name), runtime)

    def _tick(self, process: Process) -> None:
        if not process.alive:
            return
        # A look that finds nothing costs real time; some are enough to see that nothing is taken too early.
        if self._number % 16 == 0 or any(self._is_due(w) and w.lane not in self.in_lane for w in self.left.values()):
            self._take(process)
        self._at(self.now + TICK, lambda: self._tick(process))

    def _take(self, process: Process) -> None:
        facts, jobs = process.room("fact", FACTS_AT_ONCE), process.room("job", JOBS_AT_ONCE)
        if process.given_up or not (facts or jobs):
            return
        rooms = [(jobs, ALL_KINDS)]
        taken, claimed = self._in_unit(process, lambda repos: process.runtime._take(repos, (facts, 0), rooms))
        for stored in taken:
            self._begin(process, ("fact", stored.fact_id), stored.fact.conversation)
        for each in claimed:
            self._begin(process, ("job", each.job.key), each.job.lane)

    def _begin(self, process: Process, key: Key, lane: str) -> None:
        waiting = self.left[key]
        assert lane not in self.in_lane, f"two in lane {lane}: {key} and {self.in_lane[lane][1]}"
        assert self._is_due(waiting), f"{key} begun before it was due"
        self._keeps_order(key, waiting)
        self._goes_on_soon(key, lane)
        self.in_lane[lane] = process, key
        process.hands[key] = lane
        process.runtime._lanes.enter(lane)
        self.trace.append((round(self.now, 6), process.name, "begins", *key))
        if key[0] == "job" and self._die.random() < 0.5:
            assert self._in_unit(process, lambda repos: repos.jobs.sending(key[1]))
        lasts = self._die.choice((0.01, 0.1, 1.0, 3.0, 3.0, 20.0, 40.0)) if self._die.random() < 0.99 else LONGEST
        self._at(self.now + lasts, lambda: self._ends(process, key, lane))

    def _goes_on_soon(self, key: Key, lane: str) -> None:
        """A free lane in which something is due does not lie idle; what people say goes first, but not for ever."""
        of_lane = {k: w for k, w in self.left.items() if w.lane == lane and self._is_due(w)}
        idle = self.now - max(self._free_since[lane], min(w.due for w in of_lane.values()))
        self.longest = max(self.longest, idle)
        assert idle <= SOON or self.crowded, f"nobody took {key} for {idle:.0f} s"
        waiting = self.left[key]
        if key[0] == "fact":
            overtaken = [
                self.now - w.due for k, w in of_lane.items() if k[0] == "job" and w.due < waiting.due - ROUNDING
            ]
            self.longest_put_off = max([self.longest_put_off, *overtaken])
            assert self.longest_put_off <= PUT_OFF, f"{key} overtook a job that is {max(overtaken):.0f} s late"
        elif not self.crowded:
            words = min((k for k in of_lane if k[0] == "fact"), default=None)
            its_turn = (
                self.now - waiting.due >= PUT_OFF - ROUNDING and words and of_lane[words].due > waiting.due - ROUNDING
            )
            assert words is None or its_turn, f"{key} overtook {words}"

    def _keeps_order(self, key: Key, waiting: Waiting) -> None:
        """Of one lane and kind, none that came earlier is due and not begun."""
        for other, theirs in self.left.items():
            if other == key or other[0] != key[0] or theirs.lane != waiting.lane or not self._is_due(theirs):
                continue
            earlier = other[1] < key[1] if key[0] == "fact" else theirs.due < waiting.due - ROUNDING
            assert not earlier, f"{key} overtook {other}"

    def _ends(self, process: Process, key: Key, lane: str) -> None:
        if not process.alive:
            return
        process.hands.pop(key)
        process.runtime._lanes.leave(lane)
        # What is in doubt by now may be put back by whoever knows that it did not arrive: that is not played here.
        what = self._die.choice(("done", "done", "done", "again")) if key in self.left else "done"
        in_place = self.in_lane.get(lane) == (process, key)
        # What was taken back and nobody has taken up since is still theirs to close.
        held = in_place or (key[0] == "fact" and key in self.left and self._holder_of(key[1]) is None)
        accepted = self._close(process, key, what)
        assert accepted == held, f"{process.name} {'lost' if held else 'kept'} {key}"
        self.trace.append((round(self.now, 6), process.name, what if held else "overruled", *key))
        if not held:
            self.overruled += 1
            return
        if in_place:
            self._leave(lane)
        if what == "done":
            self.ended[key] += 1
            del self.left[key]
        self._take(process)

    def _close(self, process: Process, key: Key, what: str) -> bool:
        """Write down what became of it; whether the store took it."""
        kind, name = key
        wait = self._die.choice((1.0, 30.0))
        due, waiting = self.clock.now() + timedelta(seconds=wait), self.left.get(key)
        try:
            if kind == "job":
                if what == "done":
                    return bool(self._in_unit(process, lambda repos: repos.jobs.done(name)))
                ok = bool(self._in_unit(process, lambda repos: repos.jobs.retry(name, due, 1, "x")))
            elif what == "done":
                self._in_unit(process, lambda repos: repos.facts.handled(name, "ignore", "", "", self.clock.now()))
                return True
            else:
                before = self._holder_of(name)
                self._in_unit(process, lambda repos: repos.facts.defer(name, due, 1))
                ok = key in self.left and before in (process.name, None)
                assert ok or self._holder_of(name) == before, f"{process.name} put off what is not its own: {key}"
        except TakenOver:
            return False
        if ok and waiting is not None:
            waiting.due = self.now + wait
        return ok

    def _holder_of(self, fact_id: int) -> str | None:
        cursor = self._db.execute_sql("SELECT holder FROM facts WHERE id = ?", (fact_id,))
        return cast("str | None", cursor.fetchone()[0])

    def _leave(self, lane: str) -> None:
        """The lane is free: whatever waits in it may be begun from now on."""
        self.in_lane.pop(lane, None)
        self._free_since[lane] = self.now

    # --- deaths ---------------------------------------------------------------------------------------------------

    def _somebody_dies(self) -> None:
        """Killed, or only cut off from the database for so long that the others think so."""
        victim = self._die.choice([p for p in self.processes if p.alive])
        self.deaths += 1
        if self._die.random() < 0.5 and len(self.processes) > 1:
            self.trace.append((round(self.now, 6), victim.name, "cut off"))
            self._at(self.now + NOTICED, lambda: self._taken_back(victim))
            victim.given_up = True
        else:
            self.trace.append((round(self.now, 6), victim.name, "dies"))
            victim.alive = False
            self._at(self.now + self._die.uniform(0, NOTICED), lambda: self._taken_back(victim))
        heir = self._bear()
        self.processes.append(heir)
        self._at(self.now + self._die.uniform(0, NOTICED), lambda: self._tick(heir))

    def _taken_back(self, victim: Process) -> None:
        other = self._die.choice([p for p in self.processes if p.alive and p is not victim])
        in_doubt = self._in_unit(other, lambda repos: _release(repos, victim.name))
        self.trace.append((round(self.now, 6), other.name, "takes back", victim.name, *(j.key for j in in_doubt)))
        for key, lane in victim.hands.items():
            if self.in_lane.get(lane) == (victim, key):
                self._leave(lane)
        for job in in_doubt:  # it counts as sent
            assert job.state is JobState.IN_DOUBT or job.state is JobState.SENDING
            self.ended["job", job.key] += 1
            del self.left["job", job.key]
        self._take(other)


def _release(repos: StoreRepositories, holder: str) -> list[Job]:
    repos.facts.release(holder)
    return repos.jobs.release(holder)
