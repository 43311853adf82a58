"""Chinese recurrences and vague words: "每周一上午九点", "隔天", "过几天", "尽快"."""

import re

from .dates import Ctx
from .lexing import LexRule, at, rule
from .model import Piece, Rule
from .numerals import zh_int, zh_number
from .recur import nth_day
from .zh_dates import SURNAMES, WEEK, WEEKDAYS

DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WORKDAYS = DAYS[:5]
_FREQ = {
    "天": "DAILY",
    "日": "DAILY",
    "周": "WEEKLY",
    "月": "MONTHLY",
    "年": "YEARLY",
    "星期": "WEEKLY",
    "礼拜": "WEEKLY",
}
_EVERY = r"(?:每逢|每一?个?|逢)"
_N = r"(?:\d+|[一二三四五六七八九两十百]+)"


_LAST_DAY = r"(?:最后一[天日]|月底)"


def _plain(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, rule=Rule(_FREQ[m[1]]))


def _every_part(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, rule=Rule("DAILY"), part="morning" if m[1] in "早晨" else "evening")


def _every_weekdays(m: "re.Match[str]", _: Ctx) -> Piece:
    days = [WEEKDAYS[c] for c in re.sub(r"[^一二三四五六日天]", "", m["days"])]
    return at(m, rule=Rule("WEEKLY", byday=tuple(DAYS[d] for d in dict.fromkeys(days))))


def _every_range(m: "re.Match[str]", _: Ctx) -> Piece:
    first, last = WEEKDAYS[m[1]], WEEKDAYS[m[2]]
    span = range(first, last + 1) if first <= last else [*range(first, 7), *range(last + 1)]
    return at(m, rule=Rule("WEEKLY", byday=tuple(DAYS[d] for d in span)))


def _workdays(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, rule=Rule("WEEKLY", byday=WORKDAYS))


def _weekends(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, rule=Rule("WEEKLY", byday=DAYS[5:]))


def _month_days(m: "re.Match[str]", _: Ctx) -> Piece | None:
    said = re.findall(rf"{_LAST_DAY}|{_N}", m["days"])
    days = [-1 if re.fullmatch(_LAST_DAY, word) else zh_int(word) for word in said]
    if any(day is None or not (1 <= day <= 31 or day == -1) for day in days):
        return None
    return at(m, rule=Rule("MONTHLY", bymonthday=tuple(day for day in days if day)))


