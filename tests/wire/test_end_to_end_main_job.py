"""The main job over Telegram: two people are asked, they answer, the owner is told; by the rules and with a model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.concern.model import CommStatus, Status
from core.jobs import JobState
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.fake_openai import Behaviour, FakeOpenAI, completion, fake_openai, obedient, web
from tests.wire.house import ASK_BOTH, LISI, MORNING, OWNER, STRANGER, ZHANGSAN, Bot, bot, model

pytestmark = pytest.mark.wire

HALF_AN_HOUR = timedelta(minutes=31)


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


async def test_two_people_are_asked_and_the_owner_gets_the_whole(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        ack = await it.answer_to(OWNER, ASK_BOTH)
        assert "张三" in ack.text
        assert "李四" in ack.text
        for delegate in (ZHANGSAN, LISI):
            asked = await it.hears(delegate, "v2.0")
            assert "老板" in asked.text
        it.advance(HALF_AN_HOUR)
        await it.hears(OWNER, "已经联系")
        it.says(LISI, "前端部分周四能提测")
        it.advance(HALF_AN_HOUR)
        partial = await it.hears(OWNER, "李四", "周四")
        assert "张三" in partial.text
        it.says(ZHANGSAN, "后端周五提测")
        back = await it.hears(OWNER, "[回流]")
        for piece in ("前端部分周四能提测", "3月19日", "后端周五提测", "3月20日", "耗时"):
            assert piece in back.text
        (concern,) = await it.concerns()
        assert concern.status is Status.RESOLVED
        assert it.unheard(ZHANGSAN) == it.unheard(LISI) == it.unheard(OWNER) == []
        await it.idle()
        assert await it.in_doubt() == ()
    log = [(entry.direction, entry.channel, entry.channel_message_id) for entry in concern.conversation_log]
    assert len(log) == 4
    assert all(channel == "telegram" and message_id for _, channel, message_id in log)


async def test_silence_is_followed_up_at_the_intervals_of_the_table_and_then_let_go(
    server: BotApi, tmp_path: Path
) -> None:
    async with bot(server, tmp_path) as it:
        await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(ZHANGSAN, "v2.0")
        start = it.clock.now()
        for wait, number in ((4, 1), (8, 2), (24, 3)):
            before = it.clock.now()
            it.advance(timedelta(hours=wait) - timedelta(minutes=5))
            await it.idle()
            assert it.unheard(ZHANGSAN) == []
            await follow_up_comes(it, before + timedelta(hours=wait), number)
        it.advance(timedelta(days=5))
        await it.hears(OWNER, "放下")
        (concern,) = await it.concerns()
        assert concern.status is Status.DROPPED
        assert concern.people[1].comm_status is CommStatus.NO_ANSWER
        assert it.unheard(ZHANGSAN) == []
        assert it.clock.now() - start > timedelta(hours=36)


async def follow_up_comes(it: Bot, due: datetime_, number: int) -> None:
    """At `due`, or where 张三 is not at work then, at his next opening."""
    it.clock.set(due + timedelta(seconds=2))
    (concern,) = await it.concerns()
    for _ in range(20):
        await it.idle()
        if it.unheard(ZHANGSAN):
            break
        it.advance(timedelta(hours=1))
    await it.hears(ZHANGSAN)
    (concern,) = await it.concerns()
    assert concern.state_of(concern.people[1].person_id).follow_ups == number
