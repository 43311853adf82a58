"""Telegram's webhook mode: the real client tells the server where, and the server posts to the real inlet."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.channels.telegram import TelegramChannel, Webhook
from bot.web.server import Inlet
from bot.web.updates import MOST, Updates
from core.errors import ConfigurationError
from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import Inbox, Pauses, bot_api, channel_for
from tests.wire.house import OWNER, bot
from tests.wire.inlet import Well
from tests.wire.loopback import live
from tests.wire.test_end_to_end_operations import free_port

pytestmark = pytest.mark.wire

SECRET = "planted-0815-webhook-secret"


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


class Telegram:
    """The server's other side: posts what waits, one after another, until it is taken."""

    def __init__(self, server: BotApi, port: int, client: httpx.AsyncClient) -> None:
        self.server = server
        self.url = f"http://127.0.0.1:{port}"
        self.client = client

    async def post(self, content: bytes | None = None, *, path: str = SECRET, **more: Any) -> httpx.Response:
        headers = more.pop("headers", {"X-Telegram-Bot-Api-Secret-Token": SECRET})
        return await self.client.post(f"{self.url}/telegram/{path}", content=content, headers=headers, **more)

    async def deliver(self) -> list[int]:
        """Each update that waits, to the address that it was told; the answers."""
        told = next(params for method, params in reversed(self.server.calls) if method == "setWebhook")
        answers = []
        for update in list(self.server.world.updates):
            headers = {"X-Telegram-Bot-Api-Secret-Token": told["secret_token"]}
            answer = await self.client.post(told["url"], json=update, headers=headers)
            answers.append(answer.status_code)
            if answer.is_success:
                self.server.world.updates.remove(update)
        return answers


@contextlib.asynccontextmanager
async def posting(channel: TelegramChannel, emit: Any, port: int, server: BotApi) -> AsyncIterator[Telegram]:
    """The inlet of a process listens for the channel."""
    inlet = Inlet("127.0.0.1", port, Well(), Updates(channel, SECRET, emit).routes())
    inlet.start()
    try:
        async with httpx.AsyncClient(trust_env=False) as client:
            yield Telegram(server, port, client)
    finally:
        await inlet.stop()


@contextlib.asynccontextmanager
async def connected(server: BotApi, inbox: Inbox, **options: Any) -> AsyncIterator[tuple[TelegramChannel, Telegram]]:
    """A channel that has announced itself, and Telegram that posts to it."""
    port = free_port()
    channel = channel_for(server, webhook=Webhook(f"http://127.0.0.1:{port}/", SECRET), **options)
    async with posting(channel, inbox.emit, port, server) as telegram, live(channel, inbox.emit):
        await server.until(lambda: server.world.webhook and channel.ready)
        yield channel, telegram


def calls(server: BotApi, method: str) -> list[dict[str, Any]]:
    return [params for name, params in server.calls if name == method]


async def test_telegram_is_told_where_to_post_and_nothing_is_polled(server: BotApi, inbox: Inbox) -> None:
    async with connected(server, inbox) as (channel, telegram):
        (told,) = calls(server, "setWebhook")
        assert told["url"] == f"{telegram.url}/telegram/{SECRET}"
        assert told["secret_token"] == SECRET
        assert told["allowed_updates"] == ["message", "edited_message", "callback_query"]
        assert told["max_connections"] == 1
        assert "drop_pending_updates" not in told
        assert channel.username == server.world.me()["username"]
    assert calls(server, "getUpdates") == []


async def test_what_is_posted_is_stored_once_before_it_is_answered(server: BotApi, inbox: Inbox) -> None:
    async with connected(server, inbox) as (_, telegram):
        server.user_says(OWNER, "在吗")
        copy = dict(server.world.updates[0])
        inbox.gate.clear()
        delivering = asyncio.create_task(telegram.deliver())
        await server.until(lambda: inbox.entered == 1)
        assert not delivering.done()
        inbox.gate.set()
        assert await delivering == [200]
        server.world.updates.append(copy)
        assert await telegram.deliver() == [200]
    assert (inbox.texts, inbox.copies) == (["在吗"], 1)


