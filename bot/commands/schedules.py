"""Commands on what will happen by itself: /schedules, and /unschedule, with which members end their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.commands.lookup import handle_of
from bot.commands.pages import PAGE, page_of, pages_of, turners
from bot.commands.request import ButtonRow, Reply, Request, press, usage
from bot.commands.steering import drop
from core.concern.model import Concern
from core.concern.planning import FOREVER, is_paused
from core.concern.schedule import deeds, schedule_of
from core.concern.scheduling import trigger_values
from core.effects import Words
from core.hub.services import owner_day


def schedules(request: Request) -> Reply:
    """A page of what will happen, and when; what comes first stands first."""
    words, page = page_of(request.words)
    if words:
        return usage(request)
    found = sorted(request.repos.concerns.schedules(request.viewer), key=_soonest)
    pages = pages_of(len(found))
    page = min(page, pages)
    here = found[PAGE * (page - 1) : PAGE * page]
    return _listed(request, here, None, len(found), page, pages)


def unschedule(request: Request) -> Reply | None:
    """Call one off, by its id, its number, or words of what it does."""
    if not request.words:
        return usage(request)
    found = _find(request)
    if not found:
        return usage(request, "no_schedule")
    if len(found) > 1:
        return _listed(request, found[:PAGE], request.words, len(found), 1, 1)
    return drop(request, found[0], "")


def _soonest(concern: Concern) -> tuple[bool, float]:
    return concern.due_at is None, concern.due_at.timestamp() if concern.due_at else 0.0


def _find(request: Request) -> list[Concern]:
    """Those that the words name: by id or number, else those that hold all of the words."""
    mine = request.repos.concerns.schedules(request.viewer)
    word, day = request.words.casefold(), day_of(request)
    named = [c for c in mine if word in (c.concern_id, handle_of(c, day), c.concern_id.rpartition("_")[2].lstrip("0"))]
    named = named or [c for c in mine if c.concern_id.rpartition("_")[2] == word]
    return named or [c for c in mine if word in f"{c.title}\n{c.goal}".casefold()]


def _listed(request: Request, here: list[Concern], word: str | None, total: int, page: int, pages: int) -> Reply:
    day = day_of(request)
    values = {
        "lines": [schedule_values(c, request, day) for c in here],
        "word": word,
        "count": total,
        "page": page,
        "pages": pages,
    }
    return Reply("commands/schedules", values, (*_enders(here), *turners("schedules", page, pages)))


def schedule_values(concern: Concern, request: Request, day: str) -> dict[str, Any]:
    """One schedule in a list; `by` is who wants it, where that is not the reader."""
    schedule, last = schedule_of(concern), (concern.executions or ())[-1:]
    initiator = concern.source.initiator
    others = initiator is not None and concern.initiator_id != request.sender.person_id
    by = initiator.name if initiator and others else None
    endless = concern.paused_until == FOREVER
    return {
        "handle": handle_of(concern, day),
        # A reminder without names is one to whoever wants it, who need not be the reader.
        "deeds": [{**d, "names": d["names"] or ([by] if by else [])} for d in deeds(schedule, request.turn.people)],
        "trigger": trigger_values(schedule),
        "mode": schedule.mode.value,
        "by": by,
        "paused": is_paused(concern, request.now),
        "until": concern.paused_until.isoformat() if concern.paused_until and not endless else None,
        "next": concern.due_at.isoformat() if concern.due_at else None,
        "last": last[0].at.isoformat() if last else None,
        "ok": last[0].ok if last else True,
    }


def _enders(found: Iterable[Concern]) -> tuple[ButtonRow, ...]:
    """A button for each that calls it off."""
    rows = (
        press(f"unschedule {c.concern_id}", Words(template="buttons/unschedule", values={"title": c.title}))
        for c in found
    )
    return tuple(row for row in rows if row)


def day_of(request: Request) -> str:
    return owner_day(request.now, request.repos.people.owner())
