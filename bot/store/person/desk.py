"""A connection of its own for work on the rows themselves, beside a bot that goes on: erasure and export."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from peewee import Database, OperationalError, ProgrammingError, SqliteDatabase

from bot.store.database.connection import execute, explained, open_database, transaction
from bot.store.migrations import migrate
from bot.store.repositories import StoreRepositories, repositories
from bot.store.tables import TABLES

T = TypeVar("T")

PATIENCE_S = 30
"""How long it waits for the bot's turn to end: it is in no hurry."""


class Desk:
    """One database, opened; each `unit` is one transaction."""

    def __init__(self, url: str, persona: str) -> None:
        """Raises `ConfigurationError` when the database can't be opened."""
        self.db: Database = open_database(url)
        try:
            migrate(self.db)
            if isinstance(self.db, SqliteDatabase):
                # What is taken out is overwritten, not only unlinked.
                self.db.pragma("secure_delete", 1)
                self.db.pragma("busy_timeout", PATIENCE_S * 1000)
        except BaseException:
            self.db.close()
            raise
        self.repos = repositories(self.db, persona, "desk")

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.db.close()

    def unit(self, work: Callable[[StoreRepositories, Database], T]) -> T:
        """Run `work` in one transaction. Raises `ConfigurationError` when the database itself fails."""
        with explained(self.db), transaction(self.db):
            return work(self.repos, self.db)

    def compact(self) -> str | None:
        """Write the database anew without what was taken out; a sentence where that was not possible."""
        with explained(self.db):
            return self._compact_file() if isinstance(self.db, SqliteDatabase) else self._compact_tables()

    def truncate_log(self) -> bool:
        """Empty SQLite's log; false where somebody still reads in it."""
        if not isinstance(self.db, SqliteDatabase):
            return True
        untyped: Any = self.db
        with explained(self.db):
            busy, _, _ = untyped.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _compact_file(self) -> str | None:
        execute(self.db, "VACUUM")
        if self.truncate_log():
            return None
        return "the log beside the database is still read: run this once more in a moment, or stop the bot and start it"

    def _compact_tables(self) -> str | None:
        execute(self.db, f"SET lock_timeout = '{PATIENCE_S}s'")
        left = [name for name in (table._meta.table_name for table in TABLES) if not self._compacted(name)]
        if not left:
            return None
        return f"VACUUM FULL was not possible on {', '.join(left)}: its owner can run it when the bot rests"

    def _compacted(self, table: str) -> bool:
        try:
            execute(self.db, f"VACUUM FULL {table}")
        except (OperationalError, ProgrammingError):
            with suppress(OperationalError, ProgrammingError):
                execute(self.db, f"VACUUM {table}")
            return False
        return True
