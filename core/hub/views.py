"""Views for the brain's questions, made from aggregates for one question and one reader.

The wall between delegates stands here: `assess_view` and `compose_view` take one delegate's own dialogue and what the
initiator said; of the other delegates only where they stand, never a word of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from core.brain.questions import (
    Assess,
    Compose,
    ConcernBrief,
    DelegateStanding,
    Line,
    PartBrief,
    PersonBrief,
    WaitingPoint,
)
from core.brain.rules.words.text import is_named
from core.concern.model import Concern, ConcernType, LogEntry
from core.context.model import ReplyCandidate
from core.facts import Event, Trigger
from core.ids import PersonId
from core.people import Person, Role, owner_among

Occasion = Literal["first_contact", "follow_up", "ask_back", "decision", "correction", "deadline_check"]


@lru_cache(maxsize=10_000)
def person_brief(person: Person) -> PersonBrief:
    """A directory entry; nothing to check, for a person's fields were."""
    return PersonBrief.model_construct(
        person_id=person.person_id,
        name=person.name,
        aliases=person.aliases,
        pronoun=person.pronoun,
        reachable=bool(person.identities) and person.interaction_policy.contact_allowed,
    )


def contacts(people: Mapping[PersonId, Person], sender: PersonId) -> tuple[PersonBrief, ...]:
    """Everybody but the sender; strangers are in no directory."""
    return tuple(person_brief(p) for p in people.values() if p.person_id != sender and p.role is not Role.STRANGER)


def initiator_brief(concern: Concern) -> ConcernBrief:
    """An open concern as its initiator sees it."""
    return ConcernBrief(
        concern_id=concern.concern_id,
        kind="schedule" if concern.type is ConcernType.SCHEDULE else "delegation",
        title=concern.title,
        goal=concern.goal,
        status=concern.status,
        priority=concern.priority,
        people=tuple(PersonBrief(person_id=p.person_id, name=p.display_name) for p in concern.delegates),
        standing=concern.summary or (concern.next_action.what if concern.next_action else ""),
        next_at=concern.next_action.when if concern.next_action else None,
        when=(concern.trigger or {}).get("when"),
        deadline=concern.deadline,
    )


def with_parts(brief: ConcernBrief, concern: Concern, people: Mapping[PersonId, Person]) -> ConcernBrief:
    """The brief with how it stands with each delegate and what they said: for the initiator, the owner and admins."""
    parts = tuple(
        PartBrief(
            name=p.display_name,
            pronoun=people[p.person_id].pronoun if p.person_id in people else None,
            owes=p.comm_status.is_owing,
            words=_lines((e for e in concern.dialogue_with(p.person_id) if e.direction == "inbound"), ""),
        )
        for p in concern.delegates
    )
    return brief.model_copy(update={"parts": parts})


def reply_candidate(concern: Concern, delegate: PersonId) -> ReplyCandidate:
    """An open concern as all that one of its delegates may know of it."""
    brief = delegate_brief(concern, delegate)
    return ReplyCandidate(
        concern_id=brief.concern_id,
        title=brief.title,
        goal=brief.goal,
        initiator=_initiator_name(concern),
        initiator_words=initiator_words(concern),
        asked=brief.asked,
    )


def delegate_brief(concern: Concern, delegate: PersonId) -> ConcernBrief:
    """An open concern as one of its delegates knows it: what they were asked, nothing of the others."""
    asked = [e.text for e in concern.dialogue_with(delegate) if e.direction == "outbound"]
    return event_brief(concern).model_copy(update={"asked": asked[-1] if asked else ""})


def event_brief(concern: Concern) -> ConcernBrief:
    """An open concern as an event is held against it: what is wanted, and nothing of what anybody said."""
    return ConcernBrief(
        concern_id=concern.concern_id,
        title=concern.title,
        goal=concern.goal,
        status=concern.status,
        priority=concern.priority,
    )


def waiting_points(concerns: Iterable[Concern]) -> tuple[WaitingPoint, ...]:
    """The decisions that wait among these concerns, the one asked last in front."""
    waiting = sorted((c for c in concerns if c.decision), key=lambda c: c.decision.asked_at, reverse=True)  # type: ignore[union-attr]
    return tuple(
        WaitingPoint(concern_id=c.concern_id, title=c.title, question=c.decision.question)
        for c in waiting
        if c.decision is not None
    )


def _lines(entries: Iterable[LogEntry], bot: str) -> tuple[Line, ...]:
    return tuple(
        Line(
            who=bot if e.direction == "outbound" else e.person_name,
            text=e.text,
            at=e.ts,
            ours=e.direction == "outbound",
        )
        for e in entries
    )


