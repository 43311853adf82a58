"""Small changes to a concern, each returning a new one. Status has its own room: `machine`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.concern.decision import Decision, Setting
from core.concern.model import (
    CommStatus,
    Concern,
    ConcernPerson,
    DelegateState,
    Delegation,
    LogEntry,
    Priority,
    TimelineEntry,
)
from core.concern.notices import Notice, NoticeKind
from core.effects import Report
from core.ids import PersonId
from core.people import Person, owner_among


def noted(concern: Concern, at: datetime, kind: str, detail: str) -> Concern:
    """With one more line in the timeline."""
    entry = TimelineEntry(ts=at, type=kind, detail=detail)
    return concern.model_copy(update={"timeline": (*concern.timeline, entry)})


def logged(concern: Concern, entry: LogEntry) -> Concern:
    """With a message in the conversation log, which stays in the order of time."""
    log = list(concern.conversation_log)
    place = len(log)
    while place and log[place - 1].ts > entry.ts:
        place -= 1
    log.insert(place, entry)
    return concern.model_copy(update={"conversation_log": tuple(log)})


def with_state(concern: Concern, person_id: PersonId, **changes: Any) -> Concern:
    """With changes to one delegate's state."""
    delegation = concern.delegation or Delegation()
    state = concern.state_of(person_id).model_copy(update=changes)
    delegates = {**delegation.delegates, person_id: state}
    return concern.model_copy(update={"delegation": delegation.model_copy(update={"delegates": delegates})})


def with_person(concern: Concern, person_id: PersonId, **changes: Any) -> Concern:
    """With changes to one person's entry."""
    people = tuple(p.model_copy(update=changes) if p.person_id == person_id else p for p in concern.people)
    return concern.model_copy(update={"people": people})


def with_comm(concern: Concern, person_id: PersonId, status: CommStatus) -> Concern:
    """With a delegate's comm_status set."""
    return with_person(concern, person_id, comm_status=status)


def name_of(concern: Concern, person_id: PersonId | None) -> str:
    """How a person of this concern is called; their id for one who is not in it."""
    entry = concern.person(person_id) if person_id else None
    return entry.display_name if entry else (person_id or "")


def inbound_texts(concern: Concern, person_id: PersonId) -> tuple[str, ...]:
    """What this person said about it, oldest first."""
    return tuple(e.text for e in concern.dialogue_with(person_id) if e.direction == "inbound")


def owing(concern: Concern) -> tuple[ConcernPerson, ...]:
    """Delegates of whom something is still expected."""
    return tuple(p for p in concern.delegates if p.comm_status.is_owing)


def was_contacted(concern: Concern, person_id: PersonId) -> bool:
    """Whether something of this concern has reached them."""
    return concern.state_of(person_id).last_outbound is not None


def has_news(concern: Concern, person_id: PersonId) -> bool:
    """Whether this person said something that the loop has not assessed yet."""
    heard = sum(1 for e in concern.dialogue_with(person_id) if e.direction == "inbound")
    return heard > concern.state_of(person_id).assessed_inbound


def overdue_since(state: DelegateState) -> datetime | None:
    """Since when a delegate's time has run out without anything coming of it; None where that is not so."""
    since = state.overdue_since
    if since is None or state.fired_at is None:
        return None
    came = (state.last_outbound, state.last_inbound)
    waits = state.not_before is not None and state.not_before > since
    return None if waits or any(at is not None and at >= since for at in came) else since


def anything_sent(concern: Concern) -> bool:
    """Whether any delegate has heard of it."""
    return any(was_contacted(concern, p.person_id) for p in concern.delegates)


def report_recipient(concern: Concern, setting: Setting) -> Person | None:
    """Who hears of the progress: whom the delegation names, the initiator, or the owner where there is none."""
    wanted = (concern.delegation.report_to if concern.delegation else None) or concern.initiator_id
    if wanted is not None:
        return setting.people.get(wanted)
    if concern.priority is Priority.LOW:
        return None
    return owner_among(setting.people.values())


def notify(
    concern: Concern,
    kind: NoticeKind,
    setting: Setting,
    person_id: PersonId | None = None,
    text: str | None = None,
    decision_id: str | None = None,
) -> Decision:
    """Let an occasion wait to be reported; it takes the place of the same one that still waits."""
    reader = report_recipient(concern, setting)
    if reader is None:
        return Decision(concern)
    notice = Notice(kind=kind, at=setting.now, person_id=person_id, text=text, decision_id=decision_id)
    kept = tuple(n for n in concern.reports.waiting if not _replaces(notice, n))
    reports = concern.reports.model_copy(update={"waiting": (*kept, notice)})
    changed = concern.model_copy(update={"reports": reports})
    return Decision(changed, (Report(concern_id=concern.concern_id, due=setting.now, to=reader.person_id),))


def _replaces(new: Notice, old: Notice) -> bool:
    same = (new.kind, new.person_id, new.decision_id) == (old.kind, old.person_id, old.decision_id)
    # Two updates in the brain's words may say different things; the templates speak of the state and say it once.
    # So do two setbacks.
    return same and (new.kind not in (NoticeKind.OWNER_UPDATE, NoticeKind.SETBACK) or new.text == old.text)
