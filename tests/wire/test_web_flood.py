"""A burst of posts: all are stored, a copy once, and whoever chats meanwhile is answered."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.web.posts import Posts, Secrets
from bot.web.server import Inlet
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.house import OWNER, Bot, bot
from tests.wire.inlet import BEARER, TOKEN, body, fact, head

pytestmark = pytest.mark.wire

POSTS, CONNECTIONS = 1000, 80


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


async def flood(port: int, posts: list[dict[str, Any]]) -> list[int]:
    """Post them over many connections, each one after another; the answers. A client library would be the slower side."""
    answers: list[int] = []

    async def poster(mine: list[dict[str, Any]]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for post in mine:
            content = body(post)
            length = str(len(content))
            writer.write(head("/facts", **BEARER, Content_Type="application/json", Content_Length=length) + content)
            answer = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(answer.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
            answers.append(int(answer.split()[1]))
        writer.close()

    await asyncio.gather(*(poster(posts[n::CONNECTIONS]) for n in range(CONNECTIONS)))
    return answers


def stored(folder: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(folder / "bot.db")) as database:
        return [name for (name,) in database.execute("SELECT event_id FROM facts WHERE channel = 'ci'")]


@contextlib.asynccontextmanager
async def listening(it: Bot) -> AsyncIterator[int]:
    inlet = Inlet("127.0.0.1", 0, it.app.condition, Posts(it.app.emit, it.clock, Secrets(TOKEN)).routes())
    inlet.start()
    try:
        yield inlet.port
    finally:
        await inlet.stop()


@pytest.mark.parametrize("projects", [1, POSTS], ids=["one project", "a project each"])
async def test_a_thousand_posts_are_stored_once_each_and_chat_is_answered_meanwhile(
    server: BotApi, tmp_path: Path, projects: int
) -> None:
    posts = [
        fact(id=f"n{n}", source="ci", subject=f"build {n}", data={"project": f"shop/p{n % projects}"})
        for n in range(POSTS)
    ]
    posts += posts[::10]
    async with bot(server, tmp_path) as it, listening(it) as port:
        flooding = asyncio.create_task(flood(port, posts))
        while await it.look(lambda repos: repos.facts.unhandled_count()) < POSTS // 3:
            await asyncio.sleep(0.01)
        await it.answer_to(OWNER, "/help")
        waiting = await it.look(lambda repos: repos.facts.unhandled_count())
        answers = await flooding
        assert sorted(stored(tmp_path)) == sorted(f"n{n}" for n in range(POSTS))
    assert (answers.count(202), answers.count(200)) == (POSTS, POSTS // 10)
    assert waiting > POSTS // 10  # the answer did not wait for them
