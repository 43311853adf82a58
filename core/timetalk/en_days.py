"""English days: "next Friday", "the 15th", "March 18", "day after tomorrow"."""

import re

from .dates import Ctx, add_business_days, add_days, safe_date, weekday_in_week
from .en_words import (
    FULL_WEEKDAY,
    MONTH,
    ORD,
    SHORT_WEEKDAY,
    STEP,
    STEPS,
    TOMORROW,
    WEEK,
    WEEKDAY,
    WEEKDAYS,
    WORD_YEAR,
    YEAR4,
    month_number,
    weekday_number,
    word,
    year_number,
)
from .lexing import LexRule, after_match, at, before_match, rule
from .model import Fields, Piece
from .numerals import EN_ORDINAL_WORD, EN_WORDS, en_number, en_ordinal

_CARDINAL_DAY = "(?:" + "|".join(sorted((w for w, n in EN_WORDS.items() if 1 <= n <= 31), key=len, reverse=True)) + ")"
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{EN_ORDINAL_WORD})"
# What may stand behind "the 15th" for it to be a day: an end, a mark or a preposition, but no noun ("the 2nd round").
_DAY_STANDS = (
    r"(?=\s*(?:$|[,.;:!?)\-]|(?:at|of|and|or|to|in|by|till|until|through|before|after|night|for|please|is|works|so)\b))"
)
_RELATIVE = {
    "today": 0,
    "2day": 0,
    "yesterday": -1,
    "yday": -1,
    "overmorrow": 2,
    "day before yesterday": -2,
    "next day": 1,
}
_Y = rf"(?:\s*[,/-]?\s*(?:of\s+|in\s+)?(?P<y>{YEAR4}|{WORD_YEAR})(?![\d:])|(?:\s*,\s*|\s+)(?P<y2>'?\d\d)(?=\s*(?:$|[,;)])))?"
_NUMBERED = re.compile(
    r"(?:number|no\.?|id|code|ticket|order|invoice|ref(?:erence)?|case|account|build|号码?|单|编码)(?: is|是|为)?:?\s*$"
)
_NOT_CLOCK = r"(?!\d|\s*(?:[ap]\.?\s?m\b|:\d|h\d|o'?\s?clock|%))"


def _checked(m: "re.Match[str]", year: int | None, month: int, day: int | None) -> Piece | None:
    if day is not None and not safe_date(year or 2024, month, day):
        return None
    return at(m, fields=Fields(year, month=month, day=day))


def _iso(m: "re.Match[str]", _: Ctx) -> Piece | None:
    return _checked(m, int(m[1]), int(m[2]), int(m[3]))


