"""Several runtimes on one PostgreSQL schema: one speaks, all think, and none of them is needed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from peewee import OperationalError

from bot.app import App, build_app
from bot.brain.faulty import FaultyBrain
from bot.channels.virtual import Counter, VirtualChannel
from bot.runtime import presence
from bot.runtime.runtime import Runtime
from bot.settings import build_settings
from bot.store.unit import PeeweeStore
from bot.system import SequenceIds, VirtualClock
from core.brain.rules import RuleBrain
from core.errors import StorageFailed, TakenOver
from core.facts import Fact, FactKind, StoredFact
from core.ids import ConversationId
from core.jobs import JobState
from core.ports import Emit
from tests.flow.office import PEOPLE, START
from tests.postgres import own_schema

pytestmark = pytest.mark.postgres

PATIENCE_S = 20.0


@pytest.fixture
def url(postgres_url: str) -> Iterator[str]:
    """A schema of its own."""
    with own_schema(postgres_url, "runtimes") as url:
        yield url


class Chat(VirtualChannel):
    """Knows whether it is listened to."""

    listened = 0

    async def run(self, emit: Emit) -> None:
        self.listened += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.listened -= 1


class Member:
    """One process's worth of bot."""

    def __init__(self, app: App, channel: Chat) -> None:
        self.app = app
        self.channel = channel
        self.running: asyncio.Task[None] | None = None

    @property
    def runtime(self) -> Runtime:
        return self.app.runtime

    @property
    def me(self) -> str:
        return self.app.store._repositories.me

    @property
    def listening(self) -> bool:
        listener = self.runtime._listener
        return listener is not None and listener.listening

    def start(self) -> None:
        self.running = asyncio.create_task(self.app.run())

    async def end(self) -> None:
        """As SIGTERM does."""
        assert self.running is not None
        self.app.stop()
        await self.running

    async def die(self) -> None:
        """As kill -9 does, but for the connections: nothing is handed back, and the lease runs out."""
        assert self.running is not None
        self.app.store._failpoint = dead
        for task in self.runtime._handling.union(*self.runtime._working.values()):
            task.cancel()
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)


def dead(name: str) -> None:
    """Nothing is written any more."""
    raise StorageFailed(name)


@asynccontextmanager
async def member(url: str, me: str) -> AsyncIterator[Member]:
    clock = VirtualClock(START)
    channel = Chat("telegram", clock, Counter())
    brain = FaultyBrain(RuleBrain())
    settings = build_settings({**PEOPLE}, "the office")
    app = await build_app(
        settings,
        clock=clock,
        ids=SequenceIds(me),
        brain=brain,
        channels={"telegram": channel},
        database_url=url,
        me=me,
    )
    it = Member(app, channel)
    try:
        yield it
    finally:
        if it.running is not None and not it.running.done():
            await it.end()
        await app.close()


@pytest.fixture
async def pair(url: str) -> AsyncIterator[tuple[Member, Member]]:
    """The first speaks."""
    async with member(url, "one") as one, member(url, "other") as other:
        one.start()
        await until(lambda: one.runtime.speaks)
        other.start()
        await until(lambda: other.runtime._presence.alive)
        yield one, other


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.005)


async def until_in(store: PeeweeStore, condition: Callable[[Any], Any]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await store.run(condition):
            await asyncio.sleep(0.005)


def message(number: int, chat: str = "1", text: str = "在吗") -> Fact:
    return Fact(
        channel="telegram",
        event_id=f"x{number}",
        kind=FactKind.MESSAGE,
        occurred_at=START,
        conversation=ConversationId(f"telegram:{chat}"),
        sender=chat,
        text=text,
        message_id=str(number),
    )


def no_tick(it: Member) -> None:
    """Without the net of every second, only a call or its own work wakes it."""

    async def nothing() -> None:
        await asyncio.Event().wait()

    it.runtime._tick = nothing  # type: ignore[method-assign]


async def test_one_is_listened_to_and_when_it_ends_the_other_is_at_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "BEAT_S", 1000.0)  # the next beat is not what helps
    async with member(url, "one") as one, member(url, "other") as other:
        one.start()
        await until(lambda: one.channel.listened)
        other.start()
        await until(lambda: other.runtime._presence.alive)
        assert (one.runtime.speaks, other.runtime.speaks, other.channel.listened) == (True, False, 0)
        await until(lambda: other.listening)
        await one.end()
        assert one.channel.listened == 0
        await until(lambda: other.channel.listened)
        assert other.runtime.speaks


async def test_what_one_stores_the_other_hears_of(url: str) -> None:
    async with member(url, "one") as one, member(url, "other") as other:
        no_tick(other)
        other.start()
        await until(lambda: other.runtime.speaks)
        await until(lambda: other.listening)
        await until(lambda: not other.runtime._wake.is_set())
        # The first only stores; it does not run.
        await one.app.accept(message(1))
        await until(lambda: other.channel.delivered)


