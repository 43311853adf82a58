"""A delegate is away, or back again: what that changes in one matter (RULES 4). The absence is kept with the person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from core.concern.changes import notify, with_state
from core.concern.decision import Decision, Setting
from core.concern.model import Attitude, Concern, ConcernType, LogEntry, Priority
from core.concern.notices import NoticeKind
from core.concern.planning import plan
from core.effects import Hasten
from core.ids import PersonId


def message_ref(entry: LogEntry) -> str | None:
    """How a person's absence names the message that said so."""
    return reference(entry.channel, entry.message_id)


def reference(channel: str, message_id: str | None) -> str | None:
    """The same by its channel and its id there."""
    return f"{channel}:{message_id}" if message_id is not None else None


def said_last(concern: Concern, person_id: PersonId) -> str | None:
    """The last message of this person in the matter."""
    last = _last_word(concern, person_id)
    return message_ref(last) if last is not None else None


def _last_word(concern: Concern, person_id: PersonId) -> LogEntry | None:
    heard = (e for e in reversed(concern.dialogue_with(person_id)) if e.direction == "inbound")
    return next(heard, None)


def waits_for(concern: Concern, person_id: PersonId) -> bool:
    """Whether the matter stands still while this person is away: they owe an answer, and it is not critical."""
    entry = concern.person(person_id)
    owes = entry is not None and entry.comm_status.is_owing
    return owes and concern.type is not ConcernType.SCHEDULE and concern.priority is not Priority.CRITICAL


def spoken(before: Concern, after: Concern) -> Iterator[tuple[PersonId, datetime]]:
    """Who has said in this turn of the loop that they are away, and until when. Forwarded words are another's."""
    for person in after.delegates:
        last = _last_word(after, person.person_id)
        if last is not None and last.forwarded:
            continue
        was, now = before.state_of(person.person_id), after.state_of(person.person_id)
        if now.attitude is not Attitude.AWAY or now.not_before is None:
            continue
        if (was.attitude, was.not_before) != (now.attitude, now.not_before):
            yield person.person_id, now.not_before


def planned(concern: Concern, person_id: PersonId, setting: Setting, *, tells: bool) -> Decision:
    """The next moments with this person's absence; with `tells` the initiator hears of it."""
    decision = Decision(plan(with_state(concern, person_id, overdue_since=None), setting))
    return decision.then(notify(decision.concern, NoticeKind.AWAY, setting, person_id)) if tells else decision


def returned(concern: Concern, person_id: PersonId, setting: Setting) -> Decision:
    """Nothing waits for their return any more; what was held back for it is looked at again."""
    if concern.state_of(person_id).attitude is Attitude.AWAY:
        concern = with_state(concern, person_id, attitude=None, not_before=None, promised=False)
    concern = with_state(concern, person_id, overdue_since=None)
    return Decision(plan(concern, setting), (Hasten(concern_id=concern.concern_id, due=setting.now),))
