"""What the agenda refers to: what moves a matter, and what the bot does by itself that does not."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from core.concern.changes import overdue_since, with_comm
from core.concern.model import (
    CommStatus,
    ConcernType,
    DecisionPoint,
    DelegateState,
    LogEntry,
    Priority,
    Status,
    TimelineEntry,
)
from core.concern.planning import FOREVER, plan
from core.concern.refs import OUR_OWN, in_focus, moved_at, ref_of
from core.limits import HeartbeatLimits
from tests.contract.store_samples import NOW, ZHANG, concern
from tests.unit.concern_desk import setting

DAY = timedelta(days=1)


def said(direction: str, at: datetime) -> LogEntry:
    values: dict[str, Any] = {"direction": direction, "ts": at}
    return LogEntry(person_name="张三", person_id=ZHANG, text="在看", channel="telegram", **values)


def happened(kind: str, at: datetime) -> TimelineEntry:
    return TimelineEntry(ts=at, type=kind, detail="")


@pytest.mark.parametrize("kind", sorted(OUR_OWN))
def test_what_the_bot_does_by_itself_moves_nothing(kind: str) -> None:
    asked = concern(1, timeline=(happened(kind, NOW + DAY),), conversation_log=(said("outbound", NOW + DAY),))
    assert moved_at(asked) == asked.created_at


@pytest.mark.parametrize("kind", ["evidence", "amended", "decided", "priority", "resumed", "nudged", "declined"])
def test_what_happens_or_is_wished_moves_it(kind: str) -> None:
    told = concern(1, timeline=(happened(kind, NOW + DAY), happened("followed_up", NOW + 2 * DAY)))
    assert moved_at(told) == NOW + DAY


def test_a_word_of_somebody_moves_it() -> None:
    log = (said("inbound", NOW + DAY), said("outbound", NOW + 2 * DAY))
    assert moved_at(concern(1, conversation_log=log)) == NOW + DAY


POINT = DecisionPoint(decision_id="d1", question="换下午吗", asked_at=NOW)


@pytest.mark.parametrize("status", [Status.PENDING, Status.WAITING_REPLY])
def test_a_point_waits_for_the_owner_whatever_the_status(status: Status) -> None:
    ref = ref_of(concern(1, decision=POINT, status=status))
    assert (ref.agenda_role, ref.waiting_since) == ("waiting_for_owner", NOW)


def test_the_order_of_concerns_is_that_of_their_references() -> None:
    low, asked, high = concern(1, priority=Priority.LOW), concern(2, decision=POINT), concern(3, priority=Priority.HIGH)
    assert in_focus((low, high, asked)) == [asked, high, low]


def test_a_plan_names_the_moment_from_which_it_counts_as_stuck() -> None:
    limits = HeartbeatLimits()
    planned = plan(with_comm(concern(1), ZHANG, CommStatus.WAITING_REPLY), setting(NOW))
    assert planned.next_action is not None
    assert planned.next_action.when is not None
    expected = max(moved_at(planned) + limits.still, planned.next_action.when + limits.overdue)
    assert planned.stuck_at == expected
    for calm in (
        concern(1, decision=POINT),
        concern(1, paused_until=FOREVER),
        concern(1, type=ConcernType.HEARTBEAT),
        concern(1, status=Status.RESOLVED, closed_at=NOW, stuck_at=NOW),
    ):
        assert plan(calm, setting(NOW)).stuck_at is None


@pytest.mark.parametrize(
    ("came", "since"),
    [
        ({}, NOW),
        ({"last_outbound": NOW - DAY, "last_inbound": NOW - DAY, "not_before": NOW}, NOW),
        ({"last_outbound": NOW}, None),  # asked once more at that very moment
        ({"last_inbound": NOW}, None),
        ({"not_before": NOW + DAY}, None),
    ],
)
def test_a_time_that_ran_out_counts_until_something_comes_of_it(
    came: dict[str, datetime], since: datetime | None
) -> None:
    assert overdue_since(DelegateState(fired_at=NOW, overdue_since=NOW, **came)) == since