def _compact(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "20260316" is a date, unless it is said to be the number of something."""
    return None if _NUMBERED.search(before_match(m)) else _iso(m, ctx)


def _numeric(m: "re.Match[str]", _: Ctx) -> Piece | None:
    first, second, year = int(m[1]), int(m[3]), year_number(m[5])
    if m[2] != m[4]:
        return None
    if m[2] == "." or first > 12:
        first, second = second, first
    return _checked(m, year, first, second) if 1 <= first <= 12 else None


def _month_and_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    return _checked(m, None, int(m[1]), int(m[2]))


def _slashed(m: "re.Match[str]", _: Ctx) -> Piece | None:
    month, day = int(m[1]), int(m[2])
    if 12 < month < 32 and day <= 12 and re.search(r"\b(?:on|by|before|until|till|since|due)\s+$", before_match(m)):
        # "by 18/3": the day first, as in Europe.
        month, day = day, month
    if not 1 <= month <= 12 or not safe_date(2024, month, day):
        return None
    said = re.search(r"(?:on|by|before|until|till|since|from|after|due|start|to|-)\s*$", before_match(m))
    return at(m, fields=Fields(month=month, day=day), weak=day <= 12 and not said)


def _month_year(m: "re.Match[str]", _: Ctx) -> Piece | None:
    month = int(m[1])
    return at(m, fields=Fields(int(m[2]), month=month)) if 1 <= month <= 12 else None


def _month_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    day = en_ordinal(m["d"]) or (int(en_number(m["d"]) or 0) or None)
    year = year_number(m["y"] or m.groupdict().get("y2"))
    return _checked(m, year, month_number(m["m"]), day) if day else None


def _named_month_year(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(year_number(m["y"]), month=month_number(m["m"])))


def _month(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    name = m[1]
    spoken = name in ("may", "march", "mar", "dec", "jan", "sep", "oct")
    before = before_match(m)
    near = re.search(
        r"(?:in|of|by|next|last|since|until|till|before|after|from|to|through|during|late|early|mid|every|each)[\s-]+$",
        before,
    )
    if re.search(r"(?:ask|tell|ping|remind|call|nudge|chase|have|get|let|mail|text)\s+$", before):
        # "ask June", "tell April"
        return None
    if name in _ALSO_NAMES and not near and _SOMEBODY.match(after_match(m)):
        return None
    capital = ctx.raw[m.start() : m.start() + 1].isupper()
    weak = spoken and not (near or (capital and name != "may" and m.start() > 0)) and len(m[0]) < len(m.string.strip())
    return at(m, fields=Fields(month=month_number(name)), weak=weak)


_ALSO_NAMES = ("april", "may", "june", "august")
# What is said of somebody and of no month: "April from accounting has the file".
_SOMEBODY = re.compile(
    r"\s+(?:from (?!the\s+\d|\d)|has|had|said|says|wants?|asked|needs?|thinks?|told|sent|called|wrote|knows|will (?:send|do|call|check|get)"
    r"|is (?:a|an|the|on|in|out|sick|off)|and (?:i|she|he|we)\b|'s )"
)


def _stepped_named_month(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    month, step = month_number(m[2]), STEP[m[1]]
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


def _falls_on(m: "re.Match[str]", day: int, ctx: Ctx) -> bool:
    """Whether one of the coming days of that number is of the weekday before it."""
    name = re.search(rf"({FULL_WEEKDAY}) $", before_match(m))
    days = [add_days(ctx.today, n) for n in range(-7, 60)]
    return not name or day > 12 or any(d and d.day == day and d.weekday() == weekday_number(name[1]) for d in days)


def _weak_day(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = en_ordinal(m["d"]) or int(en_number(m["d"]) or 0)
    alone = re.search(r"(?:on|for|by|until|from) $", before_match(m)) and m[0].startswith("the ")
    listed = re.search(r"\d(?:st|nd|rd|th)\s*(?:,|or|and|&)\s*(?:the\s+)?$", before_match(m))
    if listed and not m["d"].isdecimal() and 1 <= day <= 31:
        return at(m, fields=Fields(day=day))
    if re.search(r"day $", before_match(m)) and not _falls_on(m, day, ctx):
        # "Friday 5" is an hour where the fifth is no Friday.
        return None
    strong = bool(alone) and bool(re.match(r"\s*(?:$|[,.!?;])|\s+(?:at|whether|if)\b", after_match(m)))
    return at(m, fields=Fields(day=day), weak=not strong) if 1 <= day <= 31 else None


def _day_of_the_month(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = en_ordinal(m["d"])
    return at(m, fields=Fields(ctx.today.year, month=ctx.today.month, day=day)) if day and day <= 31 else None


def _day_after_range(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """The bare number of "November 19 to 20", "April ninth through 17th", "June 7 and 8"."""
    before = before_match(m)
    day = en_ordinal(m["d"])
    listed = re.search(rf"(?<![a-z])({MONTH})\.?,?\s+(?:the\s+)?{_DAY}\s*(?:,|and|or|&)\s*(?:the\s+)?$", before)
    if (
        listed
        and day
        and day <= 31
        and re.match(r"\s*(?:$|[,.!?;)]|(?:at|for|please|is|are|works?)\b)", after_match(m))
    ):
        return at(m, fields=Fields(month=month_number(listed[1]), day=day))
    if not re.search(
        rf"{MONTH}\.?,?\s+(?:the\s+)?{_DAY}\s*(?:to|-+|through|thru|till|until|and)\s*(?:the\s+)?$", before
    ):
        return None
    return _weak_day(m, ctx)


def _weekday(m: "re.Match[str]", ctx: Ctx) -> Piece:
    name = m[1]
    weak = False
    if name in ("sat", "sun", "wed"):
        capital = ctx.raw[m.start() : m.start() + 1].isupper()
        near = re.search(r"(?:on|by|until|till|before|after|from|since|to|-|or|and|is)\s*$", before_match(m))
        weak = not (capital or near) and len(m[0].rstrip(".")) < len(m.string.strip().rstrip("."))
    return at(m, fields=Fields(weekday=weekday_number(name)), weak=weak)


def _stepped_weekday(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    weekday, step = weekday_number(m[2]), STEP[m[1]]
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


def _relative(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, _RELATIVE[m[1]])
    return at(m, day=day) if day else None


def _tomorrow(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, 2 if m["after"] else 1)
    return at(m, day=day) if day else None


def _the_day_after(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "tomorrow or the day after"."""
    day = add_days(ctx.today, 2) if re.search(rf"{TOMORROW},?\s+or\s+$", before_match(m)) else None
    return at(m, day=day) if day else None


def _a_week_on(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "Tuesday week", "a week on Tuesday": that day, and a week on."""
    word = m["d"]
    if word[:3] in WEEKDAYS:
        ahead = (weekday_number(word) - ctx.today.weekday()) % 7 or 7
    else:
        ahead = 0 if word == "today" else 1
    weeks = int(en_number(m.groupdict().get("n") or "a") or 1)
    day = add_days(ctx.today, ahead + 7 * weeks)
    return at(m, day=day) if day else None


def _next_workday(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_business_days(ctx.today, 1)
    return at(m, day=day) if day else None


DAY_RULES: list[LexRule] = [
    rule(word(r"(?:the\s+)?next\s+(?:(?:working|business|work)\s+day|workday)"), _next_workday),
    rule(
        rf"(?:(?<![\d.\-/])|(?<=:\d\d/))({YEAR4})[-/. ](1[0-2]|0?[1-9])[-/. ](3[01]|[12]\d|0?[1-9])(?:t(?=\d\d:))?(?![\d/]|-\d)",
        _iso,
    ),
    rule(r"(?<![\d#a-z])((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![\da-z])(?!-\d)", _compact),
    rule(
        rf"(?:(?<![\d.\-/+])|(?<=/\d{{4}}-))(\d{{1,2}})([-/.])(\d{{1,2}})([-/.])({YEAR4}|\d\d)(?![\d/]|-\d+(?![\d/]))",
        _numeric,
    ),
    rule(r"(?<![\d.\-/])(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?=\s+\d{1,2}:\d\d)", _month_and_day),
    rule(
        r"(?:(?<![\d.\-/:$])|(?<=/\d-)|(?<=/\d\d-))(\d{1,2})\s?/\s?(\d{1,2})(?![\d/.%\"]|\s?(?:of|cup|inch))", _slashed
    ),
    rule(rf"(?<![\d.\-/+(])(1[0-2]|0?[1-9])[-/]({YEAR4})(?![\d\-/])", _month_year),
    rule(
        word(
            rf"(?P<m>{MONTH})\.?\s*[-/,]?\s*(?:the\s+)?(?P<d>{_DAY}|{_CARDINAL_DAY}){_NOT_CLOCK}(?:\s*\([a-z]+\)?)?{_Y}"
        ),
        _month_day,
    ),
    rule(rf"(?<![a-z])(?P<m>{MONTH})(?P<d>\d{{1,2}})(?!\d)\s*{_Y}", _month_day),
    rule(word(rf"(?:the\s+)?(?P<d>{_DAY})\s*(?:day\s+)?(?:of\s+)?[-/.]?\s*(?P<m>{MONTH})\.?{_Y}"), _month_day),
    rule(word(rf"(?P<d>\d{{1,2}})[-/](?P<m>{MONTH})[-/](?P<y>\d\d)"), _month_day),
    rule(word(rf"(?P<m>{MONTH})-(?P<y>{YEAR4})-(?P<d>\d{{1,2}})"), _month_day),
    rule(word(rf"(?P<d>\d{{1,2}})-(?P<y>{YEAR4})-(?P<m>{MONTH})"), _month_day),
    rule(word(rf"(?P<y>{YEAR4})[-/](?P<m>{MONTH})[-/](?P<d>\d{{1,2}})"), _month_day),
    rule(word(rf"(?P<m>{MONTH})\.?\s*[-/,]?\s*(?:of\s+|in\s+)?(?P<y>{YEAR4})"), _named_month_year),
    rule(word(rf"({MONTH})(?:\.(?=\s|$|\d))?"), _month),
    rule(word(rf"({STEPS})\s+({MONTH})"), _stepped_named_month),
    rule(word(rf"(?:the\s+)?(?P<d>\d{{1,2}}(?:st|nd|rd|th))(?:\s+day)?{_DAY_STANDS}"), _ordinal_day),
    rule(word(r"the\s+(?P<d>\d{1,2}(?:st|nd|rd|th))(?=\s+(?:[ap]m|\d))"), _ordinal_day),
    rule(r"(?<=\bon )(?:the\s+)?(?P<d>\d{1,2})(?=\s*(?:$|[,.!?;]|at\b))", _ordinal_day),
    rule(r"(?<=\bfor the )(?P<d>\d{1,2})(?=\s*(?:$|[,.!?;]|at\b))", _ordinal_day),
    rule(word(rf"(?:the\s+)?(?P<d>{ORD})\s+(?:day\s+)?of (?:the|this) month"), _day_of_the_month),
    rule(word(rf"the\s+(?P<d>{EN_ORDINAL_WORD}|thirty)(?:\s+day)?"), _weak_day),
    rule(word(r"(?:the\s+)?(?P<d>\d{1,2}(?:st|nd|rd|th))"), _weak_day),
    rule(
        word(
            rf"(?:the\s+)?(?P<d>{_DAY})(?=\s*(?:to|-+|till|until|through|thru|and|/)\s*(?:the\s+)?{_DAY}\s*(?:of\s+)?{MONTH}\b)"
        ),
        _weak_day,
    ),
    rule(word(rf"(?P<d>{_DAY})"), _day_after_range),
    rule(r"(?<=day )(?P<d>\d{1,2})(?=\s*(?:$|[,.!?;]|at\b|after\b|before\b))", _weak_day),
    rule(word(r"(?<!at )(?P<d>\d{1,2})(?=\s+of\s+(?:this|next|last|the|previous))"), _weak_day),
    rule(word(rf"({FULL_WEEKDAY})"), _weekday),
    rule(word(rf"({SHORT_WEEKDAY})") + r"(?:\.(?=\s|$|,))?", _weekday),
    rule(word(rf"({STEPS})\s+({WEEKDAY})(?!\s+(?:in|of)\s)"), _stepped_weekday),
    rule(word(rf"({WEEKDAY})\s+after\s+next"), _weekday_after_next),
    rule(word(rf"(\d+|[a-z]+)\s+({FULL_WEEKDAY})s?\s+(from now|later|back|ago)"), _counted_weekdays),
    rule(word(rf"(?:the\s+)?(?P<after>day after )?{TOMORROW}(?:'?s)?"), _tomorrow),
    rule(word(r"the day after") + r"(?!\s+[a-z])", _the_day_after),
    rule(word(rf"(?P<d>{WEEKDAY}|today|{TOMORROW})\s+{WEEK}") + r"(?!\s+(?:\d|of|starting|end))", _a_week_on),
    rule(
        word(rf"(?<!for )(?P<n>an?|one|two|three|four|\d)\s+{WEEK}s?\s+on\s+(?P<d>{WEEKDAY})"),
        _a_week_on,
    ),
    rule(word(rf"(?<!for )(?P<n>an?|one|two)\s+{WEEK}s?\s+(?P<d>{WEEKDAY}|today|{TOMORROW})"), _a_week_on),
    rule(
        word("(?:the )?(" + "|".join(sorted(_RELATIVE, key=len, reverse=True)) + ")(?:'s)?"),
        _relative,
    ),
]
