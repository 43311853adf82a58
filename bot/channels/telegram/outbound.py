"""Sending: one `ChannelMessage` as one request, or as a first one with the rest of its attachments behind it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import timedelta
from typing import Any

from telegram.error import BadRequest

from bot.channels.rate import Pace
from bot.channels.telegram.api import Api
from bot.channels.telegram.errors import delivery_error
from bot.channels.telegram.inbound import CHANNEL
from bot.channels.telegram.markup import CAPTION_LIMIT, keyboard, to_html
from bot.channels.text import is_blank, utf16_units
from core.errors import DeliveryError, Paced, TransientDeliveryError
from core.ports import ChannelMessage, Receipt

log = logging.getLogger(__name__)

Call = Callable[[], Awaitable[int]]
"""A request; its answer is the new message's id."""

Options = dict[str, Any]
"""Parameters that texts and attachments have in common."""

_CAPTIONED = ("photo", "voice", "audio", "video", "document")
_EXTRA_TRIES = 3
_EXTRA_WAIT = timedelta(seconds=60)
MOMENT = timedelta(seconds=1)


class Outbox:
    """Turns messages into requests, paced, with errors in our own words."""

    def __init__(self, api: Api, pace: Pace, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._api = api
        self._pace = pace
        self._sleep = sleep
        self._may_send: Callable[[], bool] = lambda: True

    def only_while(self, allowed: Callable[[], bool]) -> None:
        """Ask before each request, and refuse it when it may not leave."""
        self._may_send = allowed

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

    def remember(self, sent: Iterable[tuple[str, timedelta]], blocked: Iterable[tuple[str, timedelta]]) -> None:
        """What was sent to whom so long ago, the oldest first, and who wants nothing for how long."""
        for chat, ago in sent:
            self._pace.remember(chat, ago.total_seconds(), group=_is_group(chat))
        for chat, wait in blocked:
            self._pace.block(chat, wait.total_seconds(), group=_is_group(chat))

    async def pause(self, chat: str) -> None:
        """Until the chat's next turn may come. Raises `Paced` when that takes long."""
        await self._pace.pause(chat, group=_is_group(chat))

    def _requests(self, message: ChannelMessage) -> list[Call]:
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

        async def call() -> int:
            try:
                sent = await self._api.call("sendMessage", {**plain, "text": to_html(shown), "parse_mode": "HTML"})
            except BadRequest as error:
                if "can't parse entities" not in error.message.lower():
                    raise
                sent = await self._api.call("sendMessage", plain)
            return int(sent["message_id"])

        return call

    def _attachment(self, chat: str, kind: str, ref: str, options: Options) -> Call:
        if kind in (*_CAPTIONED, "sticker"):
            method, what = f"send{kind.title()}", {kind: ref}
        else:  # everything else is known by where it lies
            method, (from_chat, _, message_id) = "copyMessage", ref.partition(":")
            what = {"from_chat_id": from_chat, "message_id": message_id}

        async def call() -> int:
            sent = await self._api.call(method, {"chat_id": chat, **what, **options})
            return int(sent["message_id"])

        return call

    async def _request(self, chat: str, call: Call) -> int:
        async with self._pace.turn(chat, group=_is_group(chat)):
            if not self._may_send():
                raise Paced("another process sends now", MOMENT)
            try:
                return await call()
            except Exception as error:
                failure = delivery_error(error)
                if isinstance(failure, TransientDeliveryError) and failure.retry_after:
                    self._pace.block(chat, failure.retry_after.total_seconds(), group=_is_group(chat))
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


def _is_group(chat: str) -> bool:
    return chat.startswith("-")


def _or_else(attachment: Call, text: Call) -> Call:
    """A file that Telegram refuses (lost, or of a kind that the recipient bars) must not take its text with it.

    If it is the chat that is at fault, the text is refused too.
    """

    async def call() -> int:
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
