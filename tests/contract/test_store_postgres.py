"""What only PostgreSQL can do to a store: go away and come back."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from bot.store import PeeweeStore
from bot.store.database import connection as db
from bot.store.repositories import StoreRepositories
from bot.store.tables import TABLES
from core.errors import ConfigurationError, StorageFailed
from tests.contract.conftest import clear
from tests.postgres import own_schema

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
    with own_schema(postgres_url, "start") as url, psycopg.connect(url) as server:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: PeeweeStore(url, inline=True).close(), range(4)))
        tables = server.execute("SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema()").fetchone()
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


def test_what_a_unit_has_read_stays_true_until_it_has_written(postgres_schema: str) -> None:
    """Two processes count on the same number; none of them takes back what the other did, and none gets stuck."""
    clear(postgres_schema)

    def count(number: int) -> None:
        store = PeeweeStore(postgres_schema, me=f"process {number}")
        names = ["a", "b"] if number else ["b", "a"]

        def one_more(repos: StoreRepositories) -> None:
            for name in names:
                repos.meta.set(name, str(int(repos.meta.get(name) or 0) + 1))

        try:
            for _ in range(50):
                asyncio.run(store.run(one_more, at="count"))
        finally:
            store.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(count, range(2)))
    store = PeeweeStore(postgres_schema, inline=True)
    assert store.run_now(lambda repos: (repos.meta.get("a"), repos.meta.get("b"))) == ("100", "100")
    store.close()


def test_a_process_that_freezes_in_a_transaction_holds_nobody_up(
    postgres_schema: str, store: PeeweeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "IDLE_MS", 200)
    frozen = PeeweeStore(postgres_schema, me="frozen")
    began, thawed = threading.Event(), threading.Event()

    def work(repos: StoreRepositories) -> None:
        repos.meta.set("n", "frozen")
        began.set()
        assert thawed.wait(30)

    with ThreadPoolExecutor(1) as pool:
        left = pool.submit(lambda: asyncio.run(frozen.run(work, at="work")))
        assert began.wait(30)
        asyncio.run(store.run(lambda repos: repos.meta.set("n", "other"), at="work"))
        thawed.set()
        with pytest.raises(StorageFailed):
            left.result(30)
    assert store.run_now(lambda repos: repos.meta.get("n")) == "other"
    assert frozen.run_now(lambda repos: repos.meta.get("n")) == "other", "it connects anew"
    frozen.close()


@pytest.mark.parametrize(
    ("unit", "waits"),
    [
        ("claim", "off"),
        ("judge", "off"),
        ("done", "off"),
        ("accept", "on"),
        ("look", "on"),
        ("receipt", "on"),
        ("part", "on"),
        ("retry", "on"),
        ("usage", "on"),
    ],
)
async def test_only_what_can_be_made_again_does_not_wait_for_the_disk(
    store: PeeweeStore, unit: str, waits: str
) -> None:
    def setting(repos: StoreRepositories) -> str:
        return str(store._db.execute_sql("SHOW synchronous_commit").fetchone()[0])

    store._db.execute_sql("SET synchronous_commit TO ON")  # the tests' own schemas wait for nothing
    assert await store.run(setting, at=unit) == waits
    assert await store.run(setting) == "on"