def _working_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "每月最后一个工作日": the rule knows no holidays, its first and last day of work is the one of the weekdays."""
    n = 1 if m["n"] == "首" else zh_int(m["n"] or "一")
    freq = "WEEKLY" if m["u"][0] in "周星礼" else _FREQ[m["u"]]
    return at(m, rule=Rule(freq, byday=WORKDAYS, bysetpos=-n if m["last"] else n)) if n else None


def _stepped(m: "re.Match[str]", _: Ctx) -> Piece | None:
    unit = m["u"]
    number = {"半": 0.5, "": 1.0}.get(m["n"]) or zh_number(m["n"])
    if not number:
        return None
    if "隔" in m[0] and number == 1 and unit[0] in "天日周星礼月年":
        # Every other one; with hours and minutes "隔" means the distance itself.
        number = 2.0
    for name, freq, size, smaller, factor in (
        ("秒", "SECONDLY", 1, "SECONDLY", 1),
        ("分", "MINUTELY", 1, "SECONDLY", 60),
        ("刻", "MINUTELY", 15, "MINUTELY", 1),
        ("时", "HOURLY", 1, "MINUTELY", 60),
        ("钟", "HOURLY", 1, "MINUTELY", 60),
        ("天", "DAILY", 1, "HOURLY", 24),
        ("日", "DAILY", 1, "HOURLY", 24),
        ("季", "MONTHLY", 3, "MONTHLY", 1),
        ("月", "MONTHLY", 1, "DAILY", 30),
        ("年", "YEARLY", 1, "MONTHLY", 12),
        ("周", "WEEKLY", 1, "DAILY", 7),
        ("星", "WEEKLY", 1, "DAILY", 7),
        ("礼", "WEEKLY", 1, "DAILY", 7),
    ):
        if name in unit:
            whole = number * size
            if whole == int(whole):
                return at(m, rule=Rule(freq, int(whole)))
            return at(m, rule=Rule(smaller, round(number * factor)))
    return None


def _alternate(m: "re.Match[str]", _: Ctx) -> Piece:
    weekday = (m["d"] and WEEKDAYS[m["d"]]) if "d" in m.re.groupindex else None
    if weekday is not None and weekday != "":
        return at(m, rule=Rule("WEEKLY", 2, byday=(DAYS[int(weekday)],)))
    return at(m, rule=Rule("DAILY" if m[0][-1] in "天日" else "WEEKLY", 2))


def _edge_of_each(m: "re.Match[str]", _: Ctx) -> Piece:
    """ "每月月底", "每季度末", "每年年初": its first or last day."""
    unit = re.search(r"[月年季]", m[0])
    freq, step = {"月": ("MONTHLY", 1), "年": ("YEARLY", 1), "季": ("MONTHLY", 3)}[unit[0] if unit else "月"]
    return at(m, rule=nth_day(Rule(freq, step), 1 if m["edge"] == "初" else -1))


def _vague(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, vague=True)


_DAYSET = rf"[一二三四五六日天](?:(?:[、,和及与]\s?)?(?:{WEEK})?[一二三四五六日天](?![点]))*"

EVERY_RULES: list[LexRule] = [
    rule(rf"{_EVERY}月的?月(?P<edge>底|末|初)", _edge_of_each),
    rule(rf"{_EVERY}年的?年(?P<edge>底|末|初)", _edge_of_each),
    rule(rf"{_EVERY}(?:季度?|季)(?P<edge>底|末|初)", _edge_of_each),
    rule(rf"{_EVERY}(天|日|周|星期|礼拜|月|年)(?![一二三四五六]\s?[个天])", _plain),
    rule(r"一(天|周|星期|礼拜|月|年)(?=[\u4e00-\u9fff]{0,2}一[次回遍趟])", _plain),
    rule(rf"(?<![{SURNAMES}])天天", lambda m, c: at(m, rule=Rule("DAILY"))),
    rule(
        rf"{_EVERY}月的?\s?(?P<days>{_N}\s?[日号]?(?:\s?[、,和及与]\s?(?:{_LAST_DAY}|{_N}\s?[日号]))+)",
        _month_days,
    ),
    rule(
        rf"{_EVERY}(?P<u>周|星期|礼拜|月|年)(?:底|末)?的?(?:(?P<last>最后|倒数第?)|第|(?=首))(?P<n>首|{_N})?\s?个?(?:工作日|上班日)的?",
        _working_day,
    ),
    rule(r"每(早|晨|晚|夜)(?:上)?", _every_part),
    rule(rf"{_EVERY}{WEEK}(?P<days>{_DAYSET})", _every_weekdays),
    rule(
        rf"{_EVERY}?{WEEK}([一二三四五六日天])\s?[到至\-~]\s?(?:{WEEK})?([一二三四五六日天])(?=每天|每日|的?每)",
        _every_range,
    ),
    rule(rf"{_EVERY}{WEEK}([一二三四五六日天])\s?[到至\-~]\s?(?:{WEEK})?([一二三四五六日天])", _every_range),
    rule(rf"{_EVERY}\s?(?:工作日|上班日)的?", _workdays),
    rule(r"(?:工作日|上班日)(?=的?(?:每|早|上午|中午|下午|晚|\d|[一二三四五六七八九十]{1,2}点))", _workdays),
    rule(rf"{_EVERY}\s?(?:{WEEK}末)的?", _weekends),
    rule(
        rf"每\s?隔?\s?(?P<n>{_N}|半)?\s?个?(?P<u>秒钟?|分钟?|刻钟|小时|钟头|钟|天|日|周|星期|礼拜|月|季度|年)",
        lambda m, c: _stepped_or_none(m, c),
    ),
    rule(r"每(?P<n>)个?(?P<u>季度|小时|钟头|分钟)", _stepped),
    rule(
        rf"(?<![第\d.每隔])(?P<n>{_N}|半)\s?个?(?P<u>小时|钟头|天|周|星期|礼拜|月|季度|年)(?=[\u4e00-\u9fff]?一[次回遍趟])"
        r"(?![内后前才就来里没只][\u4e00-\u9fff]?一)",
        _stepped,
    ),
    rule(r"(?<![单每])双周(?:的)?(?:周|星期|礼拜)?(?P<d>[一二三四五六日天])?(?![报])", _alternate),
    rule(rf"每?隔一?(?:个)?{WEEK}(?:的)?{WEEK}?(?P<d>[一二三四五六日天])", _alternate),
    rule(rf"隔一?(?:天|日|个?{WEEK})", _alternate),
]

VAGUE_RULES: list[LexRule] = [
    # How often, but not when.
    rule(
        r"(?:一|每)个?(?:天|周|星期|礼拜|月|季度|年)[\u4e00-\u9fff]{0,2}(?:[两三四五六七八九几]|\d)[次回遍趟]", _vague
    ),
    rule(r"十天半个?月|个把(?:小时|钟头|星期|礼拜|月)|三五[天日]", _vague),
    rule(r"现在|目前|此刻|(?<=[至到])今(?![天日晚早年明儿])", lambda m, c: at(m, exact=c.wall, weak=True)),
    rule(r"(?:今明|明后)两?天", _vague),
    rule(
        r"过(?:一)?(?:几|两)天|(?:最近|就|大概|大约|估计|应该)?[这那]一?两天|[这那]几天|[这那]阵子?|近期|近来|最近(?!的)|不久"
        r"|过(?:一)?(?:阵子?|段时间|些日子|些天)|改天|改日|哪天|回头(?!客)|有空|得空|抽空|空了|闲了"
        r"|稍晚(?:点|些)?|等(?:一下|下)(?![周个班礼星月午次半季])|未来(?:几|一段)|尽快|尽早|尽量早|赶紧|赶快|马上|立刻|立马|即刻|一会儿?|等会儿?|待会儿?|晚点|稍后|晚些(?:时候)?|迟点"
        r"|早晚(?=[会得要])|迟早|快了|很快|快好了|差不多了|到时候?|随时|什么时候|几时|不好说|说不好|看情况|再说吧?"
        r"|这(?:个)?(?:周|星期|礼拜)(?:或|还是)(?:者)?下(?:个)?(?:周|星期|礼拜)|asap",
        _vague,
    ),
]


def _stepped_or_none(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    if not m["n"]:
        return None
    return _stepped(m, ctx)
