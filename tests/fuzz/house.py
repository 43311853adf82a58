"""The whole bot on a database of its own and a clock that is moved, with a real channel whose server is in memory."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Self

from bot.app import App, build_app
from bot.settings import build_settings
from bot.system import SequenceIds, VirtualClock
from core.brain.rules import RuleBrain
from core.limits import DebounceLimits
from core.ports import Channel
from tests.fuzz import cast
from tests.fuzz.nonsense import Nonsense

MONDAY = datetime.fromisoformat("2026-03-16T09:30:00+08:00")
STEPS = (0, 1, 4, 7, 20, 45, 61, 90)
"""Seconds between two handfuls of inputs; now and then hours go by."""


async def no_sleep(seconds: float) -> None:
    """Takes no time."""
    await asyncio.sleep(0)


@dataclass(frozen=True)
class Receipt:
    """A message that went out, or its first part."""

    key: str
    purpose: str
    conversation: str
    person_id: str | None
    text: str
    at: int


@dataclass(frozen=True)
class Taken:
    """Something that came in and was stored."""

    kind: str
    conversation: str
    sender: str
    text: str
    forwarded_from: str | None


class Listener(logging.Handler):
    """What the log holds that it should not: errors, traces, and what people said."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.set_aside = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it if it is bad."""
        line = record.getMessage()
        self.set_aside += "set aside" in line
        if record.levelno >= logging.ERROR or record.exc_info or "Traceback" in line or cast.PLANTED in line:
            trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
            self.bad.append(f"{record.levelname} {record.name}: {line[:400]}\n{trace}")


class House(ABC):
    """The bot and its channel. A subclass says how inputs come in."""

    def __init__(self, folder: Path, nonsense: Nonsense, *, debounce: bool) -> None:
        self._folder = folder
        self._nonsense = nonsense
        self._debounce = DebounceLimits() if debounce else DebounceLimits(within=timedelta())
        self._last_receipt = self._last_fact = 0
        self.clock = VirtualClock(MONDAY)
        self.listener = Listener()
        self.shown: list[str] = []
        """The data of the buttons that were sent."""
        self.channel = self.make_channel()

    @abstractmethod
    def make_channel(self) -> Any:
        """The real one, on a server in memory."""

    @abstractmethod
    async def bring(self, inputs: Sequence[Any]) -> None:
        """Let them come in, all of them; each must have been acknowledged when this returns."""

    @abstractmethod
    def says(self, who: cast.Member, text: str) -> Any:
        """An input: somebody writes to the bot."""

    @abstractmethod
    async def open_inlet(self) -> None:
        """Whatever must run for that."""

    @abstractmethod
    async def close_inlet(self) -> None:
        """The end of it."""

    async def __aenter__(self) -> Self:
        root = logging.getLogger()
        self._level = root.level
        root.addHandler(self.listener)
        root.setLevel(logging.INFO)
        asyncio.get_running_loop().set_exception_handler(self._unhandled)
        file = self._folder / "bot.db"
        channels: dict[str, Channel] = {self.channel.name: self.channel}
        self.app: App = await build_app(
            build_settings(cast.people(), "the test"),
            clock=self.clock,
            ids=SequenceIds(),
            brain=RuleBrain(),
            channels=channels,
            database_url=f"sqlite:///{file}",
            inline=True,
            debounce=self._debounce,
        )
        self._db = sqlite3.connect(file)
        await self.open_inlet()
        return self

    async def __aexit__(self, *_: object) -> None:
        root = logging.getLogger()
        root.removeHandler(self.listener)
        root.setLevel(self._level)
        await self.close_inlet()
        self._db.close()
        await self.app.close()
        await self.channel.close()

    def _unhandled(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.listener.bad.append(f"nobody took up: {context.get('message')} {context.get('exception')!r}")

    # --- time ---------------------------------------------------------------------------------------------------------

    async def settle(self) -> None:
        """All that is due is done."""
        await self.app.settle()
        for _ in range(3):  # answers to presses
            await asyncio.sleep(0)
        if self._debounce.within:
            self.clock.set(self.clock.now() + self._debounce.at_most)
            await self.app.settle()

    async def pass_time(self) -> None:
        """A moment goes by, seldom some hours."""
        step = timedelta(seconds=self._nonsense.one(STEPS))
        if self._nonsense.happens(0.02):
            step = timedelta(hours=self._nonsense.random.randint(1, 30))
        await self.wait_until(self.clock.now() + step)

    async def wait_until(self, until: datetime) -> None:
        """Each thing on the way happens at its own time."""
        while (due := await self.app.next_due()) is not None and due <= until:
            self.clock.set(max(due, self.clock.now()))
            await self.app.settle()
        self.clock.set(until)

    # --- looking ------------------------------------------------------------------------------------------------------

    def receipts(self) -> list[Receipt]:
        """What went out since this was asked last."""
        rows = self._db.execute(
            "SELECT id, job_key, purpose, conversation, person_id, json_extract(body, '$.text'), at FROM receipts"
            " WHERE id > ? AND part = 0 ORDER BY id",
            (self._last_receipt,),
        ).fetchall()
        self._last_receipt = max((row[0] for row in rows), default=self._last_receipt)
        return [Receipt(*row[1:]) for row in rows]

    def taken(self) -> list[Taken]:
        """What people did that was stored since this was asked last."""
        rows = self._db.execute(
            "SELECT id, kind, conversation, sender, coalesce(json_extract(body, '$.text'), '')"
            " || coalesce(json_extract(body, '$.button'), ''),"
            " json_extract(body, '$.forwarded_from') FROM facts"
            " WHERE id > ? AND kind IN ('message', 'edit', 'recall', 'button') ORDER BY id",
            (self._last_fact,),
        ).fetchall()
        self._last_fact = max((row[0] for row in rows), default=self._last_fact)
        return [Taken(*row[1:]) for row in rows]

    def unwell(self) -> list[tuple[Any, ...]]:
        """Facts that failed, are put off because of a fault or lie there; jobs that failed."""
        facts = "SELECT id, kind, state, reason, attempts, body FROM facts WHERE decision = 'failed' OR kind = 'unreadable' OR attempts > 0"
        jobs = "SELECT id, kind, state, reason, attempts, key FROM jobs WHERE attempts > 0 AND state IN ('pending', 'failed')"
        with suppress(sqlite3.OperationalError):
            return self._db.execute(facts).fetchall() + self._db.execute(jobs).fetchall()
        return []
