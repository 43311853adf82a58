"""A recurrence rule (RFC 5545) as a plain value: read, completed with what it takes from its start, and written.

Everything in it is wall clock. Supported: FREQ (MINUTELY to YEARLY), INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY,
BYDAY, BYHOUR, BYMINUTE, BYSETPOS (from WEEKLY on), WKST. A rule runs on whole minutes; BYSECOND is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from core.patterns import lazy
from core.schedule.model import WhenError

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
FREQUENCIES = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY")
WORK_WEEK = frozenset(WEEKDAYS[:5])
USUAL_HOUR = 9
"""When a rule that names a day and no hour fires."""

_NUMBER = lazy(r"[+-]?\d{1,7}", re.ASCII)
_TIME = lazy(r"\d[Tt ]\d")
_BYDAY = lazy(rf"(?P<nth>[+-]?\d{{1,2}})?(?P<day>{'|'.join(WEEKDAYS)})")
_NUMBER_LISTS = {
    "BYMONTH": (1, 12),
    "BYMONTHDAY": (-31, 31),
    "BYHOUR": (0, 23),
    "BYMINUTE": (0, 59),
    "BYSETPOS": (-366, 366),
}
_MONTH_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FIRST_YEAR, _LAST_YEAR = 1970, 2999
_MOST_INTERVAL = 10_000
_MOST_COUNT = 100_000


@dataclass(frozen=True)
class Rule:
    """One rule; `until` is naive, inclusive."""

    freq: str
    interval: int = 1
    count: int | None = None
    until: datetime | None = None
    bymonth: tuple[int, ...] = ()
    bymonthday: tuple[int, ...] = ()
    byday: tuple[str, ...] = ()
    byhour: tuple[int, ...] = ()
    byminute: tuple[int, ...] = ()
    bysetpos: tuple[int, ...] = ()
    wkst: str = "MO"

    @property
    def within_a_day(self) -> bool:
        """Whether it counts hours or minutes, not days."""
        return self.freq in ("HOURLY", "MINUTELY")

    @property
    def on_work_week(self) -> bool:
        """Whether its days are Monday to Friday."""
        return frozenset(self.byday) == WORK_WEEK

    def completed(self, start: datetime, *, timed: bool) -> Rule:
        """With the days and the time that it takes from its start; `timed`: the start names a time of day itself."""
        days: dict[str, tuple[int, ...] | tuple[str, ...]] = {}
        if not (self.byday or self.bymonthday):
            if self.freq == "WEEKLY":
                days["byday"] = (WEEKDAYS[start.weekday()],)
            elif self.freq in ("MONTHLY", "YEARLY"):
                days["bymonthday"] = (start.day,)
        if self.freq == "YEARLY" and not (self.bymonth or self.byday or self.bymonthday):
            days["bymonth"] = (start.month,)
        clock: dict[str, tuple[int, ...]] = {}
        if not self.byhour and not self.within_a_day:
            clock["byhour"] = (start.hour if timed else USUAL_HOUR,)
        if not self.byminute and self.freq != "MINUTELY":
            from_start = timed or (self.freq == "HOURLY" and not self.byhour)
            clock["byminute"] = (start.minute if from_start else 0,)
        return replace(self, **days, **clock)  # type: ignore[arg-type]

    def text(self) -> str:
        """The rule in the form that it is kept and read back in."""
        words = [f"FREQ={self.freq}"]
        if self.interval != 1:
            words.append(f"INTERVAL={self.interval}")
        if self.count is not None:
            words.append(f"COUNT={self.count}")
        if self.until is not None:
            words.append(f"UNTIL={self.until:%Y%m%dT%H%M%S}")
        if self.wkst != "MO":
            words.append(f"WKST={self.wkst}")
        for name in ("BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSETPOS"):
            values = getattr(self, name.lower())
            if values:
                words.append(f"{name}={','.join(str(v) for v in values)}")
        return ";".join(words)


@lru_cache(maxsize=1024)
def parse_rule(text: str, timezone: str) -> Rule:
    """The rule in `FREQ=…;BYDAY=…` form. An UNTIL with an offset is moved to the clocks of `timezone`.

    Raises `WhenError` naming the part that cannot be read.
    """
    parts: dict[str, str] = {}
    for piece in filter(None, (p.strip() for p in text.strip().strip(";").split(";"))):
        name, equals, value = piece.partition("=")
        if not equals or name.upper() in parts:
            raise WhenError(f"{piece!r} in the rule {text!r} is not readable; write it like FREQ=WEEKLY;BYDAY=MO.")
        parts[name.upper()] = value.strip().upper()
    freq = parts.pop("FREQ", "")
    if freq == "SECONDLY":
        raise WhenError(f"the rule {text!r} counts seconds, which is too often.", "too_often")
    if freq not in FREQUENCIES:
        raise WhenError(f"the rule {text!r} needs a FREQ such as DAILY, WEEKLY or MONTHLY.")
    parts.pop("BYSECOND", None)
    rule = Rule(
        freq=freq,
        interval=_number(parts.pop("INTERVAL", "1"), "INTERVAL", 1, _MOST_INTERVAL),
        count=_number(parts.pop("COUNT"), "COUNT", 1, _MOST_COUNT) if "COUNT" in parts else None,
        until=_until(parts.pop("UNTIL"), timezone) if "UNTIL" in parts else None,
        byday=_weekdays(parts.pop("BYDAY", ""), freq),
        wkst=_weekday(parts.pop("WKST", "MO")),
        **{name.lower(): _numbers(parts.pop(name, ""), name, low, high) for name, (low, high) in _NUMBER_LISTS.items()},
    )
    if parts:
        raise WhenError(f"{next(iter(parts))} in the rule {text!r} is not a part of a rule that can be kept.")
    return _possible(rule, text)


def _possible(rule: Rule, text: str) -> Rule:
    if rule.bysetpos and rule.freq in ("DAILY", "HOURLY", "MINUTELY"):
        raise WhenError(f"BYSETPOS in the rule {text!r} needs a FREQ of WEEKLY, MONTHLY or YEARLY.")
    if rule.bymonth and rule.bymonthday:
        longest = max(_MONTH_LENGTHS[month - 1] for month in rule.bymonth)
        if all(abs(day) > longest for day in rule.bymonthday):
            raise WhenError(f"the rule {text!r} names a day that none of its months has.", "never")
    return rule


def _number(text: str, name: str, low: int, high: int) -> int:
    if _NUMBER.fullmatch(text) and low <= int(text) <= high:
        return int(text)
    raise WhenError(f"{name}={text} is not a number from {low} to {high}.")


def _numbers(text: str, name: str, low: int, high: int) -> tuple[int, ...]:
    values = tuple(dict.fromkeys(_number(t.strip(), name, low, high) for t in text.split(","))) if text else ()
    if low < 0 and 0 in values:
        raise WhenError(f"{name}={text} counts from 1, or from -1 backwards.")
    return values


def _weekday(text: str) -> str:
    if text not in WEEKDAYS:
        raise WhenError(f"{text!r} is not a weekday; write one of {', '.join(WEEKDAYS)}.")
    return text


def _weekdays(text: str, freq: str) -> tuple[str, ...]:
    days = tuple(dict.fromkeys(t.strip().removeprefix("+") for t in text.split(","))) if text else ()
    for day in days:
        found = _BYDAY.fullmatch(day)
        if found is None:
            raise WhenError(f"BYDAY={day} is not a weekday such as MO, or 1MO for the first of the month.")
        if found["nth"] and (freq not in ("MONTHLY", "YEARLY") or int(found["nth"]) == 0):
            raise WhenError(f"BYDAY={day} counts weekdays, which needs FREQ=MONTHLY or YEARLY.")
    return days


def _until(text: str, timezone: str) -> datetime:
    """The last moment of a rule, naive; a day counts whole."""
    at = read_moment(text)
    if at.tzinfo is not None:
        at = at.astimezone(ZoneInfo(timezone)).replace(tzinfo=None)
    return at if names_time(text) else at + timedelta(days=1) - timedelta(minutes=1)


def read_moment(text: str) -> datetime:
    """An ISO 8601 moment or day, in the basic or the extended form; naive without an offset. Raises `WhenError`."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise WhenError(f"{text.strip()!r} is not a moment such as 2026-03-20T18:00.") from None
    if not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        raise WhenError(f"{text.strip()!r} lies too far away to be kept.")
    return at


def names_time(text: str) -> bool:
    """Whether an ISO 8601 text names a time of day, not only a day."""
    return _TIME.search(text.strip()) is not None