async def test_who_does_not_speak_thinks_but_sends_nothing(pair: tuple[Member, Member]) -> None:
    one, other = pair
    handled: list[str] = []
    for it in pair:
        handle = it.runtime._hub.handle

        async def noted(stored: StoredFact, it: Member = it, handle: Any = handle) -> Any:
            handled.append(it.me)
            return await handle(stored)

        it.runtime._hub.handle = noted  # type: ignore[method-assign]
    n = 0
    while "other" not in handled:
        await other.app.accept(message(n := n + 1))
        await until(lambda: len(handled) == n)
    await until(lambda: len(one.channel.delivered) == n)
    assert other.channel.delivered == []


async def test_a_chat_is_in_one_pair_of_hands(pair: tuple[Member, Member]) -> None:
    at_work: list[str] = []
    order: list[str] = []
    for it in pair:

        async def handle(stored: StoredFact, it: Member = it) -> Any:
            assert stored.fact.conversation not in at_work
            at_work.append(stored.fact.conversation)
            await asyncio.sleep(0)
            order.append(stored.fact.event_id)

            def close(repos: Any) -> None:
                repos.facts.handled(stored.fact_id, "ignore", "", "", START)

            at_work.remove(stored.fact.conversation)
            await it.app.store.run(close)
            return type("Outcome", (), {"decision": "ignore", "concerns": (), "brain": "rules"})()

        it.runtime._hub.handle = handle  # type: ignore[method-assign, assignment]
    one, other = pair
    for n in range(60):
        await (one, other)[n % 2].app.accept(message(n, chat=str(100 + n % 3)))
    await until_in(one.app.store, lambda repos: repos.facts.unhandled_count() == 0)
    assert len(order) == 60
    for chat in range(3):
        mine = [int(event[1:]) for event in order if int(event[1:]) % 3 == chat]
        assert mine == sorted(mine)


async def test_what_a_dead_process_had_is_taken_over_and_its_late_answer_counts_for_nothing(
    pair: tuple[Member, Member],
) -> None:
    one, other = pair
    gate, begun = asyncio.Event(), asyncio.Event()
    refused: list[str] = []
    first: list[str] = []
    for it in pair:
        handle = it.runtime._hub.handle

        async def slow(stored: StoredFact, it: Member = it, handle: Any = handle) -> Any:
            if not first:
                first.append(it.me)
                begun.set()
                await gate.wait()
            try:
                return await handle(stored)
            except TakenOver:
                refused.append(it.me)
                raise

        it.runtime._hub.handle = slow  # type: ignore[method-assign]
    await one.app.accept(message(1, text="帮我问一下张三，周报发了没有"))
    await until(begun.is_set)
    if first == ["other"]:
        one, other = other, one
    # It is cut off: its lease has lapsed, it does not know yet.
    lapse(other, one.me)
    other.runtime._presence._alive_since = 0.0  # type: ignore[attr-defined]
    other.runtime._presence.nudge()
    await until_in(other.app.store, lambda repos: repos.facts.unhandled_count() == 0)
    gate.set()
    await until(lambda: refused)
    assert refused == first
    concerns = await other.app.store.run(lambda repos: repos.concerns.list(open_only=False, limit=10))
    assert len(concerns) == 1


def lapse(it: Member, who: str) -> None:
    it.app.store.run_now(
        lambda repos: repos.leases._db.execute_sql("UPDATE leases SET until = 1 WHERE holder = %s", (who,))
    )


async def test_what_a_dead_process_was_sending_is_in_doubt_and_the_rest_goes_on(pair: tuple[Member, Member]) -> None:
    one, other = pair
    stuck = asyncio.Event()

    async def hangs(message: Any) -> Any:
        stuck.set()
        await asyncio.Event().wait()

    one.channel.send = hangs  # type: ignore[method-assign]
    await one.app.accept(message(1))
    await until(stuck.is_set)
    await one.die()
    await other.app.accept(message(2, chat="5"))
    lapse(other, "one")
    other.runtime._presence._alive_since = 0.0  # type: ignore[attr-defined]
    other.runtime._presence.nudge()
    await until(lambda: other.channel.delivered)
    await until_in(other.app.store, lambda repos: repos.jobs.list({JobState.IN_DOUBT}, 10))
    assert [d.chat for d in other.channel.delivered] == ["5"]
    assert await other.app.store.run(lambda repos: repos.jobs.holders() | repos.facts.holders()) <= {"other"}


