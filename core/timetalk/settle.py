"""Pieces to expressions: which instants the words mean, seen from now."""

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from .clocks import clock_on, next_clock
from .dates import DAY, PARTS, Ctx, add_days, add_months, nth_of, resolve_fields, shift
from .model import Clock, Length, Period, Piece, TimeExpr, TimeKind
from .recur import rrule_of

_MIDNIGHT = time()
_OF_DAY = re.compile(r"\s*的?\s*(?:,?\s*(?:at|in the|on the|around)\s+)?")
_OR_ELSE = re.compile(r"\s*(?:或者?|还是|和|、|/|,?\s*or|and)\s*(?:in the\s+)?")
_BEFORE_IT = re.compile(r"(?:before|earlier)$", re.I)
_STOP = re.compile(r"[。！!？?\n]")
_UNTIL = re.compile(r"until|till|through|为止|截止|截至", re.I)
_LAST_MINUTE = timedelta(days=1) - timedelta(minutes=1)


@dataclass(frozen=True)
class Reading:
    """An expression together with how it was said, for those who judge what it promises."""

    expr: TimeExpr
    piece: Piece
    day: date | None = None
    named: bool = True
    """Whether the words themselves name the day, and not those before them."""

    @property
    def bound(self) -> str | None:
        """What the words around made of it, as in ``Piece``."""
        return self.piece.bound


@dataclass(frozen=True)
class _Base:
    """What a piece means before its bound: wall-clock start, end (None: a moment), grain."""

    start: datetime
    end: datetime | None
    grain: str


def settle(pieces: list[Piece], text: str, ctx: Ctx) -> list[Reading]:
    """The readings of the pieces in order; a time without a day takes the day said last before it."""
    readings: list[Reading] = []
    context: date | None = None
    part: str | None = None
    for piece in pieces:
        named = True
        if piece.bound == "ago" and context and context > ctx.today and _BEFORE_IT.search(text, *_span(piece)):
            # "her birthday is on the 8th, remind me one day before"
            piece = replace(piece, bound="lead")
        if piece.bound == "lead":
            piece, context = _lead(piece, context, ctx)
        dayless = not (piece.day or piece.fields or piece.rule)
        if context and dayless and (piece.clock or (piece.part and _of_that_day(readings, piece, text))):
            piece, named = _in_context(piece, context, part, readings[-1]), False
            if (
                readings[-1].piece.length
                and readings[-1].expr.kind == TimeKind.moment
                and _right_behind(readings, piece, text)
            ):
                # "三天后下午两点" is one time.
                piece, named = replace(piece, start=readings.pop().expr.pos[0]), True
        expr = _express(piece, text, ctx)
        if expr is None:
            continue
        day = _named_day(piece, ctx)
        if piece.length and expr.kind == TimeKind.moment and expr.grain == "day" and expr.start:
            # "三天后下午两点"
            day = expr.start.date()
        readings.append(Reading(expr, piece, day, named))
        if day and day >= ctx.today:
            context, part = day, piece.part
        elif piece.period or piece.fields:
            context, part = None, None
    return _framed(readings, text)


def _of_that_day(readings: list[Reading], piece: Piece, text: str) -> bool:
    """ "明天上午或下午" is of one day."""
    last = readings[-1] if readings else None
    further = last and last.piece.part and _OR_ELSE.fullmatch(text, last.expr.pos[1], piece.start)
    return bool(further) or _right_behind(readings, piece, text)


def _right_behind(readings: list[Reading], piece: Piece, text: str) -> bool:
    """A part of a day says of which by standing behind it: "三天后的下午", "two days from now in the evening"."""
    return bool(readings) and bool(_OF_DAY.fullmatch(text, readings[-1].expr.pos[1], piece.start))


def _framed(readings: list[Reading], text: str) -> list[Reading]:
    """The recurrences with the begin and end that their sentence gives them: "从下周一开始每天…", "until Friday"."""
    if not any(r.expr.kind == TimeKind.recurrence for r in readings):
        return readings
    stops = [stop.start() for stop in _STOP.finditer(text)]
    frames: dict[int, tuple[datetime | None, datetime | None]] = {}
    for reading in readings:
        sentence = bisect_left(stops, reading.expr.pos[0])
        start, end = frames.get(sentence, (None, None))
        if reading.expr.kind == TimeKind.since:
            start = reading.expr.start
        elif reading.piece.until and reading.expr.grain == "day":
            start, end = reading.expr.start, reading.expr.end
        elif reading.expr.kind == TimeKind.deadline and _UNTIL.search(text, *reading.expr.pos):
            end = reading.expr.end
        frames[sentence] = start, end
    return [_in_frame(r, *frames[bisect_left(stops, r.expr.pos[0])]) for r in readings]


def _in_frame(reading: Reading, start: datetime | None, end: datetime | None) -> Reading:
    expr = reading.expr
    if expr.kind != TimeKind.recurrence:
        return reading
    return replace(reading, expr=replace(expr, start=start or expr.start, end=end or expr.end))


