"""Which run is next and which is due: clocks that change, leap days, working days, and what was missed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ids import PersonId
from core.people import Person
from core.schedule import Run, ScheduleTrigger, WhenError, due_run, next_run, read_when

SHANGHAI = "Asia/Shanghai"
OWNER = Person(person_id=PersonId("p_owner"), name="老板")
WEEKENDS = OWNER.model_copy(update={"working_days": ("sat", "sun")})


def at(text: str, zone: str = SHANGHAI) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))


def runs(
    when: str, after: str, count: int, zone: str = SHANGHAI, owner: Person | None = None, *, working: bool = False
) -> list[str]:
    now = at(after, zone)
    trigger, found = read_when(when, zone, now, working_days=working), []
    while len(found) < count and (nearest := next_run(trigger, now, owner)) is not None:
        now = nearest
        found.append(now.isoformat(timespec="minutes"))
    return found


# --- clocks that change -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "zone", "after", "expected"),
    [
        # 02:00 to 03:00 does not exist on this day: the next instant that does
        (
            "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
            "Europe/Berlin",
            "2026-03-28T00:00",
            ["2026-03-28T02:30+01:00", "2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00"],
        ),
        (
            "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
            "America/New_York",
            "2026-03-07T12:00",
            ["2026-03-08T03:00-04:00", "2026-03-09T02:30-04:00"],
        ),
        # 02:30 exists twice: once, the first
        (
            "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
            "Europe/Berlin",
            "2026-10-24T12:00",
            ["2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"],
        ),
        (
            "FREQ=DAILY;BYHOUR=1;BYMINUTE=30",
            "America/New_York",
            "2026-10-31T12:00",
            ["2026-11-01T01:30-04:00", "2026-11-02T01:30-05:00"],
        ),
        # two times that fall together in the gap are one run
        (
            "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0",
            "Europe/Berlin",
            "2026-03-28T12:00",
            ["2026-03-29T03:00+02:00", "2026-03-30T02:00+02:00"],
        ),
        # an hour that only half a clock skips
        ("FREQ=DAILY;BYHOUR=2;BYMINUTE=10", "Australia/Lord_Howe", "2026-10-03T12:00", ["2026-10-04T02:30+11:00"]),
        # a zone that leaves out a whole day
        (
            "FREQ=DAILY;BYHOUR=9",
            "Pacific/Apia",
            "2011-12-29T12:00",
            ["2011-12-31T00:00+14:00", "2011-12-31T09:00+14:00"],
        ),
        # the wall clock stays, the offset moves
        (
            "FREQ=WEEKLY;BYDAY=SU;BYHOUR=9",
            "Europe/Berlin",
            "2026-03-22T12:00",
            ["2026-03-29T09:00+02:00", "2026-04-05T09:00+02:00"],
        ),
        (
            "FREQ=HOURLY",
            "Europe/Berlin",
            "2026-03-29T00:30",
            ["2026-03-29T01:30+01:00", "2026-03-29T03:00+02:00", "2026-03-29T03:30+02:00"],
        ),
    ],
)
def test_a_run_keeps_the_wall_clock_where_it_can(when: str, zone: str, after: str, expected: list[str]) -> None:
    assert runs(when, after, len(expected), zone) == expected


def test_within_the_hour_that_is_shown_twice_a_run_is_not_made_again() -> None:
    trigger = read_when("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", "Europe/Berlin", at("2026-10-20T00:00", "Europe/Berlin"))
    second = datetime(2026, 10, 25, 2, 0, tzinfo=ZoneInfo("Europe/Berlin"), fold=1)
    following = next_run(trigger, second)
    assert following is not None
    assert following.isoformat() == "2026-10-26T02:30:00+01:00"


def test_a_moment_in_a_gap_is_the_first_one_after_it() -> None:
    trigger = read_when("2026-03-29T02:30", "Europe/Berlin", at("2026-03-01T00:00", "Europe/Berlin"))
    assert trigger.when == "2026-03-29T03:00:00+02:00"


# --- the calendar -------------------------------------------------------------------------------------------------


def test_a_leap_day_comes_every_fourth_year() -> None:
    assert runs("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2026-03-16T10:00", 2) == [
        "2028-02-29T09:00+08:00",
        "2032-02-29T09:00+08:00",
    ]


@pytest.mark.parametrize(
    ("when", "after", "expected"),
    [
        # the week before National Day: 20 September is a Sunday that is worked; 1 to 7 October are off, 10 is worked
        ("FREQ=DAILY", "2026-09-18T10:00", ["09-20", "09-21", "09-22", "09-23", "09-24", "09-28"]),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-09-30T10:00", ["10-08", "10-09", "10-10", "10-12"]),
        # one weekday stays that weekday, and is left out on a holiday
        ("FREQ=WEEKLY;BYDAY=TH", "2026-09-24T10:00", ["10-08", "10-15"]),
        ("FREQ=WEEKLY;BYDAY=SU", "2026-09-14T10:00", ["09-20"]),
        # every other week from this one on
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "2026-09-30T10:00", ["10-12", "10-13", "10-14"]),
        # the last and the first worked day of a month
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-09-18T10:00", ["09-30", "10-30"]),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "2026-09-18T10:00", ["10-08", "11-02"]),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2,-2;UNTIL=20261031",
            "2026-09-18T10:00",
            ["09-29", "10-09", "10-29"],
        ),
        ("FREQ=YEARLY;BYMONTH=10;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "2026-09-18T10:00", ["10-08"]),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "2026-09-28T10:00", ["10-08", "10-12"]),
        # a count counts the days that are worked
        ("FREQ=DAILY;COUNT=3", "2026-09-30T10:00", ["10-08", "10-09", "10-10"]),
        ("FREQ=DAILY;UNTIL=20261009", "2026-09-30T10:00", ["10-08", "10-09"]),
    ],
)
def test_working_days_leave_out_holidays_and_take_in_swapped_days(when: str, after: str, expected: list[str]) -> None:
    found = runs(when, after, len(expected), owner=OWNER, working=True)
    assert [f[5:10] for f in found] == expected


def test_a_count_that_is_used_up_stays_so() -> None:
    assert len(runs("FREQ=DAILY;COUNT=3", "2026-09-30T10:00", 99, owner=OWNER, working=True)) == 3


def test_the_owners_own_working_days_count() -> None:
    assert [r[5:10] for r in runs("FREQ=DAILY", "2026-03-16T10:00", 2, owner=WEEKENDS, working=True)] == [
        "03-21",
        "03-22",
    ]


def test_days_that_are_never_worked_are_not_looked_for_for_ever() -> None:
    assert runs("FREQ=WEEKLY;BYDAY=TU", "2026-03-16T10:00", 1, owner=WEEKENDS, working=True) == []


# --- what is due --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "planned", "now", "run", "missed"),
    [
        ("2026-03-17T09:00", "2026-03-17T09:00", "2026-03-20T12:00", "2026-03-17T09:00", 0),
        ("FREQ=DAILY", "2026-03-17T09:00", "2026-03-17T09:00", "2026-03-17T09:00", 0),
        ("FREQ=DAILY", "2026-03-17T09:00", "2026-03-18T08:59", "2026-03-17T09:00", 0),
        ("FREQ=DAILY", "2026-03-17T09:00", "2026-03-20T12:00", "2026-03-20T09:00", 3),
        ("EVERY 15m", "2026-03-16T10:15", "2027-03-16T10:20", "2027-03-16T10:15", 365 * 96),
        ("FREQ=DAILY;UNTIL=20260318", "2026-03-17T09:00", "2026-03-20T12:00", "2026-03-18T09:00", 1),
    ],
)
def test_after_downtime_the_latest_run_is_made_and_the_others_are_let_go(
    when: str, planned: str, now: str, run: str, missed: int
) -> None:
    trigger = read_when(when, SHANGHAI, at("2026-03-16T10:00"))
    assert due_run(trigger, at(planned), at(now)) == Run(at=at(run), missed=missed)


# --- properties ---------------------------------------------------------------------------------------------------

ZONES = st.sampled_from(
    ["Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"]
)
TIMES = st.sampled_from(["", ";BYHOUR=2;BYMINUTE=30", ";BYHOUR=1,2,3;BYMINUTE=0,30", ";BYHOUR=23;BYMINUTE=45"])
DAYS = st.sampled_from(
    ["FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,SU", "FREQ=MONTHLY;BYMONTHDAY=-1,29", "FREQ=HOURLY",
     "FREQ=MINUTELY;INTERVAL=45", "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"]
)  # fmt: skip
MOMENTS = st.integers(0, 6 * 365 * 24 * 60).map(lambda minutes: at("2024-01-01T00:00Z") + timedelta(minutes=minutes))


def made(days: str, time: str, zone: str, start: datetime, *, working: bool = False) -> ScheduleTrigger | None:
    try:
        return read_when(days + time, zone, start, working_days=working)
    except WhenError:
        return None


@settings(max_examples=120, deadline=None)
@given(days=DAYS, time=TIMES, zone=ZONES, start=MOMENTS, later=st.integers(0, 900), working=st.booleans())
def test_runs_grow_and_never_fall_into_a_gap(
    days: str, time: str, zone: str, start: datetime, later: int, working: bool
) -> None:
    trigger = made(days, time, zone, start, working=working)
    if trigger is None:
        return
    after = start + timedelta(days=later)
    for _ in range(5):
        run = next_run(trigger, after, OWNER)
        if run is None:
            return
        assert run.astimezone(UTC) > after.astimezone(UTC)
        there_and_back = run.astimezone(UTC).astimezone(ZoneInfo(zone))
        assert there_and_back.replace(tzinfo=None) == run.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        after = run


@settings(max_examples=80, deadline=None)
@given(days=DAYS, time=TIMES, zone=ZONES, start=MOMENTS, hours=st.integers(1, 3000))
def test_from_wherever_one_looks_the_runs_are_the_same(
    days: str, time: str, zone: str, start: datetime, hours: int
) -> None:
    trigger = made(days, time, zone, start)
    if trigger is None:
        return
    looked = start + timedelta(hours=hours)
    walked: datetime | None = start
    while walked is not None and walked <= looked:
        walked = next_run(trigger, walked)
    assert next_run(trigger, looked) == walked
