"""Callbacks on their way: the whole context and no gate, word for word, busy chats, outages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

import core.hub.context
from bot.channels.virtual import Fault
from core.callbacks import Callback, job_key
from core.facts import Fact, FactKind
from core.hub.scanning.callbacks import BATCH
from core.ids import ConversationId, PersonId
from core.jobs import JobState
from core.people import Identity, Role
from tests.flow.office import START, Office
from tests.flow.owed import MINUTE, OWNERS, WANGS, Thinking, go, keep, record, result, scan, texts, waiting


@pytest.fixture
def brain() -> Thinking:
    return Thinking()


@pytest.fixture
def office(brain: Thinking) -> Iterator[Office]:
    it = Office(brain=brain)
    yield it
    it.close()


# --- how it is delivered ---


def spied(monkeypatch: pytest.MonkeyPatch, name: str, module: Any = core.hub.context) -> list[Any]:
    """The results of each call."""
    made: list[Any] = []
    real = getattr(module, name)

    def called(*args: Any, **more: Any) -> Any:
        made.append(real(*args, **more))
        return made[-1]

    monkeypatch.setattr(module, name, called)
    return made


@pytest.mark.parametrize("kind", ["user_reminder", "task_completion"])
def test_it_is_read_with_the_whole_context_and_passes_no_gate(
    office: Office, brain: Thinking, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    import core.concern.reports

    whole, light = spied(monkeypatch, "assemble_context"), spied(monkeypatch, "assemble_light_context")
    gate = spied(monkeypatch, "evaluate_gate", core.concern.reports)
    keep(office, record("三点", set_at=START) if kind == "user_reminder" else result("t", set_at=START))
    go(office)
    assert len(office.ledger) == 1
    assert (len(whole), light, gate) == (1, [], [])
    (made,) = whole
    assert all((made.safety, made.persona, made.snapshot, made.trigger, made.content))
    assert ("提醒到点了" if kind == "user_reminder" else "后台的活儿做完了") in made.trigger
    assert "2026-03-16T10:00" in made.trigger
    assert ("三点的会" if kind == "user_reminder" else "张三：周四。") in made.content
    (asked,) = brain.asked
    assert asked.context == made.text


def test_it_takes_nothing_from_the_silence_budget_and_goes_out_where_that_is_spent() -> None:
    office = Office(limits={"report": {"daily_limit": 0}})
    keep(office, record("三点"), result("t"))
    go(office)
    assert len(office.ledger) == 2
    midnight = START.replace(hour=0)
    assert office.look(lambda repos: repos.receipts.counted_since(PersonId("p_owner"), midnight)) == 0
    office.close()


def test_the_content_goes_out_word_for_word_with_a_remark_after_it(office: Office, brain: Thinking) -> None:
    brain.queue("fulfil", {"remark": "李四刚回了，说周五能签。我会接着问。"})
    keep(office, record("a", content="合同\n  第二行，「引号」 {{ x }}"), result("t", created_at=START + MINUTE))
    go(office)
    assert texts(office)[0] == "提醒你：合同\n  第二行，「引号」 {{ x }}\n李四刚回了，说周五能签。"
    office.advance(MINUTE)
    assert texts(office)[1] == "「理一遍进展」查完了：\n张三：周四。"


@pytest.mark.parametrize("said", ["", "三点的会", "我已经帮你约了李四。", "长" * 121])
def test_what_is_no_remark_is_left_out(office: Office, brain: Thinking, said: str) -> None:
    brain.queue("fulfil", {"remark": said})
    keep(office, record("三点"))
    go(office)
    assert texts(office) == ["提醒你：三点的会"]


def test_a_brain_that_fails_costs_the_remark_alone(office: Office) -> None:
    office.brain.fail("timeout")
    keep(office, record("三点"))
    go(office)
    assert texts(office) == ["提醒你：三点的会"]
    assert office.ledger[0].at == START


def test_a_brain_that_never_answers_costs_the_remark_alone(brain: Thinking) -> None:
    office = Office(brain=brain, limits={"callback": {"remark_within": "0s"}})
    brain.hangs = True
    keep(office, record("三点"))
    go(office)
    assert (len(brain.asked), texts(office)) == (1, ["提醒你：三点的会"])
    office.close()


def test_a_context_that_cannot_be_made_costs_the_remark_alone(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(core.hub.context, "assemble_context", breaks)
    keep(office, record("三点"))
    go(office)
    assert texts(office) == ["提醒你：三点的会"]


def test_where_others_read_along_there_is_no_remark(office: Office, brain: Thinking) -> None:
    brain.queue("fulfil", {"remark": "李四要离职了。"})
    keep(office, record("三点", chat_id=ConversationId("telegram:-100")))
    go(office)
    assert (texts(office), office.ledger[0].chat) == (["提醒你：三点的会"], "-100")
    assert brain.asked == []


def test_a_producer_without_words_of_its_own_is_delivered_as_it_is(office: Office) -> None:
    keep(office, record("x", trigger_source="birthday", content="今天是张三的生日。"))
    go(office)
    assert texts(office) == ["今天是张三的生日。"]


@pytest.mark.parametrize("left", [Identity(channel="feishu", user_id="ou_5"), None], ids=["another chat", "no chat"])
def test_a_chat_that_is_somebody_elses_by_now_is_not_where_it_goes(
    office: Office, brain: Thinking, left: Identity | None
) -> None:
    keep(office, record("a", chat_id=WANGS, person_id=PersonId("p_wang")))

    def give_away(repos: Any) -> None:
        wang, zhao = repos.people.get("p_wang"), repos.people.get("p_zhaoliu")
        repos.people.save(wang.model_copy(update={"identities": (left,) if left else ()}))
        repos.people.save(zhao.model_copy(update={"identities": wang.identities}))

    office.look(give_away)
    go(office)
    office.advance(timedelta(days=1))
    assert [(a.channel, a.chat) for a in office.ledger] == ([("feishu", "ou_5")] if left else [])
    assert (waiting(office), brain.asked) == ([], [])


def test_one_that_says_nothing_waits_no_more(office: Office) -> None:
    keep(office, record("x", trigger_source="birthday", content=" \n"))
    go(office)
    assert (texts(office), waiting(office)) == ([], [])


def test_a_result_is_not_for_who_may_not_look_any_more(office: Office) -> None:
    keep(office, result("t", chat_id=WANGS, person_id=PersonId("p_wang")), result("gone", person_id=PersonId("p_x")))

    def demote(repos: Any) -> None:
        repos.people.save(repos.people.get("p_wang").model_copy(update={"role": Role.DELEGATE}))

    office.look(demote)
    go(office)
    assert (texts(office), waiting(office)) == ([], [])


@pytest.mark.parametrize(
    ("what", "silent"),
    [(record("a"), False), (result("t"), True), (record("late", meant_for=START), True)],
    ids=["a reminder", "a result", "a late reminder"],
)
def test_at_night_what_was_set_for_that_hour_sounds(office: Office, what: Callback, silent: bool) -> None:
    night = START.replace(hour=23)
    office.advance(night - START)
    keep(office, what.model_copy(update={"created_at": night}))
    go(office)
    assert [d.silent for d in office.channels["telegram"].delivered] == [silent]


def test_it_leaves_at_its_own_time_and_is_cleared(office: Office) -> None:
    keep(office, record("b", fire_at=START + 2 * MINUTE), record("a", fire_at=START + MINUTE), record("now"))
    go(office)
    assert waiting(office) == ["cb_a", "cb_b"]
    office.advance(timedelta(days=1))
    assert [(a.text, a.at - START) for a in office.ledger] == [
        ("提醒你：now的会", timedelta()),
        ("提醒你：a的会", MINUTE),
        ("提醒你：b的会", 2 * MINUTE),
    ]
    assert waiting(office) == []
    assert scan(office) == 0


def test_the_same_cause_after_its_delivery_delivers_nothing(office: Office) -> None:
    keep(office, record("a"))
    go(office)
    keep(office, record("a"))
    go(office)
    assert (len(office.ledger), waiting(office)) == (1, [])


# --- a chat that is busy ---


def message(number: int, conversation: ConversationId = OWNERS) -> Fact:
    return Fact(
        channel="telegram",
        event_id=f"busy{number}",
        kind=FactKind.MESSAGE,
        occurred_at=START,
        conversation=conversation,
        sender=conversation.partition(":")[2],
        text="你好",
        message_id=str(number),
    )


def makes_busy(office: Office) -> None:
    office.look(lambda repos: repos.facts.add(message(1), office.clock.now()))


def test_a_busy_chat_is_left_for_the_next_scan_but_not_for_long(office: Office) -> None:
    keep(office, record("a"))
    makes_busy(office)
    assert scan(office) == 0
    office.clock.set(START + timedelta(minutes=9, seconds=59))
    assert scan(office) == 0
    office.clock.set(START + timedelta(minutes=10))
    assert scan(office) == 1
    go(office)
    assert [t for t in texts(office) if t.startswith("提醒你")] == ["提醒你：a的会"], "and it says nothing of downtime"
    assert texts(office)[-1] == "提醒你：a的会", "one after another, as they came"


def test_a_chat_that_is_free_again_gets_its_own(office: Office) -> None:
    keep(office, record("a"))
    makes_busy(office)
    assert scan(office) == 0
    go(office)
    assert [t.startswith("提醒你") for t in texts(office)] == [False, True]


def test_a_busy_chat_does_not_hold_up_others(office: Office) -> None:
    many = [record(f"{n:03}") for n in range(BATCH + 50)]
    keep(office, *many, record("wang", chat_id=WANGS, person_id=PersonId("p_wang"), created_at=START + MINUTE))
    makes_busy(office)
    office.clock.set(START + MINUTE)
    assert scan(office) == 1
    assert len(waiting(office)) == BATCH + 51


def test_many_for_one_chat_all_arrive_once_and_in_order(office: Office) -> None:
    many = [record(f"{n:03}") for n in range(BATCH + 50)]
    keep(office, *many)
    go(office)
    assert texts(office) == [f"提醒你：{n:03}的会" for n in range(BATCH + 50)]
    assert waiting(office) == []


def test_who_writes_while_many_are_due_waits_for_one_and_not_for_all(office: Office, brain: Thinking) -> None:
    brain.meanwhile = lambda: makes_busy(office)
    keep(office, record("a"), record("b"), record("c"))
    assert scan(office) == 1
    assert scan(office) == 0, "one of a chat is on its way"
    go(office)
    assert [t.removeprefix("提醒你：") for t in texts(office) if t.startswith("提醒你")] == ["a的会", "b的会", "c的会"]
    assert not texts(office)[1].startswith("提醒你")


# --- outages ---


def test_what_is_owed_outlasts_any_outage(office: Office) -> None:
    keep(office, record("a", chat_id=WANGS, person_id=PersonId("p_wang")))
    office.channels["telegram"].fail(Fault("unavailable", times=10_000))
    go(office)
    office.advance(timedelta(days=3))
    assert (texts(office), waiting(office)) == ([], ["cb_a"])
    office.channels["telegram"].heal()
    office.advance(timedelta(hours=1))
    assert (len(texts(office)), waiting(office)) == (1, [])


def test_another_channel_takes_it_where_one_is_down(office: Office) -> None:
    keep(office, record("a"))
    office.channels["telegram"].fail(Fault("unavailable", times=10_000))
    go(office)
    office.advance(timedelta(hours=1))
    assert [(a.channel, a.text) for a in office.ledger] == [("feishu", "提醒你：a的会")]


@pytest.mark.parametrize(("fault", "state"), [("unknown_outcome", JobState.IN_DOUBT), ("forbidden", JobState.DEAD)])
def test_what_is_in_doubt_counts_as_sent_and_what_cannot_leave_waits_no_more(
    office: Office, fault: Any, state: JobState
) -> None:
    keep(office, record("a", chat_id=WANGS, person_id=PersonId("p_wang")))
    office.channels["telegram"].fail(Fault(fault, times=10_000))
    go(office)
    office.advance(timedelta(days=1))
    assert waiting(office) == []
    assert len(office.ledger) == (1 if fault == "unknown_outcome" else 0)
    job = office.look(lambda repos: repos.jobs.get(job_key("cb_a")))
    assert job is not None
    assert job.state is state


def test_a_fault_of_ours_does_not_lose_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = office.app.runtime._hub._by_itself[FactKind.CALLBACK].__self__
    words = turn._words
    fails = iter([True] * 9)

    def breaks(record: Callback) -> Any:
        if next(fails, False):
            raise ZeroDivisionError
        return words(record)

    monkeypatch.setattr(turn, "_words", breaks)
    keep(office, record("a"))
    go(office)
    office.advance(timedelta(hours=3))
    assert len(texts(office)) == 1
