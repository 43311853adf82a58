"""What would be done about a message, in the words of the labels: from what a brain answers to each question."""

import asyncio
from typing import Any

import pytest

from bot.brain.scripted import ScriptedBrain
from bot.evaluation.cases import OwnerCase
from bot.evaluation.owner import Reading, read_owner
from core.brain.questions import A, Evaluate, Question
from core.brain.rules import RuleBrain

ZHANG, LI = "p_zhang", "p_li"
TESTING = {"id": "k1", "title": "v2.0 提测时间", "people": [ZHANG]}
REPORT = {"id": "k2", "title": "周报", "people": [LI]}


def case(text: str, **more: object) -> OwnerCase:
    values: dict[str, object] = {
        "id": "z1", "lang": "zh", "now": "2026-03-16T10:00:00+08:00", "text": text, "intent": "chat", "people": (),
        "contacts": [{"id": ZHANG, "name": "张三"}, {"id": LI, "name": "李四"}], "unknown_people": (), "when": None,
        "priority": "medium", "needs_confirmation": False,
    }  # fmt: skip
    return OwnerCase.model_validate(values | more)


def read(given: OwnerCase, *answers: tuple[str, dict[str, Any]]) -> Reading:
    """The reading, with a brain that gives these answers; each must be asked for."""
    brain = ScriptedBrain(RuleBrain())
    for name, answer in answers:
        brain.queue(name, answer)
    reading = asyncio.run(read_owner(given, brain))
    assert brain.leftovers() == []
    return reading


def planned(**parameters: dict[str, Any]) -> dict[str, Any]:
    """A result with one stage of these abilities."""
    return {"ok": True, "primary_action_chain": {1: list(parameters)}, "parameters": parameters}


def entered(text: str, result: dict[str, Any], **more: object) -> Reading:
    """The reading of a message with one goal that is evaluated so."""
    steps = ("judge", {"decision": "raise"}), ("extract", {"tendencies": [text]}), ("evaluate", result)
    return read(case(text, **more), *steps)


ASK = {"title": "提测", "goal": "提测时间", "people": [ZHANG], "priority": "medium"}
TELL = {"people": [ZHANG], "text": "明天放假"}
DAILY = {"person": ZHANG, "what": "日报", "due": "FREQ=DAILY;BYHOUR=18;BYMINUTE=30"}


@pytest.mark.parametrize(
    ("result", "intent", "people", "when"),
    [
        (planned(raise_concern=ASK), "delegate", {ZHANG}, None),
        (planned(raise_concern={**ASK, "deadline": "2026-03-16T18:00:00+08:00"}), "delegate", {ZHANG}, "deadline"),
        (planned(raise_concern=ASK) | {"type": "planned", "when": "FREQ=DAILY"}, "schedule", {ZHANG}, "when"),
        (planned(raise_concern=ASK) | {"type": "planned", "when": "EVENT=部署完"}, "schedule", {ZHANG}, "when"),
        (planned(send_message=TELL), "delegate", {ZHANG}, None),
        (planned(advance_concern={"concern_ids": ["k2"]}), "delegate", {LI}, None),
        (planned(remind={"text": "开会"}) | {"type": "planned", "when": "2026-03-17T09:00:00+08:00"}, "remind", set(), "when"),
        (planned(schedule={"text": "还有什么"}) | {"type": "planned", "when": "FREQ=DAILY"}, "schedule", set(), "when"),
        (planned(expect=DAILY), "expect", {ZHANG}, "due"),
        (planned(expect={**DAILY, "on_missed": "tell"}), "expect", set(), "due"),
        (planned(watch={"what": "客户那边的消息"}), "expect", set(), None),
        (planned(update_concern={"concern_ids": ["k1"], "add_people": [LI], "remove_people": [ZHANG]}), "amend", {LI}, None),
        (planned(cancel_concern={"concern_ids": ["k1"]}), "cancel", set(), None),
        (planned(check_concerns={}), "status", set(), None),
        (planned(look_up_person={"person": ZHANG}), "lookup", set(), None),
        (planned(invite_person={"person": ZHANG}), "invite", set(), None),
        (planned(deep_task={"goal": "理一遍进展"}), "task", set(), None),
    ],
)  # fmt: skip
def test_an_ability_is_called_as_the_labels_call_it(
    result: dict[str, Any], intent: str, people: set[str], when: str | None
) -> None:
    reading = entered("给他们交代一件事", result, open_concerns=[TESTING, REPORT])
    assert (reading.intent, reading.people, reading.at_once) == (intent, people, people)
    assert (reading.when is not None) is (when is not None)
    assert not reading.asks_first


