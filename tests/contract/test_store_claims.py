"""Whatever happens to jobs in whatever order: never two of a lane at once, never before it is due, never twice."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from bot.store.tables import JobRow
from core.jobs import JobState
from tests.contract.store_samples import NOW, job

Step = tuple[Any, ...]
Change = Callable[[StoreRepositories], bool]

LANES = ["a", "b", "c"]
# Coarse, so that many fall on the same instant.
SPANS = st.integers(0, 4).map(lambda n: timedelta(minutes=n))

JOBS = st.lists(st.tuples(st.sampled_from(LANES), SPANS), min_size=2, max_size=8)
NUMBERS = st.integers(0, 9)
CLAIMS = st.tuples(st.just("claim"), st.sets(st.sampled_from([*LANES, "elsewhere"]), max_size=2), st.integers(1, 4))
STEPS = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(LANES), SPANS),
    st.tuples(st.just("sending"), NUMBERS),
    st.tuples(st.just("finish"), NUMBERS),
    st.tuples(st.just("retry"), NUMBERS, SPANS),
    st.tuples(st.just("cancel"), NUMBERS),
    st.tuples(st.just("reschedule"), NUMBERS, SPANS),
    st.tuples(st.just("advance"), SPANS),
    st.tuples(st.just("crash")),
)
# After each step somebody claims.
ROUNDS = st.lists(st.tuples(STEPS, CLAIMS), min_size=1, max_size=15)


@dataclass
class Entry:
    lane: str
    due: datetime
    state: JobState = JobState.PENDING


@dataclass
class Model:
    """What the jobs should be, in the simplest words."""

    now: datetime = NOW
    jobs: list[Entry] = field(default_factory=list)

    def claimable(self, busy: set[str], limit: int) -> list[int]:
        taken = {j.lane for j in self.jobs if j.state in (JobState.RUNNING, JobState.SENDING)} | busy
        chosen: list[int] = []
        for number in sorted(range(len(self.jobs)), key=lambda n: (self.jobs[n].due, n)):
            entry = self.jobs[number]
            if entry.state is JobState.PENDING and entry.due <= self.now and entry.lane not in taken:
                taken.add(entry.lane)
                chosen.append(number)
        return chosen[:limit]


class Player:
    """Does each step in the store and in the model, and compares."""

    def __init__(self, store: PeeweeStore) -> None:
        self.store = store
        self.model = Model()

    def add(self, lane: str, wait: timedelta) -> None:
        due = self.model.now + wait
        key = str(len(self.model.jobs))
        assert self.store.run_now(lambda repos: repos.jobs.add(job(key, lane=lane, due=due)))
        self.model.jobs.append(Entry(lane, due))

    def claim(self, busy: set[str], limit: int) -> None:
        now = self.model.now
        claimed = self.store.run_now(lambda repos: repos.jobs.claim(now, limit, busy=busy))
        assert [int(each.job.key) for each in claimed] == self.model.claimable(busy, limit)
        for each in claimed:
            self.model.jobs[int(each.job.key)].state = JobState.RUNNING

    def sending(self, number: int) -> None:
        self.move(number, (JobState.RUNNING,), JobState.SENDING, lambda repos: repos.jobs.sending(str(number)))

    def finish(self, number: int) -> None:
        taken = (JobState.RUNNING, JobState.SENDING)
        self.move(number, taken, JobState.DONE, lambda repos: repos.jobs.done(str(number)))

    def cancel(self, number: int) -> None:
        pending = (JobState.PENDING,)
        self.move(number, pending, JobState.CANCELLED, lambda repos: repos.jobs.cancel(str(number), "x"))

    def retry(self, number: int, wait: timedelta) -> None:
        due = self.model.now + wait
        states = (JobState.RUNNING, JobState.SENDING)
        if self.move(number, states, JobState.PENDING, lambda repos: repos.jobs.retry(str(number), due, 1, "x")):
            self.model.jobs[number].due = due

    def reschedule(self, number: int, wait: timedelta) -> None:
        due = self.model.now + wait
        pending = (JobState.PENDING,)
        if self.move(number, pending, JobState.PENDING, lambda repos: repos.jobs.reschedule(str(number), due)):
            self.model.jobs[number].due = due

    def advance(self, span: timedelta) -> None:
        self.model.now += span

    def crash(self) -> None:
        left = self.store.run_now(lambda repos: repos.jobs.release(repos.me))
        sending = [n for n, entry in enumerate(self.model.jobs) if entry.state is JobState.SENDING]
        assert [int(each.key) for each in left] == sending
        for entry in self.model.jobs:
            after = {JobState.RUNNING: JobState.PENDING, JobState.SENDING: JobState.IN_DOUBT}
            entry.state = after.get(entry.state, entry.state)

    def move(self, number: int, origin: tuple[JobState, ...], target: JobState, change: Change) -> bool:
        possible = number < len(self.model.jobs) and self.model.jobs[number].state in origin
        assert self.store.run_now(change) is possible
        if possible:
            self.model.jobs[number].state = target
        return possible

    def compare(self) -> None:
        def look(repos: StoreRepositories) -> list[tuple[int, JobState]]:
            return sorted((int(each.key), each.state) for each in repos.jobs.list(set(JobState), 1000))

        assert self.store.run_now(look) == [(n, entry.state) for n, entry in enumerate(self.model.jobs)]
        pending = [entry.due for entry in self.model.jobs if entry.state is JobState.PENDING]
        assert self.store.run_now(lambda repos: repos.jobs.next_due()) == min(pending, default=None)


@given(jobs=JOBS, rounds=ROUNDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_claims_are_those_of_a_simple_model(
    store: PeeweeStore, jobs: list[tuple[str, timedelta]], rounds: list[tuple[Step, Step]]
) -> None:
    store.run_now(lambda repos: JobRow.delete().execute(repos.jobs._db))
    player = Player(store)
    for lane, wait in jobs:
        player.add(lane, wait)
    for each in rounds:
        for name, *arguments in each:
            getattr(player, name)(*arguments)
    player.compare()
