"""Who is asked in whose place: a delegate's limit acts, or the initiator names somebody else (RULES 4)."""

from __future__ import annotations

from core.concern.changes import name_of, noted, notify, owing, was_contacted, with_comm, with_state
from core.concern.closing import NO_LONGER, close_if_over, settled
from core.concern.decision import Decision, Setting, record
from core.concern.machine import Event, started, transition
from core.concern.model import DELEGATE, Attitude, CommStatus, Concern, DelegateState, Priority, Status
from core.concern.notices import NoticeKind
from core.concern.opening import new_delegate
from core.concern.planning import plan
from core.concern.points import CHASING, drop_points_about, in_line, raise_point
from core.effects import Advance, Effect, Purpose, Withdraw
from core.facts import Trigger
from core.ids import PersonId
from core.people import Person


def target_of(concern: Concern, person_id: PersonId, setting: Setting) -> Person | None:
    """Who stands above a delegate and can be asked in their place; None where that falls to the initiator."""
    person = setting.people.get(person_id)
    above = setting.people.get(person.escalation_to) if person and person.escalation_to else None
    if above is None or concern.person(above.person_id) is not None:
        return None
    return above if new_delegate(above).comm_status is CommStatus.TO_CONTACT else None


def escalate(concern: Concern, person_id: PersonId, setting: Setting, cause: str) -> Decision:
    """Hand a delegate's part to the person above them, else to the initiator.

    Of a critical matter the delegate goes on being asked; else nothing more is sent to them, but a late answer counts.
    """
    name, above = name_of(concern, person_id), target_of(concern, person_id, setting)
    effects: list[Effect] = []
    concern = with_state(concern, person_id, escalated=True)
    if concern.priority is not Priority.CRITICAL:
        concern = with_comm(concern, person_id, CommStatus.NO_ANSWER)
        effects.append(Withdraw(concern_id=concern.concern_id, person_id=person_id, purposes=CHASING))
    if concern.status is not Status.ESCALATED:
        detail = f"{name}一直没有答复，转给{above.name if above else name_of(concern, concern.initiator_id)}"
        concern = transition(started(concern, setting.now), Event.ESCALATED, setting.now, detail)
    kept = record(concern, "escalated", f"{name}一直没有答复", setting)
    decision = Decision(concern, tuple(effects), (kept,))
    if above is not None:
        decision = decision.then(join(decision.concern, above, setting, in_place_of=person_id, cause=cause))
        return decision.then(notify(decision.concern, NoticeKind.ESCALATED, setting, person_id, above.name))
    if concern.priority is Priority.CRITICAL:
        return decision.then(notify(decision.concern, NoticeKind.ESCALATED, setting, person_id))
    point = raise_point(
        decision.concern,
        setting,
        kind="no_answer",
        question=in_line("no_answer", concern, setting, who=name, times=str(concern.state_of(person_id).follow_ups)),
        about=person_id,
        notice=NoticeKind.ESCALATED,
    )
    return decision.then(point)


def join(concern: Concern, person: Person, setting: Setting, *, in_place_of: PersonId | None, cause: str) -> Decision:
    """One more delegate, with a first contact and a cadence of their own."""
    entry = concern.person(person.person_id)
    fresh = new_delegate(person)
    effects: list[Effect] = []
    if entry is not None:
        # A first contact to them may have been taken back: then its key is used up, and all are written anew.
        concern = concern.model_copy(update={"revision": concern.revision + 1})
        effects.append(Withdraw(concern_id=concern.concern_id, purposes=(Purpose.FIRST_CONTACT,)))
    if not any(p.comm_status is CommStatus.TO_CONTACT for p in concern.delegates):
        # "Now" was said of those who waited then.
        concern = concern.model_copy(update={"any_hour": False})
    if entry is None:
        concern = concern.model_copy(update={"people": (*concern.people, fresh)})
    elif entry.role_in_concern == DELEGATE:
        concern = with_comm(concern, person.person_id, fresh.comm_status)
    state = DelegateState(stands_in_for=in_place_of)
    concern = with_state(concern, person.person_id, **dict(state))
    concern = noted(concern, setting.now, "joined", f"{person.name}加入，将由其答复")
    advance = Advance(
        key=f"created:{concern.concern_id}:{person.person_id}:{cause}",
        due=setting.now,
        concern_id=concern.concern_id,
        trigger=Trigger.CREATED,
        person_id=person.person_id,
    )
    return Decision(concern, (*effects, advance))


def reassign(concern: Concern, old: PersonId | None, new: Person, setting: Setting, cause: str) -> Decision:
    """Ask somebody else in a delegate's place (None: of the one a waiting point is about, else the only one owing)."""
    if not concern.status.is_open or new.person_id == concern.initiator_id:
        return Decision(concern)
    waiting = [p.person_id for p in owing(concern)]
    about = concern.decision.about if concern.decision else None
    old = old or about or (waiting[0] if len(waiting) == 1 else None)
    decision = Decision(started(concern, setting.now, f"改由{new.name}答复"))
    if not was_contacted(concern, new.person_id):
        decision = decision.then(join(decision.concern, new, setting, in_place_of=None, cause=cause))
    if old is not None and old != new.person_id:
        # Who said that it is not theirs knows.
        knows = concern.state_of(old).attitude is Attitude.REFUSED
        told = [old] if was_contacted(concern, old) and not knows else []
        changed = with_comm(decision.concern, old, CommStatus.NOT_NEEDED)
        off = Withdraw(concern_id=concern.concern_id, person_id=old)
        decision = decision.then(Decision(changed, (off, *settled(changed, told, setting, cause, template=NO_LONGER))))
        decision = decision.then(drop_points_about(decision.concern, old, setting))
    decision = decision.then(close_if_over(decision.concern, setting, cause))
    return decision.then(rested(decision.concern, setting))


def rested(concern: Concern, setting: Setting) -> Decision:
    """Back to waiting where it was under way, with the next moment named."""
    if concern.status is Status.IN_PROGRESS:
        concern = transition(concern, Event.WAITED, setting.now)
    return Decision(plan(concern, setting))


def give_up(concern: Concern, person_id: PersonId, setting: Setting) -> Decision:
    """Medium and low: no more follow-ups to this delegate. The initiator is told; the others go on."""
    follow_ups = concern.state_of(person_id).follow_ups
    concern = with_comm(concern, person_id, CommStatus.NO_ANSWER)
    concern = noted(concern, setting.now, "no_answer", f"{name_of(concern, person_id)}跟进 {follow_ups} 次没有答复")
    return notify(concern, NoticeKind.NO_ANSWER, setting, person_id)
