"""Commands that look: /concerns, /concern, /people. They change nothing."""

from __future__ import annotations

from typing import Any

from bot.commands.lookup import MOST_OFFERED, find_person, handle_of
from bot.commands.pages import PAGE, page_of, pages_of, turners
from bot.commands.request import BUTTONS_A_ROW, ButtonRow, Reply, Request, press, usage
from bot.commands.views import concern_values, line_values
from bot.commands.why import cause_values
from core.concern.model import Concern, Status
from core.effects import Words
from core.hub.services import owner_day
from core.people import Person, Role

STATUS_WORDS = {
    **{s.value: s for s in Status},
    "待联系": Status.PENDING,
    "处理中": Status.IN_PROGRESS,
    "等回复": Status.WAITING_REPLY,
    "已升级": Status.ESCALATED,
    "已完成": Status.RESOLVED,
    "已放下": Status.DROPPED,
    "working": Status.IN_PROGRESS,
    "waiting": Status.WAITING_REPLY,
    "done": Status.RESOLVED,
}


def concerns(request: Request) -> Reply:
    """A page: the open ones, all, those in a status, or those with a person; newest first."""
    words, page = page_of(request.words)
    found = _filter(request, words)
    if found is None:
        return usage(request, "filter")
    shown, name, wanted = found
    who = {"initiator": request.viewer, **wanted}
    total = request.repos.concerns.count(**who)
    pages = pages_of(total)
    page = min(page, pages)
    here = request.repos.concerns.list(**who, limit=PAGE, offset=PAGE * (page - 1))
    day = _day(request)
    values = {
        "lines": [line_values(c, request.now, day, request.sender.person_id) for c in here],
        "count": total,
        "page": page,
        "pages": pages,
        "filter": shown,
        "name": name,
    }
    turns = turners(f"concerns {words}".strip(), page, pages)
    return Reply("commands/concerns", values, (*_openers(here, day), *turns))


def concern(request: Request, found: Concern, _: str) -> Reply:
    """One concern with its people, timeline and dialogue, and what can be done about it."""
    day, me = _day(request), request.sender.person_id
    values = {
        **concern_values(found, request.now, day, me),
        "cause": cause_values(request.repos, found, me, request.viewer, day),
    }
    row: ButtonRow = ()
    if found.status.is_open:
        paused = values["next"]["kind"] == "paused"
        verbs = ("resume",) if paused else ("nudge", "pause")
        row = tuple(
            button
            for verb in verbs
            for button in press(f"{verb} {found.concern_id}", Words(template="buttons/steer", values={"verb": verb}))
        )
    return Reply("commands/concern", values, (row,) if row else ())


def people(request: Request) -> Reply:
    """The directory, a page of it."""
    words, page = page_of(request.words)
    if words:
        return usage(request)
    known = sorted(
        (p for p in request.turn.people.values() if p.role is not Role.STRANGER), key=lambda p: list(Role).index(p.role)
    )
    pages = pages_of(len(known))
    page = min(page, pages)
    here = known[PAGE * (page - 1) : PAGE * page]
    values = {"people": [person_values(p) for p in here], "count": len(known), "page": page, "pages": pages}
    return Reply("commands/people", values, turners("people", page, pages))


def person_values(person: Person) -> dict[str, Any]:
    """A person in the directory."""
    return {
        "name": person.name,
        "role": person.role.value,
        "aliases": list(person.aliases),
        "channels": list(person.channels()),
        "hours": person.working_hours,
        "stopped": not person.interaction_policy.contact_allowed,
    }


def which(request: Request, found: tuple[Concern, ...], rest: str) -> Reply:
    """The word fits several: the same command for each of them, by button."""
    day, shown = _day(request), found[:MOST_OFFERED]
    rows = tuple(press(f"{request.call.name} {c.concern_id} {rest}".strip(), Words(text=_label(c, day))) for c in shown)
    values = {
        "lines": [line_values(c, request.now, day, request.sender.person_id) for c in shown],
        "more": len(found) - len(shown),
        "word": request.words,
    }
    return Reply("commands/which", values, tuple(row for row in rows if row))


def _label(found: Concern, day: str) -> str:
    return f"{handle_of(found, day)} {found.title}"[:60]


def _day(request: Request) -> str:
    return owner_day(request.now, request.repos.people.owner())


def _filter(request: Request, words: str) -> tuple[str, str | None, dict[str, Any]] | None:
    """What is asked for: its kind and name for the template, and the repository's filter; None when nothing fits."""
    word = words.casefold()
    if not word:
        return "open", None, {"open_only": True}
    if word in ("all", "全部", "所有"):
        return "all", None, {"open_only": False}
    if word in STATUS_WORDS:
        status = STATUS_WORDS[word].value
        return "status", status, {"open_only": False, "status": status}
    person = find_person(request.turn.people.values(), words)
    return ("person", person.name, {"open_only": False, "person": person.person_id}) if person else None


def _openers(shown: tuple[Concern, ...], day: str) -> tuple[ButtonRow, ...]:
    """A button for each concern of a page."""
    buttons = [b for c in shown for b in press(f"concern {c.concern_id}", Words(text=handle_of(c, day)))]
    return tuple(tuple(buttons[n : n + BUTTONS_A_ROW]) for n in range(0, len(buttons), BUTTONS_A_ROW))
