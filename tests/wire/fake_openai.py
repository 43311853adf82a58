"""A model server on loopback that speaks chat completions, well or badly, as a test wants it.

Nothing told, it answers each request with the smallest value that fits the schema in it. `then` queues other behaviour,
one for each request to come; `lacks` names forms that it refuses, with the status that it refuses them with.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import web

Behaviour = Callable[["FakeOpenAI", web.Request], Awaitable[web.StreamResponse]]


class FakeOpenAI:
    """What it was asked is in `requests` (bodies) and `keys` (the Authorization headers), oldest first."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.lacks: dict[str, int] = {}
        self.otherwise: Behaviour | None = None
        self.asked = asyncio.Event()
        self.closing = asyncio.Event()
        self._script: deque[Behaviour] = deque()

    def then(self, *behaviours: Behaviour) -> None:
        """The next requests meet these, one each."""
        self._script.extend(behaviours)

    def forget(self) -> None:
        """Drop what is still queued."""
        self._script.clear()

    @property
    def forms(self) -> list[str]:
        """In which form each request asked for JSON."""
        return [form_of(body) for body in self.requests]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.keys.append(request.headers.get("Authorization", ""))
        self.asked.set()
        if refusal := self.lacks.get(form_of(body)):
            return failure(refusal, "invalid_request_error")
        if self._script:
            return await self._script.popleft()(self, request)
        if self.otherwise is not None:
            return await self.otherwise(self, request)
        return web.json_response(obedient(body))


def form_of(body: dict[str, Any]) -> str:
    if "tools" in body:
        return "tool"
    return str(body.get("response_format", {}).get("type", "plain"))


def sample(schema: dict[str, Any]) -> Any:
    """The smallest value that fits a schema; texts are not empty."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return None if {"type": "null"} in schema["anyOf"] else sample(schema["anyOf"][0])
    match schema.get("type"):
        case "object":
            return {name: sample(schema["properties"][name]) for name in schema.get("required", [])}
        case "array":
            return []
        case "string":
            return "好"
        case "boolean":
            return False
        case kind:
            raise ValueError(f"no sample of {kind!r}")


def completion(message: dict[str, Any], finish_reason: str = "stop") -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_773_626_400,
        "model": "fake",
        "choices": [
            {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": None, **message}}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def obedient(body: dict[str, Any]) -> dict[str, Any]:
    if "tools" in body:
        function = body["tools"][0]["function"]
        arguments = json.dumps(sample(function["parameters"]), ensure_ascii=False)
        call = {"id": "call_1", "type": "function", "function": {"name": function["name"], "arguments": arguments}}
        return completion({"tool_calls": [call]}, "tool_calls")
    schema = body["response_format"]["json_schema"]["schema"]
    return completion({"content": json.dumps(sample(schema), ensure_ascii=False)})


def failure(status: int, code: str, message: str = "no", headers: dict[str, str] | None = None) -> web.Response:
    error = {"message": message, "type": code, "code": code, "param": None}
    return web.json_response({"error": error}, status=status, headers=headers)


def replies(response: Callable[[], web.Response]) -> Behaviour:
    async def behave(_server: FakeOpenAI, _request: web.Request) -> web.StreamResponse:
        return response()

    return behave


def says(content: Any, *, finish_reason: str = "stop", **message: Any) -> Behaviour:
    """Answers with this text, or with this value as JSON."""
    text = content if content is None or isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    body = completion({"content": text, **message}, finish_reason)
    return replies(lambda: web.json_response(body))


def fails(status: int, code: str = "server_error", message: str = "no", **headers: str) -> Behaviour:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return replies(lambda: failure(status, code, message, names))


def sends(body: Any, content_type: str = "application/json") -> Behaviour:
    """Status 200 with any body at all."""
    text = body if isinstance(body, str) else json.dumps(body)
    return replies(lambda: web.Response(text=text, content_type=content_type))


def obeys() -> Behaviour:
    async def behave(server: FakeOpenAI, _request: web.Request) -> web.StreamResponse:
        return web.json_response(obedient(server.requests[-1]))

    return behave


def stalls() -> Behaviour:
    """Takes the request and never answers."""

    async def behave(server: FakeOpenAI, _request: web.Request) -> web.StreamResponse:
        await server.closing.wait()
        return web.Response()

    return behave


def drips(pause: float = 0.02) -> Behaviour:
    """Sends one blank after the other: enough to keep a client waiting that only measures silence."""

    async def behave(server: FakeOpenAI, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        with suppress(ConnectionError):
            while not server.closing.is_set():
                await response.write(b" ")
                with suppress(TimeoutError):
                    await asyncio.wait_for(server.closing.wait(), pause)
        return response

    return behave


@asynccontextmanager
async def fake_openai() -> AsyncIterator[FakeOpenAI]:
    """The server, from here to the end of the block; `url` is what a base URL looks like."""
    server = FakeOpenAI()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.handle)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield server
    finally:
        server.closing.set()
        await runner.cleanup()
