"""The initiator lets one of several delegates go; the matter goes on with the others."""

from __future__ import annotations

from collections.abc import Sequence

from core.concern.changes import name_of, noted, was_contacted, with_comm
from core.concern.closing import NO_LONGER, cancel, close_if_over, settled
from core.concern.decision import Decision, Setting
from core.concern.escalation import rested
from core.concern.model import CommStatus, Concern
from core.concern.points import drop_points_about
from core.effects import Outgoing, Purpose, Send, Withdraw, Words
from core.ids import ConversationId, PersonId
from core.people import Person


def release(
    concern: Concern,
    people: Sequence[PersonId],
    setting: Setting,
    answer_in: ConversationId | None,
    by: Person,
    cause: str,
) -> Decision:
    """「李四不用问了」: those who were asked are told that it is settled; where nobody else was asked it is called off.

    Who has done their part has nothing to be let go of: their answer stands.
    """
    if not concern.status.is_open:
        return Decision(concern)
    asked_of = [p for p in concern.delegates if p.comm_status is not CommStatus.NOT_NEEDED]
    if all(p.person_id in people and p.comm_status is not CommStatus.DONE for p in asked_of):
        return cancel(concern, setting, answer_in, by)
    decision = Decision(concern)
    for who in people:
        entry = concern.person(who)
        if entry is None or entry.comm_status is CommStatus.DONE:
            continue
        changed = with_comm(decision.concern, who, CommStatus.NOT_NEEDED)
        changed = noted(changed, setting.now, "released", name_of(concern, who))
        asked = [who] if was_contacted(concern, who) else []
        told = settled(changed, asked, setting, cause, template=NO_LONGER)
        decision = decision.then(Decision(changed, (Withdraw(concern_id=concern.concern_id, person_id=who), *told)))
        decision = decision.then(drop_points_about(decision.concern, who, setting))
    on = (p for p in decision.concern.delegates if p.comm_status is not CommStatus.NOT_NEEDED)
    left = [p.display_name for p in on if p.person_id not in people]
    values = {"title": concern.title, "names": [name_of(concern, who) for who in people], "others": left}
    ack = Outgoing(
        purpose=Purpose.REPLY,
        to=by.person_id,
        conversation=answer_in,
        words=Words(template="concern/released", values=values),
        concern_id=concern.concern_id,
        answers=True,
    )
    send = Send(key=f"released:{concern.concern_id}:{cause}", due=setting.now, message=ack)
    decision = decision.then(Decision(decision.concern, (send,)))
    decision = decision.then(close_if_over(decision.concern, setting, cause))
    return decision.then(rested(decision.concern, setting))
