"""From when until when each time of a text bears on what is to be done then."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from .dates import Ctx
from .model import TimeExpr, TimeKind
from .numerals import plain
from .parse import readings
from .promise import fulfilled
from .recur import PART_HOURS
from .settle import Reading

_MORNING = time(9, 0)


@dataclass(frozen=True)
class Bearing:
    """A time expression with the instant at which something "then" is done (a day: 9:00, a part of a day: its usual
    hour) and the one by which it is (a day: 18:00 or the end of work). None where the words name neither."""

    expr: TimeExpr
    opens: datetime | None
    closes: datetime | None


def bearings(text: str, now: datetime, *, end_of_work: time = time(18, 0)) -> list[Bearing]:
    """What every time of the text amounts to, in order. ``now`` must carry a time zone, so do the results."""
    words, ctx = plain(text), Ctx(now)
    return [_bearing(r, words, ctx, end_of_work) for r in readings(text, now)]


def _bearing(reading: Reading, words: str, ctx: Ctx, end_of_work: time) -> Bearing:
    expr = reading.expr
    closes = fulfilled(reading, ctx.now, end_of_work, words)
    if expr.kind in (TimeKind.deadline, TimeKind.duration, TimeKind.vague, TimeKind.recurrence):
        return Bearing(expr, None, closes)
    return Bearing(expr, _opens(reading, closes, ctx), closes or _last_day(expr, ctx, end_of_work))


def _opens(reading: Reading, closes: datetime | None, ctx: Ctx) -> datetime | None:
    expr, piece = reading.expr, reading.piece
    if expr.start is None or expr.grain == "end":
        return None
    if expr.grain in ("minute", "second"):
        return closes if expr.kind == TimeKind.moment and piece.clock and piece.clock.closing else expr.start
    hour = time(PART_HOURS[piece.part]) if piece.part in PART_HOURS else _MORNING
    return ctx.aware(datetime.combine(expr.start.date(), hour))


def _last_day(expr: TimeExpr, ctx: Ctx, end_of_work: time) -> datetime | None:
    """A week or a month is over with its last day."""
    if expr.kind != TimeKind.span or expr.end is None:
        return None
    return ctx.aware(datetime.combine((expr.end - timedelta(minutes=1)).date(), end_of_work))
