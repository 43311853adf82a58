"""People: the only home of what is known about a person. Concerns keep an id and a name, nothing more."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.ids import PersonId


class Role(StrEnum):
    """What a sender may do (RULES 1). Authority follows the sender, never the text."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    DELEGATE = "delegate"
    STRANGER = "stranger"


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
    """Brought in by an invite: an entry in the people file that does not name it leaves it as it is."""


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
    language: Literal["zh-CN", "en"] = "zh-CN"
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

    def __hash__(self) -> int:
        """By the id alone: people are looked up in caches with every message, and equal ones have equal ids."""
        return hash(self.person_id)

    def user_id_on(self, channel: str) -> str | None:
        """The person's user id on `channel`, or None."""
        return next((i.user_id for i in self.identities if i.channel == channel), None)

    def channels(self, last_used: str | None = None) -> tuple[str, ...]:
        """Channels in the order in which they are tried: preferred, last used, the rest as entered (RULES 4)."""
        wanted = [self.interaction_policy.preferred_channel, last_used, *(i.channel for i in self.identities)]
        have = {i.channel for i in self.identities}
        return tuple(dict.fromkeys(c for c in wanted if c is not None and c in have))


def owner_among(people: Iterable[Person]) -> Person | None:
    """The owner, if they are among these people."""
    return next((p for p in people if p.role is Role.OWNER), None)


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
    """A person's entry in the people file over what is known of them: what they brought themselves stays."""
    policy = entry.interaction_policy.model_copy(update={"contact_allowed": known.interaction_policy.contact_allowed})
    invited = tuple(i for i in known.identities if i.invited)
    there = {(i.channel, i.user_id) for i in invited}
    entered = tuple(i for i in entry.identities if (i.channel, i.user_id) not in there)
    kept = {"interaction_policy": policy, "identities": (*invited, *entered), "away_until": known.away_until}
    return entry.model_copy(update=kept)


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
