"""Things to look out for: how long, and as what they are put to the brain (RULES 2)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

from core.agenda.model import Expectation, WatchItem
from core.brain.rules.words.text import fold, likeness
from core.brain.views import AwaitedEvent
from core.ids import PersonId
from core.people import Person

ALIKE = 0.6
"""Share of the words of two promises that makes them one."""

KEPT_FOR = timedelta(days=14)
"""How long a thing without a date of its own is looked out for."""


def expiry(until: datetime | None, now: datetime) -> datetime | None:
    """When looking out ends; None where the time that was named has gone by."""
    if until is None:
        return now + KEPT_FOR
    return until if until > now else None


def may_bear_on(item: WatchItem, who: str, about: Person | None, text: str) -> bool:
    """Whether it is worth a look: it is about nobody in particular, or its person (`who`) speaks or is named."""
    if item.person_id is None or (about is not None and about.person_id == item.person_id):
        return True
    return bool(who) and fold(who) in fold(text)


def awaited(item: WatchItem, who: str) -> AwaitedEvent:
    """The item as the brain is asked about it; `who` is the name of its person. A promise must have been kept."""
    kind: Literal["expectation", "watch"] = "expectation" if item.kind == "promise" else "watch"
    return AwaitedEvent(item_id=item.watch_id, what=item.what, who=who, kind=kind)


def may_show(item: WatchItem, about: Person | None, *, happened: bool) -> bool:
    """Whether what somebody says or does may be told of, or close, an item of this kind.

    Nobody is told what they say themselves; but that they did it, who promised says best.
    """
    if item.kind == "promise":
        return happened or (about is not None and about.person_id in (item.person_id, item.owner))
    return about is None or about.person_id != item.owner or happened


def promise_again(items: Iterable[WatchItem], person: PersonId, what: str) -> WatchItem | None:
    """The promise of this person that the words are about once more; None where it is a new one."""
    mine = [w for w in items if w.kind == "promise" and w.person_id == person]
    return next((w for w in reversed(mine) if likeness(w.what, what) >= ALIKE), None)


def awaited_of(expectation: Expectation) -> AwaitedEvent:
    """The same for an expectation."""
    return AwaitedEvent(
        item_id=expectation.expectation_id, what=expectation.what, who=expectation.who, kind="expectation"
    )
