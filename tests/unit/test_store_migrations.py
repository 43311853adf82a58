"""Migrations make what the tables say, once, and never run backwards."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from peewee import SqliteDatabase

from bot.store import PeeweeStore, migrations
from bot.store.db import open_database
from bot.store.migrations import migrate
from bot.store.tables import TABLES
from core.errors import ConfigurationError

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
    assert db.execute("SELECT COUNT(*) FROM schema_migration").fetchone() == (2,)
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
