"""The Feishu channel: the long connection or the webhook in, the open API out."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, Literal

from bot.channels.feishu import contacts
from bot.channels.feishu.api import Api
from bot.channels.feishu.cards import LINE_BYTES, PART_LIMIT, wire_bytes
from bot.channels.feishu.connection import ANSWER_S, FIRST_PAUSE, LONGEST_PAUSE, Connection
from bot.channels.feishu.errors import BAD_APP, Refused, delivery_error
from bot.channels.feishu.ids import CHANNEL
from bot.channels.feishu.inbound import completed, to_fact
from bot.channels.feishu.outbound import FeishuOutbox
from bot.channels.feishu.presses import Presses
from bot.channels.feishu.webhook import Secrets, Webhook
from bot.channels.given import told
from bot.channels.outbox import PacedChannel
from bot.channels.rate import Pace, Rate, Rates
from bot.channels.text import split
from bot.failpoints import Failpoint, no_failpoint
from bot.settings.people import FeishuContact
from bot.system import SystemClock
from core.errors import ConfigurationError
from core.facts import Fact, FactKind
from core.ids import PersonId
from core.ports import Archive, ChannelMessage, Clock, Emit, Receipt

log = logging.getLogger(__name__)

Json = dict[str, Any]

RATES = Rates(chat=Rate(5, 1.0), group=None, overall=Rate(50, 1.0), sustained=Rate(1000, 60.0))
"""What Feishu tolerates for one app."""

REPEATED_WITHIN = timedelta(minutes=55)
"""It knows a repeated message for an hour."""

_BAD_APP = (
    "Feishu refuses the app: check QINGHAI_FEISHU__APP_ID and QINGHAI_FEISHU__APP_SECRET against the developer console"
)
_DOUBLED_AT_MOST = 6


class FeishuChannel(PacedChannel):
    """Implements `core.ports.Channel` on the open API of Feishu or Lark (`domain`).

    `arrival_time` takes `clock` for a message's time instead of Feishu's, for clocks that do not run with the world's.
    `toast` is shown to who presses a button, by locale (`zh_cn`, `en_us`); any request waits for `answer_within`.
    """

    idempotent_for = REPEATED_WITHIN

    def __init__(
        self,
        app_id: str,
        app_secret: str,
        clock: Clock,
        *,
        domain: str = "https://open.feishu.cn",
        mode: Literal["ws", "webhook"] = "ws",
        secrets: Secrets | None = None,
        toast: Mapping[str, str] | None = None,
        rates: Rates = RATES,
        answer_within: timedelta = timedelta(seconds=8),
        arrival_time: bool = False,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
        failpoint: Failpoint = no_failpoint,
    ) -> None:
        if not re.fullmatch(r"https?://[^/\s]+/?", domain):
            raise ConfigurationError(f"{domain!r} is no domain: QINGHAI_FEISHU__DOMAIN is like https://open.feishu.cn")
        secrets = secrets or Secrets()
        if mode == "webhook" and not secrets.encrypt_key and not secrets.verification_token:
            raise ConfigurationError(
                "feishu.mode = 'webhook' takes anybody's word without a secret; set QINGHAI_FEISHU__ENCRYPT_KEY and "
                "QINGHAI_FEISHU__VERIFICATION_TOKEN as the developer console shows them."
            )
        domain, world = domain.rstrip("/"), SystemClock()
        self._arrival_time = arrival_time
        self._sleep = sleep
        self._toast = toast
        self._failpoint = failpoint
        self._api = Api(app_id, app_secret, domain, answer_within, monotonic, failpoint)
        self._connection = Connection(app_id, app_secret, domain, sleep) if mode == "ws" else None
        pace = Pace(rates, monotonic=monotonic, sleep=sleep)
        super().__init__(FeishuOutbox(self._api, pace, sleep), clock)
        self._presses = Presses(self._api, sleep)
        self._archive: Archive | None = None
        self._running = False
        self._open_id: str | None = None
        self._said = "not started"
        self._webhook = Webhook(secrets, lambda: world.now().timestamp()) if mode == "webhook" else None

    @property
    def name(self) -> str:
        """`feishu`."""
        return CHANNEL

    @property
    def ready(self) -> bool:
        """Events come in."""
        return self._open_id is not None and self._running and (self._connection is None or self._connection.up)

    @property
    def status(self) -> str:
        """How it goes, in one sentence."""
        return self._connection.status if self._connection is not None and self._open_id is not None else self._said

    @property
    def trouble(self) -> str | None:
        """The same in a word, where something is wrong."""
        if self.ready:
            return None
        return "starting" if self._said in ("not started", "connecting to Feishu") else "down"

    def consult(self, archive: Archive) -> None:
        """Where to look for what events do not tell."""
        self._archive = archive

    async def check(self) -> str:
        """Ask who the bot is: its name. Raises `ConfigurationError` (app) or a `DeliveryError` (network)."""
        try:
            return (await self._who_am_i())[0]
        except Refused as error:
            if error.code in BAD_APP:
                raise ConfigurationError(_BAD_APP) from None
            raise delivery_error(error) from error
        except Exception as error:
            raise delivery_error(error) from error

    async def find(self, wanted: Iterable[FeishuContact]) -> dict[PersonId, str]:
        """The open_ids of people. Raises `ConfigurationError` where the app may not look, or a `DeliveryError`."""
        try:
            return await contacts.find(self._api, wanted)
        except ConfigurationError:
            raise
        except Exception as error:
            raise delivery_error(error) from error

    async def run(self, emit: Emit) -> None:
        """Take events in until cancelled. Raises `ConfigurationError` when the app is refused."""
        keeping = asyncio.create_task(self._api.tokens.keep(self._sleep))
        try:
            self._open_id = await self._insist()
            self._running, self._said = True, "waits for what Feishu posts"
            if self._connection is not None:
                await self._connection.run(partial(self._take_raw, emit))
            await asyncio.Event().wait()
        finally:
            self._running = False
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

    @property
    def posted(self) -> bool:
        """Whether events are posted to the HTTP inlet, which hands them to `post`."""
        return self._webhook is not None

    async def post(self, headers: Mapping[str, str], body: bytes, emit: Emit) -> tuple[int, Json]:
        """Status and body of the answer to what was posted; also where another process does the sending."""
        if self._webhook is None:
            return 404, {"error": "events come over the long connection"}
        return await self._webhook.handle(headers, body, partial(self._take_posted, emit))

    async def accept(self, event: Json, emit: Emit) -> Json | None:
        """Store what is in one event; the answer to a press. Whatever cannot be read is set aside.

        Raises what `emit` raises: then nothing was stored.
        """
        now = self._clock.now()
        try:
            fact = to_fact(event, self._open_id, now)
        except Exception as error:
            event_id = (event.get("header") or {}).get("event_id") if isinstance(event.get("header"), dict) else None
            log.warning("event %s is set aside, it cannot be read: %s", told(event_id), type(error).__name__)
            return None
        if fact is not None and fact.kind is FactKind.RECALL:
            fact = await self._completed(fact)
        if fact is None:
            return None
        if self._arrival_time:
            fact = fact.model_copy(update={"occurred_at": now})
        new = await emit(fact)
        if fact.button is None or not new or not self._toast:
            return None
        words = {"content": next(iter(self._toast.values())), "i18n": dict(self._toast)}
        return {"toast": {"type": "info", **words}}

    async def send(self, message: ChannelMessage) -> Receipt:
        """Deliver one part, at the pace that Feishu allows. Raises one of the three `DeliveryError`s."""
        receipt = await self._outbox.send(message)
        if message.buttons:
            self._presses.shown(receipt.chat, receipt.message_id, message.text)
        return receipt

    def parts(self, text: str) -> list[str]:
        """Small enough for a card each; joined they are the text."""
        return split(text, PART_LIMIT, wire_bytes, LINE_BYTES)

    async def settle_button(self, fact: Fact, note: str | None) -> None:
        """Take the buttons off; the press itself was answered as it came. Raises nothing."""

        async def kept(chat: str, message_id: str) -> str | None:
            return await self._archive.sent(chat, message_id) if self._archive is not None else None

        await self._presses.settle(fact, kept)

    async def close(self) -> None:
        """Give the threads back."""
        await self._api.close()

    async def _who_am_i(self) -> tuple[str, str]:
        """The bot's name and open_id."""
        answer = await self._api.call("GET", "/open-apis/bot/v3/info")
        bot = answer.get("bot") or answer
        return str(bot.get("app_name", "")), str(bot["open_id"])

    async def _insist(self) -> str:
        """The bot's open_id, asked for as long as it takes."""
        self._said = "connecting to Feishu"
        failures = 0
        while True:
            try:
                return (await self._who_am_i())[1]
            except Exception as error:
                if isinstance(error, Refused) and error.code in BAD_APP:
                    self._said = _BAD_APP
                    raise ConfigurationError(_BAD_APP) from None
                self._said = f"Feishu cannot be reached: {delivery_error(error)}"
                if not failures:
                    log.warning("%s; trying again", self._said)
            await self._sleep(min(FIRST_PAUSE * 2 ** min(failures, _DOUBLED_AT_MOST), LONGEST_PAUSE))
            failures += 1

    async def _take_raw(self, emit: Emit, payload: bytes) -> Json | None:
        try:
            event = json.loads(payload)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            log.warning("an event is set aside, it is no JSON")
            return None
        answer = await self.accept(event, emit)
        self._failpoint("acknowledge.before_request")
        return answer

    async def _take_posted(self, emit: Emit, event: Json) -> Json | None:
        async with asyncio.timeout(ANSWER_S):
            if self._open_id is None:  # groups are read by it
                _, self._open_id = await self._who_am_i()
            return await self.accept(event, emit)

    async def _completed(self, recall: Fact) -> Fact | None:
        """None where the message was never for the bot."""
        if self._archive is None or recall.message_id is None:
            return None
        message = await self._archive.received(recall.message_id)
        return completed(recall, message) if message is not None else None
