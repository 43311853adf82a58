"""A platform's server on loopback that can be there and gone, and a channel that runs against it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web

from bot.channels.rate import Rate, Rates
from core.errors import ConfigurationError
from core.ports import Channel, Emit

NO_LIMITS = Rates(chat=Rate(10_000, 1.0), group=None, overall=Rate(10_000, 1.0))


class Loopback:
    """Takes connections, refuses them, takes them again. What it answers is the platform's."""

    def __init__(self) -> None:
        self.port = 0
        self._stopping = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._site: web.TCPSite | None = None

    async def serve(self, app: web.Application) -> None:
        """Answer with `app`; what is still being answered in the end is cancelled."""
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await self.listen()

    async def listen(self) -> None:
        """Take connections (again), on the same port once there is one."""
        assert self._runner is not None
        self._site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await self._site.start()
        self.port = self._runner.addresses[0][1]

    async def refuse(self) -> None:
        """Refuse connections from now on, and break those that are there."""
        assert self._site is not None
        assert self._runner is not None
        assert self._runner.server is not None
        await self._site.stop()
        self.break_connections()
        for connection in list(self._runner.server.connections):
            if connection.transport is not None:
                connection.transport.abort()
        await asyncio.sleep(0)

    def break_connections(self) -> None:
        """Break what is held open beside plain requests."""

    async def stop(self) -> None:
        """End, stalled calls included."""
        self._stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def until(self, condition: Any, timeout: float = 10.0) -> None:
        """Wait until `condition()` holds."""
        async with asyncio.timeout(timeout):
            while not condition():
                await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def live(channel: Channel, emit: Emit) -> AsyncIterator[asyncio.Task[None]]:
    """The channel runs inside; then it is cancelled, whatever it was at, and closed."""
    task = asyncio.create_task(channel.run(emit))
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConfigurationError):
            await task
        await channel.close()
