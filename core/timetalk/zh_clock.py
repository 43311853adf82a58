"""Chinese times and lengths: "下午三点半", "今晚", "一刻钟", "两个半小时"."""

import re
from dataclasses import replace

from core.patterns import lazy

from .dates import Ctx, add_days
from .lexing import LexRule, after_match, at, before_match, rule
from .model import Clock, Length, Piece
from .numerals import ZH_DIGITS, ZH_NUMERAL, zh_int, zh_number

_PARTS = {
    "凌晨": "dawn",
    "清晨": "morning",
    "清早": "morning",
    "大清早": "morning",
    "一大早": "morning",
    "一早": "morning",
    "大早上": "morning",
    "早上": "morning",
    "早晨": "morning",
    "早间": "morning",
    "上午": "morning",
    "午前": "morning",
    "朝早": "morning",
    "上昼": "morning",
    "中午": "noon",
    "正午": "noon",
    "午间": "noon",
    "晌午": "noon",
    "下午": "afternoon",
    "午后": "afternoon",
    "下昼": "afternoon",
    "傍晚": "evening",
    "晚上": "evening",
    "晚间": "evening",
    "夜晚": "evening",
    "夜间": "night",
    "夜里": "night",
    "深夜": "night",
    "半夜": "dawn",
    "午夜": "night",
}
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_SHORT_DAY = {"今": 0, "明": 1, "昨": -1, "当": 0, "次": 1, "听": 1}
_SHORT_PART = {
    "早": "morning",
    "晨": "morning",
    "朝": "morning",
    "晚": "evening",
    "夜": "evening",
    "午": "noon",
}
_HOUR = rf"(?:[01]?\d|2[0-4]|二十[一二三四]?|十[一二三四五六七八九]?|[{ZH_DIGITS}])"
_SECOND = r"(?:[0-5]?\d|[零一二三四五六七八九十]{1,3})"
_MINUTE = rf"(?:[0-5]?\d|[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九]|[{ZH_DIGITS}])"
_NO_POINT = (
    r"(?:(?<![第这那几有说提讲些零一二三四五六七八九百千])|(?<=[周期拜][一二三四五六]))"
    r"(?:(?<![\d.:])|(?=[零一二两三四五六七八九十]))"
)
# After a bare "两点" these make it two points of an argument, not two o'clock.
_ARGUMENT = r"(?![儿点也都]|[^，,。.!?；;\s]{0,4}(?:建议|意见|要求|想法|原因|内容|问题|说明|疑问|注意|感受|体会|希望|理由|好处|不同|共识|结论|总结|反馈|补充|经验|教训|措施|改进|优化|诉求|收获|分析|观察|承诺|规定|考虑|变化|差异|区别|优势|不足|缺点|优点|事项|需求|启发|提示|共同))"


def _part(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, part=_PARTS[m[0]])


