"""What the hub needs to notice by itself: judgements with their signals, the order of the agenda, words of matters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from bot.store.columns import MomentField
from bot.store.database.connection import execute
from core.agenda.ranking import focus_at
from core.agenda.standstill import stuck_at
from core.concern.model import Concern
from core.concern.refs import ref_of
from core.limits import HeartbeatLimits

SQL = """
ALTER TABLE facts ADD COLUMN milliseconds INTEGER;
ALTER TABLE facts ADD COLUMN signals TEXT;
CREATE INDEX facts_unhandled_told ON facts (due_at, id) WHERE state = 'unhandled' AND kind <> 'event';
ALTER TABLE agenda_refs ADD COLUMN owner TEXT;
ALTER TABLE agenda_refs ADD COLUMN focus_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE agenda_refs ADD COLUMN waiting_since BIGINT;
ALTER TABLE agenda_refs ADD COLUMN stuck_at BIGINT;
ALTER TABLE recent_decisions ADD COLUMN owner TEXT;
CREATE INDEX agenda_refs_focus ON agenda_refs (focus_at, concern_id, owner, waiting_since);
CREATE INDEX agenda_refs_owner ON agenda_refs (owner, focus_at, concern_id, waiting_since);
CREATE INDEX agenda_refs_waiting ON agenda_refs (owner, waiting_since, concern_id) WHERE waiting_since IS NOT NULL;
CREATE INDEX agenda_refs_stuck ON agenda_refs (stuck_at, concern_id) WHERE stuck_at IS NOT NULL;
CREATE INDEX recent_decisions_owner ON recent_decisions (owner, at, id);
CREATE TABLE concern_terms (
    term TEXT NOT NULL,
    concern_id TEXT NOT NULL,
    PRIMARY KEY (term, concern_id)
);
CREATE INDEX concern_terms_concern ON concern_terms (concern_id)
"""


BATCH = 500


def up(migrator: Any, db: Any) -> None:
    """Make them; open matters take their places in the order, decisions get their owners."""
    for sql in SQL.split(";"):
        execute(db, sql)
    _place(db)
    _own(db)


def _place(db: Any) -> None:
    """The reference of each open matter anew, with all by which it is found."""
    columns = ("owner", "focus_at", "waiting_since", "stuck_at", "body")
    changes = ", ".join(f"{name} = {db.param}" for name in columns)
    for concern_id, body in _pages(db, "concern_id", "concerns", "is_open"):
        concern = Concern.model_validate_json(body)
        ref = ref_of(concern)
        ref = ref.model_copy(update={"stuck_at": stuck_at(ref, HeartbeatLimits())})
        asked = ref.waiting_since if ref.agenda_role == "waiting_for_owner" else None
        moments = (_number(m) for m in (focus_at(ref), asked, ref.stuck_at))
        values = (ref.owner, *moments, ref.model_dump_json(), concern_id)
        execute(db, f"UPDATE agenda_refs SET {changes} WHERE concern_id = {db.param}", *values)


def _own(db: Any) -> None:
    for number, body in _pages(db, "id", "recent_decisions", "owner IS NULL"):
        owner = json.loads(body).get("owner")
        execute(db, f"UPDATE recent_decisions SET owner = {db.param} WHERE id = {db.param}", owner, number)


def _pages(db: Any, key: str, table: str, which: str) -> Iterator[tuple[Any, str]]:
    """Key and body of each row, read a page at a time."""
    read = f"SELECT {key}, body FROM {table} WHERE {which}"
    rows = db.execute_sql(f"{read} ORDER BY {key} LIMIT {BATCH}").fetchall()
    while rows:
        yield from rows
        more = f"{read} AND {key} > {db.param} ORDER BY {key} LIMIT {BATCH}"
        rows = db.execute_sql(more, (rows[-1][0],)).fetchall()


def _number(at: datetime | None) -> int | None:
    return MomentField().db_value(at)
