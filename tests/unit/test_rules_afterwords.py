"""Answers in pieces: what a later message makes of the one before it, and answers that hang on a condition."""

from datetime import timedelta

import pytest

from core.brain.questions import Line
from core.brain.rules.replies.afterwords import as_one
from tests.unit.rules_desk import MONDAY, assessed, attitude_of

WHEN = {"goal": "拿到张三关于「v2.0 什么时候能提测」的具体时间", "asked": "想请问 v2.0 什么时候能提测？"}
WHEN_EN = {
    "goal": "A definite date or time from Tom: when v2.0 goes to testing",
    "asked": "Grace would like to know when v2.0 goes to testing.",
}
THING = {"goal": "拿到张三的「合同」", "asked": "麻烦你把合同发一下。"}
COME = {"goal": "得到张三对「周五能不能来」的明确答复", "asked": "想请问周五能不能来？"}


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        (("周四", "下午三点"), ("周四下午三点",)),
        (("周四吧", "上午"), ("周四吧上午",)),
        (("Thursday", "3pm"), ("Thursday 3pm",)),
        (("周四", "不对，周五"), ("周五",)),
        (("周四", "说错了，是周五上午"), ("周五上午",)),
        (("周四", "改成周五"), ("周五",)),
        (("Thursday", "sorry, I meant Friday"), ("Friday",)),
        (("Thursday", "make that Friday"), ("Friday",)),
        (("周四", "下午三点", "不对，周五"), ("周五",)),
        (("周四", "前提是测试过了"), ("周四，前提是测试过了",)),
        (("Thursday", "unless something breaks"), ("Thursday, unless something breaks",)),
        (("明天发，不对明天我出差，后天发",), ("明天我出差，后天发",)),
        # for themselves
        (("周四", "合同也签了"), ("周四", "合同也签了")),
        (("做好了", "下午三点"), ("做好了", "下午三点")),
        (("周四", "周五上午开会"), ("周四", "周五上午开会")),
    ],
)
def test_a_later_message_is_put_where_it_belongs(messages: tuple[str, ...], words: tuple[str, ...]) -> None:
    answer = as_one(messages, MONDAY)
    assert (answer.words, answer.open) == (words, False)


@pytest.mark.parametrize(
    "messages",
    [
        ("周四", "等下我再确认一下"),
        ("周四", "不对"),
        ("周四", "先别报"),
        ("周四", "可能会变"),
        ("Thursday", "let me double-check"),
        ("Thursday", "scratch that"),
        ("Thursday", "might change"),
    ],
)
def test_an_answer_that_is_taken_back_is_none(messages: tuple[str, ...]) -> None:
    assert as_one(messages, MONDAY).open
    answer = assessed(messages, **(WHEN if messages[0] == "周四" else WHEN_EN))
    assert (answer.goal_met, attitude_of(answer)) == (False, "vague")


def test_what_complains_of_being_asked_takes_nothing_back() -> None:
    assert not as_one(("问白班去", "出了事就找我们夜班，白班咋不问"), MONDAY).open


def test_a_thing_that_was_sent_wrongly_is_not_there() -> None:
    assert not assessed(("发了", "等等发错了"), **THING).goal_met


def _heard_before(said: str, minutes: int, **more: object) -> tuple[Line, ...]:
    asked = Line(who="清海", text=WHEN["asked"], at=MONDAY - timedelta(hours=1), ours=True)
    return (asked, Line(who="张三", text=said, at=MONDAY - timedelta(minutes=minutes)))


@pytest.mark.parametrize(("minutes", "key"), [(1, "周四下午三点"), (5, "周四下午三点"), (6, "下午三点")])
def test_a_bare_hour_is_the_rest_of_an_answer_that_was_read_already(minutes: int, key: str) -> None:
    answer = assessed("下午三点", dialogue=_heard_before("周四", minutes), known="周四（3月19日）", **WHEN)
    assert answer.key_information == key


def test_a_correction_replaces_what_was_read_already() -> None:
    answer = assessed("不对，周五", dialogue=_heard_before("周四", 90), known="周四（3月19日）", **WHEN)
    assert (answer.goal_met, answer.key_information) == (True, "周五")


# --- conditions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "测试过了就周四",
        "等测试过了，周四给",
        "接口好了周四就能提",
        "只要李四明天把接口给我，周四没问题",
        "没有意外就周四",
        "不出问题周四能提",
        "客户点头我周四就提",
        "周四吧，除非又改需求",
        "联调一通过就周四提",
        "周四，前提是接口没问题",
    ],
)
def test_an_answer_on_a_condition_is_none_yet(text: str) -> None:
    answer = assessed(text, **WHEN)
    assert (answer.goal_met, attitude_of(answer), answer.needs_decision) == (False, "answered", False)
    assert answer.attitudes["p_zhang"].promised_time is None
    assert text in (answer.owner_update or "")


