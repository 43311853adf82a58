"""Somebody is forgotten while the bot runs: it goes on, and their words are in none of its bytes."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from bot.store.repositories import StoreRepositories
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.house import LISI, OWNER, ZHANGSAN
from tests.wire.process import ROOT, Served, served

pytestmark = pytest.mark.crash

ANY_HOUR = {"working_hours": "00:00-24:00", "working_days": "daily"}
PEOPLE = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": OWNER, **ANY_HOUR},
    "people": [
        {"id": "p_zhangsan", "name": "张三", "telegram": ZHANGSAN, **ANY_HOUR},
        {"id": "p_lisi", "name": "李四", "telegram": LISI, **ANY_HOUR},
    ],
}


async def command(it: Served, *argv: str) -> str:
    """`run.py …` beside the running bot; what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(ROOT / "run.py"), *argv, cwd=it.folder, env=it._environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()
    return out.decode()


def was_heard(repos: StoreRepositories) -> bool:
    return bool(repos.facts.search(["蓝鲸诊所"], 1)) and not repos.facts.unhandled_count()


async def hears(server: BotApi, user: int, piece: str) -> None:
    await server.until(lambda: any(piece in sent.text for sent in server.sent_to(user)), 30)


async def test_the_bot_goes_on(tmp_path: Path) -> None:
    async with bot_api() as server, served(server, tmp_path, PEOPLE) as it:
        for user, name in ((ZHANGSAN, "张三"), (LISI, "李四")):
            server.add_user(user, name)
        await it.start()
        server.user_says(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测")
        await hears(server, ZHANGSAN, "v2.0")
        await hears(server, LISI, "v2.0")
        server.user_says(ZHANGSAN, "转告老板我明天去蓝鲸诊所看牙")
        await server.until(lambda: it.look(was_heard), 30)
        assert "p_zhangsan" in await command(it, "person", "forget", "p_zhangsan")
        content = b"".join(path.read_bytes() for path in it.database.parent.glob(f"{it.database.name}*"))
        assert [word for word in ("蓝鲸诊所", "张三", "p_zhangsan") if word.encode() in content] == []
        server.user_says(LISI, "周四能提测")
        await hears(server, OWNER, "[回流]")
        assert await it.end(signal.SIGTERM) == 0
        log = it.log.read_text(encoding="utf-8")
        assert "Traceback" not in log
        assert "蓝鲸诊所" not in log
