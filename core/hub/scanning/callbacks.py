"""CallbackScheduler: the scan for what somebody is owed and is due (RULES 7). It delivers nothing itself.

A due record becomes a fact in the lane of its chat, in the transaction that marks it as taken up. A chat that is busy
in the foreground is left for the next scan, for a while; then its record takes its place in the lane like any other.
Of each chat one is taken up at a time, so that whoever writes there meanwhile waits for one and not for all.
"""

from __future__ import annotations

from datetime import datetime

from core.callbacks import CHANNEL, Callback, due_callbacks
from core.facts import Fact, FactKind
from core.hub.services import Services
from core.ids import ConversationId
from core.ports import Repositories

BATCH = 200


class CallbackScheduler:
    """Makes facts of records that are due."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def scan_callbacks(self, repos: Repositories) -> int:
        """Take up what is due and whose chat is free. Returns how many facts are new."""
        now, taken = self._services.clock.now(), 0
        seen = set[ConversationId]()
        # A chat with much to deliver must not fill the batch: without it there is another look.
        while True:
            before = len(seen)
            for record in due_callbacks(repos.callbacks.due(now, BATCH, seen), now):
                if record.chat_id in seen:
                    continue
                if self._may_go(repos, record, now):
                    if not _take_up(repos, record, now):
                        continue
                    taken += 1
                seen.add(record.chat_id)
            if len(seen) == before or taken >= BATCH:
                return taken

    def _may_go(self, repos: Repositories, record: Callback, now: datetime) -> bool:
        """Whether its chat is free, or has been busy for so long that it goes into the lane all the same."""
        if repos.facts.delivering(record.chat_id, now):
            return False
        has_waited = now - record.due_at >= self._services.limits.callback.deferred_at_most
        return has_waited or not repos.facts.busy(record.chat_id, now)


def _take_up(repos: Repositories, record: Callback, now: datetime) -> bool:
    """One fact a record; false when somebody was quicker, or the same was delivered before."""
    if not repos.callbacks.fire(record.id):
        return False
    fact = Fact(
        channel=CHANNEL,
        event_id=record.id,
        kind=FactKind.CALLBACK,
        occurred_at=now,
        conversation=record.chat_id,
        person_id=record.person_id,
        item_id=record.id,
    )
    if repos.facts.add(fact, now) is None:  # the same cause once more, after its delivery
        repos.callbacks.remove(record.id)
        return False
    return True
