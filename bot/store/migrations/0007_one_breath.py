"""Messages that somebody writes in one breath are one input."""

from __future__ import annotations

from typing import Any

from bot.store.database.connection import execute

SQL = """
ALTER TABLE facts ADD COLUMN part_of INTEGER;
CREATE INDEX facts_parts ON facts (part_of, id) WHERE part_of IS NOT NULL
"""


def up(migrator: Any, db: Any) -> None:
    """Make room for which is part of which."""
    for sql in SQL.split(";"):
        execute(db, sql)
