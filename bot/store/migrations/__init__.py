"""Numbered changes of the tables, applied in order at start; one that has been released is never edited.

Each file defines `up(migrator, db)` in statements that both databases understand; what differs comes from `db.py`.
"""

from __future__ import annotations

from pathlib import Path

from peewee import Database
from playhouse.migrations import Runner

from bot.store.database.connection import explained, migration, name_of
from core.errors import ConfigurationError


def migrate(db: Database) -> None:
    """Bring the tables up to date. Raises `ConfigurationError` when a newer program has changed them already."""
    runner = Runner(db, str(Path(__file__).parent))
    with explained(db), migration(db):
        unknown = [step.name for step in runner.status() if step.path is None]
        if unknown:
            raise ConfigurationError(
                f"database {name_of(db)} was used by a newer version of this program (it has {unknown[-1]}): "
                "install that version, or set QINGHAI_DATABASE_URL to another database"
            )
        runner.up()
