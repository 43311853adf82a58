"""Recurrences in what people ask for: the rule with its beginning, its end, its exceptions and its hour."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from dateutil.relativedelta import relativedelta
from dateutil.rrule import rrulestr

from core.brain.rules.words.text import any_of, fold
from core.patterns import lazy
from core.timetalk import TimeExpr, TimeKind, parse

Span = tuple[int, int]
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_MORNING = time(9, 0)
_EARLY = timedelta(minutes=30)


@dataclass(frozen=True)
class Recurring:
    """A rule and where its words stand. `early`: half an hour before it, where the words say "before"."""

    rule: str
    at: int
    """Where the words begin that say how often."""
    spans: tuple[Span, ...]
    working_days: bool = False
    early: str | None = None


_START = lazy(
    r"从(?P<zh>[^,，。从到至]{1,10}?)(?:算起|开始|起)(?!来|床)[,，\s]*"
    r"|\b(?:starting|beginning|as of)(?: from| on)? (?P<en>(?:next |this )?[a-z0-9]+(?: \d{1,2}(?:st|nd|rd|th)?)?),? *",
    re.IGNORECASE,
)
_END = lazy(r"(?:一直)?(?:到|至)(?P<zh>[^,，。从到至]{1,8}?)(?:为止|结束)?[,，\s]*(?=每|天天)")
# "the weekly report", "for quarterly numbers" name a thing, no rhythm. `annual` is never said of a rhythm alone.
_OFTEN = r"(?:daily|weekly|(?:bi-?)?monthly|quarterly|yearly|annual(?:ly)?|hourly)"
_ADJECTIVE = lazy(
    r"\b(?:the|a|an|his|her|their|our|my|your|this|that|these|those|last|next|for|about|of|from|with|whether|if|on|\w+['’]s)\s+"
    rf"(?P<how>{_OFTEN}(?:,? (?:and|or) {_OFTEN})*)\s+"
    r"(?!(?:on|at|by|from|for|about|in|until|till|starting|beginning|whether|if|what|when|how|to|and|or)\b)(?=[a-z])"
    r"|\b(?P<only>annual)\s+(?=[a-z])",
    re.IGNORECASE,
)
_WORKING_DAY = lazy(r"\b(?:working|business) day|\bworkday", re.IGNORECASE)
_EXCEPT = lazy(
    r"除了?(?:周|星期|礼拜)(?P<a>[一二三四五六日天末、和,]+)(?:之外|以外|外)?"
    r"|(?:周|星期|礼拜)(?P<b>[一二三四五六日天末](?:[、和,]?[一二三四五六日天])*)(?:我们|店里|那天)?(?:歇业|休息|不开门|关门|除外|不算|不用|不问|就算了|就?不)[^,，。]{0,4}"
    r"|\b(?:except|but not|not)(?: on| for)? (?P<en>(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?)(?:(?: and | or |, ?)(?:mon|tues|wednes|thurs|fri|satur|sun)days?)*)",
    re.IGNORECASE,
)
_WORKING_DAYS = any_of(
    r"""
    工作日|上班日|(?:法定)?(?:节假日|假期|放假)(?:的?话|那天)?(?:就|都)?(?:不用|不|算了|除外|别|免)[^,，。]{0,4}|节假日(?:顺延|除外)
    \b(?:work(?:ing)?|business) ?days?\b|\b(?:except|not)(?: on| for)? (?:public |bank )?holidays\b
    """
)
_HOLIDAY_CLAUSE = lazy(
    r"[,，\s]*(?:法定)?(?:节假日|假期|放假)[^,，。]{0,8}|,? *\b(?:except|not)(?: on| for)? (?:public |bank )?holidays\b"
)
_COUNTED = lazy(
    r"(?:接下来|今后|未来|往后|连续|连着)(?:的)?\s*(?P<zh>\d+|[一二两三四五六七八九十]+)\s*天"
    r"|\b(?:for )?(?:the )?next (?P<en>\w+) days\b|\bfor (?P<for>two|three|four|five|six|seven|ten|\d+) days\b",
    re.IGNORECASE,
)
# How long a rhythm goes on. Without one it is a length of something else ("I'm away for a week").
_LASTING = lazy(
    r"[,，\s]*(?:一共|总共)?(?:持续|坚持|为期|连续|连着|接下来|未来|往后|一共|总共)(?:的)?\s*(?P<zh>\d+|[一二两三四五六七八九十]+)\s*个?(?P<zu>天|星期|礼拜|周|月)"
    r"|[,，\s]*\bfor (?:the next )?(?P<en>a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?P<eu>day|week|month)s?(?=\s*(?:$|[,.;!?，。]))",
    re.IGNORECASE,
)
_WORDS = {w: n for n, w in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_DIGITS = {c: n for n, c in enumerate("一二三四五六七八九十", 1)} | {"两": 2}


def recurrence_in(text: str, now: datetime, end_of_work: time) -> Recurring | None:
    """The recurrence that a text names; None where it names none."""
    frame = _framed(text, now)
    found = parse(frame.text, now)
    every = next((t for t in found if t.kind == TimeKind.recurrence and t.rrule), None)
    counted = _COUNTED.search(frame.text)
    if every is None and counted is None:
        return None
    spans = [*frame.spans, *(m.span() for m in _HOLIDAY_CLAUSE.finditer(fold(frame.text)))]
    rule, hour_span = _with_hour(every.rrule or "" if every else "FREQ=DAILY", every, found, frame.text, end_of_work)
    rule = _without_days(rule, frame.left_out) if frame.left_out else rule
    limit = _LIMIT.match(frame.text, every.pos[1]) if every else None
    early = _earlier(rule) if limit else None
    spans += [m.span() for m in (counted, limit) if m is not None]
    spans += [t.pos for t in found if t is every or (every and t.start and t.start == every.start)]
    spans += [hour_span] if hour_span else []
    first = next((t.start for t in found if t.kind == TimeKind.since and counted), None)
    begins = frame.begins or (every.start if every else None) or first
    ends = frame.ends or (every.end if every else None)
    count = _count(counted)
    if every is not None and counted is None and (lasting := _LASTING.search(frame.text)) is not None:
        count, ends = _lasting(lasting, rule, begins or now)
        spans.append(lasting.span())
    return Recurring(
        _bounded(rule, begins, ends, count, now),
        every.pos[0] if every else counted.start() if counted else 0,
        tuple(sorted(dict.fromkeys(spans))),
        bool(_WORKING_DAYS.search(fold(text))),
        _bounded(early, begins, ends, count, now) if early else None,
    )


@dataclass
class _Frame:
    """A text in which what bounds the recurrence is blanked: its first day, the end of its last, days left out."""

    text: str
    begins: datetime | None = None
    ends: datetime | None = None
    left_out: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()

    def blank(self, span: Span) -> None:
        self.text = self.text[: span[0]] + " " * (span[1] - span[0]) + self.text[span[1] :]
        self.spans += (span,)


def _framed(text: str, now: datetime) -> _Frame:
    text = _ADJECTIVE.sub(lambda m: m[0].replace(how := m["how"] or m["only"], " " * len(how)), text)
    frame = _Frame(_WORKING_DAY.sub(lambda m: "weekday".ljust(len(m[0])), text))
    for hit in _START.finditer(text):
        if (day := _day(hit["zh"] or hit["en"], now)) is not None:
            frame.begins = day
            frame.blank(hit.span())
    for hit in _END.finditer(frame.text):
        if (day := _day(hit["zh"], now)) is not None:
            frame.ends = day + timedelta(days=1)
            frame.blank(hit.span())
    for hit in _EXCEPT.finditer(fold(frame.text)):
        frame.left_out |= _days_of(hit["a"] or hit["b"] or hit["en"] or "")
        frame.blank(hit.span())
    return frame


def _day(words: str, now: datetime) -> datetime | None:
    return next((t.start for t in parse(words, now)), None)


def _days_of(words: str) -> set[str]:
    if "末" in words or "weekend" in words:
        return {"SA", "SU"}
    named = {DAYS["一二三四五六日".index("日" if c == "天" else c)] for c in words if c in "一二三四五六日天"}
    return named | {d for d in DAYS if re.search(rf"\b{d.lower()}", words)}


def _without_days(rule: str, left_out: frozenset[str]) -> str:
    """A daily or weekly rule without these weekdays."""
    parts = dict(p.split("=", 1) for p in rule.split(";"))
    if parts.get("FREQ") not in ("DAILY", "WEEKLY") or "INTERVAL" in parts:
        return rule
    days = parts.pop("BYDAY", ",".join(DAYS)).split(",")
    parts.pop("FREQ")
    kept = {"FREQ": "WEEKLY", "BYDAY": ",".join(d for d in days if d not in left_out)}
    return _joined({**kept, **parts})


def _joined(parts: dict[str, str]) -> str:
    return ";".join(f"{k}={v}" for k, v in parts.items())


_CLOSING = lazy(
    r"下班|收工|放工|\beod\b|\bend of (?:the )?(?:work(?:ing)? )?day\b|\bclose of business\b", re.IGNORECASE
)


def _with_hour(
    rule: str, every: TimeExpr | None, found: list[TimeExpr], text: str, end_of_work: time
) -> tuple[str, Span | None]:
    """The rule with the hour that stands apart from it, or the sender's own end of work."""
    if every is not None and _CLOSING.search(text, *every.pos):
        return _at(rule, end_of_work), None
    if "BYHOUR" in rule:
        return rule, None
    for t in found:
        at = t.end if t.kind == TimeKind.deadline else t.start
        near = every is None or not re.search(
            r"[。！!？?\n]", text[min(every.pos[1], t.pos[1]) : max(t.pos[0], every.pos[0])]
        )
        if (
            near
            and at is not None
            and t.grain == "minute"
            and t.kind in (TimeKind.moment, TimeKind.since, TimeKind.deadline)
        ):
            return _at(rule, at.timetz().replace(tzinfo=None)), t.pos
    return rule, None


