"""The gate of mid-course reports (RULES 5): may this go out now, later, or not at all? Pure.

What it knows of a report is how pressing it is; which occasion is how pressing is the concern's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from core.calendar import WorkCalendar
from core.limits import ReportLimits


class Weight(StrEnum):
    """What a report may skip."""

    FREE = "free"
    """An answer to the recipient's own message, the report back, a callback: skips everything."""
    PRESSING = "pressing"
    """Skips interval and daily limit, keeps the working hours."""
    ORDINARY = "ordinary"


@dataclass(frozen=True)
class GateNotice:
    """A report at the gate. `text` is what it would say; empty when there is nothing to say."""

    weight: Weight
    text: str
    critical: bool = False


@dataclass(frozen=True)
class History:
    """What went before: the last report of this concern and when, and how many notices the recipient had today."""

    last_at: datetime | None = None
    last_text: str | None = None
    counted_today: int = 0
    quiet_until: datetime | None = None
    """The recipient wants no reports before."""


@dataclass(frozen=True)
class Pass:
    """Now."""


@dataclass(frozen=True)
class Wait:
    """Not before `until`; to be looked at again then."""

    until: datetime


@dataclass(frozen=True)
class Suppress:
    """Not at all."""

    reason: str = "nothing new to say"


Gate = Pass | Wait | Suppress


def evaluate_gate(
    notice: GateNotice, history: History, recipient: WorkCalendar, now: datetime, limits: ReportLimits
) -> Gate:
    """Whether a report may leave at `now`.

    An ordinary report keeps `limits.min_interval` to the one before it of the same concern, the recipient's daily limit
    and their working hours; a pressing one only the hours; both keep the quiet that the recipient asked for. A critical
    concern's reports leave at any hour, quiet or not, and are not counted against the day. Nothing is said twice in a
    row. A wait ends when all that holds the report back has ended.
    """
    if not notice.text or (notice.weight is Weight.ORDINARY and notice.text == history.last_text):
        return Suppress()
    if notice.weight is Weight.FREE:
        return Pass()
    until = now
    if notice.weight is Weight.ORDINARY:
        if history.last_at is not None:
            until = max(until, history.last_at + limits.min_interval)
        if history.counted_today >= limits.daily_limit and not notice.critical:
            until = max(until, _tomorrow(now, recipient))
    if not notice.critical:
        if history.quiet_until is not None:
            until = max(until, history.quiet_until)
        until = recipient.next_opening(until)
    return Pass() if until <= now else Wait(until)


def _tomorrow(now: datetime, recipient: WorkCalendar) -> datetime:
    """The first moment of the recipient's next day: the daily count begins anew there."""
    local = now.astimezone(recipient.tz)
    return (local + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
