"""`run.py serve` as its users run it: a process with a configuration file and an environment."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from bot.cli.start import AHEAD, clock_of
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from core.jobs import JobState
from tests.wire.botapi import BotApi
from tests.wire.feishu_api import FeishuApi

T = TypeVar("T")
ROOT = Path(__file__).parents[2]
SOON = timedelta(minutes=1)
START_S = 60.0
"""Generous: the machine may have more to do."""


class Served:
    """One installation: a folder with configuration, log and database, in which the bot is started again and again."""

    def __init__(
        self,
        server: BotApi | FeishuApi,
        folder: Path,
        people: dict[str, Any],
        *,
        breath: str = "0s",
        **environment: str,
    ) -> None:
        """`breath`: how long a message waits for more of its sender's."""
        self.server = server
        self.folder = folder
        self.log = folder / "log"
        self.database = folder / "data" / "bot.db"
        self._process: asyncio.subprocess.Process | None = None
        (folder / "qinghai.toml").write_text(_toml(people, breath), encoding="utf-8")
        own = {name: value for name, value in os.environ.items() if not name.startswith("QINGHAI_")}
        self._environment = {
            **own,
            **_let_in(server),
            "QINGHAI_DATABASE_URL": f"sqlite:///{self.database}",
            **environment,
        }

    async def start(self, within: float = START_S) -> None:
        """Returns when the bot comes for what people say."""
        before = self._comings()
        process = await self.launch()
        await self.server.until(lambda: self._comings() > before or process.returncode is not None, within)
        assert process.returncode is None, self.log.read_text(encoding="utf-8")

    async def launch(self) -> asyncio.subprocess.Process:
        """Returns at once."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, str(ROOT / "run.py"), "serve", cwd=self.folder, env=self._environment,
                stdout=log, stderr=log,
            )  # fmt: skip
        return self._process

    def _comings(self) -> int:
        if isinstance(self.server, FeishuApi):
            return self.server.connected_times
        return sum(name == "getUpdates" for name, _ in self.server.calls)

    def signal(self, how: signal.Signals) -> None:
        """Send it and go on."""
        assert self._process is not None
        self._process.send_signal(how)

    async def end(self, how: signal.Signals, timeout: float = 30.0) -> int:
        """Send the signal and wait: the exit status."""
        assert self._process is not None
        self._process.send_signal(how)
        async with asyncio.timeout(timeout):
            return await self._process.wait()

    async def close(self) -> None:
        """Whatever state it is in."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    def look(self, work: Callable[[StoreRepositories], T]) -> T:
        """Read the database, also while the bot runs."""
        store = PeeweeStore(self._environment["QINGHAI_DATABASE_URL"], inline=True)
        try:
            return store.run_now(work)
        finally:
            store.close()

    def move(self, span: timedelta) -> None:
        """The clock of this installation moves on; the bot is not running."""
        ahead = clock_of(f"sqlite:///{self.database}").ahead + span
        self.look(lambda repos: repos.meta.set(AHEAD, f"{ahead.total_seconds():.6f}"))

    async def worked_off(self, timeout: float) -> None:
        """Until nothing waits any more: no update, no fact, no job that is due now or in a moment."""
        clock = clock_of(f"sqlite:///{self.database}")

        def busy(repos: StoreRepositories) -> bool:
            due = repos.jobs.next_due()
            at_work = repos.jobs.list((JobState.RUNNING, JobState.SENDING), 1)
            return bool(repos.facts.unhandled_count() or at_work or (due is not None and due <= clock.now() + SOON))

        assert isinstance(self.server, BotApi)
        async with asyncio.timeout(timeout):
            while self.server.world.updates or self.look(busy):
                await asyncio.sleep(0.2)


@contextlib.asynccontextmanager
async def served(
    server: BotApi | FeishuApi, folder: Path, people: dict[str, Any], **more: str
) -> AsyncIterator[Served]:
    """An installation; whatever runs in it at the end is killed."""
    installation = Served(server, folder, people, **more)
    try:
        yield installation
    finally:
        await installation.close()


def _let_in(server: BotApi | FeishuApi) -> dict[str, str]:
    if isinstance(server, FeishuApi):
        app = {"APP_ID": server.app_id, "APP_SECRET": server.app_secret, "DOMAIN": server.domain}
        return {f"QINGHAI_FEISHU__{name}": value for name, value in app.items()}
    return {"QINGHAI_TELEGRAM__TOKEN": server.token, "QINGHAI_TELEGRAM__BASE_URL": server.base_url}


def _toml(people: dict[str, Any], breath: str) -> str:
    entries = [("[owner]", people["owner"]), *(("[[people]]", person) for person in people.get("people", ()))]
    lines = ["[limits]", f'debounce.within = "{breath}"']
    for heading, person in entries:
        lines.append(heading)
        lines += [f'{key} = "{value}"' for key, value in person.items()]
    return "\n".join(lines) + "\n"
