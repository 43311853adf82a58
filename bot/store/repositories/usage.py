"""What the model was asked: sums by day (the owner's) and concern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from peewee import Database, fn

from bot.store.statement import Statement, given, insertion
from bot.store.tables import UsageRow
from core.ids import ConcernId


@dataclass(frozen=True)
class Spent:
    """Calls of the model, how many of them brought no answer, tokens read and written, and milliseconds."""

    calls: int = 0
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    milliseconds: int = 0

    def __add__(self, other: Spent) -> Spent:
        mine, theirs = vars(self), vars(other)
        return Spent(**{name: mine[name] + theirs[name] for name in mine})


_NUMBERS = (UsageRow.calls, UsageRow.failures, UsageRow.tokens_in, UsageRow.tokens_out, UsageRow.milliseconds)
_SUMS = tuple(fn.SUM(number) for number in _NUMBERS)
_TOKENS = UsageRow.tokens_in + UsageRow.tokens_out

_ADD = Statement(
    insertion(UsageRow).on_conflict(
        conflict_target=[UsageRow.day, UsageRow.concern_id],
        update={number: number + given(number.name, number) for number in _NUMBERS},
    )
)
_SINCE = Statement(UsageRow.select(*_SUMS).where(UsageRow.day >= given("day")))
_TOP = Statement(
    UsageRow.select(UsageRow.concern_id, *_SUMS)
    .where((UsageRow.day >= given("day")) & (UsageRow.concern_id != ""))
    .group_by(UsageRow.concern_id)
    .order_by(fn.SUM(_TOKENS).desc(), fn.SUM(UsageRow.calls).desc(), UsageRow.concern_id)
    .limit(given("limit"))
)


class UsageTable:
    """Days are written YYYY-MM-DD."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, day: str, concern_id: ConcernId | None, spent: Spent) -> None:
        """So much more was spent that day, for this concern (None: for none)."""
        _ADD.write(self._db, day=day, concern_id=concern_id or "", **vars(spent))

    def since(self, day: str) -> Spent:
        """What was spent from that day on."""
        return _spent(_SINCE.row(self._db, day=day))

    def top(self, day: str, limit: int) -> tuple[tuple[ConcernId, Spent], ...]:
        """The concerns that cost most from that day on, the dearest first."""
        rows = _TOP.rows(self._db, day=day, limit=limit)
        return tuple((ConcernId(concern_id), _spent(sums)) for concern_id, *sums in rows)


def _spent(sums: Any) -> Spent:
    # PostgreSQL gives sums as decimals, and no rows sum up to NULL.
    return Spent(*(int(number or 0) for number in sums or ()))
