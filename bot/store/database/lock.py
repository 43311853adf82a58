"""An SQLite file has one working process: an advisory lock on a file beside it, which dies with whoever holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from bot.store.database.connection import prepare_file, sqlite_file
from core.errors import ConfigurationError


def is_worked_on(url: str) -> bool:
    """Whether another process works on the SQLite file at `url`. False for PostgreSQL: there leases say who does."""
    try:
        with only_one(url):
            return False
    except ConfigurationError:
        return True


@contextmanager
def only_one(url: str) -> Iterator[None]:
    """Be the one process that works on the database at `url`; PostgreSQL takes several.

    Raises `ConfigurationError` when another works on it. Those who only look are not kept out.
    """
    path = sqlite_file(url)
    if path is None:
        yield
        return
    beside = path.with_name(f"{path.name}.lock")
    prepare_file(beside)
    lock = os.open(beside, os.O_RDWR)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigurationError(
                f"database {path}: another serve or console works on it; stop that one first, "
                "or use PostgreSQL, which takes several"
            ) from None
        yield
    finally:
        os.close(lock)