async def test_who_cannot_renew_its_lease_takes_nothing_and_goes_on_when_it_can(pair: tuple[Member, Member]) -> None:
    one, other = pair
    await other.end()
    await until(lambda: one.channel.listened)
    place: Any = one.runtime._presence

    def cut_off(name: str) -> None:
        if name == "lease.before_commit":
            raise StorageFailed("the server is away")

    whole, one.app.store._failpoint = one.app.store._failpoint, cut_off
    later = place._span.total_seconds()
    place._monotonic = lambda: time.monotonic() + later
    place.nudge()
    await until(lambda: not one.channel.listened)
    assert not one.runtime.speaks
    await one.app.store.run(lambda repos: None)  # what it began to take before that has ended
    await one.app.accept(message(1))
    looked = asyncio.create_task(one.runtime._dispatch())
    await looked
    assert await one.app.store.run(lambda repos: (repos.facts.unhandled_count(), repos.facts.holders())) == (1, set())
    one.app.store._failpoint = whole
    place.nudge()
    await until(lambda: one.channel.listened and one.channel.delivered)


async def test_after_an_outage_nobody_is_buried_before_they_could_show_that_they_live(
    pair: tuple[Member, Member],
) -> None:
    one, other = pair

    async def hangs(stored: StoredFact) -> Any:
        await asyncio.Event().wait()

    one.runtime._hub.handle = other.runtime._hub.handle = hangs  # type: ignore[method-assign]
    await one.app.accept(message(1))
    await until_in(one.app.store, lambda repos: repos.facts.holders())
    (who,) = await one.app.store.run(lambda repos: repos.facts.holders())
    if who == "other":
        one, other = other, one
    lapse(other, who)
    place: Any = other.runtime._presence
    place._alive_until = place._alive_since = 0.0
    buried: list[str] = []
    place._release = lambda repos, who: buried.append(who)
    await place._beat(lambda: None)
    assert (place.alive, buried) == (True, [])
    place._alive_since = 0.0
    await place._beat(lambda: None)
    assert buried == [who]
    for task in one.runtime._handling:
        task.cancel()


# --- a server that goes away ---


def hang_up(url: str, *members: Member) -> None:
    """End the connections of these processes' stores from the other side, whatever they are at."""
    import psycopg

    with psycopg.connect(url.partition("options=")[0].rstrip("?&"), autocommit=True) as server:
        for it in members:
            connection = it.app.store._db.connection()  # type: ignore[no-untyped-call]
            server.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))


async def accepted(it: Member, fact: Fact) -> None:
    """As a channel does: what could not be stored comes again."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await it.app.accept(fact)
            except StorageFailed:
                await asyncio.sleep(0.005)
            else:
                return


async def test_connections_that_break_at_any_moment_lose_and_double_nothing(
    url: str, pair: tuple[Member, Member]
) -> None:
    one, other = pair
    for n in range(30):
        await accepted(pair[n % 2], message(n, chat="15"[n % 2]))
        if n % 3 == 0:
            await asyncio.to_thread(hang_up, url, pair[n % 2])

    def said() -> int:
        return len(one.channel.delivered) + len(other.channel.delivered)

    await until(lambda: said() >= 30)
    await until_in(one.app.store, lambda repos: not repos.jobs.holders() and not repos.facts.holders())
    assert said() == 30
    assert await one.app.store.run(lambda repos: repos.jobs.list({JobState.IN_DOUBT, JobState.DEAD}, 9)) == ()


async def test_a_server_that_is_gone_for_a_while_is_waited_for(
    url: str, pair: tuple[Member, Member], caplog: pytest.LogCaptureFixture
) -> None:
    one, other = pair
    await accepted(one, message(1))
    await until(lambda: one.channel.delivered)
    for it in pair:
        it.app.store._db.connect = refused  # type: ignore[method-assign]
    await asyncio.to_thread(hang_up, url, *pair)
    with pytest.raises(StorageFailed):
        await one.app.accept(message(2))
    # Its lease runs out meanwhile.
    for it in pair:
        place: Any = it.runtime._presence
        place._alive_until = place._speaks_until = 0.0
        it.runtime._changed()
    await until(lambda: not one.channel.listened and not other.channel.listened)
    for it in pair:
        del it.app.store._db.connect  # type: ignore[method-assign]
    await accepted(one, message(2))
    await until(lambda: len(one.channel.delivered) + len(other.channel.delivered) == 2)
    assert all(it.running is not None and not it.running.done() for it in pair)
    away = [r for r in caplog.records if "the database fails" in r.getMessage()]
    assert 1 <= len(away) <= 2


def refused(*_: object, **__: object) -> None:
    raise OperationalError("connection refused")


async def test_a_fault_in_the_sign_of_life_is_not_the_end_of_it(
    pair: tuple[Member, Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    faults = []

    def breaks(*_: object) -> None:
        faults.append(1)
        raise ZeroDivisionError

    monkeypatch.setattr(presence, "BEAT_S", 0.05)
    monkeypatch.setattr(other.runtime._presence, "_renew", breaks)
    other.runtime._presence.nudge()
    await until(lambda: len(faults) >= 3)
    monkeypatch.undo()
    await one.end()
    await until(lambda: other.runtime.speaks)
