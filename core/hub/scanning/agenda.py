"""AgendaScheduler: finds expectations and watch items whose moment has come and makes a fact of each (RULES 2).

It decides nothing and tells nobody: the hub alone judges what an absence means. The event id derives from the item and
the moment, so one moment makes one fact, however often a scan runs.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from core.facts import Fact, FactKind
from core.hub.scanning.concerns import BATCH, TIMER
from core.hub.services import Services
from core.ids import ConversationId
from core.ports import Repositories

ON_ITS_WAY = timedelta(minutes=1)
"""A moment that went by this long ago found the bot down: what was sent meanwhile gets as long to come in."""


class AgendaScheduler:
    """The scans over the agenda. Each looks within an open transaction."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def scan_expectations(self, repos: Repositories) -> int:
        """Expectations whose moment has come. Returns how many facts are new."""
        now = self._services.clock.now()
        found = repos.agenda.expectations_due(now, BATCH)
        return sum(_store(repos, e.expectation_id, e.next_due, e.conversation, now) for e in found)

    def scan_watches(self, repos: Repositories) -> int:
        """Watch items whose time is over. Returns how many facts are new."""
        now = self._services.clock.now()
        found = repos.agenda.watches_due(now, BATCH)
        return sum(_store(repos, w.watch_id, w.expires_at, w.conversation, now) for w in found)


def _store(repos: Repositories, item_id: str, at: datetime | None, conversation: ConversationId, now: datetime) -> int:
    fact = Fact(
        channel=TIMER,
        event_id=f"{item_id}:{at.isoformat() if at else ''}",
        kind=FactKind.ABSENCE,
        occurred_at=now,
        conversation=conversation,
        item_id=item_id,
    )
    late = at is not None and now - at >= ON_ITS_WAY
    return int(repos.facts.add(fact, now + ON_ITS_WAY if late else now) is not None)
