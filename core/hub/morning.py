"""What a morning brief tells: what waits for its reader, what moved, what is due today, what stands still (RULES 5).

Of the reader's own matters alone, and read within bounds however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from core.agenda.model import ConcernRef, RecentDecision
from core.calendar import calendar_of
from core.concern.model import Attitude, Concern, ConcernType, Priority
from core.concern.reporting_back import core_words
from core.context.workspace import BlockKind
from core.people import Person
from core.ports import Repositories

SHOWN = 5
"""Entries of a list; of the rest the number is told."""

READ = 100
"""References, and decisions of late, that are looked at."""

OPENED = 30
"""Matters of which more than the reference is read, for what was said in them and for what was promised."""

_TOLD = ("resolved", "dropped", "escalated", "lifted")

Entry = dict[str, Any]


def morning(repos: Repositories, reader: Person, since: datetime, now: datetime) -> dict[str, Any]:
    """The lists of the brief, each with the number of what is left out; empty ones are lists too."""
    refs = repos.agenda.focus(READ, reader.person_id)
    lists = {
        "waiting": _waiting(repos, reader, now),
        "moved": _moved(repos, reader, refs, since),
        "today": _today(repos, reader, refs, now),
        "stuck": _stuck(repos, refs, now),
    }
    values: dict[str, Any] = {}
    for name, (shown, count) in lists.items():
        values |= {name: shown, f"{name}_left": count - len(shown)}
    return values


def says_nothing(values: dict[str, Any]) -> bool:
    """Whether there is nothing to tell."""
    return not any(values[name] for name in ("waiting", "moved", "today", "stuck"))


def _cut(entries: Sequence[Entry]) -> tuple[list[Entry], int]:
    return list(entries[:SHOWN]), len(entries)


def _open(repos: Repositories, refs: Iterable[ConcernRef], most: int) -> list[Concern]:
    """The matters behind the first of these references, but for those of which nobody is to hear (RULES 5)."""
    found = (repos.concerns.get(ref.concern_id) for ref in list(refs)[:most])
    return [c for c in found if c is not None and not (c.initiator_id is None and c.priority is Priority.LOW)]


def _waiting(repos: Repositories, reader: Person, now: datetime) -> tuple[list[Entry], int]:
    """Points that wait for a decision, and actions that wait for a yes."""
    me = reader.person_id
    blocks = [b for b in repos.blocks.of(me, BlockKind.ACTIONS_NEED_CONFIRMATION) if b.expires_at > now]
    points = [
        {"title": c.title, "question": c.decision.text or c.decision.question}
        for c in _open(repos, repos.agenda.asked(me, SHOWN), SHOWN)
        if c.decision is not None
    ]
    entries: list[Entry] = [*({"title": None, "question": b.summary} for b in blocks), *points]
    return entries[:SHOWN], len(blocks) + max(repos.agenda.asked_count(me), len(points))


def _moved(repos: Repositories, reader: Person, refs: Sequence[ConcernRef], since: datetime) -> tuple[list[Entry], int]:
    """What was said in open matters, and what ended or was handed on."""
    moved = (r for r in refs if r.moved_at is not None and r.moved_at > since and r.agenda_role != "scheduled")
    said = [entry for concern in _open(repos, moved, OPENED) for entry in _said(concern, since)]
    lately = [d for d in repos.agenda.recent(READ, reader.person_id) if d.at > since and d.what in _TOLD]
    ended = [entry for d in lately[:OPENED] if (entry := _ended(repos, d, reader)) is not None]
    return _cut([*said, *reversed(ended)])


def _ended(repos: Repositories, lately: RecentDecision, reader: Person) -> Entry | None:
    """What became of a matter; None for what was planned or only passed on, which was told when it was done, and for
    what the reader was asked themselves.
    """
    concern = repos.concerns.get(lately.concern_id) if lately.concern_id else None
    if concern is None or concern.type is ConcernType.SCHEDULE or concern.relay is not None:
        return None
    if concern.initiator_id is None and any(p.person_id == reader.person_id for p in concern.delegates):
        return None
    words = concern.outcome if lately.what == "resolved" else None
    return {"what": lately.what, "title": concern.title, "name": None, "words": words}


_NO_NEWS = (Attitude.UNRELATED, Attitude.QUESTION)
"""What is about something else, and what they asked: where it still waits for an answer, it is among the decisions."""


def _said(concern: Concern, since: datetime) -> Iterable[Entry]:
    for person in concern.delegates:
        state = concern.state_of(person.person_id)
        heard = state.last_inbound is not None and state.last_inbound > since
        words = core_words(concern, person.person_id) if heard else ""
        if words and state.attitude not in _NO_NEWS:
            yield {"what": "said", "title": concern.title, "name": person.display_name, "words": words}


def _today(repos: Repositories, reader: Person, refs: Sequence[ConcernRef], now: datetime) -> tuple[list[Entry], int]:
    """Deadlines, times that somebody promised, runs of schedules, what is expected of whom: in the order of the day."""
    zone, me = calendar_of(reader).tz, reader.person_id
    today = now.astimezone(zone).date()

    def is_today(at: datetime | None) -> bool:
        return at is not None and at > now and at.astimezone(zone).date() == today

    entries = [
        _due("deadline", c.title, c.deadline) for c in _open(repos, (r for r in refs if is_today(r.deadline)), OPENED)
    ]
    for concern in _open(repos, (r for r in refs if is_today(r.next_at) and r.agenda_role == "active"), OPENED):
        states = ((p, concern.state_of(p.person_id)) for p in concern.delegates if p.comm_status.is_owing)
        kept = [(p.display_name, s.not_before) for p, s in states if s.promised and is_today(s.not_before)]
        entries += [_due("promised", concern.title, at, name) for name, at in kept]
    runs = [c for c in repos.concerns.schedules(me) if is_today(c.due_at)]
    entries += [_due("run", c.title, c.due_at) for c in runs]
    expected = [e for e in repos.agenda.expectations(me) if is_today(e.next_due)]
    entries += [_due("expected", e.what, e.next_due, e.who) for e in expected]
    return _cut(sorted(entries, key=lambda e: str(e["when"])))


def _due(what: str, title: str, when: datetime | None, name: str | None = None) -> Entry:
    return {"what": what, "title": title, "when": when.isoformat() if when else None, "name": name}


def _stuck(repos: Repositories, refs: Sequence[ConcernRef], now: datetime) -> tuple[list[Entry], int]:
    still = [r for r in refs if r.stuck_at is not None and r.stuck_at <= now and r.moved_at is not None]
    days = {r.concern_id: (now - r.moved_at).days for r in still if r.moved_at is not None}
    shown = [{"title": c.title, "days": days[c.concern_id]} for c in _open(repos, still, SHOWN)]
    return shown, len(still)
