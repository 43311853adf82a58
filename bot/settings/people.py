"""People of a configuration or a scenario file, as the core knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from bot.settings.problems import hint
from bot.settings.schema import Language, PersonEntry
from core.errors import ConfigurationError
from core.ids import PersonId
from core.people import Identity, InteractionPolicy, Person, Role

CHANNELS = ("telegram", "feishu", "console")
ACCOUNTS = ("gitlab", "github", "email")
"""Where events come from that name people by an account."""
_KEYS = {
    "telegram": "telegram",
    "feishu": "feishu",
    "feishu_email": "feishu",
    "feishu_mobile": "feishu",
    "console": "console",
}


class FeishuContact(BaseModel):
    """How a person's open_id is found on Feishu when the file gives none; by the first of these that is known there."""

    model_config = ConfigDict(frozen=True)

    person_id: PersonId
    user_id: str | None = None
    """A union_id or user_id: messages reach it, but events do not name people by it."""
    email: str | None = None
    mobile: str | None = None


def person_of(entry: PersonEntry, keys: Iterable[str], *, language: Language, timezone: str, role: Role) -> Person:
    """The person of an entry; `keys` are its keys in the order of the file, `language` and `timezone` the defaults."""
    ids = {channel: getattr(entry, channel) for channel in CHANNELS}
    wanted = dict.fromkeys(_KEYS[key] for key in keys if key in _KEYS)
    return Person(
        person_id=PersonId(entry.id),
        name=entry.name,
        role=role,
        aliases=entry.aliases,
        pronoun=entry.pronoun,
        language=entry.language or language,
        timezone=entry.timezone or timezone,
        working_hours=entry.working_hours,
        working_days=entry.working_days,
        identities=tuple(Identity(channel=c, user_id=ids[c]) for c in wanted if ids[c]),
        interaction_policy=InteractionPolicy(preferred_channel=entry.preferred_channel, quiet_hours=entry.quiet_hours),
        escalation_to=PersonId(entry.escalation_to) if entry.escalation_to else None,
        accounts=tuple(f"{a}:{name.lower()}" for a in ACCOUNTS if (name := getattr(entry, a))),
    )


def people_of(
    entries: Sequence[tuple[PersonEntry, Mapping[str, Any]]], *, where: str, language: Language, timezone: str
) -> tuple[Person, ...]:
    """All people of a file, the owner first, checked against each other.

    Each entry comes with its raw table (for the order of its keys). Raises `ConfigurationError` naming `where`.
    """
    people = [person_of(e, raw, language=language, timezone=timezone, role=Role(e.role)) for e, raw in entries]
    _check_ids(people, where)
    for entry, person in zip((e for e, _ in entries), people, strict=True):
        _check_entry(entry, person, people, where)
    return tuple(sorted(people, key=lambda p: p.role is not Role.OWNER))


def feishu_contacts(entries: Iterable[PersonEntry]) -> tuple[FeishuContact, ...]:
    """Those who are to be looked up on Feishu by mail address, telephone or another id than an open_id."""
    return tuple(
        FeishuContact(person_id=PersonId(e.id), user_id=e.feishu, email=e.feishu_email, mobile=e.feishu_mobile)
        for e in entries
        if not (e.feishu or "").startswith("ou_") and (e.feishu or e.feishu_email or e.feishu_mobile)
    )


def _check_ids(people: Sequence[Person], where: str) -> None:
    seen: dict[str, str] = {}
    for person in people:
        marks = [
            f"id {person.person_id!r}",
            *(f"{i.channel} id {i.user_id!r}" for i in person.identities),
            *(f"account {account!r}" for account in person.accounts),
        ]
        for mark in marks:
            if mark in seen:
                raise ConfigurationError(
                    f"{where}: {seen[mark]} and {person.name} have the same {mark}; each needs their own."
                )
            seen[mark] = person.name
    owners = [p.name for p in people if p.role is Role.OWNER]
    if len(owners) > 1:
        raise ConfigurationError(f"{where}: {' and '.join(owners)} are both owner; there can be only one.")


def _check_entry(entry: PersonEntry, person: Person, people: Sequence[Person], where: str) -> None:
    known = [p.person_id for p in people]
    if entry.escalation_to and entry.escalation_to not in known:
        raise ConfigurationError(
            f"{where}: {person.name} has escalation_to = {entry.escalation_to!r}, but nobody has this id; "
            f"{hint(entry.escalation_to, known)}"
        )
    preferred = entry.preferred_channel
    reachable = {i.channel for i in person.identities} | ({"feishu"} if feishu_contacts([entry]) else set())
    if preferred and preferred not in reachable:
        raise ConfigurationError(
            f'{where}: {person.name} has preferred_channel = {preferred!r} but no id there; add {preferred} = "…".'
        )
