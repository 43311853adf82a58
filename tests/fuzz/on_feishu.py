"""The real channel of Feishu on a server in memory, and its two ways in: frames for the library's client, and posts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from bot.channels.feishu.channel import FeishuChannel
from bot.channels.feishu.connection import _Client
from bot.channels.feishu.errors import Refused
from bot.web.feishu import FeishuEvents
from bot.web.routes import routes_of
from tests.fuzz import cast
from tests.fuzz.house import House, no_sleep
from tests.wire.feishu_api import FeishuApi, events
from tests.wire.feishu_api.posts import BOTH, encrypted, signed
from tests.wire.inlet import Well
from tests.wire.loopback import NO_LIMITS


@dataclass(frozen=True)
class _Asked:
    """A request as `FeishuApi` looks at it."""

    method: str
    query: dict[str, str]


class MemoryFeishu:
    """Answers as the open API does."""

    def __init__(self, shown: list[str]) -> None:
        self._server = FeishuApi()
        self._shown = shown

    async def call(
        self, method: str, uri: str, body: Any = None, *, queries: Sequence[tuple[str, str]] = (), form: Any = None
    ) -> Any:
        """In place of `Api.call`."""
        path = uri.removeprefix("/open-apis")
        if path == "/bot/v3/info":
            return {"bot": {"open_id": "ou_bot", "app_name": "清海"}}
        code, answer = self._server._message(_Asked(method, dict(queries)), path.strip("/").split("/"), body or {})  # type: ignore[arg-type]
        if code != 0:
            raise Refused(code, "refused", 400)
        for sent in self._server.sent[-1:]:
            self._shown += [str(value["data"]) for value in sent.buttons.values()]
        return answer["data"]


class OnFeishu(House):
    """Over the long connection: each event is a frame for the library's own client."""

    mode: Any = "ws"

    def make_channel(self) -> FeishuChannel:
        """With the library's transport taken out."""
        self.api = MemoryFeishu(self.shown)
        toast = {"zh_cn": "收到"}
        made = FeishuChannel(
            "cli_test", "secret", self.clock, rates=NO_LIMITS, sleep=no_sleep, toast=toast, mode=self.mode, secrets=BOTH
        )
        made._api.call = self.api.call  # type: ignore[method-assign]
        made._open_id = "ou_bot"
        return made

    def says(self, who: cast.Member, text: str) -> dict[str, Any]:
        """A message to the bot."""
        return events.message(who.feishu, text, at=int(self.clock.now().timestamp() * 1000))

    async def open_inlet(self) -> None:
        """A client of the library that has no connection, and answers into a list."""

        async def take(payload: bytes) -> Any:
            return await self.channel._take_raw(self.app.emit, payload)

        self.answers: list[bytes] = []
        self._client = _Client("a", "s", wanted=lambda: True, connected=lambda: None, take=take)
        self._client._write_message = self._written

    async def _written(self, frame: bytes) -> None:
        self.answers.append(frame)

    async def close_inlet(self) -> None:
        """Nothing is open."""
        for task in asyncio.all_tasks():
            if task.get_coro().__qualname__.startswith("ExpiringCache"):  # type: ignore[union-attr]
                task.cancel()

    async def bring(self, inputs: Sequence[Any]) -> None:
        """Each is answered with 200, or it would come again for ever."""
        from lark_oapi.ws.pb.pbbp2_pb2 import Frame

        for number, event in enumerate(inputs):
            frame = Frame()
            frame.SeqID, frame.LogID, frame.service, frame.method = number, 1, 33, 1
            for key, value in {"type": "event", "message_id": f"m{number}", "sum": "1", "seq": "0"}.items():
                header = frame.headers.add()
                header.key, header.value = key, value
            frame.payload = event if isinstance(event, bytes) else json.dumps(event).encode()
            self.answers.clear()
            await self._client._handle_message(frame.SerializeToString())
            assert len(self.answers) == 1, event
            frame.ParseFromString(self.answers[0])
            assert json.loads(frame.payload)["code"] == 200, (frame.payload, event)


class PostedOnFeishu(OnFeishu):
    """By the webhook: each is encrypted, signed and posted to the inlet's application."""

    mode = "webhook"

    async def open_inlet(self) -> None:
        """The application, reached without a socket."""
        self.channel._webhook._wall = lambda: 1_773_626_400.0
        app = routes_of(Well(), FeishuEvents(self.channel, self.app.emit).routes())
        self._posting = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://bot")

    async def close_inlet(self) -> None:
        """Hang up."""
        await self._posting.aclose()

    async def bring(self, inputs: Sequence[Any]) -> None:
        """What has its token is taken; anything else is refused, and nothing but that."""
        for number, event in enumerate(inputs):
            body = encrypted(event)
            answer = await self._posting.post(
                ("/feishu/events", "/feishu/cards")[number % 2], content=body, headers=signed(body)
            )
            assert answer.status_code in (200, 403), (answer.status_code, answer.text, event)
