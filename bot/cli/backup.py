"""`backup`: a copy of the database while the bot runs."""

from __future__ import annotations

from pathlib import Path

from bot.settings import Settings
from bot.store.database.backup import back_up


def backup(settings: Settings, target: Path) -> None:
    """Copy the database to a new file and say so. Raises `ConfigurationError` or `QinghaiError`."""
    size = back_up(settings.database_url, target)
    print(f"{target}: {size / 1_000_000:.1f} MB, complete")
