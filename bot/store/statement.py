"""Statements: a peewee query with named places for its values, turned into SQL once per kind of database.

    _OLDEST = Statement(FactRow.select(FactRow.body).where(FactRow.due_at <= given("now")).limit(given("limit")))
    rows = _OLDEST.rows(db, now=now, limit=10)

Building SQL out of a query costs peewee ten to thirty times as much as SQLite needs to run it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from peewee import ColumnBase, Context, Database, Field, Model, ModelInsert, Node, PostgresqlDatabase

Row = tuple[Any, ...]


class _Place:
    """Where a value goes among the parameters, and how it is made fit for the column."""

    def __init__(self, name: str, convert: Callable[[Any], Any] | None) -> None:
        self.name = name
        self.convert = convert

    def value(self, values: dict[str, Any]) -> Any:
        value = values[self.name]
        return self.convert(value) if self.convert else value


class _Given(ColumnBase):
    def __init__(self, name: str, field: Field | None) -> None:
        self.name = name
        self.field = field

    def __sql__(self, ctx: Context) -> Context:
        # Beside a column, peewee's context holds that column's conversion.
        convert = self.field.db_value if self.field else ctx.state.converter
        return ctx.value(_Place(self.name, convert), converter=False)


def given(name: str, field: Field | None = None) -> Any:
    """A value that is named when the statement runs.

    Compared with a column it is converted for that column; anywhere else `field` says for which.
    """
    return _Given(name, field)


def assignments(fields: Iterable[Field]) -> dict[Field, Any]:
    """Each column set to the value of its own name."""
    return {field: given(field.name, field) for field in fields}


def insertion(model: type[Model], *left_out: Field) -> ModelInsert:
    """An INSERT of one row, each column given by its name but for those `left_out` and a growing row number."""
    meta = model._meta
    passed_over = {*left_out, meta.primary_key} if meta.auto_increment else {*left_out}
    return model.insert(assignments(field for field in meta.sorted_fields if field not in passed_over))


class Statement:
    """A query that runs on any database; its values are given by name."""

    def __init__(self, query: Node, *, locking: bool = False) -> None:
        """`locking`: PostgreSQL locks the rows of this SELECT and passes over those that somebody else has locked."""
        self._query = query
        self._locking = locking
        self._compiled: dict[type[Database], tuple[str, tuple[Any, ...], frozenset[str]]] = {}

    def rows(self, db: Database, /, **values: Any) -> list[Row]:
        """All rows, as the database gives them: moments are numbers (`tables.moment`)."""
        return list(self._execute(db, values).fetchall())

    def row(self, db: Database, /, **values: Any) -> Row | None:
        """The first row, or None."""
        rows = self.rows(db, **values)
        return rows[0] if rows else None

    def value(self, db: Database, /, **values: Any) -> Any:
        """The first column of the first row, or None."""
        row = self.row(db, **values)
        return row[0] if row else None

    def write(self, db: Database, /, **values: Any) -> int:
        """Make the change; how many rows it touched."""
        return int(self._execute(db, values).rowcount)

    def _execute(self, db: Any, values: dict[str, Any]) -> Any:
        sql, places, names = self._compiled.get(type(db)) or self._compile(db)
        if values.keys() != names:
            raise TypeError(f"values {sorted(values)} for places {sorted(names)}")
        return db.execute_sql(sql, [p.value(values) if isinstance(p, _Place) else p for p in places])

    def _compile(self, db: Any) -> tuple[str, tuple[Any, ...], frozenset[str]]:
        query: Any = self._query
        if self._locking and isinstance(db, PostgresqlDatabase):
            query = query.for_update("FOR UPDATE SKIP LOCKED")
        sql, places = db.get_sql_context().sql(query).query()
        names = frozenset(place.name for place in places if isinstance(place, _Place))
        self._compiled[type(db)] = (sql, tuple(places), names)
        return self._compiled[type(db)]
