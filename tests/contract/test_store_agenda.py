"""The agenda: references and decisions; expectations and watch items that fall due, and end once."""

from datetime import datetime, timedelta
from itertools import product
from typing import Any

import pytest

from bot.store import PeeweeStore
from core.agenda.model import ConcernRef, Expectation, MorningBrief, RecentDecision, WatchItem
from core.agenda.ranking import place
from core.ids import ConcernId, PersonId
from core.schedule.model import ScheduleTrigger
from tests.contract.store_samples import HOUR, LI, MINUTE, NOW, OWNER, OWNER_CHAT, TICK, ZHANG

DAY = timedelta(days=1)
FIRST, SECOND = ConcernId("con_20260316_001"), ConcernId("con_20260316_002")


def ref(concern_id: ConcernId, status: str = "pending") -> ConcernRef:
    return ConcernRef(concern_id=concern_id, priority="medium", status=status, owner=OWNER)


def expectation(number: int, due: datetime | None, owner: PersonId = OWNER) -> Expectation:
    return Expectation(
        expectation_id=f"e{number}",
        owner=owner,
        conversation=OWNER_CHAT,
        person_id=ZHANG,
        who="张三",
        what="发日报",
        words="张三每天 18:30 前发日报",
        due=ScheduleTrigger(kind="recurring", when="FREQ=DAILY;BYHOUR=18;BYMINUTE=30", working_days=True),
        created_at=NOW + number * MINUTE,
        since=NOW,
        next_due=due,
    )


def watch(number: int, expires: datetime, owner: PersonId = OWNER) -> WatchItem:
    return WatchItem(
        watch_id=f"w{number}",
        owner=owner,
        conversation=OWNER_CHAT,
        what="客户那边有没有消息",
        words="留意一下客户那边有没有消息",
        created_at=NOW + number * MINUTE,
        expires_at=expires,
    )


def put(store: PeeweeStore, *items: Expectation | WatchItem) -> None:
    for item in items:
        if isinstance(item, Expectation):
            store.run_now(lambda repos, i=item: repos.agenda.put_expectation(i))
        else:
            store.run_now(lambda repos, i=item: repos.agenda.put_watch(i))


def test_a_reference_is_put_replaced_and_removed(store: PeeweeStore) -> None:
    store.run_now(lambda repos: repos.agenda.put(ref(SECOND)))
    store.run_now(lambda repos: repos.agenda.put(ref(FIRST)))
    store.run_now(lambda repos: repos.agenda.put(ref(SECOND, "waiting_reply")))
    assert store.run_now(lambda repos: repos.agenda.refs()) == (ref(FIRST), ref(SECOND, "waiting_reply"))
    store.run_now(lambda repos: repos.agenda.remove(FIRST))
    store.run_now(lambda repos: repos.agenda.remove(FIRST))
    assert store.run_now(lambda repos: repos.agenda.refs()) == (ref(SECOND, "waiting_reply"),)


def put_refs(store: PeeweeStore, *refs: ConcernRef) -> None:
    for one in refs:
        store.run_now(lambda repos, r=one: repos.agenda.put(r))


def numbered(number: int, **more: Any) -> ConcernRef:
    values: dict[str, Any] = {"priority": "medium", "status": "waiting_reply", "owner": OWNER, "moved_at": NOW}
    return ConcernRef(concern_id=ConcernId(f"con_20260316_{number:03d}"), **{**values, **more})


