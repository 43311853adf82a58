"""Buttons over Telegram: every press is answered, the buttons go, and a second press of the same has no effect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from core.concern.model import Status
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.house import LISI, OWNER, ZHANGSAN, Bot, bot

pytestmark = pytest.mark.wire

EVENING = datetime.fromisoformat("2026-03-16T20:00:00+08:00")


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


def to(it: Bot, user: int) -> list[str]:
    return [sent.text for sent in it.server.sent_to(user)]


async def test_now_sends_at_once_what_waits_for_the_morning(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, now=EVENING) as it:
        ack = await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.idle()
        assert to(it, ZHANGSAN) == []
        await it.press(OWNER, ack, "现在就发", times=2)
        await it.hears(ZHANGSAN, "v2.0")
        await it.idle()
        assert len(to(it, ZHANGSAN)) == 1
        (concern,) = await it.concerns()
        assert concern.status is Status.WAITING_REPLY


async def test_a_choice_answers_a_waiting_point_once(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(ZHANGSAN)
        it.says(ZHANGSAN, "这事不归我，找李四")
        point = await it.hears(OWNER, "李四")
        assert to(it, LISI) == []
        await it.press(OWNER, point, "问李四", times=2)
        await it.hears(LISI, "v2.0")
        await it.idle()
        assert len(to(it, LISI)) == 1
        (concern,) = await it.concerns()
        assert concern.decision is None


async def test_a_point_cannot_be_answered_with_two_buttons(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(ZHANGSAN)
        it.says(ZHANGSAN, "这事不归我，找李四")
        point = await it.hears(OWNER, "李四")
        late = [it.server.user_presses(OWNER, point.message_id, label) for label in ("不问了", "问李四")]
        await server.until(lambda: all(server.world.callbacks[p] is not None for p in late), 20)
        await it.idle()
        assert to(it, LISI) == []
        (concern,) = await it.concerns()
        assert concern.status is Status.DROPPED


async def test_a_delegate_says_by_button_which_matter_was_meant(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        for what in ("合同什么时候能签", "发票什么时候能开"):
            await it.answer_to(OWNER, f"帮我问一下张三，{what}")
            await it.hears(ZHANGSAN)
        which = await it.answer_to(ZHANGSAN, "周四")
        assert len(which.labels) == 2
        (label,) = [label for label in which.labels if "发票" in label]
        await it.press(ZHANGSAN, which, label, times=2)
        back = await it.hears(OWNER, "[回流]")
        assert "发票" in back.text
        await it.idle()
        contract, invoice = await it.concerns()
        assert (contract.status, invoice.status) == (Status.WAITING_REPLY, Status.RESOLVED)
        assert [entry.text for entry in invoice.conversation_log].count("周四") == 1


async def test_a_button_does_nothing_for_whom_it_was_not_meant(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, now=EVENING) as it:
        ack = await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        (data,) = [b["callback_data"] for row in ack.buttons for b in row if b["text"] == "现在就发"]
        foreign = server.world.add_callback()
        message = server.world.messages[OWNER, ack.message_id]
        user = server.world.user(ZHANGSAN).json()
        server.push(
            "callback_query", {"id": foreign, "from": user, "message": message, "chat_instance": "1", "data": data}
        )
        await server.until(lambda: server.world.callbacks[foreign] is not None, 20)
        await it.idle()
        (concern,) = await it.concerns()
        assert concern.status is Status.PENDING
        assert not any("v2.0" in text for text in to(it, ZHANGSAN))
