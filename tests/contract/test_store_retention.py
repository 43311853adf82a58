"""What is over and old goes, in small pieces; what is still needed stays however old it is."""

from datetime import datetime, timedelta

import pytest

from bot.store import PeeweeStore, retention
from bot.store.repositories import StoreRepositories
from bot.store.repositories.usage import Spent
from bot.store.retention import LEAST, Retention, Walk
from core.agenda.model import RecentDecision
from core.concern.model import Concern, Status
from core.ids import ConcernId
from core.jobs import JobState
from core.people import Invite
from tests.contract.store_samples import NOW, OWNER, TICK, ZHANG, concern, fact, job, sent

DAY = timedelta(days=1)
MONTH = 30 * DAY
LATER = NOW + 400 * DAY
KEPT = Retention(facts=100 * DAY, concerns=200 * DAY)


def prune(store: PeeweeStore, now: datetime = LATER, kept: Retention = KEPT) -> int:
    """A whole pass; in how many pieces."""
    walk: Walk | None = Walk()
    for pieces in range(1, 1000):
        walk = store.run_now(lambda repos, at=walk: repos.retention.prune(now, kept, at or Walk()))
        if walk is None:
            return pieces
    raise AssertionError("a pass without an end")


def keep_fact(store: PeeweeStore, event_id: str, received_at: datetime = NOW, *, handled: bool = True) -> int:
    def keep(repos: StoreRepositories) -> int:
        fact_id = repos.facts.add(fact(event_id), received_at)
        assert fact_id is not None
        if handled:
            repos.facts.handled(fact_id, "converse", "", "rules", received_at)
        return fact_id

    return store.run_now(keep)


def facts(store: PeeweeStore, *ids: int) -> list[bool]:
    return [store.run_now(lambda repos, i=i: repos.facts.get(i)) is not None for i in ids]


def keep_concern(store: PeeweeStore, number: int, closed_at: datetime | None = None) -> Concern:
    more = {"status": Status.RESOLVED, "closed_at": closed_at} if closed_at else {}
    kept = concern(number, **more)
    store.run_now(lambda repos: repos.concerns.add(kept))
    return kept


def keep_job(store: PeeweeStore, key: str, state: JobState, **fields: object) -> None:
    def keep(repos: StoreRepositories) -> None:
        repos.jobs.add(job(key, lane=key, **fields))
        if state is JobState.CANCELLED:
            repos.jobs.cancel(key, "withdrawn")
        elif state is not JobState.PENDING:
            assert [c.job.key for c in repos.jobs.claim(LATER, 1)] == [key]
            end = {JobState.DONE: repos.jobs.done, JobState.SENDING: repos.jobs.sending}
            assert end[state](key)

    store.run_now(keep)


def jobs(store: PeeweeStore) -> list[str]:
    return [j.key for j in store.run_now(lambda repos: repos.jobs.list(list(JobState), 100))]


def test_handled_facts_go_when_they_are_old_enough(store: PeeweeStore) -> None:
    old, new = keep_fact(store, "1", LATER - 100 * DAY - TICK), keep_fact(store, "2", LATER - 100 * DAY)
    waiting = keep_fact(store, "3", NOW, handled=False)
    prune(store)
    assert facts(store, old, new, waiting) == [False, True, True]


def test_the_message_of_an_open_concern_stays(store: PeeweeStore) -> None:
    keep_concern(store, 1)
    keep_concern(store, 2, closed_at=LATER - DAY)
    of_open, of_closed = keep_fact(store, "1"), keep_fact(store, "2")
    prune(store)
    assert facts(store, of_open, of_closed) == [True, False]


def test_events_are_told_apart_from_their_copies_for_days_whatever_is_configured(store: PeeweeStore) -> None:
    for event, received in (("1", NOW), ("2", NOW - LEAST - TICK)):
        keep_fact(store, event, received)
    prune(store, NOW, Retention(facts=timedelta(), concerns=timedelta()))
    again = [store.run_now(lambda repos, e=e: repos.facts.add(fact(e), NOW)) is None for e in ("1", "2")]
    assert again == [True, False]


def test_closed_concerns_go_by_their_end_with_all_that_belongs_to_them(store: PeeweeStore) -> None:
    keep_concern(store, 1, closed_at=LATER - 200 * DAY - TICK)
    keep_concern(store, 2, closed_at=LATER - 200 * DAY)
    keep_concern(store, 3)
    prune(store)
    left = store.run_now(lambda repos: repos.concerns.list(open_only=False, limit=10))
    assert [c.concern_id for c in left] == ["con_20260316_003", "con_20260316_002"]
    assert (
        store.run_now(lambda repos: repos.concerns.last_closed_by_delegate(left[0].delegates[0].person_id)) == left[1]
    )


