"""When an action is to happen, by its words: the `when` of an `EvaluatorResult`.

Of all the times in a message one is that of the errand itself; the others belong to what is asked, told or promised.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

from core.brain.rules.times.conditions import Condition, condition_in, verb_start
from core.brain.rules.times.recurring import Recurring, recurrence_in
from core.brain.rules.times.timing import Span, Timing
from core.brain.rules.times.zoned import in_said_zone
from core.brain.rules.words.text import is_english, squeezed
from core.calendar.holidays_cn import is_working_day_cn
from core.patterns import lazy
from core.timetalk import Bearing, TimeKind, bearings

_HEADSTART = timedelta(minutes=30)
_MORNING = time(9, 0)
FINE = ("minute", "second", "part")


def when_of(text: str, now: datetime, *, end_of_work: str = "18:00") -> str | None:
    """The moment (ISO 8601), rule (RFC 5545) or condition (`EVENT=`) that a text names; None where it names none.

    `now` carries the sender's time zone. For words that are about a time ("改到周五三点", "every Monday at 9").
    """
    found = timing_of(text, now, len(text), len(text), end_of_work=end_of_work)
    return found.when if found and not found.past else None


def timing_of(
    text: str, now: datetime, start: int, end: int, *, end_of_work: str = "18:00", mine: bool = True, told: bool = False
) -> Timing | None:
    """The time of the errand whose verb, or whose person, stands at `start` to `end`; None where its words name none.

    `mine`: it is for the sender, so any time in its words may be its own ("remind me at five"). Else what stands behind
    the person belongs to the matter, save right behind them ("ask Tom next Monday whether …") and at the very end of
    what is no question; where something is `told`, all of it. A clock that is said in another zone is read in that one.
    """
    stop = clock_at(end_of_work)
    return in_said_zone(text, now, lambda words, at: _timing_of(words, at, start, end, stop, mine=mine, told=told))


def _timing_of(text: str, now: datetime, start: int, end: int, stop: time, *, mine: bool, told: bool) -> Timing | None:
    person, start = start, verb_start(text, start)
    rule = recurrence_in(text, now, stop)
    if rule is not None and (
        mine or rule.at < start or (not told and _governs(text[start:person], text[end : rule.at]))
    ):
        return _recurring(rule)
    found = [b for b in bearings(text, now, end_of_work=stop) if b.expr.kind != TimeKind.recurrence]
    usable = [b for b in found if _is_time(b) and not _belongs(text, b.expr.pos[1], found)]
    if not mine:
        usable = [b for b in usable if not _IS_MOVED.search(text, 0, b.expr.pos[0])]
    if mine and (ahead := _ahead(usable, now, found)) is not None:
        return ahead
    if (
        odd := next((b for b in usable if (mine or b.expr.pos[1] <= start) and _no_clock(text, b.expr.pos[1])), None)
    ) is not None:
        return Timing(None, spans=(odd.expr.pos,))  # it must be asked which hour is meant
    near, condition = _near(text, usable, start), condition_in(text, start, end, mine=mine)
    if near is not None and condition is not None and _is_more(condition, near):
        near = None
    if near is None and condition is not None and not _known_end(usable, condition.span, now):
        return Timing(f"EVENT={condition.words}", f"EVENT={condition.words}", spans=(condition.span,))
    if mine:
        chosen = near or _following(text, usable, end) or _last(usable, start)
    else:
        chosen = (
            near
            or (_last(usable, condition.span[0]) if condition else None)
            or (None if told else _beside(text, usable, end))
        )
    if chosen is not None:
        return _single(chosen, now, condition.span if condition else _day_before(text, usable, chosen))
    if mine and any(b.expr.kind == TimeKind.vague for b in found):
        return Timing(None, spans=tuple(b.expr.pos for b in found if b.expr.kind == TimeKind.vague))
    return None


# "会改到四点了，告诉张三": the time is what they are to hear.
_IS_MOVED = lazy(
    r"(?:改|推迟|推后|延期?|延后|提前|调整?|挪|换|移)(?:到|成|在|为|至)\s*$|\b(?:moved|postponed|rescheduled|pushed|brought forward|changed|shifted)(?: back| up| forward)? to\s*$",
    re.IGNORECASE,
)
# Numbers that no clock shows, right behind a day or an hour.
_NO_CLOCK = lazy(
    r"\s*(?:早上|上午|中午|下午|晚上|at )?\s*(?:2[5-9]|[3-9]\d)(?:点|时(?!候|间)|:\d\d)|(?<=\d)\d(?![\d:.])",
    re.IGNORECASE,
)


def _no_clock(text: str, end: int) -> bool:
    """ "明天25点", "8点70": a number behind a time that no clock shows."""
    return bool(_NO_CLOCK.match(text, end))


def due_of(text: str, now: datetime, *, end_of_work: str = "18:00") -> Timing | None:
    """By when something is expected, once or again and again; None where no such time is named.

    The first time that is named, with the clock of a later one on the same day. "过了10号": when that day is over.
    """
    stop = clock_at(end_of_work)
    return in_said_zone(text, now, lambda words, at: _due_of(words, at, stop))


def _due_of(text: str, now: datetime, stop: time) -> Timing | None:
    if (rule := recurrence_in(text, now, stop)) is not None:
        return _recurring(rule)
    found = [b for b in bearings(text, now, end_of_work=stop) if b.expr.kind != TimeKind.recurrence]
    usable = [b for b in found if _is_time(b) and b.closes is not None and not _belongs(text, b.expr.pos[1], found)]
    if not usable:
        return None
    first = usable[0]
    same_day = [b for b in usable[1:] if b.closes and first.closes and b.closes.date() == first.closes.date()]
    chosen = next((b for b in same_day if b.expr.grain in FINE and first.expr.grain == "day"), first)
    spans = tuple(b.expr.pos for b in (first, *same_day))
    due = chosen.closes
    if due is not None and chosen.expr.grain == "day" and any(_OVER.search(text, 0, a) for a, _ in spans):
        due = due.replace(hour=23, minute=59)
    return Timing(None, due.isoformat() if due else None, due, past=due is not None and due <= now, spans=spans)


_OVER = lazy(r"过了?$|\bafter\s*$", re.IGNORECASE)
_QUESTION = lazy(r"\b(?:if|whether|when|what|how|who|which|where|why|that)\b|[?？]", re.IGNORECASE)
_ORDERED = lazy(r"(?:让|请|叫|催|要|安排)(?:一下|下)?$")


def _governs(order: str, between: str) -> bool:
    """Whether a recurrence behind the person is that of the order: "让晨晨每周四把…发我", "have Ingrid send … monthly"."""
    if _ORDERED.search(order):
        return len(between) <= 1
    return (order + between).isascii() and not _QUESTION.search(between)


def _beside(text: str, usable: list[Bearing], end: int) -> Bearing | None:
    """A time right behind the person, or at the end of what is no question. Only English puts it there."""
    if not is_english(text):
        return None
    for bearing in usable:
        first, last = bearing.expr.pos
        if first < end or bearing.opens is None:
            continue
        right_behind = re.fullmatch(r"\s*(?:on|at|by)?\s*", text[end:first])
        # "book the room for Thursday 3pm": the time is that of what is booked.
        of_a_thing = re.search(r"\bfor\s*$", text[:first])
        at_the_end = len(text) - last <= 2 and bearing.expr.grain in FINE and not _QUESTION.search(text[end:])
        if of_a_thing:
            continue
        if right_behind or at_the_end:
            return bearing
    return None


def clock_at(end_of_work: str) -> time:
    """ "18:00" as a time of day; "24:00" is the last minute."""
    hour, _, minute = end_of_work.partition(":")
    return time(int(hour), int(minute or 0)) if int(hour) < 24 else time(23, 59)


def _recurring(rule: Recurring) -> Timing:
    return Timing(rule.early or rule.rule, rule.rule, working_days=rule.working_days, spans=rule.spans)


def _is_time(bearing: Bearing) -> bool:
    return bearing.opens is not None or (bearing.closes is not None and bearing.expr.kind != TimeKind.duration)


def _belongs(text: str, end: int, found: list[Bearing]) -> bool:
    """The time is that of a thing: "三点的会", "明天的早饭", "the 3pm call" is not told apart. "三天后的下午" is one time."""
    if any(b.expr.pos[0] == end + 1 for b in found):
        return False
    return bool(re.match(r"的(?!时候|话)|['’]s?\s", text[end : end + 3]) or re.search(r"['’]s$", text[:end]))


_FILL = lazy(
    r"(?:的?时候|左右|整|,|，|\s|你|您|再|就|请(?!假)|帮我|帮忙|替我|麻烦|劳烦|记得|务必|给我|开始|去|都|先|一定|要|清海|到时候?|"
    r"开始|把|please|pls|can you|could you|would you|then|just|you|sharp|and)*",
    re.IGNORECASE,
)


def _near(text: str, usable: list[Bearing], start: int) -> Bearing | None:
    """The time right before the verb, with nothing but frame words between."""
    for bearing in reversed(usable):
        end = bearing.expr.pos[1]
        if end <= start and _FILL.fullmatch(text[end:start]):
            return bearing
    return None


def _following(text: str, usable: list[Bearing], end: int) -> Bearing | None:
    """The first time behind the verb; with a clock right behind a day ("two days ahead, say 10am") the clock."""
    behind = [b for b in usable if b.expr.pos[0] >= end]
    if len(behind) > 1:
        first, second = behind[0].expr, behind[1].expr
        if first.grain == "day" and second.grain in FINE and second.pos[0] - first.pos[1] <= 8:
            return behind[1]
    return behind[0] if behind else None


def _day_before(text: str, usable: list[Bearing], chosen: Bearing) -> Span | None:
    """Where the day stands whose clock was chosen: "two days ahead, say 10am"."""
    for bearing in usable:
        gap = chosen.expr.pos[0] - bearing.expr.pos[1]
        if (
            bearing.expr.grain == "day"
            and 0 <= gap <= 8
            and not re.search(r"[。.!?？！\n]", text[bearing.expr.pos[1] : chosen.expr.pos[0]])
        ):
            return (bearing.expr.pos[0], chosen.expr.pos[0])
    return None


def _last(usable: list[Bearing], start: int) -> Bearing | None:
    before = [b for b in usable if b.expr.pos[1] <= start]
    return before[-1] if before else None


def _is_more(condition: Condition, near: Bearing) -> bool:
    """ "if it rains tomorrow": the time is part of a condition; "等明天再": it is all of it."""
    inside = condition.span[0] <= near.expr.pos[0] and near.expr.pos[1] <= condition.span[1]
    return inside and condition.supposed and len(squeezed(condition.words.replace(near.expr.text, ""))) >= 2


def _known_end(usable: list[Bearing], span: Span, now: datetime) -> bool:
    """ "四点散，散了你就问": when the condition will hold is said before it."""
    return any(
        b.expr.pos[1] <= span[0] and b.expr.grain in FINE and b.opens is not None and b.opens > now for b in usable
    )


_AHEAD = lazy(r"提前|before$|ahead$|earlier$|beforehand$|in advance$", re.IGNORECASE)


def _ahead(usable: list[Bearing], now: datetime, found: list[Bearing]) -> Timing | None:
    """ "明天三点有个面试，提前半小时": a length before a time that is named too."""
    for bearing in found:
        expr = bearing.expr
        if not _AHEAD.search(expr.text) or expr.grain == "day":
            continue
        length = expr.duration or (now - expr.start if expr.start and expr.start < now else None)
        anchors = [b for b in usable if b.expr.pos != expr.pos and b.opens and b.expr.grain in FINE]
        if length is None or not anchors or anchors[-1].opens is None:
            continue
        at = anchors[-1].opens - length
        return Timing(at.isoformat(), at.isoformat(), at, past=at < now, spans=(expr.pos,))
    return None


def _single(bearing: Bearing, now: datetime, extra: Span | None) -> Timing:
    opens, closes = bearing.opens, bearing.closes
    begun = opens is None or (opens <= now and closes is not None and closes > now)
    at = headstart(closes, now) if begun and closes is not None else opens
    due = closes or opens
    gone = due is not None and due <= now
    return Timing(
        at.isoformat() if at else None,
        due.isoformat() if due else None,
        at,
        past=gone,
        limit=begun,
        spans=(bearing.expr.pos, *((extra,) if extra else ())),
    )


def headstart(limit: datetime, now: datetime) -> datetime:
    """When to remind of something that must be done by `limit`: early enough to do it.

    A limit of today: half an hour before it, or half of what is left where that is less. Of a later day: at nine on
    that day, on the last working day where offices are closed then (what is filed or paid needs them), and the evening
    before where the limit itself is in the morning.
    """
    left = limit - now
    if limit.date() == now.date():
        return max(limit - _HEADSTART, now + left / 2)
    day = limit
    while not is_working_day_cn(day.date()) and (day - timedelta(days=1)).date() > now.date():
        day -= timedelta(days=1)
    morning = datetime.combine(day.date(), _MORNING, tzinfo=limit.tzinfo)
    if morning > limit - _HEADSTART:
        morning = max(
            datetime.combine(day.date() - timedelta(days=1), time(18, 0), tzinfo=limit.tzinfo), now + left / 2
        )
    return morning


def _merged(spans: tuple[Span, ...]) -> list[Span]:
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


_PREPOSITION = lazy(
    r"(?:\b(?:at|on|by|before|until|till|from|in|around|about)|(?:^|(?<=[,，。\s]))(?:到|在|于))\s*$", re.IGNORECASE
)


def without(text: str, spans: tuple[Span, ...]) -> str:
    """The text without these stretches and the commas that they leave."""
    for start, end in reversed(_merged(spans)):
        if led := _PREPOSITION.search(text, 0, start):
            start = led.start()
        before, after = text[:start].rstrip(), text[end:].lstrip()
        text = (
            f"{before} {after}" if before.isascii() or after.isascii() or text[end : end + 1] == " " else before + after
        )
    text = re.sub(r"^[\s,，。;；:：]+|(?<=[,，])\s*[,，]", "", text)
    return re.sub(r"[ \t]{2,}", " ", text).strip()
