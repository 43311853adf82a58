"""Sending: parts, doubts, chats that want to be left alone, people who are gone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from bot.channels.virtual import Fault
from core.effects import Outgoing, Purpose, Send, Words
from core.errors import PermanentDeliveryError
from core.hub.commit import apply
from core.ids import ConversationId, PersonId
from core.jobs import Job, JobState
from core.ports import ChannelMessage, Receipt, SentMessage
from tests.flow.office import START, Office

LONG = "一二三四五六七八"
PARTS = ["一二", "三四", "五六", "七八"]


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    it = Office()
    monkeypatch.setattr(
        it.channels["telegram"], "parts", lambda text: [text[n : n + 2] for n in range(0, len(text), 2)]
    )
    yield it
    it.close()


def send(
    office: Office, key: str, to: str = "p_wang", text: str = LONG, *, due: datetime = START, **more: object
) -> None:
    message = Outgoing(purpose=Purpose.NOTICE, to=PersonId(to), words=Words(text=text)).model_copy(update=more)
    office.look(lambda repos: apply(repos, Send(key=key, due=due, message=message)))


def run(office: Office, span: timedelta = timedelta()) -> None:
    office.advance(span)


def texts(office: Office, chat: str = "5") -> list[str]:
    return [a.text for a in office.ledger if a.chat == chat]


def job(office: Office, key: str) -> Job:
    found: Job | None = office.look(lambda repos: repos.jobs.get(key))
    assert found is not None
    return found


def receipts(office: Office, key: str) -> list[SentMessage]:
    return list(office.look(lambda repos: repos.receipts.of_job(key)))


def doubtful(office: Office, key: str) -> list[int]:
    return [receipt.part for receipt in receipts(office, key) if receipt.message_id is None]


# --- several parts ---


def test_a_part_in_doubt_does_not_keep_the_rest_from_its_reader(office: Office) -> None:
    office.channels["telegram"].fail(Fault("unknown_outcome", "5"))
    send(office, "long")
    run(office)
    assert texts(office) == PARTS
    assert job(office, "long").state is JobState.IN_DOUBT
    assert doubtful(office, "long") == [0]


def test_only_the_part_in_doubt_is_sent_again(office: Office) -> None:
    office.channels["telegram"].fail(Fault("unknown_outcome", "5"))
    send(office, "long")
    run(office)
    number = office.look(lambda repos: repos.queue.number_of("long"))
    office.say("p_owner", f"/resend {number}", channel="telegram")
    assert texts(office) == [*PARTS, PARTS[0]]
    assert job(office, "long").state is JobState.DONE
    assert doubtful(office, "long") == []


def test_the_rest_of_a_text_goes_out_after_a_crash_and_the_doubt_stays(office: Office) -> None:
    send(office, "long")
    office.die_after_sends(2)
    run(office)
    assert office.deaths == 1
    run(office)
    assert texts(office) == PARTS
    assert job(office, "long").state is JobState.IN_DOUBT
    assert doubtful(office, "long") == [1]


def test_a_failure_in_between_goes_on_where_it_stopped(office: Office) -> None:
    telegram = office.channels["telegram"]
    deliver = telegram._deliver

    def fails_once(message: ChannelMessage) -> str:
        if message.text == PARTS[1]:
            telegram._deliver = deliver  # type: ignore[method-assign]
            telegram.fail(Fault("unavailable", "5"))
        return deliver(message)

    telegram._deliver = fails_once  # type: ignore[method-assign]
    send(office, "long")
    run(office, timedelta(minutes=1))
    assert texts(office) == PARTS
    assert job(office, "long").state is JobState.DONE


# --- chats that want to be left alone ---


def test_a_chat_that_wants_fewer_messages_is_not_tried_before_and_nothing_is_given_up(office: Office) -> None:
    telegram = office.channels["telegram"]
    telegram.fail(Fault("rate_limited", "5", times=60, retry_after=timedelta(seconds=90)))
    for number in range(10):
        send(office, f"n{number}", text=f"{number}!")
    run(office)
    assert telegram.attempts == 1, "those behind it wait without a try"
    blocked = office.look(lambda repos: repos.blocked.blocked("telegram", office.clock.now()))
    assert blocked == (("5", START + timedelta(seconds=90)),)
    office.restart()
    run(office, timedelta(seconds=89))
    assert telegram.attempts == 1
    run(office, timedelta(seconds=1))
    assert telegram.attempts == 2
    run(office, timedelta(minutes=90))
    assert texts(office) == [f"{number}!" for number in range(10)], "in their order"
    assert telegram.attempts == 70


def test_the_sweep_forgets_blocks_that_are_over(office: Office) -> None:
    def write(repos: object, until: timedelta) -> None:
        repos.blocked.block("telegram", "5", START + until)  # type: ignore[attr-defined]

    for minutes in (3, 1):
        office.look(lambda repos, m=minutes: write(repos, timedelta(minutes=m)))
    assert office.look(lambda repos: repos.blocked.blocked("telegram", START)) == (("5", START + timedelta(minutes=3)),)
    office.look(lambda repos: repos.blocked.sweep(START + timedelta(minutes=3)))
    assert office.look(lambda repos: repos.blocked.blocked("telegram", START - timedelta(days=1))) == ()


def test_a_channel_that_is_down_is_tried_three_times_soon_and_then_rarely(office: Office) -> None:
    telegram = office.channels["telegram"]
    telegram.fail(Fault("unavailable", "5", times=8))
    send(office, "n", text="!!")
    run(office, timedelta(minutes=2))
    assert telegram.attempts <= 4
    run(office, timedelta(hours=3))
    assert texts(office) == ["!!"]


# --- people who are gone ---


def test_whoever_refuses_everything_gets_at_most_one_more_attempt(office: Office) -> None:
    telegram = office.channels["telegram"]
    for number in range(6):
        send(office, f"n{number}", text="!!", due=START + timedelta(hours=number))
    send(office, "group", text="??", conversation=ConversationId("telegram:-7"), due=START + timedelta(hours=1))
    telegram.fail(Fault("forbidden", "5", times=99))
    run(office)
    assert telegram.attempts == 1
    assert job(office, "n0").state is JobState.DEAD
    assert {job(office, f"n{n}").state for n in range(1, 6)} == {JobState.CANCELLED}
    run(office, timedelta(hours=8))
    assert texts(office, "-7") == ["??"], "what answers them elsewhere goes there"
    assert texts(office) == []


def test_a_message_that_is_refused_takes_no_other_with_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    telegram = office.channels["telegram"]
    deliver = telegram.send

    async def refuses(message: ChannelMessage) -> Receipt:
        if message.text == "坏":
            raise PermanentDeliveryError("refused the message: BUTTON_DATA_INVALID", message_only=True)
        return await deliver(message)

    monkeypatch.setattr(telegram, "send", refuses)
    send(office, "bad", text="坏")
    send(office, "good", text="好", due=START + timedelta(minutes=1))
    run(office, timedelta(minutes=2))
    assert job(office, "bad").state is JobState.DEAD
    assert texts(office) == ["好"]


# --- what nobody foresaw ---


def test_a_channel_that_breaks_with_the_message_in_hand_leaves_a_doubt(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(message: ChannelMessage) -> Receipt:
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr(office.channels["telegram"], "send", breaks)
        send(office, "n", text="!!")
        run(office)
    run(office, timedelta(hours=1))
    assert job(office, "n").state is JobState.IN_DOUBT
    assert texts(office) == []


def test_a_part_that_cannot_be_written_down_is_not_sent_twice(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as broken:
        broken.setattr("bot.jobs.sending.receipt_of", fails)
        send(office, "long")
        run(office)
    run(office, timedelta(hours=1))
    assert job(office, "long").state is JobState.SENDING
    assert texts(office) == PARTS[:1]


async def _no_such_chat(message: ChannelMessage) -> Receipt:
    raise PermanentDeliveryError("the group has become a supergroup with another id", migrated_to="-1007")


def test_a_group_that_moved_loses_nothing(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    telegram = office.channels["telegram"]
    deliver = telegram.send

    async def moved(message: ChannelMessage) -> Receipt:
        return await (_no_such_chat(message) if message.chat == "-7" else deliver(message))

    monkeypatch.setattr(telegram, "send", moved)
    for number in range(5):
        send(office, f"n{number}", to="p_nobody", text=f"{number}!", conversation=ConversationId("telegram:-7"))
    run(office)
    office.restart()
    send(office, "n5", to="p_nobody", text="5!", conversation=ConversationId("telegram:-7"))
    run(office)
    assert texts(office, "-1007") == [f"{number}!" for number in range(6)]
