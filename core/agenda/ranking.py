"""The focus queue: what matters now, in an order that does not change with the clock (RULES 2). Pure.

Each open matter has a moment from which it ought to be looked at: when it last moved, when its point for the owner was
first asked, or a week before its deadline, whichever is the earliest. A higher priority, and a point that waits for
the owner, bring that moment forward by a head start. The earliest moment is the first in the queue. So a matter climbs
by itself while it stands still or its deadline comes nearer, its place among the others changes only when one of them
changes, and the whole order is one walk along an index. `explain` puts into reasons what it is that counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from core.agenda.model import ConcernRef
from core.ids import ConcernId

HEAD_START = {
    "critical": timedelta(days=60),
    "high": timedelta(days=14),
    "medium": timedelta(),
    "low": timedelta(days=-14),
}
"""How much longer a matter of this priority has been waiting, so to speak."""

WAITING_FOR_OWNER = timedelta(days=21)
BEFORE_DEADLINE = timedelta(days=7)
BEHIND_ALL = timedelta(days=365 * 1000)
"""Schedules wait for their time and for nobody: they stand behind everything else, the next run first."""

STANDS_STILL = timedelta(days=1)
"""From here on it is worth a word that nothing has moved."""

_LATEST = datetime(9999, 1, 1, tzinfo=UTC)
_EVER = datetime(1970, 1, 1, tzinfo=UTC)

Why = Literal["critical", "high", "low", "waiting", "overdue", "today", "soon", "still"]


_WEIGHTS: dict[str, Why] = {"critical": "critical", "high": "high", "low": "low"}


@dataclass(frozen=True)
class Reason:
    """One thing that counts for the place of a matter. `days`: overdue for, due in, standing still for so many."""

    why: Why
    days: int = 0
    at: datetime | None = None
    """waiting: since when; overdue, today, soon: the deadline; still: when it last moved."""


def focus_at(ref: ConcernRef) -> datetime:
    """From when on it ought to be looked at; the earliest is the first in the queue. `place` settles ties."""
    if ref.agenda_role == "scheduled":
        return _behind(ref.next_at or ref.moved_at or _EVER)
    start = _since(ref) - HEAD_START[ref.priority]
    if ref.agenda_role == "waiting_for_owner":
        start -= WAITING_FOR_OWNER
    # Until its end a pause is a wish not to look.
    return max(start, ref.paused_until) if ref.paused_until is not None else start


def place(ref: ConcernRef) -> tuple[datetime, ConcernId]:
    """What the queue is sorted by."""
    return focus_at(ref), ref.concern_id


def explain(ref: ConcernRef, now: datetime) -> tuple[Reason, ...]:
    """Why it stands where it does, the weightiest first; `now` is on the reader's clock, for what is due today."""
    if ref.agenda_role == "scheduled":
        return ()
    found: list[Reason] = []
    weight = _WEIGHTS.get(ref.priority)
    if ref.agenda_role == "waiting_for_owner":
        found.append(Reason("waiting", at=ref.waiting_since))
    if weight is not None:
        # Nothing goes before danger.
        found.insert(0 if weight == "critical" else len(found), Reason(weight))
    if ref.deadline is not None:
        found += _of_deadline(ref.deadline, now)
    if ref.moved_at is not None and now - ref.moved_at >= STANDS_STILL:
        found.append(Reason("still", (now - ref.moved_at).days, ref.moved_at))
    return tuple(found)


def _since(ref: ConcernRef) -> datetime:
    """The earliest of what makes it wait."""
    moments = [m for m in (ref.moved_at, ref.waiting_since) if m is not None]
    if ref.deadline is not None:
        moments.append(ref.deadline - BEFORE_DEADLINE)
    return min(moments, default=_EVER)


def _behind(at: datetime) -> datetime:
    return at + BEHIND_ALL if at < _LATEST - BEHIND_ALL else _LATEST


def _of_deadline(deadline: datetime, now: datetime) -> list[Reason]:
    """Overdue, due today, or due within the days before it that count."""
    local = deadline.astimezone(now.tzinfo)
    days = (local.date() - now.date()).days
    if local <= now:
        return [Reason("overdue", -days, deadline)]
    if days == 0:
        return [Reason("today", 0, deadline)]
    return [Reason("soon", days, deadline)] if deadline - now <= BEFORE_DEADLINE else []
