"""What channels need that know a message again: since when one may be out, and where a message was said."""

from __future__ import annotations

from typing import Any

from bot.store.database.connection import execute

SQL = """
ALTER TABLE jobs ADD COLUMN open_since BIGINT;
CREATE INDEX facts_by_message ON facts (message_id, channel) WHERE message_id IS NOT NULL
"""


def up(migrator: Any, db: Any) -> None:
    """Make them."""
    for sql in SQL.split(";"):
        execute(db, sql)
