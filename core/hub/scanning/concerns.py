"""ConcernScheduler: finds concerns whose moment has come and makes a timer fact of each.

It decides nothing and sends nothing: the fact walks the same way as a message does. The event id derives from the
moment itself, so however often a scan runs, one instant fires a concern once.
"""

from __future__ import annotations

from datetime import datetime

from core.concern.model import Concern
from core.facts import Fact, FactKind, Trigger
from core.hub.services import Services
from core.ids import ConcernId, ConversationId
from core.ports import Repositories

TIMER = "timer"
"""The channel name of facts that a scan makes."""

BATCH = 200
"""Concerns taken per scan; the rest is found by the next one, which follows at once."""


class ConcernScheduler:
    """The scans over concerns. Each looks within an open transaction."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def scan_timeouts(self, repos: Repositories) -> int:
        """Delegates who owe an answer and whose interval ran out → trigger `timeout`. Returns how many are new."""
        now = self._services.clock.now()
        found = repos.concerns.timed_out(now, BATCH)
        return sum(_store(repos, c, Trigger.TIMEOUT, c.timeout_at, now) for c in found)

    def scan_due_concerns(self, repos: Repositories) -> int:
        """`next_action.when` for any other reason → trigger `due`. Returns how many facts are new.

        A concern that is due for both reasons at one instant is left to `scan_timeouts`: it is fired once.
        """
        now = self._services.clock.now()
        found = [c for c in repos.concerns.due(now, BATCH) if c.timeout_at is None or c.timeout_at > now]
        return sum(_store(repos, c, Trigger.DUE, c.due_at, now) for c in found)

    def scan_schedules(self, repos: Repositories) -> int:
        """Schedules whose planned run is due → trigger `schedule`. Returns how many facts are new."""
        now = self._services.clock.now()
        found = repos.concerns.schedules_due(now, BATCH)
        return sum(_store(repos, c, Trigger.SCHEDULE, c.due_at, now) for c in found)


def _store(repos: Repositories, concern: Concern, trigger: Trigger, at: datetime | None, now: datetime) -> int:
    occasion = f"{at.isoformat() if at else concern.version}:{concern.version}"
    return int(repos.facts.add(timer_fact(concern.concern_id, trigger, occasion, now), now) is not None)


def timer_fact(concern_id: ConcernId, trigger: Trigger, occasion: str, now: datetime) -> Fact:
    """That a concern's moment has come; `occasion` tells one such moment from another."""
    return Fact(
        channel=TIMER,
        event_id=f"{trigger}:{concern_id}:{occasion}",
        kind=FactKind.TIMER,
        occurred_at=now,
        conversation=ConversationId(f"concern:{concern_id}"),
        trigger=trigger,
        concern_id=concern_id,
    )
