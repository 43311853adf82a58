"""Several processes on one database, with deaths: one turn a chat at a time, in order, soon, once; seed for seed alike."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from peewee import Database

from bot.store.database.connection import open_database
from bot.store.migrations import migrate
from bot.store.tables import TABLES
from tests.flow.lanes_simulation import Simulation
from tests.sampling import WHOLE

SEEDS = 1000 if WHOLE else 100


@pytest.fixture
def db() -> Iterator[Database]:
    db = open_database("sqlite:///:memory:")
    migrate(db)
    yield db
    db.close()


def simulated(db: Database, seed: int) -> Simulation:
    for table in TABLES:
        db.execute_sql(f"DELETE FROM {table._meta.table_name}")
    db.execute_sql("DELETE FROM sqlite_sequence")
    simulation = Simulation(db, seed)
    try:
        simulation.run()
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}") from error
    return simulation


def test_one_turn_a_chat_in_order_and_nobody_starves(db: Database) -> None:
    deaths = overruled = 0
    longest = put_off = 0.0
    for seed in range(SEEDS):
        simulation = simulated(db, seed)
        assert not simulation.left, f"seed {seed}"
        assert set(simulation.ended.values()) == {1}, f"seed {seed}: done twice"
        deaths += simulation.deaths
        overruled += simulation.overruled
        put_off = max(put_off, simulation.longest_put_off)
        longest = max(longest, simulation.longest)
    print(
        f"{SEEDS} seeds, {deaths} deaths, {overruled} late words refused; longest idle {longest:.0f} s, "
        f"put off {put_off:.0f} s"
    )
    assert deaths > SEEDS // 2
    assert overruled > 0
    assert put_off > 60, "nobody was put off for long: the simulation is too tame"


@pytest.mark.parametrize("seed", range(3))
def test_an_equal_seed_gives_an_equal_trace(db: Database, seed: int) -> None:
    assert simulated(db, seed).trace == simulated(db, seed).trace
