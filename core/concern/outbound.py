"""A message of a concern at the moment of sending: still wanted, delivered, or not deliverable (DESIGN 3)."""

from __future__ import annotations

from typing import Any, Literal

from core.concern.changes import logged, name_of, noted, notify, was_contacted, with_comm, with_person, with_state
from core.concern.closing import NO_LONGER, close_if_over, settled
from core.concern.decision import Decision, Setting
from core.concern.escalation import rested
from core.concern.machine import Event, started, transition
from core.concern.model import CommStatus, Concern, ConcernPerson, LogEntry, Status
from core.concern.notices import NoticeKind
from core.concern.planning import is_paused, plan
from core.concern.points import CHASING, drop_points_about
from core.effects import Outgoing, Purpose, Withdraw
from core.errors import Shut
from core.ids import PersonId

_ASKING = (Purpose.FIRST_CONTACT, *CHASING, Purpose.ASK_BACK, Purpose.ANSWER, Purpose.CORRECTION)
"""Messages after which an answer is expected."""


def still_wanted(concern: Concern, message: Outgoing, setting: Setting, *, out: bool = False) -> str | None:
    """Why a message should not go out any more; None when it should. `out`: it may have arrived, and counts as sent."""
    entry = concern.person(message.to) if message.to is not None else None
    if entry is None or message.purpose not in (*_ASKING, Purpose.SETTLED):
        return None
    person = setting.people.get(entry.person_id)
    if person is not None and not person.interaction_policy.contact_allowed:
        return f"{entry.display_name} wants no more messages"
    if message.again or out:
        return again_unwanted(concern, message)
    if message.purpose is Purpose.SETTLED:
        return None
    # A decision that closed the matter is passed on all the same.
    if message.purpose is not Purpose.ANSWER and not concern.status.is_open:
        return f"the concern is {concern.status}"
    # What a pause takes back is asked anew after it; an answer or a correction waits for its end (`holding`).
    waits = message.purpose in (Purpose.ANSWER, Purpose.CORRECTION)
    if is_paused(concern, setting.now) and concern.status.is_open and not waits:
        return "the concern is paused"
    if message.purpose is Purpose.FIRST_CONTACT:
        return _first_contact_unwanted(concern, entry, message)
    if message.purpose in CHASING:
        return _chase_unwanted(concern, entry, message)
    if message.purpose is Purpose.ASK_BACK and entry.comm_status is CommStatus.DONE:
        return f"{entry.display_name} has answered"
    return None


def again_unwanted(concern: Concern, message: Outgoing) -> Literal["closed", "replied"] | None:
    """Why a message that may not have arrived needs no second try; None when one is of use."""
    entry = concern.person(message.to) if message.to is not None else None
    if entry is None:
        return None
    state = concern.state_of(entry.person_id)
    asked = state.last_outbound or concern.created_at
    if state.last_inbound is not None and state.last_inbound >= asked:
        return "replied"
    # Words that need no answer end their matter by going out; whether they arrived is another question.
    told = concern.relay is not None or message.purpose in (Purpose.SETTLED, Purpose.ANSWER)
    return None if concern.status.is_open or told else "closed"


def delivered_again(
    concern: Concern, message: Outgoing, text: str, channel: str, message_id: str | None, setting: Setting
) -> Decision:
    """Somebody had it sent once more: it is logged, and the interval runs from now; nothing is counted twice."""
    entry = concern.person(message.to) if message.to is not None else None
    if entry is None or message.purpose not in (*_ASKING, Purpose.SETTLED):
        return Decision(concern)
    concern = _kept(concern, entry, message, text, channel, message_id, setting)
    if message.purpose is Purpose.SETTLED or not concern.status.is_open:
        return Decision(concern)
    return Decision(plan(with_state(concern, entry.person_id, last_outbound=setting.now), setting))


def _first_contact_unwanted(concern: Concern, entry: ConcernPerson, message: Outgoing) -> str | None:
    if message.revision is not None and message.revision != concern.revision:
        return "it is being written anew"
    if entry.comm_status is CommStatus.TO_CONTACT:
        return None
    return f"{entry.display_name} is {entry.comm_status}"


