"""A matter in which nothing moves any more: whoever wants it is asked once how to go on (RULES 2). Pure.

The question is a concern of its own, of type `heartbeat` and without an initiator, that ends as soon as it was asked:
an answer, by button or in words, steers the matter that it asks about (`trigger.concern_id`).
"""

from __future__ import annotations

from datetime import datetime

from core.agenda.standstill import stuck_at
from core.concern import opening
from core.concern.changes import noted, owing
from core.concern.decision import Decision, Setting
from core.concern.followup import opening as hours_open
from core.concern.lifting import asking, unordered
from core.concern.model import CommStatus, Concern, ConcernType, Relay
from core.concern.points import label
from core.concern.refs import moved_at, ref_of
from core.effects import COMMAND, Button, Outgoing, Purpose, Words
from core.ids import ConcernId
from core.people import STARTERS, Person, owner_among

ASKED = "stuck"
"""The entry in the timeline of a matter that was asked about; `detail` is who was."""


def asks_about(concern: Concern) -> ConcernId | None:
    """The matter that a heartbeat asks about; None for every other concern."""
    if concern.type is not ConcernType.HEARTBEAT:
        return None
    found = (concern.trigger or {}).get("concern_id")
    return ConcernId(found) if found else None


def still_since(concern: Concern, setting: Setting) -> datetime | None:
    """Since when nothing has moved in a matter that is stuck by now, and was not asked about; else None."""
    if not concern.status.is_open:
        return None
    at, moved = stuck_at(ref_of(concern), setting.limits.heartbeat), moved_at(concern)
    if at is None or at > setting.now or _was_asked_about(concern, moved):
        return None
    return moved


def is_moot(heartbeat: Concern, stuck: Concern | None) -> bool:
    """Whether its question has answered itself: the matter moved, or is over."""
    if stuck is None or not stuck.status.is_open:
        return True
    return moved_at(stuck).isoformat() != (heartbeat.trigger or {}).get("since")


def whom_to_ask(concern: Concern, setting: Setting) -> Person | None:
    """The initiator, the owner where there is none or they can't be written to; None: nobody."""
    initiator = setting.people.get(concern.initiator_id) if concern.initiator_id else None
    for person in (initiator, owner_among(setting.people.values())):
        if person is None or person.role not in STARTERS:
            continue
        if opening.new_delegate(person).comm_status is CommStatus.TO_CONTACT:
            return person
    return None


def asked(stuck: Concern, person: Person, setting: Setting) -> Concern:
    """The matter itself, once it was asked about: it is left alone until it moves again."""
    return noted(stuck, setting.now, ASKED, person.name)


def ask(stuck: Concern, person: Person, concern_id: ConcernId, setting: Setting, cause: str) -> Decision:
    """The heartbeat: one message in the hours of the person, and nothing is chased after it."""
    proposal = unordered(
        person,
        concern_id,
        cause,
        title=stuck.title,
        goal=stuck.title,
        words=stuck.title,
        priority=stuck.priority,
        relay=Relay.TOLD,
    )
    trigger = {"concern_id": stuck.concern_id, "since": moved_at(stuck).isoformat()}
    concern = opening.open_concern(proposal, setting).concern.model_copy(update={"trigger": trigger})
    due = hours_open(concern, person, setting.now, setting)
    message = _question(concern, stuck, person, due)
    return asking(concern, person, message, due, setting, why=stuck.title, owner=person.person_id)


def _question(heartbeat: Concern, stuck: Concern, person: Person, due: datetime) -> Outgoing:
    values = {
        "title": stuck.title,
        "days": max(1, (due - moved_at(stuck)).days),
        "names": [p.display_name for p in owing(stuck)],
    }
    return Outgoing(
        purpose=Purpose.FIRST_CONTACT,
        to=person.person_id,
        words=Words(template="concern/standstill", values=values),
        concern_id=heartbeat.concern_id,
        buttons=(
            (
                Button(label=label("nudge"), data=f"{COMMAND}nudge {stuck.concern_id}"),
                Button(label=label("wait"), data=f"wait:{stuck.concern_id}"),
                Button(label=label("drop"), data=f"{COMMAND}drop {stuck.concern_id}"),
            ),
        ),
    )


def _was_asked_about(concern: Concern, moved: datetime) -> bool:
    return any(e.type == ASKED and e.ts > moved for e in concern.timeline)
