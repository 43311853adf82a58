"""A clock that is set back puts nothing off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from bot.runtime.clockwatch import MARKED_EVERY, SEEN, TOLERATED, ClockWatch, set_back
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.callbacks import Callback, due_callbacks
from core.ids import ConversationId, PersonId
from tests.contract.store_samples import HOUR, MINUTE, NOW, fact, job

SECOND = timedelta(seconds=1)


def callback(name: str, created_at: datetime = NOW, fire_at: datetime | None = None) -> Callback:
    return Callback(
        id=name,
        chat_id=ConversationId("telegram:5"),
        content="!!",
        trigger_source="user_reminder",
        created_at=created_at,
        fire_at=fire_at,
        person_id=PersonId("p_wang"),
    )


class Turned:
    """A clock that can be turned."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def store() -> Iterator[PeeweeStore]:
    store = PeeweeStore("sqlite:///:memory:", inline=True)
    yield store
    store.close()


@pytest.fixture
def clock() -> Turned:
    return Turned()


def taken(store: PeeweeStore, clock: Turned) -> tuple[list[str], list[str]]:
    """The facts and jobs that are due."""
    now = clock.at
    facts = store.run_now(lambda repos: repos.facts.claim(now, 10))
    jobs = store.run_now(lambda repos: repos.jobs.claim(now, 10))
    return [stored.fact.event_id for stored in facts], [claimed.job.key for claimed in jobs]


@pytest.mark.parametrize("late", [timedelta(), SECOND, TOLERATED])
def test_a_clock_that_goes_on_or_is_corrected_a_little_was_not_set_back(late: timedelta) -> None:
    assert set_back(NOW, NOW - late) == timedelta()
    assert set_back(NOW, NOW + HOUR) == timedelta()
    assert set_back(NOW, NOW - HOUR) == HOUR


async def test_set_back_while_it_runs(store: PeeweeStore, clock: Turned) -> None:
    watch = ClockWatch(store, clock)
    await watch.look()
    clock.at += 7 * SECOND
    await watch.look()
    store.run_now(lambda repos: repos.facts.add(fact("1"), clock.at))
    store.run_now(lambda repos: repos.jobs.add(job("due", lane="x", due=clock.at)))
    store.run_now(lambda repos: repos.jobs.add(job("again", lane="y", due=clock.at + MINUTE, attempts=2)))
    store.run_now(lambda repos: repos.jobs.add(job("at_noon", lane="z", due=clock.at + 2 * MINUTE)))
    clock.at -= HOUR
    assert taken(store, clock) == ([], [])
    await watch.look()
    assert taken(store, clock) == (["1"], ["due"])
    clock.at += MINUTE
    await watch.look()
    assert taken(store, clock) == ([], ["again"])
    clock.at += 30 * MINUTE
    await watch.look()
    assert taken(store, clock) == ([], [])
    clock.at += 30 * MINUTE
    assert taken(store, clock) == ([], [])
    clock.at += MINUTE
    assert taken(store, clock) == ([], ["at_noon"])


async def test_set_back_between_two_runs(store: PeeweeStore, clock: Turned) -> None:
    await ClockWatch(store, clock).look()
    clock.at += MARKED_EVERY - SECOND  # since the last mark
    store.run_now(lambda repos: repos.facts.add(fact("1"), clock.at))
    clock.at -= HOUR
    store.run_now(ClockWatch(store, clock).start)
    assert taken(store, clock) == (["1"], [])
    store.run_now(lambda repos: repos.jobs.add(job("later", due=clock.at + 30 * MINUTE)))
    store.run_now(ClockWatch(store, clock).start)
    assert taken(store, clock) == ([], [])


async def test_the_moment_is_written_down_now_and_then(store: PeeweeStore, clock: Turned) -> None:
    watch = ClockWatch(store, clock)
    marks = set()
    for _ in range(61):
        await watch.look()
        marks.add(store.run_now(lambda repos: repos.meta.get(SEEN)))
        clock.at += SECOND
    assert len(marks) == 3


async def test_a_clock_that_was_set_forward_and_back_again_moves_nothing_that_was_not_due(
    store: PeeweeStore, clock: Turned
) -> None:
    watch = ClockWatch(store, clock)
    store.run_now(lambda repos: repos.jobs.add(job("far", due=NOW + 3 * HOUR)))
    await watch.look()
    clock.at += HOUR
    await watch.look()
    clock.at -= HOUR
    await watch.look()
    assert store.run_now(lambda repos: repos.jobs.next_due()) == NOW + 3 * HOUR


async def test_what_somebody_is_owed_stays_due_and_a_chat_waits_no_longer(store: PeeweeStore, clock: Turned) -> None:
    watch = ClockWatch(store, clock)
    await watch.look()
    at_once = callback("at_once", created_at=clock.at)
    due = callback("due", fire_at=clock.at)
    later = callback("later", fire_at=clock.at + 2 * HOUR)

    def keep(repos: StoreRepositories) -> None:
        for record in (at_once, due, later):
            repos.callbacks.add(record)
        repos.blocked.block("telegram", "5", clock.at + MINUTE)
        repos.jobs.add(job("not_yet", lane="x", due=clock.at + MINUTE, reason="this chat takes no more yet"))

    store.run_now(keep)
    clock.at -= HOUR
    await watch.look()

    def ids(at: datetime) -> set[str]:
        return {c.id for c in due_callbacks(store.run_now(lambda repos: repos.callbacks.due(at, 10)), at)}

    assert ids(clock.at) == {"at_once", "due"}
    assert ids(clock.at + 3 * HOUR) == {"at_once", "due", "later"}
    assert store.run_now(lambda repos: repos.blocked.blocked("telegram", clock.at)) == (("5", clock.at + MINUTE),)
    assert store.run_now(lambda repos: repos.blocked.blocked("telegram", clock.at + MINUTE)) == ()
    clock.at += MINUTE
    assert taken(store, clock) == ([], ["not_yet"])
