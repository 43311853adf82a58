"""The app's token: fetched once for all who need it, and anew well before it ends."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

Seconds = float

Fetch = Callable[[], Awaitable[tuple[str, Seconds]]]
"""A token, and for how long it is good from now on."""

RENEWED_BEFORE: Seconds = 20 * 60
"""Feishu gives a new one from half an hour before the end on, and the old one stays good beside it."""
LOOKS_EVERY: Seconds = 60
_LAST: Seconds = 30
"""Nothing is begun with a token that ends sooner."""


class Tokens:
    """Hands out the token. One renewal at a time; who can go on with the old one does not wait for it."""

    def __init__(self, fetch: Fetch, monotonic: Callable[[], Seconds] = time.monotonic) -> None:
        self._fetch = fetch
        self._now = monotonic
        self._token: str | None = None
        self._renew_at: Seconds = 0
        self._ends_at: Seconds = 0
        self._renewing = asyncio.Lock()

    async def get(self) -> str:
        """A good one. Raises what the fetch raised, where there is none to go on with."""
        now = self._now()
        if self._token is not None and now < self._renew_at:
            return self._token
        good = self._token if now < self._ends_at - _LAST else None
        if good is not None and self._renewing.locked():
            return good
        async with self._renewing:
            if self._token is None or self._now() >= self._renew_at:
                try:
                    await self._renew()
                except Exception as error:
                    if good is None:
                        raise
                    log.warning("Feishu gave no new token, the old one is still good: %s", error)
                    return good
            return self._token or ""

    def forget(self, token: str) -> None:
        """Feishu does not take it any more."""
        if self._token == token:
            self._token = None
            self._renew_at = self._ends_at = 0

    async def keep(self, sleep: Callable[[Seconds], Awaitable[None]]) -> None:
        """Have a good one at any time, until cancelled."""
        while True:
            try:
                await self.get()
            except Exception as error:
                log.info("Feishu gives no token: %s", error)
            await sleep(LOOKS_EVERY)

    async def _renew(self) -> None:
        asked = self._now()
        token, lasts = await self._fetch()
        self._token = token
        self._ends_at = asked + lasts
        self._renew_at = self._ends_at - min(RENEWED_BEFORE, lasts / 2)
