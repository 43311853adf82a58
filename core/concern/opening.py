"""Raising a concern and writing to its delegates for the first time (RULES 1, 3, 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from core.concern.changes import name_of, noted
from core.concern.closing import drop
from core.concern.decision import Decision, Setting, record
from core.concern.followup import hours, opening
from core.concern.model import (
    DELEGATE,
    INITIATOR,
    CommStatus,
    Concern,
    ConcernPerson,
    ConcernType,
    DelegateState,
    Delegation,
    Priority,
    Relay,
    Source,
    SourceInitiator,
    Status,
)
from core.concern.notices import Reports
from core.concern.planning import is_paused, plan
from core.concern.points import label
from core.effects import Advance, Button, Effect, Hasten, Outgoing, Purpose, Send, Words
from core.facts import Trigger
from core.ids import ConcernId, ConversationId, PersonId
from core.people import Person, owner_among
from core.timetalk import said_with_date

TOLD_WITHIN = timedelta(seconds=5)
"""A relay is mostly over before this: then "they have been told" is all that needs to be said."""


@dataclass(frozen=True)
class Proposal:
    """What the hub decided to raise. `words` are the initiator's own; `initiator` None is the bot's own tick."""

    concern_id: ConcernId
    type: ConcernType
    title: str
    goal: str
    words: str
    initiator: Person | None
    channel: str
    channel_user_id: str
    conversation: ConversationId | None
    origin_message_id: str | None
    delegates: tuple[Person, ...]
    priority: Priority = Priority.MEDIUM
    deadline: datetime | None = None
    simple_mode: bool = False
    relay: Relay | None = None
    schedule_id: ConcernId | None = None
    """A run that was acknowledged when it was planned: only what stands in its way is said."""
    run: datetime | None = None
    """Which run of the schedule, by the moment for which it was meant."""
    cause: str | None = None
    """`f12`: the fact whose judgement raises it."""


def first_key(concern: Concern, person_id: PersonId) -> str:
    """The key of a first contact: `first:{concern_id}:{person_id}`, with the revision once it was rewritten."""
    key = f"first:{concern.concern_id}:{person_id}"
    return f"{key}:{concern.revision}" if concern.revision else key


def open_concern(proposal: Proposal, setting: Setting) -> Decision:
    """A pending concern, its acknowledgement, and the loop called for the first time.

    Delegates who cannot or may not be written to are told of at once; with nobody left the concern is dropped.
    """
    concern = _raised(proposal, setting)
    raised = record(concern, "raised", "", setting)
    reachable = [p for p in concern.delegates if p.comm_status is CommStatus.TO_CONTACT]
    effects: list[Effect] = []
    if proposal.initiator is not None and proposal.conversation is not None:
        ack = acknowledgement(concern, setting, proposal.conversation, simple=proposal.simple_mode)
        if proposal.schedule_id is None:
            soon = concern.relay is not None and not ack.buttons and len(reachable) == len(concern.delegates)
            due = setting.now + TOLD_WITHIN if soon else setting.now
            effects.append(Send(key=f"ack:{concern.concern_id}", due=due, message=ack))
        elif len(reachable) < len(concern.delegates):
            named = Words(template="concern/schedule_run", values={"title": concern.title}, lines=(ack.words,))
            ack = ack.model_copy(update={"words": named})
            effects.append(Send(key=f"ack:{concern.concern_id}", due=setting.now, message=ack))
    if not reachable:
        gone = drop(concern, "联系不上任何人", setting)
        # The acknowledgement says it already.
        quiet = gone.concern.model_copy(update={"reports": Reports(last_at=setting.now)})
        return Decision(quiet, tuple(effects), (raised, *gone.recent))
    effects.append(
        Advance(
            key=f"created:{concern.concern_id}",
            due=setting.now,
            concern_id=concern.concern_id,
            trigger=Trigger.CREATED,
        )
    )
    return Decision(plan(concern, setting), tuple(effects), (raised,))


def run_of(proposal: Proposal) -> dict[str, str] | None:
    """What a matter keeps of the run of a schedule that raised it."""
    if proposal.schedule_id is None:
        return None
    return {"schedule_id": proposal.schedule_id, "run": proposal.run.isoformat() if proposal.run else ""}


def _raised(proposal: Proposal, setting: Setting) -> Concern:
    initiator = proposal.initiator
    people = [new_delegate(d) for d in proposal.delegates if initiator is None or d.person_id != initiator.person_id]
    if initiator is not None:
        people.insert(
            0, ConcernPerson(person_id=initiator.person_id, display_name=initiator.name, role_in_concern=INITIATOR)
        )
    concern = Concern(
        concern_id=proposal.concern_id,
        type=proposal.type,
        status=Status.PENDING,
        priority=proposal.priority,
        title=proposal.title,
        goal=proposal.goal,
        source=Source(
            type=proposal.type,
            detail=proposal.words,
            initiator=SourceInitiator(
                name=initiator.name,
                channel=proposal.channel,
                channel_user_id=proposal.channel_user_id,
                person_id=initiator.person_id,
            )
            if initiator
            else None,
        ),
        people=tuple(people),
        delegation=Delegation(
            reply_deadline=proposal.deadline,
            report_to=initiator.person_id if initiator else None,
            delegates={d.person_id: DelegateState() for d in people if d.role_in_concern == DELEGATE},
        ),
        created_at=setting.now,
        deadline=proposal.deadline,
        # The acknowledgement counts as the first report.
        reports=Reports(last_at=setting.now if initiator else None),
        origin_message_id=proposal.origin_message_id,
        origin_conversation=proposal.conversation,
        relay=proposal.relay,
        trigger=run_of(proposal),
        cause=proposal.cause,
    )
    return noted(concern, setting.now, "discovered", f"立项：{proposal.title}")


def new_delegate(person: Person) -> ConcernPerson:
    """A delegate's entry; whether they can and may be contacted shows in its comm_status."""
    status = CommStatus.TO_CONTACT
    if not person.interaction_policy.contact_allowed:
        status = CommStatus.DECLINED
    elif not person.identities:
        status = CommStatus.UNREACHABLE
    return ConcernPerson(
        person_id=person.person_id, display_name=person.name, role_in_concern=DELEGATE, comm_status=status
    )


