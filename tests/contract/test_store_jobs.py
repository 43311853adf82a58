"""Jobs: one a cause, claimed when due, one a lane, and accounted for after a crash."""

from collections.abc import Callable
from datetime import datetime

import pytest

from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from bot.store.repositories.jobs import LEFT_SENDING
from core.ids import ConcernId, PersonId
from core.jobs import Job, JobKind, JobState
from tests.contract.store_samples import HOUR, MINUTE, NOW, TICK, job

CONCERN = ConcernId("con_20260316_001")
PERSON = PersonId("p_zhangsan")


def add(store: PeeweeStore, *jobs: Job) -> list[bool]:
    return [store.run_now(lambda repos, j=j: repos.jobs.add(j)) for j in jobs]


def claim(store: PeeweeStore, now: datetime = NOW, *busy: str, limit: int = 10) -> list[str]:
    claimed = store.run_now(lambda repos: repos.jobs.claim(now, limit, busy=busy))
    return [each.job.key for each in claimed]


def state(store: PeeweeStore, key: str) -> JobState:
    found = store.run_now(lambda repos: repos.jobs.get(key))
    assert found is not None
    return found.state


def test_a_job_comes_back_whole(store: PeeweeStore) -> None:
    whole = job("a", concern_id=CONCERN, person_id=PersonId("p_zhangsan"), payload='{"数":"\\u0000"}')
    assert add(store, whole) == [True]
    assert store.run_now(lambda repos: repos.jobs.get("a")) == whole
    assert store.run_now(lambda repos: repos.jobs.get("b")) is None


def test_the_same_key_is_one_job_for_ever(store: PeeweeStore) -> None:
    assert add(store, job("a"), job("a", due=NOW + HOUR)) == [True, False]
    assert claim(store) == ["a"]
    store.run_now(lambda repos: repos.jobs.done("a"))
    assert add(store, job("a")) == [False]
    assert claim(store) == []


def test_what_waits_for_a_concern_is_pending_only(store: PeeweeStore) -> None:
    add(store, job("a", concern_id=CONCERN), job("b", concern_id=CONCERN, lane="x"), job("c"))
    add(store, job("d", concern_id=CONCERN, due=NOW - HOUR, lane="y"), job("e", concern_id=CONCERN, lane="z"))
    store.run_now(lambda repos: repos.jobs.cancel("e", "answered"))
    waiting = store.run_now(lambda repos: repos.jobs.waiting(CONCERN))
    assert [each.key for each in waiting] == ["d", "a", "b"]
    claim(store)
    assert store.run_now(lambda repos: repos.jobs.waiting(CONCERN)) == ()


def test_what_waits_for_a_person(store: PeeweeStore) -> None:
    to_them, later = job("r", person_id=PERSON), job("d", person_id=PERSON, lane="x", due=NOW + HOUR)
    add(store, later, to_them, job("x"), job("y", lane="z", person_id=PERSON))
    store.run_now(lambda repos: repos.jobs.cancel("y", "answered"))
    assert store.run_now(lambda repos: repos.jobs.pending_to(PERSON)) == (to_them, later)


def test_jobs_are_listed_by_state(store: PeeweeStore) -> None:
    add(store, job("a"), job("b", lane="x", due=NOW - MINUTE), job("c", lane="y", due=NOW + HOUR))
    claim(store)
    store.run_now(lambda repos: repos.jobs.dead("a", "forbidden"))
    listed = store.run_now(lambda repos: repos.jobs.list({JobState.DEAD, JobState.RUNNING, JobState.IN_DOUBT}, 10))
    assert [(each.key, each.state, each.reason) for each in listed] == [
        ("b", JobState.RUNNING, None),
        ("a", JobState.DEAD, "forbidden"),
    ]
    assert len(store.run_now(lambda repos: repos.jobs.list(set(JobState), 2))) == 2
    assert store.run_now(lambda repos: repos.jobs.list(set(), 10)) == ()


# --- claiming ---


def test_a_job_is_claimed_when_it_is_due_and_once(store: PeeweeStore) -> None:
    add(store, job("a"))
    assert claim(store, NOW - TICK) == []
    (claimed,) = store.run_now(lambda repos: repos.jobs.claim(NOW, 10))
    assert (claimed.job.key, claimed.job.lane, claimed.progress) == ("a", "telegram:1001", 0)
    assert state(store, "a") is JobState.RUNNING
    assert claim(store, NOW + HOUR) == []


