"""What is left in the database, read beside the bot: whether it is at rest, when something is due next, how it ended."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

EPOCH = datetime.fromtimestamp(0, UTC)

_DUE = (
    ("facts", "due_at", "state = 'unhandled'"),
    ("jobs", "due", "state = 'pending'"),
    ("concerns", "timeout_at", "timeout_at IS NOT NULL"),
    ("concerns", "due_at", "due_at IS NOT NULL"),
    ("agenda_items", "due_at", "due_at IS NOT NULL"),
    ("callbacks", "due_at", "NOT fired"),
)
"""Where a moment stands at which something is to be done, and in which rows it counts."""
_WAITING = " + ".join(f"(SELECT count(*) FROM {t} WHERE {w} AND {c} <= {{now}})" for t, c, w in _DUE)
_IN_HAND = "(SELECT count(*) FROM jobs WHERE state IN ('running', 'sending'))"
_NEXT = " UNION ALL ".join(f"SELECT min({c}) FROM {t} WHERE {w} AND {c} > {{now}}" for t, c, w in _DUE)


def micros(moment: datetime) -> int:
    """As the tables count."""
    return round((moment - EPOCH) / timedelta(microseconds=1))


class Ledger:
    """One database, read only. Reading never holds up the bot."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: Any = None

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a SELECT."""
        if self._connection is None:
            self._connection = _connected(self._url)
        return list(self._connection.execute(sql).fetchall())

    def at_rest(self, now: datetime) -> bool:
        """Nothing is due and nothing is in hand."""
        try:
            ((left,),) = self.rows(f"SELECT {_WAITING.format(now=micros(now))} + {_IN_HAND}")
        except sqlite3.OperationalError:  # no tables yet
            return False
        return bool(left == 0)

    def next_due(self, now: datetime) -> datetime | None:
        """When anything falls due."""
        moments = [at for (at,) in self.rows(_NEXT.format(now=micros(now))) if at is not None]
        return EPOCH + timedelta(microseconds=min(moments)) if moments else None

    def being_sent(self) -> dict[str, str]:
        """Keys of jobs that say `sending`, and their lanes."""
        return dict(self.rows("SELECT key, lane FROM jobs WHERE state = 'sending'"))

    def time_passes(self) -> None:
        """What a dead process had rented lapses, as it would within its span."""
        if self._url.startswith("postgresql"):
            self.rows("UPDATE leases SET until = 0 RETURNING name")

    def close(self) -> None:
        """End."""
        if self._connection is not None:
            self._connection.close()


def _connected(url: str) -> Any:
    if url.startswith("sqlite"):
        return sqlite3.connect(f"file:{Path(url.removeprefix('sqlite:///'))}?mode=ro", uri=True)
    import psycopg

    return psycopg.connect(url, autocommit=True)
