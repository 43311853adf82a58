"""Chinese feasts and school holidays by name: "国庆", "去年中秋", "年前", "暑假"."""

import re
from datetime import date

from .dates import Ctx
from .feasts import ZH_FEASTS, feast_day, lunar_day
from .lexing import LexRule, at, rule
from .model import Fields, Period, Piece
from .numerals import zh_int
from .zh_dates import DIGIT_YEAR, SURNAMES, YEARS

# Read as feasts only before a word that fits: otherwise they are numbers.
_NUMERIC_FEASTS = ("五一", "六一", "十一")


_LUNAR_DAY = r"(?:三十|二?十[一二三四五六七八九]?|[一二三四五六七八九])"


def _year_of(word: str | None, ctx: Ctx) -> int | None:
    if not word:
        return None
    return ctx.today.year + YEARS[word] if word in YEARS else zh_int(word[:4])


def _feast(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    found: date | Fields | None = feast_day(ZH_FEASTS[m["feast"]], ctx.today, _year_of(m["year"], ctx))
    if isinstance(found, Fields):
        return at(m, fields=found, feast=True)
    return at(m, day=found, feast=True) if found else None


def _new_year(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "年前" without a number is before the Spring Festival."""
    day = feast_day("spring", ctx.today)
    return at(m, day=day, feast=True) if isinstance(day, date) else None


def _first_month(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "正月初八", "大年初三"."""
    number = zh_int(m["d"].removeprefix("初"))
    day = lunar_day(1, number, ctx.today) if number else None
    return at(m, day=day) if day else at(m, vague=True)


def _lunar(m: "re.Match[str]", ctx: Ctx) -> Piece:
    """A day of the lunar calendar where its month is known, else nothing definite: it is not that of the solar one."""
    said = m.groupdict()
    month = zh_int((said.get("m") or "").replace("正", "一"))
    number = zh_int((said.get("d") or "").removeprefix("初"))
    day = lunar_day(month, number, ctx.today) if month and number else None
    return at(m, day=day) if day else at(m, vague=True)


def _school_holiday(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """July and August are free of school everywhere; when the winter holidays lie, each place says for itself."""
    if m["feast"] == "寒假":
        return at(m, vague=True)
    year = _year_of(m["year"], ctx) or ctx.today.year + (ctx.today.month > 8)
    return at(m, period=Period(date(year, 7, 1), date(year, 9, 1), "month"))


FEAST_RULES: list[LexRule] = [
    rule(
        r"(?<![零一二三四五六七八九十第])(?P<year>)(?P<feast>五一|六一)"
        r"(?![零一二三四五六七八九十百千万个号点月日年路街巷班楼层村桥广小中大\d])",
        _feast,
    ),
    rule(
        rf"(?<![零一二三四五六七八九十第])(?P<year>)(?P<feast>{'|'.join(_NUMERIC_FEASTS)})节?"
        r"(?=\s?(?:节|假|放假|长假|黄金周|之?前|以前|之?后|以后|期间|那天|当天))",
        _feast,
    ),
    rule(r"(?:^|(?<=[，,。.\s赶在等过]))年(?=前(?!年)|后(?![年天面端续来]))", _new_year),
    rule(r"过年(?=之?前|以前|之?后|以后|期间|那天)", _new_year),
    rule(rf"(?:正月|大年)(?P<d>初?{_LUNAR_DAY})(?:[日号])?", _first_month),
    rule(
        rf"(?:农历|阴历|旧历)的?(?P<m>[正一二三四五六七八九十冬腊]{{1,2}})月(?P<d>初?{_LUNAR_DAY})?(?:[日号])?", _lunar
    ),
    rule(rf"(?:腊月|冬月)(?:初?{_LUNAR_DAY})?", _lunar),
    # 赵国庆 is a person.
    rule(
        rf"(?<![{SURNAMES}])(?:(?P<year>{'|'.join(YEARS)}|{DIGIT_YEAR}年)的?)?(?P<feast>"
        + "|".join(sorted((f for f in ZH_FEASTS if f not in _NUMERIC_FEASTS), key=len, reverse=True))
        + r")(?:当天|那天|节)?",
        _feast,
    ),
    rule(rf"(?P<year>{'|'.join(YEARS)})?的?(?P<feast>暑假|寒假)(?![前后])", _school_holiday),
]
