"""What happens by rule when a concern's moment has come, and whom the brain must be asked about (RULES 3, 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.concern.changes import has_news, name_of, noted, notify, overdue_since, owing, with_state
from core.concern.closing import close_if_over
from core.concern.decision import Decision, Setting
from core.concern.escalation import escalate, give_up
from core.concern.followup import check_due, deadline_report_at, next_follow_up
from core.concern.machine import Event, started, transition
from core.concern.model import CommStatus, Concern, Priority, Status
from core.concern.notices import NoticeKind
from core.concern.planning import is_paused, plan
from core.concern.points import remind
from core.effects import Advance, Hasten, Outgoing, Purpose, Send, Words
from core.facts import Trigger
from core.ids import PersonId


@dataclass(frozen=True)
class Fired:
    """What the rules decided, and the delegates whose time is up: the brain says how to go on with each."""

    decision: Decision
    ask: tuple[PersonId, ...] = ()


def fire(concern: Concern, trigger: Trigger, setting: Setting, cause: str) -> Fired:
    """Everything that is due at this moment, once, whichever scan found it.

    `trigger` is why the scan took it up; it goes into the timeline. A concern that is closed or paused does nothing.
    """
    if not concern.status.is_open:
        return Fired(Decision(concern))
    if is_paused(concern, setting.now):
        return Fired(Decision(plan(concern, setting)))
    decision = _awake(concern, setting, cause)
    steps: tuple[Callable[[Concern, Setting, str], Decision], ...] = (_deadline, _reminder, _deadline_checks, _limits)
    for step in steps:
        decision = decision.then(step(decision.concern, setting, cause))
    decision, ask = _ask(decision, trigger, setting)
    decision = decision.then(close_if_over(decision.concern, setting, cause))
    return Fired(decision.then(Decision(plan(decision.concern, setting))), ask)


def _awake(concern: Concern, setting: Setting, cause: str) -> Decision:
    """A pause that has run out: first contacts that it took back are written again."""
    if concern.paused_until is None:
        return Decision(concern)
    concern = noted(concern.model_copy(update={"paused_until": None}), setting.now, "resumed", "暂停结束")
    return held_back(concern, setting).then(contact_again(concern, setting, cause))


def held_back(concern: Concern, setting: Setting) -> Decision:
    """What a pause held back (answers, corrections) leaves now that it is over."""
    return Decision(concern, (Hasten(concern_id=concern.concern_id, due=setting.now),))


def contact_again(concern: Concern, setting: Setting, cause: str) -> Decision:
    """Call the loop for first contacts that were taken back; nothing where nobody is left to be contacted."""
    if not any(p.comm_status is CommStatus.TO_CONTACT for p in concern.delegates):
        return Decision(concern)
    advance = Advance(
        key=f"created:{concern.concern_id}:{cause}",
        due=setting.now,
        concern_id=concern.concern_id,
        trigger=Trigger.CREATED,
    )
    return Decision(concern.model_copy(update={"revision": concern.revision + 1}), (advance,))


def taken_up_again(concern: Concern, setting: Setting, cause: str) -> Decision:
    """What nobody works on though it is there: first contacts that were never written, replies that were never read."""
    decision = contact_again(concern, setting, cause)
    unread = tuple(
        Advance(
            key=f"again:{concern.concern_id}:{p.person_id}:{cause}",
            due=setting.now,
            concern_id=concern.concern_id,
            trigger=Trigger.REPLY,
            person_id=p.person_id,
        )
        for p in owing(concern)
        if has_news(concern, p.person_id)
    )
    return decision.then(Decision(decision.concern, unread))


def _deadline(concern: Concern, setting: Setting, _: str) -> Decision:
    """At the deadline the initiator hears where things stand, whatever the cadence."""
    at = deadline_report_at(concern, setting)
    if at is None or concern.deadline_told or at > setting.now:
        return Decision(concern)
    concern = noted(concern.model_copy(update={"deadline_told": True}), setting.now, "deadline", "到了截止时间")
    return notify(concern, NoticeKind.DEADLINE, setting)


def _reminder(concern: Concern, setting: Setting, _: str) -> Decision:
    return remind(concern, setting)


def _deadline_checks(concern: Concern, setting: Setting, cause: str) -> Decision:
    """One question before the deadline to each delegate who still owes an answer."""
    if concern.decision is not None or concern.deadline is None:
        return Decision(concern)
    sends = []
    for person in owing(concern):
        who = person.person_id
        at = check_due(concern, who, setting)
        if at is None or at > setting.now:
            continue
        # Their interval runs anew from here: a follow-up that is due at the same time is off.
        concern = with_state(concern, who, deadline_checked=True, fired_at=setting.now)
        initiator = concern.source.initiator
        values = {
            "title": concern.title,
            "initiator": initiator.name if initiator else "",
            "deadline": concern.deadline.isoformat() if concern.deadline else None,
        }
        message = Outgoing(
            purpose=Purpose.DEADLINE_CHECK,
            to=who,
            words=Words(template="concern/deadline_check", values=values),
            concern_id=concern.concern_id,
        )
        sends.append(Send(key=f"check:{concern.concern_id}:{who}:{cause}", due=setting.now, message=message))
    return Decision(concern, tuple(sends))


def _limits(concern: Concern, setting: Setting, cause: str) -> Decision:
    """Delegates whose last follow-up has run out: given up, or handed on."""
    decision = Decision(concern)
    for person in owing(concern):
        now = decision.concern
        if now.decision is not None:
            break
        state = now.state_of(person.person_id)
        coming = next_follow_up(state, now.priority, setting.people.get(person.person_id), setting)
        if coming.at is None or coming.at > setting.now:
            continue
        if coming.escalates:
            decision = decision.then(escalate(now, person.person_id, setting, cause))
        elif coming.exhausted and now.priority is not Priority.CRITICAL:
            decision = decision.then(give_up(now, person.person_id, setting))
    return decision


def _ask(decision: Decision, trigger: Trigger, setting: Setting) -> tuple[Decision, tuple[PersonId, ...]]:
    """Those whose interval or named time has run out and who may still be followed up."""
    concern = decision.concern
    if concern.decision is not None:
        return decision, ()
    ask = []
    for person in owing(concern):
        state = concern.state_of(person.person_id)
        coming = next_follow_up(state, concern.priority, setting.people.get(person.person_id), setting)
        if coming.at is None or coming.at > setting.now or coming.exhausted:
            continue
        ask.append(person.person_id)
        since = overdue_since(state) or setting.now
        concern = with_state(concern, person.person_id, fired_at=setting.now, overdue_since=since)
    if ask:
        names = "、".join(name_of(concern, p) for p in ask)
        if concern.status is not Status.ESCALATED:
            concern = started(concern, setting.now, f"{trigger}：{names}")
    elif concern.status is Status.IN_PROGRESS:
        concern = transition(concern, Event.WAITED, setting.now)
    return decision.then(Decision(concern)), tuple(ask)
