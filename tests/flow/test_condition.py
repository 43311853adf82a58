"""Is the bot ready? What keeps it from working is told in a sentence; and the numbers of the moment."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.condition import STILL_S, Condition
from bot.store.repositories import StoreRepositories
from bot.store.repositories.leases import PROCESS, SPEAKER
from bot.store.unit import PeeweeStore
from bot.system import VirtualClock
from core.errors import StorageFailed
from core.facts import Fact, FactKind
from core.ids import ConversationId
from core.jobs import Job, JobKind

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
SPAN = timedelta(seconds=30)


class Timepiece:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def store() -> Iterator[PeeweeStore]:
    made = PeeweeStore("sqlite:///:memory:", inline=True)
    yield made
    made.close()


def condition(store: Any, piece: Timepiece | None = None, **channels: Any) -> Condition:
    return Condition(store, channels, VirtualClock(NOW), "gpt", monotonic=piece or Timepiece())


async def test_a_bot_in_which_all_is_well_is_ready(store: PeeweeStore) -> None:
    fine = SimpleNamespace(ready=True, status="connected to Telegram", trouble=None)
    assert await condition(store, telegram=fine, console=object()).problems() == []


async def test_a_channel_in_trouble_is_told(store: PeeweeStore) -> None:
    bad = SimpleNamespace(ready=False, status="Telegram cannot be reached: timed out", trouble="down")
    assert await condition(store, telegram=bad).problems() == ["telegram: Telegram cannot be reached: timed out"]


async def test_channels_of_which_another_process_takes_care_are_not_judged(store: PeeweeStore) -> None:
    idle = SimpleNamespace(ready=False, status="not started", trouble="starting")
    store.run_now(lambda repos: repos.leases.renew(SPEAKER, "another", SPAN))
    assert await condition(store, telegram=idle).problems() == []
    store.run_now(lambda repos: repos.leases.free(SPEAKER, "another"))
    store.run_now(lambda repos: repos.leases.renew(SPEAKER, repos.me, SPAN))
    assert await condition(store, telegram=idle).problems() == ["telegram: not started"]


async def test_a_scheduler_that_stands_still_is_told_until_it_goes_again(store: PeeweeStore) -> None:
    piece = Timepiece()
    it = condition(store, piece)
    piece.at += STILL_S
    assert await it.problems() == []
    piece.at += 50
    assert await it.problems() == ["scheduler: no scan for 60 s"]
    assert await it.scanned() == 0
    assert await it.problems() == []


async def test_a_database_that_fails_is_told_beside_the_rest() -> None:
    class Gone:
        async def run(self, work: Any) -> Any:
            raise StorageFailed("database x: the disk is full; free some space on that disk")

    bad = SimpleNamespace(ready=False, status="no connection", trouble="down")
    assert await condition(Gone(), telegram=bad).problems() == [
        "database x: the disk is full; free some space on that disk",
        "telegram: no connection",
    ]


async def test_a_database_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck:
        async def run(self, work: Any) -> Any:
            await asyncio.Event().wait()

    monkeypatch.setattr("bot.condition.PATIENCE_S", 0.01)
    assert await condition(Stuck()).problems() == ["database: no answer within 0.01 s"]


async def test_the_numbers_of_the_moment(store: PeeweeStore) -> None:
    def fill(repos: StoreRepositories) -> None:
        lane = ConversationId("telegram:1")
        for key, due in (("a", NOW - timedelta(seconds=90)), ("b", NOW + timedelta(hours=1))):
            repos.jobs.add(Job(key=key, kind=JobKind.DELIVER, lane=lane, due=due, payload="{}"))
        fact = Fact(channel="t", event_id="1", kind=FactKind.MESSAGE, occurred_at=NOW, conversation=lane, sender="1")
        repos.facts.add(fact, NOW - timedelta(seconds=7))
        repos.leases.renew(PROCESS + "only", "only", SPAN)
        repos.leases.renew(SPEAKER, "only", SPAN)

    store.run_now(fill)
    numbers = {gauge.name: gauge.value for gauge in await condition(store).gauges()}
    assert numbers.pop("qinghai_database_bytes") > 4096
    assert numbers == {
        "qinghai_jobs_pending": 2,
        "qinghai_jobs_due": 1,
        "qinghai_jobs_due_oldest_seconds": 90,
        "qinghai_jobs_dead": 0,
        "qinghai_jobs_in_doubt": 0,
        "qinghai_facts_unhandled": 1,
        "qinghai_facts_due_oldest_seconds": 7,
        "qinghai_speaks": 1,
        "qinghai_processes": 1,
    }


async def test_the_only_process_has_no_lease_and_counts_itself(store: PeeweeStore) -> None:
    numbers = {gauge.name: gauge.value for gauge in await condition(store).gauges()}
    assert (numbers["qinghai_processes"], numbers["qinghai_speaks"]) == (1, 1)
