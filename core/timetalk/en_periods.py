"""English periods: "next week", "end of month", "Q3 2019", "the first Friday of", "in 2014"."""

import re
from datetime import date, datetime, time

from core.patterns import lazy

from .dates import Ctx, add_days, add_months, edge_of, resolve_fields, week_of, weekend_of
from .en_words import (
    LASTS,
    MONTH,
    ORD,
    STEP,
    STEPS,
    WEEK,
    WEEKDAY,
    WORD_YEAR,
    YEAR4,
    month_number,
    nth_number,
    spoken_year,
    weekday_number,
    word,
    year_number,
)
from .feasts import EN_FEASTS, feast_day
from .lexing import LexRule, after_match, at, before_match, rule
from .model import Fields, Nth, Period, Piece
from .numerals import EN_NUMBER, en_number, en_ordinal

_WEEKEND = r"(?:weekend|wkend|wknd|w/e)"
_UNITS = {"wk": "week", "wkend": "weekend", "wknd": "weekend", "w/e": "weekend", "qtr": "quarter"}
_Q = r"q[1-4]"
_NTH = rf"(?:{ORD}\s+to(?:\s+the)?\s+last|{ORD}|last|final)"


_OF_PERIOD = lazy(rf"\s+(?:of|in)\s+(?:{MONTH}\b|(?:next|this|the|that)\s+(?:month|year|quarter)\b|{_Q}|{YEAR4})")


