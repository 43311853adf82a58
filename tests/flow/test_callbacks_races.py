"""Callbacks and bad luck: the process dies anywhere, the bot was down, somebody calls them off on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot.channels.virtual import Fault
from bot.store.repositories import StoreRepositories
from core.callbacks import Callback, job_key
from core.effects import Outgoing, Purpose, Send, Words
from core.hub.commit import delivery
from core.hub.owed import Fate, forgo, forgo_of
from core.ids import ConversationId, PersonId
from core.jobs import JobState
from tests.flow.office import START, Office
from tests.flow.owed import MINUTE, WANGS, Thinking, go, keep, record, result, texts, waiting


@pytest.fixture
def office() -> Iterator[Office]:
    it = Office()
    yield it
    it.close()


# --- the process dies, the bot was down ---


def two() -> tuple[Callback, ...]:
    return record("a"), result("t", chat_id=WANGS, person_id=PersonId("p_wang"))


def test_killed_anywhere_each_arrives_once() -> None:
    said = {"提醒你：a的会": "cb_a", "「理一遍进展」查完了：\n张三：周四。": "cb_t"}
    deaths = 0
    for point in range(1, 200):
        office = Office()
        keep(office, *two())
        office.die_in(point)
        go(office)
        office.advance(timedelta(minutes=2))
        doubtful = {j.key for j in office.look(lambda repos: repos.jobs.list([JobState.IN_DOUBT], 10))}
        arrived = Counter(texts(office))
        lost = {job_key(said[text]) for text in said.keys() - arrived.keys()}
        assert lost <= doubtful, f"killed at point {point}"
        assert set(arrived.values()) <= {1}, f"killed at point {point}"
        assert arrived.keys() <= said.keys()
        assert waiting(office) == []
        died, deaths = office.deaths, deaths + office.deaths
        office.close()
        assert len(doubtful) <= died
        if not died:
            break
    assert deaths >= 15


def test_what_waited_while_the_bot_was_down_says_so(office: Office) -> None:
    keep(office, record("a"))
    office.clock.set(START + timedelta(hours=2))
    office.restart()
    (text,) = texts(office)
    late, said = text.splitlines()
    assert "10:00" in late
    assert "晚了" in late
    assert said == "提醒你：a的会"


# --- called off ---


def called_off_at(point: int) -> tuple[Fate | None, int, str]:
    """The fate when it is called off at the so-manieth place of its way; how often it arrived; the place."""
    office = Office()
    keep(office, record("a", fire_at=START + MINUTE))
    seen: list[tuple[Fate, str]] = []
    left = point

    def at(place: str) -> None:
        nonlocal left
        if place.endswith("before_commit"):  # within a transaction nobody else comes in
            return
        left -= 1
        if left == 0:
            seen.append((office.look(lambda repos: forgo(repos, "cb_a")), place))

    office.app.store._failpoint = at
    office.app.runtime._runner._deliveries._sender._failpoint = at
    office.advance(timedelta(hours=1))
    arrived, left_over = len(office.ledger), waiting(office)
    office.close()
    assert left_over == []
    fate, place = seen[0] if seen else (None, "")
    return fate, arrived, place


def test_wherever_it_is_called_off_one_of_the_two_wins() -> None:
    fates: dict[Fate, set[str]] = {"off": set(), "out": set(), "gone": set()}
    point = 0
    while True:
        point += 1
        fate, arrived, place = called_off_at(point)
        if fate is None:
            break
        assert arrived == (0 if fate == "off" else 1), f"called off at {place} ({point}): {fate}"
        fates[fate].add(place)
    assert {"scan.after_commit", "claim.after_commit", "judge.after_commit"} <= fates["off"]
    assert {"look.after_commit", "send.before_request", "send.after_request"} <= fates["out"]
    assert "receipt.after_commit" in fates["gone"]


def test_called_off_while_the_brain_thinks_nothing_is_even_queued() -> None:
    brain = Thinking()
    office = Office(brain=brain)
    brain.meanwhile = lambda: office.look(lambda repos: forgo(repos, "cb_a"))
    keep(office, record("a"))
    go(office)
    assert len(brain.asked) == 1
    assert (office.ledger, office.look(lambda repos: repos.jobs.get(job_key("cb_a")))) == ([], None)
    office.close()


def test_a_withdrawn_one_says_why_in_its_job(office: Office) -> None:
    office.channels["telegram"].fail(Fault("unavailable", times=1))
    keep(office, record("a"))
    go(office)
    assert office.look(lambda repos: forgo(repos, "cb_a")) == "off"
    job = office.look(lambda repos: repos.jobs.get(job_key("cb_a")))
    assert job is not None
    assert (job.state, job.reason) == (JobState.CANCELLED, "called off")
    office.advance(timedelta(days=1))
    assert office.ledger == []


# --- the order is taken back ---


def stuck(office: Office, what: Callback) -> None:
    """It is taken up and can't leave yet."""
    office.channels["telegram"].fail(Fault("unavailable", times=10_000))
    office.channels["feishu"].fail(Fault("unavailable", times=10_000))
    keep(office, what)
    go(office)
    assert waiting(office) == [what.id]


