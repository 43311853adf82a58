"""What is put to a delegate of an owner's words: all that is theirs, and nothing that only orders or joins."""

from typing import Any

import pytest

from core.brain.questions import ConcernBrief
from core.brain.rules.words.polite import body, by_when
from tests.unit.rules_desk import MONDAY, NA, REPORT, TESTING, evaluated


def message_of(text: str, **more: Any) -> str | None:
    """The words that reach the delegate; None where nothing does."""
    found = evaluated(text, **more).parameters
    return next((v.get("text") or v.get("message") for v in found.values()), None)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("跟李四说周末愉快", "周末愉快"),
        ("跟李四说合作愉快", "合作愉快"),
        ("跟李四说生日快乐", "生日快乐"),
        ("跟李四说这样太快", "这样太快"),
        ("告诉李四货到得很快", "货到得很快"),
        ("问李四要不要加快", "要不要加快"),
        ("问李四有没有收到快递", "有没有收到快递"),
        ("问李四周五可以吗", "周五可以吗"),
        ("跟李四说多谢", "多谢"),
        ("ask Tom about the thanks", "about the thanks"),
    ],
)
def test_the_tail_of_another_word_is_no_word_of_haste_or_courtesy(text: str, told: str) -> None:
    assert message_of(text) == told


@pytest.mark.parametrize("haste", ["快", "马上", "赶紧", "尽快", "谢谢", "辛苦了", "行吗"])
def test_a_word_of_haste_or_courtesy_that_stands_alone_is_for_the_bot(haste: str) -> None:
    assert message_of(f"问李四报价做好没，{haste}") == "报价做好没"
    assert message_of(f"问李四报价做好没{haste}") == "报价做好没"


def test_what_only_looks_like_a_word_of_haste_is_none() -> None:
    assert by_when("let him know", "en", MONDAY, False, "Grace") == "Let him know."
    assert by_when("now", "en", MONDAY, False, "Grace") != "Now."


ONLY_ORDERS = [
    "also ask 李娜",
    "ask 李娜 too",
    "ask 李娜 as well",
    "and ask 李娜",
    "plus ask 李娜",
    "另外问李娜",
    "还有问李娜",
    "顺便问李娜",
    "也问李娜",
]


@pytest.mark.parametrize("text", ONLY_ORDERS)
@pytest.mark.parametrize("concerns", [(), (TESTING, REPORT)])
def test_a_word_that_only_joins_or_orders_is_put_to_nobody(text: str, concerns: tuple[ConcernBrief, ...]) -> None:
    found = evaluated(text, concerns=concerns)
    assert not found.parameters
    assert found.missing == "what"


@pytest.mark.parametrize("text", ONLY_ORDERS)
def test_it_brings_one_more_to_the_only_open_matter(text: str) -> None:
    found = evaluated(text, concerns=(TESTING,)).parameters["update_concern"]
    assert (found["concern_ids"], found["add_people"]) == (["c1"], [NA.person_id])


def test_who_is_asked_already_is_not_asked_anew_by_it() -> None:
    assert message_of("另外问李四", concerns=(TESTING, REPORT)) is None
    assert message_of("顺便问李四", concerns=(TESTING, REPORT)) is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("ask 李娜 for the quarterly numbers", "the quarterly numbers"),
        ("ask Tom for quarterly numbers", "quarterly numbers"),
        ("ask Tom about annual leave", "annual leave"),
        ("ask Tom for monthly figures", "monthly figures"),
        ("ask Tom for weekly sales", "weekly sales"),
        ("ask Tom for yearly and quarterly numbers", "yearly and quarterly numbers"),
    ],
)
def test_a_thing_of_every_quarter_is_no_rhythm(text: str, title: str) -> None:
    found = evaluated(text)
    assert found.when is None
    assert found.parameters["raise_concern"]["title"] == title


@pytest.mark.parametrize(
    "text",
    [
        "ask Tom monthly for the figures",
        "ask Tom for the figures monthly",
        "ask Tom weekly about sales",
        "quarterly, ask Tom for numbers",
        "remind me monthly to pay rent",
    ],
)
def test_a_rhythm_stays_one(text: str) -> None:
    assert str(evaluated(text).when).startswith("FREQ=")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("线上支付挂了，马上问李四恢复没有", "线上支付挂了，恢复没有"),
        ("空调坏了，问李四修好没", "空调坏了，修好没"),
        # nothing of anybody's own affairs goes along
        ("我手机坏了，问李四到了没", "到了没"),
        ("老婆生气了，赶紧问李四到了没", "到了没"),
        ("张三的电脑坏了，问李四修好没", "修好没"),
        ("线上支付挂了，马上问李四回滚做完没有", "回滚做完没有"),
    ],
)
def test_a_bare_verb_takes_what_went_wrong_along(text: str, told: str) -> None:
    assert message_of(text) == told


@pytest.mark.parametrize("text", ["不要催王五了，问问李四", "别再找王五了，问李四", "先不问王五，问问李四"])
def test_whom_to_leave_alone_is_for_the_bot_and_nothing_to_be_asked(text: str) -> None:
    found = evaluated(text)
    assert (found.refusal, found.missing, message_of(text)) == ("unclear", "what", None)


@pytest.mark.parametrize(
    "text",
    [
        "如果王五周五前没回，就问李四",
        "要是王五今天没回，就找李四要报价",
        "If Tom hasn't answered by Friday, ask Ana Silva",
    ],
)
def test_whom_to_ask_in_place_of_one_who_does_not_answer_is_no_expectation(text: str) -> None:
    assert (evaluated(text).refusal, evaluated(text).missing) == ("unclear", "what")


def test_whom_to_ask_about_what_they_have_not_done_is_one() -> None:
    assert "expect" in evaluated("如果王五五点前没发日报，就问王五").parameters


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("whether he prefers tea or coffee", "Boss would like to know whether you prefer tea or coffee."),
        ("when she finishes the draft", "Boss would like to know when you finish the draft."),
        ("whether he carries a key", "Boss would like to know whether you carry a key."),
        ("whether he discusses it", "Boss would like to know whether you discuss it."),
        ("whether she is free", "Boss would like to know whether you are free."),
    ],
)
def test_a_verb_goes_with_whom_it_is_put_to(topic: str, words: str) -> None:
    assert body(topic, "en", "Boss") == words
