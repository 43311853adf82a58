"""How a concern ends: resolved with a report back, or dropped with what was obtained (RULES 3, 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.concern.changes import name_of, notify, owing, was_contacted, with_comm
from core.concern.decision import Decision, Setting, record
from core.concern.machine import Event, started, transition
from core.concern.model import CommStatus, Concern, ConcernType, Status
from core.concern.notices import NoticeKind, Reports
from core.concern.planning import plan
from core.concern.reporting_back import of_all, report_back
from core.effects import Effect, Outgoing, Purpose, Send, Withdraw, Words
from core.ids import ConversationId, PersonId
from core.people import Person

_TO_DELEGATES = (
    Purpose.FIRST_CONTACT,
    Purpose.FOLLOW_UP,
    Purpose.DEADLINE_CHECK,
    Purpose.ASK_BACK,
    Purpose.ANSWER,
    Purpose.CORRECTION,
)


NO_LONGER = "concern/no_longer"
"""Told to somebody whose part another one takes over, or who is let go while the matter goes on."""


def everything_back(concern: Concern, *, reports: bool) -> Effect:
    """Take back all that was to go to delegates; answers to the initiator and what is settled still go.

    Of a relay also the word that it will be passed on: now there is a better one.
    """
    purposes = (*_TO_DELEGATES, Purpose.REPLY) if concern.relay is not None else _TO_DELEGATES
    return Withdraw(concern_id=concern.concern_id, purposes=purposes, reports=reports)


def settled(
    concern: Concern,
    people: Iterable[PersonId],
    setting: Setting,
    cause: str,
    *,
    template: str = "concern/settled",
) -> tuple[Send, ...]:
    """Tell these people, who were asked already, that the matter is settled (or, by `template`, theirs no longer)."""
    values = {"title": concern.title, "initiator": _initiator_name(concern)}
    return tuple(
        Send(
            key=f"settled:{concern.concern_id}:{p}:{cause}",
            due=setting.now,
            message=Outgoing(
                purpose=Purpose.SETTLED,
                to=p,
                words=Words(template=template, values=values),
                concern_id=concern.concern_id,
            ),
        )
        for p in people
    )


def unanswered(concern: Concern) -> tuple[PersonId, ...]:
    """Those who were asked, may still be at it, and would rather know that it is settled."""
    waiting = [p.person_id for p in owing(concern)]
    handed_on = [
        p.person_id
        for p in concern.delegates
        if p.comm_status is CommStatus.NO_ANSWER and concern.state_of(p.person_id).escalated
    ]
    return tuple(p for p in (*waiting, *handed_on) if was_contacted(concern, p))


def resolve(
    concern: Concern,
    setting: Setting,
    cause: str,
    *,
    about: PersonId | None = None,
    outcome: str | None = None,
    background: str | None = None,
    shown: bool = False,
) -> Decision:
    """Goal met: report back, tell those who were still asked, take back whatever waits.

    `about` brought the answer; or, with `shown`, something that happened did, and they are told like the others.
    """
    now = setting.now
    others = tuple(p for p in unanswered(concern) if p != about or shown)
    if about is not None and concern.person(about) is not None:
        concern = with_comm(concern, about, CommStatus.DONE)
    if concern.status is not Status.ESCALATED:
        concern = started(concern, now)
    concern = concern.model_copy(update={"outcome": of_all(concern, outcome or concern.summary)})
    concern = transition(concern, Event.RESOLVED, now, outcome or "目标达成")
    effects: list[Effect] = [everything_back(concern, reports=True), *settled(concern, others, setting, cause)]
    back = report_back(concern, setting, background=background)
    if back is not None:
        effects.append(Send(key=f"back:{concern.concern_id}", due=now, message=back))
    return Decision(_closed(concern, setting), tuple(effects), (record(concern, "resolved", outcome or "", setting),))


ASKED_ANEW = "asked anew"
"""The text of a `dropped` notice: the same is being asked once more."""


def drop(concern: Concern, why: str, setting: Setting, *, anew: bool = False) -> Decision:
    """Nobody is left to ask, or the same is asked `anew`: let it go, and the initiator gets what was obtained."""
    concern = transition(concern, Event.DROPPED, setting.now, why)
    told = notify(concern, NoticeKind.DROPPED, setting, text=ASKED_ANEW if anew else None)
    effects: tuple[Effect, ...] = (everything_back(concern, reports=False), *told.effects)
    return Decision(plan(told.concern, setting), effects, (record(concern, "dropped", why, setting),))


def cancelled(concern: Concern, why: str, setting: Setting, cause: str) -> Decision:
    """The initiator wants it no more: no report; those already asked are told."""
    others = unanswered(concern)
    concern = transition(concern, Event.DROPPED, setting.now, why)
    effects = (everything_back(concern, reports=True), *settled(concern, others, setting, cause))
    return Decision(_closed(concern, setting), effects, (record(concern, "dropped", why, setting),))


def cancel(concern: Concern, setting: Setting, answer_in: ConversationId | None, by: Person) -> Decision:
    """「算了不用问了」: dropped without a report; those already asked are told that it is settled."""
    if not concern.status.is_open:
        return Decision(concern)
    told = [name_of(concern, p) for p in unanswered(concern)]
    decision = cancelled(concern, f"{by.name}取消", setting, "cancelled")
    template = "concern/schedule_ended" if concern.type is ConcernType.SCHEDULE else "concern/cancelled"
    ack = answering(decision.concern, template, by.person_id, answer_in, told)
    send = Send(key=f"cancelled:{concern.concern_id}", due=setting.now, message=ack)
    return decision.then(Decision(decision.concern, (send,)))


def answering(
    concern: Concern,
    template: str,
    to: PersonId | None,
    conversation: ConversationId | None,
    names: Sequence[str],
) -> Outgoing:
    """A line back to whoever steers a concern, in the chat where they did; `names` are those whom it reaches."""
    return Outgoing(
        purpose=Purpose.REPLY,
        to=to,
        conversation=conversation,
        words=Words(template=template, values={"title": concern.title, "names": list(names)}),
        concern_id=concern.concern_id,
        answers=True,
    )


def close_if_over(concern: Concern, setting: Setting, cause: str) -> Decision:
    """End the concern when nobody is left to wait for, neither a delegate nor the initiator.

    Resolved when every part was answered, else dropped.
    """
    if not concern.status.is_open or owing(concern) or concern.decision is not None or not concern.delegates:
        return Decision(concern)
    asked = [p for p in concern.delegates if p.comm_status is not CommStatus.NOT_NEEDED]
    answered = [p.person_id for p in asked if p.comm_status is CommStatus.DONE]
    covered = {answer for p in answered for answer in (p, concern.state_of(p).stands_in_for)}
    if answered and all(p.person_id in covered for p in asked):
        return resolve(concern, setting, cause, outcome=concern.summary)
    left = [p.display_name for p in asked if p.person_id not in covered]
    return drop(concern, f"没有人可以再等了（{'、'.join(left)}）", setting)


def _closed(concern: Concern, setting: Setting) -> Concern:
    quiet: Reports = concern.reports.model_copy(update={"waiting": ()})
    return plan(concern.model_copy(update={"decision": None, "later_points": (), "reports": quiet}), setting)


def _initiator_name(concern: Concern) -> str:
    return concern.source.initiator.name if concern.source.initiator else name_of(concern, concern.initiator_id)
