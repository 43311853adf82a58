"""Many rows at once, as the product would have written them one by one: for the measurements of its queries."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from peewee import Database, PostgresqlDatabase

from bot.store import PeeweeStore
from bot.store.columns import EPOCH, MICROSECOND
from bot.store.database.connection import execute
from core.effects import Expire

NUMBERS = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})"


def _insert(store: PeeweeStore, table: str, columns: dict[str, str], count: int) -> None:
    """`columns`: SQL for each, in which `n` counts the rows from 1."""
    if not count:
        return
    rows = f"SELECT {', '.join(columns.values())} FROM numbers"

    def work(repos: Any) -> None:
        db: Database = repos.jobs._db
        execute(db, f"{NUMBERS.format(count=count)} INSERT INTO {table} ({', '.join(columns)}) {rows}")
        if isinstance(db, PostgresqlDatabase):
            # Its own cleaner would do so within a minute.
            execute(db, f"ANALYZE {table}")

    store.run_now(work)


def _of(lanes: int) -> str:
    """Which of so many. There is an operator for the remainder, but the driver of PostgreSQL would take its sign."""
    return f"(n - n / {lanes} * {lanes})"


def _moments(first: datetime, apart: timedelta) -> str:
    return f"{(first - EPOCH) // MICROSECOND} + n * {apart // MICROSECOND}"


def fill_jobs(
    store: PeeweeStore,
    name: str,
    count: int,
    *,
    state: str,
    first: datetime,
    lanes: int = 0,
    kind: str = "expire",
    apart: timedelta = timedelta(milliseconds=1),
) -> None:
    """Jobs that are due one after another from `first` on, in so many lanes (0: each in its own)."""
    payload = Expire(key="KEY", due=first, block_id="BLOCK").model_dump_json().replace("'", "''")
    columns = {
        "key": f"'{name}:' || n",
        "kind": f"'{kind}'",
        "lane": f"'lane:{name}:' || " + (_of(lanes) if lanes else "n"),
        "due": _moments(first, apart),
        "state": f"'{state}'",
        "payload": f"replace(replace('{payload}', 'KEY', '{name}:' || n), 'BLOCK', 'b' || n)",
        "attempts": "0",
        "progress": "0",
    }
    _insert(store, "jobs", columns, count)


def fill_facts(store: PeeweeStore, name: str, count: int, *, first: datetime, state: str, chats: int) -> None:
    """Messages in so many chats that are to be taken up (or were) one after another from `first` on."""
    body = (
        f'{{"channel": "telegram", "event_id": "{name}", "kind": "message", "occurred_at": "{first.isoformat()}",'
        f' "conversation": "telegram:CHAT", "sender": "CHAT", "text": "在吗"}}'
    )
    at = _moments(first, timedelta(milliseconds=1))
    columns = {
        "channel": "'telegram'",
        "event_id": f"'{name}:' || n",
        "kind": "'message'",
        "conversation": f"'telegram:' || {_of(chats)}",
        "sender": f"'' || {_of(chats)}",
        "message_id": f"'{name}:' || n",
        "occurred_at": at,
        "received_at": at,
        "due_at": at,
        "state": f"'{state}'",
        "attempts": "0",
        "text": "'在吗'",
        "body": f"replace('{body}', 'CHAT', '' || {_of(chats)})",
    }
    _insert(store, "facts", columns, count)


def fill_callbacks(store: PeeweeStore, name: str, count: int, *, first: datetime) -> None:
    """Callbacks that are due one after another from `first` on."""
    body = (
        f'{{"id": "{name}", "chat_id": "telegram:1", "content": "x", "trigger_source": "user_reminder",'
        f' "created_at": "{first.isoformat()}", "person_id": "p_1"}}'
    )
    columns = {
        "id": f"'{name}:' || n",
        "chat_id": "'telegram:' || n",
        "person_id": "'p_1'",
        "trigger_source": "'user_reminder'",
        "created_at": _moments(first, timedelta(milliseconds=1)),
        "due_at": _moments(first, timedelta(milliseconds=1)),
        "fired": "FALSE",
        "body": f"'{body}'",
    }
    _insert(store, "callbacks", columns, count)


def fill_concerns(store: PeeweeStore, name: str, count: int, body: str, *, first: datetime, is_open: bool) -> None:
    """Concerns with the `body` of one, whose delegates are due to be chased one after another from `first` on."""
    at = _moments(first, timedelta(milliseconds=1))
    columns = {
        "concern_id": f"'{name}:' || n",
        "version": "1",
        "status": "'waiting_reply'" if is_open else "'resolved'",
        "is_open": "TRUE" if is_open else "FALSE",
        "priority": "'medium'",
        "type": "'delegation'",
        "title": "'v2.0 的提测时间'",
        "initiator_id": "'p_' || " + _of(50),
        "created_at": at,
        "closed_at": "NULL" if is_open else at,
        "timeout_at": at if is_open else "NULL",
        "due_at": at if is_open else "NULL",
        "body": "'" + body.replace("'", "''") + "'",
    }
    _insert(store, "concerns", columns, count)
