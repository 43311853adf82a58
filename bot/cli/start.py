"""What every command begins with: the configuration, the log, and the clock of the database."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from bot.logs import set_up_logs
from bot.settings import Settings, load_settings
from bot.store import PeeweeStore
from bot.system import SystemClock

AHEAD = "clock_ahead_s"
"""Under this name a database keeps how many seconds its clock is ahead of the world's."""


def configured(config: Path | None, *, quiet: bool = False) -> Settings:
    """The settings of this start, with the log set up. Raises `ConfigurationError`.

    `quiet` keeps the log to warnings unless DEBUG is asked for; so does the console, which shares the terminal with it.
    """
    settings = load_settings(config, os.environ, Path.cwd())
    quiet = quiet or not settings.channels
    level = "WARNING" if quiet and settings.log_level == "INFO" else settings.log_level
    set_up_logs(level, settings.log_format, settings.secrets())
    return settings


def clock_of(database_url: str, scale: float = 1.0) -> SystemClock:
    """The clock of a database: ahead of the wall clock where the console or a time scale has moved it."""
    store = PeeweeStore(database_url, inline=True)
    try:
        kept = store.run_now(lambda repos: repos.meta.get(AHEAD))
    finally:
        store.close()
    return SystemClock(scale, timedelta(seconds=float(kept or 0)))


async def keep_clock(store: PeeweeStore, clock: SystemClock) -> None:
    """An advanced clock stays advanced on that database."""
    ahead = f"{clock.ahead.total_seconds():.6f}"
    await store.run(lambda repos: repos.meta.set(AHEAD, ahead))


def file_beside(database_url: str, suffix: str) -> Path | None:
    """A file next to an SQLite database (`data/qinghai.db.history`); None where there is no such place."""
    parts = urlsplit(database_url)
    path = parts.path.removeprefix("/")
    return Path(path + suffix) if parts.scheme == "sqlite" and path != ":memory:" else None
