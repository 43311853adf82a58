"""One fact: commands first, then the hub, and what a failure means."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

from bot.logs import about, named
from bot.metrics import JUDGEMENTS
from bot.runtime.runner import FAULT_RETRIES, HANGS_S
from bot.runtime.turns import Turn, Turns
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.effects import Outgoing, Purpose, Send, Words
from core.errors import BrainError, StaleVersion, StorageFailed, TakenOver
from core.facts import FactKind, StoredFact
from core.hub.commit import apply
from core.hub.hub import CognitiveHub
from core.jobs import MODEL_RETRIES
from core.ports import Clock

log = logging.getLogger(__name__)

Handler = Callable[[StoredFact], Coroutine[Any, Any, bool]]
"""Tries to handle a fact outside the hub (slash commands); true when it did."""


class Inbox:
    """Works off facts, each to its end: handled, put off, or given up with an apology."""

    def __init__(self, store: PeeweeStore, hub: CognitiveHub, commands: Handler, clock: Clock) -> None:
        self._store = store
        self._hub = hub
        self._commands = commands
        self._clock = clock
        self._turns = Turns(store, clock)

    async def handle(self, stored: StoredFact) -> None:
        """A brain that fails puts the fact off; a fault of ours does too, a few times. Raises `StorageFailed`."""
        async with self._turns.begin(fact=stored.fact_id, concern=stored.fact.concern_id) as turn:
            await self._to_its_end(stored, turn)

    async def _to_its_end(self, stored: StoredFact, turn: Turn) -> None:
        try:
            async with asyncio.timeout(HANGS_S):
                await self._handle(stored, turn)
        except StorageFailed:
            raise
        except TakenOver as error:
            log.warning("fact %s: %s", stored.fact_id, error)
        except BrainError as error:
            log.warning("fact %s: %s", stored.fact_id, error)
            await self._put_off(stored, MODEL_RETRIES.after(stored.attempts + 1), str(error))
        except StaleVersion as error:
            await self._put_off(stored, timedelta(seconds=1), str(error))
        except Exception as error:
            log.exception("fact %s failed", stored.fact_id)
            wait = FAULT_RETRIES.after(stored.attempts + 1, f"f{stored.fact_id}")
            await self._put_off(stored, wait, named(error))

    async def _handle(self, stored: StoredFact, turn: Turn) -> None:
        if await self._is_no_news(stored) or await self._commands(stored):
            return
        outcome = await self._hub.handle(stored)
        about(concern=next(iter(outcome.concerns), stored.fact.concern_id))
        JUDGEMENTS.took(turn.seconds, outcome.decision, outcome.brain)
        log.info("fact %s: %s", stored.fact_id, outcome.decision)

    async def _is_no_news(self, stored: StoredFact) -> bool:
        """An edit that changes no word is closed at once, command or not."""
        if stored.fact.kind is not FactKind.EDIT:
            return False

        def close(repos: StoreRepositories) -> bool:
            if not repos.facts.is_unchanged(stored):
                return False
            repos.facts.handled(stored.fact_id, "ignore", "an edit that changes nothing", "", self._clock.now())
            return True

        return await self._store.run(close, at="no_news")

    async def _put_off(self, stored: StoredFact, wait: timedelta | None, reason: str) -> None:
        now, attempts = self._clock.now(), stored.attempts + 1
        if wait is None and stored.fact.kind is FactKind.CALLBACK:
            wait = FAULT_RETRIES.delays[-1]  # what somebody is owed is not given up
        if wait is not None:
            await self._store.run(lambda repos: repos.facts.defer(stored.fact_id, now + wait, attempts), at="defer")
            return
        await self._store.run(lambda repos: self._give_up(repos, stored, reason), at="give_up")

    def _give_up(self, repos: StoreRepositories, stored: StoredFact, reason: str) -> None:
        """A fault of ours that did not go away: the fact is closed, and who wrote it is asked to say it again."""
        now, fact = self._clock.now(), stored.fact
        repos.facts.handled(stored.fact_id, "failed", reason, "", now)
        if fact.kind is FactKind.MESSAGE and not fact.group:
            sorry = Outgoing(
                purpose=Purpose.REPLY,
                conversation=fact.conversation,
                words=Words(template="chat/failed"),
                answers=True,
            )
            apply(repos, Send(key=f"failed:f{stored.fact_id}", due=now, message=sorry))
