"""Who is contacted: those whom a verb of contact reaches, and nobody else."""

import pytest

from core.brain.rules.owner.asked import reach
from core.brain.rules.words.names import mentions
from tests.unit.rules_desk import ANA, CONTACTS, LI, TOM, WANG, ZHANG, evaluated, person, raised

THREE = person("p_sanfeng", "张三丰")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("帮我问一下张三李四，v2.0 什么时候能提测", ["p_zhang", "p_li"]),
        ("问三哥和老王 明天来不来", ["p_zhang", "p_wang"]),
        ("跟李四确认一下合同签了没", ["p_li"]),
        ("李四那边知会一声，评审改到周三", ["p_li"]),
        ("张三、李四、王五各问一下人数", ["p_zhang", "p_li", "p_wang"]),
        ("王五什么时候回来？问下他", ["p_wang"]),
        ("「李四：还剩两个没跑」\n问她今晚能不能跑完", ["p_li"]),
        ("找Tom要一下发票", ["p_tom"]),
        ("ask Tom and Ana if Friday works", ["p_tom", "p_ana"]),
        ("I need the numbers from Ana before lunch", ["p_ana"]),
        ("has Tom finished? check with him", ["p_tom"]),
    ],
)
def test_people_are_found_in_the_order_of_mention(text: str, ids: list[str]) -> None:
    assert reach(text, CONTACTS).ids == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("别问张三，问李四 周报写了没", ["p_li"]),
        ("问张三……算了，问李四吧，接口谁维护", ["p_li"]),
        ("张三说李四请假了，你问下王五谁替他", ["p_wang"]),
        ("让李四问王五要数据", ["p_li"]),
        ("叫李四把尾款打给王五", ["p_li"]),
        ("跟张三对一下哪天能测，王五那边排期等着呢", ["p_zhang"]),
        ("don't bother Tom, ask Ana if the pallets came", ["p_ana"]),
        ("ask Ana when it is done, Tom keeps asking me", ["p_ana"]),
        ("昨天跟李四聊得不错", []),
    ],
)
def test_who_is_only_mentioned_or_ruled_out_is_not_contacted(text: str, ids: list[str]) -> None:
    assert reach(text, CONTACTS).ids == ids


def test_the_longest_name_wins() -> None:
    people = (ZHANG, THREE)
    assert [m.ids for m in mentions("问张三丰和张三", people)] == [("p_sanfeng",), ("p_zhang",)]


def test_a_name_in_letters_is_not_found_within_a_word() -> None:
    people = (person("p_ann", "Ann"), person("p_anna", "Anna"), person("p_li", "李四"))
    found = mentions("Annabel, ann's Anna李四 and Hanna", people)
    assert [m.ids for m in found] == [("p_ann",), ("p_anna",), ("p_li",)]


def test_a_new_directory_costs_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody who writes has another one, without themselves: patterns of all names were most of a message's cost."""
    compiled: list[object] = []
    monkeypatch.setattr("re._compiler.compile", lambda *args: compiled.append(args))
    people = tuple(person(f"p_new{n}", f"新人{n}号") for n in range(300))
    assert [m.ids for m in mentions("问一下新人7号和新人77号", people)] == [("p_new7",), ("p_new77",)]
    assert compiled == []


def test_a_longer_unknown_name_is_not_the_shorter_known_one() -> None:
    found = reach("帮我问张三丰什么时候到", (ZHANG, LI))
    assert (found.ids, found.unknown) == ([], ["张三丰"])


def test_an_english_word_is_not_a_name_unless_it_is_written_as_one() -> None:
    may = (person("p_may", "May"),)
    assert mentions("you may ask", may) == []
    assert len(mentions("ask May", may)) == 1


def test_a_name_that_several_answer_to_must_be_confirmed() -> None:
    result = evaluated("问小李发票开了没")
    assert result.need_confirm
    assert [(a.name, a.candidates) for a in result.ambiguous] == [("小李", ("p_na", "p_ming"))]
    assert result.parameters["raise_concern"]["people"] == []


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("问小唐和Lisa 今晚来不来", ("小唐", "Lisa")),
        ("ask Priscilla about the parking", ("Priscilla",)),
        ("通知所有客户明天停电", ("所有客户",)),
    ],
)
def test_unknown_names_must_be_confirmed(text: str, unknown: tuple[str, ...]) -> None:
    result = evaluated(text)
    assert (result.unknown_people, result.need_confirm) == (unknown, True)


def test_times_are_not_taken_for_names() -> None:
    assert evaluated("问周六能不能来").unknown_people == ()


@pytest.mark.parametrize("text", ["问所有人周末能不能加班", "ask everyone if Friday works"])
def test_everyone_must_be_confirmed(text: str) -> None:
    result = evaluated(text)
    assert result.need_confirm
    assert len(result.parameters["raise_concern"]["people"]) == len(CONTACTS)


