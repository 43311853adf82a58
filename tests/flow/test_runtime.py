"""The runtime: lanes, faults of our own, and the second look at the moment of sending."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot.channels.virtual import Fault
from core.errors import ConfigurationError
from core.facts import Fact, FactKind, StoredFact
from core.ids import ConversationId
from core.jobs import JobState
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
            raise ConfigurationError("the database is locked")
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
