"""What actions need: facts that can be searched, expectations and watch items, invites."""

from __future__ import annotations

from typing import Any

from bot.store.database.connection import auto_id, execute
from core.facts import Fact

TABLES = """
ALTER TABLE facts ADD COLUMN person_id TEXT;
ALTER TABLE facts ADD COLUMN text TEXT;
CREATE TABLE agenda_items (
    item_id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT,
    body TEXT NOT NULL
);
CREATE TABLE invites (
    digest TEXT NOT NULL PRIMARY KEY,
    person_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE wrong_codes (
    id {auto_id},
    channel TEXT NOT NULL,
    user_id TEXT NOT NULL,
    at BIGINT NOT NULL
)
"""

INDEXES = """
CREATE INDEX facts_said ON facts (channel, sender, occurred_at) WHERE kind IN ('message', 'edit');
CREATE INDEX facts_events ON facts (occurred_at) WHERE kind = 'event';
CREATE INDEX facts_events_person ON facts (person_id, occurred_at) WHERE kind = 'event';
CREATE INDEX agenda_items_due ON agenda_items (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX agenda_items_owner ON agenda_items (owner);
CREATE INDEX blocks_expiry ON blocks (expires_at);
CREATE INDEX invites_person ON invites (person_id, created_at);
CREATE INDEX wrong_codes_user ON wrong_codes (channel, user_id, at);
CREATE INDEX wrong_codes_at ON wrong_codes (at)
"""

BATCH = 1000


def up(migrator: Any, db: Any) -> None:
    """Make them, and fill the new columns of the facts that are there."""
    for sql in (TABLES + ";" + INDEXES).split(";"):
        execute(db, sql.format(auto_id=auto_id(db)))
    _fill(db)


def _fill(db: Any) -> None:
    place, last = db.param, 0
    wanted = f"id > {place} AND kind IN ('message', 'edit', 'event')"
    read = f"SELECT id, body FROM facts WHERE {wanted} ORDER BY id LIMIT {BATCH}"
    while rows := db.execute_sql(read, (last,)).fetchall():
        for number, body in rows:
            fact = Fact.model_validate_json(body)
            values = (fact.person_id, fact.text.replace("\0", "") or None, number)
            execute(db, f"UPDATE facts SET person_id = {place}, text = {place} WHERE id = {place}", *values)
        last = rows[-1][0]