def acknowledgement(
    concern: Concern,
    setting: Setting,
    conversation: ConversationId | None,
    *,
    simple: bool = False,
    template: str = "concern/created",
) -> Outgoing:
    """Who will be contacted, who only later and when, who not at all; with a button to do it now."""
    by_status = {status: [p for p in concern.delegates if p.comm_status is status] for status in CommStatus}
    later = _later(concern, by_status[CommStatus.TO_CONTACT], setting)
    waiting = {name for group in later for name in group["names"]}
    values = {
        "title": concern.title,
        "relay": concern.relay,
        "names": [p.display_name for p in by_status[CommStatus.TO_CONTACT] if p.display_name not in waiting],
        "later": later,
        "unreachable": [p.display_name for p in by_status[CommStatus.UNREACHABLE]],
        "declined": [p.display_name for p in by_status[CommStatus.DECLINED]],
        "deadline": concern.deadline.isoformat() if concern.deadline else None,
        "simple": simple,
    }
    now_button = Button(label=label("now"), data=f"now:{concern.concern_id}")
    swap_button = Button(label=label("swap"), data=f"away:{concern.concern_id}:swap")
    row = (now_button, swap_button) if any(group["away"] for group in later) else (now_button,)
    return Outgoing(
        purpose=Purpose.REPLY,
        to=concern.initiator_id,
        conversation=conversation,
        words=Words(template=template, values=values),
        concern_id=concern.concern_id,
        buttons=(row,) if later else (),
        answers=True,
    )


def _later(concern: Concern, people: Iterable[ConcernPerson], setting: Setting) -> list[dict[str, Any]]:
    """Names of those whose sending hours are closed or who are away, by the moment at which they are written to."""
    groups: dict[tuple[datetime, bool], list[str]] = {}
    for entry in people:
        person = setting.people.get(entry.person_id)
        at = opening(concern, person, setting.now, setting)
        if person is not None and at > setting.now and not concern.any_hour:
            away = at > hours(concern, person, setting.now, setting)
            groups.setdefault((at, away), []).append(entry.display_name)
    return [{"names": names, "when": at.isoformat(), "away": away} for (at, away), names in sorted(groups.items())]


def first_contact(concern: Concern, texts: Mapping[PersonId, str], simple: bool, setting: Setting) -> Decision:
    """Write to everybody who is still to be contacted and has a text, each in their own sending hours."""
    if not concern.status.is_open or is_paused(concern, setting.now):
        return Decision(plan(concern, setting))
    effects: list[Effect] = []
    for person in concern.delegates:
        text = texts.get(person.person_id, "").strip()
        if person.comm_status is not CommStatus.TO_CONTACT or not text:
            continue
        due = setting.now
        if not concern.any_hour:
            due = opening(concern, setting.people.get(person.person_id), setting.now, setting)
        message = Outgoing(
            purpose=Purpose.FIRST_CONTACT,
            to=person.person_id,
            words=_introduction(concern, _with_day(text, concern, person.person_id, due, setting), simple, setting),
            concern_id=concern.concern_id,
            revision=concern.revision,
        )
        effects.append(Send(key=first_key(concern, person.person_id), due=due, message=message))
    return Decision(plan(concern, setting), tuple(effects))


def _with_day(text: str, concern: Concern, to: PersonId, due: datetime, setting: Setting) -> str:
    """The words with the date behind a relative day ("tomorrow"), where they are read on another day than they were
    said on. Words that were said on several days stay as they are.
    """
    reader = setting.people.get(to)
    initiator = setting.people.get(concern.initiator_id) if concern.initiator_id else None
    if reader is None or initiator is None:
        return text
    zone = ZoneInfo(initiator.timezone)
    said_at = concern.created_at.astimezone(zone)
    days = {said_at.date(), *(e.ts.astimezone(zone).date() for e in concern.timeline if e.type == "amended")}
    if len(days) > 1 or due.astimezone(ZoneInfo(reader.timezone)).date() in days:
        return text
    return said_with_date(text, said_at)


def _introduction(concern: Concern, text: str, simple: bool, setting: Setting) -> Words:
    initiator = setting.people.get(concern.initiator_id) if concern.initiator_id else None
    owner = owner_among(setting.people.values())
    wanted_by = initiator or owner
    values = {
        "initiator": wanted_by.name if wanted_by else name_of(concern, concern.initiator_id),
        "title": concern.title,
        "persona": setting.persona,
        "text": text,
        "simple": simple,
    }
    if concern.relay is not None:
        values["relay"] = concern.relay
        return Words(template="concern/relay", values=values)
    return Words(template="concern/first_contact", values=values)


def send_now(concern: Concern, setting: Setting) -> Decision:
    """The initiator wants the first contacts out now: those that wait for their hours leave at once."""
    if not concern.status.is_open:
        return Decision(concern)
    concern = noted(concern.model_copy(update={"any_hour": True}), setting.now, "send_now", "发起人要求现在就发")
    effects = tuple(
        Hasten(key=first_key(concern, p.person_id), due=setting.now)
        for p in concern.delegates
        if p.comm_status is CommStatus.TO_CONTACT
    )
    return Decision(plan(concern, setting), effects)
