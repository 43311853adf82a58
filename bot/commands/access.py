"""Who may what, and who did what: /grant and /audit. The owner's alone."""

from __future__ import annotations

from typing import Any

from bot.commands.lookup import find_person, handle_of
from bot.commands.pages import page_of, turners
from bot.commands.request import Reply, Request, usage
from core.calendar import calendar_of
from core.deeds import Deed
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.hub.services import owner_day
from core.people import GRANTED, Person, Role

ROLES = {
    **{role.value: role for role in GRANTED},
    "成员": Role.MEMBER,
    "管理员": Role.ADMIN,
    "当事人": Role.DELEGATE,
    "contact": Role.DELEGATE,
}
LINES = 10
"""Of a page of /audit."""


def grant(request: Request) -> Reply:
    """Give somebody a role, which the people file does not take away. There is one owner, whom the file names."""
    if not request.words:
        return usage(request)
    name, _, word = request.words.rpartition(" ")
    role = ROLES.get(word.casefold())
    if role is None:
        return usage(request, "role")
    found = find_person(request.turn.people.values(), name)
    if found is None or found.role is Role.STRANGER:
        return usage(request, "no_person")
    if found.role is Role.OWNER:
        return _granted(found, "owner", role)
    before = found.role
    request.repos.people.save(found.model_copy(update={"role": role, "granted": role}))
    request.did(role.value, person=found.person_id)
    if before is role:
        return _granted(found, "same", role)
    _tell(request, found, role)
    return _granted(found, "granted", role)


def _granted(person: Person, outcome: str, role: Role) -> Reply:
    return Reply("commands/granted", {"outcome": outcome, "name": person.name, "role": role.value})


def _tell(request: Request, person: Person, role: Role) -> None:
    """In one line, in their hours; not to somebody who wants no messages, or cannot be reached."""
    if not person.interaction_policy.contact_allowed or not person.identities:
        return
    values = {"owner": request.sender.name, "role": role.value}
    message = Outgoing(
        purpose=Purpose.NOTICE, to=person.person_id, words=Words(template="commands/your_role", values=values)
    )
    due = calendar_of(person).next_opening(request.now)
    apply(request.repos, Send(key=f"granted:{request.turn.cause}", due=due, message=message))


def audit(request: Request) -> Reply:
    """Who did what, newest first; of one person, if named: what they did and what was done to them."""
    words, page = page_of(request.words)
    found = find_person(request.turn.people.values(), words) if words else None
    if words and found is None:
        return usage(request, "no_person")
    here = request.repos.deeds.latest(LINES + 1, LINES * (page - 1), found.person_id if found else None)
    values = {
        "lines": [_line(request, deed) for deed in here[:LINES]],
        "name": found.name if found else None,
        "page": page,
    }
    more = page + 1 if len(here) > LINES else page
    return Reply("commands/audit", values, turners(f"audit {words}".strip(), page, more))


def _line(request: Request, deed: Deed) -> dict[str, Any]:
    """`by` and `name` are None where the person is gone; `shell`: whoever sits at the machine did it."""
    concern = request.repos.concerns.get(deed.concern_id) if deed.concern_id is not None else None
    day = owner_day(request.now, request.repos.people.owner())
    return {
        "at": deed.at.isoformat(),
        "how": deed.how,
        "what": deed.what,
        "by": _name(request, deed.by),
        "about": deed.person_id is not None,
        "name": _name(request, deed.person_id),
        "matter": f"{handle_of(concern, day)} {concern.title}" if concern is not None else None,
        "outcome": deed.outcome,
    }


def _name(request: Request, person_id: Any) -> str | None:
    person = request.turn.people.get(person_id) if person_id is not None else None
    return person.name if person is not None else None
