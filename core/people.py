"""People: the only home of what is known about a person. Concerns keep an id and a name, nothing more."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.facts import Event
from core.ids import PersonId


class Role(StrEnum):
    """What a sender may do (RULES 1). Authority follows the sender, never the text."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    DELEGATE = "delegate"
    STRANGER = "stranger"


Language = Literal["zh-CN", "en"]

GRANTED = (Role.MEMBER, Role.ADMIN, Role.DELEGATE)
"""What the owner may make of somebody: there is one owner, and a stranger is whom nobody knows."""

STARTERS = frozenset({Role.OWNER, Role.ADMIN, Role.MEMBER})
"""They may start matters of their own."""

INSPECTORS = frozenset({Role.OWNER, Role.ADMIN})
"""They may look into everybody's matters and steer them."""


class Identity(BaseModel):
    """Where a person can be met: a channel and the user id there."""

    model_config = ConfigDict(frozen=True)

    channel: str
    user_id: str
    invited: bool = False
    """Brought in by an invite, or found by an address: an entry in the people file that does not name it leaves it."""


class InteractionPolicy(BaseModel):
    """How a person wants to be written to."""

    model_config = ConfigDict(frozen=True)

    preferred_channel: str | None = None
    quiet_hours: str = "22:00-08:00"
    contact_allowed: bool = True
    """False after `/stop`: nothing is started towards this person any more."""


class Person(BaseModel):
    """A person. Hours are wall-clock in `timezone`; `working_days` is `china`, `daily` or weekday names (mon…sun)."""

    model_config = ConfigDict(frozen=True)

    person_id: PersonId
    name: str
    role: Role = Role.DELEGATE
    aliases: tuple[str, ...] = ()
    pronoun: str | None = None
    language: Language = "zh-CN"
    timezone: str = "Asia/Shanghai"
    working_hours: str = "09:00-18:00"
    working_days: Literal["china", "daily"] | tuple[str, ...] = "china"
    identities: tuple[Identity, ...] = ()
    interaction_policy: InteractionPolicy = InteractionPolicy()
    escalation_to: PersonId | None = None
    accounts: tuple[str, ...] = ()
    """What sources of events call them, nothing that can be written to: `gitlab:zhangsan`, `email:zs@example.com`."""
    away_until: datetime | None = None
    """They said that they are away until then; nothing but critical matters goes to them before."""
    away_from: datetime | None = None
    """Where they go only later: when. None: they are away already."""
    away_said: str | None = None
    """The message that said so, `channel:id`: taking it back takes back the absence."""
    granted: Role | None = None
    """The role that the owner gave them by word: the people file does not take it away."""
    speaks: Language | None = None
    """The language that they chose themselves: it stands against the people file."""
    quiet_until: datetime | None = None
    """They want no mid-course reports before."""

    def __hash__(self) -> int:
        """By the id alone: people are looked up in caches with every message, and equal ones have equal ids."""
        return hash(self.person_id)

    def user_id_on(self, channel: str) -> str | None:
        """The person's user id on `channel`, or None."""
        return next((i.user_id for i in self.identities if i.channel == channel), None)

    def back_after(self, at: datetime) -> datetime | None:
        """When they are back, if they are away at `at`; None when they are there."""
        until, since = self.away_until, self.away_from
        return until if until is not None and at < until and (since is None or since <= at) else None

    def channels(self, last_used: str | None = None) -> tuple[str, ...]:
        """Channels in the order in which they are tried: preferred, last used, the rest as entered (RULES 4)."""
        wanted = [self.interaction_policy.preferred_channel, last_used, *(i.channel for i in self.identities)]
        have = {i.channel for i in self.identities}
        return tuple(dict.fromkeys(c for c in wanted if c is not None and c in have))


def owner_among(people: Iterable[Person]) -> Person | None:
    """The owner, if they are among these people."""
    return next((p for p in people if p.role is Role.OWNER), None)


def holders_of(accounts: Iterable[str], people: Iterable[Person]) -> tuple[Person, ...]:
    """Those of `people` who have the first of these accounts that anybody has, whatever the case of its letters.

    One that several have is nobody's: no other account is looked at then.
    """
    everybody = [(p, {a.casefold() for a in p.accounts}) for p in people]
    found = (tuple(p for p, theirs in everybody if account.casefold() in theirs) for account in accounts)
    return next(filter(None, found), ())


def who_did(event: Event, people: Iterable[Person]) -> Person | None:
    """Who of `people` stands behind an event: whose account it names, else whose id, name or alias; one alone, or None.

    A likeness of names is no evidence: somebody whom two names fit is nobody.
    """
    everybody, actor = tuple(people), event.actor.casefold()
    found = holders_of(event.accounts, everybody) or tuple(
        p for p in everybody if actor and actor in map(str.casefold, (p.person_id, p.name, *p.aliases))
    )
    return found[0] if len(found) == 1 else None


class Invite(BaseModel):
    """A one-time way in for a person. Only a digest of its code is kept."""

    model_config = ConfigDict(frozen=True)

    digest: str
    person_id: PersonId
    created_by: PersonId
    created_at: datetime
    expires_at: datetime


class PersonSlice(BaseModel):
    """The part of a person that one purpose needs; what is not in it cannot leak."""

    model_config = ConfigDict(frozen=True)

    person_id: PersonId
    name: str
    aliases: tuple[str, ...] = ()
    pronoun: str | None = None
    language: str = "zh-CN"
    timezone: str = "Asia/Shanghai"
    working_hours: str = "09:00-18:00"
    role: Role = Role.DELEGATE


def updated(entry: Person, known: Person) -> Person:
    """A person's entry in the people file over what is known of them: what they brought themselves stays, and so does
    the role that the owner gave them, but for the owner's own, which the file alone gives.
    """
    policy = entry.interaction_policy.model_copy(update={"contact_allowed": known.interaction_policy.contact_allowed})
    invited = tuple(i for i in known.identities if i.invited)
    there = {(i.channel, i.user_id) for i in invited}
    entered = tuple(i for i in entry.identities if (i.channel, i.user_id) not in there)
    # What they connected behind the chats of the file stays behind them.
    first = next((n for n, i in enumerate(known.identities) if not i.invited), len(known.identities))
    ahead, behind = (
        tuple(i for i in part if i.invited) for part in (known.identities[:first], known.identities[first:])
    )
    own = {name: getattr(known, name) for name in ("away_until", "away_from", "away_said", "speaks", "quiet_until")}
    if entry.role is not Role.OWNER and known.granted is not None:
        own.update(role=known.granted, granted=known.granted)
    own["language"] = known.speaks or entry.language
    return entry.model_copy(update={"interaction_policy": policy, "identities": (*ahead, *entered, *behind), **own})


def resolve_person_context(person_id: PersonId, people: dict[PersonId, Person]) -> Person | None:
    """The whole of what is known about a person, or None."""
    return people.get(person_id)


def build_person_context_slice(person: Person, purpose: Literal["concern", "directory", "delegate"]) -> PersonSlice:
    """What `purpose` needs: `concern` the agent loop, `directory` finding names, `delegate` their own turn."""
    if purpose == "directory":
        return PersonSlice(person_id=person.person_id, name=person.name, aliases=person.aliases, role=person.role)
    return PersonSlice(
        person_id=person.person_id,
        name=person.name,
        aliases=person.aliases if purpose == "concern" else (),
        pronoun=person.pronoun,
        language=person.language,
        timezone=person.timezone,
        working_hours=person.working_hours,
        role=person.role,
    )
