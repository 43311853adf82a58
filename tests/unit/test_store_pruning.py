"""A pass a day, whoever makes it; its pieces are as small as a tick."""

from datetime import datetime, timedelta

from bot.runtime.pruning import EVERY, LAST, Pruning
from bot.store import PeeweeStore
from bot.store.retention import Retention
from bot.system import VirtualClock
from core.facts import Fact, FactKind
from core.ids import ConversationId

NOW = datetime.fromisoformat("2026-03-16T12:00:00+08:00")
OLD = Fact(
    channel="telegram",
    event_id="1",
    kind=FactKind.MESSAGE,
    occurred_at=NOW,
    conversation=ConversationId("telegram:1001"),
    text="早",
)


def store_with_an_old_fact() -> PeeweeStore:
    store = PeeweeStore("sqlite:///:memory:", inline=True)
    fact_id = store.run_now(lambda repos: repos.facts.add(OLD, NOW))
    assert fact_id is not None
    store.run_now(lambda repos: repos.facts.handled(fact_id, "converse", "", "rules", NOW))
    return store


def is_there(store: PeeweeStore) -> bool:
    return store.run_now(lambda repos: repos.facts.search((), 1)) != ()


async def a_pass(pruning: Pruning) -> None:
    for _ in range(20):
        assert await pruning.scan() == 0


async def test_what_is_old_goes_within_a_day() -> None:
    store, clock = store_with_an_old_fact(), VirtualClock(NOW)
    pruning = Pruning(store, clock, Retention(facts=timedelta(days=30)))
    await a_pass(pruning)
    assert is_there(store)
    clock.advance(timedelta(days=30, seconds=1))
    await a_pass(pruning)
    assert not is_there(store)
    store.close()


async def test_one_of_several_processes_makes_the_pass() -> None:
    store, clock = store_with_an_old_fact(), VirtualClock(NOW)
    one, other = (Pruning(store, clock, Retention(facts=timedelta(days=30))) for _ in range(2))
    await one.scan()
    clock.advance(timedelta(hours=1))
    await other.scan()
    assert (one._walk is not None, other._walk) == (True, None)
    clock.advance(EVERY - timedelta(hours=1))
    await other.scan()
    assert other._walk is not None
    store.close()


async def test_between_two_passes_it_costs_nothing() -> None:
    store, clock = store_with_an_old_fact(), VirtualClock(NOW)
    pruning = Pruning(store, clock, Retention())
    await a_pass(pruning)
    store.close()  # whoever asks a closed store hears of it
    clock.advance(EVERY - timedelta(seconds=1))
    assert await pruning.scan() == 0


async def test_a_clock_that_was_ahead_does_not_put_it_off() -> None:
    store, clock = store_with_an_old_fact(), VirtualClock(NOW)
    store.run_now(lambda repos: repos.meta.set(LAST, (NOW + timedelta(days=300)).isoformat()))
    await Pruning(store, clock, Retention()).scan()
    assert store.run_now(lambda repos: repos.meta.get(LAST)) == NOW.isoformat()
    store.close()