def _lead(piece: Piece, context: date | None, ctx: Ctx) -> tuple[Piece, date | None]:
    """ "三天前" counted from a day named before ("提前三天"); a mere length where none was."""
    moved = None
    if context and piece.length and not piece.length.seconds:
        moved = shift(ctx.aware(datetime.combine(context, time(12))), piece.length, -1)
    if moved is None:
        return replace(piece, bound=None), context
    return replace(piece, bound=None, length=None, day=moved.date()), moved.date()


def _span(piece: Piece) -> tuple[int, int]:
    return piece.start, piece.end


def _in_context(piece: Piece, day: date, part: str | None, last: Reading) -> Piece:
    """The piece on the day said before it, and in the half of that day: what follows is not earlier."""
    clock = piece.clock
    if clock and not (piece.part or clock.fixed):
        said = last.expr.start if last.expr.grain in ("minute", "part") else None
        morning = time(clock.hour % 24, clock.minute)
        if part == "dawn" and clock.hour <= 6:
            piece = replace(piece, part=part)
        elif said and said.date() == day and 7 <= clock.hour < 12 and said.hour >= 12 and morning <= said.time():
            piece = replace(piece, part="evening")
    return replace(piece, day=day)


def _named_day(piece: Piece, ctx: Ctx) -> date | None:
    if piece.day:
        return piece.day
    found = resolve_fields(piece.fields, ctx.today) if piece.fields and not piece.rule else None
    return found if isinstance(found, date) else None


def _express(piece: Piece, text: str, ctx: Ctx) -> TimeExpr | None:
    expr = TimeExpr(
        TimeKind.vague, text[piece.start : piece.end], (piece.start, piece.end), approximate=piece.approximate
    )
    if piece.vague:
        return expr
    if piece.rule:
        return replace(expr, kind=TimeKind.recurrence, rrule=rrule_of(piece), grain="minute" if piece.clock else "day")
    if piece.length:
        return _length_expr(expr, piece, piece.length, ctx)
    base = _base(piece, ctx)
    return _bounded(expr, piece, base, ctx) if base else None


def _length_expr(expr: TimeExpr, piece: Piece, length: Length, ctx: Ctx) -> TimeExpr | None:
    bound = piece.bound
    day_grain = not length.seconds
    grain = "day" if day_grain else "minute"
    if bound is None:
        return replace(expr, kind=TimeKind.duration, duration=length.delta(), grain=length.grain)
    if bound in ("last", "next") and length.grain == "quarter":
        return _quarters(expr, bound, round(length.months), ctx)
    moved = shift(ctx.now, length, -1 if bound in ("ago", "last") else 1)
    if moved is None:
        return None
    if bound in ("out", "ago"):
        at = ctx.aware(datetime.combine(moved.date(), _MIDNIGHT)) if day_grain else moved
        return replace(expr, kind=TimeKind.moment, start=at, grain=grain)
    if bound == "last":
        return replace(expr, kind=TimeKind.span, start=moved, end=ctx.now, grain=grain)
    return replace(expr, kind=TimeKind.span, start=ctx.now, end=moved, grain=grain)


