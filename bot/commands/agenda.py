"""The agenda: what waits for the reader, what matters now and why, what is looked out for, what was decided lately.

One look for the chat and for the command line. A page is read along the order that the store keeps; however many
matters are open, no more of them are loaded than are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.commands.lookup import handle_of
from bot.commands.pages import PAGE, page_of, pages_of, turners
from bot.commands.request import BUTTONS_A_ROW, ButtonRow, CommandRepositories, Reply, Request, press, usage
from bot.commands.views import line_values, point_of
from bot.commands.watching import promiser
from bot.commands.why import reason_values, short
from core.agenda.model import ConcernRef, Expectation, RecentDecision, WatchItem
from core.agenda.ranking import Reason, explain
from core.concern.model import Concern
from core.context.workspace import BlockKind
from core.effects import Words
from core.hub.services import owner_day
from core.ids import PersonId
from core.people import INSPECTORS, Person
from core.ports import Renderer

SHOWN_ITEMS = 4
"""Actions that wait for a yes, expectations and watch items, of each so many; their own commands have the rest."""
SHOWN_DECISIONS = 8
WHOLE_PAGE = 50
"""Lines of the queue on the command line."""
ALL = 1_000_000


@dataclass(frozen=True)
class Eyes:
    """Who looks, when: `now` is on their clock, `day` the owner's."""

    reader: PersonId | None
    viewer: PersonId | None
    """Whose matters are seen: None is everybody's."""
    now: datetime
    day: str

    @classmethod
    def of(cls, repos: CommandRepositories, person: Person | None, now: datetime) -> Eyes:
        """The eyes of a person; of the operator where there is none."""
        local = now.astimezone(ZoneInfo(person.timezone)) if person is not None else now
        reader = person.person_id if person is not None else None
        viewer = None if person is None or person.role in INSPECTORS else reader
        return cls(reader, viewer, local, owner_day(now, repos.people.owner()))


def agenda(request: Request) -> Reply:
    """What waits for the sender and what matters now, a page of it; below the first, what else is kept in view."""
    words, page = page_of(request.words)
    if words:
        return usage(request)
    eyes = Eyes.of(request.repos, request.sender, request.now)
    values, shown = agenda_values(request.repos, eyes, page)
    openers = [b for c in shown for b in press(f"concern {c.concern_id}", Words(text=handle_of(c, eyes.day)))]
    rows: list[ButtonRow] = [tuple(openers[n : n + BUTTONS_A_ROW]) for n in range(0, len(openers), BUTTONS_A_ROW)]
    return Reply("commands/agenda", values, (*rows, *turners("agenda", values["page"], values["pages"])))


def agenda_values(
    repos: CommandRepositories, eyes: Eyes, page: int = 1, lines: int = PAGE
) -> tuple[dict[str, Any], list[Concern]]:
    """A page as values for its template, and the concerns on it in that order."""
    asked_count = repos.agenda.asked_count(eyes.reader) if eyes.reader is not None else 0
    count = repos.agenda.count(eyes.viewer) - asked_count
    pages = pages_of(count, lines)
    page = min(page, pages)
    first = page == 1
    asked = _read(repos, repos.agenda.asked(eyes.reader, lines)) if first and eyes.reader is not None else []
    queue = _read(repos, repos.agenda.focus(lines, eyes.viewer, lines * (page - 1), besides=eyes.reader))
    values = {
        "waiting": [{**_line(r, c, eyes), "question": point_of(c)} for r, c in asked],
        "waiting_left": asked_count - len(asked) if first else 0,
        "open": [_line(r, c, eyes) for r, c in queue],
        "open_count": count,
        "page": page,
        "pages": pages,
        **(_beside(repos, eyes) if first else _NOTHING_BESIDE),
    }
    return values, [c for _, c in (*asked, *queue)]


_NOTHING_BESIDE: dict[str, Any] = {
    "confirmations": [],
    "confirmations_left": 0,
    "expected": [],
    "expected_left": 0,
    "watches": [],
    "watches_left": 0,
    "recent": [],
}