def _short(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    day = add_days(ctx.today, _SHORT_DAY[m[1]])
    return at(m, day=day, part=_SHORT_PART[m[2][0]]) if day else None


def _minute(word: str | None, ctx_word: str) -> int | None:
    if "半" in ctx_word:
        return 30
    if quarter := re.search(r"([一1三3两二2])\s?刻", ctx_word):
        return {"一": 15, "1": 15, "三": 45, "3": 45}.get(quarter[1], 30)
    return zh_int(word) if word else 0


def _spoken_clock(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour, minute = zh_int(m["h"]), _minute(m["m"], m[0])
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    fixed = hour > 12 or hour == 0
    rough = any(w in m[0] for w in ("多", "左右", "来钟", "前后"))
    return at(m, clock=Clock(hour, minute, fixed), approximate=rough)


def _bare_clock(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "三点" on its own: "一点" alone is far more often "a little"."""
    few = zh_int(m["h"]) or 0
    if few == 1 and not _certain_one(m):
        return None
    if few <= 2 and re.search(r"[好快慢多少差]$|(?:^|[^今明昨当日号天])[早晚]$", before_match(m)):
        # "早一点", "快两点"
        return None
    return _spoken_clock(m, ctx)


def _certain_one(m: "re.Match[str]") -> bool:
    before, after = before_match(m), after_match(m)
    if re.search(rf"(?:{_PART}|[今明昨当后天日号早晚夜一二三四五六到至在从前约~\-])\s*的?$", before):
        return True
    return bool(re.match(r"\s*(?:钟|整|半|左右|之?前|以前|之?后|以后|开会|[到至]|见面|集合|出发)", after))


def _digital(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour, minute = int(m["h"]), int(m["m"])
    if hour > 24 or minute > 59:
        return None
    half = (m["half"] or "").replace(".", "").strip()
    if half:
        return _halved(m, hour, minute, half)
    return at(m, clock=Clock(hour, minute, hour > 12 or m["h"].startswith("0")))


def _halved(m: "re.Match[str]", hour: int, minute: int, half: str) -> Piece | None:
    if hour > 12:
        return at(m, clock=Clock(hour, minute, True))
    return at(m, clock=Clock(hour % 12 + (12 if half.startswith("p") else 0), minute, True))


def _towards(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "差五分三点", "三点差一刻": so much before the hour."""
    hour, left = zh_int(m["h"]), 15 if "刻" in m["n"] else zh_int(m["n"])
    if hour is None or left is None or not 1 <= hour <= 24 or not 0 < left < 60:
        return None
    return at(m, clock=Clock(hour - 1 or 12, 60 - left, hour > 13, towards=True))


def _english_hour(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour = int(m[1])
    return _halved(m, hour, int(m[2] or 0), m[3].replace(".", "")) if hour <= 12 else None


def _range_hour(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour = zh_int(m[1])
    return at(m, clock=Clock(hour, 0, hour > 12 or hour == 0)) if hour is not None and hour <= 24 else None


def _twice(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "早晚八点": eight in the morning and in the evening, of a day that recurs."""
    hour, minute = zh_int(m["h"]), 30 if m["m"] else 0
    if hour is None or not 5 <= hour <= 11:
        return None
    return at(m, clock=Clock(hour, minute, True), further=((Clock(hour + 12, minute, True), None),), weak=True)


def _closing(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, clock=Clock(18, 0, fixed=True, closing=True))


CLOCK_RULES: list[LexRule] = [
    rule(
        r"(?<!加)(?:一上班|上班(?=之?前|以前|之?后|以后|时(?!间)|的时候|就))",
        lambda m, c: at(m, clock=Clock(9, 0, fixed=True)),
    ),
    rule(r"(?:午饭|午休|午餐|中饭)(?=之?后|以后)", lambda m, c: at(m, clock=Clock(13, 0, fixed=True))),
    rule(r"(?:午饭|午休|午餐|中饭|吃饭)(?=之?前|以前)", lambda m, c: at(m, clock=Clock(12, 0, fixed=True))),
    rule(r"(?:下班|收工|放工)(?=之?前|以前|之?后|以后|时候?|的时候|给|发|交|就|来)", _closing),
    # "周五下班": the end of that day's work.
    rule(r"(?<=[一二三四五六日天])下班(?=\s?(?:$|[,。!?;]))", _closing),
    rule(rf"(?:{_PART})(?!茶|好(?!了|吧|的))", _part),
    rule(r"([今明昨当次听])(早|晨|朝|晚|夜|午)(?:上|间|里)?(?![餐饭点会报]|期|日)", _short),
    rule(r"([今明昨当次听])(早|晚)(?=[零〇一二三四五六七八九十\d])", _short),
    rule(rf"差(?P<n>一刻|\d{{1,2}}|{ZH_NUMERAL}{{1,3}})\s?(?:分钟?|钟)?\s?(?:到|就)?\s?(?P<h>{_HOUR})点钟?", _towards),
    rule(rf"{_NO_POINT}(?P<h>{_HOUR})点(?:还)?差(?P<n>一刻|\d{{1,2}}|{ZH_NUMERAL}{{1,3}})\s?(?:分钟?|钟)?", _towards),
    rule(rf"早晚各?\s?(?P<h>{_HOUR})点(?P<m>半)?(?![一二三四五六七八九十零\d])", _twice),
    rule(
        r"早(?:上)?(?![一两]点(?![半钟整\d零一二三四五六七八九十]))(?=[零〇一二三四五六七八九十\d]{1,2}[点:时])",
        lambda m, c: at(m, part="morning"),
    ),
    rule(
        # "最晚十点" names no evening.
        r"(?<![最多早])晚(?:上)?(?![一两]点(?![半钟整\d零一二三四五六七八九十]))(?=[零〇一二三四五六七八九十\d]{1,3}[点:时])",
        lambda m, c: at(m, part="evening"),
    ),
    rule(
        r"(?:(?<=[号日天])|(?<=[周期拜][一二三四五六日天]))[早晚](?!一?[点些]|了|上|餐|饭|报|会)",
        lambda m, c: at(m, part=_SHORT_PART[m[0]]),
    ),
    rule(
        rf"{_NO_POINT}(?P<h>{_HOUR})\s?(?:点钟?|时)\s?(?:过)?"
        rf"(?:[一二三13]\s?刻|半(?:\s?{_SECOND}秒)?|(?P<m>{_MINUTE})\s?分?(?:\s?{_SECOND}\s?秒)?(?![一二三四五六七八九十\d]?\s?[个天年月周刻点折成倍元块米%万亿]))"
        r"(?:钟|左右)?",
        _spoken_clock,
    ),
    rule(
        rf"{_NO_POINT}(?P<h>{_HOUR})\s?(?:点(?:钟|整|正|多钟?|左右)|时整?(?![候间常而代刻]))(?:左右)?(?P<m>)",
        _spoken_clock,
    ),
    rule(
        rf"{_NO_POINT}(?P<h>{_HOUR})\s?点(?![一二三四五六七八九十零\d]|[评赞心菜餐单击])(?P<m>)" + _ARGUMENT,
        _bare_clock,
    ),
    rule(rf"(?<=前|后|晚|早|午|上|里|晨|\s)(?P<h>{_HOUR})\s?点(?P<m>)(?!\d|[一二三四五六七八九]成)", _bare_clock),
    rule(
        r"(?<![\d.:\-])(?P<h>\d{1,2}):(?P<m>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?\s*"
        r"(?P<half>[ap]\.?\s?m(?![a-z])\.?)?时?(?![\d:])",
        _digital,
    ),
    rule(r"(?<=\d\d-\d\d-\d\d)(?P<h>\d{2}):(?P<m>[0-5]\d)(?P<half>)(?![\d:])", _digital),
    # "下午3.30": a dot for the colon where the half of the day stands before it.
    rule(r"(?<=[午上晚早晨])(?P<h>1[0-2]|[1-9])\.(?P<m>[0-5][05])(?P<half>)(?![\d%折分元万])", _digital),
    rule(r"(?<=-)(?P<h>\d{1,2}):(?P<m>[0-5]\d)(?::[0-5]\d)?(?P<half>)(?![\d:])", _digital),
    rule(r"(?<![\d.a-z])(\d{1,2})(?:点(\d\d))?点?\s?([ap]\.?m(?![a-z])\.?)", _english_hour),
    rule(rf"(?<![\d.:{ZH_DIGITS}十])({_HOUR})(?=\s?[到至~\-]+\s?{_HOUR}\s?(?:点|:\d\d))", _range_hour),
]

_UNITS: dict[str, Length] = {
    "秒": Length(seconds=1, grain="second"),
    "分": Length(seconds=60, grain="minute"),
    "刻钟": Length(seconds=900, grain="minute"),
    "小时": Length(seconds=3600, grain="minute"),
    "钟头": Length(seconds=3600, grain="minute"),
    "h": Length(seconds=3600, grain="minute"),
    "hr": Length(seconds=3600, grain="minute"),
    "min": Length(seconds=60, grain="minute"),
    "钟": Length(seconds=3600, grain="minute"),
    "时": Length(seconds=3600, grain="minute"),
    "天": Length(days=1),
    "日": Length(days=1),
    "夜": Length(days=1),
    "周": Length(days=7),
    "星期": Length(days=7),
    "礼拜": Length(days=7),
    "月": Length(months=1),
    "季度": Length(months=3, grain="quarter"),
    "周年": Length(years=1),
    "年": Length(years=1),
}
_LONG = r"小时|钟头|星期|礼拜|季度|周年"
_N = r"(?:\d[\d,]*(?:\.\d+)?万?|[零〇一二三四五六七八九两俩仨十百千万]+)"


def _unit_of(word: str) -> Length:
    word = word.removesuffix("数")
    if word in ("秒钟", "分钟"):
        word = word[0]
    if word.isascii():
        word = word.removesuffix("s")
    return _UNITS[word]


_A_PRICE = lazy(r"[百千万][二三四五六七八九]?一$")


def _length(m: "re.Match[str]", _: Ctx) -> Piece | None:
    if _A_PRICE.search(m["n"]):
        # "五千二一个月", "三百一天": so much for one.
        return replace(at(m, length=_unit_of(m["u"])), start=m.end("n") - 1)
    number = zh_number(m["n"])
    if number is None:
        return None
    half = 0.5 if m["half"] else 0.0
    rough = bool(m["more"])
    return at(m, length=_unit_of(m["u"]).times(number + half), approximate=rough)


def _more(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "两个多月": at least that."""
    piece = _length(m, ctx)
    return replace(piece, approximate=True) if piece else None


def _half_length(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, length=_unit_of(m["u"]).times(0.5))


def _workdays(m: "re.Match[str]", _: Ctx) -> Piece | None:
    number = zh_number(m["n"])
    return at(m, length=Length(days=number, business=True)) if number is not None else None


def _few(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, length=_unit_of(m["u"]).times(3), approximate=True, vague=True)


def _several(m: "re.Match[str]", _: Ctx) -> Piece:
    """ "两三天": a guess, counted with its larger number."""
    number = {"十来": 12.0, "十几": 15.0}.get(m["n"]) or zh_number(m["n"][1]) or 3.0
    return at(m, length=_unit_of(m["u"]).times(number), approximate=True, vague=True)


def _range_length(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "3-5天": a guess, counted with its larger number."""
    number = zh_number(m["n"])
    if number is None or (m["u"] in "月年" and "个" not in m[0]):
        return None
    return at(m, length=_unit_of(m["u"]).times(number), approximate=True, vague=True)


_FEW_HOURS = r"一两|两三|三四|四五|五六|六七|七八|八九|九十|十一二|几"

_NOT_ORDINAL = r"(?<![第\d.年月v])"

LENGTH_RULES: list[LexRule] = [
    # "下午两三点" is some time of the afternoon.
    rule(
        rf"(?<=[午上晚早里晨夜])(?:{_FEW_HOURS})点(?:钟|左右|多|的样子)?(?![零一二三四五六七八九十\d])",
        lambda m, c: at(m, vague=True),
    ),
    rule(
        rf"(?P<n>一两|两三|三四|三五|四五|五六|六七|七八|八九|十来|十几)\s?个?(?P<u>{_LONG}|天|周|秒钟?|分钟|月|年)",
        _several,
    ),
    rule(
        rf"(?<![\d.点年月日号第:])(?:\d{{1,2}}|[{ZH_DIGITS}十]{{1,2}})\s?[-~到至]\s?(?P<n>\d{{1,2}}|[{ZH_DIGITS}十]{{1,2}})\s?个?(?P<u>{_LONG}|天|周|分钟|月|年)(?!\d)",
        _range_length,
    ),
    rule(rf"(?:好)?几\s?个?(?P<u>{_LONG}|天|周|秒钟?|分钟|月|年)", _few),
    rule(
        rf"{_NOT_ORDINAL}(?P<n>{_N})\s?个?(?P<more>)(?P<half>半)\s?(?P<u>{_LONG}|钟|月)",
        _length,
    ),
    rule(
        rf"{_NOT_ORDINAL}(?P<n>{_N})\s?个?\s?(?P<u>{_LONG}|秒钟|分钟|刻钟)(?P<half>半)?(?P<more>多)?(?![一二三四五六日]$)",
        _length,
    ),
    # "10min后", "2h内"
    rule(r"(?<![第\d.a-z])(?P<n>\d+(?:\.\d)?)\s?(?P<u>hrs?|h|mins?)(?P<half>)(?P<more>)(?![a-z\d])", _length),
    rule(r"(?<![第\d.])(?P<n>\d+)(?P<u>分)(?P<half>)(?P<more>)(?=后|之后|以后)", _length),
    rule(rf"{_NOT_ORDINAL}(?P<n>{_N})\s?个多\s?(?P<u>小时|钟头|月|星期|礼拜|季度)(?P<half>)(?P<more>)", _more),
    rule(r"(?P<n>仨|俩)(?P<u>月)(?P<half>)(?P<more>)", _length),
    rule(rf"(?<=近)(?P<n>{_N})\s?(?P<u>月)(?P<half>)(?P<more>)", _length),
    rule(rf"(?<![第\d.v])(?P<n>{_N})\s?个\s?(?P<u>月|钟(?!点)|季度)(?P<half>半)?(?P<more>多)?", _length),
    rule(rf"(?<![第\d.v])(?P<n>{_N})\s?(?P<u>天|周(?!岁)|秒|夜)(?P<half>半)?(?P<more>多)?(?!气|然)", _length),
    rule(
        rf"(?<![第\d.v])(?P<n>{_N})\s?(?P<u>年)(?P<half>半)?(?P<more>多)?(?![级纪第底初末中]|\s?\d+月)",
        lambda m, c: _years(m, c),
    ),
    rule(
        rf"(?<![第\d.v])(?P<n>{_N})\s?(?P<u>分)(?:(?P<half>半)钟?|(?=\s?(?:{_N}秒|之?内|以内|之?后)))(?P<more>)",
        _length,
    ),
    rule(rf"(?<=天)(?P<n>{_N})(?P<u>时)(?P<half>)(?P<more>)(?!候)", _length),
    rule(rf"(?<=小时)(?P<n>{_N})(?P<u>分)(?P<half>)(?P<more>)(?!钟)", _length),
    rule(rf"(?<![第\d.v月])(?P<n>{_N})\s?(?P<u>日)(?P<half>)(?P<more>)(?=\s?(?:之?内|以内|之后|后))", _length),
    rule(r"(?<![第\d.v月])(?P<n>两|俩|仨|[3-9][2-9]|[4-9]\d|\d{3})\s?(?P<u>日)(?P<half>)(?P<more>)(?!元)", _length),
    rule(rf"半\s?个?(?P<u>{_LONG}|月|钟(?!头)|年|天|日)(?!\s?(?:没|不|才|也没|都没|憋))", _half_length),
    rule(rf"(?<![第\d.])(?P<n>{_N})\s?个工作日", _workdays),
    rule(
        r"(?:头天|头一天|前一天|前一晚)(?=早|上午|中午|下午|晚|\s?\d|[零一二两三四五六七八九十])",
        lambda m, c: at(m, length=Length(days=1), bound="lead"),
    ),
]


def _years(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """Four digits, or two with a leading zero, name a year and are no length."""
    digits = m["n"]
    if digits.startswith(("0", "零", "〇")) or (digits.isdecimal() and len(digits) == 4):
        return None
    if len(digits) >= 2 and all(c in "零〇一二三四五六七八九" for c in digits):
        return None
    return _length(m, ctx)
