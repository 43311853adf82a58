"""The engine's part of the agent loop: the brain proposes, these rules dispose (RULES 4).

`assessed` takes the brain's answer about one delegate through a fixed row of steps: what their words change, whether
the goal is met, what the initiator has to decide, what goes to the delegate, what the initiator hears.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.brain.questions import Assessment
from core.brain.rules.signals.troubles import troubles_in
from core.brain.rules.words.text import without_quotes
from core.concern.away import message_ref
from core.concern.changes import name_of, noted, notify, report_recipient, with_comm
from core.concern.closing import close_if_over, resolve
from core.concern.decision import Decision, Setting
from core.concern.escalation import escalate
from core.concern.holding import hold_until
from core.concern.machine import Event, started, transition
from core.concern.model import Attitude, CommStatus, Concern, Priority, Status
from core.concern.notices import NoticeKind
from core.concern.planning import FOREVER, plan
from core.concern.points import Kind, raise_point
from core.concern.reporting_back import core_words
from core.concern.speaking import pass_on, speak
from core.concern.turn import Turn, read
from core.concern.understanding import credited, mark_part, understood
from core.concern.verdict import open_parts
from core.effects import Effect, Outgoing, Purpose, Send, Words
from core.facts import Trigger
from core.ids import PersonId
from core.people import Person


def assessed(
    concern: Concern, trigger: Trigger, about: PersonId, answer: Assessment, setting: Setting, cause: str
) -> Decision:
    """What follows from the brain's answer about one delegate. `cause` makes the keys of what is sent unique."""
    if not concern.status.is_open or concern.person(about) is None:
        return Decision(concern)
    turn = read(concern, trigger, about, answer, setting, cause)
    if concern.status is not Status.ESCALATED or turn.texts:
        concern = started(concern, setting.now, trigger)
    concern = _with_troubles(understood(concern, turn), turn)
    if turn.met:
        return _met(concern, turn)
    decision = Decision(concern)
    steps: tuple[Callable[[Concern, Turn], Decision], ...] = (mark_part, _handed_on, _put_to_initiator, speak)
    for step in steps:
        decision = decision.then(step(decision.concern, turn))
    decision = decision.then(_tell(decision, turn))
    decision = decision.then(close_if_over(decision.concern, setting, cause))
    return decision.then(_rest(decision.concern, turn))


def _met(concern: Concern, turn: Turn) -> Decision:
    """Resolved; a decision that led here is still passed on."""
    decision = resolve(
        credited(concern, turn),
        turn.setting,
        turn.cause,
        about=turn.about,
        outcome=turn.answer.summary,
        background=turn.answer.owner_update,
        shown=turn.trigger is Trigger.EVIDENCE,
    )
    if turn.trigger is not Trigger.DECISION:
        return decision
    passed = decision.then(pass_on(decision.concern, turn))
    # The delegate reads of the decision before its initiator reads that all is done.
    return replace(passed, effects=tuple(sorted(passed.effects, key=_is_report_back)))


def _is_report_back(effect: Effect) -> bool:
    return isinstance(effect, Send) and effect.message.purpose is Purpose.REPORT_BACK


def _handed_on(concern: Concern, turn: Turn) -> Decision:
    """The brain may propose to escalate: in a pressing matter, or when the delegate keeps silent."""
    wish, state = turn.answer.escalate_to, concern.state_of(turn.about)
    entry = concern.person(turn.about)
    if wish is None or state.escalated or entry is None or not entry.comm_status.is_owing:
        return Decision(concern)
    if not _is_legal_target(concern, turn, wish):
        return Decision(concern)
    pressing = concern.priority in (Priority.HIGH, Priority.CRITICAL)
    if not pressing and not (turn.trigger is Trigger.TIMEOUT and state.silent):
        return Decision(concern)
    return escalate(concern, turn.about, turn.setting, turn.cause)


def _is_legal_target(concern: Concern, turn: Turn, wish: str) -> bool:
    person = turn.setting.people.get(turn.about)
    above = person.escalation_to if person is not None else None
    return wish in (above, concern.initiator_id)


def _put_to_initiator(concern: Concern, turn: Turn) -> Decision:
    """A point for the initiator: refused, a question that only they can answer, or what the brain leaves to them."""
    kind = _point_kind(concern, turn)
    if kind is None:
        return Decision(concern)
    if report_recipient(concern, turn.setting) is None:
        # Nobody is there to decide: who refuses is asked no more.
        return Decision(with_comm(concern, turn.about, CommStatus.NO_ANSWER) if kind == "refused" else concern)
    name, words = name_of(concern, turn.about), core_words(concern, turn.about)
    suggested = _suggested(turn, concern)
    return raise_point(
        concern,
        turn.setting,
        kind=kind,
        question=turn.answer.owner_update or f"{name}：{words}",
        text=turn.answer.owner_update,
        about=turn.about,
        suggested=suggested.person_id if suggested else None,
    )


