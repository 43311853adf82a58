"""Fixtures of several files of this folder, and the database on which its tests run.

On both in `make sweep`. Else on SQLite, and a sample of them on PostgreSQL as well; QINGHAI_TEST_DATABASE=postgres (or
sqlite) runs all of them on that one alone.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

import bot.store.unit
from tests.flow.command_world import World
from tests.flow.databases import Schemas
from tests.sampling import WHOLE

HERE = Path(__file__).parent
ONLY = os.environ.get("QINGHAI_TEST_DATABASE")
BY_THEMSELVES = (
    "test_cli.py",
    "test_cli_data.py",
    "test_evaluate.py",
    "test_lanes_simulation.py",
    "test_several_runtimes.py",
)
"""These open their databases themselves."""
LONG = (
    "test_actions_chain.py",
    "test_injections.py",
    "test_property.py",
    "test_timers.py",
    "test_wall.py",
    "test_week.py",
)
"""These take minutes on PostgreSQL: there in `make sweep` and on a wish alone."""
EVERY = 8
"""Without a wish, each so-manieth of the others runs on PostgreSQL as well."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.rpartition(".")[2] + ".py" in BY_THEMSELVES:
        return
    names = [ONLY] if ONLY else ["sqlite", "postgres"]
    marks = {"sqlite": (), "postgres": pytest.mark.postgres}
    params = [pytest.param(n, id=pytest.HIDDEN_PARAM if n == "sqlite" else n, marks=marks[n]) for n in names]
    metafunc.parametrize("which_database", params, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if ONLY or WHOLE:
        return
    items[:] = [item for item in items if not _left_out(item)]


def _left_out(item: pytest.Item) -> bool:
    """On PostgreSQL, and not of the sample."""
    callspec = getattr(item, "callspec", None)
    if callspec is None or callspec.params.get("which_database") != "postgres" or HERE not in item.path.parents:
        return False
    return item.path.name in LONG or crc32(item.nodeid.rpartition("::")[2].encode()) % EVERY != 0


@pytest.fixture(scope="session")
def _schemas(postgres_url: str) -> Iterator[Schemas]:
    schemas = Schemas(postgres_url, bot.store.unit.open_database)
    yield schemas
    schemas.close()


@pytest.fixture(autouse=True)
def which_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Which it is: sqlite or postgres."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield "sqlite"
        return
    schemas: Schemas = request.getfixturevalue("_schemas")
    monkeypatch.setattr("bot.store.unit.open_database", schemas)
    yield "postgres"
    schemas.end_test()


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.store.close()
