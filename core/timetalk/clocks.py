"""Wall-clock times: which half of the day an hour means, and which day it falls on."""

from datetime import date, datetime, time

from .dates import Ctx, add_days
from .model import Clock


def fixed_hour(clock: Clock, part: str | None) -> tuple[int, int]:
    """The hour on the 24-hour clock that a part of the day makes of a said hour, and how many days on it lies."""
    hour = clock.hour
    if hour >= 24:
        return hour - 24, 1
    if part in ("evening", "night"):
        if hour == 12:
            return 0, 1
        if hour < 4:
            return hour, 1
        return (hour + 12 if hour < 12 else hour), 0
    if part == "afternoon" or (part == "noon" and hour < 10):
        return (hour + 12 if hour < 12 else hour), 0
    if part == "dawn" and hour == 12:
        return 0, 0
    return hour, 0


def likely_hour(hour: int, towards: bool = False) -> int:
    """An hour without "morning" or "afternoon" on a named day: one to six is the afternoon, when people work.

    ``towards``: it is the one before the hour that was said: "a quarter to seven" is of the morning, "to one" of noon.
    """
    if towards:
        return (likely_hour(hour % 12 + 1) - 1) % 24
    return hour + 12 if 1 <= hour <= 6 else hour


def clock_on(day: date, clock: Clock, part: str | None, ctx: Ctx) -> datetime | None:
    """The wall-clock moment of a time said with its day."""
    if part is not None or clock.fixed:
        hour, days = fixed_hour(clock, part)
    elif day == ctx.today:
        return _next_today(clock, ctx)
    else:
        hour, days = likely_hour(clock.hour, clock.towards), 0
        if hour == 24:
            hour, days = 0, 1
    moved = add_days(day, days)
    return datetime.combine(moved, time(hour, clock.minute)) if moved else None


def _next_today(clock: Clock, ctx: Ctx) -> datetime | None:
    if clock.hour >= 24:
        moved = add_days(ctx.today, 1)
        return datetime.combine(moved, time(0, clock.minute)) if moved else None
    for hour in _readings(clock.hour):
        at = datetime.combine(ctx.today, time(hour, clock.minute))
        if at > ctx.wall.replace(second=0, microsecond=0):
            return at
    return datetime.combine(ctx.today, time(likely_hour(clock.hour), clock.minute))


def _readings(hour: int) -> list[int]:
    """The hours that an hour said without its half of the day may mean, without those before seven."""
    if hour >= 13 or hour == 0:
        return [hour]
    if hour == 12:
        return [12]
    return [hour, hour + 12] if hour >= 7 else [hour + 12]


def next_clock(clock: Clock, part: str | None, ctx: Ctx) -> datetime | None:
    """The next time the clock shows this, for a time said without a day."""
    floor = ctx.wall.replace(second=0, microsecond=0)
    if part is None and not clock.fixed and clock.hour < 24:
        for hour in _readings(clock.hour):
            at = datetime.combine(ctx.today, time(hour, clock.minute))
            if at >= floor:
                return at
        moved = add_days(ctx.today, 1)
        return datetime.combine(moved, time(likely_hour(clock.hour), clock.minute)) if moved else None
    hour, days = fixed_hour(clock, part)
    # Half past midnight "tonight" may be minutes away: look from the day before on.
    for offset in (days - 1, days, days + 1):
        day = add_days(ctx.today, offset)
        if day and (at := datetime.combine(day, time(hour, clock.minute))) >= floor:
            return at
    return None