def test_the_queue_is_in_the_order_of_the_ranking_by_owner_and_page(store: PeeweeStore) -> None:
    mixed = [
        numbered(n, priority=priority, moved_at=NOW - days * DAY, owner=owner, agenda_role=role)
        for n, (priority, days, owner, role) in enumerate(
            product(("critical", "high", "low"), (0, 20), (OWNER, LI, None), ("active", "scheduled"))
        )
    ]
    put_refs(store, *mixed)
    ranked = tuple(sorted(mixed, key=place))
    focus = store.run_now(lambda repos: repos.agenda.focus(100))
    assert focus == ranked
    pages = [store.run_now(lambda repos, at=at: repos.agenda.focus(7, offset=at)) for at in range(0, len(mixed), 7)]
    assert tuple(r for page in pages for r in page) == ranked
    theirs = tuple(r for r in ranked if r.owner == LI)
    assert store.run_now(lambda repos: repos.agenda.focus(100, LI)) == theirs
    counts = store.run_now(lambda repos: (repos.agenda.count(), repos.agenda.count(LI), repos.agenda.count(ZHANG)))
    assert counts == (len(mixed), len(theirs), 0)


def test_what_waits_for_somebody_comes_apart_the_longest_waiting_first(store: PeeweeStore) -> None:
    def waiting(number: int, since: datetime, owner: PersonId | None = OWNER) -> ConcernRef:
        return numbered(number, owner=owner, agenda_role="waiting_for_owner", waiting_since=since)

    short, long, theirs, nobodys, calm = (
        waiting(1, NOW),
        waiting(2, NOW - HOUR),
        waiting(3, NOW, LI),
        waiting(4, NOW, None),
        numbered(5, waiting_since=NOW),
    )
    put_refs(store, short, long, theirs, nobodys, calm)
    assert store.run_now(lambda repos: repos.agenda.asked(OWNER, 9)) == (long, short)
    assert store.run_now(lambda repos: repos.agenda.asked(OWNER, 1)) == (long,)
    assert store.run_now(lambda repos: repos.agenda.asked_count(OWNER)) == 2
    assert store.run_now(lambda repos: repos.agenda.focus(9, besides=OWNER)) == (theirs, nobodys, calm)
    assert store.run_now(lambda repos: repos.agenda.focus(9, LI, besides=LI)) == ()
    put_refs(store, long.model_copy(update={"agenda_role": "active"}))
    assert store.run_now(lambda repos: repos.agenda.asked_count(OWNER)) == 1


def test_what_is_stuck_comes_earliest_first_until_it_is_asked_about(store: PeeweeStore) -> None:
    first, second, later, never = (
        numbered(n, stuck_at=at) for n, at in enumerate((NOW - HOUR, NOW, NOW + HOUR, None), 1)
    )
    put_refs(store, later, second, never, first)
    assert store.run_now(lambda repos: repos.agenda.stuck(NOW, 9)) == (first, second)
    assert store.run_now(lambda repos: repos.agenda.stuck(NOW, 1)) == (first,)
    assert store.run_now(lambda repos: repos.agenda.next_at(NOW)) == NOW + HOUR
    store.run_now(lambda repos: repos.agenda.let_be(first.concern_id))
    assert store.run_now(lambda repos: repos.agenda.stuck(NOW, 9)) == (second,)
    put_refs(store, first)
    assert store.run_now(lambda repos: repos.agenda.stuck(NOW, 9)) == (first, second)
    assert store.run_now(lambda repos: repos.agenda.ref(first.concern_id)) == first
    assert store.run_now(lambda repos: repos.agenda.ref(ConcernId("con_20260316_099"))) is None


def test_decisions_come_by_owner(store: PeeweeStore) -> None:
    for owner in (OWNER, LI, None, LI):
        decision = RecentDecision(at=NOW, what="raised", why=f"{owner}", owner=owner)
        store.run_now(lambda repos, d=decision: repos.agenda.record(d))
    assert [d.owner for d in store.run_now(lambda repos: repos.agenda.recent(9, LI))] == [LI, LI]
    assert len(store.run_now(lambda repos: repos.agenda.recent(1, LI))) == 1
    assert len(store.run_now(lambda repos: repos.agenda.recent(9))) == 4


