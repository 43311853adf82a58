"""The gate of mid-course reports (RULES 5)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calendar import WorkCalendar
from core.limits import ReportLimits
from core.notify import GateNotice, History, Pass, Suppress, Wait, Weight, evaluate_gate
from tests.unit.concern_desk import MONDAY

CALENDAR = WorkCalendar.from_config()
LIMITS = ReportLimits()
FRIDAY_EVENING = MONDAY.replace(day=20, hour=18)
TUESDAY_MORNING = MONDAY.replace(day=17, hour=9)
NEXT_MONDAY = MONDAY.replace(day=23, hour=9)


def gate(
    weight: Weight = Weight.ORDINARY,
    now: datetime = MONDAY,
    *,
    critical: bool = False,
    text: str = "x",
    last_text: str | None = None,
    last_at: datetime | None = None,
    counted: int = 0,
) -> Pass | Wait | Suppress:
    return evaluate_gate(
        GateNotice(weight, text, critical), History(last_at, last_text, counted), CALENDAR, now, LIMITS
    )


@pytest.mark.parametrize(
    ("weight", "last_minutes_ago", "expected"),
    [
        (Weight.ORDINARY, 29, Wait(MONDAY + timedelta(minutes=1))),
        (Weight.ORDINARY, 30, Pass()),
        (Weight.PRESSING, 1, Pass()),
        (Weight.FREE, 0, Pass()),
    ],
)
def test_reports_of_one_concern_keep_half_an_hour(weight: Weight, last_minutes_ago: int, expected: object) -> None:
    assert gate(weight, last_at=MONDAY - timedelta(minutes=last_minutes_ago)) == expected


@pytest.mark.parametrize(
    ("weight", "counted", "expected"),
    [
        (Weight.ORDINARY, 19, Pass()),
        (Weight.ORDINARY, 20, Wait(TUESDAY_MORNING)),
        (Weight.PRESSING, 20, Pass()),
        (Weight.FREE, 99, Pass()),
    ],
)
def test_the_silence_budget_of_a_day(weight: Weight, counted: int, expected: object) -> None:
    assert gate(weight, counted=counted) == expected


def test_a_critical_matter_is_not_held_back_by_the_budget() -> None:
    assert gate(critical=True, counted=20) == Pass()


@pytest.mark.parametrize(
    ("weight", "now", "critical", "expected"),
    [
        (Weight.ORDINARY, FRIDAY_EVENING, False, Wait(NEXT_MONDAY)),
        (Weight.PRESSING, FRIDAY_EVENING, False, Wait(NEXT_MONDAY)),
        (Weight.FREE, FRIDAY_EVENING, False, Pass()),
        (Weight.ORDINARY, FRIDAY_EVENING, True, Pass()),
        (Weight.PRESSING, FRIDAY_EVENING, True, Pass()),
        (Weight.ORDINARY, FRIDAY_EVENING - timedelta(minutes=1), False, Pass()),
        (Weight.ORDINARY, MONDAY.replace(hour=7), False, Wait(MONDAY.replace(hour=9))),
        (Weight.ORDINARY, datetime(2026, 10, 1, 10, tzinfo=MONDAY.tzinfo), False, Wait(datetime(2026, 10, 8, 9, tzinfo=MONDAY.tzinfo))),
    ],
)  # fmt: skip
def test_working_hours_of_the_recipient(weight: Weight, now: datetime, critical: bool, expected: object) -> None:
    assert gate(weight, now, critical=critical) == expected


def test_the_wait_for_the_interval_does_not_end_after_hours() -> None:
    now = FRIDAY_EVENING - timedelta(minutes=10)
    assert gate(now=now, last_at=now - timedelta(minutes=5)) == Wait(NEXT_MONDAY)


def test_nothing_to_say_is_suppressed_and_nothing_is_said_twice() -> None:
    assert isinstance(gate(text=""), Suppress)
    assert isinstance(gate(text="同样的话", last_text="同样的话"), Suppress)
    assert gate(Weight.PRESSING, text="同样的话", last_text="同样的话") == Pass()


@given(
    weight=st.sampled_from(list(Weight)),
    critical=st.booleans(),
    minutes=st.integers(0, 60 * 24 * 21),
    last=st.none() | st.integers(0, 3000),
    counted=st.integers(0, 40),
)
def test_a_wait_lies_ahead_and_passes_when_it_is_over(
    weight: Weight, critical: bool, minutes: int, last: int | None, counted: int
) -> None:
    now = MONDAY + timedelta(minutes=minutes)
    last_at = now - timedelta(minutes=last) if last is not None else None
    answer = gate(weight, now, critical=critical, last_at=last_at, counted=counted)
    assert not isinstance(answer, Suppress)
    if isinstance(answer, Wait):
        assert answer.until > now
        assert weight is not Weight.FREE
        assert critical or CALENDAR.is_open(answer.until)
        # The day's count begins anew at midnight.
        fresh = 0 if answer.until.date() > now.date() else counted
        assert gate(weight, answer.until, critical=critical, last_at=last_at, counted=fresh) == Pass()
    elif weight is Weight.ORDINARY:
        assert last is None or last >= 30
        assert critical or (counted < LIMITS.daily_limit and CALENDAR.is_open(now))
