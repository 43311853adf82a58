"""By what somebody is recognised in a text, and what is left of it."""

import pytest

from bot.store.person.marks import Marks, marks_of
from core.ids import PersonId
from core.people import Identity, Person


def person(person_id: str, name: str, *aliases: str, chat: str = "7001") -> Person:
    there = (Identity(channel="telegram", user_id=chat),)
    return Person(person_id=PersonId(person_id), name=name, aliases=aliases, identities=there)


ZHANG = person("p_zhangsan", "张三", "三哥", "Al", "三")
OTHERS = (person("p_long", "张三丰", chat="8"), person("p_same", "李四", "三哥", chat="9"))
MARKS = marks_of(ZHANG, (ZHANG, *OTHERS), "gone_1", "…")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("问张三要文档", "问…要文档"),
        ("张三丰和张三", "张三丰和…"),
        ("三哥来了", "三哥来了"),
        ("Also ask Al, AL and al.", "Also ask …, … and …."),
        ("星期三", "星期三"),
        ("first:con_20260316_001:p_zhangsan:2", "first:con_20260316_001:gone_1:2"),
        ("p_zhangsan2", "p_zhangsan2"),
        ("to:telegram:7001", "to:telegram:gone_1"),
        ("telegram:70012", "telegram:70012"),
        ("7001 年", "7001 年"),
    ],
)
def test_names_and_ids_go_and_what_only_looks_like_them_stays(text: str, left: str) -> None:
    assert MARKS.gentle(text) == left
    assert MARKS.finds(text) is (left != text)


def test_a_long_id_is_one_wherever_it_stands() -> None:
    marks = marks_of(person("p_a", "甲乙", chat="ou_8f3a9"), (), "gone_1", "…")
    assert marks.gentle("id ou_8f3a9, channel feishu") == "id gone_1, channel feishu"


def with_words(*theirs: str, others: tuple[str, ...] = ()) -> Marks:
    return MARKS.with_words(theirs, others)


def test_a_long_run_of_their_words_goes_and_the_rest_stays() -> None:
    marks = with_words("后端支付模块卡在第三方回调接口了")
    assert marks.gentle("老板：后端支付模块卡在第三方回调接口，怎么办") == "老板：…，怎么办"
    assert marks.gentle("支付模块怎么样") == "支付模块怎么样"
    assert marks.whole("支付模块怎么样") == "支付模块怎么样"
    assert marks.thorough("支付模块怎么样") == "…"


def test_latin_words_need_twice_the_length() -> None:
    marks = with_words("the payment module hangs in the callback")
    assert marks.gentle("Tom: the payment module hangs!") == "Tom: …!"
    assert marks.gentle("the payment is due") == "the payment is due"


def test_what_others_wrote_by_themselves_is_nobodys() -> None:
    marks = with_words("v2.0 什么时候能提测我也不知道", others=("帮我问一下，v2.0 什么时候能提测",))
    assert marks.gentle("v2.0 什么时候能提测") == "v2.0 什么时候能提测"


def test_letters_that_grow_when_made_small_do_not_shift_the_places() -> None:
    marks = with_words("后端支付模块卡在第三方回调接口了")
    assert marks.gentle("İ后端支付模块卡在第三方回调接口") == "İ…"


def test_json_is_gone_through_with_its_keys_and_the_words_of_the_program_stay() -> None:
    marks = marks_of(person("p_a", "report", chat="7001"), (), "gone_1", "…")
    value = {
        "purpose": "report",
        "to": "p_a",
        "delegates": {"p_a": ["report by p_a"]},
        "channel": "telegram",
        "chat": "7001",
    }
    assert marks.deep(value, marks.gentle) == {
        "purpose": "report",
        "to": "gone_1",
        "delegates": {"gone_1": ["… by gone_1"]},
        "channel": "telegram",
        "chat": "gone_1",
    }
    assert marks.deep({"channel": "feishu", "chat": "7001"}, marks.gentle) == {"channel": "feishu", "chat": "7001"}