@pytest.mark.parametrize(
    "text",
    [
        "if QA passes, Thursday",
        "Thursday if QA passes",
        "Thursday once QA signs off",
        "when the API is done it'll be Thursday",
        "pending sign-off, Thursday",
        "Thursday unless something breaks",
    ],
)
def test_an_answer_on_a_condition_is_none_yet_in_english(text: str) -> None:
    answer = assessed(text, **WHEN_EN)
    assert (answer.goal_met, attitude_of(answer)) == (False, "answered")
    assert text in (answer.owner_update or "")


@pytest.mark.parametrize("text", ["不出差就能去", "能，除非客户来", "可以，只要不下雨"])
def test_a_yes_on_a_condition_is_none(text: str) -> None:
    assert not assessed(text, **COME).goal_met


@pytest.mark.parametrize("text", ["周四能提测，有需要再找我", "测试过了，周四可以", "好的就周四"])
def test_what_only_looks_like_a_condition(text: str) -> None:
    assert assessed(text, **WHEN).goal_met


# --- other kinds of faults --------------------------------------------------------------------------------------------


def test_one_of_two_things_is_not_both() -> None:
    both = {"goal": "contract and invoice", "asked": "Hannah, please send the contract and the invoice."}
    assert not assessed("Contract is in your inbox. The invoice isn't done.", **both).goal_met
    assert not assessed("contract attached, the invoice was locked away", **both).goal_met
    assert assessed("Both are in your inbox.", **both).goal_met


def test_an_advertisement_is_not_the_thing() -> None:
    wanted = {"goal": "attendance list", "asked": "Greg, the attendance list please."}
    assert not assessed("Big sale this week only! https://shop.example.com", **wanted).goal_met
    assert assessed("here: https://files.example.com/a.pdf", **wanted).goal_met


def test_a_complaint_about_doing_it_is_not_done() -> None:
    form = {"goal": "绩效自评表", "asked": "李四，绩效自评表请填。"}
    answer = assessed("填这些有什么用，填了也不涨工资", **form)
    assert (answer.goal_met, attitude_of(answer)) == (False, "resistant")


@pytest.mark.parametrize("text", ["十几二十个吧，说不准", "二十几个", "30个，不一定"])
def test_a_number_that_is_not_sure_is_none(text: str) -> None:
    assert not assessed(text, goal="到场人数", asked="周六到多少人？").goal_met


@pytest.mark.parametrize(
    ("text", "attitude"),
    [("还是30个", "answered"), ("22个，老板自己来不来？", "answered"), ("22个，行吗？", "question")],
)
def test_a_number_beside_what_looks_like_a_question(text: str, attitude: str) -> None:
    assert attitude_of(assessed(text, goal="到场人数", asked="周六到多少人？")) == attitude


def test_the_time_of_something_else_promises_nothing() -> None:
    answer = assessed("周四晚上有球赛，记得看啊", goal="交货的日期", asked="罗总，货哪天交？")
    assert answer.attitudes["p_zhang"].promised_time is None


def test_who_confirms_confirms_the_time_that_was_asked_for() -> None:
    answer = assessed("可以，我准时到", goal="确认明天上午九点带样品来", asked="小孙，明天上午九点带样品过来，可以吗？")
    promised = answer.attitudes["p_zhang"].promised_time
    assert promised is not None
    assert (promised.day, promised.hour) == (17, 9)


def test_who_asks_for_the_hour_is_not_answered_by_a_day() -> None:
    answer = assessed(
        "几点的车？", goal="明天接站的车", asked="老冯，明天接站派一辆车。", initiator_words=("让老冯明天接站派一辆车",)
    )
    assert answer.needs_decision


@pytest.mark.parametrize(
    ("text", "other"), [("wrong person, Hannah does the badges", "Hannah"), ("不归我，找 Kevin", "Kevin")]
)
def test_whose_it_is_is_named(text: str, other: str) -> None:
    answer = assessed(text, goal="visitor badge list", asked="Ben, please send the visitor badge list.")
    assert answer.attitudes["p_zhang"].names_other == other


def test_who_will_ask_somebody_points_to_nobody() -> None:
    answer = assessed("交期我要问工厂", goal="价格；交期", asked="这款椅子多少钱，多久交货？")
    assert attitude_of(answer) == "vague"


def test_away_tomorrow_and_sent_the_day_after() -> None:
    answer = assessed("明天我出差，后天上午发", **THING)
    promised = answer.attitudes["p_zhang"].promised_time
    assert attitude_of(answer) == "commitment"
    assert promised is not None
    assert (promised.day, promised.hour) == (18, 12)
