"""The initiator answers a point that waits, in words or by button (RULES 4).

Most answers go on to the delegate whom the point is about. Where the point was who should be asked at all, the words
may name somebody, or call the matter off: then that is done, and the delegate hears no word of it.
"""

from __future__ import annotations

import re

from core.concern.additions import called_off, kept_after_all
from core.concern.amending import with_words
from core.concern.changes import noted, owing, report_recipient, was_contacted, with_comm, with_state
from core.concern.closing import cancel, close_if_over
from core.concern.decision import Decision, Setting
from core.concern.escalation import reassign, rested
from core.concern.machine import started
from core.concern.model import DELEGATE, Attitude, CommStatus, Concern, DecisionPoint
from core.concern.opening import acknowledgement
from core.concern.planning import plan
from core.concern.points import Choice, in_line, raise_point, settle_point
from core.effects import Advance, Outgoing, Purpose, Send, Words
from core.facts import Trigger
from core.ids import ConversationId, PersonId
from core.people import Person, Role

_WHO = ("refused", "away", "no_answer")
"""Points at which somebody else may have to be asked."""

_YES = re.compile(
    r"^(?:可以|好的?|行|同意|就这么|问[他她]|问吧|去问|嗯|对|是的?|ok|okay|yes|sure|go ahead)", re.IGNORECASE
)
_WAIT = re.compile(r"再等|等等|先等|等[他她]|等一等|缓一缓|不急|\bwait\b", re.IGNORECASE)
_STAYS = re.compile(r"留|还是要|(?:不|不用|不要|别)撤|\b(?:keep|leave|stays?)\b", re.IGNORECASE)
_OFF = re.compile(r"撤|去掉|拿掉|删|说一声|告诉|\b(?:take it (?:out|back|off)|remove|withdraw|tell)\b", re.IGNORECASE)
_NO = re.compile(
    r"算了|不用|别问|不问|取消|不要了|作罢|\b(?:no need|never ?mind|drop it|cancel|forget it)\b", re.IGNORECASE
)


def decide(
    concern: Concern, words: str, setting: Setting, cause: str, answer_in: ConversationId | None = None
) -> Decision:
    """The initiator's words settle the point that waits; the loop passes them on where the delegate is to hear them."""
    point = concern.decision
    if point is None or not concern.status.is_open:
        return Decision(concern)
    if point.kind == "addition":
        return _of_addition(noted(concern, setting.now, "decided", words), words, setting, cause, answer_in)
    concern = with_words(concern, words, setting, "decided")
    if point.kind in _WHO:
        person = _named(words, concern, point, setting)
        if person is None and point.kind == "refused" and _YES.match(words.strip()):
            person = setting.people.get(point.suggested) if point.suggested else None
        if person is not None:
            return _hand_over(concern, point.about, person, setting, cause, answer_in)
    if point.kind in ("away", "no_answer") and _WAIT.search(words):
        return _go_on(concern, setting, cause)
    if point.kind in (*_WHO, "recall") and _NO.search(words):
        return _call_off(concern, setting, answer_in)
    if point.kind in ("away", "recall"):
        return _go_on(concern, setting, cause)
    return _pass_on(concern, point, setting, cause)


def choose(
    concern: Concern, choice: Choice, setting: Setting, cause: str, answer_in: ConversationId | None
) -> Decision:
    """A button under the question was pressed (`choice:{decision_id}:{choice}`); one that is settled does nothing."""
    point = concern.decision
    if point is None or not concern.status.is_open:
        return Decision(concern)
    if choice == "drop" and point.kind == "addition":
        return called_off(concern, setting, cause, answer_in)
    if choice == "drop":
        return _call_off(concern, setting, answer_in)
    if choice == "swap":
        return swap_wanted(concern, setting, answer_in, cause, about=point.about)
    suggested = setting.people.get(point.suggested) if point.suggested else None
    if choice == "ask" and suggested is not None:
        return _hand_over(concern, point.about, suggested, setting, cause, answer_in)
    return _go_on(concern, setting, cause)


def _of_addition(
    concern: Concern, words: str, setting: Setting, cause: str, answer_in: ConversationId | None
) -> Decision:
    """What they took back stays or goes; nothing else of the matter is touched, whatever the words say."""
    stays = _STAYS.search(words) is not None or not (_NO.search(words) or _OFF.search(words))
    return _go_on(concern, setting, cause) if stays else called_off(concern, setting, cause, answer_in)


