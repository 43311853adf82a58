"""The Bot API in raw JSON, through python-telegram-bot's transport.

Of an answer only what is needed is looked at. The library's own methods turn the whole of it into objects, and one
field that it does not expect would make a delivered message look like a failure.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import re
import ssl
from datetime import timedelta
from typing import Any

import httpx
from telegram import Bot
from telegram.error import NetworkError, TelegramError
from telegram.request import HTTPXRequest

from bot.failpoints import Failpoint, no_failpoint

# The library's own switch: RetryAfter.retry_after is a timedelta, and no warning is printed.
os.environ.setdefault("PTB_TIMEDELTA", "1")

_CONNECT_S = 5.0
_AT_ONCE = 16
"""Requests in flight. httpx looks at every open connection for every request: with 64 it is four times slower."""


@functools.cache
def _tls() -> ssl.SSLContext:
    """One for all: reading the certificates takes longer than everything else here."""
    return httpx.create_ssl_context()


POINTS = {
    "getUpdates": "acknowledge",
    "answerCallbackQuery": "answer_press",
    "editMessageReplyMarkup": "take_off_buttons",
}
"""Failpoints around these; sending has its own."""


class ServerFault(NetworkError):
    """An answer of 500 or more: the server, or something before it, failed with the request in hand."""


class Transport(HTTPXRequest):
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


class Api:
    """One bot on one server."""

    def __init__(
        self, token: str, base_url: str, answer_within: timedelta, failpoint: Failpoint = no_failpoint
    ) -> None:
        self._failpoint = failpoint
        seconds = answer_within.total_seconds()
        # A poll takes one connection for itself, so that sending never waits for it.
        self._polls = Transport(
            connection_pool_size=2, connect_timeout=_CONNECT_S, pool_timeout=_CONNECT_S, httpx_kwargs={"verify": _tls()}
        )
        self._calls = Transport(
            connect_timeout=_CONNECT_S,
            pool_timeout=_CONNECT_S,
            read_timeout=seconds,
            write_timeout=seconds,
            httpx_kwargs={"verify": _tls()},
        )
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._bot = Bot(token, base_url=base_url, get_updates_request=self._polls, request=self._calls)

    async def call(self, method: str, parameters: dict[str, Any] | None = None, *, wait: float | None = None) -> Any:
        """The result of `method`; `wait` seconds for the answer instead of the usual. Raises `TelegramError`.

        Parameters that are None are left out.
        """
        # In this spelling the library does not warn that it has a method of its own for it.
        endpoint = re.sub("([A-Z])", r"_\1", method)
        timeout = Transport.DEFAULT_NONE if wait is None else wait
        place = contextlib.nullcontext() if method == "getUpdates" else self._places
        point = POINTS.get(method)
        async with place:
            if point:
                self._failpoint(f"{point}.before_request")
            result = await self._bot.do_api_request(endpoint, parameters, read_timeout=timeout)
            if point:
                self._failpoint(f"{point}.after_request")
        return result

    async def close(self) -> None:
        """Give the connections back."""
        await self._polls.shutdown()
        await self._calls.shutdown()