def test_who_is_only_contacted_after_a_yes_is_not_contacted_at_once() -> None:
    reading = entered(
        "告诉张三明天放假", planned(send_message=TELL) | {"need_confirm": True, "unknown_people": ["赵六"]}
    )
    assert (reading.intent, reading.people, reading.at_once) == ("delegate", {ZHANG}, set())
    assert (reading.asks_first, reading.unknown) == (True, {"赵六"})


def test_what_the_planner_refuses_contacts_nobody() -> None:
    """A time that has gone by: the owner is asked for another one."""
    reading = entered("问张三", planned(raise_concern=ASK) | {"type": "planned", "when": "2026-03-16T08:00:00+08:00"})
    assert (reading.people, reading.at_once, reading.asks_first) == (set(), set(), True)


@pytest.mark.parametrize(
    ("refusal", "intent", "asks"),
    [("no_action", "chat", False), ("no_ability", "chat", False), ("covered", "status", False), ("unclear", "unclear", True)],
)  # fmt: skip
def test_a_refusal_is_talk_or_a_question_back(refusal: str, intent: str, asks: bool) -> None:
    reading = entered("办点事", {"ok": False, "refusal": refusal})
    assert (reading.intent, reading.asks_first) == (intent, asks)


def test_of_two_goals_the_first_names_the_intent_and_both_add_people() -> None:
    reading = read(
        case("帮我问张三提测时间，告诉李四明天放假"),
        ("judge", {"decision": "raise"}),
        ("extract", {"tendencies": ["问张三提测时间", "告诉李四明天放假"]}),
        ("evaluate", planned(send_message={**TELL, "people": [LI]})),
        ("evaluate", planned(raise_concern=ASK)),
    )
    assert (reading.intent, reading.people) == ("delegate", {ZHANG, LI})


def test_a_message_without_a_goal_is_talk_unless_the_answer_speaks_of_a_matter() -> None:
    talk = ("judge", {"decision": "converse"})
    assert read(case("今天真热"), talk).intent == "chat"
    answers = talk, ("converse", {"text": "「v2.0 提测时间」张三还没回。"})
    assert read(case("怎么样了", open_concerns=[TESTING]), *answers).intent == "status"
    answers = talk, ("converse", {"text": "是啊，真热。"})
    assert read(case("今天真热", open_concerns=[TESTING]), *answers).intent == "chat"


@pytest.mark.parametrize(("unclear", "targets", "asks"), [(False, ["k1"], False), (True, [], True), (False, [], True)])
def test_a_cancel_that_leaves_open_which_is_asked_about(unclear: bool, targets: list[str], asks: bool) -> None:
    judged = {"decision": "cancel", "unclear": unclear, "targets": targets}
    reading = read(case("取消", open_concerns=[TESTING, REPORT]), ("judge", judged))
    assert (reading.intent, reading.people, reading.asks_first) == ("cancel", set(), asks)


def test_of_a_decision_only_those_count_whom_the_message_names() -> None:
    judged = ("judge", {"decision": "decide", "targets": ["k1"]})
    assert read(case("可以", open_concerns=[TESTING]), judged).people == set()
    assert read(case("跟张三说可以", open_concerns=[TESTING]), judged).people == {ZHANG}


def test_a_no_to_what_waits_asks_nothing_more() -> None:
    reading = read(
        case("不用了", pending="问张三：提测时间。确认吗？"), ("judge", {"decision": "deny", "targets": ["b"]})
    )
    assert reading == Reading("deny")


