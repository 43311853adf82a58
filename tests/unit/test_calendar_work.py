"""Working days, working hours and sending windows."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calendar import DailyWindow, WorkCalendar, at_wall, covers, is_working_day_cn, sending_opening

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
ZONES = ("Asia/Shanghai", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata")


def at(text: str, tz: ZoneInfo = SHANGHAI) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=tz)


@pytest.mark.parametrize(
    ("day", "worked"),
    [
        ("2026-01-01", False),
        ("2026-01-04", True),  # a Sunday, swapped
        ("2026-02-14", True),
        ("2026-02-23", False),
        ("2026-03-16", True),
        ("2026-03-21", False),
        ("2026-05-09", True),
        ("2026-06-19", False),
        ("2026-09-20", True),
        ("2026-10-07", False),
        ("2026-10-10", True),
        ("2025-01-26", True),
        ("2024-10-12", True),
        ("2027-02-05", False),
        ("2027-03-15", True),
        ("2031-10-01", True),  # no table: by the weekday alone
    ],
)
def test_chinese_working_days_include_holidays_and_swaps(day: str, worked: bool) -> None:
    assert is_working_day_cn(date.fromisoformat(day)) is worked


def test_a_year_without_its_notice_is_not_covered() -> None:
    assert [covers(y) for y in (2023, 2024, 2025, 2026, 2027)] == [False, True, True, True, False]


def test_the_table_agrees_with_chinesecalendar() -> None:
    chinese_calendar = pytest.importorskip("chinese_calendar")
    day = date(2024, 1, 1)
    while day.year < 2027:
        assert is_working_day_cn(day) == chinese_calendar.is_workday(day), day
        day += timedelta(days=1)


@pytest.mark.parametrize(
    ("config", "culprit"),
    [
        ({"working_hours": "9-18"}, "working_hours"),
        ({"working_hours": "09:00-25:00"}, "25:00"),
        ({"working_hours": "09:00-09:00"}, "working_hours"),
        ({"working_hours": "09:60-18:00"}, "09:60"),
        ({"working_days": "chinese"}, "chinese"),
        ({"working_days": ["mon", "funday"]}, "funday"),
        ({"working_days": []}, "working_days"),
        ({"timezone": "Asia/Atlantis"}, "Asia/Atlantis"),
        ({"timezone": "../etc"}, "../etc"),
    ],
)
def test_a_wrong_configuration_names_its_culprit(config: dict[str, object], culprit: str) -> None:
    with pytest.raises(ValueError, match=culprit):
        WorkCalendar.from_config(**config)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hours", "days", "asked", "opening"),
    [
        ("09:00-18:00", "china", "2026-03-16T10:00", "2026-03-16T10:00"),
        ("09:00-18:00", "china", "2026-03-16T18:00", "2026-03-17T09:00"),
        ("09:00-18:00", "china", "2026-03-16T17:59", "2026-03-16T17:59"),
        ("09:00-18:00", "china", "2026-03-16T08:59", "2026-03-16T09:00"),
        ("09:00-18:00", "china", "2026-09-30T18:00", "2026-10-08T09:00"),
        ("09:00-18:00", "china", "2026-02-13T18:30", "2026-02-14T09:00"),
        ("09:00-18:00", ["mon", "tue"], "2026-03-17T18:00", "2026-03-23T09:00"),
        ("00:00-24:00", "daily", "2026-03-21T03:00", "2026-03-21T03:00"),
        ("22:00-06:00", "daily", "2026-03-16T05:59", "2026-03-16T05:59"),
        ("22:00-06:00", "daily", "2026-03-16T06:00", "2026-03-16T22:00"),
        ("22:00-06:00", ["fri"], "2026-03-21T03:00", "2026-03-21T03:00"),
        ("22:00-06:00", ["fri"], "2026-03-20T03:00", "2026-03-20T22:00"),
        ("09:00-24:00", "daily", "2026-03-16T23:59", "2026-03-16T23:59"),
    ],
)
def test_next_opening(hours: str, days: str | list[str], asked: str, opening: str) -> None:
    calendar = WorkCalendar.from_config(hours, days)
    assert calendar.next_opening(at(asked)) == at(opening)


def test_next_working_morning_is_todays_only_before_it() -> None:
    calendar = WorkCalendar.from_config()
    assert calendar.next_working_morning(at("2026-03-16T08:00")) == at("2026-03-16T09:00")
    assert calendar.next_working_morning(at("2026-03-16T09:00")) == at("2026-03-17T09:00")
    assert calendar.next_working_morning(at("2026-03-20T19:00")) == at("2026-03-23T09:00")


def test_end_of_work_of_a_full_day_is_the_midnight_that_ends_it() -> None:
    assert WorkCalendar.from_config("00:00-24:00").end_of_work(date(2026, 3, 16)) == at("2026-03-17T00:00")
    assert WorkCalendar.from_config().end_of_work(date(2026, 3, 21)) == at("2026-03-21T18:00")


def test_a_time_that_clocks_skip_becomes_the_next_that_exists() -> None:
    assert at_wall(date(2026, 3, 8), 150, NEW_YORK).isoformat() == "2026-03-08T03:00:00-04:00"
    assert at_wall(date(2011, 12, 30), 600, ZoneInfo("Pacific/Apia")).isoformat() == "2011-12-31T00:00:00+14:00"
    assert at_wall(date(2026, 11, 1), 90, NEW_YORK).isoformat() == "2026-11-01T01:30:00-04:00"


def test_the_hour_shown_twice_is_told_apart() -> None:
    calendar = WorkCalendar.from_config("00:00-01:30", "daily", "America/New_York")
    first = datetime(2026, 11, 1, 5, 20, tzinfo=UTC)
    assert calendar.is_open(first)
    assert not calendar.is_open(first + timedelta(hours=1))


@pytest.mark.parametrize(
    ("priority", "asked", "opening"),
    [
        ("critical", "2026-03-21T03:00", "2026-03-21T03:00"),
        ("high", "2026-03-21T03:00", "2026-03-21T08:00"),
        ("high", "2026-03-21T22:00", "2026-03-22T08:00"),
        ("high", "2026-03-21T21:59", "2026-03-21T21:59"),
        ("medium", "2026-03-20T18:00", "2026-03-23T09:00"),
        ("low", "2026-03-16T12:00", "2026-03-16T12:00"),
    ],
)
def test_sending_hours_depend_on_the_priority(priority: str, asked: str, opening: str) -> None:
    windows = {"high": DailyWindow.parse("08:00-22:00")}
    assert sending_opening(priority, WorkCalendar.from_config(), at(asked), windows) == at(opening)


def test_a_window_may_wrap_midnight() -> None:
    quiet = DailyWindow.parse("22:00-08:00")
    assert quiet.contains(at("2026-03-16T23:00"), SHANGHAI)
    assert quiet.contains(at("2026-03-16T07:59"), SHANGHAI)
    assert not quiet.contains(at("2026-03-16T08:00"), SHANGHAI)
    assert quiet.next_opening(at("2026-03-16T12:00"), SHANGHAI) == at("2026-03-16T22:00")


instants = st.datetimes(datetime(2023, 1, 1), datetime(2030, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
clocks = st.integers(0, 24 * 60 - 1)
days_off = st.one_of(st.sampled_from(["china", "daily"]), st.frozensets(st.integers(0, 6), min_size=1).map(frozenset))


@given(instants, st.sampled_from(ZONES), clocks, st.integers(1, 24 * 60), days_off)
def test_the_next_opening_is_open_and_never_earlier_than_asked(
    asked: datetime, zone: str, start: int, end: int, days: str | frozenset[int]
) -> None:
    if start == end:
        return
    calendar = WorkCalendar(ZoneInfo(zone), days, start, end)
    opening = calendar.next_opening(asked)
    assert opening.astimezone(UTC) >= asked
    assert calendar.is_open(opening) or calendar.end_of_work(opening.date()) == opening
    if calendar.is_open(asked):
        assert opening.astimezone(UTC) == asked


@given(instants, st.sampled_from(ZONES), clocks, st.integers(1, 24 * 60))
def test_a_daily_window_opens_within_a_day_or_so(asked: datetime, zone: str, start: int, end: int) -> None:
    if start == end:
        return
    opening = DailyWindow(start, end).next_opening(asked, ZoneInfo(zone))
    assert timedelta(0) <= opening.astimezone(UTC) - asked <= timedelta(hours=49)
