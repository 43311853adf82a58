"""Whether a moment that somebody else read in a text can be one that its words name."""

from datetime import datetime, timedelta

from .dates import DAY, Ctx
from .model import TimeExpr, TimeKind
from .parse import readings
from .settle import Reading

_MINUTE = timedelta(minutes=1)
# What is counted from something, or recurs, or is not clear, can mean any moment.
_OPEN = (TimeKind.duration, TimeKind.vague, TimeKind.recurrence)


def contradicts(at: datetime, text: str, now: datetime) -> bool:
    """Whether the words name times, and ``at`` is none of them. Both instants must carry a time zone.

    A day agrees with any time of it, a limit with what is not later, a clock without its half of the day with both.
    Words that count, recur or stay vague contradict nothing.
    """
    found = readings(text, now)
    if not found or any(r.expr.kind in _OPEN or r.piece.length for r in found):
        return False
    seen = at.astimezone(now.tzinfo)
    return not any(_agrees(seen, r, Ctx(now)) for r in found)


def _agrees(at: datetime, reading: Reading, ctx: Ctx) -> bool:
    expr, piece = reading.expr, reading.piece
    if expr.kind == TimeKind.moment and expr.start:
        if expr.grain == "day":
            return at.date() == expr.start.date()
        halves = (
            (timedelta(),) if not piece.clock or piece.clock.fixed or piece.part else (-DAY / 2, timedelta(), DAY / 2)
        )
        return any(abs(at - expr.start - half) <= _MINUTE for half in halves)
    return _within(at, expr, ctx)


def _within(at: datetime, expr: TimeExpr, ctx: Ctx) -> bool:
    # When a morning begins is a matter of taste.
    slack = timedelta(hours=2) if expr.grain == "part" else timedelta()
    early = expr.start is not None and at < expr.start - slack
    clocked = expr.grain in ("part", "minute")
    late = expr.end is not None and at > expr.end + slack and (clocked or at.date() != expr.end.date())
    if expr.kind == TimeKind.deadline:
        return not late and at >= ctx.now
    return not (early or late)
