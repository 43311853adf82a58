"""Pacing: how fast a channel may be written to, fair between chats.

The limits count what arrives at the other side, which is some time between the start of a request and its answer. So a
request counts from its start, and its place in the window is the moment of its answer: whatever the network does, no
window over there ever holds more than the limit.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from core.errors import Paced

Seconds = float

_STALE = 5.0
"""Requests that hang shall not hold up all other chats for longer than this."""

_REMEMBERED = 1000
"""Chats kept in mind before those with nothing to remember are let go."""


@dataclass(frozen=True)
class Rate:
    """At most `limit` in any `period` seconds."""

    limit: int
    period: Seconds


class Window:
    """Keeps one rate. Pure: every method takes the time, in seconds of any steady clock."""

    def __init__(self, rate: Rate, stale: Seconds = math.inf) -> None:
        """`stale`: a request without an answer for this long is taken to have arrived."""
        self._rate = rate
        self._stale = stale
        self._running: dict[int, Seconds] = {}
        self._past: deque[Seconds] = deque()
        self._number = 0

    def free_at(self, now: Seconds) -> Seconds:
        """No more may start before this; `now` if one may. Ask again then: what runs may have ended later."""
        self._settle(now)
        excess = len(self._running) + len(self._past) + 1 - self._rate.limit
        if excess <= 0:
            return now
        ends = [*self._past, *(now for _ in self._running)]
        return ends[excess - 1] + self._rate.period

    def start(self, now: Seconds) -> int:
        """One starts; the number is for `end`."""
        self._number += 1
        self._running[self._number] = now
        return self._number

    def end(self, number: int, now: Seconds) -> None:
        """Its answer came (or it failed)."""
        if self._running.pop(number, None) is None:
            return
        self._past.append(now)
        if len(self._past) > 1 and now < self._past[-2]:
            self._past = deque(sorted(self._past))

    def remember(self, at: Seconds) -> None:
        """One has ended at this moment of the past."""
        self._past = deque(sorted((*self._past, at)))

    def idle(self, now: Seconds) -> bool:
        """Nothing to remember."""
        self._settle(now)
        return not self._running and not self._past

    def _settle(self, now: Seconds) -> None:
        for number, start in list(self._running.items()):
            if now - start >= self._stale:
                self.end(number, start + self._stale)
        while self._past and self._past[0] + self._rate.period <= now:
            self._past.popleft()


@dataclass(frozen=True)
class Rates:
    """The limits of a channel. `group` comes on top of `chat` for group chats, `sustained` on top of `overall`."""

    chat: Rate
    group: Rate | None
    overall: Rate
    sustained: Rate | None = None


class _Chat:
    """One chat: its windows, its turn (first come, first served) and until when it is blocked."""

    def __init__(self, windows: list[Window]) -> None:
        self.windows = windows
        self.turn = asyncio.Lock()
        self.waiting = 0
        self.blocked_until: Seconds = 0.0

    def free_at(self, now: Seconds) -> Seconds:
        """No request of this chat may start before this."""
        return max(self.blocked_until, now, *(window.free_at(now) for window in self.windows))

    def idle(self, now: Seconds) -> bool:
        """Nothing to remember."""
        return not self.waiting and self.blocked_until <= now and all(window.idle(now) for window in self.windows)


class Pace:
    """Lets requests through no faster than the rates allow.

    Within a chat they keep their order. A chat with many waiting has one of them in the common queue at a time, so it
    holds up nobody else; nor does a chat that is blocked.
    """

    def __init__(
        self,
        rates: Rates,
        *,
        monotonic: Callable[[], Seconds] = time.monotonic,
        sleep: Callable[[Seconds], Awaitable[None]] = asyncio.sleep,
        patience: Seconds = 5.0,
    ) -> None:
        """`patience`: a wait longer than this is refused instead, so that the sender can turn to another chat."""
        self._rates = rates
        self._now = monotonic
        self._sleep = sleep
        self._patience = patience
        common = (rates.overall, rates.sustained)
        self._overall = [Window(rate, stale=_STALE) for rate in common if rate]
        self._common_turn = asyncio.Lock()
        self._chats: dict[str, _Chat] = {}

    @asynccontextmanager
    async def turn(self, chat: str, *, group: bool = False) -> AsyncIterator[None]:
        """Wait for the chat's turn; the request runs inside.

        Raises `Paced`, with the time to wait and nothing sent, when that is longer than `patience`.
        """
        state = self._chat(chat, group)
        state.waiting += 1
        try:
            async with state.turn:
                running = await self._admit(state)
                try:
                    yield
                finally:
                    for window, number in running:
                        window.end(number, self._now())
        finally:
            state.waiting -= 1

    async def pause(self, chat: str, *, group: bool = False) -> None:
        """Until the chat's next turn may come, as things are now. Raises `Paced` as `turn` does."""
        await self._until(self._chat(chat, group).free_at, self._patience)

    def remember(self, chat: str, ago: Seconds, *, group: bool = False) -> None:
        """A request of so long ago, of an earlier life. To be told in their order, the oldest first."""
        at = self._now() - max(ago, 0.0)
        for window in (*self._chat(chat, group).windows, *self._overall):
            window.remember(at)

    def block(self, chat: str, seconds: Seconds, *, group: bool = False) -> None:
        """The other side wants nothing for this chat for so long."""
        state = self._chat(chat, group)
        state.blocked_until = max(state.blocked_until, self._now() + seconds)

    async def _admit(self, state: _Chat) -> list[tuple[Window, int]]:
        await self._until(state.free_at, self._patience)
        async with self._common_turn:
            await self._until(lambda now: max(window.free_at(now) for window in self._overall))
            now = self._now()
            return [(window, window.start(now)) for window in (*state.windows, *self._overall)]

    async def _until(self, free_at: Callable[[Seconds], Seconds], patience: Seconds | None = None) -> None:
        while (wait := free_at(now := self._now()) - now) > 0:
            if patience is not None and wait > patience:
                raise Paced("this chat takes no more messages yet", timedelta(seconds=wait))
            await self._sleep(wait)

    def _chat(self, name: str, group: bool) -> _Chat:
        if name not in self._chats:
            if len(self._chats) >= _REMEMBERED:
                now = self._now()
                self._chats = {n: c for n, c in self._chats.items() if not c.idle(now)}
            rates = [self._rates.chat, self._rates.group if group else None]
            self._chats[name] = _Chat([Window(rate) for rate in rates if rate])
        return self._chats[name]