def _at(rule: str, clock: time) -> str:
    parts = dict(p.split("=", 1) for p in rule.split(";"))
    return _joined({**parts, "BYHOUR": str(clock.hour), "BYMINUTE": str(clock.minute)})


_LIMIT = lazy(r"\s*(?:之前|以前|前)(?!面|后|台)")


def _earlier(rule: str) -> str | None:
    """Half an hour earlier, on the same days; None where no hour is named or it would be the day before."""
    clock = clock_of(rule)
    if clock is None or clock < time(0, 30):
        return None
    return _at(rule, (datetime.combine(date.min, clock) + timedelta(days=1) - _EARLY).time())


def clock_of(rule: str) -> time | None:
    """The time of day of a rule."""
    parts = dict(p.split("=", 1) for p in rule.split(";") if "=" in p)
    if not parts.get("BYHOUR", "").isdigit():
        return None
    return time(int(parts["BYHOUR"]), int(parts.get("BYMINUTE", "0")))


def with_clock(rule: str, clock: time) -> str:
    """The rule at another time of day, its first and last run with it."""
    return re.sub(r"(?<=DTSTART=\d{8}T)\d{6}|(?<=UNTIL=\d{8}T)\d{6}", clock.strftime("%H%M%S"), _at(rule, clock))


def _count(counted: re.Match[str] | None) -> int | None:
    if counted is None:
        return None
    word = counted["zh"] or counted["en"] or counted["for"]
    return int(word) if word.isdigit() else _WORDS.get(word.lower()) or _DIGITS.get(word)


