"""Several processes on one database: a lane is held across them, and what is taken is changed by its holder alone."""

from collections.abc import Callable, Iterator

import pytest

from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from bot.store.repositories.leases import LeaseTable
from core.errors import TakenOver
from core.facts import StoredFact
from core.jobs import JobState
from tests.contract.store_samples import HOUR, MINUTE, NOW, OWNER_CHAT, fact, job


@pytest.fixture
def both(store_url: str) -> Iterator[tuple[PeeweeStore, PeeweeStore]]:
    """Two processes."""
    one = PeeweeStore(store_url, inline=True, me="one")
    other = PeeweeStore(store_url, inline=True, me="other")
    yield one, other
    one.close()
    other.close()


def facts(store: PeeweeStore) -> list[StoredFact]:
    return store.run_now(lambda repos: repos.facts.claim(NOW, 10))


def jobs(store: PeeweeStore) -> list[str]:
    return [claimed.job.key for claimed in store.run_now(lambda repos: repos.jobs.claim(NOW, 10))]


def state(store: PeeweeStore, key: str) -> JobState:
    found = store.run_now(lambda repos: repos.jobs.get(key))
    assert found is not None
    return found.state


def test_a_chat_in_which_one_works_gives_the_other_nothing(both: tuple[PeeweeStore, PeeweeStore]) -> None:
    one, other = both
    for number in "123":
        chat = OWNER_CHAT if number < "3" else "telegram:2002"
        one.run_now(lambda repos, n=number, c=chat: repos.facts.add(fact(n, conversation=c), NOW))
    assert [stored.fact.event_id for stored in facts(one)] == ["1", "3"]
    assert facts(other) == []
    first = one.run_now(lambda repos: repos.facts.by_message("telegram", "m-1", OWNER_CHAT))
    assert first is not None
    one.run_now(lambda repos: repos.facts.handled(first.fact_id, "ignore", "", "", NOW))
    assert [stored.fact.event_id for stored in facts(other)] == ["2"]


def test_a_fact_and_a_job_of_one_chat_are_never_taken_together(both: tuple[PeeweeStore, PeeweeStore]) -> None:
    one, other = both
    one.run_now(lambda repos: repos.facts.add(fact("1"), NOW))
    one.run_now(lambda repos: repos.jobs.add(job("a", lane=OWNER_CHAT)))
    (stored,) = facts(one)
    assert jobs(one) == jobs(other) == []
    one.run_now(lambda repos: repos.facts.handled(stored.fact_id, "ignore", "", "", NOW))
    assert jobs(other) == ["a"]
    one.run_now(lambda repos: repos.facts.add(fact("2"), NOW))
    assert facts(one) == facts(other) == []
    other.run_now(lambda repos: repos.jobs.sending("a"))
    assert facts(one) == []
    other.run_now(lambda repos: repos.jobs.done("a"))
    assert [stored.fact.event_id for stored in facts(one)] == ["2"]


def test_in_one_round_a_fact_goes_before_the_jobs_of_its_chat(both: tuple[PeeweeStore, PeeweeStore]) -> None:
    one, _ = both
    one.run_now(lambda repos: repos.facts.add(fact("1"), NOW))
    one.run_now(lambda repos: (repos.jobs.add(job("a", lane=OWNER_CHAT)), repos.jobs.add(job("b", lane="x"))))
    taken, claimed = one.run_now(lambda repos: (repos.facts.claim(NOW, 10), repos.jobs.claim(NOW, 10)))
    assert (len(taken), [each.job.key for each in claimed]) == (1, ["b"])


