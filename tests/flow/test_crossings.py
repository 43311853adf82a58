"""The runtime under bad luck: lanes that meet, and faults right after a message went out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from bot.channels.virtual import Fault
from bot.sending.deliver import Deliveries
from bot.store.repositories import ClaimedJob
from core.concern.model import Status
from core.errors import StaleVersion, StorageFailed
from core.facts import Fact, FactKind, Trigger
from core.ids import ConcernId, ConversationId
from core.jobs import Job, JobKind, JobState
from core.ports import ChannelMessage, Receipt
from tests.flow.office import START, Office


@pytest.fixture
def office() -> Iterator[Office]:
    it = Office()
    yield it
    it.close()


def texts(office: Office, who: str) -> list[str]:
    return [a.text for a in office.ledger if office.chat_of(a.chat).person_id == who]


async def test_a_timer_and_a_turn_of_the_same_matter_do_not_meet_in_its_lane(office: Office) -> None:
    runtime = office.app.runtime
    lane = "concern:con_20260316_099"
    timer = Fact(
        channel="timer",
        event_id="t1",
        kind=FactKind.TIMER,
        occurred_at=START,
        conversation=ConversationId(lane),
        trigger=Trigger.TIMEOUT,
        concern_id=ConcernId("con_20260316_099"),
    )
    turn = Job(
        key="advance:x",
        kind=JobKind.ADVANCE,
        lane=lane,
        due=START,
        payload='{"key": "advance:x", "due": "2026-03-16T10:00:00+08:00", "concern_id": "con_20260316_099", '
        '"trigger": "reply", "person_id": "p_lisi"}',
    )
    office.look(lambda repos: repos.jobs.add(turn))
    await runtime.accept(timer)
    running = asyncio.create_task(runtime.run())
    for _ in range(2000):
        await asyncio.sleep(0)
        if running.done() or not office.look(lambda repos: repos.facts.unhandled_count() or repos.jobs.next_due()):
            break
    runtime.stop()
    await running
    assert office.look(lambda repos: repos.jobs.get("advance:x")).state is JobState.DONE


@pytest.mark.parametrize("error", [StorageFailed("the disk is full"), StaleVersion("changed"), ZeroDivisionError()])
def test_what_is_out_is_not_sent_again_when_writing_it_down_fails(
    office: Office, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    sent, fails = Deliveries._sent, iter([True] * 2)
    pauses = unhurried(office, monkeypatch)

    def falters(self: Deliveries, repos: object, claimed: ClaimedJob, *more: object) -> None:
        if claimed.job.key.startswith("first:") and next(fails, False):
            raise error
        sent(self, repos, claimed, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Deliveries, "_sent", falters)
    office.say("p_owner", "帮我问一下李四，周报发了没有")
    assert pauses == ([] if isinstance(error, ZeroDivisionError) else [1.0, 2.0])
    assert first_contact(office).state is JobState.DONE
    office.advance(timedelta(hours=1))
    assert len(texts(office, "p_lisi")) == 1
    office.advance(timedelta(hours=5))
    assert len(texts(office, "p_lisi")) == 2, "the matter goes on"


def unhurried(office: Office, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses of a sender that takes no time for them."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(office.app._sender, "_sleep", sleep)
    return pauses


def test_what_nobody_could_write_down_for_a_minute_is_in_doubt(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise StorageFailed("the disk is full")

    pauses = unhurried(office, monkeypatch)
    with monkeypatch.context() as full:
        full.setattr(Deliveries, "_sent", fails)
        office.say("p_owner", "帮我问一下李四，周报发了没有")
    assert first_contact(office).state is JobState.SENDING
    assert sum(pauses) >= 60
    release, number = office.app.runtime._runner.release, number_of_first(office)
    office.look(lambda repos: release(repos, repos.me, (), (number,)))
    assert first_contact(office).state is JobState.SENDING, "it is still worked on"
    office.look(lambda repos: release(repos, repos.me))
    assert first_contact(office).state is JobState.IN_DOUBT
    office.advance(timedelta(hours=5))
    assert len(texts(office, "p_lisi")) == 2, "it counts as sent: the matter goes on with a follow-up"


def number_of_first(office: Office) -> int:
    number = office.look(lambda repos: repos.queue.number_of("first:con_20260316_001:p_lisi"))
    assert isinstance(number, int)
    return number


def first_contact(office: Office) -> Job:
    return office.look(lambda repos: repos.jobs.get("first:con_20260316_001:p_lisi"))


def test_a_turn_that_breaks_for_good_is_told_to_the_initiator(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.say("p_owner", "帮我问一下李四，v2.0 什么时候能提测")

    async def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(office.app.runtime._runner._loop, "advance", breaks)
    office.say("p_lisi", "周四")
    office.advance(timedelta(hours=1))
    assert sum("卡住了" in text for text in texts(office, "p_owner")) == 1


def test_a_message_that_can_never_be_written_is_told_to_the_initiator(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    transmit = Deliveries._transmit

    async def breaks(self: Deliveries, claimed: ClaimedJob, *more: Any) -> None:
        if claimed.job.key.startswith("first:"):
            raise ZeroDivisionError
        await transmit(self, claimed, *more)

    monkeypatch.setattr(Deliveries, "_transmit", breaks)
    office.say("p_owner", "帮我问一下李四，周报发了没有")
    office.advance(timedelta(hours=1))
    (concern,) = office.concerns()
    assert not concern.status.is_open
    assert any("李四" in text and "放下" in text for text in texts(office, "p_owner"))


def test_a_report_outlasts_a_long_outage_or_takes_the_other_channel(office: Office) -> None:
    office.say("p_wang", "帮我问一下李四，v2.0 什么时候能提测")
    office.say("p_owner", "帮我问一下赵六，周报发了没有")
    office.channels["telegram"].fail(Fault("unavailable", "5", 200))
    office.channels["telegram"].fail(Fault("unavailable", "1", 200))
    office.say("p_lisi", "周四能提测")
    office.say("p_zhaoliu", "发了")
    office.advance(timedelta(minutes=10))
    assert [a.channel for a in office.ledger if a.key == "back:con_20260316_002#0"] == ["feishu"]
    office.advance(timedelta(days=2))
    office.channels["telegram"].heal()
    office.advance(timedelta(hours=1))
    assert any("[回流]" in text for text in texts(office, "p_wang")), "王五 has no other channel"


def test_reports_to_one_reader_leave_one_after_another(office: Office) -> None:
    """So that each sees how many went out before it: the daily limit is over all matters."""
    for name in ("李四", "赵六"):
        office.say("p_owner", f"帮我问一下{name}，v2.0 什么时候能提测")
    lanes = {j.lane for j in office.look(lambda repos: repos.jobs.list(list(JobState), 1000)) if j.kind == "report"}
    assert lanes == {"report:p_owner"}


def test_an_edit_that_changes_nothing_is_no_news(office: Office) -> None:
    asked = office.say("p_owner", "帮我问一下李四，v2.0 什么时候能提测")
    before = len(office.ledger)
    office.edit("p_owner", asked, "帮我问一下李四，v2.0 什么时候能提测")
    assert len(office.ledger) == before
    office.edit("p_owner", asked, "帮我问一下李四，v3.0 什么时候能提测")
    assert any("v3.0" in text for text in texts(office, "p_lisi"))


# --- words that belong to another matter --------------------------------------------------------------------------


def with_a_point(office: Office, who: str, name: str) -> str:
    """A matter with a question that waits for the owner; the id of the message that asks."""
    office.say("p_owner", f"帮我问一下{name}，v2.0 什么时候能提测")
    office.say(who, "用旧环境测行不行？")
    (asks,) = [a for a in office.ledger if a.chat == "1" and name in a.text and "旧环境" in a.text]
    return asks.message_id


def test_words_to_the_question_of_a_closed_matter_decide_no_other_one(office: Office) -> None:
    quoted = with_a_point(office, "p_lisi", "李四")
    office.say("p_owner", "/drop 001")
    with_a_point(office, "p_zhangsan", "张三")
    for words in ("接受方案，就这么办", "算了不用问了"):
        office.say("p_owner", words, reply_to=quoted)
    (open_one,) = [c for c in office.concerns() if c.status.is_open]
    assert open_one.decision is not None
    assert not [text for text in texts(office, "p_zhangsan") if "就这么办" in text]


def test_a_second_answer_to_a_question_says_that_it_is_settled(office: Office) -> None:
    quoted = with_a_point(office, "p_lisi", "李四")
    office.say("p_owner", "可以，用中文版", reply_to=quoted)
    office.say("p_owner", "接受方案，就这么办", reply_to=quoted)
    assert sum("中文版" in text for text in texts(office, "p_lisi")) == 1
    assert not [text for text in texts(office, "p_lisi") if "就这么办" in text]


def test_a_number_that_quotes_a_question_answers_that_and_picks_nothing(office: Office) -> None:
    office.say("p_owner", "帮我问一下李四，团建去几个人")
    office.say("p_owner", "帮我问一下李四，服务器买几台")
    asked = [a for a in office.ledger if a.chat == "3"]
    office.say("p_lisi", "嗯，看情况")
    waiting = office.look(lambda repos: repos.blocks.of("p_lisi"))
    office.say("p_lisi", "2", reply_to=asked[0].message_id)
    first = next(c for c in office.concerns() if "团建" in c.title)
    assert waiting, "they were asked which one is meant"
    assert "2" in [e.text for e in first.conversation_log if e.direction == "inbound"]


def test_a_stranger_who_writes_twice_at_once_is_told_once(office: Office) -> None:
    office.channels["telegram"].fail(Fault("unavailable", "77", 1))
    for n in range(2):
        office.happens(
            Fact(
                channel="telegram",
                event_id=f"s{n}",
                kind=FactKind.MESSAGE,
                occurred_at=office.clock.now(),
                conversation=ConversationId("telegram:77"),
                sender="77",
                text="hi",
                message_id=f"s{n}",
            )
        )
    office.advance(timedelta(minutes=5))
    assert sum(a.chat == "77" for a in office.ledger) == 1


def test_an_answer_that_is_quicker_than_the_channel_s_receipt_is_an_answer(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = office.channels["telegram"]
    send = channel.send

    async def answered_before_the_receipt(message: ChannelMessage) -> Receipt:
        receipt = await send(message)
        if message.chat == "3" and "提测" in message.text:
            monkeypatch.setattr(channel, "send", send)
            office.clock.advance(timedelta(seconds=2))
            await office.app.accept(
                Fact(
                    channel="telegram",
                    event_id="quick",
                    kind=FactKind.MESSAGE,
                    occurred_at=office.clock.now(),
                    conversation=ConversationId("telegram:3"),
                    sender="3",
                    text="周四能提测",
                    message_id="quick",
                )
            )
            await office.app.runtime._one()
        return receipt

    monkeypatch.setattr(channel, "send", answered_before_the_receipt)
    office.say("p_owner", "帮我问一下李四，v2.0 什么时候能提测")
    (concern,) = office.concerns()
    assert concern.status is Status.RESOLVED
    assert [e.direction for e in concern.conversation_log] == ["outbound", "inbound"]
    assert any("周四" in a.text for a in office.ledger if office.chat_of(a.chat).person_id == "p_owner")
