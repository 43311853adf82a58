"""The Telegram channel: updates in, by polling or a webhook, messages out."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

from telegram.error import InvalidToken

from bot.channels.given import told
from bot.channels.outbox import PacedChannel
from bot.channels.rate import Pace, Rate, Rates
from bot.channels.telegram import outbound, polling, presses
from bot.channels.telegram.api import Api
from bot.channels.telegram.errors import delivery_error
from bot.channels.telegram.inbound import CHANNEL, press_in, to_fact
from bot.channels.telegram.logs import keep_out_of_logs
from bot.channels.telegram.markup import TEXT_LIMIT
from bot.channels.telegram.webhook import Webhook
from bot.channels.text import split
from bot.failpoints import Failpoint, no_failpoint
from core.errors import ConfigurationError
from core.facts import Fact
from core.ports import ChannelMessage, Clock, Emit, Receipt

log = logging.getLogger(__name__)

BASE_URL = "https://api.telegram.org/bot"

RATES = Rates(chat=Rate(1, 1.0), group=Rate(20, 60.0), overall=Rate(30, 1.0))
"""What Telegram tolerates for one bot."""


class TelegramChannel(PacedChannel):
    """Implements `core.ports.Channel` on the Bot API, with long polling or a webhook.

    `base_url` is followed by the token: a self-hosted server, or a test server. `arrival_time` takes `clock` for a
    message's time instead of Telegram's, for clocks that do not run with the world's. A poll waits for news for `poll`
    and for an answer `patience` longer; any other request waits for its answer for `answer_within`. With a `webhook`
    nothing is polled: updates are posted to the HTTP inlet, which hands them to `accept`.
    """

    def __init__(
        self,
        token: str,
        clock: Clock,
        *,
        base_url: str = BASE_URL,
        rates: Rates = RATES,
        poll: timedelta = timedelta(seconds=25),
        patience: timedelta = timedelta(seconds=5),
        answer_within: timedelta = timedelta(seconds=20),
        arrival_time: bool = False,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
        failpoint: Failpoint = no_failpoint,
        webhook: Webhook | None = None,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ConfigurationError(f"{base_url!r} is no address: QINGHAI_TELEGRAM__BASE_URL begins with https://")
        if not re.fullmatch(r"[0-9]+:[A-Za-z0-9_-]+", token):
            raise ConfigurationError(
                "QINGHAI_TELEGRAM__TOKEN is no bot token: @BotFather shows one like 123456:ABC-def"
            )
        keep_out_of_logs(token, log, polling.log, outbound.log, presses.log)
        self._webhook = webhook
        if webhook is not None:
            keep_out_of_logs(webhook.secret, log, polling.log, outbound.log, presses.log)
        self._api = Api(token, base_url, answer_within, failpoint)
        self._arrival_time = arrival_time
        self._poller = polling.Poller(self._api, poll=poll, patience=patience, sleep=sleep)
        pace = Pace(rates, monotonic=monotonic, sleep=sleep)
        super().__init__(outbound.TelegramOutbox(self._api, pace, sleep), clock)
        self._presses = presses.Presses(self._api, sleep)

    @property
    def name(self) -> str:
        """`telegram`."""
        return CHANNEL

    @property
    def status(self) -> str:
        """How it goes, in one sentence."""
        return self._poller.status

    @property
    def trouble(self) -> str | None:
        """The same in a word, where something is wrong."""
        return self._poller.trouble

    @property
    def ready(self) -> bool:
        """The last request for updates was answered well."""
        return self._poller.ready

    @property
    def username(self) -> str | None:
        """The bot's own; known once connected."""
        return self._poller.me.username if self._poller.me else None

    def invite_link(self, code: str) -> str | None:
        """The link that opens a chat with the bot and sends it `/start CODE`; None until connected."""
        return f"https://t.me/{self.username}?start={code}" if self.username else None

    async def check(self) -> str:
        """Ask who the bot is: its username. Raises `ConfigurationError` (token) or a `DeliveryError` (network)."""
        try:
            return (await polling.who_am_i(self._api)).username
        except InvalidToken:
            raise ConfigurationError(polling.BAD_TOKEN) from None
        except Exception as error:
            raise delivery_error(error) from error

    @property
    def webhook_secret(self) -> str | None:
        """What Telegram must know to post updates; None where they are polled."""
        return self._webhook.secret if self._webhook else None

    async def run(self, emit: Emit) -> None:
        """Take updates in until cancelled. Raises `ConfigurationError` when the token or the webhook is refused."""
        if self._webhook is not None:
            await self._poller.listen(self._webhook)
        else:
            await self._poller.run(lambda update: self.accept(update, emit))

    async def accept(self, update: dict[str, Any], emit: Emit) -> None:
        """Store what is in one update. Whatever cannot be read is set aside; `NotStored` when storing failed.

        Raises `TelegramError` where the bot's own name is not known yet and cannot be had: groups are read by it.
        """
        me = await self._poller.bot()
        now = self._clock.now()
        press = press_in(update)
        try:
            fact = to_fact(update, me.username, me.user_id, now)
        except Exception as error:
            log.warning(
                "update %s is set aside, it cannot be read: %s", told(update.get("update_id")), type(error).__name__
            )
            fact = None
        if fact is None:
            if press:
                self._presses.expect(press)
            return
        if self._arrival_time:
            fact = fact.model_copy(update={"occurred_at": now})
        try:
            await emit(fact)
        except Exception as error:
            raise polling.NotStored from error
        if press:
            self._presses.expect(press)

    async def send(self, message: ChannelMessage) -> Receipt:
        """Deliver one part, at the pace that Telegram allows. Raises one of the three `DeliveryError`s."""
        return await self._outbox.send(message)

    def parts(self, text: str) -> list[str]:
        """At most 4096 UTF-16 units each; joined they are the text."""
        return split(text, TEXT_LIMIT)

    async def set_menu(self, entries: Sequence[tuple[str, str]], *, chat: str | None, language: str | None) -> None:
        """The menu of commands of a private chat, or of all others. Raises a `DeliveryError`."""
        scope = {"type": "default"} if chat is None else {"type": "chat", "chat_id": chat}
        commands = [{"command": name, "description": text} for name, text in entries]
        method = "setMyCommands" if commands else "deleteMyCommands"
        wanted = {"commands": commands or None, "scope": scope, "language_code": language}
        try:
            await self._api.call(method, wanted)
        except Exception as error:
            raise delivery_error(error) from error

    async def settle_button(self, fact: Fact, note: str | None) -> None:
        """Answer the press with `note` and take the buttons off. Raises nothing: the press itself was handled."""
        await self._presses.settle(fact, note)

    async def close(self) -> None:
        """Answer what still waits and give the connections back."""
        await self._presses.close()
        await self._api.close()
