"""A backup is taken in the middle of work, and the bot goes on from it: nothing is lost, and nothing is said twice."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.sending.sender import AT_ONCE
from core.jobs import JobState
from tests.crash.test_kills import doubts, staff
from tests.wire.botapi.harness import bot_api
from tests.wire.process import ROOT, Served, served

pytestmark = pytest.mark.crash

MEMBERS = 90


async def backed_up(it: Served, target: Path) -> str:
    """`run.py backup FILE`; what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(ROOT / "run.py"), "backup", str(target), cwd=it.folder, env=it._environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()
    return out.decode()


def put_back(it: Served, copy: Path) -> None:
    """As docs/operations.md has it: the old files away, the copy in their place."""
    for file in it.database.parent.glob(f"{it.database.name}*"):
        file.rename(it.folder / f"old-{file.name}")
    shutil.move(copy, it.database)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
async def test_the_bot_goes_on_from_a_backup(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    async with bot_api() as server, served(server, tmp_path, staff(MEMBERS)) as it:
        for n in range(MEMBERS):
            server.user_says(3000 + n, "在吗")
        await it.start()
        await server.until(lambda: not server.world.updates and bool(server.sent), 60)
        enough = len(server.sent) + dice.randrange(1, 20)
        await server.until(lambda: len(server.sent) >= enough, 60)
        before = Counter(sent.chat for sent in server.sent)
        assert len(before) < MEMBERS, "it was all done by then"
        said = await backed_up(it, tmp_path / "copy.db")
        assert "complete" in said
        assert await it.end(signal.SIGKILL) == -signal.SIGKILL
        meanwhile = Counter(sent.chat for sent in server.sent) - before
        put_back(it, tmp_path / "copy.db")
        await it.start()
        await it.worked_off(90)
        assert await it.end(signal.SIGTERM) == 0
        in_doubt = doubts(it)
        assert it.look(lambda repos: repos.jobs.list((JobState.DEAD,), 10)) == ()
    assert sum(in_doubt.values()) <= AT_ONCE
    answers = Counter(sent.chat for sent in server.sent)
    for n in range(MEMBERS):
        chat = 3000 + n
        # What it said after the copy was made, the copy can't know.
        assert 1 - in_doubt[f"p_{n}"] <= answers[chat] <= 1 + meanwhile[chat], f"member {n}, seed {seed}"
        assert not before[chat] or answers[chat] == 1
