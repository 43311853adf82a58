"""Finds the concern or the person that a command names. What the caller may not see does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from bot.commands.request import CommandRepositories
from core.concern.model import Concern
from core.hub.services import owner_day
from core.ids import ConcernId, PersonId, concern_id
from core.people import Person

MOST_OFFERED = 8
"""Concerns that are offered when a word fits several; how many more there are is said."""

MOST_READ = 50
"""Concerns, newest first, among which a word is looked for."""

_TAIL = re.compile(r"(?:con_)?(?:(?P<day>\d{8})_)?(?P<number>\d{1,6})", re.ASCII | re.IGNORECASE)


def find_concerns(
    repos: CommandRepositories, wanted: str, now: datetime, viewer: PersonId | None = None
) -> tuple[Concern, ...]:
    """The concerns that `wanted` may mean, newest first; one, if it is clear.

    `wanted` is a full id, the number at its end (of today, in the owner's zone, else of the open ones), or a part of
    the title, where open ones go before closed ones. `viewer` sees only what they started; None sees everything.
    """
    tail = _TAIL.fullmatch(wanted)
    if tail is not None:
        day, number = tail["day"] or owner_day(now, repos.people.owner()), int(tail["number"])
        exact = repos.concerns.get(concern_id(day, number))
        if exact is not None and may_see(exact, viewer):
            return (exact,)
        if tail["day"] is None and (older := _numbered(repos, number, viewer)):
            return older
    exact = repos.concerns.get(ConcernId(wanted))
    if exact is not None:
        return (exact,) if may_see(exact, viewer) else ()
    if not wanted:
        return ()
    for open_only in (True, False):
        near = repos.concerns.list(open_only=open_only, initiator=viewer, text=wanted, limit=MOST_READ)
        found = [c for c in near if wanted.casefold() in c.title.casefold()]  # the filter looks into ids as well
        if found:
            return tuple([c for c in found if c.title == wanted] or found)
    return ()


def may_see(concern: Concern, viewer: PersonId | None) -> bool:
    """Whether it exists for this viewer."""
    return viewer is None or concern.initiator_id == viewer


def _numbered(repos: CommandRepositories, number: int, viewer: PersonId | None) -> tuple[Concern, ...]:
    ending = f"_{number:03d}"
    found = repos.concerns.list(open_only=True, initiator=viewer, text=ending, limit=MOST_READ)
    return tuple(c for c in found if c.concern_id.endswith(ending))


def handle_of(concern: Concern, day: str) -> str:
    """The shortest name that a command takes for it on this day (YYYYMMDD): `001`, or `20260315_001` later on."""
    return concern.concern_id.removeprefix("con_").removeprefix(f"{day}_")


def find_person(people: Iterable[Person], wanted: str) -> Person | None:
    """By id, name or alias, whatever the case; None where nobody, or more than one, is called so."""
    word = wanted.casefold()
    found = [p for p in people if word in (name.casefold() for name in (p.person_id, p.name, *p.aliases))]
    return found[0] if len(found) == 1 else None