def test_the_last_decisions_come_newest_first(store: PeeweeStore) -> None:
    decisions = [
        RecentDecision(at=NOW + at * MINUTE, what="dropped", why=why, concern_id=FIRST)
        for at, why in ((0, "a"), (2, "b"), (2, "c"), (1, "d"))
    ]
    for decision in decisions:
        store.run_now(lambda repos, d=decision: repos.agenda.record(d))
    recent = store.run_now(lambda repos: repos.agenda.recent(3))
    assert [decision.why for decision in recent] == ["c", "b", "d"]
    assert recent[0] == decisions[2]


def test_ids_of_items_count_by_letter_and_are_never_given_twice(store: PeeweeStore) -> None:
    given = [store.run_now(lambda repos, letter=letter: repos.agenda.next_id(letter)) for letter in "eewe"]
    assert given == ["e1", "e2", "w1", "e3"]
    put(store, expectation(3, NOW))
    assert store.run_now(lambda repos: repos.agenda.take("e3"))
    assert store.run_now(lambda repos: repos.agenda.next_id("e")) == "e4"


def test_an_expectation_comes_back_whole_and_is_replaced(store: PeeweeStore) -> None:
    first = expectation(1, NOW)
    put(store, first)
    assert store.run_now(lambda repos: repos.agenda.expectation("e1")) == first
    met = first.model_copy(update={"met": 1, "next_due": NOW + HOUR, "since": NOW})
    put(store, met)
    assert store.run_now(lambda repos: repos.agenda.expectation("e1")) == met
    assert store.run_now(lambda repos: repos.agenda.expectations()) == (met,)
    assert store.run_now(lambda repos: repos.agenda.expectation("e2")) is None


def test_expectations_come_by_owner_oldest_first_without_those_that_are_over(store: PeeweeStore) -> None:
    mine, over, theirs, old = expectation(3, NOW), expectation(2, None), expectation(4, NOW, LI), expectation(1, NOW)
    put(store, mine, over, theirs, old, watch(9, NOW))
    assert store.run_now(lambda repos: repos.agenda.expectations()) == (old, mine, theirs)
    assert store.run_now(lambda repos: repos.agenda.expectations(OWNER)) == (old, mine)
    assert store.run_now(lambda repos: repos.agenda.expectation("e2")) == over


def test_expectations_that_are_due_come_earliest_first(store: PeeweeStore) -> None:
    late, now, to_come = expectation(1, NOW), expectation(2, NOW - HOUR), expectation(3, NOW + TICK)
    put(store, late, now, to_come, expectation(4, None), watch(5, NOW - HOUR))
    assert store.run_now(lambda repos: repos.agenda.expectations_due(NOW, 10)) == (now, late)
    assert store.run_now(lambda repos: repos.agenda.expectations_due(NOW, 1)) == (now,)
    assert store.run_now(lambda repos: repos.agenda.expectations_due(NOW - HOUR - TICK, 10)) == ()


def test_watch_items_come_by_owner_and_when_they_lapse(store: PeeweeStore) -> None:
    one, two, theirs = watch(1, NOW + HOUR), watch(2, NOW), watch(3, NOW, LI)
    put(store, two, theirs, one, expectation(4, NOW))
    assert store.run_now(lambda repos: repos.agenda.watches()) == (one, two, theirs)
    assert store.run_now(lambda repos: repos.agenda.watches(OWNER)) == (one, two)
    assert store.run_now(lambda repos: repos.agenda.watches_due(NOW - TICK, 10)) == ()
    assert store.run_now(lambda repos: repos.agenda.watches_due(NOW, 10)) == (two, theirs)
    longer = two.model_copy(update={"expires_at": NOW + HOUR})
    put(store, longer)
    assert store.run_now(lambda repos: repos.agenda.watch("w2")) == longer
    assert store.run_now(lambda repos: repos.agenda.watches_due(NOW, 10)) == (theirs,)


