"""Concerns as plain values for templates: one look for the chat and for the command line.

Moments are ISO 8601 strings. Status words stay the model's own; the templates put them into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.commands.lookup import MOST_OFFERED, find_concerns, handle_of
from bot.commands.request import CommandRepositories
from bot.commands.why import cause_values, reason_values, short
from core.concern.model import CommStatus, Concern, ConcernPerson, ConcernType, LogEntry, TimelineEntry
from core.concern.planning import FOREVER, is_paused
from core.errors import QinghaiError
from core.hub.services import owner_day
from core.ids import PersonId
from core.ports import Renderer

SHOWN_ENTRIES = 10
"""Of a timeline or a dialogue, how many of the last entries are shown."""

EVERYTHING = 100_000
"""More concerns than there will ever be."""

INNER = frozenset(
    {"started", "contacted", "followed_up", "asked_initiator", "waited", "message_dropped", "ask_back_held"}
)
"""Entries of the timeline that only say what the machine did inside; the JSON form has them."""


# --- values -------------------------------------------------------------------------------------------------------


def line_values(concern: Concern, now: datetime, day: str, reader: PersonId | None) -> dict[str, Any]:
    """One concern in a list; `by` is who started it, where that is not the reader."""
    initiator = concern.source.initiator
    return {
        "handle": handle_of(concern, day),
        "title": concern.title,
        "names": [p.display_name for p in concern.delegates],
        "status": concern.status.value,
        "scheduled": concern.type is ConcernType.SCHEDULE and concern.status.is_open,
        "priority": concern.priority.value,
        "by": initiator.name if initiator and concern.initiator_id != reader else None,
        "next": next_step(concern, now),
    }


def concern_values(
    concern: Concern, now: datetime, day: str, reader: PersonId | None, shown: int = SHOWN_ENTRIES
) -> dict[str, Any]:
    """One concern whole; of the timeline and the dialogue the last `shown` entries each."""
    happened = [e for e in concern.timeline if e.type not in INNER]
    return {
        **line_values(concern, now, day, reader),
        "goal": concern.goal,
        "question": point_of(concern),
        "created_at": concern.created_at.isoformat(),
        "closed_at": concern.closed_at.isoformat() if concern.closed_at else None,
        "deadline": concern.deadline.isoformat() if concern.deadline else None,
        "outcome": concern.outcome if concern.closed_at else concern.summary,
        "people": [_person_values(concern, p) for p in concern.delegates],
        "timeline": [_happened_values(concern, e) for e in happened[-shown:]],
        "timeline_left": max(0, len(happened) - shown),
        "dialogue": [_said_values(e) for e in concern.conversation_log[-shown:]],
        "dialogue_left": max(0, len(concern.conversation_log) - shown),
    }


def next_step(concern: Concern, now: datetime) -> dict[str, Any]:
    """What comes next: `kind` (closed, paused, decision, contact, reply, work), `names`, and `when` (may be null).

    `late` says that `when` is here already.
    """
    kind, names = _step(concern, now)
    when = concern.next_action.when if concern.next_action else None
    if kind == "closed":
        when = concern.closed_at
    if kind == "paused":
        when = None if concern.paused_until == FOREVER else concern.paused_until
    return {
        "kind": kind,
        "names": names,
        "when": when.isoformat() if when else None,
        "late": when is not None and when <= now,
    }


def _step(concern: Concern, now: datetime) -> tuple[str, list[str]]:
    if not concern.status.is_open:
        return "closed", []
    if is_paused(concern, now):
        return "paused", []
    if concern.type is ConcernType.SCHEDULE:
        return "run", []
    if concern.decision is not None:
        return "decision", [concern.source.initiator.name if concern.source.initiator else ""]
    to_contact = [p.display_name for p in concern.delegates if p.comm_status is CommStatus.TO_CONTACT]
    owing = [p.display_name for p in concern.delegates if p.comm_status.is_owing]
    if to_contact:
        return "contact", to_contact
    return ("reply", owing) if owing else ("work", [])


def point_of(concern: Concern) -> str | None:
    """The question that waits for the initiator."""
    point = concern.decision
    return short(point.text or point.question) if point else None


def _person_values(concern: Concern, person: ConcernPerson) -> dict[str, Any]:
    state = concern.state_of(person.person_id)
    promised = state.not_before if state.promised else None
    left = person.comm_status.is_owing and not concern.status.is_open
    return {
        "name": person.display_name,
        "status": "left" if left else person.comm_status.value,
        "follow_ups": state.follow_ups,
        "promised": promised.isoformat() if promised else None,
        "words": short(state.key_information) if state.key_information else None,
    }


def _happened_values(concern: Concern, entry: TimelineEntry) -> dict[str, Any]:
    """A line of the timeline: its type and detail, whose names are in it, and what the detail holds by its type (an end
    has its reason there)."""
    return {
        "at": entry.ts.isoformat(),
        "type": entry.type,
        "detail": short(entry.detail),
        "reason": reason_values(entry.detail),
        "names": [p.display_name for p in concern.delegates if p.display_name in entry.detail],
        "until": entry.detail if entry.type in ("paused", "deadline_set") and entry.detail[:1].isdigit() else None,
        "level": entry.detail.split()[-1] if entry.type == "priority" else None,
        "event": _event_values(concern, entry),
    }


def _event_values(concern: Concern, entry: TimelineEntry) -> dict[str, Any] | None:
    """What an `evidence` entry tells of, in parts; None where the concern does not keep it any more."""
    if entry.type != "evidence":
        return None
    event = next((e.event for e in reversed(concern.evidence) if e.event.line == entry.detail), None)
    if event is None:
        return None
    return {"source": event.source, "kind": event.kind, "action": event.action, "subject": event.subject, "at": None}


def _said_values(entry: LogEntry) -> dict[str, Any]:
    return {
        "at": entry.ts.isoformat(),
        "name": entry.person_name,
        "ours": entry.direction == "outbound",
        "text": short(entry.text),
    }


# --- texts --------------------------------------------------------------------------------------------------------


def concerns_text(
    repos: CommandRepositories, renderer: Renderer, language: str, now: datetime, *, open_only: bool = True
) -> str:
    """All open concerns (or all there are) in the owner's eyes, newest first."""
    found = repos.concerns.list(open_only=open_only, limit=EVERYTHING)
    reader, day = _owner(repos), owner_day(now, repos.people.owner())
    values: Mapping[str, Any] = {
        "lines": [line_values(c, now, day, reader) for c in found],
        "count": len(found),
        "page": 1,
        "pages": 1,
        "filter": "open" if open_only else "all",
        "name": None,
    }
    return _rendered(repos, renderer, "commands/concerns", language, now, values)