def _lasting(said: re.Match[str], rule: str, begins: datetime) -> tuple[int | None, datetime | None]:
    """So many runs of what comes every day, else the end of what comes again and again for so long."""
    word = (said["zh"] or said["en"]).lower()
    number = int(word) if word.isdigit() else _WORDS.get(word) or _DIGITS.get(word) or 1
    unit = (said["zu"] or said["eu"]).lower()
    begins = begins.replace(hour=0, minute=0, second=0, microsecond=0)
    last = begins + (relativedelta(months=number) if unit in ("月", "month") else timedelta(days=number))
    if unit in ("星期", "礼拜", "周", "week"):
        last = begins + timedelta(weeks=number)
    parts = dict(p.split("=", 1) for p in rule.split(";"))
    if parts["FREQ"] == "DAILY" and "INTERVAL" not in parts:
        return (last.date() - begins.date()).days, None
    return None, last


def _bounded(rule: str, begins: datetime | None, ends: datetime | None, count: int | None, now: datetime) -> str:
    """With its first run in front where it begins on a later day, and its last one or their number behind."""
    clock = clock_of(rule) or _MORNING
    first = datetime.combine(begins.date() if begins else now.date(), clock)
    lead, tail, tz = "", "", now.tzinfo
    if count is not None:
        tail = f";COUNT={count}"
    elif ends is not None:
        last = (ends - timedelta(minutes=1)).date()
        tail = f";UNTIL={_stamp(datetime.combine(last, clock, tzinfo=tz))}"
    if begins is not None and begins.date() > now.date():
        run = rrulestr(rule, dtstart=first).after(first, inc=True)
        lead = f"DTSTART={_stamp(run.replace(tzinfo=tz))};" if run else ""
    if count is not None:
        parts = dict(p.split("=", 1) for p in rule.split(";"))
        rule = _joined({"FREQ": parts.pop("FREQ"), "COUNT": str(count), **parts})
        tail = ""
    return f"{lead}{rule}{tail}"


def _stamp(at: datetime) -> str:
    return at.strftime("%Y%m%dT%H%M%S%z")
