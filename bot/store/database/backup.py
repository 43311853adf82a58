"""A copy of the SQLite database while the bot works on it: whole, of one moment, and in one private file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from bot.store.database.connection import sqlite_file
from core.errors import ConfigurationError, QinghaiError

PAGES = 256
"""Copied in one step (1 MB); between two steps the disk is the bot's."""
PAUSE_S = 0.005

Step = Callable[[int, int], None]
"""Told after each step: pages left, pages in all."""


def back_up(url: str, target: Path, step: Step | None = None) -> int:
    """Copy the database at `url` to the new file `target` (mode 0600); its size in bytes.

    Holds all that was committed when it began, whatever is written meanwhile, and nobody waits for it. The copy is in
    `target` only once it is complete. Raises `ConfigurationError` for what can't be copied, or not there, and
    `QinghaiError` when it fails on the way.
    """
    source = _source(url)
    part = target.with_name(f"{target.name}.part")
    _refuse_taken(source, target)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise ConfigurationError(
            f"{part} is there: another backup runs, or one was cut off; take that file away if none runs"
        ) from None
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written ({error.strerror}): name another place") from None
    try:
        _copy(source, part, step)
        # A link, unlike a rename, never replaces a file that somebody has put there meanwhile.
        os.link(part, target)
    except FileExistsError:
        raise ConfigurationError(f"{target} is there already: name a new file for the backup") from None
    except (sqlite3.Error, OSError) as error:
        raise QinghaiError(f"the backup to {target} failed ({error}): check both disks and try again") from None
    finally:
        for name in (part, f"{part}-wal", f"{part}-shm", f"{part}-journal"):
            with suppress(FileNotFoundError):
                os.unlink(name)
    return target.stat().st_size


def _source(url: str) -> Path:
    source = sqlite_file(url)
    if source is None and url.startswith("sqlite"):
        raise ConfigurationError("a database in memory is gone with its process: there is nothing to back up")
    if source is None:
        raise ConfigurationError("this copies SQLite alone: for PostgreSQL use pg_dump (docs/operations.md shows how)")
    if not source.is_file():
        raise ConfigurationError(f"there is no database {source} yet: check QINGHAI_DATABASE_URL")
    return source


def _refuse_taken(source: Path, target: Path) -> None:
    ours = [source, *(source.with_name(source.name + end) for end in ("-wal", "-shm", "-journal"))]
    if target.resolve() in [path.resolve() for path in ours]:
        raise ConfigurationError(f"{target} is the database itself: name another file for the backup")
    if os.path.lexists(target):
        raise ConfigurationError(f"{target} is there already: name a new file for the backup")
    if not target.parent.is_dir():
        raise ConfigurationError(f"there is no folder {target.parent}: make it, or name another place")


def _copy(source: Path, part: Path, step: Step | None) -> None:
    def told(_: int, left: int, of: int) -> None:
        if step is not None:
            step(left, of)

    with closing(sqlite3.connect(source, timeout=30)) as origin, closing(sqlite3.connect(part)) as copy:
        # An open reading transaction pins the moment: the copy would begin anew with every write of the bot otherwise.
        origin.execute("BEGIN")
        origin.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        origin.backup(copy, pages=PAGES, sleep=PAUSE_S, progress=told)
        origin.rollback()
        _let_go(copy)
        # One file, without a log beside it; whoever opens it next turns the log on again.
        copy.execute("PRAGMA journal_mode = delete")
        checked = copy.execute("PRAGMA quick_check").fetchone()
        if checked != ("ok",):
            raise sqlite3.DatabaseError(f"the copy is damaged: {checked[0]}")
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _let_go(copy: sqlite3.Connection) -> None:
    """No process lives on the copy: what they held there is as after a crash."""
    if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'leases'").fetchone():
        copy.execute("DELETE FROM leases")
        copy.commit()
