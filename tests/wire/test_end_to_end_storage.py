"""The database can't be written for a while: full, or held by another program. What came in meanwhile is answered then."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.jobs import JobState
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.house import OWNER, Bot, bot

pytestmark = pytest.mark.wire

MEMBERS = 12
STAFF: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": OWNER},
    "people": [{"id": f"p_{n}", "name": f"成员{n}", "telegram": 3000 + n, "role": "member"} for n in range(MEMBERS)],
}


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


async def on_its_connection(it: Bot, work: Callable[[Any], Any]) -> Any:
    """Run something on the thread and connection of the store."""
    store = it.app.store
    assert store._thread is not None
    return await asyncio.get_running_loop().run_in_executor(store._thread, work, store._db)


async def said(caplog: pytest.LogCaptureFixture, piece: str, server: BotApi) -> None:
    await server.until(lambda: any(piece in record.getMessage() for record in caplog.records), 30)


def talks(it: Bot, times: int) -> None:
    for _ in range(times):
        for n in range(MEMBERS):
            it.says(3000 + n, "在吗，有件事想问")


async def all_answered(it: Bot, each: int) -> None:
    """Each message has its one answer; what was with the channel when nothing could be written down is in doubt."""
    await it.idle(60)
    in_doubt = Counter(receipt.chat for receipt in await it.in_doubt())
    answers = Counter(sent.chat for sent in it.server.sent)
    for n in range(MEMBERS):
        chat = 3000 + n
        assert each - in_doubt[str(chat)] <= answers[chat] <= each, f"member {n}"
    assert await it.jobs(JobState.DEAD, JobState.RUNNING, JobState.SENDING) == ()


async def test_a_full_disk_is_waited_out(server: BotApi, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with bot(server, tmp_path, people=STAFF) as it:
        with caplog.at_level(logging.INFO):
            talks(it, 1)
            await server.until(lambda: len(server.sent) > 2, 20)
            pages = await on_its_connection(it, lambda db: db.pragma("page_count"))
            await on_its_connection(it, lambda db: db.pragma("max_page_count", pages))
            talks(it, 2)
            await said(caplog, "full; free some space", server)
            await on_its_connection(it, lambda db: db.pragma("max_page_count", 1_000_000))
        await all_answered(it, 3)
    assert "在吗" not in caplog.text


async def test_another_program_that_holds_the_database_is_waited_out(
    server: BotApi, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with bot(server, tmp_path, people=STAFF) as it:
        talks(it, 1)
        await server.until(lambda: len(server.sent) > 2, 20)
        # As if each had waited its five seconds, twice and more over.
        await on_its_connection(it, lambda db: db.pragma("busy_timeout", 20))
        failures = Failures(it)
        with closing(sqlite3.connect(tmp_path / "bot.db", isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            talks(it, 1)
            await said(caplog, "database is locked; another program holds it", server)
            await server.until(lambda: failures.count > 10, 30)
            other.execute("ROLLBACK")
        await all_answered(it, 2)


class Failures:
    """Counts the units of work that fail."""

    def __init__(self, it: Bot) -> None:
        self.count = 0
        outage = it.app.store._outage
        failed = outage.failed

        def counted(error: Exception) -> None:
            self.count += 1
            failed(error)

        outage.failed = counted  # type: ignore[method-assign]
