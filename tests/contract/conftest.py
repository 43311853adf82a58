"""The store on each of its databases: SQLite, and a schema of its own in PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store import PeeweeStore
from bot.store.tables import TABLES
from tests.postgres import own_schema


@pytest.fixture(scope="session")
def postgres_schema(postgres_url: str) -> Iterator[str]:
    """The URL of a schema with all tables, for this run only; made once, as that takes PostgreSQL a while."""
    with own_schema(postgres_url, "store", hasty=True) as url:
        PeeweeStore(url, inline=True).close()
        yield url


def clear(postgres_url: str) -> None:
    """Take all rows out."""
    import psycopg

    with psycopg.connect(postgres_url) as server:
        for table in TABLES:
            server.execute(f"DELETE FROM {table._meta.table_name}")


ON_BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=ON_BOTH)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database that several stores may open, one after another or at once."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'qinghai.db'}"
    url: str = request.getfixturevalue("postgres_schema")
    clear(url)
    return url


@pytest.fixture(params=ON_BOTH)
def store(request: pytest.FixtureRequest) -> Iterator[PeeweeStore]:
    """An empty store whose units of work run at once, in the test's own thread."""
    url = "sqlite:///:memory:"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_schema")
        clear(url)
    store = PeeweeStore(url, inline=True)
    yield store
    store.close()
