"""English days, months and years: "next Friday", "the 15th", "March 18", "end of month", "Q3 2019"."""

import re
from datetime import date

from .dates import Ctx, add_days, add_months, edge_of, safe_date, week_of, weekday_in_week, weekend_of
from .feasts import EN_FEASTS, feast_day
from .lexing import LexRule, at, rule
from .model import Fields, Nth, Period, Piece
from .numerals import EN_ORDINAL_WORD, EN_WORDS, en_number, en_ordinal

MONTHS = {m: i for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
WEEKDAYS = {d: i for i, d in enumerate("mon tue wed thu fri sat sun".split())}
FULL_WEEKDAY = r"(?:monday|tuesday|wednesday|wednsday|thursday|friday|saturday|sunday)"
WEEKDAY = rf"(?:{FULL_WEEKDAY}|mon|tues?|wed|thurs?|thu|fri|sat|sun)"
_CARDINAL_DAY = "(?:" + "|".join(sorted((w for w, n in EN_WORDS.items() if 1 <= n <= 31), key=len, reverse=True)) + ")"
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{EN_ORDINAL_WORD})"
_WORD_YEAR = (
    r"(?:two thousand(?: and)?(?: [a-z]+)?|nineteen (?:[a-z]+ty|[a-z]+teen)(?:[ -][a-z]+)?|twenty (?:ten|[a-z]+teen|twenty)(?: [a-z]+)?)"
)
_YEAR4 = r"(?:1[89]|20|21)\d\d"
_STEP = {
    "this": 0,
    "current": 0,
    "the current": 0,
    "this coming": 1,
    "next": 1,
    "coming": 1,
    "the coming": 1,
    "following": 1,
    "the following": 1,
    "upcoming": 1,
    "last": -1,
    "past": -1,
    "previous": -1,
    "the previous": -1,
    "the next": 1,
    "the last": -1,
}
_STEPS = "(?:" + "|".join(sorted(_STEP, key=len, reverse=True)) + ")"
# What may stand behind "the 15th" for it to be a day: an end, a mark or a preposition, but no noun ("the 2nd round").
_DAY_STANDS = r"(?=\s*(?:$|[,.;:!?)\-]|(?:at|of|and|or|to|in|by|till|until|through|before|after|night|for|please|is|works|so)\b))"


def month_number(word: str) -> int:
    return MONTHS[word[:3]]


def weekday_number(word: str) -> int:
    return WEEKDAYS[word[:3]]


def word(pattern: str) -> str:
    """The pattern between word edges; Chinese characters beside it do not count as letters."""
    return rf"(?<![a-z0-9_])(?:{pattern})(?![a-z0-9_])"


def _year_number(text: str | None) -> int | None:
    if not text:
        return None
    text = text.strip(" ,'")
    if text.isdecimal():
        number = int(text)
        return number if number > 99 else number + (1900 if number > 50 else 2000)
    return _spoken_year(text)


