"""A contact that is only spoken of is never made: weighed, supposed, told, compared, or the matter of a text."""

import pytest

from core.brain.rules.words.risk import moves_money
from core.brain.rules.words.text import fold
from tests.unit.rules_desk import REPORT, TESTING, evaluated, judged, tendencies


@pytest.mark.parametrize(
    "text",
    [
        "你觉得派李四去谈合适吗",
        "让王五负责仓库靠谱吗",
        "是问张三好还是问李四好",
        "派老王去出差你怎么看",
        "如果我让张三加班，他会不会不高兴",
        "王五说他已经通知李四了",
        "我想还是自己问问张三",
        "帮我想想怎么跟老王开口要钱",
        "写一段催张三交周报的话给我看看",
        "老板在问张三什么",
        "李四在问张三什么",
        "老王是不是在催张三",
        "李四什么时候问的张三",
        "万一老王不答应怎么办",
        "把下面这段缩短：请各位周五前交报销",
        "下面这段话改软一点：让张三今天必须把钱打过来",
        "should I have Tom handle the lease, what do you think?",
        "would it be rude to ask Tom for his payslip",
        "how would you ask Tom to leave?",
        "if I asked Tom to work on Sunday, would that be legal?",
        "I was going to tell Tom but forgot",
        "Ana Silva told Tom the menu is done, apparently",
        "is the boss asking Tom anything",
        "is Ana Silva asking Tom about anything?",
        "has Tom been chasing Ana Silva?",
        "Tighten this up: Tom, get the boxes out of the hall by Thursday",
    ],
)
def test_what_is_only_spoken_of_is_no_goal(text: str) -> None:
    assert tendencies(text) == ()


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("你觉得呢？帮我问问张三", ["p_zhang"]),
        ("今天真累，你说是不是。哦还有，问问王五钥匙在哪", ["p_wang"]),
        ("问张三，换李四去合适吗", ["p_zhang"]),
        ("想请你问一下张三周五有没有空", ["p_zhang"]),
        ("Do you think it is late? Anyway, ask Tom whether he can come", ["p_tom"]),
        ("have Tom pay attention to the heating", ["p_tom"]),
    ],
)
def test_an_order_beside_it_is_one(text: str, people: list[str]) -> None:
    (found,) = tendencies(text)
    assert evaluated(found).parameters["raise_concern"]["people"] == people


@pytest.mark.parametrize(
    "text",
    [
        "maybe ask Tom whether the van is back",
        "I'd like to ask Tom whether the van is back",
        "can we get Tom to come in?",
    ],
)
def test_what_may_be_thinking_aloud_wants_a_yes(text: str) -> None:
    assert evaluated(text).need_confirm


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("让张三给李四打个电话", {"p_zhang"}),
        ("Ask Tom to call Ana Silva", {"p_tom"}),
        ("have Tom tell Ana Silva that lunch is ready", {"p_tom"}),
        ("给张三和李四都说一声，明天停电", {"p_zhang", "p_li"}),
    ],
)
def test_whom_they_are_to_reach_is_their_business(text: str, reached: set[str]) -> None:
    result = evaluated(text)
    assert {p for values in result.parameters.values() for p in values["people"]} == reached


def test_their_name_stands_for_the_pronoun_where_the_condition_goes() -> None:
    result = evaluated("张三到公司了让他给王五回电话")
    assert (result.when, result.parameters["raise_concern"]["people"]) == ("EVENT=张三到公司", ["p_zhang"])
    result = evaluated("once Tom arrives get him to call Ana Silva")
    assert (result.when, result.parameters["raise_concern"]["people"]) == ("EVENT=Tom arrives", ["p_tom"])


def test_each_person_with_words_of_their_own_is_a_goal_of_its_own() -> None:
    text = "Ask Tom whether the report is ready, and have Ana Silva wire the 8,400 to the caterer"
    asks, pays = tendencies(text)
    assert not evaluated(asks).need_confirm
    assert evaluated(pays).need_confirm
    assert evaluated(pays).parameters["raise_concern"]["people"] == ["p_ana"]
    lines = "帮我问一下张三什么时候能提测；李四每天18:30前要发日报；下午三点提醒我开会；让王五打五万块给供应商"
    keys = [next(iter(evaluated(t).parameters)) for t in tendencies(lines)]
    assert keys == ["raise_concern", "expect", "remind", "raise_concern"]
    assert len(tendencies("明天下午三点提醒我开会，顺便告诉李四我晚点到")) == 2


@pytest.mark.parametrize(
    ("words", "moves"),
    [
        ("把五万块打给供应商", True),
        ("把货款结一下", True),
        ("让他付六千定金，问问钥匙在哪", True),
        ("尾款付了没", False),
        ("settle the hotel bill", True),
        ("get Tom to pay the electrician", True),
        ("did you pay the bill?", False),
        ("pay attention to the road", False),
    ],
)
def test_money_is_told_clause_by_clause(words: str, moves: bool) -> None:
    assert moves_money(fold(words), asks_only=words.endswith(("没", "?"))) is moves


@pytest.mark.parametrize(
    "text",
    ["帮我订一张明天去上海的机票", "给我点一杯冰美式", "把空调关了", "Book me a flight to Rome", "call me a cab"],
)
def test_an_order_that_no_ability_covers_is_refused_as_one(text: str) -> None:
    assert judged(text).decision == "raise"
    assert [evaluated(t).refusal for t in tendencies(text)] == ["no_ability"]


def test_words_for_those_who_are_asked_leave_the_matter_alone_unless_they_are_of_it() -> None:
    assert list(evaluated("告诉张三明天的会改到三点", concerns=(TESTING,)).parameters) == ["send_message"]
    assert list(evaluated("告诉张三时间改到周五", concerns=(TESTING,)).parameters) == ["update_concern"]


def test_a_person_is_no_new_question_and_words_for_the_bot_go_to_nobody() -> None:
    swapped = evaluated("改成问王五", concerns=(TESTING,)).parameters["update_concern"]
    assert (swapped["add_people"], swapped["remove_people"], "title" in swapped) == (["p_wang"], ["p_zhang"], False)
    assert evaluated("再加上张三", concerns=(TESTING,)).refusal == "covered"
    unknown = evaluated("再加上赵六", concerns=(TESTING,))
    assert (unknown.need_confirm, unknown.unknown_people) == (True, ("赵六",))


def test_each_matter_is_changed_by_its_own_clause() -> None:
    text, both = "周报不急，提测那个要抓紧", (TESTING, REPORT)
    assert judged(text, concerns=both).decision == "raise"
    made = [evaluated(t, concerns=both).parameters["update_concern"] for t in tendencies(text, concerns=both)]
    assert [(m["concern_ids"], m["priority"]) for m in made] == [(["c2"], "low"), (["c1"], "high")]
    alone = evaluated("王五那边不急，张三那个改成急的", concerns=(TESTING,)).parameters["update_concern"]
    assert (alone["words"], alone["priority"]) == ("改成急的", "high")


def test_a_name_that_looks_like_a_known_one_is_asked_back() -> None:
    assert evaluated("帮我问下张山版本号是多少").unknown_people == ("张山",)
    assert evaluated("问一下孙经理下周的拜访还去不去").unknown_people == ("孙经理",)
    assert evaluated("问问财务小周发票开了没").unknown_people == ("小周",)
