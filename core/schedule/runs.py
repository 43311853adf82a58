"""Which run comes next, which is due, and what was missed (RULES 8).

A rule is worked out on wall-clock times, which then become instants: a time that clocks skip is the first instant after
the gap, one that they show twice the earlier of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import groupby, islice
from zoneinfo import ZoneInfo

from dateutil import rrule

from core.calendar import WorkCalendar, at_wall, calendar_of
from core.calendar.wall import utc
from core.people import Person
from core.schedule.model import Run, ScheduleTrigger
from core.schedule.rule import WEEKDAYS, Rule, parse_rule, read_moment

_AROUND = timedelta(days=1)
"""Clocks are never set by more than this; so far before an instant its wall-clock neighbours are looked for."""

_LOOK_AHEAD = timedelta(days=20 * 366)
"""Runs on working days are looked for so far ahead: a yearly day falls on a weekend for a few years at most."""

_STEPS = {
    "WEEKLY": timedelta(weeks=1),
    "DAILY": timedelta(days=1),
    "HOURLY": timedelta(hours=1),
    "MINUTELY": timedelta(minutes=1),
}


_PERIODS: dict[str, Callable[[datetime], tuple[int, ...]]] = {
    "WEEKLY": lambda at: tuple(at.isocalendar()[:2]),
    "MONTHLY": lambda at: (at.year, at.month),
    "YEARLY": lambda at: (at.year,),
}


def next_run(trigger: ScheduleTrigger, after: datetime, owner: Person | None = None) -> datetime | None:
    """The first run strictly after `after`; None when there is none, and for a condition.

    `owner` says which days are worked, where the trigger keeps to them; without one every day is.
    """
    return next(runs_after(trigger, after, owner), None)


def due_run(trigger: ScheduleTrigger, planned: datetime, now: datetime, owner: Person | None = None) -> Run:
    """The run to make at `now`, when the one `planned` is due: the latest that was missed, the others are let go."""
    latest, missed = planned, 0
    for at in runs_after(trigger, planned, owner):
        if utc(at) > utc(now):
            break
        latest, missed = at, missed + 1
    return Run(at=latest, missed=missed)


def is_past(trigger: ScheduleTrigger, now: datetime) -> bool:
    """Whether no run will come any more: a moment that has gone by, or a rule that has ended."""
    return trigger.kind != "event" and next_run(trigger, now) is None


def runs_after(trigger: ScheduleTrigger, after: datetime, owner: Person | None = None) -> Iterator[datetime]:
    """All runs strictly after `after`, each later than the one before."""
    if trigger.kind == "event":
        return
    if trigger.kind == "once":
        at = read_moment(trigger.when)
        if utc(at) > utc(after):
            yield at.astimezone(ZoneInfo(trigger.timezone))
        return
    tz = ZoneInfo(trigger.timezone)
    last = utc(after)
    for shown in _wall_times(trigger, after.astimezone(tz).replace(tzinfo=None), owner):
        at = at_wall(shown.date(), shown.hour * 60 + shown.minute, tz)
        if utc(at) > last:
            last = utc(at)
            yield at


def _wall_times(trigger: ScheduleTrigger, after: datetime, owner: Person | None) -> Iterator[datetime]:
    """Naive times of the rule in order, from somewhat before `after` on (a counted rule: from its start)."""
    rule = parse_rule(trigger.when, trigger.timezone)
    start = _start_of(trigger)
    if rule.count is None:
        start = _moved_up(rule, start, after - _AROUND)
    if trigger.working_days and owner is not None:
        horizon = max(after, start) + _LOOK_AHEAD
        bounded = replace(rule, until=min(rule.until or horizon, horizon))
        times = _on_working_days(bounded, start, calendar_of(owner))
    else:
        times = iter(_made(rule, start))
    yield from times if rule.count is None else islice(times, rule.count)


def _start_of(trigger: ScheduleTrigger) -> datetime:
    start = trigger.start or datetime(1970, 1, 1, tzinfo=ZoneInfo(trigger.timezone))
    return start.astimezone(ZoneInfo(trigger.timezone)).replace(tzinfo=None, second=0, microsecond=0)


def _moved_up(rule: Rule, start: datetime, to: datetime) -> datetime:
    """A later start of the same rule, by whole intervals: what lies long ago need not be gone through again."""
    step = _STEPS.get(rule.freq)
    if step is None or to <= start:
        return start
    step *= rule.interval
    return start + (to - start) // step * step


@lru_cache(maxsize=1024)
def _made(rule: Rule, start: datetime) -> rrule.rrule:
    days = [getattr(rrule, day[-2:])(int(day[:-2])) if day[:-2] else getattr(rrule, day) for day in rule.byday]
    return rrule.rrule(
        getattr(rrule, rule.freq),
        dtstart=start,
        interval=rule.interval,
        wkst=WEEKDAYS.index(rule.wkst),
        until=rule.until,
        bymonth=rule.bymonth or None,
        bymonthday=rule.bymonthday or None,
        byweekday=days or None,
        byhour=rule.byhour or None,
        byminute=rule.byminute or None,
        bysecond=0,
        bysetpos=rule.bysetpos or None,
    )


def _on_working_days(rule: Rule, start: datetime, calendar: WorkCalendar) -> Iterator[datetime]:
    """Times of the rule on worked days.

    Where its days are Monday to Friday, "working days" is what they mean: a worked Saturday runs too, and the last of a
    month (BYSETPOS) is the last that is worked.
    """
    if not rule.on_work_week:
        return _worked(rule, start, calendar)
    every_day = replace(rule, byday=WEEKDAYS)
    return _picked(every_day, start, calendar) if rule.bysetpos else _worked(every_day, start, calendar)


def _worked(rule: Rule, start: datetime, calendar: WorkCalendar) -> Iterator[datetime]:
    return (t for t in _made(rule, start) if calendar.is_working_day(t.date()))


def _picked(rule: Rule, start: datetime, calendar: WorkCalendar) -> Iterator[datetime]:
    """The first, the last … of the worked days of each week, month or year, which are looked at whole."""
    whole = replace(rule, bysetpos=(), until=None)
    begins = {
        "WEEKLY": start - timedelta(days=start.weekday()),
        "MONTHLY": start.replace(day=1),
        "YEARLY": start.replace(month=1, day=1),
    }[rule.freq]
    for _, times in groupby(_worked(whole, begins.replace(hour=0, minute=0), calendar), key=_PERIODS[rule.freq]):
        period = list(times)
        places = {n - 1 if n > 0 else len(period) + n for n in rule.bysetpos}
        for at in (t for place, t in enumerate(period) if place in places and t >= start):
            if rule.until is not None and at > rule.until:
                return
            yield at