def _chase_unwanted(concern: Concern, entry: ConcernPerson, message: Outgoing) -> str | None:
    state = concern.state_of(entry.person_id)
    if concern.decision is not None:
        return "a decision of the initiator is awaited"
    if not entry.comm_status.is_owing:
        return f"{entry.display_name} is {entry.comm_status}"
    if state.fired_at is None:
        return "its timer was called off (a reply, a pause, a point that came up)"
    if state.last_inbound is not None and state.last_inbound > state.fired_at:
        return f"{entry.display_name} has replied meanwhile"
    if state.last_outbound is not None and state.last_outbound > state.fired_at:
        return f"{entry.display_name} was written to meanwhile"
    if message.follow_up_number is not None and message.follow_up_number <= state.follow_ups:
        return f"follow-up {message.follow_up_number} has been sent"
    return None


def delivered(
    concern: Concern, message: Outgoing, text: str, channel: str, message_id: str | None, setting: Setting
) -> Decision:
    """The channel took it (or, without a `message_id`, may have): logged and counted; timers run from now."""
    return _delivered(concern, message, text, channel, message_id, setting, is_open=False)


def _delivered(
    concern: Concern,
    message: Outgoing,
    text: str,
    channel: str,
    message_id: str | None,
    setting: Setting,
    *,
    is_open: bool,
) -> Decision:
    entry = concern.person(message.to) if message.to is not None else None
    if entry is None or message.purpose not in (*_ASKING, Purpose.SETTLED):
        return Decision(concern)
    who, first = entry.person_id, not was_contacted(concern, entry.person_id)
    concern = _kept(concern, entry, message, text, channel, message_id, setting)
    if message.purpose is Purpose.FIRST_CONTACT and first:
        over = _over_meanwhile(concern, entry, setting)
        if over is not None:
            return over
    if message.purpose is Purpose.SETTLED or not concern.status.is_open:
        return Decision(concern)
    concern = _counted(concern, who, message, setting)
    if concern.relay is not None:
        return _told(concern, who, setting)
    if entry.comm_status in (CommStatus.TO_CONTACT, CommStatus.REPLIED, CommStatus.NO_ANSWER):
        concern = with_comm(concern, who, CommStatus.WAITING_REPLY)
    concern = _moved(concern, message, setting)
    decision = Decision(concern)
    if message.purpose is Purpose.FIRST_CONTACT and first and not is_open:
        decision = decision.then(notify(concern, NoticeKind.CONTACTED, setting, who))
    return decision.then(Decision(plan(decision.concern, setting)))


def perhaps_delivered(
    concern: Concern, message: Outgoing, text: str, channel: str, message_id: str | None, setting: Setting
) -> Decision:
    """It may be out, and the channel will tell: it counts from here on, but nobody hears yet that it is out."""
    return _delivered(concern, message, text, channel, message_id, setting, is_open=True)


def confirmed(
    concern: Concern, message: Outgoing, text: str, channel: str, message_id: str | None, setting: Setting
) -> Decision:
    """What counted as sent is known by now: it is there under this id, or (None) in doubt for good."""
    entry = concern.person(message.to) if message.to is not None else None
    if entry is None or message.purpose not in (*_ASKING, Purpose.SETTLED):
        return Decision(concern)
    concern = _with_id(concern, entry.person_id, message, message_id)
    waits = concern.status.is_open and entry.comm_status is CommStatus.WAITING_REPLY
    if message.purpose is Purpose.FIRST_CONTACT and waits and not message.again:
        return notify(concern, NoticeKind.CONTACTED, setting, entry.person_id)
    return Decision(concern)


def _with_id(concern: Concern, who: PersonId, message: Outgoing, message_id: str | None) -> Concern:
    """The log with the id of the last such message, which had none."""
    log = list(concern.conversation_log)
    for place in reversed(range(len(log))):
        line = log[place]
        ours = line.direction == "outbound" and line.person_id == who and line.purpose == message.purpose
        if ours and line.message_id is None:
            log[place] = line.model_copy(update={"message_id": message_id})
            return concern.model_copy(update={"conversation_log": tuple(log)})
    return concern


