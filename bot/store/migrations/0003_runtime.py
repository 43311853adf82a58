"""What a runtime of several processes needs: who works on what, leases, callbacks, blocked chats, the model's usage."""

from __future__ import annotations

from typing import Any

from bot.store.database.connection import execute

TABLES = """
ALTER TABLE facts ADD COLUMN holder TEXT;
ALTER TABLE jobs ADD COLUMN holder TEXT;
ALTER TABLE jobs DROP COLUMN lease_until;
ALTER TABLE concern_people ADD COLUMN closed_at BIGINT;
CREATE TABLE callbacks (
    id TEXT NOT NULL PRIMARY KEY,
    chat_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    trigger_source TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    fired BOOLEAN NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE leases (
    name TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    until BIGINT NOT NULL
);
CREATE TABLE blocked_chats (
    channel TEXT NOT NULL,
    chat TEXT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (channel, chat)
);
CREATE TABLE model_usage (
    day TEXT NOT NULL,
    concern_id TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    PRIMARY KEY (day, concern_id)
)
"""

INDEXES = """
DROP INDEX facts_unhandled_due;
CREATE INDEX facts_unhandled_due ON facts (due_at, id) WHERE state = 'unhandled';
CREATE INDEX facts_taken ON facts (conversation) WHERE holder IS NOT NULL;
CREATE INDEX jobs_failing ON jobs (due, id) WHERE state = 'pending' AND attempts > 0;
CREATE INDEX receipts_at ON receipts (at);
CREATE INDEX concerns_awaiting ON concerns (created_at)
    WHERE is_open AND type = 'schedule' AND (due_at IS NULL OR paused_until IS NOT NULL);
DROP INDEX concern_people_person;
CREATE INDEX concern_people_person ON concern_people (person_id, role, closed_at, concern_id);
CREATE INDEX callbacks_due ON callbacks (due_at, id) WHERE NOT fired;
CREATE INDEX callbacks_chat ON callbacks (chat_id, due_at);
CREATE INDEX callbacks_person ON callbacks (person_id, due_at)
"""

# A reminder is a callback now.
ROWS = """
UPDATE jobs SET holder = 'an earlier version' WHERE state IN ('running', 'sending');
UPDATE jobs SET payload = REPLACE(payload, '"purpose":"reminder"', '"purpose":"callback"')
    WHERE kind = 'deliver' AND payload <> REPLACE(payload, '"purpose":"reminder"', '');
UPDATE receipts SET purpose = 'callback', body = REPLACE(body, '"purpose":"reminder"', '"purpose":"callback"')
    WHERE purpose = 'reminder';
UPDATE concern_people SET closed_at = (
    SELECT COALESCE(concerns.closed_at, concerns.created_at) FROM concerns
    WHERE concerns.concern_id = concern_people.concern_id AND NOT concerns.is_open
)
"""


def up(migrator: Any, db: Any) -> None:
    """Make them. What an earlier version had claimed is held by it: the start frees it, as of any that is gone."""
    for sql in (TABLES + ";" + INDEXES + ";" + ROWS).split(";"):
        execute(db, sql)