def _stepped_unit(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    if m[1] == "last" and _OF_PERIOD.match(after_match(m)):
        # "the last week of March" is counted in it.
        return None
    step, unit = STEP[m[1].strip()] if m[1] else 0, _UNITS.get(m[2], m[2])
    if unit == "week":
        day = add_days(ctx.today, 7 * step)
        return at(m, period=week_of(day)) if day else None
    if unit == "weekend":
        day = add_days(ctx.today, 7 * step)
        return at(m, period=weekend_of(day)) if day else None
    if unit == "year":
        return at(m, fields=Fields(ctx.today.year + step))
    size = 3 if unit == "quarter" else 1
    day = add_months(ctx.today.replace(day=1), size * step)
    if day is None:
        return None
    if size == 3:
        return at(m, fields=Fields(day.year, quarter=(day.month + 2) // 3))
    return at(m, fields=Fields(day.year, month=day.month))


def unit_period(unit: str, ctx: Ctx) -> Period:
    """The current week, month, quarter or year."""
    unit = _UNITS.get(unit, unit)
    if unit == "week":
        return week_of(ctx.today)
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = ctx.today.replace(day=1)
    start = add_months(first, -((first.month - 1) % size)) or first
    return Period(start, add_months(start, size) or start, unit)


def _edge_name(name: str) -> str:
    """In English a month has thirds, as its "mid" says."""
    if name.startswith(("beg", "start", "early", "bo")):
        return "early"
    return "middle" if name.startswith("mid") else "late"


def _edge_of_unit(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return _edge_piece(m, unit_period(m[2], ctx), _edge_name(m[1]))


def _unit_end(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return _edge_piece(m, unit_period(m[2], ctx), _edge_name(m[3]))


def _edge_piece(m: "re.Match[str]", period: Period, edge: str) -> Piece:
    if period.unit == "week":
        return at(m, period=edge_of(period, edge), fields=None)
    fields = Fields(
        period.start.year,
        quarter=(period.start.month + 2) // 3 if period.unit == "quarter" else None,
        month=period.start.month if period.unit == "month" else None,
        edge=edge,
    )
    return at(m, fields=fields)


def _edge_letters(m: "re.Match[str]", ctx: Ctx) -> Piece:
    unit = {"w": "week", "m": "month", "q": "quarter", "y": "year"}[m[2]]
    return _edge_piece(m, unit_period(unit, ctx), _edge_name(m[1]))


def _edge(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(edge=_edge_name(m[1])), weak=True)


def _rest(m: "re.Match[str]", ctx: Ctx) -> Piece:
    period = unit_period(m[1], ctx)
    return at(m, period=Period(ctx.today, period.end, period.unit))


def _rest_of_day(m: "re.Match[str]", ctx: Ctx) -> Piece:
    end = datetime.combine(ctx.today, time(23, 59))
    return at(m, exact=ctx.wall, until=Piece(m.start(), m.end(), exact=end))


def _half_year(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(year_number(m["y"]), half=1 if m["n"] in ("1", "first", "1st") else 2))


def _quarter(m: "re.Match[str]", _: Ctx) -> Piece | None:
    number = en_ordinal(m["q"])
    if not number or number > 4:
        return None
    return at(m, fields=Fields(year_number(m["y"]), quarter=number))


def _year_quarter(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(year_number(m[1]), quarter=int(m[2])))


def _year(m: "re.Match[str]", _: Ctx) -> Piece:
    before = before_match(m)
    said = m[0].startswith("year") or re.search(
        r"(?:in|since|before|after|until|till|through|by|of|than|year|=|during|from|to)\s+(?:the\s+)?$|=\s?$", before
    )
    said = said or re.match(r"\s+or (?:later|earlier)", after_match(m))
    return at(m, fields=Fields(int(m[1])), weak=not said)


def _month_in_years(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "March in two years": that month of the year which is so many on; "may" behind a word is the verb."""
    if m[1] == "may" and re.search(r"\w\s*$", before_match(m)):
        return None
    count = 1 if m[2].startswith("a") else int(en_number(m[2]) or 0)
    year = ctx.today.year + count
    return at(m, fields=Fields(year, month=month_number(m[1]))) if count and year <= date.max.year else None


def _word_year(m: "re.Match[str]") -> Piece | None:
    year = spoken_year(m[1])
    return at(m, fields=Fields(year)) if year else None


def _nth_weekday(m: "re.Match[str]", _: Ctx) -> Piece | None:
    n = nth_number(m[1])
    return at(m, nth=Nth(n, "weekday", weekday=weekday_number(m[2])), weak=True) if n else None


def _nth_unit(m: "re.Match[str]", _: Ctx) -> Piece | None:
    n = nth_number(m[1])
    return at(m, nth=Nth(n, m[2]), weak=True) if n else None


def _nth_workday(m: "re.Match[str]", _: Ctx) -> Piece | None:
    n = nth_number(m[1])
    return at(m, nth=Nth(n, "workday"), weak=True) if n else None


def _week_after_next(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, 14)
    return at(m, period=week_of(day)) if day else None


def _named_end(m: "re.Match[str]", _: Ctx) -> Piece:
    """ "Q3 end", "May-end"."""
    named = m.groupdict()
    if named.get("q"):
        return at(m, fields=Fields(quarter=int(named["q"][1]), edge="late"))
    return at(m, fields=Fields(month=month_number(m["m"]), edge="late"))


def _nth_of_this(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "the last Friday of the month"."""
    n, period = nth_number(m[1]), unit_period(m[3], ctx)
    fields = Fields(period.start.year, month=period.start.month if period.unit == "month" else None)
    unit = {"day": "day", "week": "week", "month": "month"}.get(m[2])
    if n is None or (unit == "month" and period.unit == "month"):
        return None
    if unit is None and m[2].startswith(("work", "business")):
        return at(m, fields=fields, nth=Nth(n, "workday"))
    nth = Nth(n, unit) if unit else Nth(n, "weekday", weekday=weekday_number(m[2]))
    return at(m, fields=fields, nth=nth)


def _weekend_after_next(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, 14)
    return at(m, period=weekend_of(day)) if day else None


def _half(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "the first half of May", "the second half of next week"."""
    late, of = not m[1].startswith(("first", "1")), m[2]
    if of.endswith("k"):
        week = week_of(add_days(ctx.today, 7 if of.startswith(("next", "nxt")) else 0) or ctx.today)
        middle = add_days(week.start, 3) or week.end
        return at(m, period=Period(middle if late else week.start, week.end if late else middle, "half"))
    if of.endswith("month"):
        first = add_months(ctx.today.replace(day=1), 1 if of.startswith(("next", "nxt")) else 0)
    else:
        found = resolve_fields(Fields(month=month_number(of)), ctx.today)
        first = found.start if isinstance(found, Period) else None
    end = add_months(first, 1) if first else None
    if first is None or end is None:
        return None
    middle = first.replace(day=16)
    return at(m, period=Period(middle if late else first, end if late else middle, "half"))


def _nth_count(m: "re.Match[str]", _: Ctx) -> Piece | None:
    count = int(en_number(m[2]) or 0)
    if m[1] == "last" and LASTS.search(before_match(m)):
        return None
    n = 1 if m[1] == "first" else -1
    return at(m, nth=Nth(n, m[3], count=count), weak=True) if count else None


def _iso_week(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    week = int(m[1])
    if not 1 <= week <= 52:
        return None
    return at(m, period=week_of(date.fromisocalendar(ctx.today.year, week, 1)))


def _feast(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    found = feast_day(EN_FEASTS[m[1]], ctx.today, year_number(m[2]))
    if isinstance(found, Fields):
        return at(m, fields=found, feast=True)
    return at(m, day=found, feast=True) if found else None


PERIOD_RULES: list[LexRule] = [
    rule(word(rf"({STEPS})\s?(?:calendar\s+)?({WEEK}|{_WEEKEND}|month|quarter|qtr|year)"), _stepped_unit),
    rule(word(rf"(?:the|my|over the|this)\s+()({_WEEKEND})"), _stepped_unit),
    rule(word(rf"({_WEEKEND}) after next"), lambda m, c: _weekend_after_next(m, c)),
    rule(word(r"all ()(week)(?: long)?"), _stepped_unit),
    rule(
        word(
            rf"(?:the\s+)?(end|beginning|begin|start|middle|mid|back end) of (?:the\s+|this\s+|current\s+)?({WEEK}|month|quarter|qtr|year)"
        ),
        _edge_of_unit,
    ),
    rule(word(r"(?:the\s+)?(eo|bo)([wmqy])"), _edge_letters),
    rule(word(r"(?:the\s+)?(end|beginning|start|middle) of(?: around| about)?(?: the)?"), _edge),
    rule(
        word(
            rf"(early|mid|late)(?=[\s-]+(?:(?:next|nxt|last|this|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|{_Q}))"
        ),
        _edge,
    ),
    rule(word(rf"(end)(?=[\s-]+(?:{MONTH}|{_Q}|(?:next|this) (?:{WEEK}|month|quarter|qtr|year)))"), _edge),
    rule(word(rf"(?P<q>{_Q})[\s-]?end"), lambda m, c: _named_end(m, c)),
    rule(word(rf"(?P<m>{MONTH})[\s-]end"), lambda m, c: _named_end(m, c)),
    rule(word(r"(?:the\s+)?(?:rest|remaining|remainder) of (?:the|this|my|current|to)\s?day"), _rest_of_day),
    rule(
        word(r"(?:the\s+)?(?:rest|remaining|remainder) of (?:the|this|my|current)\s+(week|month|quarter|year)"), _rest
    ),
    rule(word(rf"(?:the\s+)?(?P<q>{ORD})\s+(?:quarter|qtr)(?P<y>)"), _quarter),
    rule(word(rf"(?:the\s+)?(?P<n>first|second|1st|2nd) half of (?:(?:the|this) year|(?P<y>{YEAR4}))"), _half_year),
    rule(
        word(rf"(?:the\s+)?(first|second|latter|1st|2nd) half of ({MONTH}|(?:next|nxt|this|the) (?:{WEEK}|month))"),
        _half,
    ),
    rule(word(rf"h(?P<n>[12])[\s,-]*(?P<y>{YEAR4})?"), _half_year),
    rule(word(r"(?:the\s+)?()(month|quarter|qtr|year)[\s-]?(end)"), _unit_end),
    rule(word(rf"(mid)[\s-]?({WEEK}|month|quarter|year)"), _edge_of_unit),
    rule(word(rf"(early|late|later) (?:in the|this) ({WEEK}|month|quarter|year)"), _edge_of_unit),
    rule(word(rf"q(?P<q>[1-4])[\s,-]*(?:of\s+)?(?P<y>{YEAR4})?"), _quarter),
    rule(word(rf"({YEAR4}|\d\d)\s?q([1-4])"), _year_quarter),
    rule(word(rf"(?:the\s+)?(?:year\s+)?({YEAR4})") + r"(?![-.:,]\d)", _year),
    rule(word(rf"({MONTH}) in (an?|{EN_NUMBER}) years?"), _month_in_years),
    rule(rf"(?:(?<=of )|(?<=in )|(?<=and ))({WORD_YEAR})(?![a-z0-9])", lambda m, c: _word_year(m)),
    rule(word(rf"(?:the\s+)?({_NTH})\s+({WEEKDAY})"), _nth_weekday),
    rule(word(rf"(?:the\s+)?({_NTH})\s+(week|day|month|quarter)"), _nth_unit),
    rule(
        word(
            rf"(?:the\s+)?({_NTH})\s+({WEEKDAY}|week|day|month|(?:working|business|work)\s+day|workday)\s+(?:of|in)\s+(?:the|this)\s+(month|year)"
        ),
        _nth_of_this,
    ),
    rule(word(rf"(?:the\s+)?({_NTH})\s+(?:(?:working|business|work)\s+day|workday)"), _nth_workday),
    rule(word(rf"(?:the\s+)?{WEEK} after next"), _week_after_next),
    rule(word(r"(?:the\s+)?(first|last)\s+(\d+|[a-z]+)\s+(day|week|month|quarter)s"), _nth_count),
    rule(word(r"(?:the\s+)?week\s+(\d{1,2})"), _iso_week),
    rule(word("(" + "|".join(sorted(EN_FEASTS, key=len, reverse=True)) + rf")(?:\s+(?:of\s+)?({YEAR4}))?"), _feast),
]
