"""Callbacks put into an office by hand, and what comes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bot.brain.scripted import ScriptedBrain
from core.brain.questions import A, Fulfil, Question
from core.brain.rules import RuleBrain
from core.callbacks import TASK_COMPLETION, USER_REMINDER, Callback
from core.hub.scanning.callbacks import CallbackScheduler
from core.ids import ConversationId, PersonId
from tests.flow.office import START, Office

OWNERS, WANGS, MINUTE = ConversationId("telegram:1"), ConversationId("telegram:5"), timedelta(minutes=1)


class Thinking(ScriptedBrain):
    """Remembers what it was asked to add to; with `hangs` it never answers that."""

    def __init__(self) -> None:
        super().__init__(RuleBrain())
        self.asked: list[Fulfil] = []
        self.hangs = False
        self.meanwhile: Callable[[], object] = lambda: None

    async def ask(self, question: Question[A]) -> A:
        if isinstance(question, Fulfil):
            self.asked.append(question)
            self.meanwhile()
            if self.hangs:
                await asyncio.Event().wait()
        return await super().ask(question)


def record(name: str, **fields: Any) -> Callback:
    values: dict[str, Any] = {
        "id": f"cb_{name}",
        "chat_id": OWNERS,
        "content": f"{name}的会",
        "trigger_source": USER_REMINDER,
        "created_at": START,
        "person_id": PersonId("p_owner"),
    }
    return Callback(**(values | fields))


def result(name: str, **fields: Any) -> Callback:
    return record(
        name, trigger_source=TASK_COMPLETION, title="理一遍进展", content="张三：周四。", outcome="done", **fields
    )


def keep(office: Office, *records: Callback) -> None:
    office.look(lambda repos: [repos.callbacks.add(r) for r in records])


def go(office: Office) -> None:
    """Run what is due."""
    office.advance(timedelta())


def waiting(office: Office) -> list[str]:
    return [r.id for r in office.look(lambda repos: repos.callbacks.list(limit=10_000))]


def texts(office: Office) -> list[str]:
    return [a.text for a in office.ledger]


def scan(office: Office) -> int:
    return office.look(CallbackScheduler(office.app.runtime._hub._services).scan_callbacks)