def test_the_longest_overdue_comes_first(store: PeeweeStore) -> None:
    dues = {"a": NOW, "b": NOW - HOUR, "c": NOW - MINUTE, "d": NOW - HOUR}
    add(store, *(job(key, lane=key, due=due) for key, due in dues.items()))
    assert claim(store, limit=3) == ["b", "d", "c"]
    assert claim(store) == ["a"]


def test_a_lane_gives_one_at_a_time_in_order(store: PeeweeStore) -> None:
    add(store, job("a", due=NOW), job("b", due=NOW - MINUTE), job("c", lane="other"))
    assert claim(store) == ["b", "c"]
    assert claim(store) == []
    store.run_now(lambda repos: repos.jobs.sending("b"))
    assert claim(store) == []
    store.run_now(lambda repos: repos.jobs.done("b"))
    assert claim(store) == ["a"]


def test_of_what_a_lane_has_due_at_one_instant_the_first_added_goes_first(store: PeeweeStore) -> None:
    add(store, job("b"), job("a"))
    assert claim(store) == ["b"]


def test_a_busy_lane_gives_nothing(store: PeeweeStore) -> None:
    add(store, *(job(key, lane=key) for key in "abc"))
    assert claim(store, NOW, "a", "quiet", "b", limit=1) == ["c"]
    assert claim(store, NOW, "a") == ["b"]


# --- what becomes of it ---


def test_the_way_of_a_delivery(store: PeeweeStore) -> None:
    add(store, job("a"))
    claim(store)
    assert store.run_now(lambda repos: repos.jobs.sending("a"))
    assert store.run_now(lambda repos: repos.jobs.progress("a", 2))
    assert store.run_now(lambda repos: repos.jobs.progress_of("a")) == 2
    assert store.run_now(lambda repos: repos.jobs.done("a"))
    assert state(store, "a") is JobState.DONE


def test_a_retry_waits_and_keeps_its_progress(store: PeeweeStore) -> None:
    add(store, job("a"))
    claim(store)
    store.run_now(lambda repos: repos.jobs.sending("a"))
    store.run_now(lambda repos: repos.jobs.progress("a", 1))
    assert store.run_now(lambda repos: repos.jobs.retry("a", NOW + MINUTE, 3, "429"))
    again = store.run_now(lambda repos: repos.jobs.get("a"))
    assert again == job("a", due=NOW + MINUTE, attempts=3, reason="429")
    assert claim(store, NOW + MINUTE - TICK) == []
    (claimed,) = store.run_now(lambda repos: repos.jobs.claim(NOW + MINUTE, 1))
    assert (claimed.progress, claimed.job.attempts) == (1, 3)


def test_one_in_doubt_may_be_tried_again(store: PeeweeStore) -> None:
    add(store, job("a"))
    claim(store)
    store.run_now(lambda repos: repos.jobs.in_doubt("a", "no answer"))
    assert claim(store) == []
    assert not store.run_now(lambda repos: repos.jobs.retry("a", NOW, 1, "who has lost it may not"))
    assert store.run_now(lambda repos: repos.jobs.requeue("a", NOW, 1, "same uuid"))
    assert claim(store) == ["a"]


Change = Callable[[StoreRepositories], bool]
OF_TAKEN: list[Change] = [
    lambda repos: repos.jobs.progress("a", 1),
    lambda repos: repos.jobs.done("a"),
    lambda repos: repos.jobs.retry("a", NOW, 1, "x"),
    lambda repos: repos.jobs.dead("a", "x"),
    lambda repos: repos.jobs.in_doubt("a", "x"),
]
OF_PENDING: list[Change] = [
    lambda repos: repos.jobs.cancel("a", "x"),
    lambda repos: repos.jobs.reschedule("a", NOW + HOUR),
]


@pytest.mark.parametrize("change", [*OF_TAKEN, lambda repos: repos.jobs.sending("a")])
def test_what_nobody_took_cannot_be_finished(store: PeeweeStore, change: Change) -> None:
    assert not store.run_now(change)
    add(store, job("a"))
    assert not store.run_now(change)
    assert store.run_now(lambda repos: repos.jobs.get("a")) == job("a")


