"""kill -9 in the middle of work: nothing is lost, nothing is said twice, and what may have arrived is flagged."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot.sending.sender import AT_ONCE
from core.jobs import Job, JobState
from tests.wire.botapi import too_fast
from tests.wire.botapi.harness import bot_api
from tests.wire.house import OWNER
from tests.wire.process import Served, served

pytestmark = pytest.mark.crash

KILLS = 5
A_DOUBT = "没有回音"
"""Only the line that tells of a message in doubt says so."""
ANY_HOUR = {"working_hours": "00:00-24:00", "working_days": "daily"}


def staff(members: int, **more: Any) -> dict[str, Any]:
    """An owner and so many members, each with a chat of their own."""
    people = [
        {"id": f"p_{n}", "name": f"成员{n}", "telegram": 3000 + n, "role": "member", **more} for n in range(members)
    ]
    return {"owner": {"id": "p_owner", "name": "老板", "telegram": OWNER}, "people": people}


async def killed_again_and_again(it: Served, kills: int, expected: int, dice: random.Random) -> None:
    """Start and kill, each time after some more messages got out, somewhere in the work on the next ones."""
    for number in range(kills):
        await it.start()
        enough = len(it.server.sent) + dice.randrange(1, max(2, expected // (kills + 2)))
        await it.server.until(lambda n=enough: len(it.server.sent) >= n, 60)
        await asyncio.sleep(dice.random() * 0.1)
        assert await it.end(signal.SIGKILL) == -signal.SIGKILL, f"kill {number}"
    await it.start()


def doubts(it: Served) -> Counter[str]:
    """In doubt by recipient; each is a job in that state and a receipt without an id."""
    jobs: tuple[Job, ...] = it.look(lambda repos: repos.jobs.list((JobState.IN_DOUBT,), 10_000))
    flagged = it.look(lambda repos: repos.receipts.in_doubt(10_000))
    assert sorted(job.key for job in jobs) == sorted(receipt.job_key for receipt in flagged)
    return Counter(str(job.person_id) for job in jobs)


@pytest.mark.parametrize(
    ("members", "each"),
    [
        (300, 1),
        pytest.param(500, 10, marks=pytest.mark.slow),
    ],
)
async def test_a_backlog_is_answered_once_through_kills(tmp_path: Path, members: int, each: int) -> None:
    seed = int(os.environ.get("QINGHAI_SEED", "20260316"))
    async with bot_api() as server, served(server, tmp_path, staff(members)) as it:
        for _ in range(each):
            for n in range(members):
                server.user_says(3000 + n, "在吗")
        await killed_again_and_again(it, KILLS, members * each, random.Random(seed))
        await it.worked_off(members * each / 10 + 60)
        assert await it.end(signal.SIGTERM) == 0
        in_doubt = doubts(it)
        assert it.look(lambda repos: repos.jobs.list((JobState.DEAD,), 10)) == ()
    assert sum(in_doubt.values()) <= KILLS * AT_ONCE
    answers = Counter(sent.chat for sent in server.sent)
    for n in range(members):
        assert each - in_doubt[f"p_{n}"] <= answers[3000 + n] <= each, f"member {n}, seed {seed}"
    assert too_fast(server.sent) == []


async def test_a_delegation_reaches_each_delegate_once_through_kills(tmp_path: Path) -> None:
    pairs, kills = 30, 3
    people = staff(2 * pairs, **ANY_HOUR)
    async with bot_api() as server, served(server, tmp_path, people) as it:
        for n in range(2 * pairs):
            server.add_user(3000 + n, f"成员{n}")
        for n in range(pairs):
            server.user_says(3000 + n, f"帮我问一下成员{pairs + n}，合同什么时候能签")
        await killed_again_and_again(it, kills, 2 * pairs, random.Random(7))
        in_doubt: Counter[str] = Counter()

        def everybody_was_written_to() -> bool:
            in_doubt.update({name: 1 for name in doubts(it) if name not in in_doubt})
            return all(in_doubt[f"p_{n}"] or server.sent_to(3000 + n) for n in range(2 * pairs))

        async with asyncio.timeout(60):
            while not everybody_was_written_to():
                await asyncio.sleep(0.2)
        assert await it.end(signal.SIGTERM) == 0
        in_doubt = doubts(it)
        concerns = it.look(lambda repos: repos.concerns.list(open_only=False, limit=1000))
    assert len(concerns) == pairs
    assert sum(in_doubt.values()) <= kills * AT_ONCE
    # Who started a matter also hears once of each message in doubt.
    told = Counter(sent.chat for sent in server.sent if A_DOUBT in sent.text)
    assert sum(told.values()) <= sum(in_doubt.values())
    written = Counter(sent.chat for sent in server.sent if A_DOUBT not in sent.text)
    for n in range(2 * pairs):
        assert 1 - in_doubt[f"p_{n}"] <= written[3000 + n] <= 1, f"member {n}"
