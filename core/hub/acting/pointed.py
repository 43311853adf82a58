"""Whom 他们 and `them` mean where nobody is named: those of the matter whose result the sender has just read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from core.brain.rules.waiting.joining import points_at
from core.concern.model import Concern, Status
from core.ids import PersonId
from core.ports import Repositories

REPORTED_WITHIN = timedelta(minutes=30)
"""So long after a result "tell them" may mean those whom it came from."""

LOOKED_BACK = 20


def reported_to(repos: Repositories, person_id: PersonId, now: datetime) -> Concern | None:
    """The matter of this person that was settled last, where that was just now."""
    lately = repos.concerns.list(open_only=False, limit=LOOKED_BACK, initiator=person_id)
    closed = [c for c in lately if _is_reported(c) and c.closed_at and now - c.closed_at <= REPORTED_WITHIN]
    return max(closed, key=lambda c: c.closed_at or now, default=None)


def pointed_at(text: str, reported: Concern | None) -> Sequence[str]:
    """The names of those whom a text points at; none where it points at nobody, or at more or fewer than there were."""
    many = points_at(text)
    if many is None or reported is None:
        return ()
    names = [p.display_name for p in reported.delegates]
    return names if many == (len(names) > 1) else ()


def _is_reported(concern: Concern) -> bool:
    return concern.status is Status.RESOLVED and concern.relay is None and bool(concern.delegates)