def heard_later(office: Office) -> list[str]:
    """What arrives once the channels work again."""
    for channel in office.channels.values():
        channel.heal()
    office.advance(timedelta(days=1))
    return texts(office)


def test_the_result_of_an_order_that_is_taken_back_does_not_come(office: Office) -> None:
    stuck(office, result("t", message_id="m7"))
    office.recall("p_owner", "m8")
    assert waiting(office) == ["cb_t"], "another message"
    office.recall("p_owner", "m7")
    assert waiting(office) == []
    assert heard_later(office) == ["好，撤回的这件就不办了。"]


def test_a_message_of_another_chat_with_the_same_number_takes_nothing_back(office: Office) -> None:
    stuck(office, result("t", message_id="m7", chat_id=ConversationId("telegram:-100")))
    office.recall("p_owner", "m7")
    assert waiting(office) == ["cb_t"]


def test_what_has_left_already_is_said_to_have(office: Office) -> None:
    keep(office, result("t", message_id="m7"))
    message = Outgoing(purpose=Purpose.CALLBACK, to=PersonId("p_owner"), words=Words(text="x"), callback_id="cb_t")

    def sending(repos: StoreRepositories) -> None:
        repos.callbacks.fire("cb_t")
        repos.jobs.add(delivery(Send(key=job_key("cb_t"), due=START, message=message)))
        repos.jobs.claim(START, 1)
        assert repos.jobs.sending(job_key("cb_t"))

    office.look(sending)
    office.recall("p_owner", "m7")
    office.look(lambda repos: repos.jobs.done(job_key("cb_t")))  # the lane is free for the answer
    go(office)
    assert texts(office) == ["「理一遍进展」已经发出去了，收不回来。"]


def test_with_a_schedule_that_is_taken_back_goes_the_reminder_that_has_not_left(office: Office) -> None:
    order = office.say("p_owner", "每天上午十点半提醒我喝水")
    for channel in office.channels.values():
        channel.fail(Fault("unavailable", times=10_000))
    office.advance(timedelta(minutes=31))
    assert len(waiting(office)) == 1
    office.recall("p_owner", order)
    assert waiting(office) == []
    assert not any("喝水" in text for text in heard_later(office) if text.startswith("提醒你"))


def test_an_order_that_is_changed_takes_the_place_of_its_result(office: Office) -> None:
    stuck(office, result("t", message_id="m7"))
    office.edit("p_owner", "m7", "算了，半小时后提醒我喝水吧")
    assert waiting(office) == []
    assert [t for t in heard_later(office) if "理一遍进展" in t] == []


def test_all_that_comes_of_a_schedule_goes_with_it_however_much_it_is(office: Office) -> None:
    keep(office, *(record(f"{n:03}", origin="con_1", created_at=START + n * MINUTE) for n in range(150)))
    assert office.look(lambda repos: forgo_of(repos, PersonId("p_owner"), "con_1")) == ()
    assert waiting(office) == []
