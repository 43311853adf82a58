"""Until when: `2h`, `2小时`, `until friday 9:00`, `到周五`, as an argument of a command."""

from __future__ import annotations

import re
from datetime import datetime

from core.timetalk import TimeExpr, TimeKind, parse, parse_duration

_LEAD = re.compile(r"(?:until|till|for|暂停|直到|到)\s*", re.IGNORECASE)
_TRAIL = re.compile(r"\s*(?:为止|再说|再继续)$")


def until(words: str, now: datetime) -> datetime | None:
    """The moment that `words`, and nothing but them, name; None when they name none. It may lie in the past."""
    said = _TRAIL.sub("", _LEAD.sub("", words, count=1) if _LEAD.match(words) else words).strip()
    try:
        return now + parse_duration(said)
    except (ValueError, OverflowError):
        pass
    try:
        at = datetime.fromisoformat(said)
        return at if at.tzinfo else at.replace(tzinfo=now.tzinfo)
    except ValueError:
        pass
    for text in (said, words.strip()):
        found = parse(text, now)
        if len(found) == 1 and found[0].pos == (0, len(text)):
            return _end_of_wait(found[0], now)
    return None


def _end_of_wait(said: TimeExpr, now: datetime) -> datetime | None:
    """When a wait that is described like this is over: "到周五" ends as Friday begins."""
    if said.kind is TimeKind.duration and said.duration is not None:
        return now + said.duration
    if said.kind in (TimeKind.moment, TimeKind.span, TimeKind.since):
        return said.start
    return said.end if said.kind is TimeKind.deadline else None
