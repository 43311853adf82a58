"""A change to when a pending action happens, or by when its matter is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from core.brain.questions import Evaluate, EvaluatorResult
from core.brain.rules.amending.slots import keys_of, moments_of, with_moments, with_value
from core.brain.rules.words.text import any_of, fold, without_quotes
from core.patterns import lazy
from core.timetalk import TimeKind, deadline, parse
from core.timetalk.parse import readings
from core.timetalk.settle import Reading

_EARLIER = any_of(r"提前|早(?=[一半两三几\d点])|往前|\bearlier\b|\bsooner\b|\bforward\b|\bahead\b")
_LATER = any_of(
    r"推迟|延[后迟]?|晚(?=[一半两三几\d点])|往后|顺延|\blater\b|\bpush (?:it|that)? ?back\b|\bdelay|\bpostpone"
)
_AN_HOUR_OR_SO = lazy(r"点儿?(?:吧|$)|一[点些]|a (?:bit|little)")
PART_HOURS = {"dawn": 6, "morning": 9, "noon": 12, "afternoon": 15, "evening": 20, "night": 22}
"""What somebody means by a part of a day when they name no hour."""
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_BY_WHEN = lazy(r"前|之内|以内|最[晚迟]|要(?:到|给|回)?|\bby\b|\bbefore\b|\blatest\b|\bwithin\b|\bneed")


_RUN_LATER = lazy(
    r"再(?:发|问|办|打|做|提醒|联系|通知)|(?:改成|改到|换成)[^,，]{1,12}(?:发|问|办)(?:吧)?$|\b(?:send|ask|do) it (?:at|on|tomorrow|tonight|in)\b"
)
_BARE_HOUR = lazy(r"\b(?:to|at|say|it)\s+(?P<h>\d{1,2})(?::(?P<m>\d\d))?(?:\s*(?:o'clock|please|instead))*\W*$")


def change_times(q: Evaluate, pending: EvaluatorResult) -> EvaluatorResult | None:
    """`pending` at another time: its own moment or rule, else the deadline of its matter; None when no time is said."""
    text, now = without_quotes(q.text), q.now.astimezone(ZoneInfo(q.timezone))
    if not readings(text, now) and not _shift(text, now) and not _BARE_HOUR.search(fold(text)):
        return None
    if pending.type == "immediate" and _RUN_LATER.search(fold(text)):
        later = retimed(now.isoformat(), text, now)
        return pending.model_copy(update={"type": "planned", "when": later}) if later else None
    if pending.type == "planned" and pending.when:
        changed = retimed(pending.when, text, now)
        return pending.model_copy(update={"when": changed}) if changed else None
    change = partial(_kept_or_retimed, text=text, now=now)
    if any(moments_of(pending)):
        return _if_other(pending, with_moments(pending, change))
    by = deadline(text, now)
    if by is not None and {"raise_concern", "update_concern"} & set(keys_of(pending)):
        return with_value(pending, ("raise_concern", "update_concern"), "deadline", by.isoformat())
    return None


def _kept_or_retimed(when: str, *, text: str, now: datetime) -> str:
    if _BY_WHEN.search(fold(text)) and (by := deadline(text, now)) is not None:
        return by.isoformat()
    return retimed(when, text, now) or when


def _if_other(before: EvaluatorResult, after: EvaluatorResult) -> EvaluatorResult | None:
    return after if after != before else None


def retimed(when: str, text: str, now: datetime) -> str | None:
    """`when` (a moment or a rule) as `text` wants it; what `text` leaves open (the day, the hour) stays as it was."""
    try:
        old = datetime.fromisoformat(when)
    except ValueError:
        return _other_rule(when, text, now) if "FREQ=" in when else None
    old = old.replace(tzinfo=now.tzinfo) if old.tzinfo is None else old.astimezone(now.tzinfo)
    if shift := _shift(text, now):
        return (old + shift).isoformat()
    found = readings(text, now)
    if not found:
        return _at_hour(old, text)
    last = found[-1]
    if last.expr.kind is TimeKind.recurrence:
        return _with_hour(last.expr.rrule or "", (old.hour, old.minute), replace=False)
    at = moment_of(last, text, old, now)
    return at.isoformat() if at else None


def moment_of(reading: Reading, text: str, old: datetime, now: datetime) -> datetime | None:
    """The instant that a reading means in place of `old`."""
    piece, expr = reading.piece, reading.expr
    if expr.kind in (TimeKind.vague, TimeKind.recurrence) or (expr.start is None and expr.end is None):
        return None
    says_day = bool(piece.day or piece.fields or piece.exact or piece.length or reading.day)
    if piece.length and expr.grain != "day":
        return expr.start
    clock = _clock(reading, old)
    if not says_day:
        return old.replace(hour=clock[0], minute=clock[1], second=0) if clock else None
    first = expr.start or (expr.end - timedelta(minutes=1) if expr.end else None)
    hour, minute = clock or (old.hour, old.minute)
    return first.replace(hour=hour, minute=minute, second=0, microsecond=0) if first else None


def _clock(reading: Reading, old: datetime) -> tuple[int, int] | None:
    """The time of day that is said. Of two halves of a day that fit, the one nearer to the time that it replaces."""
    piece, expr = reading.piece, reading.expr
    at = expr.start or expr.end
    if piece.exact and at:
        return at.hour, at.minute
    if piece.clock is None or at is None:
        return (PART_HOURS[piece.part], 0) if piece.part in PART_HOURS else None
    if piece.part or piece.clock.fixed or piece.clock.closing:
        return at.hour, at.minute
    return _nearer(at.hour, at.minute, old)


def _nearer(hour: int, minute: int, old: datetime) -> tuple[int, int]:
    was = old.hour * 60 + old.minute
    halves = [(hour % 12) * 60 + minute, (hour % 12 + 12) * 60 + minute]
    return divmod(min(halves, key=lambda m: abs(m - was)), 60)


def _at_hour(old: datetime, text: str) -> str | None:
    """`change the time to 4`: a bare number behind a word that moves a time is an hour."""
    hit = _BARE_HOUR.search(fold(text))
    if hit is None or int(hit.group("h")) > 24 or int(hit.group("m") or 0) > 59:
        return None
    hour, minute = int(hit.group("h")), int(hit.group("m") or 0)
    clock = (hour % 24, minute) if hour > 12 else _nearer(hour, minute, old)
    return old.replace(hour=clock[0], minute=clock[1], second=0).isoformat()


def _shift(text: str, now: datetime) -> timedelta | None:
    """`提前一小时`, `half an hour later`: by how much it is moved, and to which side."""
    own = fold(text)
    sign = -1 if _EARLIER.search(own) else 1 if _LATER.search(own) else 0
    if not sign:
        return None
    found = readings(text, now)
    lengths = [r.expr.duration for r in found if r.expr.duration]
    if lengths:
        return sign * lengths[-1]
    ahead = [r for r in found if r.piece.length and r.expr.start]
    if ahead and ahead[-1].expr.start:
        return sign * abs(ahead[-1].expr.start - now)
    return None if found or not _AN_HOUR_OR_SO.search(own) else sign * timedelta(hours=1)


# --- rules --------------------------------------------------------------------------------------------------------


def _other_rule(rule: str, text: str, now: datetime) -> str | None:
    found = readings(text, now)
    old = _hour_of(rule)
    if shift := _shift(text, now):
        moved = now.replace(hour=old[0], minute=old[1]) + shift if old else None
        return _with_hour(rule, (moved.hour, moved.minute)) if moved else None
    if not found:
        return None
    last = found[-1]
    if last.expr.kind is TimeKind.recurrence and last.expr.rrule:
        return _head(rule) + _with_hour(last.expr.rrule, old, replace=False)
    clock = _clock(last, now.replace(hour=old[0], minute=old[1]) if old else now)
    if last.day and "FREQ=WEEKLY" in rule:
        rule = re.sub(r"BYDAY=[^;]*", f"BYDAY={_WEEKDAYS[last.day.weekday()]}", rule)
        return _with_hour(rule, clock) if clock else rule
    return _with_hour(rule, clock) if clock else None


def _head(rule: str) -> str:
    """What stands before the rule itself: the day on which it begins."""
    return rule[: rule.index("FREQ=")]


def _hour_of(rule: str) -> tuple[int, int] | None:
    hour, minute = re.search(r"BYHOUR=(\d+)", rule), re.search(r"BYMINUTE=(\d+)", rule)
    return (int(hour.group(1)), int(minute.group(1)) if minute else 0) if hour else None


def _with_hour(rule: str, clock: tuple[int, int] | None, *, replace: bool = True) -> str:
    if clock is None or (not replace and _hour_of(rule)):
        return rule
    bare = re.sub(r";?BY(?:HOUR|MINUTE)=\d+", "", rule)
    return f"{bare};BYHOUR={clock[0]};BYMINUTE={clock[1]}"


# --- times in words -----------------------------------------------------------------------------------------------


def time_replacer(text: str, now: datetime) -> Callable[[str], str] | None:
    """Puts the time that `text` says in the place of the only one that stands in some words; None when it says none."""
    new = [t for t in parse(text, now) if t.kind is not TimeKind.vague]
    if not new:
        return None

    def replace(words: str) -> str:
        there = parse(words, now)
        if len(there) != 1:
            return words
        start, end = there[0].pos
        return words[:start] + new[-1].text + words[end:]

    return replace
