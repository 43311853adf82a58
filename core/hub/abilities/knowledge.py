"""Abilities that find something out: a person, what was said and what happened; and the invite of a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.action.meta_actions import (
    InvitePersonParameters,
    LookUpFactsParameters,
    LookUpPersonParameters,
)
from core.calendar import calendar_of
from core.effects import Words
from core.facts import Fact, FactKind
from core.hub import inviting
from core.hub.errand import DONE, Done, Scene, failed
from core.ids import PersonId
from core.patterns import lazy
from core.people import INSPECTORS, Person, Role
from core.ports import Repositories

MOST_FOUND = 8
"""Lines of what was found; who wants more asks for something narrower."""

LOOKED_THROUGH = 300
"""Where only what is older than a moment counts: so many of the newest are looked through."""

MOST_MATTERS = 5
LONGEST_LINE = 120
"""Characters of one message that are shown."""

CONCERNS_READ = 300
"""Of a member's own concerns, newest first, those whose dialogues are searched."""

_BETWEEN = lazy(r"[\s,，、;；]+")


# --- people -----------------------------------------------------------------------------------------------------------


def look_up_person(scene: Scene, wish: LookUpPersonParameters) -> Done:
    """Say what is known of somebody, and how they can be reached now."""
    person = _person(scene.people, wish.person)
    if person is None:
        return failed("chat/unknown_person", name=wish.person)
    scene.answer("chat/person_card", **person_card(scene.repos, person, scene.sender, scene.now))
    return DONE


def person_card(repos: Repositories, person: Person, reader: Person, now: datetime) -> dict[str, Any]:
    """The values of a person's card: who they are, where, when they work, whether now, and what is open with them."""
    calendar = calendar_of(person)
    local, here = now.astimezone(calendar.tz), now.astimezone(ZoneInfo(reader.timezone))
    back = person.back_after(now)
    works = back is None and calendar.is_open(now)
    matters = repos.concerns.open_by_delegate(person.person_id)
    standing = [(c, c.person(person.person_id)) for c in reversed(matters)]
    return {
        "name": person.name,
        "role": person.role.value,
        "aliases": list(person.aliases),
        "channels": list(person.channels()),
        "stopped": not person.interaction_policy.contact_allowed,
        "hours": person.working_hours,
        "days": person.working_days if isinstance(person.working_days, str) else list(person.working_days),
        "zone": person.timezone,
        "clock": f"{local:%H:%M}",
        "elsewhere": local.utcoffset() != here.utcoffset(),
        "day": (local.date() - here.date()).days,
        "at_work": works,
        "opens": None if works else calendar.next_opening(back or now).isoformat(),
        **_away(person, now),
        "matters": [
            {"title": concern.title, "status": entry.comm_status.value}
            for concern, entry in standing[:MOST_MATTERS]
            if entry is not None
        ],
        "more": max(0, len(standing) - MOST_MATTERS),
    }


def _away(person: Person, now: datetime) -> dict[str, Any]:
    until, since = person.away_until, person.away_from
    if until is None or until <= now:
        return {"away_until": None, "away_from": None}
    return {
        "away_until": until.isoformat(),
        "away_from": since.isoformat() if since is not None and since > now else None,
    }


def invite_person(scene: Scene, wish: InvitePersonParameters) -> Done:
    """Make a one-time invite for somebody, to hand on."""
    person = _person(scene.people, wish.person)
    if person is None:
        return failed("chat/unknown_person", name=wish.person)
    if not inviting.may_invite(scene.sender, person):
        return failed("chat/may_not_invite", name=person.name)
    made = inviting.invite(scene.repos, scene.services, person, scene.sender, scene.now)
    inviting.hand_over(scene, made.words, (made.code,), key=f"invited:{scene.key}")
    return DONE


def _person(people: Mapping[PersonId, Person], wanted: str) -> Person | None:
    person = people.get(PersonId(wanted))
    return person if person is not None and person.role is not Role.STRANGER else None


# --- facts ------------------------------------------------------------------------------------------------------------


