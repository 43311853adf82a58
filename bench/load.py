"""The other side: the Bot API server, users who write to it, and what they see of a bot."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.wire.botapi import BotApi, Sent, World
from tests.wire.fake_openai import Behaviour, FakeOpenAI, completion, fake_openai, web

ROOT = Path(__file__).parents[1]
QUESTION = "在吗"
"""An echo's counterpart: stored, judged, answered, queued, sent, with receipts. Nobody else is written to."""
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    one_by_one: int
    chats: int
    messages: int


@dataclass(frozen=True)
class Figures:
    """What one bot did. Seconds, bytes, messages a second; `cpu` is processor time for each message under load.

    `start` is the time until it asks for updates, `start_cpu` what of it the processor worked for the bot.
    """

    start: float
    start_cpu: float
    p50: float
    p95: float
    rate: float
    cpu: float
    memory: int


class Ledger(list[Sent]):
    """The server's ledger, which tells when something was accepted."""

    def __init__(self, heard: Callable[[Sent], None]) -> None:
        super().__init__()
        self._heard = heard

    def append(self, sent: Sent) -> None:
        """Keep it and tell."""
        super().append(sent)
        self._heard(sent)


class Users:
    """People in chats of their own; each may wait for one answer."""

    def __init__(self) -> None:
        self.server = BotApi(world=World(open_chats=True))
        self.server.world.sent = Ledger(self._heard)
        self._waiting: dict[int, asyncio.Future[float]] = {}

    def _heard(self, sent: Sent) -> None:
        waiting = self._waiting.pop(sent.chat, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(sent.at)

    async def ask(self, chat: int, text: str) -> float:
        """Seconds from the moment when the update is there to the moment when its answer is."""
        self._waiting[chat] = asyncio.get_running_loop().create_future()
        asked = time.monotonic()
        self.server.user_says(chat, text)
        async with asyncio.timeout(PATIENCE_S):
            return await self._waiting[chat] - asked

    async def ask_all(self, chats: int, messages: int) -> float:
        """Messages a second, with one in flight in each chat until all are answered."""
        left = iter(range(messages))

        async def one(chat: int) -> None:
            for _ in left:
                await self.ask(chat, QUESTION)

        began = time.monotonic()
        await asyncio.gather(*(one(chat) for chat in range(1, chats + 1)))
        return messages / (time.monotonic() - began)


def agreeable() -> Behaviour:
    """A model that answers at once: the message is small talk, and here are words for it."""

    async def behave(server: FakeOpenAI, _: web.Request) -> web.StreamResponse:
        body = server.requests.pop()
        server.keys.clear()
        return web.json_response(completion({"content": _answer(body)}))

    return behave


def _answer(body: dict[str, Any]) -> str:
    name = body.get("response_format", {}).get("json_schema", {}).get("name")
    if name == "judge":
        return '{"decision": "converse", "targets": [], "unclear": false, "reason": "small talk"}'
    return '{"text": "在跟的事都在按计划走。"}'


@contextlib.asynccontextmanager
async def _process(which: str, users: Users, sizes: Sizes, model: str | None) -> AsyncIterator[psutil.Process]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        arguments = ["--base-url", users.server.base_url, "--token", users.server.token]
        arguments += ["--database", f"{folder}/bench.db", "--chats", str(sizes.chats)]
        arguments += ["--model", model] if model else []
        with (Path(folder) / "log").open("w+") as log:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bench.subject", which, *arguments, cwd=ROOT, stdout=log, stderr=log
            )
            try:
                yield psutil.Process(process.pid)
            except TimeoutError:
                log.seek(0)
                raise SystemExit(f"{which} does not answer: {log.read()[-2000:]}") from None
            finally:
                if process.returncode is None:
                    process.terminate()
                await process.wait()


def _worked(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


async def measure(which: str, sizes: Sizes, model: str | None = None) -> Figures:
    """Start a bot afresh, ask it one by one, then all at once."""
    users = Users()
    await users.server.start()
    try:
        began = time.monotonic()
        async with _process(which, users, sizes, model) as process:
            await users.server.until(lambda: any(name == "getUpdates" for name, _ in users.server.calls), PATIENCE_S)
            start, start_cpu = time.monotonic() - began, _worked(process)
            await users.ask(1, QUESTION)
            waits = sorted([await users.ask(1, QUESTION) for _ in range(sizes.one_by_one)])
            before = _worked(process)
            rate = await users.ask_all(sizes.chats, sizes.messages)
            return Figures(
                start=start,
                start_cpu=start_cpu,
                p50=statistics.median(waits),
                p95=waits[int(0.95 * (len(waits) - 1))],
                rate=rate,
                cpu=(_worked(process) - before) / sizes.messages,
                memory=process.memory_info().rss,
            )
    finally:
        await users.server.stop()


@contextlib.asynccontextmanager
async def instant_model() -> AsyncIterator[str]:
    """The base URL of a model that answers at once."""
    async with fake_openai() as server:
        server.otherwise = agreeable()
        yield server.url
