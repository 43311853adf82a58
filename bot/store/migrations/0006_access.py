"""Who did what."""

from __future__ import annotations

from typing import Any

from bot.store.database.connection import auto_id, execute

SQL = """
CREATE TABLE deeds (
    id {auto_id},
    at BIGINT NOT NULL,
    actor TEXT,
    person_id TEXT,
    body TEXT NOT NULL
);
CREATE INDEX deeds_actor ON deeds (actor, id);
CREATE INDEX deeds_person ON deeds (person_id, id)
"""


def up(migrator: Any, db: Any) -> None:
    """Make it."""
    for sql in SQL.split(";"):
        execute(db, sql.format(auto_id=auto_id(db)))
