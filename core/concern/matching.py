"""Which open concern a delegate's message may be about: what can be told without a brain."""

from __future__ import annotations

from collections.abc import Iterable

from core.concern.changes import was_contacted
from core.concern.model import CommStatus, Concern
from core.ids import PersonId

_OUT = (CommStatus.NOT_NEEDED,)


def contacted(concerns: Iterable[Concern], person_id: PersonId) -> tuple[Concern, ...]:
    """Open concerns in which this person was written to, so that their words may be a reply; order kept."""
    return tuple(c for c in concerns if c.status.is_open and _is_asked(c, person_id) and was_contacted(c, person_id))


def _is_asked(concern: Concern, person_id: PersonId) -> bool:
    return any(p.person_id == person_id and p.comm_status not in _OUT for p in concern.delegates)
