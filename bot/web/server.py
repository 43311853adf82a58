"""The inlet's server: in the process and the loop of the bot, which alone hears signals."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator, Sequence

import uvicorn
from starlette.routing import Route

from bot.web.house import House
from bot.web.routes import routes_of
from core.errors import ConfigurationError

log = logging.getLogger(__name__)

AT_ONCE = 512
"""Connections; more are told to come back. GitHub does not: so many that a burst of posts has room, and fewer than the
files that a process may usually have open."""
IDLE_S = 75
"""How long a connection may rest: longer than proxies keep theirs, so that none is closed under a post."""
DRAIN_S = 3
"""How long answers under way may take once the bot stops."""


class _Server(uvicorn.Server):
    """Without signal handlers of its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Inlet:
    """Listens from its making on, so that a port that is taken is told at the start; serves between start and stop."""

    def __init__(self, host: str, port: int, house: House, more: Sequence[Route] = ()) -> None:
        """`more` are the routes that take something in. Raises `ConfigurationError` where nobody can listen there."""
        self._socket = listen(host, port)
        config = uvicorn.Config(
            routes_of(house, more),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            limit_concurrency=AT_ONCE,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=DRAIN_S,
        )
        self._server = _Server(config)
        self._serving: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        """Answer from now on; needs the running loop."""
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))

    async def stop(self) -> None:
        """Answer what was asked, then nothing more."""
        self._server.should_exit = True
        if self._serving is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._serving
        self._socket.close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `ConfigurationError` that names what cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, reuse_port=False)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigurationError(
            f"http.port = {port} on {host} cannot be had ({reason}): set QINGHAI_HTTP__PORT or QINGHAI_HTTP__HOST"
        ) from None
    except UnicodeError:
        raise ConfigurationError(f"http.host = {host!r} is no host: set QINGHAI_HTTP__HOST") from None
