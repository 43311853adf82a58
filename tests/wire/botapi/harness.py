"""A Telegram channel that runs against the server, for tests."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from bot.channels.telegram import TelegramChannel
from bot.system import SystemClock
from core.facts import Fact
from tests.wire.botapi.server import BotApi
from tests.wire.loopback import NO_LIMITS


@dataclass
class Inbox:
    """Stores facts, unique as the real one; `trouble` is raised instead while it is set."""

    facts: list[Fact] = field(default_factory=list)
    copies: int = 0
    trouble: Exception | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    entered: int = 0

    def __post_init__(self) -> None:
        self.gate.set()

    async def emit(self, fact: Fact) -> bool:
        self.entered += 1
        await self.gate.wait()
        if self.trouble is not None:
            raise self.trouble
        if any(known.event_id == fact.event_id for known in self.facts):
            self.copies += 1
            return False
        self.facts.append(fact)
        return True

    @property
    def texts(self) -> list[str]:
        return [fact.text for fact in self.facts]


@dataclass
class Pauses:
    """A sleep that takes no time and remembers how long it should have been."""

    taken: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)
        await asyncio.sleep(0.001)

    def monotonic(self) -> float:
        """A clock that runs on through the pauses."""
        return time.monotonic() + sum(self.taken)


def channel_for(server: BotApi, **options: Any) -> TelegramChannel:
    """With no limits and shorter time-outs than usual unless `options` say otherwise."""
    defaults = {"rates": NO_LIMITS, "answer_within": timedelta(seconds=5), "poll": timedelta(seconds=5)}
    clock = options.pop("clock", None) or SystemClock()
    return TelegramChannel(server.token, clock, base_url=server.base_url, **{**defaults, **options})


@contextlib.asynccontextmanager
async def bot_api() -> AsyncIterator[BotApi]:
    """A server that knows the owner (1001) and 张三 (2001)."""
    server = BotApi()
    await server.start()
    server.add_user(1001, "老板")
    server.add_user(2001, "张三")
    try:
        yield server
    finally:
        await server.stop()