def test_all_but_one_leaves_that_one_out_and_must_be_confirmed() -> None:
    result = evaluated("除了张三都问一下周六能不能来", contacts=(ZHANG, LI, WANG))
    assert result.need_confirm
    assert result.parameters["raise_concern"]["people"] == ["p_li", "p_wang"]


def test_a_group_under_one_alias_is_meant_as_a_whole() -> None:
    team = (person("p_a", "赵敏", "项目组"), person("p_b", "孙丽", "项目组"), LI)
    result = evaluated("项目组每个人问一遍周六能不能来", contacts=team)
    assert result.parameters["raise_concern"]["people"] == ["p_a", "p_b"]
    assert not result.need_confirm


def test_the_sender_is_never_a_delegate() -> None:
    assert evaluated("帮我问张三和李四几点到", sender_id=ZHANG.person_id).parameters["raise_concern"]["people"] == [
        "p_li"
    ]


def test_names_are_put_back_into_the_matter() -> None:
    assert raised("帮我问李四，王五的方案他同意吗")["message"] == "王五的方案他同意吗"
    assert (
        raised("ask Tom what Ana said about the quote", contacts=(TOM, ANA))["message"]
        == "what Ana said about the quote"
    )


# --- a part of a name -------------------------------------------------------------------------------------------------

QIANG, STRONG, WEI = person("p_chen", "陈强"), person("p_liu", "刘强"), person("p_wei", "张伟")
REED, KEN, MARY = person("p_reed", "Tom Reed"), person("p_ken", "Ken Wong"), person("p_mary", "Mary Wong")


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("问下小张提测时间", {"小张": ("p_zhang", "p_wei")}),
        ("让张总把合同发我", {"张总": ("p_zhang", "p_wei")}),
        ("问一下王工接口文档", {"王工": ("p_wang",)}),
        ("问强哥机器修好没", {"强哥": ("p_chen", "p_liu")}),
        ("问下阿强机器修好没", {"阿强": ("p_chen", "p_liu")}),
        ("问张三和小刘周五能不能来", {"小刘": ("p_liu",)}),
    ],
)
def test_a_part_of_a_name_is_asked_about(text: str, fits: dict[str, tuple[str, ...]]) -> None:
    found = reach(text, (ZHANG, LI, WANG, WEI, QIANG, STRONG))
    assert (found.ambiguous, found.unknown) == (fits, [])


@pytest.mark.parametrize("text", ["问大家周五能不能来", "问老板批了没", "找小组要名单"])
def test_a_form_of_address_that_is_a_word_is_nobody(text: str) -> None:
    family, given = person("p_1", "张家"), person("p_2", "李板")
    assert not reach(text, (family, given, person("p_3", "王组"))).ambiguous


def test_what_somebody_is_called_for_certain_is_not_asked_about() -> None:
    found = reach("问三哥提测时间", (ZHANG, WEI))
    assert (found.ids, found.ambiguous) == (["p_zhang"], {})


@pytest.mark.parametrize("text", ["ask Reed when the build is ready", "ask Mr Reed when the build is ready"])
def test_a_last_name_is_theirs(text: str) -> None:
    assert reach(text, (REED, MARY)).ids == ["p_reed"]


def test_a_last_name_of_two_is_asked_about() -> None:
    assert reach("ask Wong for the contract", (KEN, MARY)).ambiguous == {"Wong": ("p_ken", "p_mary")}


def test_a_last_name_that_is_a_word_is_written_with_a_capital() -> None:
    fox = person("p_fox", "Dana Fox")
    assert reach("ask Fox for the plan", (fox,)).ids == ["p_fox"]
    assert reach("tell Tom a fox is in the garden", (fox, TOM)).ids == ["p_tom"]


def test_a_title_makes_a_name_of_any_character() -> None:
    assert reach("问问张三和裴师傅，空调修好没有", (ZHANG,)).unknown == ["裴师傅"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("让张三跟李四说周五评审取消", ["p_zhang"]),
        ("让张三和李四说一下进度", ["p_zhang", "p_li"]),
        ("问张三合同编号，他不知道的话问李四", ["p_zhang"]),
        ("Ask Tom for the number, if he doesn't know ask Ana", ["p_tom"]),
        ("问张三，不对，李四，合同什么时候签", ["p_li"]),
        ("Ask Tom... no wait, Ana, when the demo starts", ["p_ana"]),
    ],
)
def test_who_is_told_by_others_or_only_then_is_not_reached(text: str, ids: list[str]) -> None:
    assert reach(text, CONTACTS).ids == ids


def test_somebody_in_case_the_first_cannot_answer_wants_a_yes() -> None:
    answer = evaluated("问张三合同编号，他不知道的话问李四")
    assert answer.need_confirm
    assert answer.parameters["raise_concern"]["people"] == ["p_zhang"]
    assert "李四" not in answer.parameters["raise_concern"]["message"]


@pytest.mark.parametrize("text", ["你问李四了没", "did you ask Ana already?"])
def test_whether_somebody_was_asked_is_a_question(text: str) -> None:
    assert next(iter(evaluated(text).parameters)) == "check_concerns"
