"""A promise whose day has gone by with nothing to show for it: whoever made it is asked, kindly (RULES 2). Pure.

The concern is of type `heartbeat`, without an initiator: nobody ordered it. Its `trigger` holds `watch_id`, `promise`
(the words) and `due`. Of a promise that was nobody's but the speaker's own, only they hear.
"""

from __future__ import annotations

from core.agenda.model import WatchItem
from core.brain.rules.words.text import is_english
from core.concern import opening
from core.concern.changes import with_state
from core.concern.decision import Decision, Setting
from core.concern.followup import opening as first_hour
from core.concern.lifting import asking, unordered
from core.concern.model import Concern, ConcernType, Priority
from core.effects import Outgoing, Purpose, Words
from core.ids import ConcernId
from core.people import Person


def is_promise(concern: Concern) -> bool:
    """Whether it asks after a promise."""
    return concern.type is ConcernType.HEARTBEAT and "watch_id" in (concern.trigger or {})


UNRAISED = ConcernId("con_00000000_000")
"""Stands for the id of one that is only thought of."""


def ask(
    item: WatchItem, person: Person, waits: Person | None, concern_id: ConcernId, setting: Setting, cause: str
) -> Decision:
    """Ask `person` what became of it. `waits` is who should know; the same person where they promised it themselves."""
    own = waits is None or waits.person_id == person.person_id
    proposal = unordered(
        person,
        concern_id,
        cause,
        title=item.what,
        goal=_goal(item, person),
        words=item.words,
        priority=_priority(item, own=own),
    )
    promised_for = (item.promised or item.expires_at).isoformat()
    trigger = {"watch_id": item.watch_id, "promise": item.words, "due": promised_for}
    raised = opening.open_concern(proposal, setting).concern.model_copy(update={"trigger": trigger})
    concern = with_state(raised, person.person_id, once=own)
    message = _question(concern, person, None if own else waits, setting)
    due = first_hour(concern, person, setting.now, setting)
    return asking(concern, person, message, due, setting, why=_said(item, person, own=own), owner=item.owner)


def _priority(item: WatchItem, *, own: bool) -> Priority:
    """What somebody owes nobody but themselves is recalled gently, and nobody else hears of it."""
    if own:
        return Priority.LOW
    return Priority.HIGH if item.urgent else Priority.MEDIUM


def _said(item: WatchItem, person: Person, *, own: bool) -> str:
    """The words of the promise, and whose they are where they are not the reader's own."""
    if own:
        return item.words
    return f"{person.name}: {item.words}" if is_english(item.words) else f"{person.name}：{item.words}"


def _goal(item: WatchItem, person: Person) -> str:
    """The frame in which the rules put a deed, in the language of the promise."""
    return f"Done by {person.name}: {item.what}" if is_english(item.what) else f"{person.name}办好：{item.what}"


def _question(concern: Concern, person: Person, waits: Person | None, setting: Setting) -> Outgoing:
    values = {
        "persona": setting.persona,
        "initiator": waits.name if waits is not None else None,
        "title": concern.title,
        "due": (concern.trigger or {})["due"],
    }
    return Outgoing(
        purpose=Purpose.FIRST_CONTACT,
        to=person.person_id,
        words=Words(template="concern/promise", values=values),
        concern_id=concern.concern_id,
    )
