"""Stores what comes in. What comes while one unit of work is under way goes into the next, all of it together.

Each unit waits for the disk, and everything else that the bot does waits for the unit: a burst that took one for each
fact would hold up whoever chats. A fact that comes alone is stored at once, alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.runtime.breath import AT_ONCE, put
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.errors import StorageFailed
from core.facts import Fact
from core.limits import DebounceLimits
from core.people import who_did
from core.ports import Clock

MOST = 100
"""Facts of one unit of work."""

_Waiting = tuple[Fact, "asyncio.Future[bool]"]


class Intake:
    """The way into the inbox, in the order of coming."""

    def __init__(self, store: PeeweeStore, clock: Clock, debounce: DebounceLimits = AT_ONCE) -> None:
        self._store = store
        self._clock = clock
        self._debounce = debounce
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def take(self, fact: Fact) -> bool:
        """True when it is new. When this returns, it is on disk. Raises `StorageFailed`, and then it is not."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((fact, stored))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await stored

    async def _write(self) -> None:
        try:
            while self._waiting:
                together, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                await self._store_all(together)
        finally:
            self._writing = None

    async def _store_all(self, together: Sequence[_Waiting]) -> None:
        """Store them, and tell each what became of theirs. One that does not go in must not keep the others out."""
        now = self._clock.now()

        def add(repos: StoreRepositories) -> list[bool]:
            return [put(repos, _attributed(repos, fact), now, self._debounce) is not None for fact, _ in together]

        try:
            new = await self._store.run(add, at="accept")
        except BaseException as error:
            if len(together) > 1 and isinstance(error, Exception) and not isinstance(error, StorageFailed):
                for one in together:
                    await self._store_all([one])
            for _, stored in together:
                if not stored.done():
                    stored.set_exception(error)
            return
        for (_, stored), is_new in zip(together, new, strict=True):
            if not stored.done():
                stored.set_result(is_new)


def _attributed(repos: StoreRepositories, fact: Fact) -> Fact:
    """An event with the person who stands behind it, where the directory knows."""
    if fact.event is None or fact.person_id is not None:
        return fact
    who = who_did(fact.event, repos.people.all())
    return fact if who is None else fact.model_copy(update={"person_id": who.person_id})
