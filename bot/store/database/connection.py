"""Opening the database, and everything in which SQLite and PostgreSQL differ.

A URL is `sqlite:///data/qinghai.db`, `sqlite:////absolute/path.db`, `sqlite:///:memory:` (each may end in
`?synchronous=full`) or `postgresql://user:password@host:port/name`, whatever libpq understands.
What is wrong with a database becomes a `ConfigurationError` that names it and the cure.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from peewee import (
    Database,
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    PostgresqlDatabase,
    ProgrammingError,
    SqliteDatabase,
)

from core.errors import ConfigurationError, StorageFailed

MEMORY = ":memory:"
OLDEST_SQLITE = (3, 35, 0)
"""The first with RETURNING."""

# Any two numbers that no other program uses on the same database.
_TURN_LOCK = 0x51484C01
_MIGRATION_LOCK = 0x51484C02
_LOCK = "SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))"
"""Until the transaction ends, among those who use the same schema."""

IDLE_MS = 5000
"""A process that stops in the middle of a transaction (it is frozen, its machine is gone) loses it after this: what it
had locked would hold up all others, and longer than a lease lasts."""

_CURES = (
    ("is locked", "another program holds it: stop that one, or wait and try again"),
    ("not a database", "it is another kind of file: move it away, or set QINGHAI_DATABASE_URL to another"),
    ("malformed", "it is damaged: put a backup in its place"),
    ("full", "free some space on that disk"),
    ("readonly", "make the file and its folder writable"),
    ("read-only", "make the file and its folder writable"),
    ("unable to open", "check that it is a file and that its folder can be written"),
)


def open_database(url: str) -> Database:
    """An open connection to the database at `url`, for one thread at a time. Raises `ConfigurationError`."""
    scheme = _split(url).scheme
    db: Database
    if scheme == "sqlite":
        db = _sqlite(url)
    elif scheme in ("postgresql", "postgres"):
        db = _postgresql("postgresql" + url.removeprefix(scheme))
    else:
        raise ConfigurationError(f"database URL {_shown(url)!r}: it begins with neither sqlite:/// nor postgresql://")
    with explained(db, ProgrammingError):
        db.connect()
    if isinstance(db, SqliteDatabase):
        _keep_private(db)
    return db


def _postgresql(url: str) -> PostgresqlDatabase:
    if find_spec("psycopg") is None:
        raise ConfigurationError("PostgreSQL needs its driver, which is not installed: make .venv/.postgres")
    return _Postgresql(url, prefer_psycopg3=True, thread_safe=False, autoconnect=False, **patience(url))


class _Postgresql(PostgresqlDatabase):
    def _initialize_connection(self, conn: Any) -> None:
        conn.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")


def patience(url: str) -> dict[str, Any]:
    """What a PostgreSQL `url` leaves open of how long a silent host is waited for: here some ten seconds.

    A host that swallows packets would hold everything up for minutes otherwise, and a lease does not last as long.
    """
    wanted = {
        "connect_timeout": 10,
        "tcp_user_timeout": 10_000,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    }
    return {name: value for name, value in wanted.items() if f"{name}=" not in url}


def _sqlite(url: str) -> SqliteDatabase:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise ConfigurationError(f"SQLite {sqlite3.sqlite_version} is too old: 3.35 or newer is needed")
    path, synchronous = _sqlite_parts(url)
    if path != MEMORY:
        prepare_file(Path(path))
    pragmas = {"busy_timeout": 5000, "foreign_keys": 1, "journal_mode": "wal", "synchronous": synchronous}
    # A transaction that first reads and then writes would fail at once when another writes in between, so each
    # begins as a writer. The connection moves to the store's thread, hence no check_same_thread.
    return SqliteDatabase(
        path, pragmas=pragmas, lock_type="IMMEDIATE", thread_safe=False, autoconnect=False, check_same_thread=False
    )


def _sqlite_parts(url: str) -> tuple[str, str]:
    parts = _split(url)
    path = unquote(parts.path).removeprefix("/")
    if parts.netloc or not path:
        raise ConfigurationError(f"database URL {url!r}: a file is written sqlite:///folder/name.db")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    synchronous = options.pop("synchronous", "normal").lower()
    if options:
        raise ConfigurationError(f"database URL {url!r}: unknown option {min(options)!r}, known is synchronous")
    if synchronous not in ("normal", "full"):
        raise ConfigurationError(f"database URL {url!r}: synchronous is normal or full, not {synchronous!r}")
    return path, synchronous


def sqlite_file(url: str) -> Path | None:
    """The file of an SQLite database; None for PostgreSQL, and for one in memory. Raises `ConfigurationError`."""
    if _split(url).scheme != "sqlite":
        return None
    path, _ = _sqlite_parts(url)
    return None if path == MEMORY else Path(path)


def takes_several(url: str) -> bool:
    """Whether several processes may work on the database at `url`: a server's, not a file. `ConfigurationError`."""
    return _split(url).scheme != "sqlite"


