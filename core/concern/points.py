"""Points that wait for the initiator (RULES 4, "Waiting for a decision").

One point is asked at a time; one that comes up meanwhile is told at once and asked when its turn comes. While a point
waits nobody is chased, and `next_action` names it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from core.brain.rules.words import phrases
from core.concern.changes import noted, notify, report_recipient, with_state
from core.concern.decision import Decision, Setting, calendar_of
from core.concern.model import Concern, DecisionPoint, Priority
from core.concern.notices import NoticeKind
from core.effects import Button, Purpose, Withdraw, Words
from core.ids import PersonId

CHASING = (Purpose.FOLLOW_UP, Purpose.DEADLINE_CHECK)
"""What is taken back when nobody is to be chased."""

Kind = Literal["open", "refused", "away", "question", "edit", "recall", "addition", "no_answer"]
Choice = Literal["ask", "wait", "swap", "keep", "drop"]

CHOICES: dict[Kind, tuple[Choice, ...]] = {
    "refused": ("ask", "drop"),
    "away": ("wait", "swap"),
    "recall": ("keep", "drop"),
    "addition": ("keep", "drop"),
    "no_answer": ("wait", "swap", "drop"),
    "open": (),
    "question": (),
    "edit": (),
}
"""Ready answers by kind of point; the rest is answered in words."""


def raise_point(
    concern: Concern,
    setting: Setting,
    *,
    kind: Kind,
    question: str,
    about: PersonId | None,
    text: str | None = None,
    suggested: PersonId | None = None,
    notice: NoticeKind | None = NoticeKind.NEEDS_DECISION,
) -> Decision:
    """Put a point to the initiator. A newer point about the same delegate takes the place of the older one.

    `question` says it in a line, for `next_action` and the agenda; `text` is the brain's own wording of it, if any.
    Without a `notice` whoever calls tells the initiator themselves.
    """
    concern = noted(concern, setting.now, "decision_asked", question)
    number = sum(1 for e in concern.timeline if e.type == "decision_asked")
    point = DecisionPoint(
        decision_id=f"{concern.concern_id}.{number}",
        question=question,
        about=about,
        kind=kind,
        suggested=suggested,
        text=text,
        asked_at=setting.now,
    )
    if concern.decision is not None and concern.decision.about != about:
        later = (*(p for p in concern.later_points if p.about != about), point)
        concern = concern.model_copy(update={"later_points": later})
        return notify(concern, NoticeKind.OWNER_UPDATE, setting, about, text or question)
    return _ask(concern, point, setting, notice)


def _ask(concern: Concern, point: DecisionPoint, setting: Setting, notice: NoticeKind | None) -> Decision:
    asked = point.model_copy(update={"asked_at": setting.now, "ask_again_at": _ask_again(concern, 1, setting)})
    # Whatever chase was on its way is off: its interval runs anew once the point is settled.
    for person in concern.delegates:
        concern = with_state(concern, person.person_id, fired_at=None)
    concern = concern.model_copy(update={"decision": asked})
    decision = Decision(concern, (Withdraw(concern_id=concern.concern_id, purposes=CHASING),))
    if notice is None:
        return decision
    return decision.then(notify(concern, notice, setting, point.about, point.text, point.decision_id))


def settle_point(concern: Concern, setting: Setting) -> Decision:
    """The point that waits is settled; the next one, if there is one, is asked."""
    concern = concern.model_copy(update={"decision": None})
    if not concern.later_points:
        return Decision(concern)
    first, *rest = concern.later_points
    concern = concern.model_copy(update={"later_points": tuple(rest)})
    return _ask(concern, first, setting, NoticeKind.NEEDS_DECISION)


def drop_points_about(concern: Concern, person_id: PersonId, setting: Setting) -> Decision:
    """Points about somebody who is out of the matter wait no longer."""
    later = tuple(p for p in concern.later_points if p.about != person_id)
    concern = concern.model_copy(update={"later_points": later})
    if concern.decision is not None and concern.decision.about == person_id:
        return settle_point(concern, setting)
    return Decision(concern)


def remind(concern: Concern, setting: Setting) -> Decision:
    """Ask again about the point that waits, when that is due; after the last time it rests in the agenda."""
    point = concern.decision
    if point is None or point.ask_again_at is None or point.ask_again_at > setting.now:
        return Decision(concern)
    times = point.times_asked + 1
    again = point.model_copy(update={"times_asked": times, "ask_again_at": _ask_again(concern, times, setting)})
    concern = noted(concern, setting.now, "decision_reminded", f"第 {times} 次")
    concern = concern.model_copy(update={"decision": again})
    return notify(concern, NoticeKind.NEEDS_DECISION, setting, point.about, point.text, point.decision_id)


def _ask_again(concern: Concern, times_asked: int, setting: Setting) -> datetime | None:
    """After `again`, then each working morning, `times` in all; in hours in which a report reaches the initiator."""
    limits, recipient = setting.limits.decision, report_recipient(concern, setting)
    if times_asked >= limits.times:
        return None
    if recipient is None:
        return setting.now + limits.again
    calendar = calendar_of(recipient)
    if times_asked > 1:
        return calendar.next_working_morning(setting.now)
    if concern.priority is Priority.CRITICAL:
        return setting.now + limits.again
    return calendar.next_opening(calendar.next_opening(setting.now) + limits.again)


def in_line(point: str, concern: Concern, setting: Setting, **values: str) -> str:
    """A point that the bot raises by itself, in a line, in the language of whoever decides it."""
    reader = report_recipient(concern, setting)
    return phrases.say(f"point_{point}", reader.language if reader is not None else "zh-CN", **values)


def label(choice: str, name: str = "") -> Words:
    """The words of a button; `name` is the person that it is about."""
    return Words(template="concern/button", values={"choice": choice, "name": name})


def _worded(kind: Kind, choice: Choice) -> str:
    """Waiting for somebody who is away is waiting for their return; of an addition it alone stays or goes."""
    if kind == "addition":
        return {"keep": "leave", "drop": "take_out"}.get(choice, choice)
    return "back" if kind == "away" and choice == "wait" else choice


def point_buttons(concern: Concern, point: DecisionPoint, suggested: str | None) -> tuple[tuple[Button, ...], ...]:
    """The ready answers to a point, in one row. Their data is `choice:{decision_id}:{choice}`."""
    choices = [c for c in CHOICES[point.kind] if c != "ask" or suggested]
    row = tuple(
        Button(label=label(_worded(point.kind, c), suggested or ""), data=f"choice:{point.decision_id}:{c}")
        for c in choices
    )
    return (row,) if row else ()


def away_buttons(concern: Concern) -> tuple[tuple[Button, ...], ...]:
    """What the initiator may do about an absence: `away:{concern_id}:wait` or `away:{concern_id}:swap`."""
    cid = concern.concern_id
    choices: tuple[Choice, ...] = CHOICES["away"]
    return (tuple(Button(label=label(_worded("away", c)), data=f"away:{cid}:{c}") for c in choices),)