CHANGES: list[Callable[[StoreRepositories], bool]] = [
    lambda repos: repos.jobs.sending("a"),
    lambda repos: repos.jobs.progress("a", 1),
    lambda repos: repos.jobs.done("a"),
    lambda repos: repos.jobs.retry("a", NOW, 1, "x"),
    lambda repos: repos.jobs.dead("a", "x"),
    lambda repos: repos.jobs.in_doubt("a", "x"),
    lambda repos: repos.jobs.withdrawn("a", "x"),
    lambda repos: repos.jobs.cancel("a", "x"),
    lambda repos: repos.jobs.reschedule("a", NOW + HOUR),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_one_works_on_another_cannot_change(
    both: tuple[PeeweeStore, PeeweeStore], change: Callable[[StoreRepositories], bool]
) -> None:
    one, other = both
    one.run_now(lambda repos: repos.jobs.add(job("a")))
    assert jobs(one) == ["a"]
    assert not other.run_now(change)
    assert state(one, "a") is JobState.RUNNING
    assert one.run_now(lambda repos: repos.jobs.progress_of("a")) == 0
    assert one.run_now(lambda repos: repos.jobs.sending("a"))


def test_what_was_taken_over_is_out_of_the_first_ones_hands(both: tuple[PeeweeStore, PeeweeStore]) -> None:
    one, other = both
    one.run_now(lambda repos: repos.facts.add(fact("1"), NOW))
    one.run_now(lambda repos: repos.jobs.add(job("a", lane="x")))
    (stored,) = facts(one)
    assert jobs(one) == ["a"]
    other.run_now(lambda repos: (repos.facts.release("one"), repos.jobs.release("one")))
    assert ([again.fact_id for again in facts(other)], jobs(other)) == ([stored.fact_id], ["a"])
    with pytest.raises(TakenOver):
        one.run_now(lambda repos: repos.facts.handled(stored.fact_id, "decide", "", "", NOW))
    one.run_now(lambda repos: repos.facts.defer(stored.fact_id, NOW + HOUR, 1))
    assert not one.run_now(lambda repos: repos.jobs.sending("a"))
    other.run_now(lambda repos: repos.facts.handled(stored.fact_id, "ignore", "", "", NOW))
    assert other.run_now(lambda repos: repos.jobs.done("a"))
    with pytest.raises(TakenOver):
        one.run_now(lambda repos: repos.facts.handled(stored.fact_id, "decide", "", "", NOW))


def test_a_decision_on_a_fact_that_was_taken_over_leaves_nothing(both: tuple[PeeweeStore, PeeweeStore]) -> None:
    one, other = both
    one.run_now(lambda repos: repos.facts.add(fact("1"), NOW))
    (stored,) = facts(one)
    other.run_now(lambda repos: repos.facts.release("one"))
    facts(other)

    def decide(repos: StoreRepositories) -> None:
        repos.jobs.add(job("answer"))
        repos.facts.handled(stored.fact_id, "decide", "", "", NOW)

    with pytest.raises(TakenOver):
        one.run_now(decide)
    assert one.run_now(lambda repos: repos.jobs.get("answer")) is None


def test_only_what_that_process_held_is_taken_from_it(both: tuple[PeeweeStore, PeeweeStore]) -> None:
    one, other = both
    for number, key in enumerate("abcd"):
        chat = f"telegram:{number}"
        one.run_now(lambda repos, k=key, c=chat: repos.facts.add(fact(k, conversation=c), NOW))
        one.run_now(lambda repos, k=key: repos.jobs.add(job(k, lane=k)))
    for store in both:
        store.run_now(lambda repos: (repos.facts.claim(NOW, 2), repos.jobs.claim(NOW, 2)))
    one.run_now(lambda repos: repos.jobs.sending("b"))
    other.run_now(lambda repos: repos.jobs.sending("d"))
    assert other.run_now(lambda repos: (repos.facts.holders(), repos.jobs.holders())) == (
        {"one", "other"},
        {"one", "other"},
    )
    left = other.run_now(lambda repos: (repos.facts.release("one"), repos.jobs.release("one"))[1])
    assert [each.key for each in left] == ["b"]
    assert [state(one, key) for key in "abcd"] == [
        JobState.PENDING,
        JobState.IN_DOUBT,
        JobState.RUNNING,
        JobState.SENDING,
    ]
    assert one.run_now(lambda repos: (repos.facts.holders(), repos.jobs.holders())) == ({"other"}, {"other"})
    assert [stored.fact.event_id for stored in facts(one)] == ["a", "b"]


# --- leases ---

SPAN = MINUTE / 6


def test_a_lease_has_one_holder_until_it_is_given_back(both: tuple[PeeweeStore, PeeweeStore]) -> None:
    one, other = both
    assert one.run_now(lambda repos: repos.leases.renew("speaker", "one", SPAN))
    assert not other.run_now(lambda repos: repos.leases.renew("speaker", "other", SPAN))
    assert one.run_now(lambda repos: repos.leases.renew("speaker", "one", SPAN))
    other.run_now(lambda repos: repos.leases.free("speaker", "other"))
    assert other.run_now(lambda repos: repos.leases.holder("speaker")) == "one"
    one.run_now(lambda repos: repos.leases.free("speaker", "one"))
    assert other.run_now(lambda repos: repos.leases.holder("speaker")) is None
    assert other.run_now(lambda repos: repos.leases.renew("speaker", "other", SPAN))


@pytest.mark.parametrize("ends", ["until - 10000001", "until + 3600000000"])
def test_a_lease_that_has_lapsed_or_ends_too_late_to_be_true_is_free(
    both: tuple[PeeweeStore, PeeweeStore], ends: str
) -> None:
    """It ends later than any is given for when the database's clock was set back meanwhile."""
    one, other = both
    one.run_now(lambda repos: repos.leases.renew("process:one", "one", SPAN))
    other.run_now(lambda repos: repos.leases.renew("process:other", "other", SPAN))
    assert other.run_now(lambda repos: repos.leases.living()) == {"one", "other"}
    one._db.execute_sql(f"UPDATE leases SET until = {ends} WHERE holder = 'one'")
    assert other.run_now(lambda repos: repos.leases.living()) == {"other"}
    assert other.run_now(lambda repos: repos.leases.holder("process:one")) is None
    assert other.run_now(lambda repos: repos.leases.renew("process:one", "other", SPAN))
    one._db.execute_sql(f"UPDATE leases SET until = {ends} WHERE name = 'process:one'")
    other.run_now(lambda repos: repos.leases.sweep())
    assert one._db.execute_sql("SELECT name FROM leases").fetchall() == [("process:other",)]


def test_whose_clock_goes_wrong_is_known_while_they_live(
    both: tuple[PeeweeStore, PeeweeStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = both
    one.run_now(lambda repos: repos.leases.renew("process:one", "one", SPAN))
    one.run_now(lambda repos: repos.leases.mark_clock("one"))
    assert other.run_now(lambda repos: repos.leases.clocks()) == {}
    monkeypatch.setattr(LeaseTable, "off", lambda _: -MINUTE)
    one.run_now(lambda repos: repos.leases.mark_clock("one"))
    other.run_now(lambda repos: repos.leases.mark_clock("other"))  # which gives no sign of life
    assert other.run_now(lambda repos: repos.leases.clocks()) == {"one": -MINUTE}
    monkeypatch.setattr(LeaseTable, "off", lambda _: MINUTE / 60)
    one.run_now(lambda repos: repos.leases.mark_clock("one"))
    assert other.run_now(lambda repos: repos.leases.clocks()) == {}


def test_no_lease_is_longer_than_can_be_told_from_a_wrong_clock(store: PeeweeStore) -> None:
    with pytest.raises(ValueError, match="lease"):
        store.run_now(lambda repos: repos.leases.renew("speaker", "one", HOUR))


# --- a clock that was set back ---


def test_what_was_due_stays_due_when_the_clock_is_set_back(store: PeeweeStore) -> None:
    """Retries wait no longer than they were to; a moment that somebody named stays where it was."""
    dues = {"overdue": NOW - MINUTE, "due": NOW, "at_noon": NOW + 2 * HOUR, "again": NOW + 2 * MINUTE}
    for key, due in dues.items():
        store.run_now(lambda repos, k=key, d=due: repos.jobs.add(job(k, lane=k, due=d, attempts=int(k == "again"))))
    ids = [store.run_now(lambda repos, n=n: repos.facts.add(fact(n, conversation=n), NOW)) for n in "ab"]
    assert ids[1] is not None
    later = ids[1]
    store.run_now(lambda repos: repos.facts.defer(later, NOW + MINUTE, 1))
    back = NOW - HOUR
    store.run_now(lambda repos: (repos.facts.set_back(HOUR, NOW), repos.jobs.set_back(HOUR, NOW)))
    assert [c.job.key for c in store.run_now(lambda repos: repos.jobs.claim(back, 10))] == ["overdue", "due"]
    assert [s.fact.event_id for s in store.run_now(lambda repos: repos.facts.claim(back, 10))] == ["a"]
    assert [s.fact.event_id for s in store.run_now(lambda repos: repos.facts.claim(back + MINUTE, 10))] == ["b"]
    assert [c.job.key for c in store.run_now(lambda repos: repos.jobs.claim(back + 2 * MINUTE, 10))] == ["again"]
    assert store.run_now(lambda repos: repos.jobs.next_due()) == NOW + 2 * HOUR
