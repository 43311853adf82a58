"""The store on each of its databases: in memory and in a file for SQLite, a schema of its own for PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store import PeeweeStore


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'qinghai.db'}"
        return
    import psycopg

    url = request.getfixturevalue("postgres_url")
    schema = f"store_{abs(hash((request.node.nodeid, tmp_path)))}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE SCHEMA {schema}")
        try:
            yield f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema}"
        finally:
            server.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def store(store_url: str) -> Iterator[PeeweeStore]:
    """A store whose units of work run at once, in the test's own thread."""
    store = PeeweeStore(store_url, inline=True)
    yield store
    store.close()
