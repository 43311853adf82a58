"""Chinese public holidays and swapped working days (调休), one entry a year.

Source: the yearly notice of the State Council, taken from chinesecalendar 1.11 (MIT) for 2024 to 2026.
For a year whose notice is not out, the holidays fixed by law may stand under ``LAW_ONLY``: they are certain,
the days around them are not, so such a year does not count as covered.

To add a year: write the days off and the working weekend days from the notice into ``NOTICES``
and take the year out of ``LAW_ONLY``.
"""

from datetime import date, timedelta
from typing import NamedTuple


class Year(NamedTuple):
    """What the notice of one year says."""

    off: tuple[tuple[str, str], ...]
    """First and last day of each holiday, "MM-DD", both days off."""
    swapped: tuple[str, ...]
    """Weekend days that are worked, "MM-DD"."""


NOTICES: dict[int, Year] = {
    2024: Year(
        off=(
            ("01-01", "01-01"),
            ("02-10", "02-17"),
            ("04-04", "04-06"),
            ("05-01", "05-05"),
            ("06-10", "06-10"),
            ("09-15", "09-17"),
            ("10-01", "10-07"),
        ),
        swapped=("02-04", "02-18", "04-07", "04-28", "05-11", "09-14", "09-29", "10-12"),
    ),
    2025: Year(
        off=(
            ("01-01", "01-01"),
            ("01-28", "02-04"),
            ("04-04", "04-06"),
            ("05-01", "05-05"),
            ("05-31", "06-02"),
            ("10-01", "10-08"),
        ),
        swapped=("01-26", "02-08", "04-27", "09-28", "10-11"),
    ),
    2026: Year(
        off=(
            ("01-01", "01-03"),
            ("02-15", "02-23"),
            ("04-04", "04-06"),
            ("05-01", "05-05"),
            ("06-19", "06-21"),
            ("09-25", "09-27"),
            ("10-01", "10-07"),
        ),
        swapped=("01-04", "02-14", "02-28", "05-09", "09-20", "10-10"),
    ),
}

LAW_ONLY: dict[int, Year] = {
    2027: Year(
        off=(
            ("01-01", "01-01"),
            ("02-05", "02-08"),
            ("04-05", "04-05"),
            ("05-01", "05-02"),
            ("06-09", "06-09"),
            ("09-15", "09-15"),
            ("10-01", "10-03"),
        ),
        swapped=(),
    ),
}


def _day(year: int, month_day: str) -> date:
    return date.fromisoformat(f"{year}-{month_day}")


def _days_off(year: int, spans: tuple[tuple[str, str], ...]) -> set[date]:
    days: set[date] = set()
    for first, last in spans:
        day, end = _day(year, first), _day(year, last)
        while day <= end:
            days.add(day)
            day += timedelta(days=1)
    return days


_ALL = NOTICES | LAW_ONLY
HOLIDAYS: dict[int, frozenset[date]] = {y: frozenset(_days_off(y, n.off)) for y, n in _ALL.items()}
SWAPPED: dict[int, frozenset[date]] = {y: frozenset(_day(y, d) for d in n.swapped) for y, n in _ALL.items()}


def covers(year: int) -> bool:
    """Whether the notice of this year is in the table.

    Where it is not, ``is_working_day_cn`` knows at most the holidays fixed by law and takes every other Monday to
    Friday as worked; whoever shows such an answer to a person should say so.
    """
    return year in NOTICES


def is_working_day_cn(day: date) -> bool:
    """Whether offices in mainland China work on this day, holidays and swapped days included."""
    if day in SWAPPED.get(day.year, ()):
        return True
    if day in HOLIDAYS.get(day.year, ()):
        return False
    return day.weekday() < 5
