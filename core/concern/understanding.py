"""What a delegate's words change in how the matter stands with them (RULES 4, the table of attitudes)."""

from __future__ import annotations

from typing import Any

from core.concern.changes import inbound_texts, with_comm, with_state
from core.concern.closing import settled
from core.concern.decision import Decision
from core.concern.followup import next_follow_up
from core.concern.model import Attitude, CommStatus, Concern
from core.concern.points import drop_points_about
from core.concern.reporting_back import dated, part_in_words
from core.concern.turn import Turn
from core.concern.verdict import open_parts, part_of
from core.facts import Trigger

_TELLING = (Attitude.ANSWERED, Attitude.COMMITMENT, Attitude.QUESTION, Attitude.REFUSED)
"""Attitudes whose words are worth handing on as they are."""

_STILL_ANNOYED = (Attitude.RESISTANT, Attitude.VAGUE, Attitude.UNRELATED, Attitude.SILENT, None)


def understood(concern: Concern, turn: Turn) -> Concern:
    """The concern with the delegate's state as this turn leaves it; nothing is sent or decided here."""
    about, state = turn.about, concern.state_of(turn.about)
    changes: dict[str, Any] = {}
    if turn.trigger is not Trigger.EVIDENCE:
        changes["assessed_inbound"] = len(inbound_texts(concern, about))
    if turn.attitude is not None:
        changes["attitude"] = turn.attitude
    elif state.attitude is None and turn.trigger is Trigger.TIMEOUT:
        changes["attitude"] = Attitude.SILENT
    if turn.texts:
        changes["doubled"] = turn.attitude is Attitude.RESISTANT or (state.doubled and turn.attitude in _STILL_ANNOYED)
    if turn.named_time is not None:
        changes |= {"not_before": turn.named_time, "promised": True}
    words = _core(concern, turn)
    if words:
        changes["key_information"] = words
    concern = with_state(concern, about, **changes)
    if turn.answer.summary:
        concern = concern.model_copy(update={"summary": turn.answer.summary})
    return _held_longer(concern, turn)


def _core(concern: Concern, turn: Turn) -> str:
    given = turn.answer.key_information
    # Words of somebody who has said nothing are an invention.
    if given and given.strip() and inbound_texts(concern, turn.about):
        return dated(part_in_words(concern, turn.about, given.strip()), concern, turn.about, turn.setting)
    if turn.texts and turn.attitude in _TELLING:
        return dated(" ".join(turn.texts), concern, turn.about, turn.setting)
    return ""


def _held_longer(concern: Concern, turn: Turn) -> Concern:
    """The brain may wait longer than the interval, never shorter."""
    if turn.wait_until is None:
        return concern
    state, person = concern.state_of(turn.about), turn.setting.people.get(turn.about)
    coming = next_follow_up(state.model_copy(update={"fired_at": None}), concern.priority, person, turn.setting)
    if coming.at is None or turn.wait_until <= coming.at:
        return concern
    return with_state(concern, turn.about, not_before=turn.wait_until, promised=False)


def part_done(concern: Concern, turn: Turn) -> bool:
    """Whether this delegate's part is answered, though the matter as a whole is not.

    So says the brain when it calls the goal met; or, where others are still open, when it calls their words an answer
    and has nothing more to ask of them.
    """
    if turn.lacks_day:
        return False
    if turn.answer.goal_met and (turn.texts or turn.trigger in (Trigger.EVIDENCE, Trigger.DECISION)):
        return True
    if not turn.texts:
        return False
    settled_with = not turn.message and not turn.answer.needs_decision
    return turn.attitude is Attitude.ANSWERED and settled_with and bool(open_parts(concern, turn.about))


def credited(concern: Concern, turn: Turn) -> Concern:
    """With the event of this turn marked as what showed it done; unchanged where somebody's words did."""
    if turn.trigger is not Trigger.EVIDENCE:
        return concern
    marked = (
        e.model_copy(update={"met": True, "about": turn.about}) if e.key == turn.cause else e for e in concern.evidence
    )
    return concern.model_copy(update={"evidence": tuple(marked)})


def mark_part(concern: Concern, turn: Turn) -> Decision:
    """Done, where the part is; whoever was asked in the same part is told that it is settled."""
    about, state = turn.about, concern.state_of(turn.about)
    if turn.attitude is Attitude.UNRELATED and state.answered_at is not None and turn.texts:
        return Decision(with_comm(concern, about, CommStatus.DONE))
    if not part_done(concern, turn):
        return Decision(concern)
    concern = with_comm(credited(concern, turn), about, CommStatus.DONE)
    settled_at = {"answered_at": turn.setting.now, "asked_back": False, "not_before": None, "promised": False}
    concern = with_state(concern, about, **settled_at)
    # Who did not say it themselves may not know that it is known.
    told = [about] if turn.trigger is Trigger.EVIDENCE and state.last_outbound is not None else []
    for person in concern.delegates:
        other = person.person_id
        if other != about and person.comm_status.is_owing and part_of(concern, other) == part_of(concern, about):
            if concern.state_of(other).last_outbound is not None:
                told.append(other)
            concern = with_comm(concern, other, CommStatus.NOT_NEEDED)
    decision = Decision(concern, settled(concern, told, turn.setting, turn.cause))
    return decision.then(drop_points_about(concern, about, turn.setting))
