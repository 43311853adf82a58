"""A person is erased: an open matter goes on without them, or ends where nobody else is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.concern.changes import noted, with_comm
from core.concern.closing import cancelled, close_if_over
from core.concern.decision import Decision, Setting
from core.concern.escalation import rested
from core.concern.model import CommStatus, Concern, ConcernType
from core.concern.points import drop_points_about
from core.effects import Effect, Outgoing, Purpose, Send, Withdraw, Words
from core.ids import PersonId

WHY = "资料已删除"


def forget(concern: Concern, who: PersonId, setting: Setting, cause: str) -> Decision:
    """Their own open matter is called off; as a delegate they are let go, and the initiator is told in a line.

    Nothing goes to them any more. The line names nobody: the name is among what is erased.
    """
    if not concern.status.is_open:
        return Decision(concern)
    if concern.type is ConcernType.SCHEDULE and concern.initiator_id != who:
        return _without(_rescheduled(concern, who, setting, cause), who)
    if concern.initiator_id == who:
        return _without(cancelled(concern, WHY, setting, cause), who)
    entry = next((p for p in concern.delegates if p.person_id == who), None)
    if entry is None or entry.comm_status in (CommStatus.DONE, CommStatus.NOT_NEEDED):
        return Decision(concern)
    left = [p for p in concern.delegates if p.person_id != who and p.comm_status is not CommStatus.NOT_NEEDED]
    if not left:
        decision = cancelled(concern, WHY, setting, cause)
    else:
        decision = _let_go(concern, who, setting, cause)
    told = _told(decision.concern, [p.display_name for p in left], setting, cause)
    return _without(decision.then(Decision(decision.concern, told)), who)


def _rescheduled(concern: Concern, who: PersonId, setting: Setting, cause: str) -> Decision:
    """A schedule asks the others from now on; one that would ask nobody ends."""
    trigger = without_person(concern.trigger, who)
    if trigger == concern.trigger:
        return Decision(concern)
    if trigger is not None:
        return Decision(noted(concern.model_copy(update={"trigger": trigger}), setting.now, "released", WHY))
    decision = cancelled(concern, WHY, setting, cause)
    return decision.then(Decision(decision.concern, _told(decision.concern, [], setting, cause)))


def without_person(value: Any, who: PersonId) -> Any:
    """A JSON value in which nobody of this id is named; None where it named nobody else."""
    if isinstance(value, list) and who in value:
        return [one for one in value if one != who] or None
    if isinstance(value, dict | list):
        new = {key: without_person(part, who) for key, part in _items(value)}
        if any(
            part is None and before is not None for part, (_, before) in zip(new.values(), _items(value), strict=True)
        ):
            return None
        return new if isinstance(value, dict) else list(new.values())
    return None if value == who else value


def _items(value: dict[str, Any] | list[Any]) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, dict) else enumerate(value)


def _let_go(concern: Concern, who: PersonId, setting: Setting, cause: str) -> Decision:
    changed = noted(with_comm(concern, who, CommStatus.NOT_NEEDED), setting.now, "released", WHY)
    decision = Decision(changed, (Withdraw(concern_id=concern.concern_id, person_id=who),))
    decision = decision.then(drop_points_about(decision.concern, who, setting))
    decision = decision.then(close_if_over(decision.concern, setting, cause))
    return decision.then(rested(decision.concern, setting))


def _told(concern: Concern, others: list[str], setting: Setting, cause: str) -> tuple[Effect, ...]:
    if concern.initiator_id is None:
        return ()
    message = Outgoing(
        purpose=Purpose.NOTICE,
        to=concern.initiator_id,
        words=Words(template="concern/forgotten", values={"title": concern.title, "others": others}),
        concern_id=concern.concern_id,
    )
    return (Send(key=f"forgotten:{concern.concern_id}:{cause}", due=setting.now, message=message),)


def _without(decision: Decision, who: PersonId) -> Decision:
    """Nothing goes out to them."""
    kept = tuple(e for e in decision.effects if not (isinstance(e, Send) and e.message.to == who))
    return Decision(decision.concern, kept, decision.recent)