def _quarters(expr: TimeExpr, bound: str, months: int, ctx: Ctx) -> TimeExpr | None:
    """Quarters are those of the calendar, whenever one speaks of them."""
    this = ctx.today.replace(month=(ctx.today.month - 1) // 3 * 3 + 1, day=1)
    first = add_months(this, -months if bound == "last" else 3)
    last = add_months(first, months) if first else None
    if first is None or last is None:
        return None
    start, end = (ctx.aware(datetime.combine(day, _MIDNIGHT)) for day in (first, last))
    return replace(expr, kind=TimeKind.span, start=start, end=end, grain="quarter")


def _base(piece: Piece, ctx: Ctx) -> _Base | None:
    if piece.until:
        return _range(piece, piece.until, ctx)
    base = _ahead(piece, ctx)
    return _back(base, piece, ctx) if base and piece.past else base


def _back(base: _Base, piece: Piece, ctx: Ctx) -> _Base:
    """The latest one that has gone by: of a weekday a week earlier, of a clock half a day or a whole one."""
    steps = [7 * DAY] if piece.fields and piece.fields.weekday is not None else [DAY]
    if piece.clock and not (piece.part or piece.clock.fixed or piece.day or piece.fields):
        steps.insert(0, DAY / 2)
    for step in [timedelta(), *steps]:
        behind, ahead = ctx.wall - (base.start - step), base.start - ctx.wall
        if piece.past == "near" and behind > ahead:
            return base
        if behind >= timedelta():
            return replace(base, start=base.start - step, end=base.end and base.end - step)
    return base


def _ahead(piece: Piece, ctx: Ctx) -> _Base | None:
    if piece.exact:
        return _Base(piece.exact, None, piece.exact_grain)
    day: date | Period | None = piece.day or piece.period
    if piece.fields:
        day = resolve_fields(piece.fields, ctx.today)
        if day is None:
            return None
    if piece.nth:
        day = nth_of(day, piece.nth) if isinstance(day, Period) else None
        if day is None:
            return None
    if isinstance(day, Period):
        return _of_period(day)
    if piece.clock:
        at = clock_on(day, piece.clock, piece.part, ctx) if day else next_clock(piece.clock, piece.part, ctx)
        return _Base(at, None, "minute") if at else None
    if piece.part:
        return _of_part(day, piece.part, ctx)
    return _Base(datetime.combine(day, _MIDNIGHT), None, "day") if day else None


def _of_period(period: Period) -> _Base:
    return _Base(datetime.combine(period.start, _MIDNIGHT), datetime.combine(period.end, _MIDNIGHT), period.unit)


def _of_part(day: date | None, part: str, ctx: Ctx) -> _Base | None:
    first, last = PARTS[part]
    if day is None:
        day = ctx.today
        if datetime.combine(day, _MIDNIGHT) + timedelta(hours=last) <= ctx.wall:
            day = add_days(day, 1)
    if day is None or day >= date.max - DAY:
        return None
    midnight = datetime.combine(day, _MIDNIGHT)
    return _Base(midnight + timedelta(hours=first), midnight + timedelta(hours=last), "part")


def _range(first: Piece, last: Piece, ctx: Ctx) -> _Base | None:
    # What lasts until now has begun.
    start = _base(replace(first, until=None, past="said" if last.exact == ctx.wall else first.past), ctx)
    if start is None:
        return None
    # The end lies after the start, so it is looked for from there on.
    seen = Ctx(ctx.aware(start.start)) if not _absolute(last) else ctx
    if last.length:
        moved = shift(ctx.aware(start.start), last.length, 1)
        end = _Base(moved.replace(tzinfo=None), None, "minute") if moved else None
    elif last.clock and not (last.day or last.fields or last.exact):
        end = _end_clock(start, last, last.clock)
    else:
        end = _base(last, seen)
    if end is None:
        return start
    between = last.bound == "between"
    if between and start.grain == "end" and start.end:
        start = replace(start, start=start.end)
    stop = end.start if between and end.grain != "end" else end.end
    if stop is None or (between and end.end is None):
        stop = end.start + (DAY if end.grain == "day" and end.start.date() < date.max else timedelta())
    grain = "minute" if "minute" in (start.grain, end.grain) else "day"
    return _Base(start.start, stop, grain) if stop > start.start else start


def _absolute(piece: Piece) -> bool:
    return bool(piece.exact or piece.day or (piece.fields and piece.fields.year))


def _end_clock(start: _Base, last: Piece, clock: Clock) -> _Base | None:
    """The end of "5点到6点": the next time after the start that the clock shows it."""
    day = start.start.date()
    at = clock_on(day, replace(clock, fixed=True), last.part, Ctx(start.start))
    if at is None:
        return None
    for step in (timedelta(), timedelta(hours=12), DAY):
        if step and step < DAY and (clock.fixed or last.part or clock.hour >= 12):
            continue
        if at.year < 9999 and at + step > start.start:
            return _Base(at + step, None, "minute")
    return None


def _bounded(expr: TimeExpr, piece: Piece, base: _Base, ctx: Ctx) -> TimeExpr:
    bound = piece.bound
    start, end = ctx.aware(base.start), ctx.aware(base.end) if base.end else None
    if bound in ("before", "by") or (bound == "within" and base.grain == "day" and end is None):
        # "今天之内" is until its end.
        return replace(expr, kind=TimeKind.deadline, end=ctx.aware(_limit(piece, base, bound)), grain=base.grain)
    if bound in ("since", "after", "onward"):
        if bound == "since" and start > ctx.now:
            # "since Monday" and "since nine" look back.
            weekday = piece.fields and piece.fields.weekday is not None
            clock = piece.clock and not (piece.day or piece.fields)
            start = ctx.aware(base.start - (7 * DAY if weekday else DAY if clock else timedelta()))
        late = (
            end if bound == "after" and base.grain in ("year", "month", "quarter", "half", "week", "weekend") else start
        )
        return replace(expr, kind=TimeKind.since, start=late or start, grain=base.grain)
    if end is not None:
        return replace(expr, kind=TimeKind.span, start=start, end=end, grain=base.grain)
    return replace(expr, kind=TimeKind.moment, start=start, grain=base.grain)


def _limit(piece: Piece, base: _Base, bound: str | None) -> datetime:
    """The latest instant of "before X": a day is meant with its end, a month or year without it."""
    if base.grain == "part" and base.end:
        # "上午前" and "by tomorrow evening" mean the end of it, "中午前" and "下午前" its beginning.
        late = piece.part != "noon" and (bound == "by" or piece.part == "morning")
        return base.end if late else base.start
    if piece.feast and bound == "before":
        return base.start - timedelta(minutes=1)
    if base.end is None:
        return base.start + (_LAST_MINUTE if base.grain == "day" else timedelta())
    if base.grain in ("edge", "end") or bound == "by":
        return base.end - timedelta(minutes=1)
    return base.start
