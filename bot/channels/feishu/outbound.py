"""Sending: one `ChannelMessage` as one request, and its attachments as more behind it.

Every request that makes a message carries a `uuid` that is a function of the message's key: what is sent again within
the hour is taken once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.channels.feishu.api import Api
from bot.channels.feishu.cards import message_body
from bot.channels.feishu.errors import Refused, delivery_error
from bot.channels.feishu.ids import CHANNEL, is_group, is_message, receive_id_type
from bot.channels.keys import repeat_key
from bot.channels.outbox import Call, Outbox
from bot.channels.rate import Pace
from bot.channels.text import clean, is_blank
from core.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError
from core.ports import ChannelMessage

Json = dict[str, Any]

_MESSAGES = "/open-apis/im/v1/messages"


class FeishuOutbox(Outbox):
    """The requests of Feishu's message API."""

    channel = CHANNEL
    # Its key is its own, and what is sent again is taken once: so whatever is not refused for good may be tried again.
    tried_again = (TransientDeliveryError, UnknownDeliveryError)

    def __init__(self, api: Api, pace: Pace, sleep: Callable[[float], Awaitable[None]]) -> None:
        super().__init__(pace, sleep)
        self._api = api

    def is_group(self, chat: str) -> bool:
        """Chats of their own are known by the person's id."""
        return is_group(chat)

    def delivery_error(self, error: Exception) -> DeliveryError:
        """By the codes of the answer."""
        return delivery_error(error)

    def requests(self, message: ChannelMessage) -> list[Call]:
        """The words, then each attachment under a key of its own."""
        extras = [
            self._attachment(message, ref, repeat_key(f"{message.key}+{number}"))
            for number, (_, ref) in enumerate(message.attachments)
        ]
        if extras and is_blank(message.text) and not message.buttons:
            return extras
        return [self._words(message), *extras]

    def _words(self, message: ChannelMessage) -> Call:
        # A blank part (cut from a text that is white space for pages) would be refused.
        text = "…" if is_blank(message.text) else clean(message.text)
        body = {**message_body(text, message.buttons, message.chat), "uuid": repeat_key(message.key)}

        async def call() -> str:
            if is_message(message.quote):
                try:
                    sent = await self._api.call("POST", f"{_MESSAGES}/{message.quote}/reply", body)
                    return str(sent["message_id"])
                except Refused as error:
                    failure = delivery_error(error)
                    if not isinstance(failure, PermanentDeliveryError):
                        raise
                    # A quoted message that is gone is no reason not to send. What else was wrong is said again.
            return await self._create(message.chat, body)

        return call

    async def _create(self, chat: str, body: Json) -> str:
        receiver = [("receive_id_type", receive_id_type(chat))]
        sent = await self._api.call("POST", _MESSAGES, {"receive_id": chat, **body}, queries=receiver)
        return str(sent["message_id"])

    def _attachment(self, message: ChannelMessage, ref: str, key: str) -> Call:
        """A message without words is passed on as it is; of a picture amid words nothing but the picture."""
        source, _, image = ref.partition(":")

        async def whole() -> str:
            to = [("receive_id_type", receive_id_type(message.chat)), ("uuid", key)]
            path = f"{_MESSAGES}/{source}/forward"
            sent = await self._api.call("POST", path, {"receive_id": message.chat}, queries=to)
            return str(sent["message_id"])

        async def picture() -> str:
            found = await self._api.download(f"{_MESSAGES}/{source}/resources/{image}", [("type", "image")])
            form = {"image_type": "message", "image": ("image", found, "application/octet-stream")}
            taken = await self._api.call("POST", "/open-apis/im/v1/images", form=form)
            content = f'{{"image_key": "{taken["image_key"]}"}}'
            return await self._create(message.chat, {"msg_type": "image", "content": content, "uuid": key})

        return picture if image else whole
