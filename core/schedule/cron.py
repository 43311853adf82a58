"""Cron lines of five fields (minute, hour, day of month, month, weekday) as recurrence rules."""

from __future__ import annotations

from core.schedule.model import WhenError
from core.schedule.rule import WEEKDAYS, Rule

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_CRON_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
"""0 and 7 are both Sunday."""

_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day of the month", 1, 31), ("month", 1, 12), ("weekday", 0, 7))


def rule_of_cron(text: str) -> Rule:
    """`0 9 * * 1` as a rule. Raises `WhenError` naming the field that cannot be read."""
    words = text.upper().split()
    if len(words) != len(_FIELDS):
        raise WhenError(f"{text!r} is not a cron line of five fields such as 0 9 * * 1.")
    minutes, hours, monthdays, months, weekdays = (
        _values(word, name, low, high) for word, (name, low, high) in zip(words, _FIELDS, strict=True)
    )
    if monthdays and weekdays:
        # Cron means "either", which no single rule says.
        raise WhenError(f"{text!r} names both days of the month and weekdays; keep one of the two.")
    return Rule(
        freq="WEEKLY" if weekdays else "MONTHLY" if monthdays else "DAILY",
        bymonth=months,
        bymonthday=monthdays,
        byday=tuple(dict.fromkeys(WEEKDAYS[(day - 1) % 7] for day in weekdays)),
        byhour=hours or tuple(range(24)),
        byminute=minutes or tuple(range(60)),
    )


def _values(word: str, name: str, low: int, high: int) -> tuple[int, ...]:
    """The values of a field; none of them for a plain `*`."""
    if word in ("*", "?"):
        return ()
    found: set[int] = set()
    for part in word.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = span.partition("-")
        if span == "*":
            start, end = low, high - (name == "weekday")
        else:
            start = _value(first, name, low, high)
            end = _value(last, name, low, high) if dash else high if slash else start
        width = _value(step, name, 1, high) if slash else 1
        if end < start:
            raise WhenError(f"{part!r} as {name} of a cron line runs backwards.")
        found.update(range(start, end + 1, width))
    return tuple(sorted(found))


def _value(text: str, name: str, low: int, high: int) -> int:
    if name == "month" and text in _MONTHS:
        return _MONTHS.index(text) + 1
    if name == "weekday" and text in _CRON_DAYS:
        return _CRON_DAYS.index(text)
    if text.isascii() and text.isdecimal() and len(text) <= 2 and low <= int(text) <= high:
        return int(text)
    raise WhenError(f"{text!r} is not a {name} of a cron line ({low} to {high}).")
