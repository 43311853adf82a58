"""What only PostgreSQL can do to a store: go away and come back."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from bot.store.tables import TABLES
from core.errors import ConfigurationError
from tests.contract.conftest import clear

pytestmark = pytest.mark.postgres


@pytest.fixture
def store(postgres_schema: str) -> Iterator[PeeweeStore]:
    clear(postgres_schema)
    store = PeeweeStore(postgres_schema, inline=True)
    yield store
    store.close()


@pytest.fixture
def hang_up(postgres_url: str, store: PeeweeStore) -> Iterator[object]:
    """Ends the store's connection from the other side."""
    pid = store._db.connection().info.backend_pid
    with psycopg.connect(postgres_url, autocommit=True) as server:
        yield lambda: server.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))


def test_a_connection_lost_between_units_of_work_is_not_noticed(store: PeeweeStore, hang_up) -> None:  # type: ignore[no-untyped-def]
    store.run_now(lambda repos: repos.meta.set("n", "1"))
    hang_up()
    assert store.run_now(lambda repos: repos.meta.get("n")) == "1"


def test_a_connection_lost_within_one_leaves_nothing_and_is_told(store: PeeweeStore, hang_up) -> None:  # type: ignore[no-untyped-def]
    def work(repos: StoreRepositories) -> None:
        repos.meta.set("n", "1")
        hang_up()
        repos.meta.set("n", "2")

    with pytest.raises(ConfigurationError, match="check that the server runs"):
        store.run_now(work)
    assert store.run_now(lambda repos: repos.meta.get("n")) is None
    store.run_now(lambda repos: repos.meta.set("n", "3"))
    assert store.run_now(lambda repos: repos.meta.get("n")) == "3"


def test_those_that_start_at_once_share_the_new_tables(postgres_url: str) -> None:
    schema = f"start_{os.getpid()}"
    url = f"{postgres_url}{'&' if '?' in postgres_url else '?'}options=-csearch_path%3D{schema}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE SCHEMA {schema}")
        try:
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda _: PeeweeStore(url, inline=True).close(), range(4)))
            tables = server.execute("SELECT COUNT(*) FROM pg_tables WHERE schemaname = %s", (schema,)).fetchone()
        finally:
            server.execute(f"DROP SCHEMA {schema} CASCADE")
    assert tables == (len(TABLES) + 1,)


def test_the_short_name_of_the_scheme_will_do(postgres_schema: str) -> None:
    store = PeeweeStore(postgres_schema.replace("postgresql://", "postgres://"), inline=True)
    assert store.run_now(lambda repos: repos.facts.unhandled_count()) >= 0
    store.close()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://keeper:s3cret@127.0.0.1:1/qinghai",
        "postgresql://keeper:s3cret@127.0.0.1:1/qinghai?application_name=x",
        "postgresql://keeper:s3cret@127.0.0.1:notaport/qinghai",
        "postgresql://keeper:s3cret@127.0.0.1:1/qinghai?no_such_option=1",
        "postgresql://keeper:s3cret@[::1/qinghai",
    ],
)
def test_a_server_that_cannot_be_reached_is_named_without_the_password(url: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        PeeweeStore(url)
    assert "qinghai" in str(raised.value)
    assert "keeper" in str(raised.value)
    assert "s3cret" not in str(raised.value)
    assert raised.value.__suppress_context__
