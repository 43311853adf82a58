"""What the hub needs to notice by itself: judgements with their signals, the order of the agenda, words of matters."""

from __future__ import annotations

from typing import Any

from bot.store.database.connection import execute

SQL = """
ALTER TABLE facts ADD COLUMN milliseconds INTEGER;
ALTER TABLE facts ADD COLUMN signals TEXT;
ALTER TABLE agenda_refs ADD COLUMN owner TEXT;
ALTER TABLE agenda_refs ADD COLUMN focus_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE agenda_refs ADD COLUMN stuck_at BIGINT;
CREATE INDEX agenda_refs_focus ON agenda_refs (focus_at, concern_id);
CREATE INDEX agenda_refs_owner ON agenda_refs (owner, focus_at, concern_id);
CREATE INDEX agenda_refs_stuck ON agenda_refs (stuck_at, concern_id) WHERE stuck_at IS NOT NULL;
CREATE TABLE concern_terms (
    term TEXT NOT NULL,
    concern_id TEXT NOT NULL,
    PRIMARY KEY (term, concern_id)
);
CREATE INDEX concern_terms_concern ON concern_terms (concern_id);
UPDATE agenda_refs SET
    owner = (SELECT initiator_id FROM concerns WHERE concerns.concern_id = agenda_refs.concern_id),
    focus_at = COALESCE((SELECT created_at FROM concerns WHERE concerns.concern_id = agenda_refs.concern_id), 0)
"""


def up(migrator: Any, db: Any) -> None:
    """Make them. An open matter takes its right place in the order, and its words are found, from its next change."""
    for sql in SQL.split(";"):
        execute(db, sql)
