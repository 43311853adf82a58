"""CallbackScheduler: the scan for what somebody is owed and is due (RULES 7). It delivers nothing itself.

A due record becomes a fact in the lane of its chat, in the transaction that marks it as taken up. A chat that is busy
in the foreground is left for the next scan, for a while; then its record takes its place in the lane like any other.
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

    async def scan_callbacks(self) -> int:
        """Take up what is due and whose chat is free. Returns how many facts are new."""
        return await self._services.store.run(self._scan, at="scan")

    def _scan(self, repos: Repositories) -> int:
        now, taken = self._services.clock.now(), 0
        free, busy = set[ConversationId](), set[ConversationId]()
        # A busy chat with much to deliver must not fill the batch: without it there is another look.
        while True:
            before = len(busy)
            for record in due_callbacks(repos.callbacks.soonest(BATCH, busy), now):
                chat = record.chat_id
                if chat not in free | busy:
                    (busy if repos.facts.busy(chat, now) else free).add(chat)
                if chat in free or self._has_waited(record, now):
                    taken += _take_up(repos, record, now)
            if len(busy) == before or taken >= BATCH:
                return taken

    def _has_waited(self, record: Callback, now: datetime) -> bool:
        """So long that it goes into the lane though the chat is busy."""
        return now - record.due_at >= self._services.limits.callback.deferred_at_most


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
