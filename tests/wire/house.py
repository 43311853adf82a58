"""The whole bot, put together as `serve` does it, on the real Telegram channel against the server on loopback.

Its clock stands on a Monday morning in March 2026 and runs with the world's, or `scale` times as fast; `advance` moves
it on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from bot.app import App, build_app
from bot.brain.openai import OpenAIBrain
from bot.channels.telegram import TelegramChannel
from bot.render import JinjaRenderer
from bot.settings import build_settings
from bot.store.repositories import StoreRepositories
from bot.system import SystemClock, SystemIds
from core.brain.port import Brain
from core.brain.rules import RuleBrain
from core.concern.model import Concern
from core.jobs import Job, JobState
from core.ports import Channel, SentMessage
from tests.wire.botapi import BotApi, Sent
from tests.wire.botapi.harness import channel_for
from tests.wire.botapi.state import Json
from tests.wire.fake_openai import Behaviour, FakeOpenAI, completion, obedient, web

T = TypeVar("T")
MORNING = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
OWNER, ZHANGSAN, LISI = 1001, 2001, 2002
PATIENCE_S = 20.0
STRANGER = 6001
PEOPLE: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": OWNER},
    "people": [
        {"id": "p_zhangsan", "name": "张三", "pronoun": "他", "telegram": ZHANGSAN},
        {"id": "p_lisi", "name": "李四", "pronoun": "她", "telegram": LISI},
    ],
}
ASK_BOTH = "帮我问一下张三李四，v2.0 什么时候能提测"


class Bot:
    """A running bot and what is around it."""

    def __init__(self, server: BotApi, app: App, channel: TelegramChannel, clock: SystemClock) -> None:
        self.server = server
        self.app = app
        self.channel = channel
        self.clock = clock
        self._seen: dict[int, int] = {}

    # --- users --------------------------------------------------------------------------------------------------------

    def says(self, user: int, text: str | None = None, **more: Any) -> int:
        """Somebody writes to the bot; the message id."""
        return self.server.user_says(user, text, **more)

    async def answer_to(self, user: int, text: str, **more: Any) -> Sent:
        """Somebody writes, and the bot's next message into their chat."""
        self.says(user, text, **more)
        return await self.hears(user)

    async def hears(self, user: int, *pieces: str, timeout: float = PATIENCE_S) -> Sent:
        """The next message in their chat that was not looked at before and holds all `pieces`."""

        def found() -> Sent | None:
            new = self.server.sent_to(user)[self._seen.get(user, 0) :]
            return next((sent for sent in new if all(piece in sent.text for piece in pieces)), None)

        try:
            await self.server.until(lambda: found() is not None, timeout)
        except TimeoutError:
            told = [sent.text for sent in self.server.sent_to(user)[self._seen.get(user, 0) :]]
            raise AssertionError(f"user {user} did not hear {pieces} but {told}") from None
        sent = found()
        assert sent is not None
        self._seen[user] = self.server.sent_to(user).index(sent) + 1
        return sent

    async def press(self, user: int, shown: Sent, label: str, times: int = 1) -> None:
        """Press a button so often in a row; every press is answered, the buttons go, and all that follows is done."""
        assert label in shown.labels
        presses = [self.server.user_presses(user, shown.message_id, label) for _ in range(times)]
        await self.server.until(lambda: all(self.server.world.callbacks[p] is not None for p in presses), PATIENCE_S)
        await self.server.until(lambda: shown.buttons == [], PATIENCE_S)
        await self.idle()

    def unheard(self, user: int) -> list[str]:
        """What came since the last message that was looked at."""
        return [sent.text for sent in self.server.sent_to(user)[self._seen.get(user, 0) :]]

    # --- time and state -----------------------------------------------------------------------------------------------

    def advance(self, span: timedelta) -> None:
        """Time passes at once; what falls due is found by the next tick."""
        self.clock.set(self.clock.now() + span)

    async def look(self, work: Callable[[StoreRepositories], T]) -> T:
        """Read the database."""
        return await self.app.store.run(work)

    async def concerns(self) -> tuple[Concern, ...]:
        """All of them, oldest first."""
        return (await self.look(lambda repos: repos.concerns.list(open_only=False, limit=1000)))[::-1]

    async def jobs(self, *states: JobState) -> tuple[Job, ...]:
        """Jobs in these states."""
        return await self.look(lambda repos: repos.jobs.list(states, 10_000))

    async def in_doubt(self) -> tuple[SentMessage, ...]:
        """What may or may not have arrived."""
        return await self.look(lambda repos: repos.receipts.in_doubt(100))

    def _is_outstanding(self, update: Json) -> bool:
        """One that was handed out may not be stored yet: it is gone from the server once the poll after it says so. One
        without a number of its own no poll can speak of."""
        shows_its_number = update.get("update_id") == update["update_id"]
        return shows_its_number or update["update_id"] not in self.server.world.delivered

    async def idle(self, timeout: float = PATIENCE_S) -> None:
        """Until what came in is handled and nothing is due: no fact, no job, no concern."""

        def busy(repos: StoreRepositories) -> bool:
            now = self.clock.now()
            if repos.jobs.list((JobState.RUNNING, JobState.SENDING), 1):
                return True
            if repos.concerns.timed_out(now, 1) or repos.concerns.due(now, 1):
                return True
            return any(at is not None and at <= now for at in (repos.facts.next_due(), repos.jobs.next_due()))

        async with asyncio.timeout(timeout):
            while any(map(self._is_outstanding, self.server.world.updates)):
                await asyncio.sleep(0.01)
            for _ in range(2):
                while await self.look(busy):
                    await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def bot(
    server: BotApi,
    folder: Path,
    *,
    brain: Brain | None = None,
    now: datetime = MORNING,
    people: dict[str, Any] | None = None,
    limits: dict[str, Any] | None = None,
    scale: float = 1.0,
    beside: Callable[[SystemClock], Channel] | None = None,
    **channel_options: Any,
) -> AsyncIterator[Bot]:
    """The bot runs inside, on the database in `folder`; then it is told to stop, drained and closed. `beside` makes
    another channel that it runs on as well.
    """
    clock = SystemClock(scale, now - SystemClock().now())
    channel = channel_for(server, clock=clock, arrival_time=True, **channel_options)
    other = beside(clock) if beside is not None else None
    settings = build_settings({**(people or PEOPLE), "limits": limits or {}}, "the test")
    app = await build_app(
        settings,
        clock=clock,
        ids=SystemIds(),
        brain=brain or RuleBrain(),
        channels={one.name: one for one in (channel, other) if one is not None},
        database_url=f"sqlite:///{folder / 'bot.db'}",
    )
    running = asyncio.create_task(app.run())
    try:
        yield Bot(server, app, channel, clock)
    finally:
        app.stop()
        await running
        await app.close()
        await channel.close()
        if other is not None:
            await other.close()


