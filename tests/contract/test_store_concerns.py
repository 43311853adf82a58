"""Concerns are kept whole under a version, found by people and status, and come up when they are due."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from bot.store import PeeweeStore
from core.concern.model import DELEGATE, Concern, ConcernPerson, ConcernType, Source, Status
from core.errors import StaleVersion
from core.ids import ConcernId, PersonId
from tests.contract.store_samples import HOUR, LI, MINUTE, NOW, OWNER, TICK, ZHANG, concern

WANG = PersonId("p_wangwu")
FOREVER = datetime.max.replace(tzinfo=UTC)


def keep(store: PeeweeStore, *concerns: Concern) -> None:
    for each in concerns:
        store.run_now(lambda repos, c=each: repos.concerns.add(c))


def change(store: PeeweeStore, old: Concern, **fields: Any) -> Concern:
    return store.run_now(lambda repos: repos.concerns.save(old.model_copy(update=fields)))


def ids(concerns: Iterable[Concern]) -> list[int]:
    return [int(each.concern_id.rpartition("_")[2]) for each in concerns]


def closed(number: int, at: datetime, *delegates: PersonId) -> Concern:
    return concern(number, *delegates, status=Status.RESOLVED, closed_at=at)


# --- one concern ---


def test_a_concern_comes_back_whole_with_its_offsets(store: PeeweeStore) -> None:
    deadline = datetime(2026, 3, 17, 18, 0, 0, 5, tzinfo=timezone(timedelta(hours=-5)))
    whole = concern(deadline=deadline, trigger={"rule": "FREQ=DAILY", "次数": [1, None, True]}, title="提测\0")
    keep(store, whole)
    stored = store.run_now(lambda repos: repos.concerns.get(whole.concern_id))
    assert stored == whole
    assert stored.to_json() == whole.to_json()


def test_an_unknown_concern_is_none(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.concerns.get(ConcernId("con_20260316_404"))) is None


def test_each_save_makes_a_new_version(store: PeeweeStore) -> None:
    first = concern()
    keep(store, first)
    second = change(store, first, title="别的")
    third = change(store, second, status=Status.IN_PROGRESS)
    assert (first.version, second.version, third.version) == (0, 1, 2)
    assert store.run_now(lambda repos: repos.concerns.get(first.concern_id)) == third


def test_a_save_over_a_newer_version_is_refused_and_changes_nothing(store: PeeweeStore) -> None:
    first = concern()
    keep(store, first)
    second = change(store, first, title="别的")
    with pytest.raises(StaleVersion, match="con_20260316_001"):
        change(store, first, title="冲突", people=concern(1, LI).people)
    assert store.run_now(lambda repos: repos.concerns.get(first.concern_id)) == second
    assert store.run_now(lambda repos: repos.concerns.open_by_delegate(LI)) == ()


def test_a_save_of_what_was_never_added_is_refused(store: PeeweeStore) -> None:
    with pytest.raises(StaleVersion):
        change(store, concern())


def test_an_id_is_added_once(store: PeeweeStore) -> None:
    keep(store, concern())
    with pytest.raises(StaleVersion):
        keep(store, concern(title="zwei"))
    assert store.run_now(lambda repos: repos.concerns.count(open_only=False)) == 1


def test_ids_count_per_day(store: PeeweeStore) -> None:
    given = [store.run_now(lambda repos, d=day: repos.concerns.next_id(d)) for day in ("20260316",) * 3 + ("20260317",)]
    assert given == ["con_20260316_001", "con_20260316_002", "con_20260316_003", "con_20260317_001"]


def test_an_id_is_never_given_twice_though_its_concern_was_never_added(store: PeeweeStore) -> None:
    given = {store.run_now(lambda repos: repos.concerns.next_id("20260316")) for _ in range(1001)}
    assert len(given) == 1001
    assert "con_20260316_1001" in given


def test_a_counter_that_is_behind_gives_the_next_id_that_is_free(store: PeeweeStore) -> None:
    keep(store, concern(1), concern(2), concern(4))
    given = [store.run_now(lambda repos: repos.concerns.next_id("20260316")) for _ in range(2)]
    assert given == ["con_20260316_003", "con_20260316_005"]


# --- by people ---


def test_open_ones_are_found_by_initiator_oldest_first(store: PeeweeStore) -> None:
    keep(store, concern(2), concern(1), closed(3, NOW))
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_initiator(OWNER))) == [1, 2]
    assert store.run_now(lambda repos: repos.concerns.open_by_initiator(ZHANG)) == ()


def test_open_ones_are_found_by_delegate_oldest_first(store: PeeweeStore) -> None:
    keep(store, concern(2, ZHANG, LI), concern(1), closed(3, NOW), concern(4, LI))
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(ZHANG))) == [1, 2]
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(LI))) == [2, 4]
    assert store.run_now(lambda repos: repos.concerns.open_by_delegate(OWNER)) == ()


def test_a_change_of_people_is_followed(store: PeeweeStore) -> None:
    first = concern(1, ZHANG, LI)
    keep(store, first)
    new = ConcernPerson(person_id=WANG, display_name="王五", role_in_concern=DELEGATE)
    change(store, first, people=(*(p for p in first.people if p.person_id != LI), new))
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(WANG))) == [1]
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(ZHANG))) == [1]
    assert store.run_now(lambda repos: repos.concerns.open_by_delegate(LI)) == ()


def test_one_may_ask_oneself(store: PeeweeStore) -> None:
    keep(store, concern(1, OWNER))
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(OWNER))) == [1]


def test_the_one_closed_last_is_found_by_delegate(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.concerns.last_closed_by_delegate(ZHANG)) is None
    keep(store, closed(1, NOW + HOUR), closed(2, NOW), closed(3, NOW + 2 * HOUR, LI), concern(4))
    last = store.run_now(lambda repos: repos.concerns.last_closed_by_delegate(ZHANG))
    assert last is not None
    assert ids([last]) == [1]


def test_a_concern_that_ends_and_is_taken_up_again_is_found_on_either_side(store: PeeweeStore) -> None:
    keep(store, concern(1))
    one = store.run_now(lambda repos: repos.concerns.get(concern(1).concern_id))
    assert one is not None
    ended = one.model_copy(update={"status": Status.RESOLVED, "closed_at": NOW})
    ended = store.run_now(lambda repos: repos.concerns.save(ended))
    assert store.run_now(lambda repos: repos.concerns.open_by_delegate(ZHANG)) == ()
    assert store.run_now(lambda repos: repos.concerns.last_closed_by_delegate(ZHANG)) == ended
    again = ended.model_copy(update={"status": Status.WAITING_REPLY, "closed_at": None})
    again = store.run_now(lambda repos: repos.concerns.save(again))
    assert store.run_now(lambda repos: repos.concerns.open_by_delegate(ZHANG)) == (again,)
    assert store.run_now(lambda repos: repos.concerns.last_closed_by_delegate(ZHANG)) is None


def test_those_that_a_message_raised_are_found(store: PeeweeStore) -> None:
    keep(store, concern(1, origin_message_id="m"), concern(2, LI, origin_message_id="m"), concern(3))
    assert ids(store.run_now(lambda repos: repos.concerns.by_origin("telegram", "m", OWNER))) == [1, 2]
    assert store.run_now(lambda repos: repos.concerns.by_origin("feishu", "m", OWNER)) == ()
    assert store.run_now(lambda repos: repos.concerns.by_origin("telegram", "m", ZHANG)) == ()


def test_a_concern_without_an_initiator_is_nobodys(store: PeeweeStore) -> None:
    alone = concern(1)
    source = Source(type="heartbeat", detail="stuck")
    keep(store, alone.model_copy(update={"source": source, "people": alone.delegates}))
    assert store.run_now(lambda repos: repos.concerns.open_by_initiator(OWNER)) == ()
    assert ids(store.run_now(lambda repos: repos.concerns.open_by_delegate(ZHANG))) == [1]


# --- lists ---


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"open_only": False}, [4, 3, 2, 1]),
        ({"open_only": True}, [4, 3, 1]),
        ({"open_only": False, "status": "resolved"}, [2]),
        ({"open_only": True, "status": "resolved"}, []),
        ({"open_only": True, "person": LI}, [3]),
        ({"open_only": True, "person": OWNER}, [4, 3, 1]),
        ({"open_only": False, "initiator": OWNER}, [4, 3, 2, 1]),
        ({"open_only": False, "initiator": ZHANG}, []),
        ({"open_only": False, "text": "V2.0"}, [2]),
        ({"open_only": False, "text": "提测"}, [3, 2, 1]),
        ({"open_only": False, "text": "100%_"}, [4]),
        ({"open_only": False, "text": "0%0"}, []),
        ({"open_only": False, "text": "20260316_003"}, [3]),
        ({"open_only": True, "person": ZHANG, "text": "提测", "status": "waiting_reply"}, [3, 1]),
        ({"open_only": False, "type": "delegation"}, [4, 3, 2, 1]),
        ({"open_only": False, "type": "schedule"}, []),
    ],
)
def test_lists_are_filtered_newest_first_and_counted(
    store: PeeweeStore, filters: dict[str, Any], expected: list[int]
) -> None:
    keep(store, concern(1), closed(2, NOW), concern(3, ZHANG, LI), concern(4, title="完成 100%_"))
    assert ids(store.run_now(lambda repos: repos.concerns.list(limit=10, **filters))) == expected
    assert store.run_now(lambda repos: repos.concerns.count(**filters)) == len(expected)


def test_lists_come_in_pages(store: PeeweeStore) -> None:
    keep(store, *(concern(n) for n in range(1, 6)))
    pages = [
        store.run_now(lambda repos, o=o: repos.concerns.list(open_only=True, limit=2, offset=o)) for o in (0, 2, 4)
    ]
    assert [ids(page) for page in pages] == [[5, 4], [3, 2], [1]]


# --- time ---


def test_what_is_due_comes_longest_overdue_first(store: PeeweeStore) -> None:
    keep(
        store, concern(1, timeout_at=NOW), concern(2, timeout_at=NOW - HOUR), concern(3, due_at=NOW - HOUR), concern(4)
    )
    assert ids(store.run_now(lambda repos: repos.concerns.timed_out(NOW, 10))) == [2, 1]
    assert ids(store.run_now(lambda repos: repos.concerns.timed_out(NOW - TICK, 10))) == [2]
    assert ids(store.run_now(lambda repos: repos.concerns.timed_out(NOW, 1))) == [2]
    assert ids(store.run_now(lambda repos: repos.concerns.due(NOW, 10))) == [3]
    assert store.run_now(lambda repos: repos.concerns.due(NOW - HOUR - TICK, 10)) == ()


def test_the_next_moment_is_the_earliest_of_all(store: PeeweeStore) -> None:
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW - HOUR)) is None
    keep(store, concern(1, timeout_at=NOW + HOUR))
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW - HOUR)) == NOW + HOUR
    keep(store, concern(2, due_at=NOW + MINUTE, timeout_at=NOW + 2 * HOUR))
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW - HOUR)) == NOW + MINUTE


def test_a_closed_concern_is_never_due(store: PeeweeStore) -> None:
    first = concern(1, timeout_at=NOW, due_at=NOW)
    keep(store, first)
    change(store, first, status=Status.DROPPED, closed_at=NOW)
    assert store.run_now(lambda repos: repos.concerns.timed_out(NOW, 10)) == ()
    assert store.run_now(lambda repos: repos.concerns.due(NOW, 10)) == ()
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW - HOUR)) is None


def test_a_pause_pushes_back_what_falls_into_it(store: PeeweeStore) -> None:
    until = NOW + HOUR
    keep(store, concern(1, timeout_at=NOW, due_at=until + MINUTE, paused_until=until))
    assert store.run_now(lambda repos: repos.concerns.timed_out(until - TICK, 10)) == ()
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW - HOUR)) == until
    (late,) = store.run_now(lambda repos: repos.concerns.timed_out(until, 10))
    assert late.timeout_at == NOW
    assert store.run_now(lambda repos: repos.concerns.due(until, 10)) == ()
    assert ids(store.run_now(lambda repos: repos.concerns.due(until + MINUTE, 10))) == [1]


def test_the_end_of_a_pause_makes_it_due_again(store: PeeweeStore) -> None:
    paused = concern(1, due_at=NOW, paused_until=FOREVER)
    keep(store, paused)
    assert store.run_now(lambda repos: repos.concerns.due(NOW + 1000 * HOUR, 10)) == ()
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW - HOUR)) == FOREVER
    change(store, paused, paused_until=None)
    assert ids(store.run_now(lambda repos: repos.concerns.due(NOW, 10))) == [1]


def test_a_pause_without_end_has_a_moment_in_every_zone(store: PeeweeStore) -> None:
    west = datetime.max.replace(tzinfo=timezone(timedelta(hours=-8)))
    keep(store, concern(1, due_at=NOW, paused_until=west))
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW - HOUR)) == FOREVER


# --- schedules ---


def schedule(number: int, **fields: Any) -> Concern:
    return concern(number, **{"type": ConcernType.SCHEDULE, "status": Status.PENDING, **fields})


def test_open_schedules_are_found_oldest_first(store: PeeweeStore) -> None:
    keep(store, schedule(3), schedule(1), concern(2), schedule(4, status=Status.RESOLVED, closed_at=NOW))
    assert ids(store.run_now(lambda repos: repos.concerns.schedules())) == [1, 3]
    assert ids(store.run_now(lambda repos: repos.concerns.schedules(OWNER))) == [1, 3]
    assert store.run_now(lambda repos: repos.concerns.schedules(ZHANG)) == ()
    found = {"open_only": True, "type": "schedule"}
    assert ids(store.run_now(lambda repos: repos.concerns.list(limit=9, **found))) == [3, 1]
    assert store.run_now(lambda repos: repos.concerns.count(**found)) == 2


def test_schedules_without_a_time_wait_for_something_to_happen(store: PeeweeStore) -> None:
    keep(store, schedule(2), schedule(3, due_at=NOW), schedule(1, due_at=NOW, paused_until=NOW + HOUR), concern(4))
    keep(store, schedule(5, status=Status.RESOLVED, closed_at=NOW))
    assert ids(store.run_now(lambda repos: repos.concerns.awaiting())) == [1, 2]
    assert ids(store.run_now(lambda repos: repos.concerns.awaiting(OWNER))) == [1, 2]
    assert store.run_now(lambda repos: repos.concerns.awaiting(ZHANG)) == ()


def test_schedules_that_are_due_are_a_list_of_their_own(store: PeeweeStore) -> None:
    late, first = schedule(1, due_at=NOW), schedule(2, due_at=NOW - HOUR)
    keep(store, late, first, schedule(3, due_at=NOW + TICK), concern(4, due_at=NOW - HOUR))
    keep(store, schedule(5, due_at=NOW - HOUR, paused_until=NOW + HOUR))
    assert ids(store.run_now(lambda repos: repos.concerns.schedules_due(NOW, 10))) == [2, 1]
    assert ids(store.run_now(lambda repos: repos.concerns.schedules_due(NOW, 1))) == [2]
    assert ids(store.run_now(lambda repos: repos.concerns.due(NOW, 10))) == [4]
    assert store.run_now(lambda repos: repos.concerns.next_at(NOW)) == NOW + TICK


def test_whether_another_of_the_same_initiator_is_open(store: PeeweeStore) -> None:
    def others(of: PersonId) -> bool:
        return store.run_now(lambda repos: repos.concerns.another_open(of, besides=concern(1).concern_id))

    keep(store, concern(1), closed(2, NOW))
    assert not others(OWNER)
    keep(store, concern(3))
    assert others(OWNER)
    assert not others(WANG)
