"""Times as people say them, in Chinese and English."""

import re
from datetime import date, datetime, timedelta

from .dates import resolve_fields
from .model import Fields
from .parse import readings
from .settle import Reading

_ZH_WEEKDAYS = "一二三四五六日"
_EN_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_EN_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CLAUSE_END = re.compile(r"[，。！!？?；;\n]|[.,](?![A-Za-z0-9])")
"""A point inside a version, a number or a file's name ends none."""
_HAN_GAP = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
_LATELY = re.compile(r"(?:最近|近来)的?\s?$")
_COUNTED_UP = re.compile(r"[^，。,.;；]{0,6}了[一二两三四五六七八九十几好\d]")
_HAN = re.compile(r"[\u3400-\u9fff]")


def say_moment(at: datetime, now: datetime, lang: str) -> str:
    """A moment as it is said at ``now``: "今天 15:00", "明早 9:00", "周四 15:00", "3月18日 15:00".

    English: "tomorrow 9:00", "Thu 15:00", "Mar 18, 15:00". Read back by ``parse`` it is the same minute, save in an
    hour that the clock shows twice.
    """
    local = at.astimezone(now.tzinfo)
    zh = lang.startswith("zh")
    days = (local.date() - now.date()).days
    if days == 1 and zh and 5 <= local.hour <= 9:
        return f"明早 {local.hour}:{local.minute:02d}"
    # Read without its half of the day, an early hour would be taken for the afternoon: two digits settle it.
    pad = days == 0 or local.hour < 7
    clock = f"{local.hour:02d}:{local.minute:02d}" if pad else f"{local.hour}:{local.minute:02d}"
    return f"{_say_day(local.date(), now.date(), days, zh)}{clock}"


def say_exactly(at: datetime, today: date, lang: str) -> str:
    """A moment that reads the same whenever it is read: "3月18日周三 15:00", "Wed, Mar 18, 15:00"."""
    zh = lang.startswith("zh")
    day = say_date(at.date(), today, zh)
    clock = f"{at.hour}:{at.minute:02d}"
    if zh:
        return f"{day}周{_ZH_WEEKDAYS[at.weekday()]} {clock}"
    return f"{_EN_WEEKDAYS[at.weekday()]}, {day}, {clock}"


def _say_day(day: date, today: date, days: int, zh: bool) -> str:
    near = {0: ("今天", "today"), 1: ("明天", "tomorrow"), -1: ("昨天", "yesterday")}
    if days in near:
        return near[days][0 if zh else 1] + " "
    if 2 <= days <= 6:
        # In Chinese a bare weekday is one of this week, so on a Friday 周四 was yesterday.
        week = "下周" if day.weekday() < today.weekday() else "周"
        return f"{week}{_ZH_WEEKDAYS[day.weekday()]} " if zh else f"{_EN_WEEKDAYS[day.weekday()]} "
    return say_date(day, today, zh) + (" " if zh else ", ")


def say_date(day: date, today: date, zh: bool) -> str:
    """ "3月18日" or "Mar 18"; with the year where it would otherwise be taken for another."""
    same = resolve_fields(Fields(month=day.month, day=day.day), today) == day
    if zh:
        return f"{day.month}月{day.day}日" if same else f"{day.year}年{day.month}月{day.day}日"
    short = f"{_EN_MONTHS[day.month - 1]} {day.day}"
    return short if same else f"{short} {day.year}"


def say_duration(delta: timedelta, lang: str) -> str:
    """A length of time in its two largest units: "3 小时 5 分钟", "2 天 4 小时", "不到 1 分钟"; "3 h 5 min"."""
    zh = lang.startswith("zh")
    minutes = int(abs(delta.total_seconds()) // 60)
    if minutes < 1:
        return "不到 1 分钟" if zh else "less than 1 min"
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    names = ("天", "小时", "分钟") if zh else ("d", "h", "min")
    said = [f"{n} {name}" for n, name in zip((days, hours, left), names, strict=True)]
    first = next(i for i, n in enumerate((days, hours, left)) if n)
    second = first + 1
    if second < 3 and (days, hours, left)[second]:
        return f"{said[first]} {said[second]}"
    return said[first]


def said_with_date(text: str, now: datetime) -> str:
    """The words with the absolute date behind each clause that names a day relative to today: "后天（3月18日）".

    Words that carry the date already, and words without a relative day, stay as they are.
    """
    zh = bool(_HAN.search(text)) or not re.search(r"[A-Za-z]", text)
    found = readings(text, now)
    given = {_day_of(r, now) for r in found if r.piece.fields and r.piece.fields.month and r.piece.fields.day}
    notes: dict[int, list[str]] = {}
    noted: set[date] = set()
    for reading in found:
        day = _day_of(reading, now)
        if day is None or day in given or not _is_relative(reading, text):
            continue
        if day not in noted:
            noted.add(day)
            end = _clause_end(text, reading.expr.pos[1])
            notes.setdefault(end, []).append(say_date(day, now.date(), zh))
    for end in sorted(notes, reverse=True):
        note = f"（{'、'.join(notes[end])}）" if zh else f" ({', '.join(notes[end])})"
        text = text[:end] + note + text[end:]
    return text


def _is_relative(reading: Reading, text: str) -> bool:
    piece = reading.piece
    weekday = piece.fields is not None and piece.fields.weekday is not None and piece.fields.day is None
    if piece.length:
        # Of "最近三天内" nobody can tell which three they are; "三天内坏了两次" tells of those before.
        untold = _LATELY.search(text, 0, piece.start) or _COUNTED_UP.match(text, piece.end)
        sure = piece.bound in ("out", "ago") or (piece.bound == "within" and not untold)
        return sure and not piece.length.seconds
    return reading.expr.rrule is None and (piece.day is not None or weekday) and reading.named


def _day_of(reading: Reading, now: datetime) -> date | None:
    piece, expr = reading.piece, reading.expr
    if piece.length and (at := expr.end if piece.bound == "within" else expr.start):
        return at.date()
    return reading.day


def _clause_end(text: str, position: int) -> int:
    """Where the clause that holds this position ends; a clause also ends at a space between Chinese words."""
    end = _CLAUSE_END.search(text, position)
    stop = end.start() if end else len(text)
    if space := _HAN_GAP.search(text, max(0, position - 1), stop):
        return space.start()
    return max(position, len(text[:stop].rstrip()))
