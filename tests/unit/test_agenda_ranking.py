"""The order of what matters: each reason alone moves a matter up, and the clock changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agenda.model import ConcernRef
from core.agenda.ranking import BEFORE_DEADLINE, HEAD_START, explain, focus_at, place
from core.agenda.standstill import stuck_at
from core.ids import ConcernId, concern_id
from core.limits import HeartbeatLimits

NOW = datetime(2026, 3, 16, 12, tzinfo=ZoneInfo("Asia/Shanghai"))
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
LIMITS = HeartbeatLimits()


def ref(number: int = 1, **more: Any) -> ConcernRef:
    values: dict[str, Any] = {"priority": "medium", "status": "waiting_reply", "moved_at": NOW}
    return ConcernRef(concern_id=concern_id("20260316", number), **{**values, **more})


HOURS = st.integers(0, 24 * 90).map(lambda n: n * HOUR)
REFS = st.builds(
    lambda number, priority, moved, deadline, waits: ref(
        number,
        priority=priority,
        moved_at=NOW - moved,
        deadline=NOW + deadline - 30 * DAY if deadline is not None else None,
        agenda_role="waiting_for_owner" if waits is not None else "active",
        waiting_since=NOW - waits if waits is not None else None,
    ),
    st.integers(1, 9),
    st.sampled_from(sorted(HEAD_START)),
    HOURS,
    st.none() | HOURS,
    st.none() | HOURS,
)


@given(REFS, st.permutations(["critical", "high", "medium", "low"]))
def test_a_higher_priority_alone_moves_it_up(one: ConcernRef, levels: list[str]) -> None:
    ranked = sorted((one.model_copy(update={"priority": p}) for p in levels), key=place)
    assert [r.priority for r in ranked] == ["critical", "high", "medium", "low"]


@given(REFS, HOURS)
def test_to_wait_for_the_owner_alone_moves_it_up_and_longer_further(one: ConcernRef, waits: timedelta) -> None:
    calm = one.model_copy(update={"agenda_role": "active", "waiting_since": None})
    asked = calm.model_copy(update={"agenda_role": "waiting_for_owner", "waiting_since": NOW - waits})
    longer = asked.model_copy(update={"waiting_since": NOW - waits - DAY})
    assert focus_at(longer) <= focus_at(asked) < focus_at(calm)


def test_what_is_said_meanwhile_takes_no_point_of_the_owner_back() -> None:
    said_since = ref(2, agenda_role="waiting_for_owner", waiting_since=NOW - 3 * DAY, moved_at=NOW)
    asked_later = ref(1, agenda_role="waiting_for_owner", waiting_since=NOW - 2 * DAY, moved_at=NOW - 2 * DAY)
    assert sorted((asked_later, said_since), key=place) == [said_since, asked_later]


@given(REFS, HOURS)
def test_a_nearer_deadline_alone_never_moves_it_down(one: ConcernRef, left: timedelta) -> None:
    none, near, nearer = (one.model_copy(update={"deadline": at}) for at in (None, NOW + left, NOW + left - DAY))
    assert focus_at(nearer) <= focus_at(near) <= focus_at(none)


def test_of_two_that_moved_alike_the_nearer_deadline_goes_first() -> None:
    near, far, none = ref(3, deadline=NOW + DAY), ref(2, deadline=NOW + 3 * DAY), ref(1)
    assert sorted((none, far, near), key=place) == [near, far, none]


@given(REFS, HOURS)
def test_standing_still_alone_never_moves_it_down(one: ConcernRef, since: timedelta) -> None:
    moved, stands = (one.model_copy(update={"moved_at": NOW - since - n * DAY}) for n in (0, 1))
    assert focus_at(stands) <= focus_at(moved)


def test_of_two_the_one_that_stands_still_longer_goes_first() -> None:
    assert sorted((ref(1), ref(2, moved_at=NOW - DAY)), key=place)[0].concern_id == concern_id("20260316", 2)


@given(st.lists(REFS, max_size=6, unique_by=lambda r: r.concern_id))
def test_the_order_is_one_and_ties_go_by_id(refs: list[ConcernRef]) -> None:
    ranked = sorted(refs, key=place)
    backwards = refs[::-1]
    assert sorted(backwards, key=place) == ranked
    for before, after in pairwise(ranked):
        assert (focus_at(before), before.concern_id) <= (focus_at(after), after.concern_id)


@given(REFS)
def test_schedules_stand_behind_everything_the_next_run_first(one: ConcernRef) -> None:
    soon = ref(8, priority="critical", agenda_role="scheduled", next_at=NOW + HOUR)
    later = soon.model_copy(update={"concern_id": ConcernId("con_0"), "next_at": NOW + DAY})
    never = soon.model_copy(update={"concern_id": ConcernId("con_1"), "next_at": datetime.max.replace(tzinfo=UTC)})
    assert sorted((never, later, soon, one), key=place) == [one, soon, later, never]


def test_a_pause_is_a_wish_not_to_look_until_its_end() -> None:
    paused = ref(1, priority="critical", moved_at=NOW - 30 * DAY, paused_until=NOW + 2 * DAY)
    assert sorted((paused, ref(2)), key=place)[0].concern_id == concern_id("20260316", 2)
    assert focus_at(paused) == NOW + 2 * DAY


def test_a_reference_that_tells_nothing_yet_has_a_place() -> None:
    bare = ConcernRef(concern_id=concern_id("20260316", 1), priority="medium", status="pending")
    assert focus_at(bare) < focus_at(ref(2))


# --- reasons ---


@pytest.mark.parametrize(
    ("more", "reasons"),
    [
        ({}, []),
        ({"priority": "critical"}, [("critical", 0)]),
        ({"priority": "high"}, [("high", 0)]),
        ({"priority": "low"}, [("low", 0)]),
        ({"deadline": NOW - HOUR}, [("overdue", 0)]),
        ({"deadline": NOW}, [("overdue", 0)]),
        ({"deadline": NOW - 13 * HOUR}, [("overdue", 1)]),
        ({"deadline": NOW + HOUR}, [("today", 0)]),
        ({"deadline": NOW + 12 * HOUR}, [("soon", 1)]),
        ({"deadline": NOW + BEFORE_DEADLINE}, [("soon", 7)]),
        ({"deadline": NOW + BEFORE_DEADLINE + HOUR}, []),
        ({"moved_at": NOW - DAY + HOUR}, []),
        ({"moved_at": NOW - DAY}, [("still", 1)]),
        ({"moved_at": NOW - 80 * HOUR}, [("still", 3)]),
        ({"agenda_role": "waiting_for_owner", "waiting_since": NOW - DAY}, [("waiting", 0)]),
        ({"agenda_role": "waiting_for_owner", "priority": "critical"}, [("critical", 0), ("waiting", 0)]),
        ({"agenda_role": "waiting_for_owner", "priority": "high"}, [("waiting", 0), ("high", 0)]),
        ({"agenda_role": "scheduled", "priority": "high", "moved_at": NOW - 9 * DAY}, []),
    ],
)
def test_what_counts_is_told(more: dict[str, Any], reasons: list[tuple[str, int]]) -> None:
    assert [(r.why, r.days) for r in explain(ref(**more), NOW)] == reasons


@given(REFS)
def test_what_counts_is_told_in_full_and_once(one: ConcernRef) -> None:
    told = [r.why for r in explain(one, NOW)]
    assert len(told) == len(set(told))
    assert ("waiting" in told) == (one.agenda_role == "waiting_for_owner")
    assert bool({"critical", "high", "low"} & set(told)) == (one.priority != "medium")


def test_today_is_the_readers_day() -> None:
    late = ref(deadline=datetime(2026, 3, 16, 23, tzinfo=ZoneInfo("Asia/Shanghai")))
    assert [r.why for r in explain(late, NOW)] == ["today"]
    assert [r.why for r in explain(late, NOW.astimezone(ZoneInfo("Pacific/Auckland")))] == ["soon"]


# --- standing still ---


@pytest.mark.parametrize(
    ("more", "at"),
    [
        ({"next_at": None}, NOW + LIMITS.still),
        ({"next_at": NOW + HOUR}, NOW + LIMITS.still),
        ({"next_at": NOW + 9 * DAY}, NOW + 9 * DAY + LIMITS.overdue),
        ({"next_at": None, "paused_until": NOW + 900 * DAY}, None),
        ({"next_at": NOW + 9 * DAY, "paused_until": NOW + 9 * DAY}, NOW + 9 * DAY + LIMITS.overdue),
        ({"agenda_role": "waiting_for_owner"}, None),
        ({"agenda_role": "scheduled", "next_at": NOW}, None),
        ({"type": "heartbeat"}, None),
        ({"type": "followup"}, NOW + LIMITS.still),
        ({"moved_at": None}, None),
    ],
)
def test_when_a_matter_counts_as_stuck(more: dict[str, Any], at: datetime | None) -> None:
    assert stuck_at(ref(**more), LIMITS) == at