def initiator_words(concern: Concern) -> tuple[str, ...]:
    """What the initiator said about it: the request, amendments, decisions, oldest first."""
    return tuple(line for line in concern.source.detail.split("\n") if line.strip())


def _initiator_name(concern: Concern) -> str:
    return concern.source.initiator.name if concern.source.initiator else ""


def _waits(concern: Concern, about: PersonId, people: Mapping[PersonId, Person]) -> Person | None:
    """Whose question it is: the initiator's, or the owner's where the bot asks by itself; None for one's own."""
    if concern.initiator_id is not None:
        return people.get(concern.initiator_id)
    owner = owner_among(people.values())
    return owner if owner is not None and owner.person_id != about else None


def assess_view(
    concern: Concern,
    about: PersonId,
    trigger: Trigger,
    people: Mapping[PersonId, Person],
    now: datetime,
    *,
    persona: str,
    decided: str | None = None,
    decision_question: str | None = None,
    evidence: tuple[Event, ...] = (),
) -> Assess:
    """The question of the agent loop for the turn of `about`."""
    state = concern.state_of(about)
    dialogue = concern.dialogue_with(about)
    inbound = [e.text for e in dialogue if e.direction == "inbound"]
    # What they said meanwhile has a turn of its own.
    new = tuple(inbound[state.assessed_inbound :]) if trigger is not Trigger.EVIDENCE else ()
    person = people.get(about)
    initiator = _waits(concern, about, people)
    return Assess(
        trigger=trigger,
        now=_on_clock_of(person, now),
        title=concern.title,
        goal=concern.goal,
        priority=concern.priority,
        initiator=_initiator_name(concern) or (initiator.name if initiator else ""),
        initiator_words=initiator_words(concern),
        about=about,
        standings=(_standing(concern, about, people),),
        others_open=any(p.comm_status.is_owing for p in concern.delegates if p.person_id != about),
        dialogue=_lines(dialogue, persona),
        new=new,
        known=state.key_information,
        decided=decided,
        decision_question=decision_question,
        evidence=evidence,
        deadline=concern.deadline,
        end_of_work=_end_of_work(person),
        language=person.language if person else "zh-CN",
        initiator_language=initiator.language if initiator else "zh-CN",
        known_names=_named_in(new, people, about),
    )


def _named_in(texts: tuple[str, ...], people: Mapping[PersonId, Person], about: PersonId) -> tuple[str, ...]:
    """The names of others that they said: not what else these are called."""
    said = "\n".join(texts)
    known = (name for p in people.values() if p.person_id != about for name in (p.name, *p.aliases))
    return tuple(dict.fromkeys(name for name in known if is_named(name, said)))


def _on_clock_of(person: Person | None, now: datetime) -> datetime:
    """The present where they are: what they say of times is meant there."""
    return now.astimezone(ZoneInfo(person.timezone)) if person is not None else now


def _end_of_work(person: Person | None) -> str:
    return person.working_hours.partition("-")[2] if person else "18:00"


def _standing(concern: Concern, person_id: PersonId, people: Mapping[PersonId, Person]) -> DelegateStanding:
    entry, state, person = concern.person(person_id), concern.state_of(person_id), people.get(person_id)
    return DelegateStanding(
        person_id=person_id,
        name=entry.display_name if entry else person_id,
        pronoun=person.pronoun if person else None,
        comm_status=entry.comm_status if entry else "to_contact",
        attitude=state.attitude,
        follow_ups=state.follow_ups,
    )


def compose_view(
    concern: Concern,
    to: PersonId,
    occasion: Occasion,
    people: Mapping[PersonId, Person],
    now: datetime,
    *,
    persona: str,
    decided: str | None = None,
) -> Compose:
    """The question for the words of one message to one delegate."""
    entry, state, person = concern.person(to), concern.state_of(to), people.get(to)
    return Compose(
        occasion=occasion,
        language=person.language if person else "zh-CN",
        now=_on_clock_of(person, now),
        to=entry.display_name if entry else to,
        initiator=_initiator_name(concern),
        title=concern.title,
        goal=concern.goal,
        initiator_words=initiator_words(concern),
        dialogue=_lines(concern.dialogue_with(to), persona),
        decided=decided,
        number=state.follow_ups + 1,
        softer=state.doubled,
        deadline=concern.deadline,
    )


__all__ = [
    "assess_view",
    "compose_view",
    "contacts",
    "delegate_brief",
    "initiator_brief",
    "initiator_words",
    "person_brief",
    "reply_candidate",
    "waiting_points",
    "with_parts",
]
