"""A second delegation of what somebody is asked already supplements the matter that is open (RULES 4). Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from core.concern.additions import Origin, no_longer, out_again, remembered, undone
from core.concern.amending import amend, with_words
from core.concern.changes import name_of, owing
from core.concern.changing import set_deadline
from core.concern.closing import answering
from core.concern.decision import Decision, Setting
from core.concern.model import Addition, Concern, ConcernType, Priority
from core.concern.pacing import set_priority
from core.concern.planning import is_paused, plan
from core.concern.reports import standing
from core.effects import Send
from core.ids import ConversationId, PersonId

_URGENCY = (Priority.LOW, Priority.MEDIUM, Priority.HIGH, Priority.CRITICAL)


@dataclass(frozen=True)
class Again:
    """What is said the second time: the whole of it, and what of that is new to those who were asked."""

    words: str
    added: tuple[str, ...]
    priority: Priority
    deadline: datetime | None
    origin: Origin | None = None
    replaces: Addition | None = None
    """What the same message had added before it was edited."""
    told: bool = False
    """Somebody has heard of that."""


def may_take_in(concern: Concern, named: Collection[PersonId], again: Again, setting: Setting) -> bool:
    """Whether the matter is one to which it can be added: under way by the initiator's own order, and nobody but those
    who are named would be chased otherwise for it. Who has answered already is left in peace.
    """
    if concern.type is not ConcernType.DELEGATION or not concern.status.is_open or is_paused(concern, setting.now):
        return False
    if concern.relay is not None or concern.trigger is not None:
        return False
    for_them_alone = all(p.person_id in named for p in owing(concern))
    return for_them_alone or not _changes(concern, again)


def asked_already(concern: Concern, named: Collection[PersonId]) -> tuple[PersonId, ...]:
    """Who of them owes an answer in it."""
    return tuple(p.person_id for p in owing(concern) if p.person_id in named)


def take_in(
    concern: Concern,
    again: Again,
    asked: Collection[PersonId],
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
) -> Decision:
    """Add what is new: a deadline, more urgency, more words, which those who were asked read. The initiator is told."""
    back = undone(concern, again.replaces, setting, f"{cause}:edit") if again.replaces else Decision(concern)
    concern = back.concern
    decision = back.then(Decision(with_words(concern, again.words, setting, "asked_again")))
    if _is_more_urgent(concern, again):
        decision = decision.then(set_priority(decision.concern, again.priority, setting))
    if again.deadline is not None and again.deadline != concern.deadline:
        decision = decision.then(Decision(set_deadline(decision.concern, again.deadline, setting)))
    said = _joined(again.added)
    instead = again.replaces.said if again.replaces and again.told else None
    if said:
        detail = decision.concern.source
        more = amend(decision.concern, said, setting, cause, None, goal=concern.goal, only=asked, instead=instead)
        # The order itself is kept already, whole.
        kept = more.concern.model_copy(update={"source": detail})
        decision = decision.then(Decision(kept, more.effects))
    elif instead and again.replaces:
        gone = no_longer(decision.concern, again.replaces, asked, setting, cause)
        decision = decision.then(Decision(decision.concern, gone))
        return decision.then(out_again(decision.concern, again.replaces, asked, setting, cause, answer_in))
    decision = remembered(concern, decision, again.origin, setting, cause, line=again.words, said=said)
    done = plan(decision.concern, setting)
    names = [name_of(concern, p) for p in asked]
    ack = answering(done, "concern/merged", done.initiator_id, answer_in, names)
    values = {
        **ack.words.values,
        "added": list(again.added),
        "deadline": done.deadline.isoformat() if done.deadline != concern.deadline and done.deadline else None,
        "priority": str(done.priority) if done.priority is not concern.priority else None,
    }
    lines = () if _changes(concern, again) else (standing(done),)
    ack = ack.model_copy(update={"words": ack.words.model_copy(update={"values": values, "lines": lines})})
    return decision.then(Decision(done, (Send(key=f"merged:{done.concern_id}:{cause}", due=setting.now, message=ack),)))


def _joined(added: tuple[str, ...]) -> str:
    if not added:
        return ""
    return ("，" if not added[0].isascii() else ", ").join(added)


def _changes(concern: Concern, again: Again) -> bool:
    later = again.deadline is not None and again.deadline != concern.deadline
    return bool(again.added) or later or _is_more_urgent(concern, again)


def _is_more_urgent(concern: Concern, again: Again) -> bool:
    return _URGENCY.index(again.priority) > _URGENCY.index(concern.priority)
