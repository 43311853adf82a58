"""What a later message of the initiator's added to an open matter, and how it is taken out again (RULES 2). Pure.

An addition remembers what stood before it, so that the edit or the recall of its message undoes it alone: whatever else
was changed since stays. What delegates have heard of it can't be unsaid: then the initiator is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.concern.changes import noted, was_contacted, with_comm, with_state
from core.concern.closing import answering, close_if_over
from core.concern.decision import Decision, Setting
from core.concern.escalation import rested
from core.concern.followup import opening
from core.concern.model import Addition, CommStatus, Concern, Stood
from core.concern.pacing import set_priority
from core.concern.points import in_line, raise_point, settle_point
from core.concern.timers import contact_again
from core.effects import Effect, Outgoing, Purpose, Send, Withdraw, Words
from core.ids import ConversationId, PersonId


@dataclass(frozen=True)
class Origin:
    """The initiator's message that adds something, where it has an id."""

    message_id: str | None
    conversation: ConversationId | None


def of_message(concern: Concern, origin: Origin) -> Addition | None:
    """What this message added to the matter; None where it added nothing, or the matter is over."""
    if not concern.status.is_open or origin.message_id is None:
        return None
    known = (a for a in concern.additions if Origin(a.message_id, a.conversation) == origin)
    return next(known, None)


def remembered(
    before: Concern, decision: Decision, origin: Origin | None, setting: Setting, cause: str, *, line: str, said: str
) -> Decision:
    """The decision with what it added kept, so that it can be taken out; `before` is the matter as it was."""
    after = decision.concern
    if origin is None or origin.message_id is None or origin.conversation is None or not after.status.is_open:
        return decision
    sends = (e for e in decision.effects if isinstance(e, Send) and e.message.purpose is Purpose.CORRECTION)
    addition = Addition(
        key=cause,
        message_id=origin.message_id,
        conversation=origin.conversation,
        at=setting.now,
        line=" ".join(line.split()),
        said=" ".join(said.split()),
        sent_before=len(_sent(before)),
        corrections=tuple(e.key for e in sends),
        priority=(before.priority, after.priority) if before.priority is not after.priority else None,
        deadline=(before.deadline, after.deadline) if before.deadline != after.deadline else None,
        title=(before.title, after.title) if before.title != after.title else None,
        goal=(before.goal, after.goal) if before.goal != after.goal else None,
        stood=tuple(_stood(before, p) for p in _moved(before, after)),
    )
    kept = after.model_copy(update={"additions": (*after.additions, addition)})
    return Decision(kept, decision.effects, decision.recent)


def is_told(concern: Concern, addition: Addition) -> bool:
    """Whether anything of it has gone to a delegate."""
    purposes = _sent(concern)[addition.sent_before :]
    if addition.said:
        return bool(purposes)
    return addition.deadline is not None and Purpose.DEADLINE_CHECK in purposes


def without(concern: Concern, addition: Addition) -> Concern:
    """The matter as though this had not been added; what was changed since stays."""
    kept = tuple(a for a in concern.additions if a.key != addition.key)
    lines = concern.source.detail.split("\n")
    if addition.line in lines[1:]:
        del lines[len(lines) - 1 - lines[::-1].index(addition.line)]
    changes: dict[str, object] = {
        "additions": kept,
        "source": concern.source.model_copy(update={"detail": "\n".join(lines)}),
    }
    if addition.title is not None and addition.title[1] == concern.title:
        changes["title"] = addition.title[0]
    if addition.goal is not None:
        # What was added to it since stays.
        whole = addition.goal[1] == concern.goal
        changes["goal"] = addition.goal[0] if whole else concern.goal.replace(f"；{addition.line}", "", 1)
    if addition.deadline is not None and addition.deadline[1] == concern.deadline:
        old = addition.deadline[0]
        delegation = concern.delegation.model_copy(update={"reply_deadline": old}) if concern.delegation else None
        changes |= {"deadline": old, "delegation": delegation}
        changes["deadline_told"] = old is not None and old <= addition.at
    concern = concern.model_copy(update=changes)
    for stood in addition.stood:
        concern = _as_it_stood(concern, stood, addition)
    return concern


def undone(concern: Concern, addition: Addition, setting: Setting, cause: str) -> Decision:
    """It is taken out, with whatever was still to tell of it; first contacts that hold it are written anew."""
    concern = noted(without(concern, addition), setting.now, "addition_off", addition.said or addition.line)
    effects: list[Effect] = [Withdraw(concern_id=concern.concern_id, keys=addition.corrections)]
    if any(p.comm_status is CommStatus.TO_CONTACT for p in concern.delegates):
        effects.append(Withdraw(concern_id=concern.concern_id, purposes=(Purpose.FIRST_CONTACT,)))
    decision = Decision(concern, tuple(effects))
    decision = decision.then(contact_again(decision.concern, setting, f"{cause}:off"))
    if addition.priority is not None and addition.priority[1] is concern.priority:
        decision = decision.then(set_priority(decision.concern, addition.priority[0], setting))
    return decision


