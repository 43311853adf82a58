"""Things to look out for: how long, and as what they are put to the brain (RULES 2)."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.agenda.model import Expectation, WatchItem
from core.brain.rules.words.text import fold
from core.brain.views import AwaitedEvent
from core.people import Person

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
    """The item as the brain is asked about it; `who` is the name of its person."""
    return AwaitedEvent(item_id=item.watch_id, what=item.what, who=who, kind="watch")


def awaited_of(expectation: Expectation) -> AwaitedEvent:
    """The same for an expectation."""
    return AwaitedEvent(
        item_id=expectation.expectation_id, what=expectation.what, who=expectation.who, kind="expectation"
    )
