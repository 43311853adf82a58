"""When an open matter counts as stuck: its moment has passed and nothing came of it (RULES 2). Pure."""

from __future__ import annotations

from datetime import datetime

from core.agenda.model import ConcernRef
from core.limits import HeartbeatLimits


def stuck_at(ref: ConcernRef, limits: HeartbeatLimits) -> datetime | None:
    """From when on it is stuck, if nothing moves in it before; None where it cannot be.

    What waits for the owner, is planned for a time, paused without an end, or asks after a stuck matter itself, is not
    stuck. With a moment of its own it is not before that has passed for a while.
    """
    if ref.agenda_role != "active" or ref.type == "heartbeat" or ref.moved_at is None:
        return None
    if ref.next_at is None:
        return None if ref.paused_until is not None else ref.moved_at + limits.still
    return max(ref.moved_at + limits.still, ref.next_at + limits.overdue)
