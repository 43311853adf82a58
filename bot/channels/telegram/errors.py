"""What an error of the Bot API says about the message that met it: not delivered, never to be, or perhaps.

| met | means |
| --- | --- |
| connection refused, no name, no TLS, no free connection | nothing was written: transient |
| 429 | refused for now: transient, with the server's own wish |
| token refused, conflict, other answers below 500 | refused, whatever the message: transient |
| 403, 400 | refused for good: permanent |
| 400 with a new id of the chat | the group became a supergroup: permanent, and where it went |
| 5xx; written, and then no answer or a broken connection | perhaps delivered: unknown |
"""

from __future__ import annotations

import json
import os
from datetime import timedelta
from typing import Any

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)
from telegram.request import HTTPXRequest

from core.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError

# The library's own switch: RetryAfter.retry_after is a timedelta, and no warning is printed.
os.environ.setdefault("PTB_TIMEDELTA", "1")

TokenRefused = (InvalidToken, EndPointNotFound)
"""The server answered 401 or 404: it knows no such bot."""

_NOT_WRITTEN = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


def wish(error: RetryAfter) -> timedelta:
    """How long the server wants to be left alone."""
    wait = error.retry_after
    return wait if isinstance(wait, timedelta) else timedelta(seconds=wait)


class ServerFault(NetworkError):
    """An answer of 500 or more: the server, or something before it, failed with the request in hand."""


class Request(HTTPXRequest):
    """The library's transport, which also keeps apart answers of 500 and more, and does not log what is no JSON."""

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Status and body. Raises `ServerFault` from 500 on."""
        status, body = await super().do_request(*args, **kwargs)
        if status >= 500:
            raise ServerFault(f"Telegram answered {status}")
        return status, body

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The body as an object. Raises `TelegramError` with a cause."""
        try:
            body = json.loads(payload.decode("utf-8", "replace"))
        except ValueError as error:
            raise TelegramError("the answer is no JSON") from error
        if not isinstance(body, dict):
            raise TelegramError("the answer is no object") from TypeError(type(body).__name__)
        return body


def delivery_error(error: Exception) -> DeliveryError:
    """What `error`, met while sending, says about the message."""
    match error:
        case ChatMigrated():
            new = str(error.new_chat_id)
            return PermanentDeliveryError("the group has become a supergroup with another id", migrated_to=new)
        case RetryAfter():
            return TransientDeliveryError("Telegram wants fewer messages", retry_after=wish(error))
        case Forbidden() | BadRequest():
            return PermanentDeliveryError(f"Telegram refused the message: {error.message}")
        case InvalidToken() | EndPointNotFound():
            return TransientDeliveryError("Telegram refused the bot's token")
        case ServerFault():
            return UnknownDeliveryError(f"{error.message}; the message may have arrived")
        case NetworkError():
            return _transport_error(error)
        case TelegramError() if error.__cause__ is None:
            return TransientDeliveryError(f"Telegram refused the message for now: {error.message}")
        case _:
            return UnknownDeliveryError("Telegram's answer makes no sense; the message may have arrived")


def _transport_error(error: NetworkError) -> DeliveryError:
    cause = error.__cause__
    if isinstance(cause, _NOT_WRITTEN):
        return TransientDeliveryError(f"Telegram cannot be reached ({type(cause).__name__})")
    if cause is None:
        return TransientDeliveryError(f"Telegram refused the message for now: {error.message}")
    return UnknownDeliveryError(f"no answer from Telegram ({type(cause).__name__}); the message may have arrived")
