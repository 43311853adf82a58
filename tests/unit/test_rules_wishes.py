"""What the initiator added to a request is wanted as well: read from the goal, put into the words, asked after."""

import pytest

from core.brain.rules.words.added import Added, additions_to
from tests.unit.rules_desk import assessed, composed

ASKED = "想请问报价什么时候能给？"
GOAL = "拿到张三关于「报价什么时候能给」的具体时间"
EN = "A definite date or time from Tom: when v2.0 is ready"


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("顺便问一下他价格有没有变", "价格有没有变"),
        ("再问一下张三合同签了没有", "合同签了没有"),
        ("另外，报价含不含税？", "报价含不含税"),
        ("也问问付款方式", "付款方式"),
        ("还要知道预算多少", "预算多少"),
        ("确认下发票抬头", "发票抬头"),
        ("今天下班前要", ""),
        ("是给华为的那份", ""),
        ("别用旧模板", ""),
    ],
)
def test_an_addition_that_asks_is_a_question_of_its_own(words: str, question: str) -> None:
    (added,) = additions_to(f"{GOAL}；{words}", "张三")
    assert added.question == question
    assert bool(added.rest) is not bool(question)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("also ask him whether the price changed", "whether the price changed"),
        ("and how many copies?", "how many copies"),
        ("Ask Tom about the colour", "the colour"),
        ("by noon please", ""),
        ("it is for the fair", ""),
    ],
)
def test_so_it_is_in_english(words: str, question: str) -> None:
    (added,) = additions_to(f"{EN}；{words}", "Tom")
    assert added.question == question


def test_the_same_question_again_adds_only_what_is_new_in_it() -> None:
    assert additions_to(f"{GOAL}；报价什么时候能给，明天中午前要", "张三") == (Added(rest="明天中午前要"),)


@pytest.mark.parametrize("goal", [GOAL, "张三办好：买票；订酒店", "把票买了；顺便订酒店"])
def test_a_goal_to_which_nothing_was_added_is_one(goal: str) -> None:
    assert additions_to(goal, "张三") == ()


def met(reply: str, added: str, known: str | None = None) -> bool:
    return assessed(reply, goal=f"{GOAL}；{added}", asked=ASKED, known=known).goal_met


@pytest.mark.parametrize(
    ("reply", "added", "known"),
    [
        ("周五给，价格没变", "顺便问一下价格变了没", None),
        ("周五给，分三期付", "也问问付款方式", None),
        ("分三期付", "也问问付款方式", "周五给"),
        ("没变，改成周六给", "顺便问一下价格变了没", "周五给"),
        ("今天下班前给", "今天下班前要", None),
    ],
)
def test_with_both_answered_it_is_met(reply: str, added: str, known: str | None) -> None:
    assert met(reply, added, known)


@pytest.mark.parametrize(
    ("reply", "added", "known"),
    [
        ("周五给", "顺便问一下价格变了没", None),
        ("价格没变", "顺便问一下价格变了没", None),
        ("改成周六给", "顺便问一下价格变了没", "周五给"),
        ("周五给，付款方式晚点说", "也问问付款方式", None),
        ("好的", "顺便问一下价格变了没", "周五给"),
        ("好的", "今天下班前要", None),
    ],
)
def test_with_one_left_open_it_is_not(reply: str, added: str, known: str | None) -> None:
    assert not met(reply, added, known)


def test_what_is_left_open_is_asked_after_by_its_own_words() -> None:
    answer = assessed("周五给", goal=f"{GOAL}；顺便问一下他价格变了没", asked=ASKED)
    assert [m.text for m in answer.messages] == ["谢谢，另外这一点也麻烦你说一下：价格变了没"]
    later = assessed("价格没变", goal=f"{GOAL}；顺便问一下他价格变了没", asked=answer.messages[0].text, known="周五给")
    assert later.goal_met
    assert later.key_information == "周五给；价格没变"


def test_what_was_added_before_anything_went_out_stands_in_the_request() -> None:
    goal = f"{GOAL}；顺便问一下他价格有没有变；别用旧模板"
    words = ("报价什么时候能给", "顺便问一下他价格有没有变", "别用旧模板")
    said = composed(occasion="first_contact", title="报价什么时候能给", goal=goal, initiator_words=words)
    assert said == "想请问报价什么时候能给？另外，想请问价格有没有变？别用旧模板。"
