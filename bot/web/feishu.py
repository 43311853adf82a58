"""Webhook mode of Feishu: it posts events and card presses, and wants the answer to a press in the same breath."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.metrics import POSTS
from bot.web.body import body_of
from core.ports import Emit

MOST = 1024 * 1024
"""Bytes of an event."""
PATHS = ("/feishu/events", "/feishu/cards")
_OUTCOMES = {200: "taken", 403: "unauthorized"}


@runtime_checkable
class Posted(Protocol):
    """A channel that knows itself who may post to it, and what to answer."""

    @property
    def posted(self) -> bool:
        """Whether anything is posted at all."""
        ...

    async def post(self, headers: Mapping[str, str], body: bytes, emit: Emit) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer; with 200 the event is stored."""
        ...


class FeishuEvents:
    """Takes events in for the channel."""

    def __init__(self, channel: Posted, emit: Emit) -> None:
        self._channel = channel
        self._emit = emit

    def routes(self) -> list[Route]:
        """One for events and one for cards; Feishu may be given either for both."""
        return [Route(path, self._take, methods=["POST"]) for path in PATHS]

    async def _take(self, request: Request) -> Response:
        status, answer = await self._channel.post(request.headers, await body_of(request, MOST), self._emit)
        POSTS.count("/feishu", _OUTCOMES.get(status, "not_stored"))
        return JSONResponse(answer, status_code=status)
