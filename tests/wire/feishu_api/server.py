"""The server: HTTP with faults by phase, and the long connection with its frames."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import WSMsgType, web

from tests.wire.feishu_api import events
from tests.wire.feishu_api.events import Json
from tests.wire.loopback import Loopback

FOREVER = 7200
KNOWN_S = 3600.0
"""So long a message is known again by its key."""


@dataclass
class Fault:
    """What goes wrong with the next `times` calls whose path holds `path`.

    | kind | what the bot sees |
    | --- | --- |
    | `code` | a refusal with `code`, HTTP `status` and `headers` |
    | `status` | an HTML page with `status` |
    | `drop` | the connection breaks, before or after the message was accepted |
    | `stall` | no answer; with phase `after` the message was accepted all the same |
    | `garbage` | 200 with no JSON, after the message was accepted |
    """

    kind: Literal["code", "status", "drop", "stall", "garbage"]
    path: str = "/im/v1/messages"
    times: int = 1
    phase: Literal["before", "after"] = "before"
    code: int = 0
    msg: str = "refused"
    status: int = 400
    headers: dict[str, str] = field(default_factory=dict)

    def fits(self, path: str, body: Any) -> bool:
        """Whether it is this call's turn."""
        return self.times > 0 and self.path in path


@dataclass
class Sent:
    """A message that was accepted; a card as it is now."""

    message_id: str
    chat: str
    id_type: str
    kind: str
    content: Json
    uuid: str
    at: float
    reply_to: str | None = None

    @property
    def text(self) -> str:
        """What a reader sees of its words."""
        if self.kind == "text":
            return str(self.content["text"])
        if self.kind == "post":
            return "\n".join("".join(part["text"] for part in line) for line in self.content["zh_cn"]["content"])
        if self.kind != "interactive":
            return ""
        head = [self.content["header"]["title"]["content"]] if "header" in self.content else []
        return "\n".join(head + [e["text"]["content"] for e in self.content["elements"] if e["tag"] == "div"])

    @property
    def buttons(self) -> dict[str, Json]:
        """Values by label."""
        rows = [e["actions"] for e in self.content.get("elements", ()) if e["tag"] == "action"]
        return {b["text"]["content"]: b["value"] for row in rows for b in row}


@dataclass(frozen=True)
class Asked:
    """A request for a message, whatever became of it."""

    chat: str
    at: float


@dataclass
class Ack:
    """What an event was answered with."""

    code: int
    data: Json | None
    seconds: float


