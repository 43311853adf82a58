"""Sending: one `ChannelMessage` as one request, or as a first one with the rest of its attachments behind it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from telegram import Bot, LinkPreviewOptions, ReplyParameters
from telegram.error import BadRequest

from bot.channels.rate import Pace
from bot.channels.telegram.errors import delivery_error
from bot.channels.telegram.inbound import CHANNEL
from bot.channels.telegram.markup import CAPTION_LIMIT, keyboard, to_html
from bot.channels.text import is_blank, utf16_units
from core.errors import DeliveryError, TransientDeliveryError
from core.ports import ChannelMessage, Receipt

log = logging.getLogger(__name__)

Call = Callable[[], Awaitable[int]]
"""A request; its answer is the new message's id."""

_CAPTIONED = ("photo", "voice", "audio", "video", "document")
_EXTRA_TRIES = 3
_EXTRA_WAIT = timedelta(seconds=60)


class Outbox:
    """Turns messages into requests, paced, with errors in our own words."""

    def __init__(self, bot: Bot, pace: Pace, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._bot = bot
        self._pace = pace
        self._sleep = sleep

    async def send(self, message: ChannelMessage) -> Receipt:
        """Deliver it.

        What cannot be told in the first request (further attachments) follows. Once the first arrived the message
        counts as delivered: a failure after that is tried a few times more and then only logged, for raising it would
        send the text a second time.
        """
        first, *others = self._requests(message)
        message_id = await self._request(message.chat, first)
        for other in others:
            await self._extra(message.chat, other)
        return Receipt(channel=CHANNEL, chat=message.chat, message_id=str(message_id))

    def _requests(self, message: ChannelMessage) -> list[Call]:
        options: dict[str, Any] = {
            "disable_notification": message.silent,
            "reply_markup": keyboard(message.buttons),
            "reply_parameters": _quote(message.quote),
        }
        attachments = list(message.attachments)
        if attachments and is_blank(message.text):
            first = self._attachment(message.chat, *attachments.pop(0), options)
        elif attachments and _fits_caption(attachments[0][0], message.text):
            caption = {"caption": to_html(message.text), "parse_mode": "HTML"}
            first = self._attachment(message.chat, *attachments.pop(0), {**options, **caption})
        else:
            first = self._text(message.chat, message.text, options)
        silent = {"disable_notification": message.silent}
        return [first, *(self._attachment(message.chat, kind, ref, silent) for kind, ref in attachments)]

    def _text(self, chat: str, text: str, options: dict[str, Any]) -> Call:
        # Only the cutting of a text that is white space for pages makes a blank part, which Telegram refuses.
        shown = "…" if is_blank(text) else text
        no_preview = LinkPreviewOptions(is_disabled=True)

        async def call() -> int:
            send = self._bot.send_message
            try:
                sent = await send(chat, to_html(shown), parse_mode="HTML", link_preview_options=no_preview, **options)
            except BadRequest as error:
                if "can't parse entities" not in error.message.lower():
                    raise
                sent = await send(chat, shown, link_preview_options=no_preview, **options)
            return sent.message_id

        return call

    def _attachment(self, chat: str, kind: str, ref: str, options: dict[str, Any]) -> Call:
        by_kind: dict[str, Callable[..., Awaitable[Any]]] = {
            "photo": self._bot.send_photo,
            "voice": self._bot.send_voice,
            "audio": self._bot.send_audio,
            "video": self._bot.send_video,
            "document": self._bot.send_document,
            "sticker": self._bot.send_sticker,
        }

        async def call() -> int:
            if send := by_kind.get(kind):
                return int((await send(chat, ref, **options)).message_id)
            # Everything else is known by where it lies.
            from_chat, _, message_id = ref.partition(":")
            return (await self._bot.copy_message(chat, from_chat, int(message_id), **options)).message_id

        return call

    async def _request(self, chat: str, call: Call) -> int:
        async with self._pace.turn(chat, group=chat.startswith("-")):
            try:
                return await call()
            except Exception as error:
                failure = delivery_error(error)
                if isinstance(failure, TransientDeliveryError) and failure.retry_after:
                    self._pace.block(chat, failure.retry_after.total_seconds())
                raise failure from error

    async def _extra(self, chat: str, call: Call) -> None:
        for attempt in range(1, _EXTRA_TRIES + 1):
            try:
                await self._request(chat, call)
                return
            except TransientDeliveryError as error:
                wait = error.retry_after or timedelta(seconds=attempt)
                if attempt == _EXTRA_TRIES or wait > _EXTRA_WAIT:
                    log.warning("an attachment was not handed on: %s", error)
                    return
                await self._sleep(wait.total_seconds())
            except DeliveryError as error:
                log.warning("an attachment was perhaps not handed on: %s", error)
                return


def _quote(message_id: str | None) -> ReplyParameters | None:
    """Only ids of Telegram's own; a message that is gone is no reason not to send."""
    if message_id is None or not message_id.isdecimal():
        return None
    return ReplyParameters(int(message_id), allow_sending_without_reply=True)


def _fits_caption(kind: str, text: str) -> bool:
    return kind in _CAPTIONED and sum(map(utf16_units, text)) <= CAPTION_LIMIT
