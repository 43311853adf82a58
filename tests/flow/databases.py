"""The tests of this folder on PostgreSQL: whatever opens a SQLite database gets a schema of its own instead.

Schemas are made as they are needed, emptied between tests, and dropped at the end of the run. A database in memory
ends with its connection, one on disk with its folder: then its schema may be had by the next.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.store.migrations import migrate
from bot.store.tables import TABLES
from tests.postgres import url_of

Opener = Callable[[str], Any]

_EMPTY = "; ".join(f"DELETE FROM {table._meta.table_name}" for table in TABLES)
_NUMBERED = [t._meta for t in TABLES if t._meta.auto_increment]
# Row numbers begin at 1 again: a test may know them.
_RENUMBER = "; ".join(
    f"SELECT setval(pg_get_serial_sequence('{m.table_name}', '{m.primary_key.column_name}'), 1, false)"
    for m in _NUMBERED
)


class Schemas:
    """Stands in for `open_database`. One per run; `end_test` between two tests."""

    def __init__(self, postgres_url: str, opener: Opener) -> None:
        import psycopg

        self._url = postgres_url
        self._open = opener
        self._server = psycopg.connect(postgres_url, autocommit=True)
        # Somebody who left a transaction open is told of, rather than waited for.
        self._server.execute("SET lock_timeout = '10s'")
        self._server.execute("SET synchronous_commit = off")
        self._all: list[str] = []
        self._free: list[str] = []
        self._in_memory: list[tuple[Any, str]] = []
        self._on_disk: dict[Path, str] = {}

    def __call__(self, url: str) -> Any:
        """An open connection to what stands for the SQLite database at `url`."""
        path = url.partition("?")[0].removeprefix("sqlite:///")
        if path == url:
            return self._open(url)
        if path != ":memory:":
            file = Path(path).absolute()
            if file not in self._on_disk:
                self._on_disk[file] = self._take()
            return self._open(self._url_of(self._on_disk[file]))
        schema = self._take()
        db = self._open(self._url_of(schema))
        self._in_memory.append((db, schema))
        return db

    def end_test(self) -> None:
        """All of them may be had by the next test."""
        self._free = list(self._all)
        self._in_memory.clear()
        self._on_disk.clear()

    def close(self) -> None:
        """Drop them."""
        for schema in self._all:
            self._server.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
        self._server.close()

    def _take(self) -> str:
        self._reclaim()
        if not self._free:
            return self._make()
        schema = self._free.pop()
        self._server.execute(f"SET search_path = {schema}; {_EMPTY}; {_RENUMBER}")  # type: ignore[arg-type]
        return schema

    def _reclaim(self) -> None:
        ended = [(db, schema) for db, schema in self._in_memory if db.is_closed()]
        self._in_memory = [pair for pair in self._in_memory if pair not in ended]
        gone = [file for file in self._on_disk if not file.parent.exists()]
        self._free += [schema for _, schema in ended] + [self._on_disk.pop(file) for file in gone]

    def _make(self) -> str:
        schema = f"flow_{os.getpid()}_{len(self._all)}"
        self._server.execute(f"CREATE SCHEMA {schema}")  # type: ignore[arg-type]
        self._all.append(schema)
        db = self._open(self._url_of(schema))
        try:
            migrate(db)
        finally:
            db.close()
        return schema

    def _url_of(self, schema: str) -> str:
        return url_of(self._url, schema, hasty=True)