def prepare_file(path: Path) -> None:
    """Create folder (0700) and file (0600) before SQLite would, with wider permissions."""
    try:
        if not path.parent.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigurationError(
            f"database {path} cannot be written ({reason}): give the bot a folder of its own there, "
            "or set QINGHAI_DATABASE_URL to another place"
        ) from error


def _keep_private(db: SqliteDatabase) -> None:
    """SQLite gives its side files the mode of the main one; files of an earlier day may have another."""
    if db.database == MEMORY:
        return
    for name in (db.database, f"{db.database}-wal", f"{db.database}-shm"):
        with suppress(OSError):
            if os.stat(name).st_mode & 0o077:
                os.chmod(name, 0o600)


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError as error:
        raise ConfigurationError(f"database URL {_shown(url)!r}: {error}") from None


def _shown(url: str) -> str:
    """The URL without password and options."""
    before, at, after = url.partition("?")[0].rpartition("@")
    scheme, _, user = before.partition("://")
    return f"{scheme}://{user.partition(':')[0]}@{after}" if at else after


def name_of(db: Database) -> str:
    """How the database is called in messages: the file, or the URL without password and options."""
    name = str(db.database)
    return name if isinstance(db, SqliteDatabase) else _shown(name)


@contextmanager
def explained(db: Database, *also: type[Exception]) -> Iterator[None]:
    """Turn a failure of the database itself, and what else is named, into a `StorageFailed`.

    The other errors of peewee speak of a statement: those are mistakes of the program, and left alone.
    """
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        # One that the server hung up on is told of in other ways too.
        if type(error) not in (DatabaseError, OperationalError, InterfaceError, *also) and not _is_lost(db):
            raise
        # Without the cause: a driver may quote the URL with its password.
        raise StorageFailed(_sentence(db, error)) from None


def _sentence(db: Database, error: Exception) -> str:
    reason = " ".join(str(error).replace(str(db.database), name_of(db)).split()) or type(error).__name__
    if isinstance(db, SqliteDatabase):
        cure = next((cure for word, cure in _CURES if word in reason), "check the file and its disk")
    else:
        cure = "check that the server runs and that QINGHAI_DATABASE_URL is right"
    return f"database {name_of(db)}: {reason}; {cure}"


@contextmanager
def transaction(db: Database, lasting: bool = True, *, alone: bool = True) -> Iterator[None]:
    """One transaction; commits at the end, rolls back on an exception. Connects anew when the server was away.

    `alone`: while it runs no other process has one that is alone. So what it reads stays true until it has written.

    One that is not `lasting` does not wait until a PostgreSQL server has written it to disk: when the server itself
    crashes within the next second, it may be taken back, with all that came after it. (SQLite's never do.)
    """
    _begin(db)
    with db.manual_commit():
        try:
            if isinstance(db, PostgresqlDatabase) and (alone or not lasting):
                _agree(db, lasting, alone)
            yield
            db.commit()
        except BaseException:
            # Where the disk is full or the server gone, the database has done so by itself; that is not the news.
            with suppress(OperationalError, InterfaceError, InternalError):
                db.rollback()
            raise


def _begin(db: Database) -> None:
    try:
        if db.is_closed():
            db.connect()
        db.begin()
    except (OperationalError, InterfaceError):
        if not _is_lost(db):
            raise
        # Nothing was done yet, so a second try is safe.
        db.close()
        db.connect()
        db.begin()


def _is_lost(db: Database) -> bool:
    return isinstance(db, PostgresqlDatabase) and not db.is_closed() and not db.is_connection_usable()


@contextmanager
def migration(db: Database) -> Iterator[None]:
    """A transaction in which tables may change, by one process at a time; all of it is kept, or nothing."""
    if isinstance(db, SqliteDatabase):
        # Altering rebuilds tables; only outside a transaction can the cascades be held off.
        db.foreign_keys = 0
        try:
            with db.atomic():
                yield
        finally:
            db.foreign_keys = 1
    else:
        with db.atomic():
            execute(db, _LOCK, _MIGRATION_LOCK)
            yield


def _agree(db: PostgresqlDatabase, lasting: bool, alone: bool) -> None:
    """What holds until the transaction ends, in one question: asking alone takes longer than most of what follows.

    Whoever else is alone waits: two must not both act on what they read. (SQLite's exclude one another anyway.)
    """
    settings = [] if lasting else ["set_config('synchronous_commit', 'off', true)"]
    turn = [f"pg_advisory_xact_lock({_TURN_LOCK}, hashtext(current_schema()))"] if alone else []
    execute(db, f"SELECT {', '.join(settings + turn)}")


@contextmanager
def apart(db: Database) -> Iterator[None]:
    """Within a transaction: what fails in here is undone alone. Raises `StorageFailed` when it is the database's."""
    with explained(db), db.savepoint():
        yield


def auto_id(db: Database) -> str:
    """The column type of a row number that grows and is never given twice, not even after a delete."""
    return "INTEGER PRIMARY KEY AUTOINCREMENT" if isinstance(db, SqliteDatabase) else "BIGSERIAL PRIMARY KEY"


def execute(db: Database, sql: str, *values: Any) -> None:
    """Run one statement whose result does not matter."""
    untyped: Any = db
    untyped.execute_sql(sql, values)