def look_up_facts(scene: Scene, wish: LookUpFactsParameters) -> Done:
    """Say what was said and what happened, newest first. A member finds only what was said in their own matters."""
    person = _person(scene.people, wish.person) if wish.person else None
    if wish.person and person is None:
        return failed("chat/unknown_person", name=wish.person)
    words = tuple(word for word in _BETWEEN.split(wish.words) if word)
    since = _aware(wish.since, scene.sender) if wish.since else None
    until = _aware(wish.until, scene.sender) if wish.until else None
    search = _of_all if scene.sender.role in INSPECTORS else _of_own
    most = MOST_FOUND + 2 if until is None else LOOKED_THROUGH
    found = [line for line in search(scene, words, person, since, most) if until is None or _before(line, until)]
    lines = tuple(Words(template="chat/fact", values=line) for line in found[:MOST_FOUND])
    scene.answer(
        "chat/facts",
        lines=lines,
        count=len(lines),
        more=len(found) > MOST_FOUND,
        name=person.name if person else None,
        words=list(words),
    )
    return DONE


def _before(line: Mapping[str, Any], until: datetime) -> bool:
    return datetime.fromisoformat(line["when"]) < until


def _aware(at: datetime, sender: Person) -> datetime:
    """A moment without an offset is on the sender's clock."""
    return at if at.tzinfo else at.replace(tzinfo=ZoneInfo(sender.timezone))


def _of_all(
    scene: Scene, words: tuple[str, ...], person: Person | None, since: datetime | None, most: int
) -> Iterator[dict[str, Any]]:
    """All that came to the bot, but for what the sender said, unless it is asked for: they know that themselves.

    What the owner says to the bot is read by nobody else.
    """
    owner = scene.repos.people.owner()
    foreign = owner is not None and owner.person_id != scene.sender.person_id
    if foreign and person == owner:
        return
    besides = owner if foreign else scene.sender if person is None else None
    found = scene.repos.facts.search(words, most, of=person, besides=besides, since=since)
    for stored in found:
        fact = stored.fact
        if (fact.channel, fact.message_id) == (scene.errand.channel, scene.errand.message_id):
            continue
        if foreign and person is None and scene.repos.people.by_identity(fact.channel, fact.sender) == scene.sender:
            continue
        yield _line(fact.occurred_at, _speaker(scene.repos, scene.people, fact), fact.text)


def _speaker(repos: Repositories, people: Mapping[PersonId, Person], fact: Fact) -> str:
    if fact.kind is FactKind.EVENT:
        about = people.get(fact.person_id) if fact.person_id else None
        source = fact.sender_name or fact.channel
        return f"{source} · {about.name}" if about else source
    known = repos.people.by_identity(fact.channel, fact.sender)
    return known.name if known else fact.sender_name or fact.sender


def _of_own(
    scene: Scene, words: Iterable[str], person: Person | None, since: datetime | None, most: int
) -> Iterator[dict[str, Any]]:
    """What delegates said in matters that the sender started."""
    wanted = [word.casefold() for word in words]
    own = scene.repos.concerns.list(open_only=False, initiator=scene.sender.person_id, limit=CONCERNS_READ)
    heard = [
        entry
        for concern in own
        for entry in concern.conversation_log
        if entry.direction == "inbound"
        and not entry.withdrawn
        and (person is None or entry.person_id == person.person_id)
        and (since is None or entry.ts >= since)
        and (not wanted or any(word in entry.text.casefold() for word in wanted))
    ]
    # A reply that settled two matters stands in both.
    seen: set[tuple[str, str | None, str]] = set()
    for entry in sorted(heard, key=lambda entry: entry.ts, reverse=True):
        mark = (entry.channel, entry.message_id, entry.text)
        if mark not in seen:
            seen.add(mark)
            yield _line(entry.ts, entry.person_name, entry.text)


def _line(at: datetime, who: str, text: str) -> dict[str, Any]:
    line = " ".join(text.split())
    return {
        "when": at.isoformat(),
        "who": who,
        "text": line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…",
    }