@pytest.mark.parametrize("item", [expectation(1, NOW), watch(1, NOW)])
def test_an_item_is_ended_once(store: PeeweeStore, item: Expectation | WatchItem) -> None:
    item_id = item.expectation_id if isinstance(item, Expectation) else item.watch_id
    put(store, item)
    assert store.run_now(lambda repos: repos.agenda.take(item_id)) is True
    assert store.run_now(lambda repos: repos.agenda.take(item_id)) is False
    assert store.run_now(lambda repos: (repos.agenda.expectations(), repos.agenda.watches())) == ((), ())
    assert store.run_now(lambda repos: (repos.agenda.expectation("e1"), repos.agenda.watch("w1"))) == (None, None)


def test_an_expectation_that_is_over_cannot_be_ended(store: PeeweeStore) -> None:
    put(store, expectation(1, None))
    assert store.run_now(lambda repos: repos.agenda.take("e1")) is False


def test_the_next_moment_is_the_earliest_of_expectations_and_watch_items(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.agenda.next_at(NOW)) is None
    put(store, expectation(1, NOW), expectation(2, None), expectation(3, NOW + 2 * HOUR), watch(4, NOW + HOUR))
    assert store.run_now(lambda repos: repos.agenda.next_at(NOW - TICK)) == NOW
    assert store.run_now(lambda repos: repos.agenda.next_at(NOW)) == NOW + HOUR
    store.run_now(lambda repos: repos.agenda.take("w4"))
    assert store.run_now(lambda repos: repos.agenda.next_at(NOW)) == NOW + 2 * HOUR


def morning(at: str, due: datetime, owner: PersonId = OWNER) -> MorningBrief:
    return MorningBrief(owner=owner, at=at, created_at=NOW, since=NOW, next_at=due)


def test_there_is_one_brief_a_person_and_it_is_due_at_its_moment(store: PeeweeStore) -> None:
    for one in (morning("07:00", NOW + DAY), morning("08:30", NOW + HOUR), morning("09:00", NOW + HOUR / 2, LI)):
        store.run_now(lambda repos, b=one: repos.agenda.put_brief(b))
    owners, theirs = morning("08:30", NOW + HOUR), morning("09:00", NOW + HOUR / 2, LI)
    assert store.run_now(lambda repos: repos.agenda.brief(OWNER)) == owners
    assert store.run_now(lambda repos: repos.agenda.briefs_due(NOW + HOUR - TICK, 9)) == (theirs,)
    assert store.run_now(lambda repos: repos.agenda.briefs_due(NOW + HOUR, 9)) == (theirs, owners)
    assert store.run_now(lambda repos: repos.agenda.briefs_due(NOW + HOUR, 1)) == (theirs,)
    assert store.run_now(lambda repos: repos.agenda.next_at(NOW + HOUR / 2)) == NOW + HOUR
    assert store.run_now(lambda repos: repos.agenda.expectation(owners.item_id)) is None
    assert store.run_now(lambda repos: repos.agenda.watch(owners.item_id)) is None
    assert store.run_now(lambda repos: repos.agenda.take(owners.item_id))
    assert store.run_now(lambda repos: repos.agenda.brief(OWNER)) is None


def test_what_is_let_be_comes_again_at_its_time_or_with_its_next_change(store: PeeweeStore) -> None:
    for number in (1, 2):
        put_refs(store, numbered(number, stuck_at=NOW))
    first, second = (numbered(number, stuck_at=NOW) for number in (1, 2))
    store.run_now(lambda repos: repos.agenda.let_be(first.concern_id, NOW + HOUR))
    store.run_now(lambda repos: repos.agenda.let_be(second.concern_id))
    assert store.run_now(lambda repos: repos.agenda.stuck(NOW + HOUR - TICK, 9)) == ()
    at_its_time = first.model_copy(update={"stuck_at": NOW + HOUR})
    assert store.run_now(lambda repos: repos.agenda.stuck(NOW + HOUR, 9)) == (at_its_time,)
    put_refs(store, second)
    assert store.run_now(lambda repos: repos.agenda.stuck(NOW, 9)) == (second,)
