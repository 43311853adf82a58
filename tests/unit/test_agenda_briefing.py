"""When a morning brief comes, and until when it still is one."""

from __future__ import annotations

from datetime import datetime

import pytest

from core.agenda.briefing import clock_of, day_of, end_of_day, next_brief, stale_from
from core.calendar.wall import utc
from core.people import Person


def at(moment: str) -> datetime:
    return datetime.fromisoformat(moment)


def somebody(**more: object) -> Person:
    return Person.model_validate({"person_id": "p_owner", "name": "老板", **more})


@pytest.mark.parametrize(
    ("after", "comes"),
    [
        ("2026-03-16T08:00:00+08:00", "2026-03-16T08:30:00+08:00"),
        ("2026-03-16T08:30:00+08:00", "2026-03-17T08:30:00+08:00"),
        ("2026-03-20T12:00:00+08:00", "2026-03-23T08:30:00+08:00"),  # over the weekend
        ("2026-09-30T12:00:00+08:00", "2026-10-08T08:30:00+08:00"),  # over the holidays
        ("2026-10-09T12:00:00+08:00", "2026-10-10T08:30:00+08:00"),  # a Saturday that is worked on
    ],
)
def test_it_comes_on_the_next_working_morning_at_the_chosen_time(after: str, comes: str) -> None:
    assert next_brief("08:30", somebody(), at(after)) == at(comes)


def test_the_chosen_time_stands_before_the_hours_of_work_and_on_the_persons_own_days() -> None:
    early = somebody(working_hours="22:00-06:00", working_days=("sat",))
    assert next_brief("07:15", early, at("2026-03-16T08:00:00+08:00")) == at("2026-03-21T07:15:00+08:00")


@pytest.mark.parametrize(
    ("zone", "after", "comes"),
    [
        ("America/New_York", "2026-03-07T12:00:00-05:00", "2026-03-08T03:00:00-04:00"),  # 2:30 is skipped that night
        ("America/New_York", "2026-10-31T12:00:00-04:00", "2026-11-01T01:30:00-04:00"),  # 1:30 comes twice: the first
        ("America/New_York", "2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"),
    ],
)
def test_clocks_that_change_make_it_neither_vanish_nor_come_twice(zone: str, after: str, comes: str) -> None:
    clock = "02:30" if "-03-" in after else "01:30"
    person = somebody(timezone=zone, working_days="daily")
    assert utc(next_brief(clock, person, at(after))) == utc(at(comes))


@pytest.mark.parametrize(
    ("due", "until"),
    [
        ("2026-03-16T08:30:00+08:00", "2026-03-16T12:00:00+08:00"),
        ("2026-03-16T11:45:00+08:00", "2026-03-16T12:45:00+08:00"),
    ],
)
def test_it_is_one_until_noon_and_for_an_hour_at_least(due: str, until: str) -> None:
    assert stale_from(at(due), somebody()) == at(until)


def test_a_day_is_that_of_the_person() -> None:
    tokyo = somebody(timezone="Asia/Tokyo")
    late = at("2026-03-16T23:30:00+08:00")
    assert day_of(tokyo, late).isoformat() == "2026-03-17"
    assert day_of(tokyo, end_of_day(tokyo, late)).isoformat() == "2026-03-17"
    assert next_brief("00:00", tokyo, end_of_day(tokyo, late)) == at("2026-03-18T00:00:00+09:00")


@pytest.mark.parametrize(
    ("hour", "minute", "clock"), [(8, 30, "08:30"), (0, 0, "00:00"), (11, 59, "11:59"), (12, 0, None), (20, 30, None), (24, 0, None)]
)  # fmt: skip
def test_only_times_of_a_morning_are_taken(hour: int, minute: int, clock: str | None) -> None:
    assert clock_of(hour, minute) == clock