def swap_wanted(
    concern: Concern,
    setting: Setting,
    answer_in: ConversationId | None,
    cause: str,
    *,
    about: PersonId | None = None,
) -> Decision:
    """Somebody else is to be asked in place of `about` (None: of one who is away); the initiator is asked who."""
    away = [p for p in owing(concern) if _is_away(concern, p.person_id, setting)]
    point = concern.decision
    who = about or (away[0].person_id if away else point.about if point else None)
    entry = concern.person(who) if who is not None else None
    if entry is None or not concern.status.is_open:
        return Decision(concern)
    if point is not None and point.about != who:
        # They ask about this one now; the point that waits has its turn after it.
        concern = concern.model_copy(update={"decision": None, "later_points": (point, *concern.later_points)})
    question = in_line("swap", concern, setting, who=entry.display_name)
    decision = raise_point(concern, setting, kind="away", question=question, about=entry.person_id, notice=None)
    point = decision.concern.decision
    ask = Outgoing(
        purpose=Purpose.REPLY,
        to=concern.initiator_id,
        conversation=answer_in,
        words=Words(template="concern/swap", values={"name": entry.display_name, "title": concern.title}),
        concern_id=concern.concern_id,
        decision_id=point.decision_id if point else None,
        answers=True,
    )
    send = Send(key=f"swap:{concern.concern_id}:{cause}", due=setting.now, message=ask)
    return decision.then(Decision(plan(decision.concern, setting), (send,)))


def _is_away(concern: Concern, who: PersonId, setting: Setting) -> bool:
    person = setting.people.get(who)
    there = person is None or person.back_after(setting.now) is None
    return not there or concern.state_of(who).attitude is Attitude.AWAY


def _named(words: str, concern: Concern, point: DecisionPoint, setting: Setting) -> Person | None:
    """The one known person whom the words name, apart from those whose matter it is."""
    out = (point.about, concern.initiator_id)
    found = [
        p
        for p in setting.people.values()
        if p.person_id not in out and p.role is not Role.STRANGER and any(n in words for n in (p.name, *p.aliases) if n)
    ]
    return found[0] if len(found) == 1 else None


def _hand_over(
    concern: Concern,
    old: PersonId | None,
    new: Person,
    setting: Setting,
    cause: str,
    answer_in: ConversationId | None,
) -> Decision:
    decision = reassign(concern, old, new, setting, cause)
    now = decision.concern
    joined = any(p.person_id == new.person_id and p.role_in_concern == DELEGATE for p in now.people)
    waits = joined and any(p.comm_status is CommStatus.TO_CONTACT for p in now.delegates)
    if now.initiator_id is None or not waits:
        return decision
    ack = Send(
        key=f"reassigned:{now.concern_id}:{cause}", due=setting.now, message=acknowledgement(now, setting, answer_in)
    )
    return decision.then(Decision(now, (ack,)))


def _call_off(concern: Concern, setting: Setting, answer_in: ConversationId | None) -> Decision:
    by = report_recipient(concern, setting)
    return cancel(concern, setting, answer_in, by) if by is not None else Decision(concern)


def _go_on(concern: Concern, setting: Setting, cause: str) -> Decision:
    """Nothing changes for the delegates; they are waited for again, also one who was given up."""
    about = concern.decision.about if concern.decision else None
    entry = concern.person(about) if about is not None else None
    if entry is not None and entry.comm_status is CommStatus.NO_ANSWER:
        concern = with_comm(concern, entry.person_id, CommStatus.WAITING_REPLY)
        concern = with_state(concern, entry.person_id, fired_at=setting.now)
    decision = settle_point(kept_after_all(concern), setting)
    decision = decision.then(close_if_over(decision.concern, setting, cause))
    return decision.then(rested(decision.concern, setting))


def _pass_on(concern: Concern, point: DecisionPoint, setting: Setting, cause: str) -> Decision:
    decision = settle_point(started(concern, setting.now, "发起人决定了"), setting)
    concern = decision.concern
    asked = [p.person_id for p in owing(concern) if was_contacted(concern, p.person_id)]
    about = point.about or (asked[0] if asked else None)
    if about is None:
        return decision.then(_go_on(concern, setting, cause))
    advance = Advance(
        key=f"advance:{cause}:{concern.concern_id}",
        due=setting.now,
        concern_id=concern.concern_id,
        trigger=Trigger.DECISION,
        person_id=about,
        question=point.text or point.question,
    )
    return decision.then(Decision(plan(concern, setting), (advance,)))
