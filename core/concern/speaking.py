"""What goes to the delegate after a turn, and when (RULES 4): the brain's words, held to the rules.

At once: the answer to a question, one ask-back, a decision passed on. In cadence: a follow-up. Nothing merely
acknowledges a reply; nobody is chased while a point waits for the initiator, and a paused concern sends nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.concern.changes import name_of, noted, with_comm, with_state
from core.concern.decision import Decision
from core.concern.followup import most, next_follow_up, opening
from core.concern.model import Attitude, CommStatus, Concern, ConcernPerson
from core.concern.planning import is_paused
from core.concern.turn import Turn
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import Trigger
from core.people import Person

_SHUT = (CommStatus.DECLINED, CommStatus.UNREACHABLE, CommStatus.NOT_NEEDED, CommStatus.TO_CONTACT)
_SHORT = (Attitude.VAGUE, Attitude.ANSWERED)
"""Attitudes that may fall short of the goal, so that asking back makes sense."""


def speak(concern: Concern, turn: Turn) -> Decision:
    """The message to the delegate that this turn calls for, if any."""
    concern = _others_dropped(concern, turn)
    entry = concern.person(turn.about)
    point, paused = concern.decision, is_paused(concern, turn.setting.now)
    if entry is None or entry.comm_status in _SHUT or (point is not None and point.about == turn.about):
        return Decision(concern)
    # A point about somebody else keeps nobody from an answer; what a pause holds back leaves when it ends.
    if turn.trigger is Trigger.DECISION:
        return pass_on(concern, turn)
    if turn.trigger in (Trigger.TIMEOUT, Trigger.DUE) and not paused and point is None:
        return _follow_up(concern, turn)
    if turn.trigger is Trigger.REPLY and (turn.attitude is Attitude.QUESTION or not paused):
        return _reply(concern, turn)
    return Decision(concern)


def _others_dropped(concern: Concern, turn: Turn) -> Concern:
    """Words for others were written from this delegate's view: they never leave (RULES 1)."""
    others = {m.to for m in turn.answer.messages if m.to != turn.about and m.text.strip()}
    for other in sorted(others):
        concern = noted(concern, turn.setting.now, "message_dropped", f"写给 {other} 的话没有发出：不是这一轮的当事人")
    return concern


def _reply(concern: Concern, turn: Turn) -> Decision:
    if turn.attitude is Attitude.QUESTION:
        if not turn.message:
            return Decision(concern)
        return _send(concern, turn, Purpose.ANSWER, Words(text=turn.message), turn.setting.now)
    done = concern.person(turn.about)
    if turn.attitude not in _SHORT or (done is not None and done.comm_status is CommStatus.DONE):
        return Decision(concern)
    if not turn.message and not turn.lacks_day:
        return Decision(concern)
    if concern.state_of(turn.about).asked_back:
        note = f"已经追问过{name_of(concern, turn.about)}一次，按节奏再问"
        return Decision(noted(concern, turn.setting.now, "ask_back_held", note))
    words = Words(text=turn.message) if turn.message else Words(template="concern/ask_day", values=_values(concern))
    return _send(concern, turn, Purpose.ASK_BACK, words, turn.setting.now)


def _follow_up(concern: Concern, turn: Turn) -> Decision:
    state, entry = concern.state_of(turn.about), concern.person(turn.about)
    limits, person = turn.setting.limits, turn.setting.people.get(turn.about)
    number, allowed = state.follow_ups + 1, 0 if state.once else most(concern.priority, limits)
    if entry is None or not entry.comm_status.is_owing or (allowed is not None and number > allowed):
        return Decision(concern)
    # The timer itself aside: is their time really up? A word that came meanwhile starts it anew.
    coming = next_follow_up(state.model_copy(update={"fired_at": None}), concern.priority, person, turn.setting)
    if coming.at is None or coming.at > turn.setting.now:
        return Decision(concern)
    values = _values(concern) | {"number": number, "softer": state.doubled}
    words = Words(text=turn.message) if turn.message else Words(template="concern/follow_up", values=values)
    elsewhere = state.silent + 1 >= limits.followup.other_channel_from
    if elsewhere and _is_new_there(concern, entry, person):
        introduced = _values(concern) | {"persona": turn.setting.persona}
        words = Words(template="concern/introduction", values=introduced, lines=(words,))
    return _send(
        concern,
        turn,
        Purpose.FOLLOW_UP,
        words,
        opening(concern, person, turn.setting.now, turn.setting),
        follow_up_number=number,
        avoid_channel=entry.last_channel if elsewhere else None,
    )


def _is_new_there(concern: Concern, entry: ConcernPerson, person: Person | None) -> bool:
    """Whether they were never written to on the channel that is tried next: there the bot says who it is."""
    others = [c for c in person.channels() if c != entry.last_channel] if person is not None else []
    return bool(others) and others[0] not in {e.channel for e in concern.dialogue_with(entry.person_id)}


def pass_on(concern: Concern, turn: Turn) -> Decision:
    """The initiator's decision goes to the delegate at once, in the brain's words or the initiator's own.

    Where the brain reads it as "later", nothing is said and they are waited for until then.
    """
    if not turn.message and turn.wait_until is not None and not turn.met:
        concern = with_state(concern, turn.about, not_before=turn.wait_until, fired_at=turn.setting.now)
        return Decision(_expected_again(concern, turn))
    said = [line for line in concern.source.detail.split("\n") if line.strip()]
    values = _values(concern) | {"words": said[-1] if said else ""}
    words = Words(text=turn.message) if turn.message else Words(template="concern/decision", values=values)
    return _send(concern, turn, Purpose.ANSWER, words, turn.setting.now)


def _send(concern: Concern, turn: Turn, purpose: Purpose, words: Words, due: datetime, **more: Any) -> Decision:
    about = turn.about
    concern = _expected_again(concern, turn)
    if purpose is Purpose.ASK_BACK:
        concern = with_state(concern, about, asked_back=True)
    message = Outgoing(purpose=purpose, to=about, words=words, concern_id=concern.concern_id, **more)
    key = f"{purpose}:{concern.concern_id}:{about}:{turn.cause}"
    return Decision(concern, (Send(key=key, due=due, message=message),))


def _expected_again(concern: Concern, turn: Turn) -> Concern:
    """Somebody who was given up is waited for again once something is asked of them anew."""
    entry = concern.person(turn.about)
    if not concern.status.is_open or entry is None or entry.comm_status is not CommStatus.NO_ANSWER:
        return concern
    return with_comm(concern, turn.about, CommStatus.WAITING_REPLY)


def _values(concern: Concern) -> dict[str, Any]:
    initiator = concern.source.initiator
    return {"title": concern.title, "initiator": initiator.name if initiator else name_of(concern, None)}
