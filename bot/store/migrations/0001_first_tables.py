"""The first tables."""

from __future__ import annotations

from typing import Any

from bot.store.database.connection import auto_id, execute

TABLES = """
CREATE TABLE facts (
    id {auto_id},
    channel TEXT NOT NULL,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    conversation TEXT NOT NULL,
    sender TEXT NOT NULL,
    message_id TEXT,
    occurred_at BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    state TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts INTEGER NOT NULL,
    decision TEXT,
    reason TEXT,
    brain TEXT,
    handled_at BIGINT,
    body TEXT NOT NULL,
    UNIQUE (channel, event_id)
);
CREATE TABLE people (
    person_id TEXT NOT NULL PRIMARY KEY,
    role TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE identities (
    channel TEXT NOT NULL,
    user_id TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people ON DELETE CASCADE,
    PRIMARY KEY (channel, user_id)
);
CREATE TABLE concerns (
    concern_id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    is_open BOOLEAN NOT NULL,
    priority TEXT NOT NULL,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    initiator_id TEXT,
    origin_channel TEXT,
    origin_message_id TEXT,
    created_at BIGINT NOT NULL,
    closed_at BIGINT,
    paused_until BIGINT,
    timeout_at BIGINT,
    due_at BIGINT,
    body TEXT NOT NULL
);
CREATE TABLE concern_people (
    concern_id TEXT NOT NULL REFERENCES concerns ON DELETE CASCADE,
    person_id TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (concern_id, person_id, role)
);
CREATE TABLE agenda_refs (
    concern_id TEXT NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
);
CREATE TABLE recent_decisions (
    id {auto_id},
    at BIGINT NOT NULL,
    concern_id TEXT,
    body TEXT NOT NULL
);
CREATE TABLE jobs (
    id {auto_id},
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    lane TEXT NOT NULL,
    due BIGINT NOT NULL,
    state TEXT NOT NULL,
    payload TEXT NOT NULL,
    concern_id TEXT,
    person_id TEXT,
    attempts INTEGER NOT NULL,
    progress INTEGER NOT NULL,
    reason TEXT,
    lease_until BIGINT
);
CREATE TABLE receipts (
    id {auto_id},
    job_key TEXT NOT NULL,
    part INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    message_id TEXT,
    purpose TEXT NOT NULL,
    person_id TEXT,
    concern_id TEXT,
    at BIGINT NOT NULL,
    counted BOOLEAN NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (job_key, part)
);
CREATE TABLE blocks (
    block_id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
);
CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
)
"""

# Partial where most rows are history: what is searched all the time stays small.
INDEXES = """
CREATE INDEX facts_unhandled ON facts (id) WHERE state = 'unhandled';
CREATE INDEX facts_unhandled_lane ON facts (conversation, id) WHERE state = 'unhandled';
CREATE INDEX facts_unhandled_due ON facts (due_at) WHERE state = 'unhandled';
CREATE INDEX facts_conversation ON facts (conversation, id);
CREATE INDEX facts_message ON facts (channel, conversation, message_id);
CREATE UNIQUE INDEX facts_message_once ON facts (channel, conversation, message_id)
    WHERE kind = 'message' AND message_id IS NOT NULL;
CREATE INDEX identities_person ON identities (person_id);
CREATE INDEX concerns_created ON concerns (created_at);
CREATE INDEX concerns_initiator ON concerns (initiator_id, is_open);
CREATE INDEX concerns_origin ON concerns (origin_channel, origin_message_id);
CREATE INDEX concerns_open ON concerns (created_at) WHERE is_open;
CREATE INDEX concerns_timeout ON concerns (timeout_at) WHERE timeout_at IS NOT NULL;
CREATE INDEX concerns_due ON concerns (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX concern_people_person ON concern_people (person_id, role);
CREATE INDEX recent_decisions_at ON recent_decisions (at);
CREATE INDEX jobs_due ON jobs (due, id) WHERE state = 'pending';
CREATE INDEX jobs_lane ON jobs (lane, due, id) WHERE state = 'pending';
CREATE INDEX jobs_taken ON jobs (lane) WHERE state IN ('running', 'sending');
CREATE INDEX jobs_concern ON jobs (concern_id, state);
CREATE INDEX jobs_person ON jobs (person_id, due, id) WHERE state = 'pending';
CREATE INDEX jobs_failed ON jobs (due, id) WHERE state IN ('dead', 'in_doubt');
CREATE INDEX receipts_message ON receipts (conversation, message_id);
CREATE INDEX receipts_conversation ON receipts (conversation, at);
CREATE INDEX receipts_person ON receipts (person_id, at);
CREATE INDEX receipts_in_doubt ON receipts (at) WHERE message_id IS NULL;
CREATE INDEX blocks_owner ON blocks (owner, created_at)
"""


def up(migrator: Any, db: Any) -> None:
    """Make them."""
    for sql in (TABLES + ";" + INDEXES).split(";"):
        execute(db, sql.format(auto_id=auto_id(db)))
