"""The channel against an emulator that somebody else wrote: npm's telegram-test-api."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.channels.telegram import TelegramChannel
from bot.system import SystemClock
from core.facts import FactKind
from core.ports import ChannelButton, ChannelMessage
from tests.wire.botapi import BotApi
from tests.wire.botapi.emulator import Emulator, available, emulator
from tests.wire.botapi.harness import Inbox
from tests.wire.loopback import NO_LIMITS, live

pytestmark = [
    pytest.mark.npm,
    pytest.mark.wire,
    pytest.mark.skipif(not available(), reason="node or telegram-test-api is missing: make node"),
]

TOKEN = "7000000001:emulated"


@pytest.fixture
async def server() -> AsyncIterator[Emulator]:
    async with emulator(TOKEN) as running:
        yield running


def channel_for(server: Emulator) -> TelegramChannel:
    return TelegramChannel(TOKEN, SystemClock(), base_url=server.base_url, rates=NO_LIMITS)


async def until(inbox: Inbox, count: int) -> None:
    await BotApi().until(lambda: len(inbox.facts) >= count, timeout=10)


async def test_a_conversation_with_a_keyboard_and_a_press(server: Emulator) -> None:
    inbox, channel = Inbox(), channel_for(server)
    async with live(channel, inbox.emit):
        await server.user_sends("sendMessage", 1001, text="帮我问一下张三")
        await until(inbox, 1)
        said = inbox.facts[0]
        assert (said.text, said.sender, said.sender_name) == ("帮我问一下张三", "1001", "老板")

        buttons = ((ChannelButton(label="确认", data="confirm:b1"), ChannelButton(label="取消", data="deny:b1")),)
        sent = await channel.send(
            ChannelMessage(key="k", chat="1001", text="[回流] <提测>\n好", buttons=buttons, quote=said.message_id)
        )
        shown = await told(server, sent.message_id)
        assert shown["text"] == "<b>[回流] &lt;提测&gt;</b>\n好"
        assert shown["parse_mode"] == "HTML"
        assert json.loads(shown["reply_parameters"])["message_id"] == int(said.message_id or 0)
        assert shown["reply_markup"]["inline_keyboard"] == [
            [{"text": "确认", "callback_data": "confirm:b1"}, {"text": "取消", "callback_data": "deny:b1"}]
        ]

        pressed = {"message_id": int(sent.message_id), "date": 1773626400, "text": "[回流]"}
        await server.user_sends("sendCallback", 1001, data="confirm:b1", message=pressed)
        await until(inbox, 2)
        press = inbox.facts[1]
        assert (press.kind, press.button, press.message_id) == (FactKind.BUTTON, "confirm:b1", sent.message_id)
        assert press.callback_id
        await channel.settle_button(press, "好的")
        assert (await told(server, sent.message_id))["reply_markup"]["inline_keyboard"] == []


async def test_a_command_and_a_long_text(server: Emulator) -> None:
    inbox, channel = Inbox(), channel_for(server)
    async with live(channel, inbox.emit):
        command = {"type": "bot_command", "offset": 0, "length": 9}
        await server.user_sends("sendCommand", 1001, text="/concerns all", entities=[command])
        await until(inbox, 1)
        assert inbox.facts[0].text == "/concerns all"
        text = "清海 & 👍🏽。" * 1500
        for part in channel.parts(text):
            await channel.send(ChannelMessage(key="k", chat="1001", text=part))
    texts = [item["message"]["text"] for item in await server.history() if "chat_id" in item.get("message", {})]
    assert "".join(texts).replace("&amp;", "&") == text


async def told(server: Emulator, message_id: str) -> dict[str, Any]:
    """A message of the bot's as the emulator keeps it."""
    found = [item["message"] for item in await server.history() if str(item["messageId"]) == message_id]
    return next(message for message in found if "chat_id" in message)
