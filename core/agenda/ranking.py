"""The focus queue: what matters now, in an order that does not change with the clock (RULES 2). Pure.

Each open matter has a moment from which it "ought to be looked at": when it last moved, or some days before its
deadline, whichever is earlier. A higher priority, and a point that waits for the owner, bring that moment forward by a
head start. The earliest moment is the first in the queue. So a matter climbs by itself while it stands still or its
deadline comes nearer, and its place can be kept in an index: only a change of the matter changes it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.agenda.model import ConcernRef

HEAD_START = {
    "critical": timedelta(days=60),
    "high": timedelta(days=14),
    "medium": timedelta(),
    "low": timedelta(days=-14),
}
"""How much longer a matter of this priority has been waiting, so to speak."""

WAITING_FOR_OWNER = timedelta(days=21)
BEFORE_DEADLINE = timedelta(days=7)


def focus_at(ref: ConcernRef) -> datetime | None:
    """From when on it ought to be looked at; the earliest is the first in the queue. None: it never moved yet."""
    moments = [ref.moved_at] if ref.moved_at is not None else []
    if ref.deadline is not None:
        moments.append(ref.deadline - BEFORE_DEADLINE)
    if not moments:
        return None
    start = min(moments) - HEAD_START[ref.priority]
    return start - WAITING_FOR_OWNER if ref.agenda_role == "waiting_for_owner" else start
