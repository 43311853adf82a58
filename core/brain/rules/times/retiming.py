"""A change of time: "往前挪半小时", "改到晚上八点", "from Friday to Thursday", seen from the time that holds now."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, time, timedelta

from core.brain.rules.times.recurring import clock_of, with_clock
from core.brain.rules.times.when import clock_at
from core.brain.rules.words.text import fold
from core.patterns import lazy
from core.timetalk import Bearing, TimeKind, bearings, parse, seen_there

_TO = lazy(
    r"(?:改|挪|推迟|延|放|换|调|提前|定|移|顺延|推|宽限)(?:时间|期限)?(?:一下)?(?:到|成|在|为|至)"
    r"|\b(?:to|until|till|by|instead|for|make it|at)\b",
    re.IGNORECASE,
)
_EARLIER = lazy(r"往前|提前|提早|早(?:一?点|些)?(?!上|晨|餐|饭|会)|\b(?:earlier|forward|ahead|sooner|bring)\b")
_LATER = lazy(r"往后|推[迟后]|延[后迟]|晚(?:一?点|些)?(?!上|饭|会)|顺延|\b(?:later|back|postpone|delay|push)\b")


def new_time(text: str, now: datetime, end_of_work: time) -> Bearing | None:
    """The time that things are moved to: the one behind a word of change, else the last one that is named. A clock of
    another zone is read in that one; of a zone that nobody knows it is none."""
    if (there := seen_there(text, now)) is None:
        return None
    found = _new_time(*there, end_of_work)
    own = now.tzinfo
    opens, closes = (
        (at.astimezone(own) if at else None for at in (found.opens, found.closes)) if found else (None, None)
    )
    return replace(found, opens=opens, closes=closes) if found else None


def _new_time(text: str, now: datetime, end_of_work: time) -> Bearing | None:
    found = [b for b in bearings(text, now, end_of_work=end_of_work) if b.closes is not None or b.opens is not None]
    found = [b for b in found if b.expr.kind not in (TimeKind.duration, TimeKind.recurrence)]
    behind = [
        b
        for b in found
        for hit in _TO.finditer(text, 0, b.expr.pos[1])
        if b.expr.pos[0] - 4 <= hit.end() <= b.expr.pos[0] + 4 or hit.start() == b.expr.pos[0]
    ]
    return behind[-1] if behind else (found[-1] if found else None)


def retimed(text: str, base: str | None, now: datetime, end_of_work: str) -> str | None:
    """The new `when` of what is kept for `base` (a moment or a rule); None: no new time is said.

    A rule stays a rule: a new hour or new days replace its own. A moment keeps its day where only an hour is said, and
    its hour where only a day is.
    """
    clock = clock_at(end_of_work)
    moved = _moved(text, base, now)
    if moved is not None:
        return moved
    said = parse(text, now)
    rule = next((t.rrule for t in said if t.rrule and "BY" in t.rrule), None)
    if rule is not None:
        kept = clock_of(base) if base and "FREQ=" in base else None
        return with_clock(rule, kept) if kept and clock_of(rule) is None else rule
    target = new_time(text, now, clock)
    if target is None or target.opens is None:
        return target.closes.isoformat() if target and target.closes else None
    if base is None:
        return target.opens.isoformat()
    if base.startswith("EVENT="):
        return target.opens.isoformat()
    return _on_rule(base, target) if "FREQ=" in base else _on_moment(base, target, now)


def _moved(text: str, base: str | None, now: datetime) -> str | None:
    """Shifted by a length."""
    own = fold(text)
    length = next((t.duration for t in parse(text, now) if t.kind == TimeKind.duration and t.duration), None)
    sign = -1 if _EARLIER.search(own) else 1 if _LATER.search(own) else 0
    if length is None or not sign or base is None or base.startswith("EVENT="):
        return None
    if "FREQ=" not in base:
        return (datetime.fromisoformat(base) + sign * length).isoformat()
    held = clock_of(base) or time(9, 0)
    shifted = datetime.combine(now.date(), held) + sign * length
    return with_clock(base, shifted.time()) if shifted.date() == now.date() else None


_DAY_NAMES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def _on_rule(base: str, target: Bearing) -> str:
    at = target.opens
    if at is None:
        return base
    if target.expr.grain in ("minute", "second"):
        base = with_clock(base, at.time())
        named_day = not re.fullmatch(
            r"\W*(?:早上|上午|中午|下午|傍晚|晚上|[0-9零一二两三四五六七八九十半点时刻分:：apm.\s])+\W*",
            fold(target.expr.text),
        )
        if not named_day:
            return base
    return re.sub(r"BYDAY=[A-Z,]+", f"BYDAY={_DAY_NAMES[at.weekday()]}", base)


def _on_moment(base: str, target: Bearing, now: datetime) -> str:
    held, at = datetime.fromisoformat(base), target.opens
    if at is None:
        return base
    if target.expr.grain in ("minute", "second"):
        only_clock = at.date() in (now.date(), now.date() + timedelta(days=1)) and not re.search(
            r"今|明|后天|周|星期|号|日|月|today|tomorrow|day\b", fold(target.expr.text)
        )
        return datetime.combine(held.date(), at.time(), tzinfo=at.tzinfo).isoformat() if only_clock else at.isoformat()
    return datetime.combine(at.date(), held.time(), tzinfo=at.tzinfo).isoformat()
