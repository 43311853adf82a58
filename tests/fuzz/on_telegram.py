"""The real channel of Telegram on a server in memory, and its two ways in: the poll loop, and a post to the webhook."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import httpx
from telegram.error import BadRequest, Forbidden, TelegramError

from bot.channels.telegram import TelegramChannel, Webhook
from bot.channels.virtual import Counter
from bot.web.routes import routes_of
from bot.web.updates import Updates
from tests.fuzz import cast
from tests.fuzz.house import House, no_sleep
from tests.wire.botapi.errors import ApiError
from tests.wire.botapi.methods import Methods, group
from tests.wire.botapi.state import World
from tests.wire.inlet import Well
from tests.wire.loopback import NO_LIMITS

SECRET = "planted-secret-of-the-webhook"


class MemoryBotApi:
    """Answers as the Bot API does. What waits for a poll is gone once a later offset was asked for."""

    def __init__(self, shown: list[str]) -> None:
        self.world = World(username="qinghai_test_bot", open_chats=True)
        for chat, title in ((-4012345678, "v2.0 项目组"), (-1001987654321, "v2.0 讨论")):
            self.world.chats[chat] = group(chat, title)
        self._methods = Methods(self.world)
        self._shown = shown
        self.waiting: list[Any] = []
        self.news = asyncio.Event()
        self.quiet = asyncio.Event()

    async def call(self, method: str, parameters: dict[str, Any] | None = None, *, wait: float | None = None) -> Any:
        """In place of `Api.call`."""
        given = {key: value for key, value in (parameters or {}).items() if value is not None}
        if method == "getUpdates":
            return await self._updates(given.get("offset") or 0)
        self._note_buttons(given)
        try:
            return self._methods.call(method, given)
        except ApiError as error:
            kind = {400: BadRequest, 403: Forbidden}.get(error.code, TelegramError)
            raise kind(error.description) from None

    def _note_buttons(self, given: dict[str, Any]) -> None:
        for row in (given.get("reply_markup") or {}).get("inline_keyboard", []):
            self._shown += [button["callback_data"] for button in row]

    async def _updates(self, offset: int) -> list[Any]:
        confirmed = [
            n for n, update in enumerate(self.waiting) if _number(update) is not None and _number(update) < offset
        ]
        if confirmed:
            del self.waiting[: confirmed[-1] + 1]
        if not self.waiting:
            self.quiet.set()
            self.news.clear()
            await self.news.wait()
        page = json.loads(json.dumps(self.waiting[:100]))
        return list(page)


def _number(update: Any) -> Any:
    number = update.get("update_id") if isinstance(update, dict) else None
    return number if isinstance(number, int) else None


class OnTelegram(House):
    """By long polling: all goes through the poll loop and its offset."""

    webhook: Webhook | None = None

    def make_channel(self) -> TelegramChannel:
        """With the library's transport taken out."""
        self._taken_numbers = Counter()
        self.api = MemoryBotApi(self.shown)
        made = TelegramChannel(
            "7000000001:test-token", self.clock, rates=NO_LIMITS, sleep=no_sleep, webhook=self.webhook
        )
        made._api.call = self.api.call  # type: ignore[method-assign]
        return made

    def says(self, who: cast.Member, text: str) -> dict[str, Any]:
        """A message in their private chat."""
        user = {"id": who.telegram, "is_bot": False, "first_name": who.name}
        chat, number = {"id": who.telegram, "type": "private"}, 800_000_000 + self._taken_numbers.next()
        date = int(self.clock.now().timestamp())
        return {
            "update_id": number,
            "message": {"message_id": number, "from": user, "chat": chat, "date": date, "text": text},
        }

    async def open_inlet(self) -> None:
        """The poll loop."""
        self._polling = asyncio.create_task(self.channel.run(self.app.emit))

    async def close_inlet(self) -> None:
        """It ends."""
        self._polling.cancel()
        await asyncio.gather(self._polling, return_exceptions=True)

    async def bring(self, inputs: Sequence[Any]) -> None:
        """In one page, behind which an update stands that everybody can read; until all are confirmed."""
        numbers = [number for update in self.api.waiting + list(inputs) if (number := _number(update)) is not None]
        last = {"update_id": max((n for n in numbers if n < 2**52), default=0) + 1, "poll": {"id": "1"}}
        self.api.waiting += [*inputs, last]
        self.api.quiet.clear()
        self.api.news.set()
        try:
            async with asyncio.timeout(20):
                await self.api.quiet.wait()
        except TimeoutError:
            raise AssertionError(f"the queue is stuck: {self.channel.status}") from None


class PostedOnTelegram(OnTelegram):
    """By the webhook: each is posted to the inlet's application."""

    webhook = Webhook("https://bot.example.com", SECRET)

    async def open_inlet(self) -> None:
        """The application, reached without a socket."""
        app = routes_of(Well(), Updates(self.channel, SECRET, self.app.emit).routes())
        transport = httpx.ASGITransport(app=app)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://bot")

    async def close_inlet(self) -> None:
        """Hang up."""
        await self._client.aclose()

    async def bring(self, inputs: Sequence[Any]) -> None:
        """One after another; each is answered with 200, or it would come again for ever."""
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET, "Content-Type": "application/json"}
        for update in inputs:
            answer = await self._client.post(f"/telegram/{SECRET}", content=json.dumps(update), headers=headers)
            assert answer.status_code == 200, (answer.status_code, answer.text, update)
