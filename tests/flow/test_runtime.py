"""The runtime: lanes, faults of our own, and the second look at the moment of sending."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from bot.channels.virtual import Fault
from bot.runtime import inbox, runner
from bot.runtime.runtime import DEEP, TASKS_AT_ONCE
from bot.sending.sender import AT_ONCE
from bot.store.tables import FactRow
from core.effects import Advance, Outgoing, Purpose, Send, Task, Words
from core.errors import StorageFailed
from core.facts import Fact, FactKind, StoredFact, Trigger
from core.hub.commit import apply
from core.ids import ConcernId, ConversationId
from core.jobs import Job, JobKind, JobState
from core.ports import ChannelMessage, Receipt, Repositories
from tests.flow.office import START, Office


@pytest.fixture
def office() -> Iterator[Office]:
    it = Office()
    yield it
    it.close()


def texts(office: Office, who: str) -> list[str]:
    return [a.text for a in office.ledger if office.chat_of(a.chat).person_id == who]


def test_a_message_that_breaks_the_bot_is_given_up_with_an_apology_and_the_rest_goes_on(office: Office) -> None:
    hub = office.app.runtime._hub
    handle = hub.handle

    async def breaks(stored: StoredFact) -> object:
        if stored.fact.text == "bad":
            raise ZeroDivisionError
        return await handle(stored)

    hub.handle = breaks  # type: ignore[method-assign, assignment]
    office.say("p_owner", "bad")
    assert texts(office, "p_owner") == []
    office.say("p_owner", "帮我问一下张三，周报发了没有")
    assert texts(office, "p_zhangsan")
    office.advance(timedelta(minutes=25))
    assert sum("换个说法" in t for t in texts(office, "p_owner")) == 1


def test_a_row_that_cannot_be_read_is_set_aside_and_the_rest_goes_on(office: Office) -> None:
    """A damaged fact neither ends the process nor the talk in its chat, now or after a restart."""
    damaged = Fact(
        channel="telegram",
        event_id="damaged",
        kind=FactKind.MESSAGE,
        occurred_at=START,
        conversation=ConversationId("telegram:1"),
        sender="1",
        message_id="damaged",
        text="x",
    )
    office.look(lambda repos: repos.facts.add(damaged, START))
    office.look(lambda repos: FactRow.update(body="{}").where(FactRow.event_id == "damaged").execute(repos.facts._db))
    office.say("p_owner", "帮我问一下张三，周报发了没有")
    office.restart()
    office.say("p_owner", "进展怎么样")
    assert texts(office, "p_zhangsan")
    assert office.look(lambda repos: repos.facts.unhandled_count()) == 0


def test_the_job_of_which_nothing_can_be_read_is_dead_and_holds_nothing_up(office: Office) -> None:
    broken = Job(key="broken", kind=JobKind.DELIVER, lane="to:p_zhangsan", due=START, payload="{}")
    office.look(lambda repos: repos.jobs.add(broken))
    office.advance(timedelta(hours=1))
    office.say("p_owner", "帮我问一下张三，周报发了没有")
    assert texts(office, "p_zhangsan")
    assert [j.key for j in jobs(office, JobState.DEAD)] == ["broken"]


def test_a_reply_takes_back_a_follow_up_that_waits(office: Office) -> None:
    office.say("p_owner", "帮我问一下赵六，v2.0 什么时候能提测")
    office.channels["feishu"].fail(Fault("unavailable", "ou_4", times=50))
    office.advance(timedelta(hours=4, minutes=1))
    waiting = [j for j in jobs(office, JobState.PENDING) if j.person_id == "p_zhaoliu"]
    assert waiting, "the follow-up waits for the channel"
    office.say("p_zhaoliu", "周四")
    office.channels["feishu"].heal()
    office.advance(timedelta(hours=2))
    assert len(texts(office, "p_zhaoliu")) == 1, "nothing but the first contact"


def jobs(office: Office, state: JobState) -> tuple[object, ...]:
    return office.look(lambda repos: repos.jobs.list([state], 100))


def test_what_was_being_sent_when_the_process_died_is_in_doubt_and_not_sent_again(office: Office) -> None:
    office.die_after_sends(1)
    office.say("p_owner", "帮我问一下李四，周报发了没有")
    office.advance(timedelta(minutes=10))
    assert office.deaths == 1
    assert len(jobs(office, JobState.IN_DOUBT)) == 1
    assert len({a.key for a in office.ledger}) == len(office.ledger)


async def test_one_lane_works_in_order_and_others_beside_it(office: Office) -> None:
    runtime = office.app.runtime
    seen: list[str] = []
    gate = asyncio.Event()

    async def handle(stored: StoredFact) -> object:
        seen.append(stored.fact.text)
        if stored.fact.text == "slow":
            await gate.wait()
        office.look(lambda repos: repos.facts.handled(stored.fact_id, "ignore", "", "", START))
        return type("Outcome", (), {"decision": "ignore"})()

    runtime._hub.handle = handle  # type: ignore[method-assign, assignment]
    for number, (chat, text) in enumerate([("a", "slow"), ("a", "after"), ("b", "beside")]):
        await runtime.accept(fact(number, chat, text))
    running = asyncio.create_task(runtime.run())
    while "beside" not in seen:
        await asyncio.sleep(0)
    assert seen == ["slow", "beside"]
    gate.set()
    while "after" not in seen:
        await asyncio.sleep(0)
    runtime.stop()
    await running
    assert office.look(lambda repos: repos.facts.unhandled_count()) == 0


async def test_a_database_that_fails_for_a_while_stops_nothing(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = office.app.runtime
    fails = iter([True, True])
    take = runtime._take

    def faltering(*args: object) -> object:
        if next(fails, False):
            raise StorageFailed("the database is locked")
        return take(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(runtime, "_take", faltering)
    await runtime.accept(fact(1, "9999", "hello"))
    running = asyncio.create_task(runtime.run())
    while office.look(lambda repos: repos.facts.unhandled_count()):
        runtime._wake.set()
        await asyncio.sleep(0)
    runtime.stop()
    await running


def fact(number: int, chat: str, text: str) -> Fact:
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


# --- what hangs, and places ---


def test_a_fact_whose_work_hangs_is_taken_up_again(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = office.app.runtime._hub
    handle, tries = hub.handle, 0

    async def hangs_once(stored: StoredFact) -> object:
        nonlocal tries
        tries += 1
        if tries == 1:
            await asyncio.Event().wait()
        return await handle(stored)

    hub.handle = hangs_once  # type: ignore[method-assign, assignment]
    monkeypatch.setattr(inbox, "HANGS_S", 0.01)
    office.say("p_owner", "在吗")
    monkeypatch.undo()
    assert texts(office, "p_owner") == []
    office.advance(timedelta(seconds=6))
    assert (tries, len(texts(office, "p_owner"))) == (2, 1)


def test_a_message_that_hangs_at_the_channel_is_in_doubt_and_not_sent_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = 0

    async def hangs(message: object) -> object:
        nonlocal tries
        tries += 1
        return await asyncio.Event().wait()

    monkeypatch.setattr(runner, "HANGS_S", 0.01)
    monkeypatch.setattr(office.channels["telegram"], "send", hangs)
    office.say("p_wang", "在吗")
    monkeypatch.undo()
    office.advance(timedelta(hours=2))
    assert tries == 1
    (job,) = jobs(office, JobState.IN_DOUBT)
    assert job.reason == "it hung"  # type: ignore[attr-defined]
    office.say("p_wang", "还在吗")
    assert len(texts(office, "p_wang")) == 1


async def test_deep_tasks_hold_nothing_up(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = office.app.runtime
    begun: list[str] = []

    async def step(task: object) -> None:
        begun.append(str(task))
        await asyncio.Event().wait()

    monkeypatch.setattr(runtime._runner._tasks, "step", step)
    payload = Task(key="t", due=START, task_id="x").model_dump_json()
    for n in range(40):
        task = Job(key=f"t{n}", kind=JobKind.TASK, lane=f"task:{n}", due=START, payload=payload)
        office.look(lambda repos, t=task: repos.jobs.add(t))
    running = asyncio.create_task(runtime.run())
    await until(lambda: len(begun) == TASKS_AT_ONCE)
    await runtime.accept(fact(1, "1", "在吗"))
    await until(lambda: office.ledger)
    assert len(begun) == TASKS_AT_ONCE
    for working in runtime._working[DEEP]:
        working.cancel()
    runtime.stop()
    await running


async def test_a_channel_that_is_slow_does_not_hold_up_the_thinking(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime, silent = office.app.runtime, asyncio.Event()
    begun: list[str] = []

    async def slow(message: ChannelMessage) -> Receipt:
        begun.append(message.chat)
        await silent.wait()
        raise AssertionError

    async def advance(work: Advance) -> None:
        begun.append(work.key)

    monkeypatch.setattr(office.channels["telegram"], "send", slow)
    monkeypatch.setattr(runtime._runner._loop, "advance", advance)
    work = Advance(key="think", due=START, concern_id=ConcernId("con_x"), trigger=Trigger.REPLY)

    def fill(repos: Repositories) -> None:
        for n in range(100):
            chat = ConversationId(f"telegram:{n}")
            message = Outgoing(purpose=Purpose.REPLY, conversation=chat, words=Words(text="!!"))
            apply(repos, Send(key=f"n{n}", due=START, message=message))
        apply(repos, work)

    office.look(fill)
    running = asyncio.create_task(runtime.run())
    await until(lambda: "think" in begun)
    assert len(begun) == AT_ONCE + 1
    for tasks in runtime._working.values():
        for task in tasks:
            task.cancel()
    runtime.stop()
    await running


async def test_what_could_not_be_written_down_is_taken_up_once_the_database_is_back(office: Office) -> None:
    runtime, store = office.app.runtime, office.app.store
    away = False

    def fails(point: str) -> None:
        nonlocal away
        if point == "defer.before_commit":
            away = True
        if away and not point.startswith(("read", "now")):
            raise StorageFailed("the disk is full")

    hub = runtime._hub
    handle = hub.handle

    async def breaks_once(stored: StoredFact) -> object:
        if not away:
            raise ZeroDivisionError
        return await handle(stored)

    hub.handle = breaks_once  # type: ignore[method-assign, assignment]
    store._failpoint = fails
    running = asyncio.create_task(runtime.run())
    await runtime.accept(fact(1, "1", "帮我问一下张三，周报发了没有"))
    await until(lambda: away and not runtime._handling)
    assert office.look(lambda repos: repos.facts.holders()) == {"only"}
    store._failpoint = lambda point: None
    await runtime._tick()
    await until(lambda: office.look(lambda repos: repos.facts.unhandled_count()) == 0)
    runtime.stop()
    await running


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0)
