"""Numbers that only grow."""

from __future__ import annotations

from peewee import Database

from bot.store.statement import Statement, given
from bot.store.tables import CounterRow

_NEXT = Statement(
    CounterRow.insert(name=given("name", CounterRow.name), value=1)
    .on_conflict(conflict_target=[CounterRow.name], update={CounterRow.value: CounterRow.value + 1})
    .returning(CounterRow.value)
)


def next_number(db: Database, name: str) -> int:
    """The next number of the counter `name`, from 1; never one that was given before."""
    return int(_NEXT.value(db, name=name))
