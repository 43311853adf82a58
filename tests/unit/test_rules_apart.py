"""A calling-off or a change beside an order: both are done, each as a goal of its own."""

import pytest

from core.brain.questions import ConcernBrief, Evaluate
from tests.unit.pace import FAR, times_as_long
from tests.unit.rules_desk import (
    ACTIONS,
    CONTACTS,
    LI,
    MONDAY,
    TESTING,
    TOM,
    WANG,
    ask,
    evaluated,
    judged,
    tendencies,
)

QUOTE = ConcernBrief(
    concern_id="quote", title="报价什么时候出", goal="拿到李四关于「报价什么时候出」的具体时间", people=(LI,)
)
PAPER = ConcernBrief(
    concern_id="paper", title="报告什么时候交", goal="拿到王五关于「报告什么时候交」的具体时间", people=(WANG,)
)
CONTRACT = ConcernBrief(
    concern_id="contract",
    title="when the contract will be signed",
    goal="A definite date or time from Tom: when the contract will be signed",
    people=(TOM,),
)
BESIDE = [
    ("不用问李四了，另外半小时后提醒我开会", (TESTING, QUOTE), ["cancel_concern quote", "remind"]),
    ("报价不用催了，顺便提醒我下午三点开会", (TESTING, QUOTE), ["cancel_concern quote", "remind"]),
    ("报价不用催了，顺便提醒我下午三点开会", (QUOTE,), ["cancel_concern quote", "remind"]),
    ("算了不用问了，帮我问下张三吃不吃饭", (QUOTE,), ["cancel_concern quote", "raise_concern"]),
    (
        "把报告的期限改到周五，另外帮我问李四会议室订了没",
        (PAPER, TESTING),
        ["update_concern paper", "raise_concern"],
    ),
    ("王五的报告不急，另外帮我问李四会议室订了没", (PAPER, TESTING), ["update_concern paper", "raise_concern"]),
    ("问李娜会议室订了没，另外李四那个不用问了", (QUOTE, TESTING), ["raise_concern", "cancel_concern quote"]),
    (
        "李四那个不用问了，把报告的期限改到周五，另外提醒我下午三点开会",
        (QUOTE, PAPER),
        ["cancel_concern quote", "update_concern paper", "remind"],
    ),
    (
        "never mind about Tom, and remind me in half an hour to call my mother",
        (CONTRACT, QUOTE),
        ["cancel_concern contract", "remind"],
    ),
    (
        "push the contract to Friday and ask 李娜 whether the room is booked",
        (CONTRACT, TESTING),
        ["update_concern contract", "raise_concern"],
    ),
]


@pytest.mark.parametrize(("text", "concerns", "wanted"), BESIDE)
def test_each_part_is_a_goal_of_its_own(text: str, concerns: tuple[ConcernBrief, ...], wanted: list[str]) -> None:
    assert judged(text, concerns=concerns, contacts=CONTACTS).decision == "raise"
    done = []
    for part in tendencies(text, concerns=concerns):
        (key, values), *more = evaluated(part, concerns=concerns).parameters.items()
        assert not more
        done.append(" ".join([key, *values.get("concern_ids", ())]))
    assert done == wanted


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("不用问李四了", "cancel"),
        ("报价不用催了，谢谢", "cancel"),
        ("不用问李四了，到时候再说", "cancel"),
        ("别问李四了，问王五", "supplement"),
        ("不用问李四了，帮我问王五", "supplement"),
        ("李四那个别问了，改问王五", "supplement"),
        ("不用问李四了，帮我问王五报价什么时候出", "supplement"),
        ("报价改到周五要，跟李四说一声", "supplement"),
    ],
)
def test_one_change_alone_stays_one(text: str, decision: str) -> None:
    assert judged(text, concerns=(QUOTE,), contacts=CONTACTS).decision == decision
    assert len(tendencies(text, concerns=(QUOTE,))) == 1


def test_an_order_with_a_word_of_calling_off_in_it_is_one_order() -> None:
    assert tendencies("帮我问张三能不能取消周五的会", concerns=(QUOTE,)) == ("帮我问张三能不能取消周五的会",)
    assert tendencies("算了，帮我问下张三吃不吃饭", concerns=(QUOTE,)) == ("算了，帮我问下张三吃不吃饭",)


def test_the_order_is_done_where_nothing_is_open_that_could_be_called_off() -> None:
    assert judged("不用问李四了，另外半小时后提醒我开会", contacts=CONTACTS).decision == "raise"
    assert tendencies("不用问李四了，另外半小时后提醒我开会") == ("半小时后提醒我开会",)
    assert judged("不用问李四了", contacts=CONTACTS).decision == "converse"


def test_the_day_and_the_urgency_of_a_change_are_not_those_of_the_order() -> None:
    for text in ("把报告的期限改到周五，另外帮我问李四会议室订了没", "报告不急了，另外帮我问李四会议室订了没"):
        question = Evaluate(
            tendency="帮我问李四会议室订了没",
            text=text,
            now=MONDAY,
            contacts=CONTACTS,
            available_meta_actions=ACTIONS,
            sender_id="p_owner",
            concerns=(PAPER,),
        )
        made = ask(question).parameters["raise_concern"]
        assert (made.get("deadline"), made["priority"]) == (None, "medium")


def test_a_message_of_many_joints_is_read_in_no_time() -> None:
    many = "不用问李四了，" * 200 + "提醒我下午三点开会"
    assert times_as_long(lambda text: judged(text, concerns=(QUOTE, PAPER), contacts=CONTACTS), many) < FAR
