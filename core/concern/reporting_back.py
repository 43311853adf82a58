"""The report back (回流): who gets it by type, and its four lines (RULES 5)."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

from core.concern.decision import Setting
from core.concern.model import (
    Attitude,
    CommStatus,
    Concern,
    ConcernPerson,
    ConcernType,
    Evidence,
    Priority,
    Status,
)
from core.effects import Outgoing, Purpose, Words
from core.ids import PersonId
from core.people import Person, owner_among
from core.timetalk import said_with_date, seen_from

LONGEST_WORDS = 300
"""Characters of a delegate's words that are handed on; the whole stays in the conversation log."""


def recipient(concern: Concern, setting: Setting) -> Person | None:
    """Who is reported back to, by type; None is nobody."""
    if concern.type is ConcernType.SCHEDULE:
        return None
    if concern.type is ConcernType.HEARTBEAT:
        loud = concern.priority in (Priority.HIGH, Priority.CRITICAL)
        return owner_among(setting.people.values()) if loud else None
    wanted = (concern.delegation.report_to if concern.delegation else None) or concern.initiator_id
    return setting.people.get(wanted) if wanted is not None else None


def report_back(concern: Concern, setting: Setting, *, background: str | None = None) -> Outgoing | None:
    """The message that closes the matter for its initiator; None where the type is reported to nobody."""
    person = recipient(concern, setting)
    if person is None or (concern.relay is not None and concern.initiator_id is None):
        return None  # that the bot's own words were passed on is no news to anybody
    if concern.relay is not None:
        told = [p.display_name for p in concern.delegates if p.comm_status is CommStatus.DONE]
        words = Words(template="concern/relayed", values={"names": told, "relay": concern.relay})
        return _closing(concern, person, words)
    ended = concern.closed_at or setting.now
    values: dict[str, Any] = {
        "title": concern.title,
        "outcome": one_line(concern.outcome or ""),
        "answers": answers(concern),
        "events": events(concern),
        "seconds": (ended - concern.created_at).total_seconds(),
        "background": background,
    }
    return _closing(concern, person, Words(template="concern/report_back", values=values))


def _closing(concern: Concern, person: Person, words: Words) -> Outgoing:
    return Outgoing(
        purpose=Purpose.REPORT_BACK, to=person.person_id, words=words, concern_id=concern.concern_id, answers=True
    )


def answers(concern: Concern) -> list[dict[str, str]]:
    """What each delegate said to the matter, in their own words with dates: `name` and `words`, in the people's order.

    Of one who was replaced nothing is told, nor of words that were no answer once the matter is resolved.
    """
    said = []
    for person in concern.delegates:
        words = core_words(concern, person.person_id)
        if words and _counts(concern, person):
            said.append({"name": person.display_name, "words": words})
    return said


def events(concern: Concern) -> list[dict[str, str]]:
    """What happened outside and showed the matter, or a part of it, to be done: as the source told it, oldest first."""
    return [event_values(e) for e in concern.evidence if e.met]


def event_values(shown: Evidence) -> dict[str, str]:
    """An event for the templates: `source`, `kind`, `action`, `subject` as the source has them, `at` ISO 8601."""
    event = shown.event
    said = {"source": event.source, "kind": event.kind, "action": event.action, "subject": own_words(event.subject)}
    return {**said, "at": shown.at.isoformat()}


def is_shown(concern: Concern, person_id: PersonId) -> bool:
    """Whether an event showed this person's part to be done, and they gave no answer themselves."""
    by_event = any(e.met and e.about == person_id for e in concern.evidence)
    return by_event and concern.state_of(person_id).attitude not in (Attitude.ANSWERED, Attitude.COMMITMENT)


def _counts(concern: Concern, person: ConcernPerson) -> bool:
    if person.comm_status is CommStatus.DONE:
        return not is_shown(concern, person.person_id)
    attitude = concern.state_of(person.person_id).attitude
    if person.comm_status is CommStatus.NOT_NEEDED or attitude is Attitude.UNRELATED:
        return False
    return concern.status is not Status.RESOLVED or attitude in (Attitude.ANSWERED, Attitude.COMMITMENT)


def of_all(concern: Concern, conclusion: str | None) -> str | None:
    """The conclusion, unless it names one of several who answered: that is one voice, not the outcome (then None)."""
    names = [p.display_name for p in concern.delegates if p.comm_status is CommStatus.DONE]
    named = [n for n in names if conclusion and n in conclusion]
    return conclusion if len(names) < 2 or len(named) in (0, len(names)) else None


def core_words(concern: Concern, person_id: PersonId) -> str:
    """The core of what a delegate said; empty where they said nothing."""
    known = concern.state_of(person_id).key_information
    if known:
        return known
    for entry in reversed(concern.dialogue_with(person_id)):
        if entry.direction == "inbound":
            return own_words(entry.text)
    return ""


def dated(words: str, concern: Concern, person_id: PersonId, setting: Setting) -> str:
    """Their words with the absolute date behind a relative day, reckoned from the day on which they said it.

    What was known of them before is dated already and stays as it is.
    """
    known = concern.state_of(person_id).key_information
    if known and known in words:
        before, _, after = words.partition(known)
        parts = [dated(p, concern, person_id, setting) if p.strip("；;，, ") else p for p in (before, after)]
        return own_words(known.join(parts))
    heard = [e.ts for e in concern.dialogue_with(person_id) if e.direction == "inbound"]
    person = setting.people.get(person_id)
    said_at = heard[-1] if heard else setting.now
    if person is not None:
        said_at = said_at.astimezone(ZoneInfo(person.timezone))
    seen_at = seen_from(words, concern.title, concern.created_at.astimezone(said_at.tzinfo), said_at)
    return said_with_date(own_words(words), seen_at)


def own_words(text: str) -> str:
    """One line, of a length that fits a report."""
    words = one_line(text)
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"


def one_line(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def part_in_words(concern: Concern, person_id: PersonId, key_information: str) -> str:
    """The part of a brain's `key_information` that is this person's, without their name in front of it.

    A brain may answer "李四：周四；张三：周五": each gets their own piece; without names it is all theirs.
    """
    names = {p.person_id: p.display_name for p in concern.delegates}
    pieces = [p for p in re.split(r"[；;\n]", key_information) if p.strip()]
    owners = [
        next((pid for pid, n in names.items() if re.match(rf"\s*{re.escape(n)}\s*[：:]", p)), None) for p in pieces
    ]
    if person_id in owners:
        taken, current = [], None
        for piece, owner in zip(pieces, owners, strict=True):
            current = owner or current
            if current == person_id:
                taken.append(piece.strip())
        key_information = "；".join(taken)
    name = re.escape(names.get(person_id, ""))
    return re.sub(rf"^\s*{name}\s*(?:[：:]|说[：:，,]?)?\s*", "", key_information) if name else key_information


__all__ = ["answers", "core_words", "dated", "own_words", "part_in_words", "recipient", "report_back"]
