"""What the parser finds in a chat message against its label, strictly: all that is said, and nothing else.

A label (`want` in tests/data/time/chat_*.jsonl) is a list of expressions; "?" before one: it may be missing. Dates without a year are of the year of "now".

=================== ===================================================
`03-18`             the day
`03-18 15:00`       the moment
`03-18 morning`     a part of that day
`03-18..03-21`      from the first to before the second, also with clocks
`end 03-31`         a span that ends with that day
`start 04-01`       a span that begins with that day
`<03-18`, `<… 9:00` not later than that: a deadline, or a span from about now
`>03-18`            from then on
`@03-18 15:00`      the moment or a deadline
`=7200`             a length in seconds
`FREQ=…`            a recurrence
=================== ===================================================
"""

from datetime import datetime, timedelta
from typing import Any

_DAY, _HOUR, _MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
_PARTS = {
    "dawn": (0, 6),
    "morning": (5, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "night": (18, 26),
}


def verdict(case: dict[str, Any], found: list[dict[str, Any]]) -> str:
    """ "right", "missing" (something is not found) or "wrong" (something is found that nobody said)."""
    now = datetime.fromisoformat(case["now"]).replace(tzinfo=None)
    left = [f for f in found if f["kind"] != "vague"]
    missing = False
    for label in case["want"]:
        hit = next((f for f in left if _fits(label.lstrip("?"), f, now)), None)
        if hit:
            left.remove(hit)
        elif not label.startswith("?"):
            missing = True
    return "wrong" if left else "missing" if missing else "right"


def _at(label: str, now: datetime) -> tuple[datetime, bool]:
    """The instant, and whether the label has a clock."""
    day, _, clock = label.partition(" ")
    day = day if len(day) > 5 else f"{now.year}-{day}"
    return datetime.fromisoformat(f"{day}T{clock or '00:00'}"), bool(clock)


def _fits(label: str, found: dict[str, Any], now: datetime) -> bool:
    kind = found["kind"]
    start, end = (datetime.fromisoformat(found[k]).replace(tzinfo=None) if found[k] else None for k in ("start", "end"))
    if label.startswith("FREQ="):
        return kind == "recurrence" and set(label.split(";")) == set(found["rrule"].split(";"))
    if label[0] == "=":
        return kind == "duration" and abs(found["duration_s"] - float(label[1:])) <= 0.02 * float(label[1:])
    if ".." in label:
        (first, _), (last, _) = (_at(part, now) for part in label.split(".."))
        return kind == "span" and start == first and end is not None and abs(end - last) <= _MINUTE
    if label.startswith(("end ", "start ")):
        name, _, day = label.partition(" ")
        at, _ = _at(day, now)
        if name == "start":
            return kind == "span" and start == at and found["grain"] != "day"
        return kind in ("span", "deadline") and end is not None and abs(end - at - _DAY) <= _MINUTE
    if label[0] in "<>@":
        return _bounded(label[0], *_at(label[1:], now), kind, start, end, now)
    day, _, part = label.partition(" ")
    if part in _PARTS:
        at, (low, high) = _at(day, now)[0], _PARTS[part]
        return (
            kind == "span"
            and start is not None
            and end is not None
            and at + low * _HOUR <= start < end <= at + high * _HOUR
        )
    at, clocked = _at(label, now)
    return kind == "moment" and start == at and (found["grain"] in ("minute", "second")) == clocked


def _bounded(sign: str, at: datetime, clocked: bool, kind: str, start: Any, end: Any, now: datetime) -> bool:
    slack = _MINUTE if clocked else _DAY
    if sign == ">":
        return (kind == "since" or (kind == "span" and abs(end - now) <= _MINUTE)) and at <= start < at + slack
    if sign == "@" and kind == "moment":
        return bool(start == at)
    near_now = kind == "span" and start is not None and start - _DAY <= now and (end - start) <= 370 * _DAY
    return end is not None and (kind == "deadline" or near_now) and at <= end <= at + slack
