"""Chinese days, months and years: "后天", "下周三", "3月18号", "月底", "国庆"."""

import re
from datetime import date

from core.patterns import lazy

from .dates import Ctx, add_business_days, add_days, add_months, safe_date, week_of, weekday_in_week, weekend_of
from .lexing import LexRule, at, before_match, rule
from .model import Fields, Nth, Period, Piece
from .numerals import ZH_NUMERAL, zh_int

NUM = rf"(?:\d+|{ZH_NUMERAL}+)"
DIGIT_YEAR = r"(?:1[89]|20|21)\d\d"
_ZH_YEAR = r"[一二][零〇一二三四五六七八九]{3}|[一二两]千(?:零[一二三四五六七八九]|零?[一二三四五六七八九]?十[一二三四五六七八九]?)?"
_MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAYNUM = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])"
SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张曹严金魏陶姜谢邹苏潘葛范彭马唐罗郭林高梁宋邓曾胡徐黄刘肖田董袁"
# "问一下周凯", "叫上周敏", "线下周会": the particle belongs to the verb before it.
_STEP = r"(?<![叫加带喊拉约算换找])上{1,3}|(?<![一线私])下{1,3}"
WEEK = r"(?:周|星期|礼拜)"
WEEKDAYS = {c: i for i, c in enumerate("一二三四五六")} | {"日": 6, "天": 6} | {str(n): n - 1 for n in range(1, 8)}
OFFSET = {"上": -1, "下": 1, "这": 0, "本": 0, "今": 0, "当": 0, "同": 0}

_RELATIVE = {
    "大大后天": 4,
    "大后天": 3,
    "大后日": 3,
    "后天": 2,
    "后日": 2,
    "后儿": 2,
    "明天": 1,
    "明日": 1,
    "明儿个": 1,
    "明儿": 1,
    "听日": 1,
    "今天": 0,
    "今日": 0,
    "今儿个": 0,
    "今儿": 0,
    "本日": 0,
    "当日": 0,
    "昨天": -1,
    "昨日": -1,
    "昨儿": -1,
    "寻日": -1,
    "前天": -2,
    "前日": -2,
    "前儿": -2,
    "大前天": -3,
    "大前日": -3,
    "大大前天": -4,
}
YEARS = {"今年": 0, "明年": 1, "后年": 2, "去年": -1, "前年": -2, "大前年": -3, "本年": 0, "当年": 0}
# A number with 号 names a building, a line or a machine as often as a day; the word after it tells.
_NOT_A_DAY = r"(?![楼线机仓门店厅房桌车库院馆位码柜窗台井塔厂炉泵床铺矿桥墩路坑栋段]|会议室|会客|教室|办公|包间)"


_NUMBERED = lazy(r"(?:号码?|编码|代码|单|id|no\.?|账户|密码)\s?(?:是|为|:)?\s?$")


def steps(prefix: str) -> int:
    """How many weeks, months or years "上上" or "下个" moves."""
    return sum(OFFSET.get(c, 0) for c in prefix)


def _full(m: "re.Match[str]", _: Ctx) -> Piece | None:
    year, month, day = (zh_int(m[i]) or 0 for i in (1, 2, 3))
    return at(m, fields=Fields(year, month=month, day=day)) if safe_date(year, month, day) else None


