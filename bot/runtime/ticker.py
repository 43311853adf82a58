"""APScheduler only ticks: every second it looks for concerns whose moment has come. It stores nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = logging.getLogger(__name__)

EVERY_S = 1.0


class Ticker:
    """Calls `tick` once a second; a tick that takes longer than a second is not overtaken by the next."""

    def __init__(self, tick: Callable[[], Awaitable[None]], every_s: float = EVERY_S) -> None:
        self._tick = tick
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._scheduler.add_job(self._run, "interval", seconds=every_s, max_instances=1, coalesce=True)

    def start(self) -> None:
        """Begin; needs the running loop."""
        # That a tick was skipped, as the last one took longer, is meant so; one that never ends shows in /readyz.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        self._scheduler.start()

    def stop(self) -> None:
        """End at once: a tick is short, and what it stored stays."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def _run(self) -> None:
        try:
            await self._tick()
        except asyncio.CancelledError:
            return  # `stop`; APScheduler would log it as a failure
        except Exception:
            log.exception("a scan failed; the next one tries again")
