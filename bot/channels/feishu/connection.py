"""The long connection: lark-oapi's client on a thread and a loop of its own, started anew whenever it ends.

The library's handlers are synchronous, and while one waits for the database no other event is acknowledged: so here a
data frame is answered by ourselves, once the bot's loop has stored what is in it, many at a time. The library's own
reconnecting ends silently at some errors; here a lost connection ends the client, and we begin another.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine
from typing import Any

from bot.channels.feishu.api import keep_out_of_logs
from bot.channels.feishu.library import LogLevel, ws_client

log = logging.getLogger(__name__)

Handle = Callable[[bytes], Awaitable[dict[str, Any] | None]]
"""Takes a raw event in, and says what it is answered with. It is acknowledged when this returns, not when it raises."""

ANSWER_S = 2.5
"""Feishu waits three seconds for an acknowledgement."""
CONNECT_S = 30.0
"""The library asks for its address without any time-out."""
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
_STOP_S = 0.5
_DOUBLED_AT_MOST = 6


class _Client(ws_client.Client):
    """Tells when it is connected, answers events by `take`, and ends its loop when it is connected no more."""

    def __init__(
        self, *args: Any, wanted: Callable[[], bool], connected: Callable[[], None], take: Handle, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self._wanted = wanted
        self._tell = connected
        self._take = take

    def _get_conn_url(self) -> str:
        url: str = super()._get_conn_url()
        # This may have hung for long, and the loop that the library goes by may be another's by now.
        if not self._wanted():
            raise ws_client.ClientException(0, "given up meanwhile")
        return url

    async def _connect(self) -> None:
        await super()._connect()
        self._tell()

    async def _receive_message_loop(self) -> None:
        try:
            await super()._receive_message_loop()
        except Exception as error:
            log.debug("the long connection is lost: %s", type(error).__name__)
        finally:
            asyncio.get_running_loop().stop()

    async def _handle_data_frame(self, frame: Any) -> None:
        told = {header.key: header.value for header in frame.headers}
        payload, pieces = frame.payload, int(told["sum"])
        if pieces > 1:
            payload = self._combine(told["message_id"], pieces, int(told["seq"]), payload)
        if payload is None or told["type"] != "event":
            return
        begun = time.monotonic()
        answer = await self._answer(payload)
        took = frame.headers.add()
        took.key, took.value = "biz_rt", str(round((time.monotonic() - begun) * 1000))
        frame.payload = json.dumps(answer).encode()
        await self._write_message(frame.SerializeToString())

    async def _answer(self, payload: bytes) -> dict[str, Any]:
        """Upon any other code than 200 Feishu brings the event again."""
        try:
            said = await self._take(payload)
        except Exception as error:
            log.info("an event is not acknowledged, it comes again: %s", type(error).__name__)
            return {"code": 500}
        if said is None:
            return {"code": 200}
        return {"code": 200, "data": base64.b64encode(json.dumps(said).encode()).decode()}

    async def hang_up(self) -> None:
        """Close the connection without waiting long for the other side."""
        if self._conn is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(_STOP_S / 2):
                    await self._conn.close()


class _Life:
    """One client from its making to its end, on a thread of its own."""

    def __init__(self, app_id: str, app_secret: str, domain: str, handle: Handle) -> None:
        self._app = (app_id, app_secret)
        self._domain = domain
        self._handle = handle
        self._bot_loop = asyncio.get_running_loop()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over = threading.Event()
        self.connected = asyncio.Event()
        self.ended: asyncio.Future[Exception | None] = self._bot_loop.create_future()
        """What it died of; None: the connection broke."""
        threading.Thread(target=self._live, name="feishu-ws", daemon=True).start()

    def _live(self) -> None:
        reason: Exception | None = None
        self._loop = ws_client.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(lambda *_: None)
        client: _Client | None = None
        try:
            client = _Client(
                *self._app,
                domain=self._domain,
                auto_reconnect=False,
                log_level=LogLevel.CRITICAL,
                wanted=lambda: not self._over.is_set(),
                connected=lambda: self._in_bot(self.connected.set),
                take=self._take,
            )
            client.start()
        except RuntimeError:
            pass  # its loop was stopped: the connection broke, or this life is over
        except Exception as error:
            reason = error
        finally:
            self._clear_up(client)
            self._in_bot(lambda: self._has_ended(reason))

    def _clear_up(self, client: _Client | None) -> None:
        loop = self._loop
        assert loop is not None
        if client is not None:
            _run(loop, client.hang_up())
        # The library's cache stumbles over a task of its own that is left on a closed loop.
        rest = asyncio.all_tasks(loop)
        for task in rest:
            task.cancel()
        _run(loop, _all(rest))
        loop.close()

    def _has_ended(self, reason: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(reason)

    def _in_bot(self, work: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the bot's loop is closed
            self._bot_loop.call_soon_threadsafe(work)

    async def _take(self, payload: bytes) -> dict[str, Any] | None:
        """In the bot's loop; here it is waited for."""
        work = asyncio.run_coroutine_threadsafe(_within(self._handle(payload)), self._bot_loop)
        return await asyncio.wrap_future(work)

    async def stop(self) -> None:
        """End it. A thread that hangs in a request of the library is left to itself, and can do nothing any more."""
        self._over.set()
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.wait([self.ended], timeout=_STOP_S)


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> None:
    """To its end, however often the loop is told to stop meanwhile."""
    task = loop.create_task(work)
    while not task.done():
        with contextlib.suppress(RuntimeError):
            loop.run_until_complete(task)


async def _all(tasks: Collection[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


async def _within(work: Awaitable[dict[str, Any] | None]) -> dict[str, Any] | None:
    async with asyncio.timeout(ANSWER_S):
        return await work


class Connection:
    """Keeps one long connection for as long as `run` runs."""

    def __init__(
        self, app_id: str, app_secret: str, domain: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        keep_out_of_logs()
        self._app = (app_id, app_secret, domain)
        self._sleep = sleep
        self._failures = 0
        self.up = False
        self.status = "not connected"

    async def run(self, handle: Handle) -> None:
        """Take events in until cancelled."""
        while True:
            life = _Life(*self._app, handle)
            try:
                reason = await self._live_through(life)
            finally:
                self.up = False
                await life.stop()
            self.status = f"no long connection to Feishu: {reason}"
            if self._failures <= 1:
                log.warning("%s; trying again", self.status)
            pause = min(FIRST_PAUSE * 2 ** min(max(self._failures - 1, 0), _DOUBLED_AT_MOST), LONGEST_PAUSE)
            await self._sleep(pause)

    async def _live_through(self, life: _Life) -> str:
        """Until the connection is lost; why."""
        connecting = asyncio.create_task(life.connected.wait())
        either: list[asyncio.Future[Any]] = [connecting, life.ended]
        try:
            await asyncio.wait(either, timeout=CONNECT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            connecting.cancel()
        if not life.connected.is_set():
            self._failures += 1
            return _told(life.ended.result()) if life.ended.done() else "no answer"
        if self._failures:
            log.info("the long connection to Feishu is there again")
        self._failures, self.up, self.status = 0, True, "connected to Feishu"
        reason = await asyncio.shield(life.ended)
        return _told(reason)


def _told(reason: Exception | None) -> str:
    """In words without addresses, which may hold a ticket."""
    if reason is None:
        return "it broke off"
    code = getattr(reason, "code", None)
    return f"{type(reason).__name__} {code}" if isinstance(code, int) else type(reason).__name__
