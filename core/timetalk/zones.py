"""The zone that a clock is said in: "9am Shanghai time", "北京时间九点", "3pm GMT", "my time", "his time"."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from core.patterns import lazy

_ZH = {
    "Asia/Shanghai": "北京 上海 中国 国内 深圳 广州",
    "Asia/Hong_Kong": "香港",
    "Asia/Taipei": "台北 台湾",
    "Asia/Tokyo": "东京 日本 大阪",
    "Asia/Seoul": "首尔 韩国",
    "Asia/Singapore": "新加坡",
    "Asia/Kuala_Lumpur": "马来西亚 吉隆坡",
    "Asia/Bangkok": "曼谷 泰国",
    "Asia/Ho_Chi_Minh": "越南 胡志明",
    "Asia/Manila": "马尼拉 菲律宾",
    "Asia/Kolkata": "印度 德里 新德里 孟买",
    "Asia/Dubai": "迪拜",
    "Europe/Moscow": "莫斯科",
    "Europe/Istanbul": "土耳其 伊斯坦布尔",
    "Europe/Berlin": "柏林 德国 法兰克福 慕尼黑",
    "Europe/Paris": "巴黎 法国",
    "Europe/Madrid": "马德里",
    "Europe/Rome": "罗马 意大利 米兰",
    "Europe/London": "伦敦 英国",
    "UTC": "格林威治 格林尼治 世界标准",
    "America/New_York": "纽约 美东 美国东部 东部 波士顿 多伦多",
    "America/Chicago": "芝加哥 美中 美国中部",
    "America/Denver": "丹佛",
    "America/Los_Angeles": "洛杉矶 旧金山 西雅图 加州 硅谷 美西 美国西部 太平洋 温哥华",
    "America/Sao_Paulo": "圣保罗",
    "Australia/Sydney": "悉尼 墨尔本",
    "Pacific/Auckland": "奥克兰 新西兰",
}
_EN = {
    "Asia/Shanghai": "shanghai|beijing|china|shenzhen|guangzhou|chinese",
    "Asia/Hong_Kong": "hong kong|hk",
    "Asia/Taipei": "taipei|taiwan",
    "Asia/Tokyo": "tokyo|japan",
    "Asia/Seoul": "seoul|korea|korean",
    "Asia/Singapore": "singapore",
    "Asia/Kuala_Lumpur": "kuala lumpur|malaysia",
    "Asia/Bangkok": "bangkok|thailand|thai",
    "Asia/Ho_Chi_Minh": "vietnam|hanoi",
    "Asia/Manila": "manila",
    "Asia/Kolkata": "india|indian|delhi|mumbai|bangalore",
    "Asia/Dubai": "dubai",
    "Europe/Moscow": "moscow",
    "Europe/Istanbul": "istanbul",
    "Europe/Berlin": "berlin|german|germany|frankfurt|munich|central european",
    "Europe/Paris": "paris|french",
    "Europe/Madrid": "madrid",
    "Europe/Rome": "rome|milan",
    "Europe/London": "london|uk|british",
    "UTC": "greenwich mean",
    "America/New_York": "new york|ny|eastern|boston|toronto",
    "America/Chicago": "chicago|central",
    "America/Denver": "denver|mountain",
    "America/Los_Angeles": "los angeles|la|san francisco|sf|seattle|california|pacific|vancouver",
    "America/Sao_Paulo": "sao paulo",
    "Australia/Sydney": "sydney|melbourne",
    "Pacific/Auckland": "auckland",
}
# Only those that are one zone to everybody: CST and IST are several.
_SHORT = {
    "GMT": "UTC",
    "UTC": "UTC",
    "BST": "Europe/London",
    "CET": "Europe/Berlin",
    "CEST": "Europe/Berlin",
    "EST": "America/New_York",
    "EDT": "America/New_York",
    "ET": "America/New_York",
    "PST": "America/Los_Angeles",
    "PDT": "America/Los_Angeles",
    "PT": "America/Los_Angeles",
    "MSK": "Europe/Moscow",
    "JST": "Asia/Tokyo",
    "KST": "Asia/Seoul",
    "SGT": "Asia/Singapore",
    "HKT": "Asia/Hong_Kong",
    "AEST": "Australia/Sydney",
    "AEDT": "Australia/Sydney",
}
_MINE = ("我", "我这边", "我这里", "我的", "my", "my own", "our")
_BY_NAME = {
    **{name: zone for zone, names in _ZH.items() for name in names.split()},
    **{name: zone for zone, names in _EN.items() for name in names.split("|")},
    **{name.lower(): zone for name, zone in _SHORT.items()},
}
# Whoever they are, or a name that is several zones: known to the sender, not to a clock.
_OTHERS_ZH = r"当地|对方|[他她]们?(?:那边|那里|那儿|当地)?的?|[\ue000-\uf8ff](?:那边|那里|那儿|当地)?的?|美国|欧洲|澳洲|澳大利亚|加拿大"
_OTHERS_EN = r"his|her|their|[\ue000-\uf8ff]['’]s|local|us|american|european|australian|(?!(?:next|this|that|any|some|every|last|first|prime|real|free|good|same|one)\b)(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?:['’]s)?"
_NAMES_ZH = "|".join(sorted((n for names in _ZH.values() for n in names.split()), key=len, reverse=True))
_SAID_ZH = rf"(?P<{{n}}>{_NAMES_ZH}|我(?:这边|这里|的)?|{_OTHERS_ZH})(?:标准)?时间"
_CLOCK_ZH = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})\s*(?:点|时(?!间|候)|[:：]\d\d|[ap]\.?m)"
_ZONE = lazy(
    rf"(?:按|以)?{_SAID_ZH.format(n='before')}(?:的)?(?=[^,，。;；!?？]{{0,8}}?{_CLOCK_ZH})"
    rf"|(?:(?<=[点半刻钟分时\d])|(?<=[ap]m))\s*[（(]?{_SAID_ZH.format(n='behind')}[)）]?"
    r"|(?:(?<=\d)|(?<=[ap]m)|(?<=[ap]\.m\.)|(?<=clock)|(?<=noon)|(?<=midnight))\s*\(?(?:\b|(?=[\ue000-\uf8ff]))(?:"
    r"(?P<offset>(?:GMT|UTC)\s?[+-]\s?\d{1,2}(?::[0-5]\d)?)|"
    rf"(?P<short>(?-i:{'|'.join(sorted(_SHORT, key=len, reverse=True))}|CST|IST)|gmt|utc)|"
    rf"(?:in )?(?P<city>my(?: own)?|our|{'|'.join('|'.join(v.split('|')) for v in _EN.values())}|{_OTHERS_EN}) (?:standard )?time)\b(?!['’-])\)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SaidZone:
    """`zone`: None where it is not known. `text`: the whole text with the words of the zone, at `pos`, blanked."""

    text: str
    pos: tuple[int, int]
    zone: tzinfo | None


def said_zone(text: str, own: tzinfo) -> SaidZone | None:
    """The zone that a clock of the text is said in; None where none is. `own`: the sender's, which "my time" means.

    A name stands for one character of the private use area, as the rules mask it. Two zones in one text are not known.
    """
    hits = list(_ZONE.finditer(text))
    if not hits:
        return None
    zones = {_zone_of(hit, own) for hit in hits}
    for hit in hits:
        text = text[: hit.start()] + " " * (hit.end() - hit.start()) + text[hit.end() :]
    return SaidZone(text, hits[0].span(), zones.pop() if len(zones) == 1 else None)


def seen_there(text: str, now: datetime) -> tuple[str, datetime] | None:
    """The text without the words of a zone, and the present in that zone; both as they are where none is said, and None
    where it is not known. ``now`` must carry a time zone."""
    said = said_zone(text, now.tzinfo) if now.tzinfo is not None else None
    if said is None:
        return text, now
    return (said.text, now.astimezone(said.zone)) if said.zone is not None else None


def _zone_of(hit: "re.Match[str]", own: tzinfo) -> tzinfo | None:
    if hit["offset"]:
        sign, hours, _, minutes = re.match(r".*?([+-])\s?(\d+)(:(\d+))?", hit["offset"]).groups()  # type: ignore[union-attr]
        ahead = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return timezone(ahead if sign == "+" else -ahead) if ahead < timedelta(hours=15) else None
    name = next(w for w in (hit["before"], hit["behind"], hit["short"], hit["city"]) if w).lower()
    if name in _MINE:
        return own
    return ZoneInfo(_BY_NAME[name]) if name in _BY_NAME else None
