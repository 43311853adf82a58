"""Turns: one fact, or one job, from its beginning to its end.

Whatever happens within a turn is told and counted as belonging to it: its log lines bear its ids, its questions share a
purse, and what the model cost is written down once, when it ends, under the concern that it turned out to be about.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import reduce
from operator import add

from bot.brain.budget import Call, new_turn
from bot.logs import about, no_longer, subject
from bot.store.repositories import StoreRepositories
from bot.store.repositories.usage import Spent
from bot.store.unit import PeeweeStore
from core.errors import StorageFailed
from core.hub.services import owner_date
from core.ids import ConcernId, FactId
from core.ports import Clock

log = logging.getLogger(__name__)


class Turn:
    """One that is under way."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._began


class Turns:
    """Begins turns, and keeps the account of what they cost."""

    def __init__(self, store: PeeweeStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    @asynccontextmanager
    async def begin(
        self, *, fact: int | None = None, job: int | None = None, concern: str | None = None
    ) -> AsyncIterator[Turn]:
        """Around the work of a turn. Its concern may become known on the way (`bot.logs.about`)."""
        spent = new_turn().calls
        token = about(fact=fact, job=job, concern=concern)
        try:
            yield Turn()
        finally:
            try:
                if spent:
                    await self._book(spent, fact)
            finally:
                no_longer(token)

    async def _book(self, calls: Sequence[Call], fact: int | None) -> None:
        """One unit of work. An account that cannot be kept is no reason to fail what it is about."""
        cost = reduce(add, map(_spent, calls))
        concern, now = subject().concern, self._clock.now()

        def keep(repos: StoreRepositories) -> None:
            about = ConcernId(concern) if concern else _raised_by(repos, fact)
            day = owner_date(now, repos.people.owner()).isoformat()
            repos.usage.add(day, about, cost)

        try:
            await self._store.run(keep, at="usage")
        except StorageFailed as error:
            log.warning("%d calls of the model are not in the account: %s", cost.calls, error)


def _raised_by(repos: StoreRepositories, fact: int | None) -> ConcernId | None:
    """The concern that a message has raised, the first of several."""
    stored = repos.facts.get(FactId(fact)) if fact is not None else None
    if stored is None or stored.fact.message_id is None:
        return None
    sender = repos.people.by_identity(stored.fact.channel, stored.fact.sender)
    if sender is None:
        return None
    raised = repos.concerns.by_origin(stored.fact.channel, stored.fact.message_id, sender.person_id)
    return raised[0].concern_id if raised else None


def _spent(call: Call) -> Spent:
    return Spent(1, int(not call.ok), call.tokens_in, call.tokens_out, round(call.seconds * 1000))