Words = Callable[[str], Any]
"""From the user's part of a prompt to the value that the model answers with."""


_MARKS = {
    "judge": "targets",
    "extract": "tendencies",
    "evaluate": "primary_action_chain",
    "assess": "goal_met",
    "match_reply": "concern_ids",
    "match_event": "item_ids",
    "work": "tool",
    "fulfil": "remark",
}
"""Where a request does not name its question, the schema in its prompt tells: only this one has such a field."""


def mind(answers: dict[str, Any]) -> Behaviour:
    """A model that answers each question by its name: with a value, or with what `Words` makes of the prompt.

    Small talk stands for what shows no name. What is not in `answers` gets the smallest value that fits.
    """

    async def behave(server: FakeOpenAI, _: web.Request) -> web.StreamResponse:
        body = server.requests[-1]
        name = asked_in(body)
        if name not in answers:
            return web.json_response(obedient(body))
        answer = answers[name]
        value = answer(body["messages"][1]["content"]) if callable(answer) else answer
        words = json.dumps(value, ensure_ascii=False)
        if "tools" not in body:
            return web.json_response(completion({"content": words}))
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": words}}
        return web.json_response(completion({"tool_calls": [call]}, "tool_calls"))

    return behave


def asked_in(body: dict[str, Any]) -> str:
    """The name of the question that a request puts."""
    if "tools" in body:
        return str(body["tools"][0]["function"]["name"])
    if "json_schema" in body.get("response_format", {}):
        return str(body["response_format"]["json_schema"]["name"])
    system = body["messages"][0]["content"]
    return next((name for name, mark in _MARKS.items() if f'"{mark}"' in system), "converse")


@contextlib.asynccontextmanager
async def model(server: FakeOpenAI, *, timeout_s: float = 2.0) -> AsyncIterator[OpenAIBrain]:
    """A brain over the model server."""
    brain = OpenAIBrain(
        base_url=server.url, api_key="sk-planted-key", name="fake", timeout_s=timeout_s, renderer=JinjaRenderer()
    )
    try:
        yield brain
    finally:
        await brain.close()
