"""The server on loopback: HTTP, long polling, faults by phase, and the verbs with which tests speak as users."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Literal

from aiohttp import web

from tests.wire.botapi.errors import ApiError
from tests.wire.botapi.methods import Methods, group
from tests.wire.botapi.state import Json, Sent, Shown, User, World
from tests.wire.loopback import Loopback

Phase = Literal["before", "after"]


@dataclass
class Fault:
    """What goes wrong with the next `times` calls of `method` (for `chat`, or for any).

    | kind | what the bot sees |
    | --- | --- |
    | `stall` | no answer; with phase `after` the message was accepted all the same |
    | `drop` | the connection breaks, before or after the message was accepted |
    | `status` | an answer `status` with an HTML page, as a gateway gives it |
    | `retry_after` | 429 with `seconds` |
    | `garbage` | 200 with something that is no JSON, after the message was accepted |
    | `error` | `{"ok": false}` with `status` and `description` |
    """

    kind: Literal["stall", "drop", "status", "retry_after", "garbage", "error"]
    method: str = "sendMessage"
    chat: int | None = None
    times: int = 1
    phase: Phase = "before"
    status: int = 502
    seconds: int = 1
    description: str = ""

    def fits(self, method: str, params: Json) -> bool:
        return (
            self.times > 0
            and self.method.lower() == method.lower()
            and self.chat in (None, int(params.get("chat_id", 0) or 0))
        )


class BotApi(Loopback):
    """A Bot API server for one token."""

    def __init__(self, token: str = "7000000001:test-token", *, world: World | None = None) -> None:
        super().__init__()
        self.token = token
        self.world = world or World()
        self.faults: list[Fault] = []
        self.calls: list[tuple[str, Json]] = []
        """Every call that was read, with its parameters, polls included."""
        self.conflicts = 0
        self._methods = Methods(self.world)
        self._poll: asyncio.Future[None] | None = None
        self._news = asyncio.Event()

    # -- life

    @property
    def base_url(self) -> str:
        """For the bot's configuration; the token follows it."""
        return f"http://127.0.0.1:{self.port}/bot"

    async def start(self, port: int = 0, *, control: web.Application | None = None) -> None:
        """Listen on loopback; `control` is served under `/control`."""
        app = web.Application(client_max_size=20 * 2**20)
        if control is not None:
            app.add_subapp("/control", control)
        app.router.add_route("*", "/bot{token}/{method}", self._handle)
        self.port = port
        await self.serve(app)

    async def stop(self) -> None:
        """End, polls and stalled calls included."""
        self._end_poll()
        await super().stop()

    # -- what users do

    def add_user(self, user_id: int, name: str, *, started: bool = True) -> User:
        """Make somebody known; until they started the bot it may not write to them."""
        return self.world.user(user_id, name=name, started=started)

    def add_group(self, chat_id: int, title: str = "团队") -> None:
        """A group of which the bot is a member."""
        self.world.chats[chat_id] = group(chat_id, title)

    def migrate(self, chat_id: int, new_id: int) -> None:
        """The group becomes a supergroup."""
        self.world.chats[new_id] = group(new_id, self.world.chats[chat_id].title or "")
        self.world.chats[chat_id].migrated_to = new_id

    def user_says(
        self,
        user_id: int,
        text: str | None = None,
        *,
        chat: int | None = None,
        reply_to: int | None = None,
        **parts: Any,
    ) -> int:
        """Somebody writes (in their private chat, or in `chat`); `parts` are further fields. The message id."""
        user = self.world.user(user_id)
        user.started = True
        chat = user_id if chat is None else chat
        quoted = self.world.messages.get((chat, reply_to)) if reply_to else None
        if text is not None:
            parts.setdefault("entities", _entities(text) or None)
        message = self.world.message(chat, user.json(), text=text, reply_to_message=quoted, **parts)
        self.push("message", message)
        return int(message["message_id"])

    def user_edits(self, user_id: int, message_id: int, text: str, *, chat: int | None = None) -> None:
        """Somebody changes what they wrote."""
        message = self.world.messages[user_id if chat is None else chat, message_id]
        assert message["from"]["id"] == user_id
        message.update(text=text, edit_date=int(self.world.now()), entities=_entities(text))
        self.push("edited_message", message)

    def user_presses(self, user_id: int, message_id: int, data: str, *, chat: int | None = None) -> str:
        """Somebody presses a button, by its data or its label. The id of the press."""
        chat = user_id if chat is None else chat
        message = self.world.messages[chat, message_id]
        rows = message.get("reply_markup", {}).get("inline_keyboard", [])
        found = [b for row in rows for b in row if data in (b["text"], b.get("callback_data"))]
        if not found:
            raise LookupError(f"message {message_id} has no button {data!r}")
        callback_id = self.world.add_callback()
        press = {"id": callback_id, "from": self.world.user(user_id).json(), "message": message}
        self.push("callback_query", {**press, "chat_instance": "1", "data": found[0]["callback_data"]})
        return callback_id

    def push(self, kind: str, content: Json) -> int | None:
        """Queue any update. Its number, or None when the bot did not ask for its kind."""
        number = self.world.add_update(kind, content)
        self._news.set()
        return number

    def push_raw(self, shown: Json, *, numbered: bool = True) -> None:
        """Queue what shows itself as `shown`. Not `numbered`: with the number that stands in it, or with none."""
        self.push("message", {})
        number = int(self.world.updates[-1]["update_id"])
        self.world.updates[-1] = Shown({**shown, "update_id": number} if numbered else shown, number)

    # -- what tests look at

    @property
    def sent(self) -> list[Sent]:
        """Every message that was accepted, also those of whose acceptance the bot never heard."""
        return self.world.sent

    def sent_to(self, chat: int) -> list[Sent]:
        """Those of one chat, oldest first."""
        return [sent for sent in self.world.sent if sent.chat == chat]

    # -- HTTP

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        method, params = request.match_info["method"], await _params(request)
        if request.match_info["token"] != self.token:
            well_formed = request.match_info["token"].partition(":")[0].isdecimal()
            return _refusal(ApiError(401, "Unauthorized") if well_formed else ApiError(404, "Not Found"))
        self.calls.append((method, params))
        fault = next((fault for fault in self.faults if fault.fits(method, params)), None)
        try:
            if fault is not None:
                fault.times -= 1
                return await self._fail(fault, request, method, params)
            return _ok(await self._call(method, params))
        except ApiError as error:
            return _refusal(error)

    async def _call(self, method: str, params: Json) -> Any:
        if method.lower() == "getupdates":
            return await self._get_updates(params)
        return self._methods.call(method, params)

    async def _fail(self, fault: Fault, request: web.Request, method: str, params: Json) -> web.StreamResponse:
        if fault.kind == "garbage" or (fault.kind in ("stall", "drop") and fault.phase == "after"):
            await self._call(method, params)
            if self.sent:
                self.sent[-1].answered = False
        match fault.kind:
            case "stall":
                await self._stopping.wait()
            case "drop":
                assert request.transport is not None
                request.transport.abort()
            case "status":
                return web.Response(status=fault.status, text="<html>gateway</html>", content_type="text/html")
            case "retry_after":
                wait = fault.seconds
                raise ApiError(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
            case "error":
                raise ApiError(fault.status, fault.description)
        return web.Response(text="<html>sign in to this wireless network</html>", content_type="text/html")

    async def _get_updates(self, params: Json) -> list[Json]:
        if self.world.webhook:
            raise ApiError(
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
            )
        if "allowed_updates" in params:
            self.world.allowed = list(params["allowed_updates"]) or None
        self._end_poll()
        offset = int(params.get("offset") or 0)
        limit = min(max(int(params.get("limit") or 100), 1), 100)
        batch = self.world.take_updates(offset, limit)
        ends = asyncio.get_running_loop().time() + int(params.get("timeout") or 0)
        async with self._polling() as taken_over:
            while not batch and (left := ends - asyncio.get_running_loop().time()) > 0:
                self._news.clear()
                news = asyncio.ensure_future(self._news.wait())
                try:
                    await asyncio.wait([news, taken_over], timeout=left, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    news.cancel()
                if taken_over.done() and not self._stopping.is_set():
                    self.conflicts += 1
                    raise ApiError(
                        409,
                        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
                    )
                if self._stopping.is_set():
                    break
                batch = self.world.take_updates(offset, limit)
        return batch

    @contextlib.asynccontextmanager
    async def _polling(self) -> AsyncIterator[asyncio.Future[None]]:
        """This poll is the one that waits, until another takes its place."""
        taken_over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._poll = taken_over
        try:
            yield taken_over
        finally:
            if self._poll is taken_over:
                self._poll = None

    def _end_poll(self) -> None:
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)


async def _params(request: web.Request) -> Json:
    """From the query, a form, a multipart form or JSON; values that are JSON are decoded."""
    raw: Json = dict(request.query)
    if request.content_type == "application/json":
        raw.update(await request.json())
    elif request.can_read_body:
        raw.update(await request.post())
    return {key: _decoded(key, value) for key, value in raw.items()}


def _decoded(key: str, value: Any) -> Any:
    if key in ("text", "caption", "url", "callback_query_id") or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _ok(result: Any) -> web.Response:
    return web.json_response({"ok": True, "result": result})


def _refusal(error: ApiError) -> web.Response:
    body: Json = {"ok": False, "error_code": error.code, "description": error.description}
    if error.parameters:
        body["parameters"] = error.parameters
    return web.json_response(body, status=error.code)


def _entities(text: str) -> list[Json]:
    """Commands and mentions, as Telegram's clients mark them."""
    found = []
    offset = 0
    for word in text.split(" "):
        length = len(word.encode("utf-16-le")) // 2
        if word.startswith("/") and len(word) > 1:
            found.append({"type": "bot_command", "offset": offset, "length": length})
        elif word.startswith("@") and len(word) > 1:
            found.append({"type": "mention", "offset": offset, "length": length})
        offset += length + 1
    return found
