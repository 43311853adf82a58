"""The initiator sets the pace of a concern: pause, resume, another priority, a push of their own."""

from __future__ import annotations

from datetime import datetime

from core.concern.changes import has_news, name_of, noted, owing, was_contacted, with_state
from core.concern.decision import Decision, Setting
from core.concern.followup import opening
from core.concern.model import CommStatus, Concern, ConcernType, Priority
from core.concern.opening import first_key
from core.concern.planning import FOREVER, plan
from core.concern.points import CHASING
from core.concern.scheduling import restarted
from core.concern.timers import contact_again, held_back
from core.effects import Hasten, Outgoing, Purpose, Send, Withdraw, Words
from core.ids import PersonId


def pause(concern: Concern, until: datetime | None, setting: Setting) -> Decision:
    """Keep still until then (None: until resumed): nothing is sent, nothing falls due."""
    if not concern.status.is_open:
        return Decision(concern)
    concern = concern.model_copy(update={"paused_until": until or FOREVER})
    concern = noted(concern, setting.now, "paused", until.isoformat() if until else "直到恢复")
    for person in concern.delegates:
        concern = with_state(concern, person.person_id, fired_at=None)
    still = Withdraw(concern_id=concern.concern_id, purposes=(*CHASING, Purpose.FIRST_CONTACT, Purpose.ASK_BACK))
    return Decision(plan(concern, setting), (still,))


def resume(concern: Concern, setting: Setting, cause: str) -> Decision:
    """Go on after a pause; first contacts that it took back are written again."""
    if not concern.status.is_open or concern.paused_until is None:
        return Decision(concern)
    concern = noted(concern.model_copy(update={"paused_until": None}), setting.now, "resumed", "恢复")
    if concern.type is ConcernType.SCHEDULE:
        return restarted(concern, setting, cause)
    decision = held_back(concern, setting).then(contact_again(concern, setting, cause))
    return decision.then(Decision(plan(decision.concern, setting)))


def wait(concern: Concern, setting: Setting) -> Decision:
    """Leave a matter that stands still as it is; the wish is noted, and from it on its standstill counts anew."""
    if not concern.status.is_open:
        return Decision(concern)
    return Decision(plan(noted(concern, setting.now, "left_alone", "发起人说再等等"), setting))


def set_priority(concern: Concern, priority: Priority, setting: Setting) -> Decision:
    """Another priority: intervals, limits and sending hours follow it; a waiting first contact may leave sooner."""
    if not concern.status.is_open or priority is concern.priority:
        return Decision(concern)
    concern = noted(concern, setting.now, "priority", f"{concern.priority} → {priority}")
    concern = concern.model_copy(update={"priority": priority})
    effects = tuple(
        Hasten(key=first_key(concern, p.person_id), due=_opens(concern, p.person_id, setting))
        for p in concern.delegates
        if p.comm_status is CommStatus.TO_CONTACT and not concern.any_hour
    )
    return Decision(plan(concern, setting), effects)


def _opens(concern: Concern, person_id: PersonId, setting: Setting) -> datetime:
    return opening(concern, setting.people.get(person_id), setting.now, setting)


def nudge(concern: Concern, setting: Setting, cause: str) -> Decision:
    """The initiator's own push, passed on to everybody who owes an answer, in their sending hours.

    It is the initiator's word, not a follow-up of the bot's: it is not counted, and the interval runs anew from it.
    """
    if not concern.status.is_open:
        return Decision(concern)
    initiator = concern.source.initiator
    values = {"title": concern.title, "initiator": initiator.name if initiator else ""}
    sends = tuple(
        Send(
            key=f"nudge:{concern.concern_id}:{p.person_id}:{cause}",
            due=_opens(concern, p.person_id, setting),
            message=Outgoing(
                purpose=Purpose.ANSWER,
                to=p.person_id,
                words=Words(template="concern/nudge", values=values),
                concern_id=concern.concern_id,
            ),
        )
        for p in owing(concern)
        if was_contacted(concern, p.person_id) and not has_news(concern, p.person_id)
    )
    names = "、".join(name_of(concern, s.message.to) for s in sends)
    return Decision(noted(concern, setting.now, "nudged", names) if sends else concern, sends)
