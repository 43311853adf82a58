"""A concern as the agenda refers to it: what its place in the order and its standstill are read from. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from core.agenda.model import ConcernRef
from core.agenda.ranking import place
from core.concern.changes import overdue_since, owing
from core.concern.machine import Event
from core.concern.model import Concern, ConcernType

OUR_OWN = frozenset(
    {
        Event.STARTED,
        Event.CONTACTED,
        Event.FOLLOWED_UP,
        Event.ASKED_INITIATOR,
        Event.WAITED,
        "action_send",
        "undeliverable",
        "decision_asked",
        "decision_reminded",
        "deadline",
        "message_dropped",
        "ask_back_held",
        "stuck",
    }
)
"""Entries of the timeline that tell what the bot did by itself: that it asked once more has moved nothing."""


def ref_of(concern: Concern) -> ConcernRef:
    """The reference to an open concern."""
    return ConcernRef(
        concern_id=concern.concern_id,
        priority=concern.priority,
        status=concern.status,
        agenda_role=_role(concern),
        owner=concern.initiator_id,
        deadline=concern.deadline,
        moved_at=moved_at(concern),
        waiting_since=concern.decision.asked_at if concern.decision else None,
        next_at=_next_at(concern),
        type=concern.type,
        paused_until=concern.paused_until,
        stuck_at=concern.stuck_at,
    )


def in_focus(concerns: Iterable[Concern]) -> list[Concern]:
    """Open concerns in the order of the focus queue."""
    return sorted(concerns, key=lambda concern: place(ref_of(concern)))


def moved_at(concern: Concern) -> datetime:
    """When anything was said, learned or decided in it last: a word of somebody, a wish of the initiator, an event."""
    said = (e.ts for e in reversed(concern.conversation_log) if e.direction == "inbound")
    happened = (e.ts for e in reversed(concern.timeline) if e.type not in OUR_OWN)
    return max(concern.created_at, next(said, concern.created_at), next(happened, concern.created_at))


def _next_at(concern: Concern) -> datetime | None:
    """When it is taken up next; where that was to be before and nothing has come of it since, that moment."""
    planned = concern.next_action.when if concern.next_action else None
    missed = (overdue_since(concern.state_of(p.person_id)) for p in owing(concern))
    return min((m for m in (planned, *missed) if m is not None), default=None)


def _role(concern: Concern) -> Literal["active", "waiting_for_owner", "scheduled"]:
    if concern.type is ConcernType.SCHEDULE:
        return "scheduled"
    return "waiting_for_owner" if concern.decision is not None else "active"
