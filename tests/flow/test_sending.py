"""Sending: parts, doubts, chats that want to be left alone, people who are gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.channels.virtual import Fault
from core.effects import Outgoing, Purpose, Send, Words
from core.errors import PermanentDeliveryError, StorageFailed, TransientDeliveryError
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
        broken.setattr("bot.sending.sender.receipt_of", fails)
        send(office, "long")
        run(office)
    run(office, timedelta(hours=1))
    assert job(office, "long").state is JobState.SENDING
    assert texts(office) == PARTS[:1]


def falls_silent(office: Office, point: str) -> None:
    """Work on what is due, while the database does not answer at this point; then clear up after it."""

    def fails(here: str) -> None:
        if here == point:
            raise StorageFailed("no answer")

    store = office.app.store
    well, store._failpoint = store._failpoint, fails
    with suppress(StorageFailed):
        run(office)
    store._failpoint = well
    office.look(office.app.runtime._clear_up)


def test_a_database_that_falls_silent_before_anything_is_handed_over_leaves_no_doubt(office: Office) -> None:
    send(office, "n", text="!!")
    falls_silent(office, "look.after_commit")  # the row says `sending`, and nobody heard so
    run(office)
    assert texts(office) == ["!!"]
    assert job(office, "n").state is JobState.DONE


def test_what_was_handed_over_after_all_is_in_doubt_and_not_sent_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.sending.sender.PAUSES_S", ())
    send(office, "n", text="!!")
    falls_silent(office, "look.after_commit")
    falls_silent(office, "receipt.before_commit")
    run(office, timedelta(hours=1))
    assert texts(office) == ["!!"]
    assert job(office, "n").state is JobState.IN_DOUBT
    assert doubtful(office, "n") == [0]


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


def test_a_move_in_the_middle_of_a_text_and_one_after_another(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    telegram, at = office.channels["telegram"], ["-7"]
    deliver = telegram.send

    async def moved(message: ChannelMessage) -> Receipt:
        if message.text == PARTS[1] and at == ["-7"]:
            at[0] = "-1007"
        if message.text == PARTS[2] and at == ["-1007"]:
            at[0] = "-1008"
        if message.chat != at[0]:
            raise PermanentDeliveryError("the group has become another", migrated_to=at[0])
        return await deliver(message)

    monkeypatch.setattr(telegram, "send", moved)
    send(office, "long", to="p_nobody", conversation=ConversationId("telegram:-7"))
    run(office)
    assert [a.text for a in office.ledger] == PARTS
    assert job(office, "long").state is JobState.DONE


def test_chats_that_move_in_circles_end(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    async def moves_on(message: ChannelMessage) -> Receipt:
        raise PermanentDeliveryError("moved", migrated_to="-8" if message.chat == "-7" else "-7")

    monkeypatch.setattr(office.channels["telegram"], "send", moves_on)
    send(office, "n", to="p_nobody", text="!!", conversation=ConversationId("telegram:-7"))
    run(office)
    assert job(office, "n").state is JobState.DEAD


def test_what_was_on_its_way_to_a_group_that_moved_is_in_doubt_there(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    telegram = office.channels["telegram"]
    deliver = telegram.send

    async def moved(message: ChannelMessage) -> Receipt:
        return await (_no_such_chat(message) if message.chat == "-7" else deliver(message))

    monkeypatch.setattr(telegram, "send", moved)
    office.die_after_sends(1)
    send(office, "n", to="p_nobody", text="!!", conversation=ConversationId("telegram:-7"))
    run(office)
    assert office.deaths == 1
    assert [receipt.chat for receipt in receipts(office, "n")] == ["-1007"]


# --- another process takes over ---


def taken_over(office: Office) -> None:
    """What this process has in hand is given to others, as when it gave no sign of life."""
    office.look(lambda repos: office.app.runtime._runner.release(repos, repos.me))


def test_who_was_taken_over_between_two_parts_sends_no_further_ones(office: Office) -> None:
    telegram = office.channels["telegram"]
    deliver = telegram._deliver

    def frozen(message: ChannelMessage) -> str:
        if message.text == PARTS[1]:
            taken_over(office)
        return deliver(message)

    telegram._deliver = frozen  # type: ignore[method-assign]
    send(office, "long")
    run(office)
    assert texts(office) == PARTS
    assert job(office, "long").state is JobState.DONE, "its part arrived, as it turned out"


def test_who_was_taken_over_does_not_put_back_what_is_in_doubt(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    telegram = office.channels["telegram"]

    async def frozen(message: ChannelMessage) -> Receipt:
        taken_over(office)
        raise TransientDeliveryError("nothing arrived, as far as it knows")

    with monkeypatch.context() as it:
        it.setattr(telegram, "send", frozen)
        send(office, "n", text="!!")
        run(office)
    run(office, timedelta(hours=1))
    assert job(office, "n").state is JobState.IN_DOUBT
    assert texts(office) == []


def test_a_process_that_may_not_send_hands_nothing_over(office: Office) -> None:
    office.app._sender.only_while(lambda: False)
    send(office, "n", text="!!")
    run(office)
    assert office.channels["telegram"].attempts == 0
    assert (job(office, "n").state, job(office, "n").attempts) == (JobState.PENDING, 0)
    office.app._sender.only_while(lambda: True)
    run(office, timedelta(seconds=1))
    assert texts(office) == ["!!"]


def test_a_message_of_which_nothing_can_be_made_keeps_no_other_in_dead_hands(office: Office) -> None:
    def left_from_a_crash(repos: Any) -> None:
        for key, to in (("bad", "p_wang"), ("good", "p_zhangsan")):
            message = Outgoing(purpose=Purpose.NOTICE, to=PersonId(to), words=Words(text="!!"))
            apply(repos, Send(key=key, due=START, message=message))
        assert len(repos.jobs.claim(START, 10)) == 2
        assert repos.jobs.sending("bad")
        assert repos.jobs.sending("good")
        repos.jobs.rewrite("bad", "{}")

    office.look(left_from_a_crash)
    office.restart()
    assert job(office, "bad").state is job(office, "good").state is JobState.IN_DOUBT
    assert doubtful(office, "good") == [0]


@pytest.mark.parametrize("looks", range(1, 9))
def test_what_is_said_together_is_said_once_whenever_the_process_dies(office: Office, looks: int) -> None:
    for what in ("合同什么时候能签", "发票什么时候能开"):
        office.say("p_owner", f"帮我问一下张三，{what}")
    before = len(office.ledger)
    office._die_in, office._only = looks, "look.after_commit"
    for _ in range(16):
        run(office, timedelta(minutes=30))
    said = [a.text for a in office.ledger[before:] if office.chat_of(a.chat).person_id == "p_zhangsan"]
    assert sum("合同" in text for text in said) <= 1
    assert sum("发票" in text for text in said) <= 1
    assert said or office.look(lambda repos: repos.receipts.in_doubt(9))


# --- a long outage ---


def goes(office: Office, monkeypatch: pytest.MonkeyPatch, *, outage: bool) -> None:
    async def refused(message: ChannelMessage) -> Receipt:
        office.channels["telegram"].attempts += 1
        raise TransientDeliveryError("cannot be reached", outage=outage)

    monkeypatch.setattr(office.channels["telegram"], "send", refused)


def test_what_waits_through_an_outage_of_days_goes_out_minutes_after_it_in_its_order(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        goes(office, away, outage=True)
        for number in range(3):
            send(office, f"n{number}", text=f"{number}!", purpose=Purpose.REPLY, due=START + timedelta(hours=number))
        run(office, timedelta(seconds=30))
        assert office.channels["telegram"].attempts <= 3
        for _ in range(3 * 24 * 4):
            run(office, timedelta(minutes=15))
    run(office, timedelta(minutes=5))
    assert texts(office) == ["0!", "1!", "2!"]
    telegram = office.channels["telegram"]
    telegram.fail(Fault("unavailable", "5"))
    send(office, "later", text="!!", purpose=Purpose.REPLY)
    run(office, timedelta(minutes=1))
    assert texts(office)[-1] == "!!", "the outage used up no tries"


def test_what_is_given_up_takes_nothing_with_it_that_is_owed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as away:
        goes(office, away, outage=False)
        send(office, "answer", text="!!", purpose=Purpose.REPLY)
        for number in range(30):
            if number == 15:
                send(office, "owed", text="??", due=office.clock.now())
            run(office, timedelta(hours=1))
        assert job(office, "answer").state is JobState.DEAD
        assert job(office, "owed").state is JobState.PENDING
    run(office, timedelta(hours=1))
    assert texts(office) == ["??"]