def _spoken_year(text: str) -> int | None:
    if m := re.fullmatch(r"two thousand(?: and)?(?: (.+))?", text):
        rest = en_number(m[1]) if m[1] else 0
        return 2000 + int(rest) if rest is not None else None
    century, _, rest_words = text.partition(" ")
    base = {"nineteen": 1900, "twenty": 2000}.get(century)
    tail = rest_words.replace("-", " ")
    number = en_number(tail)
    if number is None and (m := re.fullmatch(r"(sixty|seventy|eighty|ninety)(?: ([a-z]+))?", tail)):
        ones = en_number(m[2]) if m[2] else 0
        number = {"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}[m[1]] + (ones or 0)
    return base + int(number) if base and number is not None else None


def _checked(m: "re.Match[str]", year: int | None, month: int, day: int | None) -> Piece | None:
    if day is not None and not safe_date(year or 2024, month, day):
        return None
    return at(m, fields=Fields(year, month=month, day=day))


def _iso(m: "re.Match[str]", _: Ctx) -> Piece | None:
    return _checked(m, int(m[1]), int(m[2]), int(m[3]))


def _numeric(m: "re.Match[str]", _: Ctx) -> Piece | None:
    first, second, year = int(m[1]), int(m[3]), _year_number(m[4])
    if m[2] == "." or first > 12:
        first, second = second, first
    return _checked(m, year, first, second) if 1 <= first <= 12 else None


def _slashed(m: "re.Match[str]", _: Ctx) -> Piece | None:
    month, day = int(m[1]), int(m[2])
    if not 1 <= month <= 12 or not safe_date(2024, month, day):
        return None
    said = re.search(r"(?:on|by|before|until|till|since|from|after|due|start|to|-)\s*$", m.string[: m.start()])
    return at(m, fields=Fields(month=month, day=day), weak=day <= 12 and not said)


def _month_year(m: "re.Match[str]", _: Ctx) -> Piece | None:
    month = int(m[1])
    return at(m, fields=Fields(int(m[2]), month=month)) if 1 <= month <= 12 else None


def _month_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    day = en_ordinal(m["d"]) or (int(en_number(m["d"]) or 0) or None)
    year = _year_number(m["y"] or m.groupdict().get("y2"))
    return _checked(m, year, month_number(m["m"]), day) if day else None


def _named_month_year(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(_year_number(m["y"]), month=month_number(m["m"])))


def _month(m: "re.Match[str]", ctx: Ctx) -> Piece:
    name = m[1]
    spoken = name in ("may", "march", "mar", "dec", "jan", "sep", "oct")
    before = m.string[: m.start()]
    near = re.search(r"(?:in|of|by|next|last|this|since|until|till|before|after|from|to|through|during|late|early|mid|every|each)[\s-]+$", before)
    capital = ctx.raw[m.start() : m.start() + 1].isupper()
    weak = spoken and not (near or (capital and name != "may" and m.start() > 0)) and len(m[0]) < len(m.string.strip())
    return at(m, fields=Fields(month=month_number(name)), weak=weak)


def _stepped_named_month(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    month, step = month_number(m[2]), _STEP[m[1]]
    if m[1] == "this" and m[2] == "may" and not ctx.raw[m.start(2)].isupper():
        # "this may take longer"
        return None
    year = ctx.today.year
    if step > 0 and month <= ctx.today.month:
        year += 1
    if step < 0 and month >= ctx.today.month:
        year -= 1
    return at(m, fields=Fields(year, month=month))


def _ordinal_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    day = en_ordinal(m["d"])
    return at(m, fields=Fields(day=day)) if day and 1 <= day <= 31 else None


def _weak_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    day = en_ordinal(m["d"]) or int(en_number(m["d"]) or 0)
    alone = re.search(r"(?:on|for|by|until|from) $", m.string[: m.start()]) and m[0].startswith("the ")
    strong = bool(alone) and bool(re.match(r"\s*(?:$|[,.!?;])|\s+at\b", m.string[m.end() :]))
    return at(m, fields=Fields(day=day), weak=not strong) if 1 <= day <= 31 else None


def _day_of_the_month(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = en_ordinal(m["d"])
    return at(m, fields=Fields(ctx.today.year, month=ctx.today.month, day=day)) if day and day <= 31 else None


def _day_after_range(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """The bare number of "November 19 to 20", "April ninth through 17th"."""
    before = m.string[: m.start()]
    if not re.search(rf"{MONTH}\.?,?\s+(?:the\s+)?{_DAY}\s*(?:to|-+|through|thru|till|until|and)\s*(?:the\s+)?$", before):
        return None
    return _weak_day(m, ctx)


def _weekday(m: "re.Match[str]", ctx: Ctx) -> Piece:
    name = m[1]
    weak = False
    if name in ("sat", "sun", "wed", "mon", "fri", "thu", "tue"):
        capital = ctx.raw[m.start() : m.start() + 1].isupper()
        near = re.search(r"(?:on|by|until|till|before|after|from|since|to|-|or|and|is)\s*$", m.string[: m.start()])
        weak = not (capital or near) and len(m[0].rstrip(".")) < len(m.string.strip().rstrip("."))
    return at(m, fields=Fields(weekday=weekday_number(name)), weak=weak)


def _stepped_weekday(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    weekday, step = weekday_number(m[2]), _STEP[m[1]]
    if m[1].endswith(("coming", "upcoming", "following")):
        day = add_days(ctx.today, (weekday - ctx.today.weekday()) % 7 or 7)
    else:
        day = weekday_in_week(ctx.today, weekday, step)
    return at(m, day=day) if day else None


def _weekday_after_next(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, ((weekday_number(m[1]) - ctx.today.weekday()) % 7 or 7) + 7)
    return at(m, day=day) if day else None


def _counted_weekdays(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    count, weekday = int(en_number(m[1]) or 0), weekday_number(m[2])
    if m[3] in ("ago", "back"):
        day = add_days(ctx.today, -((ctx.today.weekday() - weekday) % 7 or 7) - 7 * (count - 1))
    else:
        day = add_days(ctx.today, ((weekday - ctx.today.weekday()) % 7 or 7) + 7 * (count - 1))
    return at(m, day=day) if day and count else None


_RELATIVE = {
    "today": 0,
    "tomorrow": 1,
    "tomorrows": 1,
    "tmrw": 1,
    "tmr": 1,
    "tomorow": 1,
    "2moro": 1,
    "yesterday": -1,
    "day after tomorrow": 2,
    "day after tmrw": 2,
    "overmorrow": 2,
    "day before yesterday": -2,
    "next day": 1,
}


def _relative(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, _RELATIVE[m[1]])
    return at(m, day=day) if day else None


def _stepped_unit(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    step, unit = _STEP[m[1].strip()] if m[1] else 0, m[2]
    if unit == "week":
        day = add_days(ctx.today, 7 * step)
        return at(m, period=week_of(day)) if day else None
    if unit == "weekend":
        day = add_days(ctx.today, 7 * step)
        return at(m, period=weekend_of(day)) if day else None
    if unit == "year":
        return at(m, fields=Fields(ctx.today.year + step))
    size = 3 if unit in ("quarter", "qtr") else 1
    day = add_months(ctx.today.replace(day=1), size * step)
    if day is None:
        return None
    if size == 3:
        return at(m, fields=Fields(day.year, quarter=(day.month + 2) // 3))
    return at(m, fields=Fields(day.year, month=day.month))


def unit_period(unit: str, ctx: Ctx) -> Period:
    """The current week, month, quarter or year."""
    if unit == "week":
        return week_of(ctx.today)
    size = {"month": 1, "quarter": 3, "qtr": 3, "year": 12}[unit]
    first = ctx.today.replace(day=1)
    start = add_months(first, -((first.month - 1) % size)) or first
    return Period(start, add_months(start, size) or start, "quarter" if unit == "qtr" else unit)


def _edge_name(name: str) -> str:
    if name.startswith(("beg", "start", "early", "bo")):
        return "start"
    return "middle" if name.startswith("mid") else "end"


def _edge_of_unit(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return _edge_piece(m, unit_period(m[2], ctx), _edge_name(m[1]))


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
    return _edge_piece(m, unit_period(unit, ctx), "start" if m[1] == "bo" else "end")


def _edge(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(edge=_edge_name(m[1])), weak=True)


def _rest(m: "re.Match[str]", ctx: Ctx) -> Piece:
    period = unit_period(m[1], ctx)
    return at(m, period=Period(ctx.today, period.end, period.unit))


def _quarter(m: "re.Match[str]", _: Ctx) -> Piece | None:
    number = en_ordinal(m["q"])
    if not number or number > 4:
        return None
    return at(m, fields=Fields(_year_number(m["y"]), quarter=number))


def _year_quarter(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(_year_number(m[1]), quarter=int(m[2])))


def _year(m: "re.Match[str]", _: Ctx) -> Piece:
    before = m.string[: m.start()]
    said = m[0].startswith("year") or re.search(
        r"(?:in|since|before|after|until|till|through|by|of|than|year|=|during|from|to)\s+(?:the\s+)?$|=\s?$", before
    )
    said = said or re.match(r"\s+or (?:later|earlier)", m.string[m.end() :])
    return at(m, fields=Fields(int(m[1])), weak=not said)


def _word_year(m: "re.Match[str]") -> Piece | None:
    year = _spoken_year(m[1])
    return at(m, fields=Fields(year)) if year else None


def _nth_weekday(m: "re.Match[str]", _: Ctx) -> Piece | None:
    n = nth_number(m[1])
    return at(m, nth=Nth(n, "weekday", weekday=weekday_number(m[2])), weak=True) if n else None


def nth_number(text: str) -> int | None:
    """ "third" as 3, "last" as -1, "2nd to last" as -2."""
    text = text.strip()
    if text in ("last", "final"):
        return -1
    if m := re.fullmatch(r"(\S+)\s+to(?:\s+the)?\s+last", text):
        number = en_ordinal(m[1])
        return -number if number else None
    return en_ordinal(text)


def _nth_unit(m: "re.Match[str]", _: Ctx) -> Piece | None:
    n = nth_number(m[1])
    return at(m, nth=Nth(n, m[2]), weak=True) if n else None


def _nth_count(m: "re.Match[str]", _: Ctx) -> Piece | None:
    count = int(en_number(m[2]) or 0)
    n = 1 if m[1] == "first" else -1
    return at(m, nth=Nth(n, m[3], count=count), weak=True) if count else None


def _iso_week(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    week = int(m[1])
    if not 1 <= week <= 52:
        return None
    return at(m, period=week_of(date.fromisocalendar(ctx.today.year, week, 1)))


def _feast(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    found = feast_day(EN_FEASTS[m[1]], ctx.today)
    if isinstance(found, Fields):
        return at(m, fields=found)
    return at(m, day=found) if found else None


_ORD = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{EN_ORDINAL_WORD})"
_NTH = rf"(?:{_ORD}\s+to(?:\s+the)?\s+last|{_ORD}|last|final)"
_Y = rf"(?:\s*[,/-]?\s*(?:of\s+|in\s+)?(?P<y>{_YEAR4}|{_WORD_YEAR})(?![\d:])|(?:-|\s*,\s*|\s+)(?P<y2>'?\d\d)(?=\s*(?:$|[,;)])))?"
_NOT_CLOCK = r"(?!\d|\s*(?:[ap]\.?\s?m\b|:\d|h\d|o'?\s?clock|%))"

DATE_RULES: list[LexRule] = [
    rule(rf"(?<![\d.\-/])({_YEAR4})[-/. ](1[0-2]|0?[1-9])[-/. ](3[01]|[12]\d|0?[1-9])(?:t(?=\d\d:))?(?![\d/]|-\d)", _iso),
    rule(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)", _iso),
    rule(rf"(?<![\d.\-/+])(\d{{1,2}})([-/.])(\d{{1,2}})\2({_YEAR4}|\d\d)(?![\d\-/])", _numeric),
    rule(r"(?<![\d.\-/:$])(\d{1,2})\s?/\s?(\d{1,2})(?![\d/.%\"]|\s?(?:of|cup|inch))", _slashed),
    rule(rf"(?<![\d.\-/+(])(1[0-2]|0?[1-9])[-/]({_YEAR4})(?![\d\-/])", _month_year),
    rule(
        word(
            rf"(?P<m>{MONTH})\.?\s*[-/,]?\s*(?:the\s+)?(?P<d>{_DAY}|{_CARDINAL_DAY}){_NOT_CLOCK}(?:\s*\([a-z]+\)?)?{_Y}"
        ),
        _month_day,
    ),
    rule(rf"(?<![a-z])(?P<m>{MONTH})(?P<d>\d{{1,2}})(?!\d)\s*{_Y}", _month_day),
    rule(word(rf"(?:the\s+)?(?P<d>{_DAY})\s*(?:day\s+)?(?:of\s+)?[-/.]?\s*(?P<m>{MONTH})\.?{_Y}"), _month_day),
    rule(word(rf"(?P<m>{MONTH})-(?P<y>{_YEAR4})-(?P<d>\d{{1,2}})"), _month_day),
    rule(word(rf"(?P<d>\d{{1,2}})-(?P<y>{_YEAR4})-(?P<m>{MONTH})"), _month_day),
    rule(word(rf"(?P<y>{_YEAR4})[-/](?P<m>{MONTH})[-/](?P<d>\d{{1,2}})"), _month_day),
    rule(word(rf"(?P<m>{MONTH})\.?\s*[-/,]?\s*(?:of\s+|in\s+)?(?P<y>{_YEAR4})"), _named_month_year),
    rule(word(rf"({MONTH})(?:\.(?=\s|$|\d))?"), _month),
    rule(word(rf"({_STEPS})\s+({MONTH})"), _stepped_named_month),
    rule(word(rf"(?:the\s+)?(?P<d>\d{{1,2}}(?:st|nd|rd|th))(?:\s+day)?{_DAY_STANDS}"), _ordinal_day),
    rule(word(r"the\s+(?P<d>\d{1,2}(?:st|nd|rd|th))(?=\s+(?:[ap]m|\d))"), _ordinal_day),
    rule(rf"(?<=\bon )(?:the\s+)?(?P<d>\d{{1,2}})(?=\s*(?:$|[,.!?;]|at\b))", _ordinal_day),
    rule(r"(?<=\bfor the )(?P<d>\d{1,2})(?=\s*(?:$|[,.!?;]|at\b))", _ordinal_day),
    rule(word(rf"(?:the\s+)?(?P<d>{_ORD})\s+(?:day\s+)?of (?:the|this) month"), _day_of_the_month),
    rule(word(rf"(?:the\s+)?(?P<d>{EN_ORDINAL_WORD}|thirty)(?:\s+day)?"), _weak_day),
    rule(word(r"(?:the\s+)?(?P<d>\d{1,2}(?:st|nd|rd|th))"), _weak_day),
    rule(
        word(
            rf"(?:the\s+)?(?P<d>{_DAY})(?=\s*(?:to|-+|till|until|through|thru|and|/)\s*(?:the\s+)?{_DAY}\s*(?:of\s+)?{MONTH}\b)"
        ),
        _weak_day,
    ),
    rule(word(rf"(?P<d>{_DAY})"), _day_after_range),
    rule(rf"(?<=day )(?P<d>\d{{1,2}})(?=\s*(?:$|[,.!?;]|at\b|after\b|before\b))", _weak_day),
    rule(word(r"(?P<d>\d{1,2})(?=\s+of\s+(?:this|next|last|the|previous))"), _weak_day),
    rule(word(rf"({WEEKDAY})") + r"(?:\.(?=\s|$|,))?", _weekday),
    rule(word(rf"({_STEPS})\s+({WEEKDAY})(?!\s+(?:in|of)\s)"), _stepped_weekday),
    rule(word(rf"({WEEKDAY})\s+after\s+next"), _weekday_after_next),
    rule(word(rf"(\d+|[a-z]+)\s+({FULL_WEEKDAY})s?\s+(from now|later|back|ago)"), _counted_weekdays),
    rule(
        word("(?:the )?(" + "|".join(sorted(_RELATIVE, key=len, reverse=True)) + ")(?:'s)?"),
        _relative,
    ),
    rule(word(rf"({_STEPS})\s?(?:calendar\s+)?(week|weekend|month|quarter|qtr|year)"), _stepped_unit),
    rule(word(r"(?:the|my|over the|this)\s+()(weekend)"), _stepped_unit),
    rule(word(r"all ()(week)(?: long)?"), _stepped_unit),
    rule(
        word(r"(?:the\s+)?(end|beginning|begin|start|middle|mid) of (?:the\s+|this\s+|current\s+)?(week|month|quarter|year)"),
        _edge_of_unit,
    ),
    rule(word(r"(?:the\s+)?(eo|bo)([wmqy])"), _edge_letters),
    rule(word(r"(?:the\s+)?(end|beginning|start|middle) of(?: around| about)?(?: the)?"), _edge),
    rule(word(r"(early|mid|late)(?=[\s-]+(?:next|last|this|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"), _edge),
    rule(word(r"(?:the\s+)?(?:rest|remaining|remainder) of (?:the|this|my|current)\s+(week|month|quarter|year)"), _rest),
    rule(word(rf"(?:the\s+)?(?P<q>{_ORD})\s+(?:quarter|qtr)(?P<y>)"), _quarter),
    rule(word(rf"q(?P<q>[1-4])[\s,-]*(?:of\s+)?(?P<y>{_YEAR4})?"), _quarter),
    rule(word(rf"({_YEAR4}|\d\d)\s?q([1-4])"), _year_quarter),
    rule(word(rf"(?:the\s+)?(?:year\s+)?({_YEAR4})") + r"(?![-.:,]\d)", _year),
    rule(rf"(?:(?<=of )|(?<=in )|(?<=and ))({_WORD_YEAR})(?![a-z0-9])", lambda m, c: _word_year(m)),
    rule(word(rf"(?:the\s+)?({_NTH})\s+({WEEKDAY})"), _nth_weekday),
    rule(word(rf"(?:the\s+)?({_NTH})\s+(week|day|month|quarter)"), _nth_unit),
    rule(word(r"(?:the\s+)?(first|last)\s+(\d+|[a-z]+)\s+(day|week|month|quarter)s"), _nth_count),
    rule(word(r"(?:the\s+)?week\s+(\d{1,2})"), _iso_week),
    rule(word("(" + "|".join(sorted(EN_FEASTS, key=len, reverse=True)) + ")"), _feast),
]