class FeishuApi(Loopback):
    """An open API server for one app."""

    def __init__(self) -> None:
        super().__init__()
        self.app_id, self.app_secret = events.APP_ID, "secret-of-the-app"
        self.faults: list[Fault] = []
        self.sent: list[Sent] = []
        self.asked: list[Asked] = []
        self.calls: list[tuple[str, str, Any]] = []
        """Method, path and body of every call that was read."""
        self.out_of_range: set[str] = set()
        self.people: dict[str, str] = {}
        """open_id by mail address, mobile, union_id or user_id."""
        self.may_look_up = True
        self.token_lasts = FOREVER
        self.tokens: list[str] = []
        self.refused_handshakes = 0
        self.endpoint_code = 0
        self.endpoint_open = asyncio.Event()
        """While it is not set, nobody who asks for the address of the long connection gets an answer."""
        self.endpoint_open.set()
        self.connections: list[web.WebSocketResponse] = []
        self.connected_times = 0
        self.now: Callable[[], float] = time.monotonic
        """By which it tells how long it has known a message."""
        self._good: set[str] = set()
        self._acks: dict[str, tuple[web.WebSocketResponse, asyncio.Future[Ack]]] = {}
        self._numbers = itertools.count(1)

    # -- life

    @property
    def domain(self) -> str:
        """For the bot's configuration."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen on loopback."""
        app = web.Application(client_max_size=20 * 2**20)
        app.router.add_post("/callback/ws/endpoint", self._endpoint)
        app.router.add_get("/ws", self._ws)
        app.router.add_route("*", "/open-apis/{path:.*}", self._open_api)
        await self.serve(app)

    def break_connections(self) -> None:
        """Every long connection breaks without a word."""
        for ws in self.connections:
            transport = ws._req.transport if ws._req is not None else None
            if transport is not None:
                transport.abort()

    async def stop(self) -> None:
        """End."""
        self.endpoint_open.set()
        self.break_connections()
        await super().stop()

    def revoke_tokens(self) -> None:
        """No token that was given is good any more."""
        self._good.clear()

    def sent_to(self, chat: str) -> list[Sent]:
        """The messages of a chat, oldest first."""
        return [sent for sent in self.sent if sent.chat == chat]

    def paths(self) -> list[str]:
        """The calls by path, in order."""
        return [path for _, path, _ in self.calls]

    # -- events

    async def push(self, event: Json | bytes, *, timeout: float = 5.0, pieces: int = 1) -> Ack:
        """Bring an event over the long connection, in so many frames; its answer.

        Raises `ConnectionError` when the connection breaks first.
        """
        await self.until(lambda: self.connections)
        from lark_oapi.ws.pb.pbbp2_pb2 import Frame

        payload = (
            event
            if isinstance(event, bytes)
            else json.dumps(event, ensure_ascii=False).encode(errors="backslashreplace")
        )
        number = f"m{next(self._numbers)}"
        answer: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        ws, begun = self.connections[-1], time.monotonic()
        self._acks[number] = (ws, answer)
        size = -(-len(payload) // pieces)
        try:
            for piece in range(pieces):
                frame = Frame()
                frame.SeqID, frame.LogID, frame.service, frame.method = piece, 1, 33, 1
                told = {"type": "event", "message_id": number, "trace_id": "t", "sum": str(pieces), "seq": str(piece)}
                for key, value in told.items():
                    header = frame.headers.add()
                    header.key, header.value = key, value
                frame.payload = payload[piece * size : (piece + 1) * size]
                await ws.send_bytes(frame.SerializeToString())
            async with asyncio.timeout(timeout):
                ack = await answer
        finally:
            self._acks.pop(number, None)
        ack.seconds = time.monotonic() - begun
        return ack

    async def _endpoint(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.calls.append(("POST", request.path, body))
        await self.endpoint_open.wait()
        if self.endpoint_code:
            return web.json_response({"code": self.endpoint_code, "msg": "no"})
        if (body["AppID"], body["AppSecret"]) != (self.app_id, self.app_secret):
            return web.json_response({"code": 514, "msg": "app_id or app_secret is wrong"})
        config = {"ReconnectCount": -1, "ReconnectInterval": 1, "ReconnectNonce": 0, "PingInterval": 30}
        url = f"ws://127.0.0.1:{self.port}/ws?device_id=d&service_id=33&ticket=planted-ticket"
        return web.json_response({"code": 0, "msg": "", "data": {"URL": url, "ClientConfig": config}})

    async def _ws(self, request: web.Request) -> web.StreamResponse:
        if self.refused_handshakes:
            self.refused_handshakes -= 1
            return web.Response(status=403, headers={"handshake-status": "403", "handshake-msg": "forbidden"})
        ws = web.WebSocketResponse(compress=False)
        await ws.prepare(request)
        self.connections.append(ws)
        self.connected_times += 1
        try:
            async for told in ws:
                if told.type is WSMsgType.BINARY:
                    await self._frame(ws, told.data)
        finally:
            self.connections.remove(ws)
            for there, answer in self._acks.values():
                if there is ws and not answer.done():
                    answer.set_exception(ConnectionError("the connection broke"))
        return ws

    async def _frame(self, ws: web.WebSocketResponse, data: bytes) -> None:
        from lark_oapi.ws.pb.pbbp2_pb2 import Frame

        frame = Frame()
        frame.ParseFromString(data)
        headers = {h.key: h.value for h in frame.headers}
        if headers["type"] == "ping":
            for header in frame.headers:
                if header.key == "type":
                    header.value = "pong"
            await ws.send_bytes(frame.SerializeToString())
            return
        said = json.loads(frame.payload)
        _, waiting = self._acks.get(headers["message_id"], (ws, None))
        if waiting is not None and not waiting.done():
            data_ = said.get("data")
            waiting.set_result(Ack(int(said["code"]), json.loads(base64.b64decode(data_)) if data_ else None, 0.0))

    # -- calls

    async def _open_api(self, request: web.Request) -> web.StreamResponse:
        path = request.path
        multipart = request.content_type.startswith("multipart")
        raw = await request.read()
        body = raw if multipart else json.loads(raw) if raw else None
        self.calls.append((request.method, path, body))
        if request.method == "POST" and path.startswith("/open-apis/im/v1/messages"):
            self.asked.append(Asked(self._receiver(path, body), self.now()))
        fault = next((f for f in self.faults if f.fits(path, body)), None)
        if fault is not None:
            fault.times -= 1
            if fault.phase == "after" or fault.kind == "garbage":
                self._answer(request, path, body)
            return await self._fail(request, fault)
        code, answer = self._answer(request, path, body)
        if isinstance(answer, bytes):
            return web.Response(body=answer, content_type="image/png")
        return web.json_response({"code": code, "msg": "success" if code == 0 else "refused", **answer})

    def _receiver(self, path: str, body: Any) -> str:
        if not path.endswith("/reply"):
            return str(body["receive_id"])
        return next((s.chat for s in self.sent if s.message_id == path.split("/")[-2]), "")

    async def _fail(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        match fault.kind:
            case "code":
                return web.json_response(
                    {"code": fault.code, "msg": fault.msg}, status=fault.status, headers=fault.headers
                )
            case "status":
                return web.Response(status=fault.status, text="<html>", content_type="text/html")
            case "garbage":
                return web.Response(text="<html>", content_type="text/html")
            case "stall":
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), 30)
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    def _answer(self, request: web.Request, path: str, body: Any) -> tuple[int, Any]:
        if path.endswith("/tenant_access_token/internal"):
            return self._token(body)
        if request.headers.get("Authorization", "").removeprefix("Bearer ") not in self._good:
            return 99991663, {}
        path = path.removeprefix("/open-apis")
        parts = path.strip("/").split("/")
        if path == "/bot/v3/info":
            return 0, {"bot": {"open_id": events.BOT, "app_name": "清海"}}
        if path == "/contact/v3/users/batch_get_id":
            return self._look_up(body)
        if path.startswith("/contact/v3/users/"):
            return self._user(parts[-1])
        if path == "/im/v1/images":
            return 0, {"data": {"image_key": f"img_up_{len(body)}"}}
        if "resources" in parts:
            return 0, b"a picture"
        if path.startswith("/im/v1/messages"):
            return self._message(request, parts, body)
        return 404, {}

    def _token(self, body: Json) -> tuple[int, Json]:
        if (body["app_id"], body["app_secret"]) != (self.app_id, self.app_secret):
            return 10014, {}
        token = f"t-planted-{len(self.tokens)}"
        self.tokens.append(token)
        self._good.add(token)
        return 0, {"tenant_access_token": token, "expire": self.token_lasts}

    def _look_up(self, body: Json) -> tuple[int, Json]:
        if not self.may_look_up:
            return 99991672, {}
        found = [{"email": mail, "user_id": self.people.get(mail)} for mail in body["emails"]]
        found += [{"mobile": f"+86{mobile}", "user_id": self.people.get(mobile)} for mobile in body["mobiles"]]
        return 0, {"data": {"user_list": [{k: v for k, v in entry.items() if v} for entry in found]}}

    def _user(self, user_id: str) -> tuple[int, Json]:
        if not self.may_look_up:
            return 99991672, {}
        if user_id not in self.people:
            return 41012, {}
        return 0, {"data": {"user": {"open_id": self.people[user_id]}}}

    def _message(self, request: web.Request, parts: list[str], body: Json) -> tuple[int, Json]:
        source = parts[3] if len(parts) > 3 else None
        if request.method == "PATCH":
            return self._patched(source, body)
        uuid = request.query.get("uuid") or body.get("uuid", "")
        known = next((s for s in self.sent if uuid and s.uuid == uuid and self.now() - s.at < KNOWN_S), None)
        if known is not None:
            return 0, {"data": {"message_id": known.message_id}}
        chat, reply_to, kind, content = body.get("receive_id", ""), None, body.get("msg_type"), body.get("content")
        if parts[-1] == "reply":
            quoted = next((s for s in self.sent if s.message_id == source), None)
            if quoted is None and not (source or "").startswith("om_known"):
                return 230011, {}
            chat, reply_to = quoted.chat if quoted else (source or "").removeprefix("om_known_"), source
        elif parts[-1] == "forward":
            kind, content = "forwarded", json.dumps({"of": source})
        if chat in self.out_of_range:
            return 230013, {}
        if len(json.dumps(body, ensure_ascii=False).encode()) > (150_000 if kind == "text" else 30_000):
            return 230025, {}
        sent = Sent(
            message_id=f"om_{next(self._numbers)}x",
            chat=chat,
            id_type=request.query.get("receive_id_type", ""),
            kind=str(kind),
            content=json.loads(str(content)),
            uuid=uuid,
            at=self.now(),
            reply_to=reply_to,
        )
        self.sent.append(sent)
        return 0, {"data": {"message_id": sent.message_id, "chat_id": f"oc_p2p_{chat}"}}

    def _patched(self, message_id: str | None, body: Json) -> tuple[int, Json]:
        card = next((s for s in self.sent if s.message_id == message_id and s.kind == "interactive"), None)
        if card is None:
            return 230001, {}
        content = json.loads(body["content"])
        if not (content["config"]["update_multi"] and card.content["config"]["update_multi"]):
            return 230001, {}
        card.content = content
        return 0, {"data": {}}
