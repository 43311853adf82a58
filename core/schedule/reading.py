"""From the `when` of an evaluated tendency to a trigger that can be kept."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.calendar import at_wall
from core.limits import ScheduleLimits
from core.patterns import lazy
from core.schedule.cron import rule_of_cron
from core.schedule.model import ScheduleTrigger, WhenError
from core.schedule.rule import USUAL_HOUR, Rule, names_time, parse_rule, read_moment
from core.schedule.runs import runs_after
from core.timetalk import parse_duration

SHORTEST = ScheduleLimits().min_interval

_EVENT = lazy(r"EVENT\s*[=:]\s*(?P<condition>.*)", re.IGNORECASE | re.DOTALL)
_EVERY = lazy(r"EVERY\s+(?P<length>\S.*)", re.IGNORECASE)
_START = lazy(r"DTSTART(?:;TZID=(?P<zone>[\w/+-]+))?[=:](?P<at>[^;\s]+)[;\s]*", re.IGNORECASE)
"""`DTSTART=…;` before a rule, or a line of its own as iCalendar has it."""
_RULE = lazy(r"(?:RRULE:)?(?P<rule>[A-Z]+=[^\s;=]*(?:;[A-Z]+=[^\s;=]*)*;?)", re.IGNORECASE)
_CRON = lazy(r"(?:[\d*?,/A-Z-]+\s+){4}[\d*?,/A-Z-]+", re.IGNORECASE)

_LOOKED_AT = 100
"""Runs whose distance is looked at; as many as a day can hold, so that every time of the day is among them."""


def read_when(
    when: str, timezone: str, now: datetime, *, working_days: bool = False, min_interval: timedelta = SHORTEST
) -> ScheduleTrigger:
    """The trigger that `when` says: a moment, a rule, a cron line, `EVERY 2h`, or `EVENT=` with a condition.

    Without an offset a moment is on the clocks of `timezone`; a day without a time means 9:00. A rule begins at its
    DTSTART, else at `now`. Raises `WhenError` (a `ValueError`) with one sentence when it cannot be read, never runs, or
    runs more often than every `min_interval`. A moment that has gone by is read all the same: see `is_past`.
    """
    text = when.strip()
    if (event := _EVENT.fullmatch(text)) is not None:
        condition = event["condition"].strip()
        if not condition:
            raise WhenError(f"{when!r} names no condition.")
        return ScheduleTrigger(kind="event", when=condition, timezone=timezone)
    begins, text = _start(text, timezone)
    if begins is not None and not text:
        return ScheduleTrigger(kind="once", when=begins.at.isoformat(), timezone=timezone)
    zone = str(begins.at.tzinfo) if begins else timezone
    rule = _rule(text, zone, now)
    if rule is None:
        if begins is not None:
            raise WhenError(f"{text!r} is not a rule such as FREQ=WEEKLY;BYDAY=MO.")
        return ScheduleTrigger(kind="once", when=_moment(text, timezone).isoformat(), timezone=timezone)
    start = (begins.at if begins else now.astimezone(ZoneInfo(zone))).replace(second=0, microsecond=0)
    trigger = ScheduleTrigger(
        kind="recurring",
        when=rule.completed(start.replace(tzinfo=None), timed=begins is not None and begins.timed).text(),
        timezone=zone,
        start=start,
        working_days=working_days,
    )
    _check(trigger, min_interval)
    return trigger


class _Start(NamedTuple):
    """The DTSTART of a rule; `timed`: it names a time of day."""

    at: datetime
    timed: bool


def _start(text: str, timezone: str) -> tuple[_Start | None, str]:
    """The start that the text names, and the rest of it."""
    found = _START.search(text)
    if found is None:
        return None, text
    zone = found["zone"] or timezone
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise WhenError(f"{zone!r} is not a known time zone.") from None
    rest = f"{text[: found.start()].strip()}{text[found.end() :].strip()}"
    return _Start(_moment(found["at"], zone), names_time(found["at"])), rest


def _rule(text: str, zone: str, now: datetime) -> Rule | None:
    """The rule that the text is; None for what is none."""
    if (every := _EVERY.fullmatch(text)) is not None:
        return _every(every["length"], now.astimezone(ZoneInfo(zone)))
    if (rule := _RULE.fullmatch(text)) is not None:
        return parse_rule(rule["rule"], zone)
    return parse_rule(rule_of_cron(text).text(), zone) if _CRON.fullmatch(text) else None


def _every(length: str, now: datetime) -> Rule:
    """`EVERY 2h` from now on: in days on this time of day, else in hours or minutes."""
    try:
        minutes, rest = divmod(parse_duration(length), timedelta(minutes=1))
    except ValueError as error:
        raise WhenError(str(error)) from None
    if rest or not minutes:
        raise WhenError(f"{length!r} is not a whole number of minutes.", "unreadable" if minutes else "too_often")
    days, in_days = divmod(minutes, 24 * 60)
    hours, in_hours = divmod(minutes, 60)
    if not in_days:
        return parse_rule(f"FREQ=DAILY;INTERVAL={days};BYHOUR={now.hour};BYMINUTE={now.minute}", str(now.tzinfo))
    unit = f"MINUTELY;INTERVAL={minutes}" if in_hours else f"HOURLY;INTERVAL={hours}"
    return parse_rule(f"FREQ={unit}", str(now.tzinfo))


def at_the_time_of(trigger: ScheduleTrigger, at: datetime) -> ScheduleTrigger | None:
    """The same rule at another time of day, that of `at`; None for a rule of hours or minutes, which has none."""
    rule = parse_rule(trigger.when, trigger.timezone)
    if rule.within_a_day:
        return None
    shown = at.astimezone(ZoneInfo(trigger.timezone))
    moved = replace(rule, byhour=(shown.hour,), byminute=(shown.minute,))
    return trigger.model_copy(update={"when": moved.text()})


def _moment(text: str, timezone: str) -> datetime:
    """An instant on the clocks of `timezone`; one that they skip is the first after the gap."""
    at, tz = read_moment(text), ZoneInfo(timezone)
    if at.tzinfo is not None:
        return at.astimezone(tz)
    minutes = at.hour * 60 + at.minute if names_time(text) else USUAL_HOUR * 60
    return at_wall(at.date(), minutes, tz) + timedelta(seconds=at.second)


def _check(trigger: ScheduleTrigger, min_interval: timedelta) -> None:
    """It runs at all, and no faster than allowed. Looked at on clocks that are never set: a gap is no fault."""
    assert trigger.start is not None
    start = trigger.start.replace(tzinfo=UTC)
    plain = trigger.model_copy(update={"timezone": "UTC", "start": start})
    try:
        runs = list(islice(runs_after(plain, start - timedelta(minutes=1)), _LOOKED_AT))
    except ValueError:  # its hours or minutes can never meet its interval
        runs = []
    if not runs:
        raise WhenError(f"the rule {trigger.when!r} never comes to a run.", "never")
    if any(later - earlier < min_interval for earlier, later in pairwise(runs)):
        minutes = int(min_interval.total_seconds() // 60)
        raise WhenError(f"the rule {trigger.when!r} runs more often than every {minutes} minutes.", "too_often")
