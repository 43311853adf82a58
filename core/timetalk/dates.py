"""Arithmetic on dates and wall-clock times: which day is meant, which instant that is."""

import calendar as months
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from core.calendar.holidays_cn import is_working_day_cn
from core.calendar.wall import at_wall

from .model import Fields, Length, Nth, Period

DAY = timedelta(days=1)

# First and last hour of each part of the day; an end past 24 lies in the next day.
PARTS: dict[str, tuple[int, int]] = {
    "dawn": (0, 6),
    "morning": (8, 12),
    "noon": (12, 13),
    "afternoon": (13, 18),
    "evening": (18, 22),
    "night": (22, 24),
}


@dataclass(frozen=True)
class Ctx:
    """What a text is read against: the present and the text itself, ``raw``, whose capitals tell "March" from
    "march". ``wall`` is what the clock shows, without zone."""

    now: datetime
    raw: str = ""

    @property
    def wall(self) -> datetime:
        """What the clock shows now, without zone."""
        return self.now.replace(tzinfo=None)

    @property
    def today(self) -> date:
        """The date now, in the zone of ``now``."""
        return self.now.date()

    def aware(self, wall: datetime) -> datetime:
        """The instant at which clocks show this; a time that clocks skip becomes the first after the gap."""
        return aware(wall, self.now.tzinfo)


def aware(wall: datetime, tz: tzinfo | None) -> datetime:
    """``wall`` in the zone; a skipped time becomes the first after the gap, as it does in a schedule."""
    placed = wall.replace(tzinfo=tz)
    try:
        real = placed.astimezone(UTC).astimezone(tz)
    except OverflowError:
        # At the edge of the calendar no clock is moved.
        return placed
    if tz is None or real.replace(tzinfo=None) == wall:
        return placed
    return at_wall(wall.date(), wall.hour * 60 + wall.minute, tz)


def safe_date(year: int, month: int, day: int) -> date | None:
    """That date, or None where there is none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def add_days(day: date, days: float) -> date | None:
    """``day`` moved, or None beyond the calendar."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def add_months(day: date, count: int) -> date | None:
    """The same day of the month ``count`` months on, or that month's last day; None beyond the calendar."""
    index = day.year * 12 + day.month - 1 + count
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        return None
    return date(year, month + 1, min(day.day, months.monthrange(year, month + 1)[1]))


def shift(at: datetime, length: Length, sign: int) -> datetime | None:
    """``at`` moved by a length: years and months by the calendar, days by the wall clock, hours by the real clock."""
    whole = round(length.years * 12 + length.months)
    rest = length.days + 30 * (length.years * 12 + length.months - whole)
    day = add_months(at.date(), sign * whole) if abs(whole) < 120_000 else None
    if day is None:
        return None
    if length.business:
        day = add_business_days(day, sign * round(rest))
    elif rest:
        day = add_days(day, sign * round(rest)) if rest < 3_000_000 else None
    if day is None:
        return None
    moved = datetime.combine(day, at.timetz())
    try:
        return (moved.astimezone(UTC) + sign * timedelta(seconds=length.seconds)).astimezone(at.tzinfo)
    except (OverflowError, ValueError):
        return None


def add_business_days(day: date, count: int) -> date | None:
    """``day`` moved by working days, those of mainland China as everywhere; Mondays to Fridays in a year that
    ``core.calendar.covers`` tells to lack its notice."""
    if abs(count) > 5000:
        return None
    step = 1 if count >= 0 else -1
    while count:
        moved = add_days(day, step)
        if moved is None:
            return None
        day = moved
        count -= step if is_working_day_cn(day) else 0
    return day


