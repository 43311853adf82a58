"""Planted faults: each takes one safeguard out of the program, in the lives of a run. The sweep must see it.

| fault | what it does | what must show |
| --- | --- | --- |
| `acknowledges first` | an update is confirmed before its fact is committed | lost |
| `closes first` | a fact is closed in one transaction, what it brings in the next | never came |
| `forgets that it sends` | `sending` is not written before the channel is called | doubled |
| `sends again` | what a dead process was sending goes back to the queue | doubled |
| `keeps no receipt` | what a dead process was sending is in doubt, and that is not written down | unshown |
| `lets go of nothing` | what a dead process was working on stays its own | not at rest |

On Feishu:

| fault | what it does | what must show |
| --- | --- | --- |
| `acknowledges events first` | an event is acknowledged before its fact is committed | lost |
| `sends under another key` | each attempt has a key of its own | doubled |
| `repeats nothing` | what a dead process was sending is left in doubt | in doubt |
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bot.channels.feishu import outbound
from bot.channels.feishu.channel import FeishuChannel
from bot.channels.telegram.api import Api
from bot.channels.telegram.channel import TelegramChannel
from bot.runtime.runner import Runner
from bot.sending.deliver import Deliveries
from bot.store.repositories.jobs import JobTable
from core.facts import StoredFact
from core.hub.hub import CognitiveHub
from core.jobs import JobState

LATER_S = 0.1
"""The request that confirms has begun; now it leaves."""


def _acknowledges_first() -> None:
    accept, call = TelegramChannel.accept, Api.call
    tasks, asked = set(), asyncio.Event()

    async def calls(self: Api, method: str, *more: Any, **options: Any) -> Any:
        if method == "getUpdates":
            asked.set()
        return await call(self, method, *more, **options)

    async def later(self: TelegramChannel, update: dict[str, Any], emit: Any) -> None:
        await asked.wait()
        await asyncio.sleep(LATER_S)
        await accept(self, update, emit)

    async def at_once(self: TelegramChannel, update: dict[str, Any], emit: Any) -> None:
        asked.clear()
        task = asyncio.create_task(later(self, update, emit))
        tasks.add(task)

    Api.call = calls  # type: ignore[method-assign]
    TelegramChannel.accept = at_once  # type: ignore[method-assign]


def _closes_first() -> None:
    async def handle(self: CognitiveHub, stored: StoredFact) -> Any:
        from core.hub.simple_mode import TurnBrain

        brain = TurnBrain(self._services.brain, self._services.simple_brain)
        outcome = await self._judge(stored, brain)
        now = self._services.clock.now()
        decided = (stored.fact_id, outcome.decision, outcome.reason, brain.name, now)
        await self._services.store.run(lambda repos: repos.facts.handled(*decided), at="judge")
        await self._services.store.run(outcome.keep, at="judge")
        return outcome

    CognitiveHub.handle = handle  # type: ignore[method-assign]


def _forgets_that_it_sends() -> None:
    JobTable.sending = lambda *_: True  # type: ignore[assignment, method-assign]


def _sends_again() -> None:
    release = Runner.release

    def give_back(self: Runner, repos: Any, holder: str, *more: Any) -> None:
        for job in repos.jobs.list((JobState.SENDING,), 100):
            repos.jobs._db.execute_sql(f"UPDATE jobs SET state = 'running' WHERE key = '{job.key}'")
        release(self, repos, holder, *more)

    Runner.release = give_back  # type: ignore[method-assign, assignment]


def _keeps_no_receipt() -> None:
    Deliveries.recovered = lambda *_: None  # type: ignore[assignment, method-assign]


def _lets_go_of_nothing() -> None:
    Runner.release = lambda *_: None  # type: ignore[assignment, method-assign]


def _acknowledges_events_first() -> None:
    accept, tasks = FeishuChannel.accept, set()

    async def later(self: FeishuChannel, event: dict[str, Any], emit: Any) -> None:
        await asyncio.sleep(LATER_S)
        await accept(self, event, emit)

    async def at_once(self: FeishuChannel, event: dict[str, Any], emit: Any) -> None:
        tasks.add(asyncio.create_task(later(self, event, emit)))

    FeishuChannel.accept = at_once  # type: ignore[method-assign, assignment]


def _sends_under_another_key() -> None:
    numbers = itertools.count()
    outbound.repeat_key = lambda key: f"{os.getpid()}-{next(numbers)}"


def _repeats_nothing() -> None:
    FeishuChannel.idempotent_for = timedelta()


SABOTAGES: dict[str, Callable[[], None]] = {
    "acknowledges first": _acknowledges_first,
    "closes first": _closes_first,
    "forgets that it sends": _forgets_that_it_sends,
    "sends again": _sends_again,
    "keeps no receipt": _keeps_no_receipt,
    "lets go of nothing": _lets_go_of_nothing,
    "acknowledges events first": _acknowledges_events_first,
    "sends under another key": _sends_under_another_key,
    "repeats nothing": _repeats_nothing,
}
