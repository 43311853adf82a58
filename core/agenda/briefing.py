"""When the morning brief of a person leaves, and until when it is still one (RULES 5). Pure.

It comes on their working days, at the time that they chose: that time is theirs, also before their hours begin.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from core.calendar import WorkCalendar, calendar_of
from core.calendar.wall import MINUTES_A_DAY, at_wall, parse_clock, show_clock
from core.people import Person

NOON = 12 * 60
AT_LEAST = timedelta(hours=1)
"""A brief that was wanted shortly before noon may be late by so much all the same."""


def clock_of(hour: int, minute: int) -> str | None:
    """`08:30`; None where it is no time of a morning."""
    minutes = hour * 60 + minute
    return show_clock(minutes) if 0 <= minutes < NOON and 0 <= minute < 60 else None


def hours_of(at: str, person: Person) -> WorkCalendar:
    """The person's working days, open from the chosen time on."""
    return replace(calendar_of(person), start=parse_clock(at), end=MINUTES_A_DAY)


def next_brief(at: str, person: Person, after: datetime) -> datetime:
    """The first such morning that lies after `after`."""
    return hours_of(at, person).next_working_morning(after)


def day_of(person: Person, at: datetime) -> date:
    """The day that it is for the person."""
    return at.astimezone(calendar_of(person).tz).date()


def end_of_day(person: Person, now: datetime) -> datetime:
    """The last instant of the person's day: what lies after it is another day's."""
    return at_wall(day_of(person, now), MINUTES_A_DAY, calendar_of(person).tz) - timedelta(microseconds=1)


def stale_from(due: datetime, person: Person) -> datetime:
    """From when on the brief of that morning is of no use any more."""
    return max(at_wall(day_of(person, due), NOON, calendar_of(person).tz), due + AT_LEAST)
