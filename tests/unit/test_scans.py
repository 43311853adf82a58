"""All looks in one unit of work; one that fails holds up no other."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from bot.runtime.scans import Look, Scans
from bot.store import PeeweeStore
from bot.store.repositories import StoreRepositories
from core.errors import StorageFailed


class Store(PeeweeStore):
    """Counts its units of work; fails from one of them on."""

    def __init__(self) -> None:
        super().__init__("sqlite:///:memory:", inline=True)
        self.units: list[str] = []
        self.breaks_at = 99

    async def run(self, work: Callable[[StoreRepositories], object], *, at: str = "read") -> object:  # type: ignore[override]
        self.units.append(at)
        if len(self.units) >= self.breaks_at:
            raise StorageFailed("it is gone")
        return await super().run(work, at=at)


def mark(name: str, found: int) -> Look:
    def look(repos: StoreRepositories) -> int:
        repos.meta.set(name, "seen")
        return found

    return look


def breaks(repos: StoreRepositories) -> int:
    repos.meta.set("broken", "seen")
    raise KeyError("words that nobody should see")


def seen(store: Store, *names: str) -> list[str]:
    return [name for name in names if store.run_now(lambda repos, n=name: repos.meta.get(n)) == "seen"]


async def test_all_looks_share_one_unit_of_work() -> None:
    store = Store()
    assert await Scans(store, [mark("a", 2), mark("b", 3)]).scan() == 5
    assert (store.units, seen(store, "a", "b")) == (["scan"], ["a", "b"])


async def test_one_that_fails_is_told_and_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    store = Store()
    with caplog.at_level(logging.ERROR), pytest.raises(KeyError):
        await Scans(store, [mark("a", 1), breaks, mark("b", 1)]).scan()
    assert seen(store, "a", "broken", "b") == ["a", "b"]
    assert [r.getMessage() for r in caplog.records] == ["breaks fails: KeyError"]


async def test_a_database_that_is_away_is_asked_once() -> None:
    store = Store()
    store.breaks_at = 1
    with pytest.raises(StorageFailed):
        await Scans(store, [mark("a", 1)]).scan()
    assert store.units == ["scan"]
    store.units, store.breaks_at = [], 2
    with pytest.raises(StorageFailed):
        await Scans(store, [breaks, mark("a", 1)]).scan()
    assert store.units == ["scan", "scan"]