def _compact(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "20260316" is a date, unless it is said to be a number of something."""
    return None if _NUMBERED.search(before_match(m)) else _full(m, ctx)


def _short_full(m: "re.Match[str]", _: Ctx) -> Piece | None:
    year, month, day = 2000 + int(m[1]), int(m[2]), int(m[3])
    return at(m, fields=Fields(year, month=month, day=day)) if safe_date(year, month, day) else None


def _month_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    month, day = int(m[1]), int(m[2])
    return at(m, fields=Fields(month=month, day=day)) if safe_date(2024, month, day) else None


def _year(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    year = zh_int(m[1])
    if year is None:
        return None
    if year < 100 and len(m[1]) <= 2:
        # Two digits mean the hundred years around today that reach furthest into the past.
        year += ctx.today.year // 100 * 100
        year -= 100 if year > ctx.today.year + 20 else 0
    return at(m, fields=Fields(year)) if 1 <= year <= 9998 else None


def _relative_year(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return at(m, fields=Fields(ctx.today.year + YEARS[m[0]]))


def _stepped_year(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return at(m, fields=Fields(ctx.today.year + steps(m[1])))


def _month(m: "re.Match[str]", _: Ctx) -> Piece | None:
    month = zh_int(m[1])
    return at(m, fields=Fields(month=month)) if month and 1 <= month <= 12 else None


def _stepped_month(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_months(ctx.today.replace(day=1), steps(m[1]))
    return at(m, fields=Fields(day.year, month=day.month)) if day else None


def _this_month_of_year(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return at(m, fields=Fields(ctx.today.year + YEARS[m[1]], month=ctx.today.month))


def _day_number(m: "re.Match[str]", _: Ctx) -> Piece | None:
    day = zh_int(m[1])
    return at(m, fields=Fields(day=day)) if day and 1 <= day <= 31 else None


def _weak_day_number(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """The first half of "15-20号"."""
    day = zh_int(m[1])
    return at(m, fields=Fields(day=day), weak=True) if day and 1 <= day <= 31 else None


def _period_within(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return at(m, fields=Fields(ctx.today.year, month=ctx.today.month if m[1] == "月" else None))


def _weekday(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    weekday = WEEKDAYS[m[3]]
    if not m[1]:
        return at(m, fields=Fields(weekday=weekday))
    day = weekday_in_week(ctx.today, weekday, steps(m[1]))
    return at(m, day=day) if day else None


def _week(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, 7 * steps(m[1]))
    return at(m, period=week_of(day)) if day else None


def _half_week(m: "re.Match[str]", ctx: Ctx) -> Piece:
    week = week_of(ctx.today)
    middle = add_days(week.start, 3) or week.end
    first = m[1] in "上前"
    return at(m, period=Period(week.start if first else middle, middle if first else week.end, "half"))


def _half_month(m: "re.Match[str]", ctx: Ctx) -> Piece:
    first = ctx.today.replace(day=1)
    middle, end = first.replace(day=16), add_months(first, 1) or first
    early = m[1] in "上前"
    return at(m, period=Period(first if early else middle, middle if early else end, "half"))


def _weekend(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, 7 * steps(m[1] or ""))
    return at(m, period=weekend_of(day)) if day else None


def _relative_day(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, _RELATIVE[m[0]])
    return at(m, day=day) if day else None


def _next_workday(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_business_days(ctx.today, 1)
    return at(m, day=day) if day else None


def _quarter(m: "re.Match[str]", _: Ctx) -> Piece | None:
    quarter = zh_int(m[1])
    return at(m, fields=Fields(quarter=quarter)) if quarter and quarter <= 4 else None


def _stepped_quarter(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_months(ctx.today.replace(day=1), 3 * steps(m[1]))
    return at(m, fields=Fields(day.year, quarter=(day.month + 2) // 3)) if day else None


def _half_year(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(half=1 if m[1] in "上前" else 2))


def _edge_word(word: str) -> str:
    if word.endswith("旬") and word[0] != "中":
        return "early" if word[0] == "上" else "late"
    if word[0] in "初头伊":
        return "start"
    return "middle" if word[0] == "中" else "end"


def _edge(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, fields=Fields(edge=_edge_word(m[1])), weak=True)


def _month_edge(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return at(m, fields=Fields(ctx.today.year, month=ctx.today.month, edge=_edge_word(m[1])))


def _year_edge(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return at(m, fields=Fields(ctx.today.year, edge=_edge_word(m[1])))


def _edge_of_year(m: "re.Match[str]", ctx: Ctx) -> Piece:
    """ "明年年底": the year is said twice."""
    return at(m, fields=Fields(ctx.today.year + YEARS[m[1]], edge=_edge_word(m[2])))


def _quarter_edge(m: "re.Match[str]", ctx: Ctx) -> Piece:
    quarter = (ctx.today.month + 2) // 3
    return at(m, fields=Fields(ctx.today.year, quarter=quarter, edge=_edge_word(m[1])))


def _nth_weekday(m: "re.Match[str]", _: Ctx) -> Piece | None:
    n = -1 if m[1] else zh_int(m[2])
    return at(m, nth=Nth(n, "weekday", weekday=WEEKDAYS[m[3]]), weak=True) if n else None


_NTH_UNITS = {"天": "day", "日": "day", "月": "month"}


def _unit(word: str) -> str:
    if word in ("周", "星期", "礼拜"):
        return "week"
    if word in ("工作日", "上班日"):
        return "workday"
    return "quarter" if word.endswith("季度") else _NTH_UNITS[word[-1]]


def _nth(m: "re.Match[str]", _: Ctx) -> Piece | None:
    n = {"最后": -1, "首": 1}.get(m[1]) or zh_int(m[2] or "")
    if m[1] == "最后" and m[2] and (count := zh_int(m[2])) and count > 1:
        return at(m, nth=Nth(-1, _unit(m[3]), count=count), weak=True)
    return at(m, nth=Nth(n, _unit(m[3])), weak=True) if n else None


def _nth_count(m: "re.Match[str]", _: Ctx) -> Piece | None:
    count = zh_int(m[2])
    n = 1 if m[1] == "前" else -1
    if count == 1 and n > 0 and m[3] in "天日":
        # "开学前一天": before what was said, not before now.
        return None
    if count == 1 and n < 0:
        # "最后一天" is a day, "前一天" and "前三天" are so many.
        return at(m, nth=Nth(n, _unit(m[3])), weak=True)
    return at(m, nth=Nth(n, _unit(m[3]), count=count), weak=True) if count else None


def _two_years(m: "re.Match[str]", ctx: Ctx) -> Piece:
    year = ctx.today.year
    return at(m, period=Period(date(year, 1, 1), date(year + 2, 1, 1), "year"))


_CN_DATE = rf"({DIGIT_YEAR})\s?[-/.\s]\s?(1[0-2]|0?[1-9])\s?[-/.\s]\s?(3[01]|[12]\d|0?[1-9])"


DATE_RULES: list[LexRule] = [
    rule(rf"(?<![\d.]){_CN_DATE}(?:日|号|-(?=\d\d?:))?(?!\d(?!\d?:\d)|\.\d)", _full),
    rule(r"(?<![\d.\-a-z#])((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![\d.\-a-z])", _compact),
    rule(r"(?<![\d.\-/])([12]\d)-(1[0-2]|0?[1-9])-(3[01]|[12]\d|0?[1-9])(?![\d\-/])", _short_full),
    rule(
        r"(?:(?<![\d.\-/:])|(?<=/\d-)|(?<=/\d\d-))(1[0-2]|0?[1-9])/(3[01]|[12]\d|0?[1-9])(?:日|号)?(?![\d/.%天个人])",
        _month_day,
    ),
    rule(r"(?<![\d.\-/:])(1[0-2]|0[1-9])[-·](3[01]|[12]\d|0[1-9])(?![\d\-/.%])", _month_day),
    rule(r"(?<!\d)(\d{1,2})\u00b7(\d{1,2})(?!\d)", _month_day),
    # "8.15" is a date where a word follows that only a day takes, and no version or score stands before.
    rule(
        r"(?<![\d.\-/:v版本分率])(1[0-2]|0?[1-9])\.(3[01]|[12]\d|0?[1-9])(?:日|号|(?=\s?(?:之?前|以前|之?后|以后)(?![端台缀])"
        r"|\s?(?:[上下]午|早上|中午|晚上|上线|提测|提交|截止|到期|开会|发布|上架|活动|大促|开幕|直播|交付|交稿|交货|出发|到货|前后|那天|当天|会议|评审|放假|签约|开始|结束|[(]?周[一二三四五六日]|零点|凌晨|\d{1,2}[点:]|[一二三四五六七八九十]{1,3}点)))(?!\d)",
        _month_day,
    ),
    rule(rf"(?<!\d)({DIGIT_YEAR})\s?年度?", _year),
    rule(rf"({_ZH_YEAR})\s?年", _year),
    rule(r"(?<![\d.])(0\d|[零〇][零〇一二三四五六七八九])\s?年", _year),
    rule(
        rf"(?<![\d.])(\d\d|[一二三四五六七八九][零〇一二三四五六七八九])\s?年(?=\s?{_MONTH}月|底|末|初|第|上半|下半|[一二三四]季|q)",
        _year,
    ),
    rule(rf"(?<![\d.\-/:])({DIGIT_YEAR})(?=\s?[-~至到]\s?{DIGIT_YEAR}(?!\d))", _year),
    rule(rf"(?<=\d-)({DIGIT_YEAR})(?![\d.\-/:])", _year),
    rule(rf"^\s*({DIGIT_YEAR})\s*$", _year),
    rule("|".join(sorted(YEARS, key=len, reverse=True)), _relative_year),
    rule(rf"({'|'.join(sorted(YEARS, key=len, reverse=True))})的?年(底|末|初|中|尾)(?![国间])", _edge_of_year),
    rule(r"(上上?|下下?|这|本)一?(?:个)?年(?![纪龄级])", _stepped_year),
    rule(r"今明两年", _two_years),
    rule(rf"(?<!近)({_MONTH})\s?月(?:份)?(?![饼球光亮经])", _month),
    rule(
        rf"(?:(?<![\d.\-/:])|(?<=\d\.\d\d-))(?:{DIGIT_YEAR})[.](0[1-9]|1[0-2])(?![\d.])", lambda m, c: _dotted_month(m)
    ),
    rule(rf"({_STEP}|这|本|当|同)一?个?月(?:份)?", _stepped_month),
    rule(r"(今年|去年|明年)(?:本|这个)月", _this_month_of_year),
    rule(
        rf"(?<![第\d.:/楼])({_DAYNUM})\s?(?:日|号)(?!\s*(?:之?以?内))(?![游元本语常子志报程记历])" + _NOT_A_DAY,
        _day_number,
    ),
    rule(
        rf"(?<=月)\s?({_DAYNUM})(?!\s?[\d{{}}个天年月周时分秒点刻元块多人次台件%.:零一二三四五六七八九十百千万])",
        _day_number,
    ),
    rule(rf"(?<![\d.:\-/])({_DAYNUM})(?=\s?[-~到至]\s?{_DAYNUM}\s?[号日](?!\s?(?:之?以?内)))", _weak_day_number),
    rule(r"(?<![\d一二三四五六七八九十两几半个今去明本当上下这新])([年月])(?=内(?!部))", _period_within),
    rule(r"(?<![\d一二三四五六七八九十两几半个每本上下这])周(?=内(?!部))", lambda m, c: at(m, period=week_of(c.today))),
    rule(rf"(?<=月的)({_DAYNUM})(?=日|号)", _day_number),
    rule(
        rf"((?:{_STEP}|这|本|今)(?:一?个)?)?((?<![小老阿]){WEEK}{WEEK}?)(一(?!会儿|[个样次遍直定鸣帆凡诺]|(?<![从自]周一)起)|[二三四五六日天](?![线环]|(?<=六)福))",
        _weekday,
    ),
    rule(rf"((?:{_STEP}|这|本)(?:一?个)?)?({WEEK})([1-7])(?![\d点:.个天次年月%])", _weekday),
    rule(rf"((?:{_STEP}|这|本)(?:一?个?))({WEEK})(?![末围边转到密全刊期长])", _week),
    rule(rf"([上下前后])半(?:个)?{WEEK}", _half_week),
    rule(r"([上下前后])半个?月", _half_month),
    rule(rf"((?:{_STEP}|这|本)(?:一?个)?)?(?:{WEEK}末|双休日?|{WEEK}六日)(?:两天)?(?![点号])", _weekend),
    rule(
        "(?:" + "|".join(sorted(_RELATIVE, key=len, reverse=True)) + r")(?!头条|油条|说法)",
        _relative_day,
    ),
    rule(r"下一?个?(?:工作日|上班日)", _next_workday),
    rule(r"今(?=星期|礼拜|周)", lambda m, c: at(m, day=c.today)),
    rule(r"第?([一二三四1-4])\s?季度|q([1-4])(?:季度)?", lambda m, c: _quarter_either(m)),
    rule(rf"({_STEP}|这|本)一?个?季度", _stepped_quarter),
    rule(r"([上下前后])个?半年", _half_year),
    rule(r"(?:(?<=q[1-4])|(?<=q[1-4]季度))\s?(底|末|初)", _edge),
    rule(r"(?<=[年月度周])\s?(底|末|初|中旬?|上旬|下旬|伊始|尾|头)(?![中国间等学午])", _edge),
    rule(r"(?<=月份)(底|末|初|中旬?|上旬|下旬)", _edge),
    rule(r"月(底|末|初|中旬?|尾)(?![国间])", _month_edge),
    rule(r"年(底|末|初|中|尾)(?![国间])", _year_edge),
    rule(r"季度?(末|初|底)", _quarter_edge),
    rule(rf"的?(?:(最后)一?个?|第({NUM})个?){WEEK}([一二三四五六日天])", _nth_weekday),
    rule(rf"的?(最后|首|第)(?:({NUM})|一)?个?(天|日|周|星期|礼拜|季度|月|工作日|上班日)(?![一二三四五六]|份)", _nth),
    rule(rf"的?((?<!提)前|最后)\s?({NUM})\s?个?(天|日|周|星期|礼拜|季度|月)", _nth_count),
    rule(rf"的?(后)\s?({NUM})\s?个?(季度|月)", _nth_count),
]


def _dotted_month(m: "re.Match[str]") -> Piece:
    return at(m, fields=Fields(int(m[0][:4]), month=int(m[1])))


def _quarter_either(m: "re.Match[str]") -> Piece | None:
    quarter = zh_int(m[1] or m[2])
    return at(m, fields=Fields(quarter=quarter)) if quarter and quarter <= 4 else None
