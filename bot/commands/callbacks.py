"""The command /callbacks: what somebody is owed and has not got yet; `off` calls one off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.commands.pages import PAGE, page_of, pages_of, turners
from bot.commands.request import ButtonRow, Reply, Request, press, usage
from core.callbacks import Callback, job_key
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.hub.owed import forgo, title_of
from core.jobs import JobState

MOST_READ = 1_000
"""More never wait at once but in an outage; the first due are shown then."""

OFF = ("off", "不发")


def callbacks(request: Request) -> Reply:
    """A page of what waits, the first due first; or one of them called off."""
    verb, _, rest = request.words.partition(" ")
    if verb.casefold() in OFF:
        return _call_off(request, rest)
    words, page = page_of(request.words)
    if words:
        return usage(request)
    found = request.repos.callbacks.list(limit=MOST_READ)
    pages = pages_of(len(found))
    page = min(page, pages)
    here = found[PAGE * (page - 1) : PAGE * page]
    values = {"items": [_values(r, request) for r in here], "count": len(found), "page": page, "pages": pages}
    return Reply("commands/callbacks", values, (*_enders(here), *turners("callbacks", page, pages)))


def _values(record: Callback, request: Request) -> dict[str, Any]:
    """One record in a list; `name` is whose it is, where that is not the reader."""
    person = request.turn.people.get(record.person_id)
    mine = record.person_id == request.sender.person_id
    job = request.repos.jobs.get(job_key(record.id))
    return {
        "title": title_of(record),
        "name": person.name if person is not None and not mine else None,
        "source": record.trigger_source,
        "when": record.due_at.isoformat(),
        "out": job is not None and job.state is JobState.SENDING,
    }


def _call_off(request: Request, word: str) -> Reply:
    """Call off the one that the word names: its id, or a part of what it says."""
    found = [r for r in request.repos.callbacks.list(limit=MOST_READ) if _is_named(r, word.casefold())]
    if not word or len(found) != 1:
        return usage(request, "no_callback" if not found or not word else "several_callbacks")
    record = found[0]
    fate = forgo(request.repos, record.id)
    if fate == "off":
        request.did("off", person=record.person_id)
        if record.person_id != request.sender.person_id:
            _tell(request, record)
    return Reply("chat/callback_off", {"title": title_of(record), "out": fate != "off"})


def _is_named(record: Callback, word: str) -> bool:
    return word in (record.id, record.id.removeprefix("cb_")) or word in f"{record.title}\n{record.content}".casefold()


def _tell(request: Request, record: Callback) -> None:
    """Nobody likes a promise that vanishes: whose it was hears who called it off."""
    values = {"name": request.sender.name, "title": title_of(record)}
    message = Outgoing(
        purpose=Purpose.NOTICE,
        to=record.person_id,
        words=Words(template="commands/callback_dropped_by", values=values),
    )
    apply(request.repos, Send(key=f"called-off:{record.id}", due=request.now, message=message))


def _enders(found: Iterable[Callback]) -> tuple[ButtonRow, ...]:
    """A button for each that calls it off."""
    rows = (
        press(f"callbacks off {r.id}", Words(template="buttons/unschedule", values={"title": title_of(r)}))
        for r in found
    )
    return tuple(row for row in rows if row)
