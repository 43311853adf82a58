"""What comes in at once is stored together, in its order, and each is told what became of theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.runtime.intake import MOST, Intake
from bot.store import PeeweeStore
from bot.system import VirtualClock
from core.errors import StorageFailed
from core.facts import Event, Fact, FactKind
from core.ids import ConversationId, PersonId
from core.people import Person

NOW = datetime(2026, 3, 16, 2, 0, tzinfo=UTC)


class Counting(PeeweeStore):
    """Counts units of work, each of which takes a moment."""

    units = 0

    async def run(self, work: Any, *, at: str = "read") -> Any:
        self.units += at == "accept"
        await asyncio.sleep(0)
        return await super().run(work, at=at)


@pytest.fixture
def store() -> Iterator[Counting]:
    made = Counting("sqlite:///:memory:", inline=True)
    yield made
    made.close()


def told(n: int, **more: Any) -> Fact:
    return Fact(
        channel="ci",
        event_id=f"n{n}",
        kind=FactKind.EVENT,
        occurred_at=NOW,
        conversation=ConversationId("ci:x"),
        **more,
    )


def stored(store: PeeweeStore) -> list[str]:
    return store.run_now(lambda repos: [n for (n,) in store._db.execute_sql("SELECT event_id FROM facts ORDER BY id")])


async def test_what_comes_meanwhile_goes_together_in_its_order_and_a_copy_is_known(store: Counting) -> None:
    intake = Intake(store, VirtualClock(NOW))
    new = await asyncio.gather(*(intake.take(told(n)) for n in (*range(150), 3, 3)))
    assert new == [True] * 150 + [False] * 2
    assert stored(store) == [f"n{n}" for n in range(150)]
    assert store.units == 2
    assert MOST == 100
    assert await intake.take(told(200))


@pytest.mark.parametrize("error", [ValueError("odd"), StorageFailed("full")])
async def test_one_that_does_not_go_in_keeps_no_other_out_unless_nothing_does(
    store: Counting, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    facts = store._repositories.facts
    real = facts.add

    def adding(fact: Fact, at: datetime) -> Any:
        if fact.event_id == "n1":
            raise error
        return real(fact, at)

    monkeypatch.setattr(facts, "add", adding)
    intake = Intake(store, VirtualClock(NOW))
    new = await asyncio.gather(*(intake.take(told(n)) for n in range(3)), return_exceptions=True)
    if isinstance(error, StorageFailed):
        assert new == [error] * 3
        assert stored(store) == []
    else:
        assert new == [True, error, True]
        assert stored(store) == ["n0", "n2"]


async def test_who_stops_waiting_takes_nothing_back(store: Counting) -> None:
    intake = Intake(store, VirtualClock(NOW))
    waiting = [asyncio.create_task(intake.take(told(n))) for n in range(2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    assert await waiting[1]
    assert stored(store) == ["n0", "n1"]


async def test_an_event_is_stored_with_the_person_who_stands_behind_it(store: Counting) -> None:
    zhangsan = Person(person_id=PersonId("p_zhangsan"), name="张三", accounts=("gitlab:zhangsan",))
    store.run_now(lambda repos: repos.people.save(zhangsan))
    intake = Intake(store, VirtualClock(NOW))
    pushed = Event(source="ci", kind="push", subject="x", accounts=("gitlab:zhangsan",))
    await intake.take(told(1, event=pushed))
    await intake.take(told(2, event=pushed.model_copy(update={"accounts": (), "actor": "王五"})))
    await intake.take(told(3, event=pushed, person_id=PersonId("p_lisi")))
    found = store.run_now(lambda repos: [s.fact.person_id for n in (1, 2, 3) if (s := repos.facts.get(n))])  # type: ignore[arg-type]
    assert found == ["p_zhangsan", None, "p_lisi"]
