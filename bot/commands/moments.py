"""Until when: `2h`, `2小时`, `until friday 9:00`, `到周五`, as an argument of a command."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from core.timetalk import TimeExpr, TimeKind, parse, parse_duration

FARTHEST = timedelta(days=3660)
"""A moment beyond this is a slip of the keyboard."""

_LEAD = re.compile(r"(?:until|till|for|暂停|直到|到)\s*", re.IGNORECASE)
_TRAIL = re.compile(r"\s*(?:为止|再说|再继续)$")


def until(words: str, now: datetime) -> datetime | None:
    """The moment that `words`, and nothing but them, name; None when they name none. It may lie in the past."""
    lead = _LEAD.match(words)
    said = _TRAIL.sub("", words[lead.end() :] if lead else words).strip()
    try:
        found = _written(said, now) or _spoken(said, now) or _spoken(words.strip(), now)
    except OverflowError:
        return None
    return found if found is not None and abs(found - now) <= FARTHEST else None


def _written(said: str, now: datetime) -> datetime | None:
    """`2h`, or ISO 8601; without an offset it is on the clock of `now`."""
    try:
        return now + parse_duration(said)
    except ValueError:
        pass
    try:
        at = datetime.fromisoformat(said)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=now.tzinfo)


def _spoken(said: str, now: datetime) -> datetime | None:
    found = parse(said, now)
    return _end_of_wait(found[0], now) if len(found) == 1 and found[0].pos == (0, len(said)) else None


def _end_of_wait(said: TimeExpr, now: datetime) -> datetime | None:
    """When a wait that is described like this is over: "到周五" ends as Friday begins."""
    if said.kind is TimeKind.duration and said.duration is not None:
        return now + said.duration
    if said.kind in (TimeKind.moment, TimeKind.span, TimeKind.since):
        return said.start
    return said.end if said.kind is TimeKind.deadline else None
