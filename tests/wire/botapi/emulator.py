"""npm's telegram-test-api, an emulator that somebody else wrote, behind a proxy that mends what it gets wrong.

It is a second opinion on the shapes of messages, keyboards and presses. It has no long poll and no offsets (the proxy
holds updates until they are confirmed), gives dates in milliseconds, leaves `chat_instance` and `is_bot` out, and
answers edits and presses with null.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

Json = dict[str, Any]

NODE_FOLDER = Path(__file__).parents[3] / ".node"
PACKAGE = NODE_FOLDER / "node_modules" / "telegram-test-api"
START = """
const TelegramServer = require('telegram-test-api');
new TelegramServer({ host: '127.0.0.1', port: Number(process.argv[1]) }).start().then(() => console.log('up'));
"""


def available() -> bool:
    """Node and the package are here."""
    return PACKAGE.is_dir() and shutil.which("node") is not None


class Emulator:
    """The emulator as its user sees it, and the proxy as the bot does."""

    def __init__(self, session: aiohttp.ClientSession, address: str, token: str) -> None:
        self.token = token
        self.base_url = ""
        self._session = session
        self._address = address
        self._waiting: list[Json] = []

    async def post(self, path: str, body: Json) -> Any:
        """One call; its result."""
        async with self._session.post(f"{self._address}/{path}", json=body) as answer:
            return (await answer.json())["result"]

    async def user_sends(self, path: str, user_id: int, **content: Any) -> None:
        """`path` is the emulator's own: sendMessage, sendCommand or sendCallback."""
        who = {"id": user_id, "first_name": "老板", "username": "boss", "is_bot": False}
        chat = {"id": user_id, "first_name": "老板", "title": "老板", "type": "private"}
        fields = {"message": {"from": who, "chat": chat, **content.pop("message")}} if "message" in content else {}
        await self.post(
            path, {"botToken": self.token, "from": who, "chat": chat, "date": 1773626400, **content, **fields}
        )

    async def history(self) -> list[Json]:
        """What was said in both directions, the bot's as it was sent and edited."""
        told: list[Json] = await self.post("getUpdatesHistory", {"token": self.token})
        return told

    async def handle(self, request: web.Request) -> web.Response:
        """The proxy."""
        method = request.match_info["method"]
        form = {key: str(value) for key, value in (await request.post()).items()}
        if method == "getUpdates":
            return _ok(await self._get_updates(request.path, form))
        if method in ("setMyCommands", "sendChatAction"):
            return _ok(True)
        async with self._session.post(f"{self._address}{request.path}", data=form) as answer:
            body = await answer.json()
        return web.json_response({**body, "result": _mended(method, body.get("result"))}, status=answer.status)

    async def _get_updates(self, path: str, form: dict[str, str]) -> list[Json]:
        offset = int(form.get("offset", 0))
        self._waiting = [update for update in self._waiting if update["update_id"] >= offset]
        for _ in range(int(form.get("timeout", 0)) * 50):
            async with self._session.post(f"{self._address}{path}", data={}) as answer:
                self._waiting += (await answer.json())["result"]
            if self._waiting:
                break
            await asyncio.sleep(0.02)
        for update in self._waiting:
            update.get("callback_query", {}).setdefault("chat_instance", "1")
        return self._waiting


def _ok(result: Any) -> web.Response:
    return web.json_response({"ok": True, "result": result})


def _mended(method: str, result: Any) -> Any:
    if result is None:
        return True
    if method == "getMe":
        return {"is_bot": True, **result}
    if isinstance(result, dict) and result.get("date", 0) > 10**12:
        return {**result, "date": result["date"] // 1000}
    return result


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.asynccontextmanager
async def emulator(token: str) -> AsyncIterator[Emulator]:
    """Both, started."""
    port = _free_port()
    process = await asyncio.create_subprocess_exec(
        "node", "-e", START, str(port), cwd=NODE_FOLDER, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            assert (await process.stdout.readline()).strip() == b"up"
        async with aiohttp.ClientSession() as session:
            running = Emulator(session, f"http://127.0.0.1:{port}", token)
            app = web.Application()
            app.router.add_post("/bot{token}/{method}", running.handle)
            runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.2)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            running.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/bot"
            try:
                yield running
            finally:
                await runner.cleanup()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        # Until the pipe is read to its end its transport counts as open.
        await process.communicate()
