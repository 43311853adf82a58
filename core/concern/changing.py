"""The initiator changes a matter under way by word: one more delegate, another one, another priority or deadline."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.concern.changes import name_of, noted, with_state
from core.concern.closing import answering
from core.concern.decision import Decision, Setting
from core.concern.escalation import join, reassign
from core.concern.model import Concern, Priority
from core.concern.pacing import set_priority
from core.concern.planning import plan
from core.effects import Outgoing, Purpose, Send, Words
from core.ids import ConversationId, PersonId
from core.people import Person


def add(concern: Concern, person: Person, setting: Setting, cause: str, answer_in: ConversationId | None) -> Decision:
    """One more delegate: they are asked the same. Whoever is asked already is not asked again."""
    there = concern.person(person.person_id)
    if not concern.status.is_open or (there is not None and there.comm_status.is_owing):
        return Decision(concern, (_ack(concern, "concern/there_already", setting, cause, answer_in, [person.name]),))
    decision = join(concern, person, setting, in_place_of=None, cause=cause)
    ack = _ack(decision.concern, "concern/added", setting, cause, answer_in, [person.name])
    return decision.then(Decision(plan(decision.concern, setting), (ack,)))


def swap(
    concern: Concern,
    old: PersonId,
    new: Person,
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
) -> Decision:
    """Another one in somebody's place; who was asked already is told that it is theirs no longer."""
    if not concern.status.is_open:
        return Decision(concern)
    decision = reassign(concern, old, new, setting, cause)
    names = [name_of(concern, old), new.name]
    return decision.then(
        Decision(decision.concern, (_ack(decision.concern, "concern/swapped", setting, cause, answer_in, names),))
    )


def hurry(
    concern: Concern,
    priority: Priority | None,
    deadline: datetime | None,
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
) -> Decision:
    """Another priority, another deadline, or both; the check before a new deadline is made anew."""
    if not concern.status.is_open:
        return Decision(concern)
    decision = set_priority(concern, priority, setting) if priority is not None else Decision(concern)
    if deadline is not None:
        decision = decision.then(Decision(set_deadline(decision.concern, deadline, setting)))
    changed = decision.concern
    values = {
        "title": changed.title,
        "priority": str(changed.priority) if priority is not None else None,
        "deadline": deadline.isoformat() if deadline is not None else None,
    }
    message = Outgoing(
        purpose=Purpose.REPLY,
        to=concern.initiator_id,
        conversation=answer_in,
        words=Words(template="concern/hurried", values=values),
        concern_id=concern.concern_id,
        answers=True,
    )
    return decision.then(
        Decision(changed, (Send(key=f"hurried:{concern.concern_id}:{cause}", due=setting.now, message=message),))
    )


def set_deadline(concern: Concern, deadline: datetime, setting: Setting) -> Concern:
    """With another deadline: it is told of anew, and checked before anew."""
    delegation = concern.delegation.model_copy(update={"reply_deadline": deadline}) if concern.delegation else None
    concern = concern.model_copy(update={"deadline": deadline, "deadline_told": False, "delegation": delegation})
    for person in concern.delegates:
        concern = with_state(concern, person.person_id, deadline_checked=False)
    return plan(noted(concern, setting.now, "deadline_set", deadline.isoformat()), setting)


def _ack(
    concern: Concern,
    template: str,
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
    names: Sequence[str],
) -> Send:
    message = answering(concern, template, concern.initiator_id, answer_in, names)
    return Send(key=f"changed:{concern.concern_id}:{cause}", due=setting.now, message=message)
