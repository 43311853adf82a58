"""A channel that knows a message again by its key: what may have arrived goes out again under it, within the hour."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.channels.virtual import Fault
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.ids import PersonId
from core.jobs import Job, JobKind, JobState
from core.ports import ChannelMessage, Receipt
from tests.flow.office import START, Office

WITHIN = timedelta(minutes=55)
ZHAOLIU = "p_zhaoliu"
"""Met on Feishu alone."""
CHAT = "ou_4"


class Tries:
    """When the channel was asked to send what."""

    def __init__(self, office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at: list[datetime] = []
        self.keys: set[str] = set()
        feishu = office.channels["feishu"]
        send = feishu.send

        async def noted(message: ChannelMessage) -> Receipt:
            self.at.append(office.clock.now())
            self.keys.add(message.key)
            return await send(message)

        monkeypatch.setattr(feishu, "send", noted)


@pytest.fixture
def office() -> Iterator[Office]:
    it = Office()
    yield it
    it.close()


def send(office: Office, key: str = "n", to: str = ZHAOLIU, text: str = "!!") -> None:
    message = Outgoing(purpose=Purpose.NOTICE, to=PersonId(to), words=Words(text=text))
    office.look(lambda repos: apply(repos, Send(key=key, due=office.clock.now(), message=message)))


def job(office: Office, key: str = "n") -> Job:
    found: Job | None = office.look(lambda repos: repos.jobs.get(key))
    assert found is not None
    return found


def texts(office: Office, chat: str = CHAT) -> list[str]:
    return [a.text for a in office.ledger if a.chat == chat]


def test_a_lost_answer_is_asked_for_again_and_there_is_no_doubt(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = Tries(office, monkeypatch)
    office.channels["feishu"].fail(Fault("unknown_outcome", CHAT, times=2))
    send(office)
    office.advance(timedelta(minutes=2))
    assert (len(tries.at), len(tries.keys)) == (3, 1)
    assert texts(office) == ["!!"]
    assert (job(office).state, job(office).attempts) == (JobState.DONE, 2)


def test_what_never_gets_an_answer_is_in_doubt_after_the_hour_and_not_tried_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = Tries(office, monkeypatch)
    office.channels["feishu"].fail(Fault("unknown_outcome", CHAT, times=10_000))
    send(office)
    office.advance(timedelta(hours=12))
    assert len(tries.at) > 5
    assert tries.at[-1] - tries.at[0] <= WITHIN
    assert job(office).state is JobState.IN_DOUBT
    (doubt,) = office.look(lambda repos: repos.receipts.in_doubt(9))
    assert (doubt.chat, doubt.message_id) == (CHAT, None)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(["unavailable", "unknown_outcome", "rate_limited"]), min_size=1, max_size=60))
def test_no_attempt_is_later_than_the_hour_after_the_first_that_may_have_arrived(kinds: list[str]) -> None:
    it = Office()
    with pytest.MonkeyPatch.context() as patch:
        tries = Tries(it, patch)
        for kind in kinds:
            it.channels["feishu"].fail(Fault(kind, CHAT, retry_after=timedelta(minutes=7)))  # type: ignore[arg-type]
        send(it)
        it.advance(timedelta(days=2))
    doubtful = next((n for n, kind in enumerate(kinds[: len(tries.at)]) if kind == "unknown_outcome"), None)
    if doubtful is not None:
        assert tries.at[-1] - tries.at[doubtful] <= WITHIN
    assert len(texts(it)) <= 1
    assert job(it).state in (JobState.DONE, JobState.IN_DOUBT)
    assert len(tries.keys) == 1
    it.close()


def test_who_was_killed_while_sending_sends_again_and_it_is_one_message(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = Tries(office, monkeypatch)
    send(office)
    office.die_after_sends(1)
    office.advance(timedelta())
    office.advance(timedelta(minutes=1))
    assert office.deaths == 1
    assert (len(tries.at), texts(office), job(office).state) == (2, ["!!"], JobState.DONE)
    assert office.look(lambda repos: repos.receipts.in_doubt(9)) == ()


def test_refused_after_an_unknown_outcome_it_is_shown_as_perhaps_out(office: Office) -> None:
    """They may have got it and have left since."""
    feishu = office.channels["feishu"]
    feishu.fail(Fault("unknown_outcome", CHAT))
    feishu.fail(Fault("forbidden", CHAT))
    send(office)
    office.advance(timedelta(minutes=2))
    assert (job(office).state, texts(office)) == (JobState.IN_DOUBT, ["!!"])
    assert [doubt.job_key for doubt in office.look(lambda repos: repos.receipts.in_doubt(9))] == ["n"]


def left_sending(office: Office, key: str, since: datetime | None) -> None:
    """As a process leaves it that dies with the message in hand."""

    def leave(repos: object) -> None:
        (claimed,) = repos.jobs.claim(office.clock.now(), 10)  # type: ignore[attr-defined]
        assert claimed.job.key == key
        assert repos.jobs.sending(key, since)  # type: ignore[attr-defined]

    office.look(leave)


@pytest.mark.parametrize(("late", "state"), [(timedelta(minutes=54), JobState.DONE), (WITHIN, JobState.IN_DOUBT)])
def test_what_is_found_after_a_long_time_is_not_sent_again(office: Office, late: timedelta, state: JobState) -> None:
    send(office)
    left_sending(office, "n", START)
    office.clock.set(START + late)
    office.restart()
    office.advance(timedelta(minutes=1))
    assert (job(office).state, len(texts(office))) == (state, 1 if state is JobState.DONE else 0)


def test_what_may_have_gone_to_another_channel_is_not_sent_again(office: Office) -> None:
    """张三 is met on Telegram too, which takes a repetition for another message."""
    send(office, to="p_zhangsan")
    left_sending(office, "n", START)
    office.restart()
    office.advance(timedelta(minutes=1))
    assert job(office).state is JobState.IN_DOUBT
    assert texts(office, "ou_2") == texts(office, "2") == []


def test_a_report_without_an_answer_is_in_doubt_for_its_next_words_would_be_others(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.say("p_owner", "帮我问一下赵六，v2.0 什么时候能提测", channel="feishu")
    tries = Tries(office, monkeypatch)
    office.channels["feishu"].fail(Fault("unknown_outcome", "ou_1", times=9))
    office.advance(timedelta(minutes=31))
    reports = [j for j in office.look(lambda r: r.jobs.list((JobState.IN_DOUBT,), 99)) if j.kind is JobKind.REPORT]
    assert len(reports) == 1
    assert len(tries.at) == 1


def test_words_after_a_message_without_an_answer_come_after_it(office: Office) -> None:
    office.channels["feishu"].fail(Fault("unavailable", CHAT))
    office.channels["feishu"].fail(Fault("unknown_outcome", CHAT))
    send(office, "a", text="一")
    send(office, "b", text="二")
    office.advance(timedelta(minutes=5))
    assert sorted(texts(office)) == ["一", "二"]
    assert job(office, "a").state is job(office, "b").state is JobState.DONE


def test_resent_by_a_person_it_goes_out_whenever_that_is(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.channels["feishu"].fail(Fault("unknown_outcome", CHAT, times=10_000))
    send(office)
    office.advance(timedelta(hours=12))
    office.channels["feishu"].heal()
    tries = Tries(office, monkeypatch)
    number = office.look(lambda repos: repos.queue.number_of("n"))
    office.say("p_owner", f"/resend {number}", channel="telegram")
    office.advance(timedelta(minutes=1))
    assert len([at for at in tries.at if at]) >= 1
    assert job(office).state is JobState.DONE
