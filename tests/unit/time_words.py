"""What a text says of time, in a short word each, as the tests of timetalk write it."""

from datetime import datetime
from zoneinfo import ZoneInfo

from core.timetalk import TimeExpr, TimeKind, parse

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 16, 10, 0, tzinfo=SHANGHAI)
"""A Monday."""


def said(text: str, now: datetime = NOW) -> list[str]:
    """What is definite in a text, a short word each."""
    return [_short(e) for e in parse(text, now) if e.kind != TimeKind.vague]


def _short(expr: TimeExpr) -> str:
    if expr.rrule:
        return expr.rrule
    if expr.duration is not None:
        return f"={expr.duration.total_seconds():.0f}"
    clocked = expr.grain in ("minute", "part")
    show = "%m-%d %H:%M" if clocked else "%m-%d"
    first, last = (at.strftime(show) if at else "" for at in (expr.start, expr.end))
    if expr.kind == TimeKind.span:
        return f"{first}..{last}"
    return f"<{last}" if expr.kind == TimeKind.deadline else f">{first}" if expr.kind == TimeKind.since else first
