"""Sending: one `ChannelMessage` as one request, or as a first one with the rest of its attachments behind it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from telegram.error import BadRequest

from bot.channels.outbox import Call, Outbox
from bot.channels.rate import Pace
from bot.channels.telegram.api import Api
from bot.channels.telegram.errors import delivery_error
from bot.channels.telegram.inbound import CHANNEL
from bot.channels.telegram.markup import CAPTION_LIMIT, keyboard, to_html
from bot.channels.text import is_blank, utf16_units
from core.errors import DeliveryError
from core.ports import ChannelMessage

log = logging.getLogger(__name__)

Options = dict[str, Any]
"""Parameters that texts and attachments have in common."""

_CAPTIONED = ("photo", "voice", "audio", "video", "document")


class TelegramOutbox(Outbox):
    """The requests of Telegram's Bot API."""

    channel = CHANNEL

    def __init__(self, api: Api, pace: Pace, sleep: Callable[[float], Awaitable[None]]) -> None:
        super().__init__(pace, sleep)
        self._api = api

    def is_group(self, chat: str) -> bool:
        """Groups have ids below zero."""
        return chat.startswith("-")

    def delivery_error(self, error: Exception) -> DeliveryError:
        """By the kinds of python-telegram-bot."""
        return delivery_error(error)

    def requests(self, message: ChannelMessage) -> list[Call]:
        """The text, with the first attachment where it can bear it, then the other attachments."""
        options: Options = {
            "disable_notification": message.silent,
            "reply_markup": keyboard(message.buttons),
            "reply_parameters": _quote(message.quote),
        }
        attachments = list(message.attachments)
        first = self._text(message.chat, message.text, options)
        if attachments and is_blank(message.text):
            first = _or_else(self._attachment(message.chat, *attachments.pop(0), options), first)
        elif attachments and _fits_caption(attachments[0][0], message.text):
            caption = {"caption": to_html(message.text), "parse_mode": "HTML"}
            first = _or_else(self._attachment(message.chat, *attachments.pop(0), {**options, **caption}), first)
        silent = {"disable_notification": message.silent}
        return [first, *(self._attachment(message.chat, kind, ref, silent) for kind, ref in attachments)]

    def _text(self, chat: str, text: str, options: Options) -> Call:
        # A blank part (cut from a text that is white space for pages) would be refused.
        shown = "…" if is_blank(text) else text
        plain = {"chat_id": chat, "text": shown, "link_preview_options": {"is_disabled": True}, **options}

        async def call() -> str:
            try:
                sent = await self._api.call("sendMessage", {**plain, "text": to_html(shown), "parse_mode": "HTML"})
            except BadRequest as error:
                if "can't parse entities" not in error.message.lower():
                    raise
                sent = await self._api.call("sendMessage", plain)
            return str(sent["message_id"])

        return call

    def _attachment(self, chat: str, kind: str, ref: str, options: Options) -> Call:
        if kind in (*_CAPTIONED, "sticker"):
            method, what = f"send{kind.title()}", {kind: ref}
        else:  # everything else is known by where it lies
            method, (from_chat, _, message_id) = "copyMessage", ref.partition(":")
            what = {"from_chat_id": from_chat, "message_id": message_id}

        async def call() -> str:
            sent = await self._api.call(method, {"chat_id": chat, **what, **options})
            return str(sent["message_id"])

        return call


def _or_else(attachment: Call, text: Call) -> Call:
    """A file that Telegram refuses (lost, or of a kind that the recipient bars) must not take its text with it.

    If it is the chat that is at fault, the text is refused too.
    """

    async def call() -> str:
        try:
            return await attachment()
        except BadRequest as error:
            log.warning("an attachment was refused, its text goes alone: %s", error.message)
            return await text()

    return call


def _quote(message_id: str | None) -> dict[str, Any] | None:
    """Only ids of Telegram's own; a message that is gone is no reason not to send."""
    if message_id is None or not message_id.isdecimal():
        return None
    return {"message_id": int(message_id), "allow_sending_without_reply": True}


def _fits_caption(kind: str, text: str) -> bool:
    return kind in _CAPTIONED and sum(map(utf16_units, text)) <= CAPTION_LIMIT
