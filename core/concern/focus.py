"""The focus queue: open matters in the order of what matters now."""

from __future__ import annotations

from collections.abc import Iterable

from core.concern.model import Concern, Priority

_RANK = {p: n for n, p in enumerate((Priority.CRITICAL, Priority.HIGH, Priority.MEDIUM, Priority.LOW))}


def focus_queue(concerns: Iterable[Concern]) -> list[Concern]:
    """In the order of what matters now: by priority, then by what comes first."""
    return sorted(concerns, key=_focus)


def _focus(concern: Concern) -> tuple[int, bool, float]:
    when = concern.next_action.when if concern.next_action else None
    return _RANK[concern.priority], when is None, when.timestamp() if when else 0.0
