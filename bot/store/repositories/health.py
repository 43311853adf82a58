"""How the database and what waits in it are: for /status, the readiness check and the metrics."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from peewee import SQL, Database, SqliteDatabase, fn

from bot.store.columns import moment
from bot.store.database.connection import name_of
from bot.store.statement import Statement, given
from bot.store.tables import FactRow, JobRow
from core.jobs import JobState


@dataclass(frozen=True)
class Queue:
    """What waits. The moments are those at which the oldest one that is due fell due; None where none is."""

    pending: int
    due: int
    oldest_due: datetime | None
    dead: int
    in_doubt: int
    facts: int
    oldest_fact: datetime | None


# Written out and not bound as parameters, so that the partial indexes are used.
_PENDING = JobRow.state == SQL("'pending'")
_OVER = JobRow.state.in_(SQL("('dead', 'in_doubt')"))
_UNHANDLED = FactRow.state == SQL("'unhandled'")

# The range leads SQLite to the index of pending jobs, else it counts through all that ever were.
_COUNT_PENDING = Statement(JobRow.select(fn.COUNT(SQL("*"))).where(_PENDING & (JobRow.due > SQL("0"))))
_DUE = Statement(JobRow.select(fn.COUNT(SQL("*")), fn.MIN(JobRow.due)).where(_PENDING & (JobRow.due <= given("now"))))
_FAILED = Statement(JobRow.select(JobRow.state, fn.COUNT(SQL("*"))).where(_OVER).group_by(JobRow.state))
_FACTS = Statement(FactRow.select(fn.COUNT(SQL("*"))).where(_UNHANDLED))
_OLDEST_FACT = Statement(FactRow.select(fn.MIN(FactRow.due_at)).where(_UNHANDLED & (FactRow.due_at <= given("now"))))


class HealthTable:
    """Reads only; every figure comes from a partial index."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def queue(self, now: datetime) -> Queue:
        """The queue as it is."""
        due, oldest = _DUE.row(self._db, now=now) or (0, None)
        over = {str(state): int(count) for state, count in _FAILED.rows(self._db)}
        return Queue(
            pending=int(_COUNT_PENDING.value(self._db)),
            due=int(due),
            oldest_due=moment(oldest),
            dead=over.get(JobState.DEAD.value, 0),
            in_doubt=over.get(JobState.IN_DOUBT.value, 0),
            facts=int(_FACTS.value(self._db)),
            oldest_fact=moment(_OLDEST_FACT.value(self._db, now=now)),
        )

    def database(self) -> tuple[str, str]:
        """Its kind (`SQLite`, `PostgreSQL`) and its name, without a password."""
        return ("SQLite" if self._is_sqlite else "PostgreSQL"), name_of(self._db)

    def size(self) -> int:
        """Bytes that it takes."""
        db: Any = self._db
        if self._is_sqlite:
            (pages,), (size,) = (db.execute_sql(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
            return int(pages) * int(size)
        return int(db.execute_sql("SELECT pg_database_size(current_database())").fetchone()[0])

    @property
    def _is_sqlite(self) -> bool:
        return isinstance(self._db, SqliteDatabase)
