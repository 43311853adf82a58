"""News between processes: a unit of work that made work for somebody says so, in its own transaction."""

from __future__ import annotations

from dataclasses import dataclass

from peewee import Database, PostgresqlDatabase

from bot.store.database.connection import execute

CHANNEL = "qinghai"
"""One for all schemas of a database: the name of the schema stands in the message."""

WORK = "work"
LEAVING = "leaving"
"""A process ends and leaves what it had to the others."""


@dataclass
class News:
    """What the unit of work that runs now has to tell the other processes; nothing, until something is set."""

    what: str | None = None

    def work(self) -> None:
        """There may be something to take up."""
        self.what = self.what or WORK

    def leaving(self) -> None:
        """This process gives everything back."""
        self.what = LEAVING


def publish(db: Database, me: str, news: News) -> None:
    """Once the transaction commits the others hear of it. SQLite has only one process."""
    if news.what is not None and isinstance(db, PostgresqlDatabase):
        execute(db, "SELECT pg_notify(%s, current_schema() || ' ' || %s || ' ' || %s)", CHANNEL, me, news.what)