@pytest.mark.parametrize("change", [*OF_TAKEN, *OF_PENDING, lambda repos: repos.jobs.sending("a")])
def test_what_is_finished_stays_so(store: PeeweeStore, change: Change) -> None:
    add(store, job("a"))
    claim(store)
    store.run_now(lambda repos: repos.jobs.done("a"))
    assert not store.run_now(change)
    assert state(store, "a") is JobState.DONE


@pytest.mark.parametrize("change", OF_PENDING)
@pytest.mark.parametrize("sending", [False, True])
def test_what_is_under_way_is_not_called_back(store: PeeweeStore, change: Change, sending: bool) -> None:
    add(store, job("a"))
    claim(store)
    if sending:
        store.run_now(lambda repos: repos.jobs.sending("a"))
    assert not store.run_now(change)
    assert state(store, "a") is (JobState.SENDING if sending else JobState.RUNNING)


def test_a_cancelled_job_says_why(store: PeeweeStore) -> None:
    add(store, job("a"))
    assert store.run_now(lambda repos: repos.jobs.cancel("a", "they answered"))
    cancelled = store.run_now(lambda repos: repos.jobs.get("a"))
    assert cancelled == job("a", state=JobState.CANCELLED, reason="they answered")
    assert claim(store) == []


def test_a_pending_job_is_moved(store: PeeweeStore) -> None:
    add(store, job("a"))
    assert store.run_now(lambda repos: repos.jobs.reschedule("a", NOW + HOUR))
    assert claim(store) == []
    assert claim(store, NOW + HOUR) == ["a"]


def test_the_next_due_is_that_of_a_pending_job(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.jobs.next_due()) is None
    add(store, job("a"), job("b", lane="x", due=NOW + HOUR))
    assert store.run_now(lambda repos: repos.jobs.next_due()) == NOW
    claim(store)
    assert store.run_now(lambda repos: repos.jobs.next_due()) == NOW + HOUR


# --- after a crash ---


def test_after_a_crash_what_ran_goes_back_and_what_was_sent_is_in_doubt(store: PeeweeStore) -> None:
    add(store, *(job(key, lane=key) for key in "abcd"), job("later", lane="e", due=NOW + HOUR))
    claim(store, limit=3)
    store.run_now(lambda repos: repos.jobs.sending("b"))
    store.run_now(lambda repos: repos.jobs.done("c"))
    left = store.run_now(lambda repos: repos.jobs.release(repos.me))
    assert [(each.key, each.state, each.reason) for each in left] == [("b", JobState.IN_DOUBT, LEFT_SENDING)]
    assert [state(store, key) for key in "abcd"] == [
        JobState.PENDING,
        JobState.IN_DOUBT,
        JobState.DONE,
        JobState.PENDING,
    ]
    assert claim(store) == ["a", "d"]
    assert store.run_now(lambda repos: repos.jobs.release(repos.me)) == []


def test_what_it_still_works_on_is_left_to_it(store: PeeweeStore) -> None:
    add(store, *(job(key, lane=key) for key in "ab"))
    claimed = store.run_now(lambda repos: repos.jobs.claim(NOW, 10))
    store.run_now(lambda repos: repos.jobs.release(repos.me, [each.id for each in claimed if each.job.key == "b"]))
    assert [state(store, key) for key in "ab"] == [JobState.PENDING, JobState.RUNNING]


def test_some_kinds_are_claimed_and_the_others_left(store: PeeweeStore) -> None:
    add(store, job("a"), job("b", kind=JobKind.TASK, lane="x"), job("c", kind=JobKind.ACT, lane="y"))

    def some(*kinds: JobKind) -> list[str]:
        return [c.job.key for c in store.run_now(lambda repos: repos.jobs.claim(NOW, 10, frozenset(kinds)))]

    assert some(JobKind.ADVANCE) == []
    assert some(JobKind.TASK, JobKind.ACT) == ["b", "c"]
    assert some(JobKind.DELIVER) == ["a"]


def test_a_job_of_another_kind_holds_up_its_lane_all_the_same(store: PeeweeStore) -> None:
    add(store, job("first", kind=JobKind.REPORT), job("second", kind=JobKind.ADVANCE))
    assert store.run_now(lambda repos: repos.jobs.claim(NOW, 10, frozenset({JobKind.ADVANCE}))) == []
