"""What a delegate says reaches the concern: heard while it is open, passed on in a line once it is closed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.concern.changes import inbound_texts, logged, name_of, noted, notify, report_recipient, with_comm, with_state
from core.concern.closing import close_if_over, resolve
from core.concern.decision import Decision, Setting
from core.concern.machine import started
from core.concern.model import Attitude, CommStatus, Concern, Evidence, LogEntry, Said
from core.concern.notices import NoticeKind
from core.concern.planning import plan
from core.concern.points import drop_points_about
from core.concern.reporting_back import dated, own_words
from core.effects import Advance, Effect, Outgoing, Purpose, Send, Withdraw, Words
from core.facts import Event, Trigger
from core.ids import PersonId

TAKEN_BACK = (Purpose.FOLLOW_UP, Purpose.DEADLINE_CHECK, Purpose.ASK_BACK)
"""What a word of the delegate makes pointless."""


@dataclass(frozen=True)
class Utterance:
    """What somebody said, where and when; `parts` are the messages of which it is made, where they are several."""

    who: PersonId
    text: str
    channel: str
    message_id: str | None
    at: datetime
    parts: tuple[Said, ...] = ()


def heard(concern: Concern, said: Utterance, setting: Setting, cause: str, *, edited: bool = False) -> Decision:
    """A reply to an open concern: kept, chases taken back, the loop called.

    With `edited` it takes the place of their earlier message with the same id.
    """
    person_id, message_id, at = said.who, said.message_id, said.at
    if edited and message_id is not None:
        concern = _taken_back(concern, person_id, message_id)
    concern = _kept(concern, said)
    concern = _unread_from(concern, person_id, at)
    concern = started(concern, setting.now, f"{name_of(concern, person_id)}回复了")
    state = concern.state_of(person_id)
    latest = at if state.last_inbound is None else max(at, state.last_inbound)
    # A chase that is on its way is off, also where the word was said before its timer fired and came late.
    concern = with_state(concern, person_id, last_inbound=latest, silent=0, fired_at=None)
    entry = concern.person(person_id)
    # Who wanted no more messages may still answer; they are not to be written to for it.
    if entry is not None and entry.comm_status not in (CommStatus.DECLINED, CommStatus.NOT_NEEDED):
        concern = with_comm(concern, person_id, CommStatus.REPLIED)
    effects = (
        Withdraw(concern_id=concern.concern_id, person_id=person_id, purposes=TAKEN_BACK),
        _look_again(concern, person_id, setting, cause),
    )
    return Decision(plan(concern, setting), effects)


def brought(concern: Concern, said: Utterance, setting: Setting, cause: str) -> Decision:
    """What was missing is here: kept, and the matter is over; nobody need weigh it, and nobody is asked for it."""
    concern = _kept(concern, said)
    read = len(inbound_texts(concern, said.who))
    concern = with_state(concern, said.who, last_inbound=said.at, assessed_inbound=read, attitude=Attitude.ANSWERED)
    return resolve(concern, setting, cause, about=said.who)


def _unread_from(concern: Concern, person_id: PersonId, at: datetime) -> Concern:
    """A message that comes after a later one was read already: from there on all is to be read anew."""
    said = [e.ts for e in concern.dialogue_with(person_id) if e.direction == "inbound"]
    place = sum(1 for ts in said if ts <= at) - 1
    read = concern.state_of(person_id).assessed_inbound
    return with_state(concern, person_id, assessed_inbound=min(read, place))


def overheard(concern: Concern, said: Utterance, setting: Setting) -> Decision:
    """A courtesy in an open concern: in the log like every word, the interval runs from it, and nobody is called."""
    person_id, at = said.who, said.at
    state, said_before = concern.state_of(person_id), len(inbound_texts(concern, person_id))
    concern = _kept(concern, said)
    latest = at if state.last_inbound is None else max(at, state.last_inbound)
    # What the loop has not read yet stays unread.
    all_read = state.assessed_inbound == said_before
    read = len(inbound_texts(concern, person_id)) if all_read else state.assessed_inbound
    concern = with_state(concern, person_id, last_inbound=latest, assessed_inbound=read, fired_at=None)
    return Decision(plan(concern, setting))


MOST_EVIDENCE = 50
"""So much of what happened outside is kept with a matter, the latest; all of it stands in the timeline."""


def evidence(
    concern: Concern, about: PersonId | None, event: Event, at: datetime, setting: Setting, cause: str
) -> Decision:
    """Something happened outside that bears on the matter (RULES 2): kept, and the loop weighs it.

    Where it can't be told whose part it is about, it is only kept. A setback is told to the initiator, once until it is
    mended. `at` is when it happened.
    """
    if not concern.status.is_open:
        return Decision(concern)
    key, said_before = f"advance:{cause}", _stands_failed(concern, event)
    concern = noted(concern, setting.now, "evidence", event.line)
    # Who did it at the source is known by `about`, or not at all.
    nameless = event.model_copy(update={"actor": "", "accounts": ()})
    shown = Evidence(key=key, at=at, event=nameless, about=about)
    decision = Decision(concern.model_copy(update={"evidence": (*concern.evidence, shown)[-MOST_EVIDENCE:]}))
    if event.came_to == "failed" and not said_before:
        decision = decision.then(notify(decision.concern, NoticeKind.SETBACK, setting, about, key))
    if about is None:
        return decision
    advance = Advance(
        key=key,
        due=setting.now,
        concern_id=concern.concern_id,
        trigger=Trigger.EVIDENCE,
        person_id=about,
        evidence=event.line,
    )
    return decision.then(Decision(decision.concern, (advance,)))


def _stands_failed(concern: Concern, event: Event) -> bool:
    """Whether the last that was heard of this very thing is that it failed."""
    same = [e.event for e in concern.evidence if _thing(e.event) == _thing(event)]
    return bool(same) and same[-1].came_to == "failed"


def _thing(event: Event) -> tuple[str, ...]:
    """What it is about: the branch where there is one, else what its title says."""
    return (event.source, event.kind, event.project, event.branch or event.subject)


def recalled(concern: Concern, person_id: PersonId, message_id: str, setting: Setting, cause: str) -> Decision:
    """They took a message back: it counts no longer, they owe an answer again, and the initiator is told."""
    name, still_open = name_of(concern, person_id), concern.status.is_open
    taken_back = _taken_back if still_open else _withdrawn
    concern = noted(taken_back(concern, person_id, message_id), setting.now, "reply_recalled", f"{name}撤回了一条消息")
    effects: list[Effect] = []
    if still_open and inbound_texts(concern, person_id):
        effects.append(_look_again(concern, person_id, setting, cause))
    reader = report_recipient(concern, setting)
    if reader is not None:
        message = Outgoing(
            purpose=Purpose.NOTICE,
            to=reader.person_id,
            words=Words(template="concern/reply_recalled", values={"name": name, "title": concern.title}),
            concern_id=concern.concern_id,
        )
        effects.append(Send(key=f"recalled:{concern.concern_id}:{cause}", due=setting.now, message=message))
    return Decision(plan(concern, setting), tuple(effects))


def _withdrawn(concern: Concern, person_id: PersonId, message_id: str) -> Concern:
    """The log with that message marked."""
    log = tuple(
        e.model_copy(update={"withdrawn": True})
        if e.person_id == person_id and e.direction == "inbound" and message_id in (e.message_id, e.said_with)
        else e
        for e in concern.conversation_log
    )
    return concern.model_copy(update={"conversation_log": log})


def _taken_back(concern: Concern, person_id: PersonId, message_id: str) -> Concern:
    """Without that message: what they said otherwise is to be read anew."""
    concern = _withdrawn(concern, person_id, message_id)
    concern = with_state(
        concern, person_id, key_information=None, answered_at=None, attitude=None, assessed_inbound=0, not_before=None
    )
    entry = concern.person(person_id)
    if entry is not None and entry.comm_status in (CommStatus.DONE, CommStatus.REPLIED):
        concern = with_comm(concern, person_id, CommStatus.WAITING_REPLY)
    return concern


def _look_again(concern: Concern, person_id: PersonId, setting: Setting, cause: str) -> Advance:
    return Advance(
        key=f"advance:{cause}",
        due=setting.now,
        concern_id=concern.concern_id,
        trigger=Trigger.REPLY,
        person_id=person_id,
    )


@dataclass(frozen=True)
class Amends:
    """What a late reply makes of the answer before it: completes, corrects or takes it back. `words`: how it is now."""

    kind: str
    words: str


def late(concern: Concern, said: Utterance, setting: Setting, cause: str, amends: Amends | None = None) -> Decision:
    """A reply to a closed concern, more than a courtesy: kept, and the initiator hears of it in one line.

    What it corrects or completes is the answer from now on; the concern stays closed.
    """
    concern = _kept(concern, said)
    now_so = dated(amends.words, concern, said.who, setting) if amends is not None and amends.words else ""
    if now_so:
        concern = with_state(concern, said.who, key_information=now_so)
    name = name_of(concern, said.who)
    concern = noted(concern, setting.now, "late_reply", f"{name}：{own_words(said.text)}")
    concern = with_state(concern, said.who, assessed_inbound=len(inbound_texts(concern, said.who)))
    reader = report_recipient(concern, setting)
    if reader is None:
        return Decision(concern)
    values = {
        "name": name,
        "title": concern.title,
        "text": own_words(said.text),
        "relay": concern.relay,
        "amends": amends.kind if amends is not None else None,
        "now_so": now_so,
    }
    message = Outgoing(
        purpose=Purpose.NOTICE,
        to=reader.person_id,
        words=Words(template="concern/late_reply", values=values),
        concern_id=concern.concern_id,
    )
    return Decision(concern, (Send(key=f"late:{concern.concern_id}:{cause}", due=setting.now, message=message),))


def declined_contact(concern: Concern, person_id: PersonId, setting: Setting) -> Decision:
    """「别再发了」: contact ceases at once and the initiator is told; with nobody left the concern ends."""
    entry = concern.person(person_id)
    if not concern.status.is_open or entry is None or entry.comm_status is CommStatus.DECLINED:
        return Decision(concern)
    concern = noted(concern, setting.now, "declined", f"{entry.display_name}不希望再收到消息")
    if entry.comm_status is not CommStatus.DONE:
        concern = with_comm(concern, person_id, CommStatus.DECLINED)
    decision = Decision(concern, (Withdraw(concern_id=concern.concern_id, person_id=person_id),))
    decision = decision.then(notify(decision.concern, NoticeKind.DECLINED, setting, person_id))
    decision = decision.then(drop_points_about(decision.concern, person_id, setting))
    decision = decision.then(close_if_over(decision.concern, setting, f"declined:{person_id}"))
    return decision.then(Decision(plan(decision.concern, setting)))


def _kept(concern: Concern, said: Utterance) -> Concern:
    """A line of the log for each message."""
    for part in said.parts or (Said(text=said.text, message_id=said.message_id, at=said.at),):
        entry = LogEntry(
            person_name=name_of(concern, said.who),
            person_id=said.who,
            direction="inbound",
            text=part.text,
            channel=said.channel,
            ts=part.at,
            message_id=part.message_id,
            said_with=said.message_id if len(said.parts) > 1 else None,
            forwarded=part.forwarded,
        )
        concern = logged(concern, entry)
    return concern
