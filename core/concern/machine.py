"""The state machine of a concern, as data (RULES 3).

A concern is `pending` from the moment it is raised, `in_progress` while the loop works on it, `waiting_reply` while
somebody else is to speak, `escalated` once it was handed to someone better placed; `resolved` and `dropped` are final.
`TABLE` holds every legal pair of event and status; whatever is not in it is refused and changes nothing. That a concern
is paused is a flag beside the status, and how far each delegate is stands with the delegate: neither is in this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from core.concern.model import Concern, Status, TimelineEntry
from core.errors import IllegalTransition


class Event(StrEnum):
    """What moves a concern; each is also the `type` of the timeline entry that records it."""

    STARTED = "started"
    """Work begins: first handling, a reply, a time-out, evidence, a decision, a schedule that is due."""
    CONTACTED = "contacted"
    FOLLOWED_UP = "followed_up"
    ASKED_INITIATOR = "asked_initiator"
    WAITED = "waited"
    """Nothing is to be done before the next answer or moment."""
    RUN_DONE = "run_done"
    """One run of a recurring schedule is over."""
    ESCALATED = "escalated"
    RESOLVED = "resolved"
    DROPPED = "dropped"


_OPEN = tuple(s for s in Status if s.is_open)


def _rule(sources: tuple[Status, ...], target: Status) -> Mapping[Status, Status]:
    return dict.fromkeys(sources, target)


TABLE: Mapping[Event, Mapping[Status, Status]] = {
    Event.STARTED: _rule((Status.PENDING, Status.WAITING_REPLY, Status.ESCALATED), Status.IN_PROGRESS),
    Event.CONTACTED: _rule((Status.IN_PROGRESS,), Status.WAITING_REPLY),
    Event.FOLLOWED_UP: _rule((Status.IN_PROGRESS,), Status.WAITING_REPLY),
    Event.ASKED_INITIATOR: _rule((Status.IN_PROGRESS,), Status.WAITING_REPLY),
    Event.WAITED: _rule((Status.IN_PROGRESS,), Status.WAITING_REPLY),
    Event.RUN_DONE: _rule((Status.IN_PROGRESS,), Status.PENDING),
    Event.ESCALATED: _rule((Status.IN_PROGRESS,), Status.ESCALATED),
    Event.RESOLVED: _rule((Status.IN_PROGRESS, Status.ESCALATED), Status.RESOLVED),
    Event.DROPPED: _rule(_OPEN, Status.DROPPED),
}


def transition(concern: Concern, event: Event, now: datetime, detail: str = "") -> Concern:
    """The concern after `event`: new status, a timeline entry, `closed_at` where it ends.

    Raises `IllegalTransition` for a pair that is not in the table; the concern is a value, so nothing has changed then.
    """
    target = TABLE[event].get(concern.status)
    if target is None:
        raise IllegalTransition(event, concern.status)
    entry = TimelineEntry(ts=now, type=event, detail=detail)
    closed_at = None if target.is_open else now
    return concern.model_copy(update={"status": target, "timeline": (*concern.timeline, entry), "closed_at": closed_at})


def started(concern: Concern, now: datetime, detail: str = "") -> Concern:
    """In progress: begun where it was not already under way."""
    return concern if concern.status is Status.IN_PROGRESS else transition(concern, Event.STARTED, now, detail)


def mermaid() -> str:
    """The state diagram of the table, one arrow a pair of statuses, in the notation of Mermaid."""
    arrows: dict[tuple[Status, Status], list[str]] = {}
    for event, rules in TABLE.items():
        for source, target in rules.items():
            arrows.setdefault((source, target), []).append(event)
    lines = ["stateDiagram-v2", f"    [*] --> {Status.PENDING}: raised"]
    lines += [f"    {source} --> {target}: {', '.join(events)}" for (source, target), events in arrows.items()]
    lines += [f"    {status} --> [*]" for status in Status if not status.is_open]
    return "\n".join(lines) + "\n"
