"""Opening a database: private files, and one clear sentence for whatever is wrong with it."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from bot.store import PeeweeStore
from bot.store.database.connection import MEMORY, open_database
from core.errors import ConfigurationError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def pragma(url: str, name: str) -> object:
    db = open_database(url)
    value = db.pragma(name)
    db.close()
    return value


def refusal(url: str) -> str:
    """The sentence with which it is refused."""
    with pytest.raises(ConfigurationError) as raised:
        PeeweeStore(url, inline=True)
    assert "\n" not in str(raised.value)
    return str(raised.value)


# --- files ---


def test_files_are_private_and_so_is_the_new_folder(tmp_path: Path) -> None:
    os.umask(os.umask(0o000))
    file = tmp_path / "data" / "qinghai.db"
    store = PeeweeStore(f"sqlite:///{file}", inline=True)
    store.run_now(lambda repos: repos.meta.set("n", "1"))
    names = sorted(path.name for path in file.parent.iterdir())
    assert names == ["qinghai.db", "qinghai.db-shm", "qinghai.db-wal"]
    assert {mode(path) for path in file.parent.iterdir()} == {0o600}
    assert mode(file.parent) == 0o700
    store.close()


def test_the_folder_of_others_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    PeeweeStore(f"sqlite:///{tmp_path / 'qinghai.db'}", inline=True).close()
    assert mode(tmp_path) == 0o755


def test_a_file_of_an_earlier_day_is_made_private(tmp_path: Path) -> None:
    file = tmp_path / "qinghai.db"
    PeeweeStore(f"sqlite:///{file}", inline=True).close()
    file.chmod(0o644)
    PeeweeStore(f"sqlite:///{file}", inline=True).close()
    assert mode(file) == 0o600


def test_a_path_may_be_relative_and_hold_any_character(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PeeweeStore("sqlite:///new/of me@清海 %3F%23.db", inline=True).close()
    assert (tmp_path / "new" / "of me@清海 ?#.db").is_file()


def test_nothing_is_written_for_a_database_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    PeeweeStore(f"sqlite:///{MEMORY}", inline=True).close()
    assert list(tmp_path.iterdir()) == []


def test_each_database_in_memory_is_another() -> None:
    one, two = PeeweeStore(f"sqlite:///{MEMORY}", inline=True), PeeweeStore(f"sqlite:///{MEMORY}")
    one.run_now(lambda repos: repos.meta.set("n", "1"))
    assert two.run_now(lambda repos: repos.meta.get("n")) is None
    assert one.run_now(lambda repos: repos.meta.get("n")) == "1"
    one.close()
    two.close()


def test_sqlite_is_set_up_to_survive_a_killed_process(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'qinghai.db'}"
    assert pragma(url, "journal_mode") == "wal"
    assert pragma(url, "foreign_keys") == 1
    assert pragma(url, "busy_timeout") == 5000
    assert pragma(url, "synchronous") == 1
    assert pragma(f"{url}?synchronous=FULL", "synchronous") == 2


# --- what is wrong ---


@pytest.mark.parametrize(
    ("url", "culprit"),
    [
        ("mysql://keeper:s3cret@host/qinghai", "mysql://keeper@host/qinghai"),
        ("qinghai.db", "qinghai.db"),
        ("", "neither sqlite:/// nor postgresql://"),
        ("sqlite://data/qinghai.db", "sqlite:///folder/name.db"),
        ("sqlite:///", "sqlite:///folder/name.db"),
        ("sqlite:///a.db?synchronous=off", "'off'"),
        ("sqlite:///a.db?synchronous=", "''"),
        ("sqlite:///a.db?journal=wal", "'journal'"),
    ],
)
def test_a_wrong_url_is_refused_with_its_culprit(url: str, culprit: str) -> None:
    said = refusal(url)
    assert culprit in said
    assert "s3cret" not in said


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    said = refusal(f"sqlite:///{tmp_path / 'data' / 'qinghai.db'}")
    assert str(tmp_path / "data" / "qinghai.db") in said
    assert "QINGHAI_DATABASE_URL" in said


def test_a_file_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    assert str(tmp_path) in refusal(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize("forbidden", ["folder", "file"])
def test_what_cannot_be_written_is_refused(tmp_path: Path, forbidden: str) -> None:
    file = tmp_path / "data" / "qinghai.db"
    PeeweeStore(f"sqlite:///{file}", inline=True).close()
    target = file.parent if forbidden == "folder" else file
    target.chmod(0o500)
    if os.access(target, os.W_OK):
        pytest.skip("nothing is forbidden to root")
    said = refusal(f"sqlite:///{file}")
    target.chmod(0o700)
    assert str(file) in said
    assert "writ" in said


def test_another_kind_of_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "qinghai.db"
    file.write_text("Dear diary, " * 500)
    file.chmod(0o644)
    said = refusal(f"sqlite:///{file}")
    assert str(file) in said
    assert "not a database" in said
    assert file.read_text() == "Dear diary, " * 500
    assert mode(file) == 0o644


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "qinghai.db"
    PeeweeStore(f"sqlite:///{file}", inline=True).close()
    content = bytearray(file.read_bytes())
    content[100 : 100 + 4096] = b"\xff" * 4096
    file.write_bytes(content)
    said = refusal(f"sqlite:///{file}")
    assert str(file) in said
    assert "backup" in said


def test_a_database_that_another_program_holds_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "qinghai.db"
    store = PeeweeStore(f"sqlite:///{file}", inline=True)
    # Not to wait as long as a user would.
    store._db.pragma("busy_timeout", 10)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ConfigurationError, match=r"qinghai\.db: database is locked; another program holds it"):
        store.run_now(lambda repos: repos.meta.get("n"))
    other.execute("ROLLBACK")
    other.close()
    assert store.run_now(lambda repos: repos.meta.get("n")) is None
    store.close()


def test_a_full_disk_is_told_and_nothing_is_kept(tmp_path: Path) -> None:
    store = PeeweeStore(f"sqlite:///{tmp_path / 'qinghai.db'}", inline=True)
    store._db.pragma("max_page_count", store._db.pragma("page_count"))
    with pytest.raises(ConfigurationError, match=r"qinghai\.db: .*full; free some space"):
        store.run_now(lambda repos: repos.meta.set("n", "x" * 100_000))
    assert store.run_now(lambda repos: repos.meta.get("n")) is None
    store.close()


def test_postgresql_without_its_driver_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.database.connection.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"driver.*make \.venv/\.postgres"):
        open_database("postgresql://nobody@127.0.0.1:1/none")
