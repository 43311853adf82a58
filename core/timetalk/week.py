"""A weekday that answers a question about a week: "周二" to "下周聊聊" is next week's."""

import re
from datetime import datetime, timedelta

from .model import TimeKind
from .parse import parse

_BARE = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天]|\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b",
    re.IGNORECASE,
)
_ELSE = re.compile(
    r"[今明后昨]天|[今明]晚|明早|[上下本这]个?(?:周|星期|礼拜)|\d\s*[号日月]|[号日月]\d|\b(?:today|tonight|tomorrow|next|this|last)\b",
    re.IGNORECASE,
)


def seen_from(words: str, asked: str, asked_at: datetime, now: datetime) -> datetime:
    """The present from which `words` are read: the last minute before the coming week that `asked` is about, where they
    name bare weekdays and no other day; else `now`.
    """
    if not _BARE.search(words) or _ELSE.search(words):
        return now
    weeks = {t.start for t in parse(asked, asked_at) if t.kind is TimeKind.span and t.grain == "week" and t.start}
    days = [t for t in parse(asked, asked_at) if t.grain in ("day", "part", "minute")]
    if days or len(weeks) != 1 or (monday := weeks.pop()) <= now:
        return now
    return monday.astimezone(now.tzinfo) - timedelta(minutes=1)
