"""A copy is whole, of one moment, private, and never in the way: not of the bot, and not of another file."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import PeeweeStore
from bot.store.database import backup
from bot.store.database.backup import back_up
from core.errors import ConfigurationError, QinghaiError


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'data' / 'qinghai.db'}"
    store = PeeweeStore(url, inline=True)
    store.run_now(lambda repos: [repos.meta.set(f"n{n}", "x" * 3000) for n in range(1000)])
    store.close()
    return url


def kept(file: Path) -> int:
    with closing(sqlite3.connect(file)) as db:
        number: int = db.execute("SELECT COUNT(*) FROM meta").fetchone()[0]
        return number


def refusal(url: str, target: Path) -> str:
    with pytest.raises(ConfigurationError) as raised:
        back_up(url, target)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_copy_is_one_private_file(url: str, tmp_path: Path) -> None:
    os.umask(os.umask(0o000))
    target = tmp_path / "copies" / "monday.db"
    target.parent.mkdir()
    assert back_up(url, target) == target.stat().st_size > 3_000_000
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert kept(target) == 1000
    assert [path.name for path in target.parent.iterdir()] == ["monday.db"]


def test_a_copy_is_of_the_moment_it_began_and_nobody_waits_for_it(url: str, tmp_path: Path) -> None:
    store = PeeweeStore(url, inline=True)
    store._db.pragma("busy_timeout", 0)
    steps: list[int] = []

    def write(left: int, of: int) -> None:
        steps.append(left)
        store.run_now(lambda repos: repos.meta.set(f"later{len(steps)}", "y" * 3000))

    back_up(url, tmp_path / "copy.db", write)
    assert len(steps) > 2
    assert steps == sorted(steps, reverse=True), "it began anew"
    assert kept(tmp_path / "copy.db") == 1000
    assert store.run_now(lambda repos: repos.meta.get("later1")) is not None
    store.close()


def test_what_processes_held_is_free_on_a_copy(url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "data" / "qinghai.db")) as db:
        db.execute("INSERT INTO leases (name, holder, until) VALUES ('speaker', 'one', 9000000000000000)")
        db.commit()
    back_up(url, tmp_path / "copy.db")
    for file, leases in (("copy.db", 0), ("data/qinghai.db", 1)):
        with closing(sqlite3.connect(tmp_path / file)) as db:
            assert db.execute("SELECT COUNT(*) FROM leases").fetchone() == (leases,)


def test_a_database_of_an_earlier_version_is_copied_as_it_is(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "old.db")) as db:
        db.execute("CREATE TABLE meta (key TEXT, value TEXT)")
        db.commit()
    back_up(f"sqlite:///{tmp_path / 'old.db'}", tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("meta",)]


def test_no_file_is_ever_replaced(url: str, tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("precious")
    assert refusal(url, there) == f"{there} is there already: name a new file for the backup"
    (tmp_path / "dangling.db").symlink_to(tmp_path / "nowhere.db")
    assert "is there already" in refusal(url, tmp_path / "dangling.db")
    assert there.read_text() == "precious"


def test_nor_one_that_came_while_it_was_made(url: str, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with pytest.raises(ConfigurationError, match="is there already"):
        back_up(url, target, lambda left, of: target.write_text("precious") and None)
    assert target.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data"]


@pytest.mark.parametrize("end", ["", "-wal"])
def test_the_database_itself_is_no_target(url: str, tmp_path: Path, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "is the database itself" in refusal(url, Path(f"data/../data/qinghai.db{end}"))
    assert kept(tmp_path / "data" / "qinghai.db") == 1000


def test_one_that_was_cut_off_is_told(url: str, tmp_path: Path) -> None:
    (tmp_path / "copy.db.part").touch()
    assert "copy.db.part is there: another backup runs, or one was cut off" in refusal(url, tmp_path / "copy.db")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("postgresql://keeper:s3cret@127.0.0.1/qinghai", "for PostgreSQL use pg_dump"),
        ("sqlite:///:memory:", "nothing to back up"),
        ("sqlite:///nowhere/none.db", "there is no database nowhere/none.db yet"),
    ],
)
def test_what_cannot_be_copied_is_told(source: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(source, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(url: str, tmp_path: Path) -> None:
    assert f"there is no folder {tmp_path / 'new'}" in refusal(url, tmp_path / "new" / "copy.db")


def test_a_full_disk_leaves_nothing_behind(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(backup, "_copy", full)
    with pytest.raises(QinghaiError, match=r"copy\.db failed \(database or disk is full\); check|failed .*full.*check"):
        back_up(url, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
