"""Statements: named places, converted for their columns, turned into SQL once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st
from peewee import SqliteDatabase

from bot.store.columns import MomentField, moment
from bot.store.statement import Statement, assignments, given, insertion
from bot.store.tables import DecisionRow, MetaRow
from core.jobs import JobState

NOW = datetime(2026, 3, 16, 10, tzinfo=timezone(timedelta(hours=8)))


@pytest.fixture
def db() -> Iterator[SqliteDatabase]:
    db = SqliteDatabase(":memory:")
    with db.bind_ctx([MetaRow, DecisionRow]):
        db.create_tables([MetaRow, DecisionRow])
    yield db
    db.close()


def test_places_are_filled_by_name(db: SqliteDatabase) -> None:
    add, all_of = (
        Statement(insertion(MetaRow)),
        Statement(MetaRow.select(MetaRow.value).where(MetaRow.key == given("k"))),
    )
    assert add.write(db, key="a", value="1") == 1
    assert add.write(db, key="b", value="2") == 1
    assert all_of.rows(db, k="b") == [("2",)]
    assert all_of.row(db, k="b") == ("2",)
    assert all_of.value(db, k="b") == "2"
    assert (all_of.rows(db, k="c"), all_of.row(db, k="c"), all_of.value(db, k="c")) == ([], None, None)


def test_values_are_converted_for_their_columns(db: SqliteDatabase) -> None:
    Statement(insertion(DecisionRow)).write(db, at=NOW, concern_id=JobState.DONE, owner=None, body="{}")
    later = Statement(
        DecisionRow.select(DecisionRow.at, DecisionRow.concern_id).where(DecisionRow.at >= given("since"))
    )
    ((at, word),) = later.rows(db, since=NOW.astimezone(UTC))
    assert (moment(at), word, type(word)) == (NOW, "done", str)
    assert later.rows(db, since=NOW + timedelta(microseconds=1)) == []


def test_a_change_tells_how_many_rows_it_touched(db: SqliteDatabase) -> None:
    for key in "abc":
        Statement(insertion(MetaRow)).write(db, key=key, value="old")
    change = Statement(MetaRow.update(assignments([MetaRow.value])).where(MetaRow.key >= given("since")))
    assert change.write(db, value="new", since="b") == 2
    assert change.write(db, value="new", since="x") == 0


@pytest.mark.parametrize(
    "values", [{}, {"key": "a"}, {"key": "a", "value": "1", "more": 2}, {"key": "a", "valeu": "1"}]
)
def test_a_forgotten_or_unknown_value_is_an_error(db: SqliteDatabase, values: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="places"):
        Statement(insertion(MetaRow)).write(db, **values)


def test_a_column_may_be_left_out(db: SqliteDatabase) -> None:
    Statement(insertion(DecisionRow, DecisionRow.concern_id)).write(db, at=NOW, owner=None, body="{}")
    assert Statement(DecisionRow.select(DecisionRow.concern_id)).rows(db) == [(None,)]


def test_the_sql_is_made_once(db: SqliteDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    statement = Statement(MetaRow.select(MetaRow.value).where(MetaRow.key == given("key")))
    statement.rows(db, key="a")
    monkeypatch.setattr(db, "get_sql_context", lambda: pytest.fail("made again"))
    assert statement.rows(db, key="b") == []


MOMENTS = st.datetimes(
    timezones=st.integers(-14 * 60, 14 * 60).map(lambda n: st.just(timezone(timedelta(minutes=n)))).flatmap(lambda s: s)
)


@examples(MOMENTS, MOMENTS)
def test_moments_lose_nothing_and_sort(one: datetime, other: datetime) -> None:
    field = MomentField()
    numbers = field.db_value(one), field.db_value(other)
    assert (numbers[0] < numbers[1]) == (one < other)
    assert (numbers[0] == numbers[1]) == (one == other)
