"""Webhook mode of a channel: the platform posts its updates, to a path and with a header that both hold a secret."""

from __future__ import annotations

import logging
from typing import Any, Protocol, runtime_checkable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.logs import named
from bot.metrics import POSTS
from bot.web.body import body_of, object_in
from bot.web.refusal import NOTHING_HERE, Refused, same
from core.ports import Emit

log = logging.getLogger(__name__)

MOST = 4 * 1024 * 1024
"""Bytes of an update: far more than any has."""
PATH = "/telegram/{secret}"


@runtime_checkable
class Hooked(Protocol):
    """A channel to which updates can be posted."""

    @property
    def webhook_secret(self) -> str | None:
        """What the platform must know; None where it is asked for updates instead."""
        ...

    async def accept(self, update: dict[str, Any], emit: Emit) -> None:
        """Store what is in an update; one that cannot be read is set aside. Raises when it could not be stored."""
        ...


class Updates:
    """Takes updates in for a channel. Answered when its fact is stored; else the platform brings it again."""

    def __init__(self, channel: Hooked, secret: str, emit: Emit) -> None:
        self._channel = channel
        self._secret = secret
        self._emit = emit

    def routes(self) -> list[Route]:
        """The one route."""
        return [Route(PATH, self._update, methods=["POST"])]

    async def _update(self, request: Request) -> Response:
        header = request.headers.get("x-telegram-bot-api-secret-token", "")
        known = same(request.path_params["secret"], self._secret)
        if not (same(header, self._secret) and known):
            POSTS.count("/telegram", "unauthorized")
            raise Refused(404, NOTHING_HERE.format(path=request.url.path))
        try:
            update = object_in(await body_of(request, MOST))
        except Refused as unreadable:
            if unreadable.status == 408:
                raise
            # Refused, it would come again and again, and hold up those behind it.
            log.warning("an update is set aside: %s", unreadable)
            POSTS.count("/telegram", "malformed")
            return JSONResponse({"status": "ignored"})
        try:
            await self._channel.accept(update, self._emit)
        except Exception as error:
            log.warning("an update could not be stored and will come again: %s", named(error))
            POSTS.count("/telegram", "not_stored")
            raise Refused(503, "it cannot be stored just now") from None
        POSTS.count("/telegram", "taken")
        return JSONResponse({"status": "ok"})
