"""Presses: each is answered, whatever becomes of it, and what was pressed loses its buttons."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.channels.telegram import TelegramChannel
from core.facts import Fact, FactKind
from core.ports import ChannelButton, ChannelMessage
from tests.sampling import WHOLE
from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import Inbox, Pauses, bot_api, channel_for
from tests.wire.loopback import live

pytestmark = pytest.mark.wire

MANY = 1000 if WHOLE else 200
BUTTONS = ((ChannelButton(label="确认", data="confirm:b1"), ChannelButton(label="取消", data="deny:b1")),)


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


async def asked(channel: TelegramChannel, chat: int = 1001) -> int:
    sent = await channel.send(ChannelMessage(key="k", chat=str(chat), text="确认吗？", buttons=BUTTONS))
    return int(sent.message_id)


def answers(server: BotApi) -> int:
    return sum(method == "answerCallbackQuery" for method, _ in server.calls)


async def test_a_press_is_a_fact_that_knows_its_message(server: BotApi, inbox: Inbox) -> None:
    channel = channel_for(server)
    async with live(channel, inbox.emit):
        message_id = await asked(channel)
        callback_id = server.user_presses(1001, message_id, "确认")
        await server.until(lambda: inbox.facts != [])
        (fact,) = inbox.facts
        assert (fact.kind, fact.button, fact.message_id) == (FactKind.BUTTON, "confirm:b1", str(message_id))
        assert (fact.sender, fact.conversation, fact.callback_id) == ("1001", "telegram:1001", callback_id)
        await channel.settle_button(fact, "好的")
        assert server.world.callbacks[callback_id] == "好的"
        assert server.sent[0].buttons == []


async def test_a_press_that_nobody_settles_is_answered_all_the_same(server: BotApi, inbox: Inbox) -> None:
    pauses = Pauses()
    channel = channel_for(server, sleep=pauses)
    async with live(channel, inbox.emit):
        message_id = await asked(channel)
        callback_id = server.user_presses(1001, message_id, "取消")
        await server.until(lambda: server.world.callbacks[callback_id] is not None)
        assert pauses.taken == [1.0]
        await channel.settle_button(inbox.facts[0], "晚了")
    assert server.world.callbacks[callback_id] == ""
    assert answers(server) == 1
    assert server.sent[0].buttons == []


async def test_a_press_whose_answer_is_on_its_way_is_not_answered_again(server: BotApi, inbox: Inbox) -> None:
    server.faults.append(Fault("stall", "answerCallbackQuery", phase="after"))
    channel = channel_for(server, sleep=Pauses())
    async with live(channel, inbox.emit):
        callback_id = server.user_presses(1001, await asked(channel), "取消")
        await server.until(lambda: server.world.callbacks[callback_id] is not None)
        await channel.settle_button(inbox.facts[0], "晚了")
        assert server.sent[0].buttons == []
    assert answers(server) == 1


async def test_a_press_that_is_settled_before_its_storing_is_known_is_answered_once(server: BotApi) -> None:
    channel = channel_for(server, sleep=Pauses())

    async def handled(fact: Fact) -> bool:
        await channel.settle_button(fact, "好的")
        return True

    async with live(channel, handled):
        callback_id = server.user_presses(1001, await asked(channel), "确认")
        await server.until(lambda: server.sent[0].buttons == [])
    assert server.world.callbacks[callback_id] == "好的"
    assert answers(server) == 1


async def test_what_waits_at_the_end_is_answered_at_once(server: BotApi, inbox: Inbox) -> None:
    channel = channel_for(server)
    async with live(channel, inbox.emit):
        callback_id = server.user_presses(1001, await asked(channel), "取消")
        await server.until(lambda: inbox.facts != [])
    assert server.world.callbacks[callback_id] == ""


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", "answerCallbackQuery"),
        Fault("drop", "editMessageReplyMarkup"),
        Fault("retry_after", "editMessageReplyMarkup"),
        Fault("error", "answerCallbackQuery", status=400, description="Bad Request: query is too old"),
        Fault("error", "editMessageReplyMarkup", status=400, description="Bad Request: message is not modified"),
    ],
    ids=lambda fault: f"{fault.method} {fault.kind}",
)
async def test_settling_raises_nothing(server: BotApi, inbox: Inbox, fault: Fault) -> None:
    channel = channel_for(server)
    server.faults.append(fault)
    async with live(channel, inbox.emit):
        server.user_presses(1001, await asked(channel), "确认")
        await server.until(lambda: inbox.facts != [])
        await channel.settle_button(inbox.facts[0], None)
    assert fault.times == 0


async def test_settled_twice_or_long_after_a_restart_it_does_no_harm(server: BotApi, inbox: Inbox) -> None:
    first = channel_for(server)
    async with live(first, inbox.emit):
        server.user_presses(1001, await asked(first), "确认")
        await server.until(lambda: inbox.facts != [])
        await first.settle_button(inbox.facts[0], "好")
    second = channel_for(server)
    await second.settle_button(inbox.facts[0], "再来")
    await second.close()
    assert list(server.world.callbacks.values()) == ["好"]


async def test_a_note_that_is_too_long_is_cut(server: BotApi, inbox: Inbox) -> None:
    channel = channel_for(server)
    async with live(channel, inbox.emit):
        callback_id = server.user_presses(1001, await asked(channel), "确认")
        await server.until(lambda: inbox.facts != [])
        await channel.settle_button(inbox.facts[0], "👍" * 300)
    assert server.world.callbacks[callback_id] == "👍" * 100


async def test_very_many_presses_at_once_are_all_answered(server: BotApi, inbox: Inbox) -> None:
    channel = channel_for(server)
    async with live(channel, inbox.emit):
        message_id = await asked(channel)
        presses = [server.user_presses(1001, message_id, "确认") for _ in range(MANY)]
        await server.until(lambda: len(inbox.facts) == MANY, timeout=30)
        await asyncio.gather(*(channel.settle_button(fact, "好") for fact in inbox.facts[: MANY // 2]))
        await server.until(lambda: all(server.world.callbacks[press] is not None for press in presses), timeout=30)