async def test_who_does_not_know_the_secret_twice_is_told_nothing(
    server: BotApi, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    update = b'{"update_id": 1}'
    with caplog.at_level(logging.DEBUG, logger="bot"):
        async with connected(server, inbox) as (_, telegram):
            wrong = [
                await telegram.post(update, path="x"),
                await telegram.post(update, path=SECRET[:-1], headers={"X-Telegram-Bot-Api-Secret-Token": SECRET}),
                await telegram.post(update, headers={}),
                await telegram.post(update, headers={"X-Telegram-Bot-Api-Secret-Token": ""}),
                await telegram.post(update, headers={"X-Telegram-Bot-Api-Secret-Token": SECRET + "x"}),
            ]
            inbox.trouble = RuntimeError("planted")
            server.user_says(OWNER, "在吗")
            assert await telegram.deliver() == [503]
    assert [a.status_code for a in wrong] == [404] * 5
    assert all(a.json() == {"error": f"there is nothing at {a.request.url.path}"} for a in wrong)
    assert inbox.facts == []
    assert SECRET not in caplog.text


async def test_what_cannot_be_read_is_set_aside_and_does_not_come_again(server: BotApi, inbox: Inbox) -> None:
    deep = b'{"update_id": 1, "message": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    odd = b'{"update_id": 2, "message": {"chat": 7}}'
    async with connected(server, inbox) as (_, telegram):
        for content in (b"", b"no json", b"\xff", b"[]", deep, odd, b'{"update_id": 3}', b" " * (MOST + 1)):
            assert (await telegram.post(content)).status_code == 200
        server.user_says(OWNER, "在吗")
        assert await telegram.deliver() == [200]
    assert inbox.texts == ["在吗"]


async def test_what_cannot_be_stored_stays_with_telegram(server: BotApi, inbox: Inbox) -> None:
    async with connected(server, inbox) as (_, telegram):
        inbox.trouble = RuntimeError("the disk is full")
        server.user_says(OWNER, "在吗")
        assert await telegram.deliver() == [503]
        inbox.trouble = None
        assert await telegram.deliver() == [200]
    assert inbox.texts == ["在吗"]


async def test_a_process_that_does_not_speak_takes_updates_in_as_well(server: BotApi, inbox: Inbox) -> None:
    """It announces nothing, and learns the bot's name when it needs it."""
    port = free_port()
    channel = channel_for(server, webhook=Webhook(f"http://127.0.0.1:{port}", SECRET))
    server.faults.append(Fault("status", "getMe", times=1))
    server.add_group(-100)
    async with posting(channel, inbox.emit, port, server) as telegram:
        server.user_says(OWNER, f"@{server.world.me()['username']} 在吗", chat=-100)
        update = server.world.updates[0]
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        answers = [
            await telegram.client.post(f"{telegram.url}/telegram/{SECRET}", json=update, headers=headers) for _ in "12"
        ]
    await channel.close()
    assert [a.status_code for a in answers] == [503, 200]
    assert inbox.texts == ["在吗"]
    assert calls(server, "setWebhook") == []


async def test_an_address_that_telegram_refuses_is_named_without_the_secret(server: BotApi, inbox: Inbox) -> None:
    server.faults.append(
        Fault("error", "setWebhook", status=400, description="Bad Request: bad webhook: HTTPS url must be provided")
    )
    channel = channel_for(server, webhook=Webhook("http://127.0.0.1:1", SECRET))
    try:
        with pytest.raises(
            ConfigurationError, match=r"(?i)https url must be provided.*QINGHAI_TELEGRAM__WEBHOOK_URL"
        ) as told:
            await channel.run(inbox.emit)
    finally:
        await channel.close()
    assert SECRET not in str(told.value)


async def test_trouble_at_the_start_is_waited_out(server: BotApi, inbox: Inbox) -> None:
    server.faults += [Fault("drop", "getMe"), Fault("retry_after", "setWebhook"), Fault("status", "setWebhook")]
    async with connected(server, inbox, sleep=Pauses()) as (_, telegram):
        server.user_says(OWNER, "在吗")
        assert await telegram.deliver() == [200]


async def test_an_address_that_somebody_changed_is_set_anew(server: BotApi, inbox: Inbox) -> None:
    async with connected(server, inbox, sleep=Pauses()) as (_, telegram):
        server.world.webhook = "https://example.com/another"
        await server.until(lambda: server.world.webhook == f"{telegram.url}/telegram/{SECRET}")


async def test_it_is_told_when_telegram_does_not_get_through(server: BotApi, inbox: Inbox) -> None:
    async with connected(server, inbox, sleep=Pauses()) as (channel, telegram):
        server.world.webhook_failed = (1773626400, "Connection refused")
        server.user_says(OWNER, "在吗")
        await server.until(lambda: not channel.ready)
        assert (channel.trouble, channel.status) == (
            "webhook",
            "Telegram cannot post to the webhook: Connection refused",
        )
        assert await telegram.deliver() == [200]
        await server.until(lambda: channel.ready)
        # What is over is over, also while the next update is on its way.
        seen = len(calls(server, "getWebhookInfo"))
        server.user_says(OWNER, "还在吗")
        await server.until(lambda: len(calls(server, "getWebhookInfo")) > seen + 3)
        assert channel.ready


async def test_back_to_polling_the_webhook_goes_and_what_waits_is_taken(server: BotApi, inbox: Inbox) -> None:
    async with connected(server, inbox):
        server.user_says(OWNER, "在吗")
    async with live(channel_for(server), inbox.emit):
        await server.until(lambda: inbox.texts == ["在吗"])
    assert server.world.webhook == ""


async def test_a_bot_in_webhook_mode_answers(server: BotApi, tmp_path: Path) -> None:
    port = free_port()
    webhook = Webhook(f"http://127.0.0.1:{port}", SECRET)
    async with bot(server, tmp_path, webhook=webhook) as it, posting(it.channel, it.app.emit, port, server) as telegram:
        await server.until(lambda: server.world.webhook)
        it.says(OWNER, "/help")
        assert await telegram.deliver() == [200]
        await it.hears(OWNER, "/concerns")
        it.says(OWNER, "让张三给供应商付五万块")
        await telegram.deliver()
        asked = await it.hears(OWNER, "五万")
        press = server.user_presses(OWNER, asked.message_id, "取消")
        await telegram.deliver()
        await server.until(lambda: server.world.callbacks[press] is not None and asked.buttons == [])