def test_jobs_go_when_they_are_over_and_their_concern_too(store: PeeweeStore) -> None:
    open_one = keep_concern(store, 1).concern_id
    keep_job(store, "done", JobState.DONE)
    keep_job(store, "cancelled", JobState.CANCELLED)
    keep_job(store, "of an open concern", JobState.DONE, concern_id=open_one)
    keep_job(store, "of a concern that is gone", JobState.DONE, concern_id=ConcernId("con_20250101_001"))
    keep_job(store, "young", JobState.DONE, due=LATER - 200 * DAY)
    keep_job(store, "with a channel", JobState.SENDING)
    keep_job(store, "waiting", JobState.PENDING)
    prune(store)
    assert set(jobs(store)) == {"of an open concern", "young", "with a channel", "waiting"}


def test_receipts_stay_with_their_open_concern(store: PeeweeStore) -> None:
    keep_concern(store, 1)
    for key, concern_id in (("a", "con_20260316_001"), ("b", None), ("c", "con_20260101_001")):
        store.run_now(lambda repos, k=key, c=concern_id: repos.receipts.add(sent(k, concern_id=c)))
    prune(store)
    found = [store.run_now(lambda repos, k=k: repos.receipts.by_message("telegram", "1001", f"s-{k}")) for k in "abc"]
    assert [receipt is not None for receipt in found] == [True, False, False]


def test_decisions_are_kept_for_thirty_days(store: PeeweeStore) -> None:
    for at in (NOW, LATER - MONTH - TICK, LATER - MONTH):
        decision = RecentDecision(at=at, what="dropped", why="没有人可以再等了")
        store.run_now(lambda repos, d=decision: repos.agenda.record(d))
    prune(store, kept=Retention(facts=None, concerns=None))
    assert [d.at for d in store.run_now(lambda repos: repos.agenda.recent(10))] == [LATER - MONTH]


def test_the_account_of_the_model_is_kept_as_long_as_the_concerns(store: PeeweeStore) -> None:
    for day in ("2026-03-15", "2026-03-16", "2026-03-17"):
        store.run_now(lambda repos, d=day: repos.usage.add(d, None, Spent(1, 0, 10, 1, 1)))
    prune(store, NOW + 200 * DAY, Retention(facts=None, concerns=None))
    assert store.run_now(lambda repos: repos.usage.since("2026-01-01")).calls == 3
    prune(store, NOW + 200 * DAY)
    assert store.run_now(lambda repos: repos.usage.since("2026-01-01")).calls == 2


def test_what_is_good_for_a_while_goes_with_the_next_pass_whatever_is_configured(store: PeeweeStore) -> None:
    def fill(repos: StoreRepositories) -> None:
        for name, at in (("a", NOW), ("b", NOW + DAY)):
            repos.blocked.block("telegram", name, at + 2 * TICK)
            repos.invites.failed("telegram", name, at)
            repos.invites.add(
                Invite(digest=name, person_id=ZHANG, created_by=OWNER, created_at=NOW, expires_at=at + DAY)
            )

    store.run_now(fill)
    prune(store, NOW + DAY + TICK, Retention(facts=None, concerns=None))
    assert [chat for chat, _ in store.run_now(lambda repos: repos.blocked.blocked("telegram", NOW))] == ["b"]
    tries = [store.run_now(lambda repos, u=u: repos.invites.failures("telegram", u, NOW)) for u in "ab"]
    assert tries == [0, 1]
    assert [i.digest for i in store.run_now(lambda repos: repos.invites.pending(ZHANG, NOW))] == ["b"]


def test_keep_keeps(store: PeeweeStore) -> None:
    kept = keep_fact(store, "1")
    keep_concern(store, 1, closed_at=NOW)
    keep_job(store, "done", JobState.DONE)
    prune(store, NOW + 10_000 * DAY, Retention(facts=None, concerns=None))
    assert facts(store, kept) == [True]
    assert jobs(store) == ["done"]
    assert store.run_now(lambda repos: repos.concerns.count(open_only=False)) == 1


def test_a_pass_is_made_in_small_pieces_and_passes_over_what_stays(
    store: PeeweeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_FIRST", "_NEXT"):
        monkeypatch.setattr(
            retention, name, tuple(retention.Statement(s._query.limit(3)) for s in getattr(retention, name))
        )
    monkeypatch.setattr(retention, "BATCH", 3)
    waiting = [keep_fact(store, f"w{n}", handled=False) for n in range(7)]
    old = [keep_fact(store, f"o{n}") for n in range(7)]
    young = [keep_fact(store, f"y{n}", LATER) for n in range(20)]
    pieces = prune(store)
    assert facts(store, *waiting, *old, *young) == [True] * 7 + [False] * 7 + [True] * 20
    # Of the young ones a single page is looked at: five pages and what is left of the sixth, then the other tables.
    assert pieces == 6 + 5 + 1