def _point_kind(concern: Concern, turn: Turn) -> Kind | None:
    entry = concern.person(turn.about)
    if concern.status is Status.ESCALATED and concern.decision is not None:
        return None
    if turn.texts and turn.attitude is Attitude.REFUSED:
        return "refused"
    if turn.texts and turn.attitude is Attitude.QUESTION and (turn.answer.needs_decision or not turn.message):
        return "question"
    done = entry is not None and entry.comm_status is CommStatus.DONE and not open_parts(concern, turn.about)
    return "open" if turn.answer.needs_decision and not done else None


def _suggested(turn: Turn, concern: Concern) -> Person | None:
    """The person whom a delegate points to, where exactly one known person is called so."""
    said = turn.answer.attitudes.get(turn.about)
    if said is None or not said.names_other:
        return None
    wanted = said.names_other.strip()
    found = [p for p in turn.setting.people.values() if wanted in (p.name, *p.aliases)]
    found = [p for p in found if p.person_id not in (turn.about, concern.initiator_id)]
    return found[0] if len(found) == 1 else None


def _tell(decision: Decision, turn: Turn) -> Decision:
    """What the initiator hears of this turn; where the brain has no words for it, mostly nothing."""
    concern, about = decision.concern, turn.about
    messages = [e.message for e in decision.effects if isinstance(e, Send)]
    sent = [m.purpose for m in messages]
    passed = [m for m in messages if m.purpose is Purpose.ANSWER and turn.trigger is Trigger.DECISION]
    decider = report_recipient(concern, turn.setting)
    acks = tuple(_passed_on(concern, turn, m, decider.person_id) for m in passed) if decider is not None else ()
    ack = Decision(concern, acks)
    if (
        concern.decision is not None
        and concern.decision.asked_at == turn.setting.now
        and concern.decision.about == about
    ):
        return ack
    kind = _occasion(concern, turn, sent)
    if kind is None:
        return ack
    text = "；".join(_troubles(turn)) if kind is NoticeKind.TROUBLE else turn.answer.owner_update
    return ack.then(notify(concern, kind, turn.setting, about, text))


def _occasion(concern: Concern, turn: Turn, sent: list[Purpose]) -> NoticeKind | None:
    """The notice that this turn is worth; the brain's own words, if any, stand in place of its template."""
    entry = concern.person(turn.about)
    if turn.attitude is Attitude.AWAY and turn.texts and _is_news(concern, turn):
        return NoticeKind.AWAY
    if turn.answer.owner_update:
        return NoticeKind.OWNER_UPDATE
    done = entry is not None and entry.comm_status is CommStatus.DONE
    heard = turn.trigger in (Trigger.REPLY, Trigger.EVIDENCE, Trigger.DECISION)
    if heard and done and turn.attitude is not Attitude.UNRELATED and open_parts(concern, turn.about):
        return NoticeKind.PARTIAL
    if not done and _troubles(turn):
        return NoticeKind.TROUBLE
    return NoticeKind.TIMEOUT_RETRY if Purpose.FOLLOW_UP in sent else None


def _troubles(turn: Turn) -> tuple[str, ...]:
    """Risks and blockers that their new words tell of, as they put them."""
    if turn.trigger is not Trigger.REPLY:
        return ()
    return tuple(t.what for text in turn.texts for t in troubles_in(without_quotes(text)))


def _with_troubles(concern: Concern, turn: Turn) -> Concern:
    for what in _troubles(turn):
        concern = noted(concern, turn.setting.now, "signal", f"{name_of(concern, turn.about)}：{what}")
    return concern


def _is_news(concern: Concern, turn: Turn) -> bool:
    """An absence is told once, and again only when its end has moved: not what they said in another matter before."""
    person = turn.setting.people.get(turn.about)
    if person is not None and person.away_said is not None:
        heard = [e for e in concern.dialogue_with(turn.about) if e.direction == "inbound"]
        return person.away_said in {message_ref(e) for e in heard[turn.before.assessed_inbound :]}
    return turn.before.attitude is not Attitude.AWAY or turn.named_time not in (None, turn.before.not_before)


def _passed_on(concern: Concern, turn: Turn, answer: Outgoing, decider: PersonId) -> Send:
    """An answer to the words of whoever decided, so it goes at once; it says when `answer` waits for its hours."""
    until = hold_until(concern, answer, (), turn.setting)
    when = until.isoformat() if until is not None and until != FOREVER else None
    values = {"title": concern.title, "name": name_of(concern, turn.about), "when": when}
    message = Outgoing(
        purpose=Purpose.REPLY,
        to=decider,
        words=Words(template="concern/passed_on", values=values),
        concern_id=concern.concern_id,
        answers=True,
    )
    return Send(key=f"passed-on:{concern.concern_id}:{turn.cause}", due=turn.setting.now, message=message)


def _rest(concern: Concern, turn: Turn) -> Decision:
    """Back to waiting, with the next moment named."""
    if concern.status is Status.IN_PROGRESS:
        asked = concern.decision is not None and concern.decision.asked_at == turn.setting.now
        event, detail = (Event.ASKED_INITIATOR, "等发起人决定") if asked else (Event.WAITED, concern.summary or "")
        concern = transition(concern, event, turn.setting.now, detail)
    return Decision(plan(concern, turn.setting))