def test_of_a_change_of_what_waits_only_the_change_counts() -> None:
    """张三 was to be asked all along; 李四 comes in, and the time moves."""
    waiting = planned(raise_concern=ASK) | {"type": "planned", "when": "2026-03-17T17:00:00+08:00"}
    both = {**ASK, "people": [ZHANG, LI]}
    reading = read(
        case("再加上李四，改到六点", pending="明天下午五点问张三提测时间。确认吗？"),
        ("judge", {"decision": "amend", "targets": ["b"]}),
        ("evaluate", waiting),
        ("evaluate", {**waiting, "parameters": {"raise_concern": both}, "when": "2026-03-17T18:00:00+08:00"}),
    )
    assert (reading.intent, reading.people, reading.when) == ("amend", {LI}, "2026-03-17T18:00:00+08:00")


class Recording(ScriptedBrain):
    """Keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(RuleBrain())
        self.asked: list[Question[Any]] = []

    async def ask(self, question: Question[A]) -> A:
        self.asked.append(question)
        return await super().ask(question)


@pytest.mark.parametrize(
    ("shown", "tendency"),
    [
        ("明天上午九点提醒您给杨校长回电话。可以吗？", "明天上午九点提醒我给杨校长回电话。"),
        ("问张三：提测时间", "问张三：提测时间"),
        ("问张三能不能到岗？", "问张三能不能到岗？"),
        ("Remind you tomorrow to call your bank. OK?", "Remind me tomorrow to call my bank."),
    ],
)
def test_what_waits_is_evaluated_as_the_owner_would_say_it(shown: str, tendency: str) -> None:
    brain = Recording()
    brain.queue("judge", {"decision": "amend", "targets": ["b"]})
    asyncio.run(read_owner(case("改成十点", pending=shown), brain))
    evaluated = [q for q in brain.asked if isinstance(q, Evaluate)]
    assert [q.tendency for q in evaluated] == [tendency, tendency]
    assert [q.text for q in evaluated] == [tendency, "改成十点"]
    assert (evaluated[0].pending, evaluated[1].pending is not None) == (None, True)


def test_who_was_taken_out_by_a_change_must_not_be_contacted() -> None:
    both = planned(raise_concern={**ASK, "people": [ZHANG, LI]})
    reading = read(
        case("就问张三，李四别问", pending="问张三和李四：提测时间。确认吗？"),
        ("judge", {"decision": "amend", "targets": ["b"]}),
        ("evaluate", both),
        ("evaluate", both),
    )
    assert reading.at_once == reading.already == {ZHANG, LI}


def test_words_for_an_open_matter_change_it() -> None:
    judged = ("judge", {"decision": "supplement", "targets": ["k1"]})
    swap = planned(update_concern={"concern_ids": ["k1"], "add_people": [LI], "remove_people": [ZHANG]})
    reading = read(case("提测那事别问张三了，换李四", open_concerns=[TESTING]), judged, ("evaluate", swap))
    assert (reading.intent, reading.people) == ("amend", {LI})
    passed_on = {"ok": False, "refusal": "no_action"}
    reading = read(case("张三那边要快点", open_concerns=[TESTING]), judged, ("evaluate", passed_on))
    assert reading == Reading("amend", told=frozenset({ZHANG}))


def test_words_that_name_only_people_who_are_not_asked_start_something_new() -> None:
    judged = ("judge", {"decision": "supplement", "targets": ["k1"]})
    steps = ("extract", {"tendencies": ["问李四"]}), ("evaluate", planned(raise_concern={**ASK, "people": [LI]}))
    assert read(case("问李四周报交了没有", open_concerns=[TESTING]), judged, *steps).intent == "delegate"


def test_a_matter_that_states_no_priority_takes_it_from_the_words() -> None:
    plain = {"title": "提测", "goal": "提测时间", "people": [ZHANG]}
    assert entered("赶紧问问张三提测时间", planned(raise_concern=plain)).priority == "high"
    assert entered("问问张三提测时间", planned(raise_concern=plain)).priority == "medium"