def concern_text(repos: CommandRepositories, renderer: Renderer, language: str, now: datetime, wanted: str) -> str:
    """One concern whole, with all of its timeline and dialogue. Raises `QinghaiError` as `the_concern` does."""
    concern = the_concern(repos, now, wanted)
    day, all_of_it = owner_day(now, repos.people.owner()), len(concern.timeline) + len(concern.conversation_log)
    owner = _owner(repos)
    values = {
        **concern_values(concern, now, day, owner, all_of_it),
        "cause": cause_values(repos, concern, owner, None, day),
    }
    return _rendered(repos, renderer, "commands/concern", language, now, values)


def the_concern(repos: CommandRepositories, now: datetime, wanted: str) -> Concern:
    """The one concern that `wanted` names (id, its number, part of a title). Raises `QinghaiError` with the cure."""
    found = find_concerns(repos, wanted.strip(), now)
    if len(found) == 1:
        return found[0]
    if not found:
        raise QinghaiError(f"no concern is called {wanted!r}; `concerns --all` lists those there are.")
    ids = ", ".join(c.concern_id for c in found[:MOST_OFFERED])
    raise QinghaiError(f"{wanted!r} fits several concerns; name one of {ids}.")


def _owner(repos: CommandRepositories) -> PersonId | None:
    owner = repos.people.owner()
    return owner.person_id if owner else None


def _rendered(
    repos: CommandRepositories,
    renderer: Renderer,
    template: str,
    language: str,
    now: datetime,
    values: Mapping[str, Any],
) -> str:
    owner = repos.people.owner()
    timezone = owner.timezone if owner else "Asia/Shanghai"
    return renderer.render(template, language, now=now, timezone=timezone, **values)
