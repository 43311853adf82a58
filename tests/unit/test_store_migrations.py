"""Migrations make what the tables say, once, and never run backwards."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from peewee import SqliteDatabase

from bot.store import PeeweeStore, migrations
from bot.store.database.connection import open_database
from bot.store.migrations import migrate
from bot.store.tables import TABLES
from core.errors import ConfigurationError
from core.facts import Fact, FactKind
from core.ids import ConversationId, PersonId

FOLDER = Path(migrations.__file__).parent
AFFINITY = {"BIGINT": "INTEGER", "BOOLEAN": "INTEGER", "INTEGER": "INTEGER", "TEXT": "TEXT"}


def columns(db: SqliteDatabase, table: str) -> list[tuple[str, str, bool, bool]]:
    """Name, kind of content, whether it may be empty, whether it is of the key."""
    found = db.get_columns(table)
    return sorted((c.name, AFFINITY[c.data_type], c.null and not c.primary_key, c.primary_key) for c in found)


def test_the_migrations_make_what_the_tables_say() -> None:
    migrated, declared = open_database("sqlite:///:memory:"), SqliteDatabase(":memory:")
    migrate(migrated)
    with declared.bind_ctx(TABLES):
        declared.create_tables(TABLES)
    for table in TABLES:
        name = table._meta.table_name
        assert columns(migrated, name) == columns(declared, name), name
    assert set(migrated.get_tables()) - {"schema_migration", "sqlite_sequence"} == set(declared.get_tables())
    migrated.close()
    declared.close()


def test_row_numbers_are_never_given_twice() -> None:
    db = open_database("sqlite:///:memory:")
    migrate(db)
    numbers = []
    for _ in range(2):
        db.execute_sql("INSERT INTO recent_decisions (at, body) VALUES (0, '')")
        numbers += [row[0] for row in db.execute_sql("DELETE FROM recent_decisions RETURNING id").fetchall()]
    assert numbers == [1, 2]
    db.close()


def test_migrations_are_numbered_without_a_gap() -> None:
    steps = sorted(path.name for path in FOLDER.glob("[0-9]*.py"))
    assert [int(name[:4]) for name in steps] == list(range(1, len(steps) + 1))


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'qinghai.db'}"
    for _ in range(2):
        PeeweeStore(url, inline=True).close()
    with sqlite3.connect(tmp_path / "qinghai.db") as db:
        names = [name for (name,) in db.execute("SELECT name FROM schema_migration ORDER BY name")]
    db.close()
    assert names == sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))


def test_two_that_start_at_once_share_the_new_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'qinghai.db'}"

    def start(number: int) -> None:
        store = PeeweeStore(url, inline=True)
        store.run_now(lambda repos: repos.meta.set(str(number), "here"))
        store.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(start, range(4)))
    store = PeeweeStore(url, inline=True)
    assert [store.run_now(lambda repos, n=n: repos.meta.get(str(n))) for n in range(4)] == ["here"] * 4
    store.close()


def test_a_database_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "qinghai.db"
    PeeweeStore(f"sqlite:///{file}", inline=True).close()
    db = sqlite3.connect(file)
    db.execute("INSERT INTO schema_migration (name, applied) VALUES ('0999_telepathy', '2030-01-01')")
    db.commit()
    with pytest.raises(ConfigurationError, match=r"qinghai\.db was used by a newer version .*0999_telepathy"):
        PeeweeStore(f"sqlite:///{file}", inline=True)
    ours = len(list(FOLDER.glob("[0-9]*.py")))
    assert db.execute("SELECT COUNT(*) FROM schema_migration").fetchone() == (ours + 1,)
    db.close()


def test_a_migration_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "0001_half.py").write_text(
        "def up(migrator, db):\n    db.execute_sql('CREATE TABLE half (id INTEGER)')\n    raise ValueError('no further')\n"
    )
    monkeypatch.setattr(migrations, "__file__", str(tmp_path / "__init__.py"))
    db = open_database(f"sqlite:///{tmp_path / 'qinghai.db'}")
    with pytest.raises(ValueError, match="no further"):
        migrate(db)
    assert db.get_tables() == []
    assert db.foreign_keys == 1
    db.close()


def test_facts_of_an_earlier_version_can_be_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = tmp_path / "first"
    first.mkdir()
    (first / "0001_first_tables.py").write_text((FOLDER / "0001_first_tables.py").read_text())
    db = open_database(f"sqlite:///{tmp_path / 'qinghai.db'}")
    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "__file__", str(first / "__init__.py"))
        migrate(db)
    facts = [
        Fact(
            channel="telegram",
            event_id=str(n),
            kind=kind,
            occurred_at=datetime(2026, 3, 16, 10, tzinfo=UTC),
            conversation=ConversationId("telegram:1001"),
            text=text,
            person_id=PersonId("p_zhangsan") if kind is FactKind.EVENT else None,
        )
        for n, (kind, text) in enumerate(
            [
                (FactKind.MESSAGE, "压测\0好了"),
                (FactKind.BUTTON, ""),
                (FactKind.EVENT, "v2.0 合并"),
                (FactKind.MESSAGE, ""),
            ]
        )
    ]
    for fact in facts:
        row = ("telegram", fact.event_id, fact.kind.value, "telegram:1001", "", 0, 0, "handled", 0, 0)
        db.execute_sql(
            "INSERT INTO facts (channel, event_id, kind, conversation, sender, occurred_at, received_at, state, due_at,"
            " attempts, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, fact.model_dump_json(exclude_defaults=True)),
        )
    migrate(db)
    found = db.execute_sql("SELECT person_id, text FROM facts ORDER BY id").fetchall()
    assert found == [(None, "压测好了"), (None, None), ("p_zhangsan", "v2.0 合并"), (None, None)]
    db.close()