def taken_back(
    concern: Concern,
    addition: Addition,
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
    *,
    on_its_way: bool = False,
) -> Decision:
    """Its message was recalled: before anything of it went out it is off, after that the initiator is asked.

    `on_its_way`: a message that tells of it is with a channel right now.
    """
    if not on_its_way and not is_told(concern, addition):
        decision = undone(concern, addition, setting, cause)
        decision = decision.then(_settled_again(decision.concern, setting, cause))
        return decision.then(out_again(decision.concern, addition, (), setting, cause, answer_in))
    marked = tuple(a.model_copy(update={"recalled": True}) if a.key == addition.key else a for a in concern.additions)
    concern = concern.model_copy(update={"additions": marked})
    if any(p.kind == "recall" for p in (concern.decision, *concern.later_points) if p is not None):
        return Decision(concern)  # they are asked about the whole of it
    question = in_line("addition", concern, setting, what=addition.said or addition.line)
    decision = raise_point(concern, setting, kind="addition", question=question, about=None)
    return decision.then(rested(decision.concern, setting))


def called_off(concern: Concern, setting: Setting, cause: str, answer_in: ConversationId | None) -> Decision:
    """The initiator wants what they took back to be off: whoever heard of it is told so, and the rest goes on."""
    off = [a for a in concern.additions if a.recalled]
    asked = [p.person_id for p in concern.delegates if p.comm_status.is_owing and was_contacted(concern, p.person_id)]
    decision = settle_point(concern, setting)
    for addition in off:
        told = asked if addition.said else []
        decision = decision.then(undone(decision.concern, addition, setting, f"{cause}:{addition.key}"))
        sends = no_longer(decision.concern, addition, told, setting, cause)
        decision = decision.then(Decision(decision.concern, sends))
        decision = decision.then(out_again(decision.concern, addition, told, setting, cause, answer_in))
    return decision.then(_settled_again(decision.concern, setting, cause))


def kept_after_all(concern: Concern) -> Concern:
    """The initiator wants what they took back to stay."""
    stay = tuple(a.model_copy(update={"recalled": False}) for a in concern.additions)
    return concern.model_copy(update={"additions": stay})


def _settled_again(concern: Concern, setting: Setting, cause: str) -> Decision:
    decision = close_if_over(concern, setting, cause)
    return decision.then(rested(decision.concern, setting))


def _sent(concern: Concern) -> list[str | None]:
    """Why each message to a delegate went out, in the order of time."""
    return [e.purpose for e in concern.conversation_log if e.direction == "outbound"]


def _moved(before: Concern, after: Concern) -> list[PersonId]:
    """Delegates whose part was opened anew."""
    theirs = (p.person_id for p in before.delegates)
    return [p for p in theirs if after.person(p) is not None and _stood(before, p) != _stood(after, p)]


def _stood(concern: Concern, who: PersonId) -> Stood:
    entry, state = concern.person(who), concern.state_of(who)
    status = entry.comm_status if entry is not None else CommStatus.NOT_NEEDED
    return Stood(person_id=who, comm_status=status, answered_at=state.answered_at, asked_back=state.asked_back)


def _as_it_stood(concern: Concern, stood: Stood, addition: Addition) -> Concern:
    """Their part as it was, where nothing has come of it since."""
    entry, state = concern.person(stood.person_id), concern.state_of(stood.person_id)
    spoke = state.last_inbound is not None and state.last_inbound > addition.at
    if entry is None or entry.comm_status is not CommStatus.WAITING_REPLY or spoke:
        return concern
    concern = with_comm(concern, stood.person_id, stood.comm_status)
    return with_state(concern, stood.person_id, answered_at=stood.answered_at, asked_back=stood.asked_back)


def _changed(addition: Addition) -> bool:
    """Whether anything came of it: the same may have been asked once more, and no more."""
    return bool(addition.said or addition.priority or addition.deadline or addition.goal)


def no_longer(
    concern: Concern, addition: Addition, people: Iterable[PersonId], setting: Setting, cause: str
) -> tuple[Send, ...]:
    """To those who have heard of it: that alone is off."""
    initiator = concern.source.initiator
    values = {"title": concern.title, "initiator": initiator.name if initiator else "", "words": addition.said}
    words = Words(template="concern/addition_off", values=values)
    return tuple(
        Send(
            key=f"off:{concern.concern_id}:{p}:{cause}:{addition.key}",
            due=opening(concern, setting.people.get(p), setting.now, setting),
            message=Outgoing(purpose=Purpose.CORRECTION, to=p, words=words, concern_id=concern.concern_id),
        )
        for p in people
    )


def out_again(
    concern: Concern,
    addition: Addition,
    told: Iterable[PersonId],
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
) -> Decision:
    """Whoever added it hears that it is out of the matter again, and who else hears so."""
    names = [entry.display_name for p in told if (entry := concern.person(p)) is not None]
    ack = answering(concern, "concern/addition_back", concern.initiator_id, answer_in, names)
    values = {**ack.words.values, "words": addition.said or addition.line, "nothing": not _changed(addition)}
    ack = ack.model_copy(update={"words": ack.words.model_copy(update={"values": values})})
    key = f"back:{concern.concern_id}:{cause}:{addition.key}"
    return Decision(concern, (Send(key=key, due=setting.now, message=ack),))
