"""A clock that is said in another zone: read there, told in the sender's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from core.brain.rules.times.timing import Span, Timing
from core.timetalk import said_zone

_NEAR = 3


def in_said_zone(text: str, now: datetime, read: Callable[[str, datetime], Timing | None]) -> Timing | None:
    """What `read` makes of the text and the present, in the zone that its clock is said in.

    Where that zone is not known, or a rhythm is of another zone than the sender's, which no rule holds the year round:
    a time without a moment, so that it is asked which is meant.
    """
    own = now.tzinfo
    said = said_zone(text, own) if own is not None else None
    if said is None:
        return read(text, now)
    found = read(said.text, now.astimezone(said.zone) if said.zone is not None else now)
    if found is None or not any(_beside(span, said.pos) for span in found.spans):
        return read(text, now)
    spans = (*found.spans, said.pos)
    if said.zone is not None and own is not None and _same(said.zone, own, now):
        return replace(found, spans=spans)
    if said.zone is None or found.at is None:
        return Timing(None, spans=spans)
    at = found.at.astimezone(own)
    due = datetime.fromisoformat(found.due).astimezone(own).isoformat() if found.due else None
    return replace(found, when=at.isoformat() if found.when else None, due=due, at=at, spans=spans)


def _beside(span: Span, zone: Span) -> bool:
    return span[0] - _NEAR <= zone[1] and zone[0] <= span[1] + _NEAR


def _same(one: tzinfo, other: tzinfo, now: datetime) -> bool:
    """Whether two zones show the same clock, in summer as in winter."""
    return all(
        at.astimezone(one).utcoffset() == at.astimezone(other).utcoffset() for at in (now, now + timedelta(days=182))
    )