def _beside(repos: CommandRepositories, eyes: Eyes) -> dict[str, Any]:
    """What is kept in view beside the open matters."""
    expected, watches = repos.agenda.expectations(eyes.viewer), repos.agenda.watches(eyes.viewer)
    people = {p.person_id: p for p in repos.people.all()}
    kept = repos.blocks.of(eyes.reader, BlockKind.ACTIONS_NEED_CONFIRMATION) if eyes.reader is not None else ()
    blocks = [b for b in kept if b.expires_at > eyes.now]
    return {
        "confirmations": [
            {"summary": short(b.summary), "until": b.expires_at.isoformat()} for b in blocks[:SHOWN_ITEMS]
        ],
        "confirmations_left": max(0, len(blocks) - SHOWN_ITEMS),
        "expected": [_expected_values(e) for e in expected[:SHOWN_ITEMS]],
        "expected_left": max(0, len(expected) - SHOWN_ITEMS),
        "watches": [_watched_values(w, people, eyes) for w in watches[:SHOWN_ITEMS]],
        "watches_left": max(0, len(watches) - SHOWN_ITEMS),
        "recent": [decision_values(d) for d in repos.agenda.recent(SHOWN_DECISIONS, eyes.viewer)],
    }


def reasons_values(ref: ConcernRef, now: datetime) -> list[dict[str, Any]]:
    """Why a matter stands where it does, the weightiest first."""
    return [_reason(r) for r in explain(ref, now)]


def decision_values(decision: RecentDecision) -> dict[str, Any]:
    """Something that was decided: of what, and why, in words that a template can say."""
    title = decision.why.removesuffix(f"：{decision.reason}") if decision.reason else decision.why
    return {
        "at": decision.at.isoformat(),
        "what": decision.what,
        "title": short(title),
        "reason": reason_values(decision.reason) if decision.reason else None,
        "refusal": decision.refusal,
    }


def agenda_text(repos: CommandRepositories, renderer: Renderer, language: str, now: datetime) -> str:
    """The agenda in the owner's eyes."""
    owner = repos.people.owner()
    values, _ = agenda_values(repos, Eyes.of(repos, owner, now), lines=WHOLE_PAGE)
    timezone = owner.timezone if owner is not None else "Asia/Shanghai"
    return renderer.render("commands/agenda", language, now=now, timezone=timezone, **values)


def agenda_json(repos: CommandRepositories, now: datetime) -> dict[str, Any]:
    """The agenda whole: `focus_queue` has the ids in their order, `focus_reasons` why each stands where it does."""
    eyes = Eyes.of(repos, repos.people.owner(), now)
    queue = repos.agenda.focus(ALL)
    return {
        "concern_refs": [r.model_dump(mode="json") for r in repos.agenda.refs()],
        "focus_queue": [r.concern_id for r in queue],
        "focus_reasons": {r.concern_id: reasons_values(r, eyes.now) for r in queue},
        "watch_items": [w.model_dump(mode="json") for w in repos.agenda.watches()],
        "expectations": [e.model_dump(mode="json") for e in repos.agenda.expectations()],
        "recent_decisions": [d.model_dump(mode="json") for d in repos.agenda.recent(ALL)],
    }


def _read(repos: CommandRepositories, refs: Iterable[ConcernRef]) -> list[tuple[ConcernRef, Concern]]:
    found = ((r, repos.concerns.get(r.concern_id)) for r in refs)
    return [(r, c) for r, c in found if c is not None]


def _line(ref: ConcernRef, concern: Concern, eyes: Eyes) -> dict[str, Any]:
    """A line with its reasons; that it waits for somebody is told by its next step."""
    reasons = [r for r in reasons_values(ref, eyes.now) if r["why"] != "waiting"]
    asked = ref.waiting_since.isoformat() if ref.waiting_since is not None else None
    return {**line_values(concern, eyes.now, eyes.day, eyes.reader), "reasons": reasons, "asked": asked}


def _reason(reason: Reason) -> dict[str, Any]:
    return {"why": reason.why, "days": reason.days, "at": reason.at.isoformat() if reason.at is not None else None}


def _expected_values(item: Expectation) -> dict[str, Any]:
    when = item.next_due.isoformat() if item.next_due is not None else None
    return {"id": item.expectation_id, "name": item.who, "what": short(item.what), "when": when}


def _watched_values(item: WatchItem, people: Mapping[PersonId, Person], eyes: Eyes) -> dict[str, Any]:
    until, promised = item.expires_at.isoformat(), promiser(item, people, eyes.reader)
    return {"id": item.watch_id, "what": short(item.what), "until": until, "promised": promised}