def week_of(day: date) -> Period:
    """The week, Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return Period(monday, monday + 7 * DAY, "week")


def weekend_of(day: date) -> Period:
    """Saturday and Sunday of the week of ``day``."""
    monday = day - timedelta(days=day.weekday())
    return Period(monday + 5 * DAY, monday + 7 * DAY, "weekend")


def weekday_in_week(today: date, weekday: int, weeks: int) -> date | None:
    """That weekday of the week ``weeks`` from this one."""
    return add_days(today, weekday - today.weekday() + 7 * weeks)


def month_period(year: int, month: int, count: int = 1, unit: str = "month") -> Period | None:
    """``count`` months from the first of this one."""
    start = safe_date(year, month, 1)
    end = add_months(start, count) if start else None
    return Period(start, end, unit) if start and end else None


def _cheapest(days: list[date], today: date, back: int) -> date | None:
    """The date a speaker most likely means: the nearest one, where the past counts ``back`` times as far."""
    return min(days, key=lambda d: (d - today).days if d >= today else (today - d).days * back, default=None)


def resolve_fields(fields: Fields, today: date) -> date | Period | None:
    """The day or period that partly said fields mean, seen from ``today``."""
    if fields.day is not None:
        return _resolve_day(fields, today)
    if fields.weekday is not None:
        if fields.year is None and fields.month is None:
            ahead = (fields.weekday - today.weekday()) % 7 or 7
            return add_days(today, ahead)
        return None
    return _resolve_period(fields, today)


def _resolve_day(fields: Fields, today: date) -> date | None:
    day = fields.day or 0
    if fields.year is not None and fields.month is not None:
        return safe_date(fields.year, fields.month, day)
    if fields.month is not None:
        near = [safe_date(today.year + y, fields.month, day) for y in range(-4, 9) if 0 < today.year + y < 9999]
        return _cheapest([d for d in near if d], today, back=8)
    first = today.replace(day=1)
    reach = range(-12, 25) if fields.weekday is not None else range(3)
    starts = [add_months(first, n) for n in reach]
    days = [safe_date(s.year, s.month, day) for s in starts if s]
    fit = [d for d in days if d and (fields.weekday is None or d.weekday() == fields.weekday)]
    if fields.weekday is None:
        return next((d for d in fit if d >= today), None)
    return _cheapest(fit, today, back=3)


def _resolve_period(fields: Fields, today: date) -> Period | None:
    year = fields.year
    period: Period | None
    if fields.month is not None:
        if year is None:
            near = [safe_date(today.year + y, fields.month, 1) for y in (-1, 0, 1) if 0 < today.year + y < 9999]
            this = today.replace(day=1)
            best = _cheapest([d for d in near if d], this, back=2)
            year = best.year if best else today.year
        period = month_period(year, fields.month)
    elif fields.quarter is not None:
        period = month_period(year or today.year, fields.quarter * 3 - 2, 3, "quarter")
    elif fields.half is not None:
        period = month_period(year or today.year, fields.half * 6 - 5, 6, "half")
    else:
        period = month_period(year or today.year, 1, 12, "year")
    return edge_of(period, fields.edge) if period and fields.edge else period


def edge_of(period: Period, edge: str) -> Period:
    """The beginning, middle or end of a period: five days of a month, its early, middle or late ten, a month of a
    quarter, three days of a week."""
    start, end = period.start, period.end
    if period.unit == "month":
        ten, twenty = start + 10 * DAY, start + 20 * DAY
        spans = {
            "start": (start, start + 5 * DAY),
            "early": (start, ten),
            "middle": (ten, twenty),
            "late": (twenty, end),
        }
        first, last = spans.get(edge, (end - 5 * DAY, end))
        return Period(first, last, "end" if edge in ("end", "late") else "edge")
    edge = {"early": "start", "late": "end"}.get(edge, edge)
    if period.unit in ("week", "weekend"):
        spans = {"start": (start, start + 3 * DAY), "middle": (start + 2 * DAY, start + 4 * DAY)}
        first, last = spans.get(edge, (end - 3 * DAY, end))
    else:
        width = {"quarter": 1, "half": 1}.get(period.unit, 1 if edge == "start" else 2)
        middle = add_months(start, 5) or start
        spans = {"start": (start, add_months(start, width) or end), "middle": (middle, add_months(middle, 2) or end)}
        first, last = spans.get(edge, (add_months(end, -width) or start, end))
    return Period(first, last, "end" if edge == "end" else "edge")


def nth_of(period: Period, nth: Nth) -> date | Period | None:
    """The n-th day, week, weekday, month or quarter of a period, or its first or last ``count`` of them.

    A period's first week begins with its first Monday.
    """
    if nth.unit == "weekday":
        return _nth_weekday(period, nth)
    if nth.unit == "day":
        return _nth_day(period, nth)
    if nth.unit == "workday":
        day = add_business_days(period.start - DAY if nth.n > 0 else period.end, nth.n)
        return day if day and period.start <= day < period.end else None
    if nth.unit == "week":
        return _nth_week(period, nth)
    size = 3 if nth.unit == "quarter" else 1
    count = (nth.count or 1) * size
    start = (
        add_months(period.start, (nth.n - 1) * size)
        if nth.n > 0
        else add_months(period.end, (nth.n + 1) * size - count)
    )
    end = add_months(start, count) if start else None
    return Period(start, end, nth.unit) if start and end else None


def _nth_weekday(period: Period, nth: Nth) -> date | None:
    weekday = nth.weekday or 0
    if nth.n > 0:
        first = add_days(period.start, (weekday - period.start.weekday()) % 7 + 7 * (nth.n - 1))
    else:
        last = period.end - DAY
        first = add_days(last, -((last.weekday() - weekday) % 7) + 7 * (nth.n + 1))
    return first if first and period.start <= first < period.end else None


def _nth_day(period: Period, nth: Nth) -> date | Period | None:
    if nth.count is None:
        return add_days(period.start, nth.n - 1) if nth.n > 0 else add_days(period.end, nth.n)
    start = period.start if nth.n > 0 else add_days(period.end, -nth.count)
    end = add_days(period.start, nth.count) if nth.n > 0 else period.end
    return Period(start, end, "day") if start and end else None


def _nth_week(period: Period, nth: Nth) -> Period | None:
    count = nth.count or 1
    if nth.n > 0:
        monday = add_days(period.start, (-period.start.weekday()) % 7 + 7 * (nth.n - 1))
    else:
        last = week_of(period.end).start
        monday = add_days(last, 7 * (nth.n + 1) - 7 * count)
    end = add_days(monday, 7 * count) if monday else None
    return Period(monday, end, "week") if monday and end else None
