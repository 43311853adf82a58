"""Commands on what is looked out for: /expectations, /watch, /unwatch. Members see and end their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bot.commands.pages import PAGE, page_of, pages_of, turners
from bot.commands.request import BUTTONS_A_ROW, ButtonRow, Reply, Request, press, usage
from bot.commands.schedules import day_of, schedule_values
from core.agenda.model import Expectation, WatchItem
from core.concern.schedule import schedule_of
from core.effects import Words
from core.hub.abilities.expecting import end_item, find_item
from core.ids import PersonId
from core.people import Person


def expectations(request: Request) -> Reply:
    """A page of what stands until it is ended: what is expected of whom, and what happens again and again or on a
    condition.
    """
    words, page = page_of(request.words)
    if words:
        return usage(request)
    items = request.repos.agenda.expectations(request.viewer)
    found = request.repos.concerns.schedules(request.viewer)
    # Who may not see /schedules finds what happens once here too.
    standing = [c for c in found if request.viewer is not None or schedule_of(c).kind != "once"]
    pages = pages_of(len(items) + len(standing))
    page = min(page, pages)
    start, end = PAGE * (page - 1), PAGE * page
    here, kept = items[start:end], standing[max(0, start - len(items)) : max(0, end - len(items))]
    values = {
        "items": [expectation_values(e, request.turn.people, request.sender.person_id) for e in here],
        "item_count": len(items),
        "kept": [schedule_values(c, request, day_of(request)) for c in kept],
        "kept_count": len(standing),
        "page": page,
        "pages": pages,
    }
    buttons = (*_enders(e.expectation_id for e in here), *turners("expectations", page, pages))
    return Reply("commands/expectations", values, buttons)


def watch(request: Request) -> Reply:
    """A page of what is looked out for, and until when."""
    words, page = page_of(request.words)
    if words:
        return usage(request)
    items = request.repos.agenda.watches(request.viewer)
    pages = pages_of(len(items))
    page = min(page, pages)
    here = items[PAGE * (page - 1) : PAGE * page]
    values = {
        "items": [watch_values(w, request.turn.people, request.sender.person_id) for w in here],
        "count": len(items),
        "page": page,
        "pages": pages,
    }
    return Reply("commands/watch", values, (*_enders(w.watch_id for w in here), *turners("watch", page, pages)))


def unwatch(request: Request) -> Reply:
    """End an expectation or a watch item, by its number or a part of what it is about."""
    if not request.words:
        return usage(request)
    found = _find(request)
    if len(found) != 1:
        return usage(request, "no_item" if not found else "several_items")
    if not end_item(request.repos, found[0], "dropped", request.now):
        return usage(request, "no_item")
    request.did()
    return Reply("chat/item_dropped", {"what": found[0].what})


def _find(request: Request) -> list[Expectation | WatchItem]:
    """The items that the words may mean, of those that the sender may end."""
    agenda, word = request.repos.agenda, request.words.casefold()
    named = find_item(request.repos, request.sender, word)
    if named is not None:
        return [named]
    items: list[Expectation | WatchItem] = [*agenda.expectations(request.viewer), *agenda.watches(request.viewer)]
    return [item for item in items if word in item.what.casefold()]


def _enders(ids: Iterable[str]) -> tuple[ButtonRow, ...]:
    """A button for each that ends it."""
    buttons = [b for i in ids for b in press(f"unwatch {i}", Words(template="buttons/unwatch", values={"id": i}))]
    return tuple(tuple(buttons[n : n + BUTTONS_A_ROW]) for n in range(0, len(buttons), BUTTONS_A_ROW))


def expectation_values(item: Expectation, people: Mapping[PersonId, Person], reader: PersonId) -> dict[str, Any]:
    """An expectation in a list; `by` is who waits for it, where that is not the reader."""
    return {
        "id": item.expectation_id,
        "name": item.who,
        "what": item.what,
        "every": item.due.model_dump(mode="json") if item.due.kind == "recurring" else None,
        "when": item.next_due.isoformat() if item.next_due else None,
        "on_missed": item.on_missed,
        "met": item.met,
        "missed": item.missed,
        "by": _other(item.owner, people, reader),
    }


def watch_values(item: WatchItem, people: Mapping[PersonId, Person], reader: PersonId | None) -> dict[str, Any]:
    """A watch item in a list; `promised`: whose promise it is (empty: the reader's own), None where it is none."""
    about = people.get(item.person_id) if item.person_id is not None else None
    promised = promiser(item, people, reader)
    named = about is not None and (promised is not None or about.name in item.what)
    return {
        "id": item.watch_id,
        "what": item.what,
        "name": about.name if about is not None and not named else None,
        "promised": promised,
        "until": item.expires_at.isoformat(),
        "by": _other(item.owner, people, reader),
    }


def promiser(item: WatchItem, people: Mapping[PersonId, Person], reader: PersonId | None) -> str | None:
    """Whose promise it is: a name, empty for the reader's own; None where it is no promise."""
    if item.kind != "promise":
        return None
    who = people.get(item.person_id or item.owner)
    return "" if who is None or who.person_id == reader else who.name


def _other(owner: PersonId, people: Mapping[PersonId, Person], reader: PersonId | None) -> str | None:
    person = people.get(owner)
    return person.name if person is not None and owner != reader else None
