"""What a text promises or asks for by way of time (RULES 4): deliberate, and rather silent than wrong."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from . import cues
from .dates import DAY, Ctx
from .model import TimeKind
from .numerals import plain
from .parse import readings
from .settle import Reading

_SIX = time(18, 0)
# What a part of a day promises: a morning is over at noon, an evening before the quiet hours.
_PART_ENDS = {
    "dawn": time(6, 0),
    "morning": time(12, 0),
    "noon": time(12, 0),
    "evening": time(22, 0),
    "night": time(23, 59),
}
# Nobody answers a question by naming a time years ahead.
_FAR = timedelta(days=366)
_BACKWARD = ("since", "onward", "after", "last", "ago")
_LIMITS = ("before", "by", "within")


@dataclass(frozen=True)
class _Candidate:
    at: datetime
    reading: Reading
    certain: bool


def promised(text: str, now: datetime, *, end_of_work: time = _SIX) -> datetime | None:
    """The moment that a delegate's reply promises, or None where it promises none.

    A day means its 18:00, or ``end_of_work`` where that is earlier; a morning 12:00; "下班前" ``end_of_work``. A week
    or a vague word promises nothing, nor does what hangs on a condition, is asked, doubted, denied, or past. Of several
    the last binding one counts ("最晚", "前", "by"), else the last. ``now`` must carry a time zone, so does the result.
    """
    words = plain(text)
    if cues.AUTOMATIC.search(words):
        return None
    candidates = _candidates(words, readings(text, now), now, end_of_work)
    if not candidates:
        return None
    binding = [c for c in candidates if c.certain]
    if binding and not cues.CORRECTION.search(words, binding[-1].reading.expr.pos[1]):
        return binding[-1].at
    return candidates[-1].at


def deadline(text: str, now: datetime, *, end_of_work: time = _SIX, gone: bool = False) -> datetime | None:
    """The moment by which an owner's request wants its matter done, or None. `gone`: also one that has gone by.

    Counts what is said as a limit ("周五前", "今天内", "by Friday"), and a plain time with a word of need behind it
    ("今天要", "I need it tomorrow") unless the time is that of an errand ("明天九点提醒我").
    """
    words = plain(text)
    found = None
    for reading in readings(text, now):
        closing = reading.piece.clock and reading.piece.clock.closing and reading.bound is None
        limit = (reading.bound in _LIMITS or closing) and not _asked(words, reading)
        if limit or _needed(words, reading):
            at = fulfilled(reading, now, end_of_work, words)
            if at and (gone or at > now):
                found = at
    return found


def is_vague(text: str, now: datetime) -> bool:
    """Whether the text speaks of time without committing to any: "过几天", "尽快", "下周吧", "soon"."""
    words, found = plain(text), readings(text, now)
    doubted = bool(found) and bool(cues.DOUBT.search(words))
    if any(_definite(r, words) for r in found):
        return doubted
    return doubted or any(r.expr.kind in (TimeKind.vague, TimeKind.span) or r.expr.approximate for r in found)


def has_definite_time(text: str, now: datetime) -> bool:
    """Whether the text answers "when" with a day or a time: "周四", "3月18日", "tomorrow", "月底"; not "下周"."""
    words = plain(text)
    return any(_definite(r, words) for r in readings(text, now))


def _definite(reading: Reading, words: str) -> bool:
    expr = reading.expr
    if expr.kind in (TimeKind.vague, TimeKind.recurrence, TimeKind.since) or _rough(reading):
        return False
    if expr.kind == TimeKind.duration:
        return _takes(words, reading)
    if expr.kind == TimeKind.span:
        return expr.grain in ("minute", "part", "day") or reading.bound in _LIMITS or expr.grain == "end"
    return True


def _rough(reading: Reading) -> bool:
    """ "几天", "a few hours": a length that is a guess names no time."""
    piece = reading.piece
    return piece.vague or bool(piece.length and piece.approximate)


def _candidates(words: str, found: list[Reading], now: datetime, end_of_work: time) -> list[_Candidate]:
    conditional = [*cues.condition_spans(words), *(m.span() for m in cues.QUOTED.finditer(words))]
    candidates = []
    for reading in found:
        start, end = reading.expr.pos
        first, last = cues.clause_around(words, start, end)
        if any(a <= start < b for a, b in conditional) or _unbinding(words, reading, first, last):
            continue
        at = fulfilled(reading, now, end_of_work, words)
        if at is None or not now < at < now + _FAR or _over(words[first:start], words[end:last], reading, now):
            continue
        certain = reading.bound in _LIMITS or bool(cues.CERTAIN.search(words, first, last))
        candidates.append(_Candidate(at, reading, certain))
    return candidates


def _belongs(words: str, end: int) -> bool:
    """Whether the time is that of a thing: "今天的价", "明天的会"."""
    return bool(re.match(r"的(?!话|样子|时候|$|[，,。！!])", words[end : end + 4]))


def _unbinding(words: str, reading: Reading, first: int, last: int) -> bool:
    """Whether the clause doubts, asks or denies, or speaks of the past."""
    start, end = reading.expr.pos
    clause, after = words[first:last], words[end:last]
    if reading.bound in _BACKWARD or _belongs(words, end):
        return True
    if cues.DOUBT.search(clause) or cues.QUESTION.search(clause):
        return True
    # "还没弄完周五给你": a Chinese "not" reaches what stands right behind it, an English one its whole clause.
    if cues.NEGATION_ZH.search(words, max(first, start - 2), start) or cues.NEGATION_ZH.search(after):
        return True
    if cues.ABSENCE_ZH.search(words, max(first, start - 4), start) or cues.ABSENCE_ZH.search(after):
        return True
    return bool(cues.REFUSAL_EN.search(words[first:start]) or cues.REFUSAL_EN.search(after))


def _over(before: str, after: str, reading: Reading, now: datetime) -> bool:
    """Whether a time said without its day is one that has passed: "早上七点就签了", "uploaded at 8:31"."""
    if reading.piece.day:
        return False
    if cues.PAST_VERB.search(before) and not cues.FUTURE.search(before + after):
        return True
    if not cues.DONE.search(after):
        return False
    fields = reading.piece.fields
    if fields:
        return bool(fields.day and not fields.month and fields.day < now.day)
    start = reading.expr.start
    return start is not None and start.date() > now.date()


def _takes(words: str, reading: Reading) -> bool:
    start, end = reading.expr.pos
    if cues.TAKES.search(words[max(0, start - 30) : start]) or cues.TAKES_AFTER.match(words, end):
        return True
    # "马上，十分钟": minutes that are a clause of their own answer "when".
    first, last = cues.clause_around(words, start, end)
    alone = not (words[first:start] + words[end:last]).strip(" .吧左右就哈啊")
    return alone and reading.expr.grain == "minute"


def fulfilled(reading: Reading, now: datetime, end_of_work: time, words: str) -> datetime | None:
    """The instant by which a reading of these words is fulfilled, or None where it names no day or time."""
    expr, piece = reading.expr, reading.piece
    ctx = Ctx(now)
    if _rough(reading):
        return None
    if expr.kind == TimeKind.duration:
        length = expr.duration if _takes(words, reading) else None
        if length is None or length > 60 * DAY:
            return None
        if expr.grain in ("minute", "second"):
            return now + length
        return _evening((now + length).date(), ctx, end_of_work)
    if piece.clock and piece.clock.closing and (stop := expr.start or expr.end):
        return ctx.aware(datetime.combine(stop.date(), end_of_work))
    if expr.kind == TimeKind.moment and expr.start:
        return _evening(expr.start.date(), ctx, end_of_work) if expr.grain == "day" else expr.start
    if expr.kind == TimeKind.deadline and expr.end:
        return _limit_value(reading, expr.end, ctx, end_of_work)
    return _span_value(reading, ctx, end_of_work) if expr.kind == TimeKind.span else None


def _limit_value(reading: Reading, end: datetime, ctx: Ctx, end_of_work: time) -> datetime:
    grain = reading.expr.grain
    if grain == "part" and reading.piece.part == "afternoon" and end.time() >= _SIX:
        return _evening(end.date(), ctx, end_of_work)
    if grain in ("minute", "part"):
        # "before midnight" is still that day.
        return end - timedelta(minutes=1) if end.time() == time() and reading.bound == "before" else end
    day = end.date()
    if grain in ("week", "weekend") or (grain == "end" and reading.piece.period):
        day = _friday(end, ctx)
    elif end.time() == time():
        day = day - DAY
    return _evening(day, ctx, end_of_work)


def _friday(end: datetime, ctx: Ctx) -> date:
    """The last weekday of the week that ends at ``end``, or its last day once that Friday is over."""
    last = (end - timedelta(minutes=1)).date()
    friday = last - timedelta(days=max(0, last.weekday() - 4))
    return friday if friday >= ctx.today else last


def _span_value(reading: Reading, ctx: Ctx, end_of_work: time) -> datetime | None:
    expr, piece = reading.expr, reading.piece
    if expr.end is None or expr.start is None:
        return None
    if piece.length:
        if piece.bound != "within" and piece.bound != "next":
            return None
        return expr.end if expr.grain == "minute" else _evening(expr.end.date(), ctx, end_of_work)
    if expr.grain == "part":
        if piece.part == "afternoon":
            return _evening(expr.start.date(), ctx, end_of_work)
        return ctx.aware(datetime.combine(expr.start.date(), _PART_ENDS[piece.part or "morning"]))
    if expr.grain == "minute":
        return expr.end
    if expr.grain == "end" or piece.bound == "within":
        week = expr.grain in ("week", "weekend") or (expr.grain == "end" and piece.period)
        day = _friday(expr.end, ctx) if week else (expr.end - DAY).date()
        return _evening(day, ctx, end_of_work)
    return None


def _evening(day: date, ctx: Ctx, end_of_work: time) -> datetime:
    return ctx.aware(datetime.combine(day, min(_SIX, end_of_work)))


def _asked(words: str, reading: Reading) -> bool:
    """Whether the limit is what is asked about: "年底前能不能装上"."""
    first, last = cues.clause_around(words, *reading.expr.pos)
    return bool(cues.ASKED.search(words, reading.expr.pos[1], last)) and first <= last


def _needed(words: str, reading: Reading) -> bool:
    """Whether a word of need stands behind the time, or before it in the same clause, and no errand between."""
    if reading.expr.kind not in (TimeKind.moment, TimeKind.span) or reading.bound in _BACKWARD:
        return False
    start, end = reading.expr.pos
    first, last = cues.clause_around(words, start, end)
    if cues.ASKED.search(words, first, last) or _belongs(words, end):
        return False
    errand = cues.ERRAND.search(words, end, last)
    need = cues.NEED.search(words, end, errand.start() if errand else last)
    if need:
        return True
    return bool(cues.NEED.search(words, first, start)) and not cues.ERRAND.search(words, first, start)