def _told(concern: Concern, who: PersonId, setting: Setting) -> Decision:
    """Words that need no answer have reached somebody: their part is done, and with the last one the matter."""
    concern = with_comm(started(concern, setting.now), who, CommStatus.DONE)
    decision = close_if_over(concern, setting, f"told:{who}")
    return decision if not decision.concern.status.is_open else rested(decision.concern, setting)


def _over_meanwhile(concern: Concern, entry: ConcernPerson, setting: Setting) -> Decision | None:
    """Called off, or they were let go, while their first contact was on its way: they are told so after all."""
    who = entry.person_id
    if not concern.status.is_open:
        return Decision(concern, settled(concern, [who], setting, "on-its-way"))
    if entry.comm_status is not CommStatus.NOT_NEEDED:
        return None
    concern = with_state(concern, who, last_outbound=setting.now)
    return Decision(concern, settled(concern, [who], setting, "on-its-way", template=NO_LONGER))


def _kept(
    concern: Concern,
    entry: ConcernPerson,
    message: Outgoing,
    text: str,
    channel: str,
    message_id: str | None,
    setting: Setting,
) -> Concern:
    line = LogEntry(
        person_name=entry.display_name,
        person_id=entry.person_id,
        direction="outbound",
        text=text,
        channel=channel,
        ts=setting.now,
        message_id=message_id,
        purpose=message.purpose,
    )
    concern = logged(concern, line)
    doubt = "" if message_id is not None else "（是否送达未知）"
    concern = noted(concern, setting.now, "action_send", f"已发送给{entry.display_name}{doubt}")
    return with_person(concern, entry.person_id, last_channel=channel)


def _counted(concern: Concern, who: PersonId, message: Outgoing, setting: Setting) -> Concern:
    state = concern.state_of(who)
    changes: dict[str, Any] = {"last_outbound": setting.now}
    if message.purpose is Purpose.FOLLOW_UP:
        changes |= {"follow_ups": max(state.follow_ups + 1, message.follow_up_number or 0), "silent": state.silent + 1}
    return with_state(concern, who, **changes)


def _moved(concern: Concern, message: Outgoing, setting: Setting) -> Concern:
    """An open concern that was not waiting now waits for an answer; one handed on stays so until somebody speaks."""
    if concern.status not in (Status.PENDING, Status.IN_PROGRESS):
        return concern
    event = Event.FOLLOWED_UP if message.purpose is Purpose.FOLLOW_UP else Event.CONTACTED
    name = name_of(concern, message.to)
    return transition(started(concern, setting.now), event, setting.now, f"等待{name}回复")


def undeliverable(
    concern: Concern, message: Outgoing, reason: str, setting: Setting, shut: Shut | None = None
) -> Decision:
    """No channel of the person takes it: they are unreachable, the initiator is told.

    `reason` is for the timeline, `shut` for the initiator.
    """
    entry = concern.person(message.to) if message.to is not None else None
    if entry is None or message.purpose not in (*_ASKING, Purpose.SETTLED):
        return Decision(concern)
    concern = noted(concern, setting.now, "undeliverable", f"发给{entry.display_name}的消息送不到：{reason}")
    # Somebody who is out of the matter already is not missing in it.
    if not concern.status.is_open or message.purpose is Purpose.SETTLED or entry.comm_status is CommStatus.NOT_NEEDED:
        return Decision(concern)
    who = entry.person_id
    if entry.comm_status is not CommStatus.DONE:
        concern = with_comm(concern, who, CommStatus.UNREACHABLE)
    decision = Decision(concern, (Withdraw(concern_id=concern.concern_id, person_id=who),))
    decision = decision.then(notify(decision.concern, NoticeKind.UNREACHABLE, setting, who, shut))
    decision = decision.then(drop_points_about(decision.concern, who, setting))
    decision = decision.then(close_if_over(decision.concern, setting, f"unreachable:{who}"))
    return decision.then(Decision(plan(decision.concern, setting)))
