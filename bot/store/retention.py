"""Retention: what is over and older than a stated time is taken out, a few rows at a time.

It never takes what is still needed: nothing that is open or waits, nothing of an open concern, the message that an
open concern comes from, and nothing of the last days, in which a channel may bring the same event once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from peewee import SQL, Database, Expression, Field, Function, Model, ModelDelete, fn

from bot.store.statement import Statement, given
from bot.store.tables import (
    AgendaItemRow,
    BlockedChatRow,
    ConcernPersonRow,
    ConcernRow,
    DecisionRow,
    DeedRow,
    FactRow,
    InviteRow,
    JobRow,
    ReceiptRow,
    UsageRow,
    WrongCodeRow,
)

YEAR = timedelta(days=365)
LEAST = timedelta(days=7)
"""Nothing younger is ever taken: events are told apart from their copies for so long."""
DECISIONS = timedelta(days=30)
"""How long the agenda remembers what was decided lately (RULES 2)."""
TRIES = timedelta(days=1)
"""How long a wrong invite code is remembered: it counts for a day."""
BATCH = 500


@dataclass(frozen=True)
class Retention:
    """How long is kept what is over; None: for ever."""

    facts: timedelta | None = YEAR
    """Handled facts, with the jobs and receipts that came of them, and who did what."""
    concerns: timedelta | None = YEAR
    """Closed concerns, with the jobs and receipts of theirs, expectations that are over, and the model's usage."""


@dataclass(frozen=True)
class Walk:
    """How far one pass has come: which of the tables, and after which row."""

    table: int = 0
    after: int | str | None = None


@dataclass(frozen=True)
class _Old:
    """What of a table is old, in the order of its key, and what of that may go."""

    model: type[Model]
    key: Field
    at: Field
    free: Expression | SQL
    age: Callable[[Retention], timedelta | None]


def _of_open_concern(column: Field) -> Function:
    concern = ConcernRow.alias()
    return fn.EXISTS(concern.select(SQL("1")).where((concern.concern_id == column) & concern.is_open))


def _raised_an_open_one() -> Function:
    concern = ConcernRow.alias()
    return fn.EXISTS(
        concern.select(SQL("1")).where(
            concern.is_open
            & (concern.origin_channel == FactRow.channel)
            & (concern.origin_message_id == FactRow.message_id)
        )
    )


def _facts(kept: Retention) -> timedelta | None:
    return kept.facts


def _concerns(kept: Retention) -> timedelta | None:
    return kept.concerns


def _both(kept: Retention) -> timedelta | None:
    """Jobs and receipts belong to a fact or a concern: they are kept as long as the longer of the two."""
    return None if kept.facts is None or kept.concerns is None else max(kept.facts, kept.concerns)


_OVER = JobRow.state.in_(SQL("('done', 'cancelled', 'dead', 'in_doubt')"))
_ANYTHING = SQL("1 = 1")

_TABLES = (
    _Old(FactRow, FactRow.id, FactRow.received_at, (FactRow.state == "handled") & ~_raised_an_open_one(), _facts),
    _Old(JobRow, JobRow.id, JobRow.due, _OVER & ~_of_open_concern(JobRow.concern_id), _both),
    _Old(ReceiptRow, ReceiptRow.id, ReceiptRow.at, ~_of_open_concern(ReceiptRow.concern_id), _both),
    _Old(ConcernRow, ConcernRow.concern_id, ConcernRow.created_at, ~ConcernRow.is_open, _concerns),
    _Old(DecisionRow, DecisionRow.id, DecisionRow.at, _ANYTHING, lambda kept: DECISIONS),
    _Old(DeedRow, DeedRow.id, DeedRow.at, _ANYTHING, _both),
)


def _page(old: _Old, *, first: bool) -> Statement:
    """A page of the table: the key of each row and whether it is young."""
    query = old.model.select(old.key, (old.at >= given("cutoff", old.at)))
    query = query if first else query.where(old.key > given("after"))
    return Statement(query.order_by(old.key).limit(BATCH))


def _taking(old: _Old) -> ModelDelete:
    # A concern is as old as its end.
    at = ConcernRow.closed_at if old.model is ConcernRow else old.at
    return old.model.delete().where((at < given("cutoff", old.at)) & old.free)


_FIRST = tuple(_page(old, first=True) for old in _TABLES)
_NEXT = tuple(_page(old, first=False) for old in _TABLES)
_OVER_ITEMS = Statement(
    AgendaItemRow.delete().where(AgendaItemRow.due_at.is_null() & (AgendaItemRow.created_at < given("cutoff")))
)
_USAGE = Statement(UsageRow.delete().where(UsageRow.day < given("day")))
_UNBLOCKED = Statement(BlockedChatRow.delete().where(BlockedChatRow.until < given("now")))
_LAPSED = Statement(InviteRow.delete().where(InviteRow.expires_at <= given("now")))
_TRIES = Statement(WrongCodeRow.delete().where(WrongCodeRow.at < given("before")))


class RetentionTable:
    """Takes out what is old."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def prune(self, now: datetime, kept: Retention, walk: Walk = Walk()) -> Walk | None:
        """One small piece of a pass, and where the next piece goes on; None when the pass is done."""
        if walk.table >= len(_TABLES):
            self._small_ones(now, kept)
            return None
        old = _TABLES[walk.table]
        age = old.age(kept)
        rows = self._read(walk, now - max(age, LEAST)) if age is not None else []
        if age is not None and rows:
            self._take(old, [row[0] for row in rows], now - max(age, LEAST))
        # Row numbers grow with time: after a page of young rows only younger ones come.
        if len(rows) < BATCH or all(young for _, young in rows):
            return Walk(walk.table + 1)
        return Walk(walk.table, rows[-1][0])

    def _read(self, walk: Walk, cutoff: datetime) -> list[tuple[int | str, bool]]:
        if walk.after is None:
            rows = _FIRST[walk.table].rows(self._db, cutoff=cutoff)
        else:
            rows = _NEXT[walk.table].rows(self._db, cutoff=cutoff, after=walk.after)
        return [(key, bool(young)) for key, young in rows]

    def _take(self, old: _Old, keys: list[int | str], cutoff: datetime) -> None:
        gone = Statement(_taking(old).where(old.key >= keys[0], old.key <= keys[-1]).returning(old.key))
        rows = gone.rows(self._db, cutoff=cutoff)
        if old.model is ConcernRow and rows:
            # SQLite does it by itself where cascades are on.
            of_those = ConcernPersonRow.concern_id.in_([key for (key,) in rows])
            Statement(ConcernPersonRow.delete().where(of_those)).write(self._db)

    def _small_ones(self, now: datetime, kept: Retention) -> None:
        _UNBLOCKED.write(self._db, now=now)
        _LAPSED.write(self._db, now=now)
        _TRIES.write(self._db, before=now - TRIES)
        if kept.concerns is not None:
            cutoff = now - max(kept.concerns, LEAST)
            _OVER_ITEMS.write(self._db, cutoff=cutoff)
            _USAGE.write(self._db, day=f"{cutoff:%Y-%m-%d}")
