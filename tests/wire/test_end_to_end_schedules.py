"""Over Telegram, what lies in the future happens at its time, also on a fast clock and after the process was away."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.concern.model import ConcernType, Status
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.house import LISI, OWNER, PEOPLE, ZHANGSAN, bot
from tests.wire.process import served

pytestmark = pytest.mark.wire

ROUND_THE_CLOCK = {"working_hours": "00:00-24:00", "working_days": "daily", "quiet_hours": ""}
ALWAYS_THERE: dict[str, Any] = {
    "owner": {**PEOPLE["owner"], **ROUND_THE_CLOCK},
    "people": [{**person, **ROUND_THE_CLOCK} for person in PEOPLE["people"]],
}
MONEY = "让张三把尾款三万打给供应商"
A_MINUTE_A_SECOND = 60.0


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


async def test_a_reminder_comes_once_and_not_before_its_time(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, scale=A_MINUTE_A_SECOND) as it:
        asked = it.clock.now()
        kept = await it.answer_to(OWNER, "五分钟后提醒我给客户回电话")
        assert "不用了就说一声" in kept.text
        await it.hears(OWNER, "回电话")
        # A tick is a second, and that a minute here.
        assert timedelta(minutes=5) <= it.clock.now() - asked <= timedelta(minutes=15)
        it.advance(timedelta(days=1))
        await it.idle()
        assert it.unheard(OWNER) == []
        (schedule,) = await it.concerns()
        assert schedule.status is Status.RESOLVED


async def test_a_standing_question_is_asked_every_time_on_a_fast_clock(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, people=ALWAYS_THERE, scale=20 * A_MINUTE_A_SECOND) as it:
        await it.answer_to(OWNER, "每天上午十一点问张三，备份做了没有")
        for _ in range(2):
            await it.hears(ZHANGSAN, "备份")
            asked = it.clock.now()
            it.says(ZHANGSAN, "做了")
            await it.hears(OWNER, "[回流]", "做了")
            it.clock.set(asked + timedelta(hours=22))
        await it.hears(ZHANGSAN, "备份")
        await it.idle()
        schedule, *runs = await it.concerns()
        assert schedule.type is ConcernType.SCHEDULE
        assert schedule.status.is_open
        assert len(schedule.executions or ()) == len(runs) == 3
        assert all(run.ok for run in schedule.executions or ())


async def test_a_question_that_waits_for_a_yes_outlives_the_process(server: BotApi, tmp_path: Path) -> None:
    async with served(server, tmp_path, ALWAYS_THERE) as it:
        await it.start()
        server.user_says(OWNER, MONEY)
        await server.until(lambda: server.sent_to(OWNER) != [], 30)
        assert await it.end(signal.SIGKILL) != 0
        (question,) = server.sent_to(OWNER)
        assert server.sent_to(ZHANGSAN) == []
        presses = [server.user_presses(OWNER, question.message_id, "确认") for _ in range(2)]
        await it.start()
        await server.until(lambda: server.sent_to(ZHANGSAN) != [], 30)
        await it.worked_off(30)
        assert await it.end(signal.SIGTERM) == 0
    assert all(server.world.callbacks[press] is not None for press in presses)
    (sent,) = server.sent_to(ZHANGSAN)
    assert "三万" in sent.text


async def test_what_fell_due_while_the_process_was_away_comes_once_and_says_so(server: BotApi, tmp_path: Path) -> None:
    async with served(server, tmp_path, ALWAYS_THERE) as it:
        await it.start()
        server.user_says(OWNER, "五分钟后提醒我给客户回电话")
        await server.until(lambda: server.sent_to(OWNER) != [], 30)
        assert await it.end(signal.SIGKILL) != 0
        (schedule,) = it.look(lambda repos: repos.concerns.list(open_only=True, limit=9))
        assert schedule.due_at is not None
        it.move(timedelta(hours=2))
        await it.start()
        await server.until(lambda: len(server.sent_to(OWNER)) > 1, 30)
        await it.worked_off(30)
        assert await it.end(signal.SIGTERM) == 0
    _, reminder = server.sent_to(OWNER)
    assert "回电话" in reminder.text
    assert "不在线" in reminder.text
