"""What is said about an action that waits: yes, no, a change; and the words that bring what a goal lacked."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.action.meta_actions import available_meta_actions
from core.brain.questions import Ambiguity, Evaluate, EvaluatorResult, PersonBrief
from core.brain.rules.amend import amended
from core.brain.rules.amend_people import picked
from core.brain.rules.amend_times import retimed
from core.brain.rules.joining import joined
from core.brain.rules.names import mentions
from core.brain.rules.pending import reading_of_pending, wants_it_still
from core.brain.rules.picking import chosen, names_in, number_of
from core.brain.rules.slots import people_of, words_of
from core.people import Role
from tests.unit.rules_desk import CONTACTS, LI, MING, MONDAY, NA, TOM, ZHANG

DATA = Path(__file__).parents[1] / "data" / "judgement"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


FRESH = rows("pending_fresh.jsonl")
CHANGES = [row for row in FRESH if row["result"]]


def people_in(row: dict[str, Any]) -> tuple[PersonBrief, ...]:
    return tuple(PersonBrief(person_id=c["id"], name=c["name"], aliases=tuple(c["aliases"])) for c in row["contacts"])


def after(row: dict[str, Any]) -> EvaluatorResult:
    return amended(
        Evaluate(
            tendency=row["pending"],
            text=row["text"],
            now=datetime.fromisoformat(row["now"]),
            contacts=people_in(row),
            available_meta_actions=available_meta_actions(Role.OWNER),
            pending=EvaluatorResult.model_validate(row["result"]),
        )
    )


# --- yes, no, a change ---


def test_answers_to_what_waits_are_told_apart() -> None:
    """A bare name answers "who do you mean?" and is looked for before anything is judged."""
    agreed = 0
    for row in FRESH:
        read = reading_of_pending(row["text"], row["pending"], datetime.fromisoformat(row["now"])) or "other"
        wanted = row["intent"]
        agreed += read == wanted or (wanted == "amend" and names_in(row["text"], people_in(row)) is not None)
    assert agreed >= 0.95 * len(FRESH)


def test_a_no_is_never_taken_for_a_yes() -> None:
    denied = [r for r in (*FRESH, *rows("owner.jsonl")) if r["pending"] and r["intent"] == "deny"]
    assert len(denied) > 8
    assert not [r["text"] for r in denied if reading_of_pending(r["text"], r["pending"]) == "confirm"]


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("尾款那件可以", "confirm"),
        ("尾款那件算了", "deny"),
        ("车那件可以", None),
        ("不用改了，就这样发吧", "confirm"),
        ("不要周五，周六", "amend"),
        ("今天先不发，明天再说", "deny"),
        ("不对，我没说要问他", "deny"),
        ("不对，应该是问李四", "amend"),
        ("不用了，我自己问就行", "deny"),
        ("just do it", "confirm"),
        ("just Tom, not Ana", "amend"),
        ("drop it", None),
        ("maybe an hour later", "amend"),
    ],
)
def test_readings(text: str, reading: str | None) -> None:
    assert reading_of_pending(text, "让张三把尾款三万打给供应商", MONDAY) == reading


def test_a_receipt_is_no_wish_after_a_no() -> None:
    about = "让张三把尾款三万打给供应商"
    assert not wants_it_still("好的", about, True, MONDAY)
    assert wants_it_still("还是发吧", about, True, MONDAY)
    assert wants_it_still("好的", about, False, MONDAY)
    assert not wants_it_still("今天天气怎么样", about, False, MONDAY)


# --- the change ---


@pytest.mark.parametrize("row", CHANGES, ids=[row["id"] for row in CHANGES])
def test_a_change_is_carried_out(row: dict[str, Any]) -> None:
    result, wanted, before = after(row), row["after"], EvaluatorResult.model_validate(row["result"])
    if "refusal" in wanted:
        assert (result.ok, result.refusal) == (False, wanted["refusal"])
        return
    assert set(people_of(result)) == set(wanted.get("people", people_of(before)))
    assert list(result.unknown_people) == wanted.get("unknown", [])
    assert result.need_confirm == wanted["need_confirm"]
    assert result.when == wanted.get("when", before.when)
    words = " | ".join(words_of(result))
    assert all(w in words for w in wanted.get("has", ()))
    assert not [w for w in wanted.get("lacks", ()) if w in words]
    values = next(iter(result.parameters.values()))
    assert {k: values.get(k) for k in ("deadline", "priority") if k in wanted} == {
        k: wanted[k] for k in ("deadline", "priority") if k in wanted
    }


WAITING = EvaluatorResult(
    ok=True,
    need_confirm=True,
    primary_action_chain={1: ("raise_concern",)},
    parameters={
        "raise_concern": {
            "title": "周六几点到",
            "goal": "拿到张三、李四各自关于「周六几点到」的具体时间",
            "people": ["p_zhang", "p_li"],
            "message": "周六几点到",
        }
    },
)


def changed(
    text: str, pending: EvaluatorResult = WAITING, tendency: str = "问张三和李四：周六几点到"
) -> EvaluatorResult:
    return amended(Evaluate(tendency=tendency, text=text, now=MONDAY, contacts=CONTACTS, pending=pending))


def test_the_goal_names_who_is_asked_now() -> None:
    assert changed("只问李四").parameters["raise_concern"]["goal"] == "拿到李四关于「周六几点到」的具体时间"
    assert "张三、李四、王五" in changed("再加上王五").parameters["raise_concern"]["goal"]


def test_a_name_that_several_have_is_asked_about() -> None:
    result = changed("再加上小李")
    assert result.ambiguous == (Ambiguity(name="小李", candidates=("p_na", "p_ming")),)
    assert result.need_confirm


def test_an_ambiguous_name_is_settled_by_ruling_the_other_out() -> None:
    unclear = WAITING.model_copy(
        update={"parameters": {"raise_concern": {**WAITING.parameters["raise_concern"], "people": []}}}
        | {"ambiguous": (Ambiguity(name="小李", candidates=("p_na", "p_ming")),)}
    )
    assert people_of(changed("不是李娜", unclear)) == ("p_ming",)


def test_nobody_left_is_no_action() -> None:
    one = WAITING.model_copy(
        update={"parameters": {"raise_concern": {**WAITING.parameters["raise_concern"], "people": ["p_li"]}}}
    )
    assert changed("李四不用问了", one).refusal == "no_action"


NAMES = [p.name for p in CONTACTS]
VERBS = (
    "再加上",
    "只问",
    "不是",
    "换成",
    "别问",
    "除了",
    "include ",
    "just ",
    "not ",
    "改成周五，",
    "语气客气点，",
    "",
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(VERBS), st.sampled_from(NAMES), st.sampled_from(("", "吧", "，", " too", "五点"))),
        max_size=3,
    )
)
def test_nobody_is_reached_who_was_neither_there_nor_named(pieces: list[tuple[str, str, str]]) -> None:
    text = " ".join("".join(piece) for piece in pieces)
    named = {i for m in mentions(text, CONTACTS) for i in m.ids}
    assert set(people_of(changed(text))) <= set(people_of(WAITING)) | named


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_any_words_get_an_answer(text: str) -> None:
    result = changed(text)
    assert result.ok or result.refusal


def test_only_what_waits_can_be_changed() -> None:
    with pytest.raises(ValueError, match="waits"):
        amended(Evaluate(tendency="问张三", text="换成李四", now=MONDAY))


# --- times ---


@pytest.mark.parametrize(
    ("when", "text", "then"),
    [
        ("2026-03-17T09:00:00+08:00", "改成十点", "2026-03-17T10:00:00+08:00"),
        ("2026-03-17T15:00:00+08:00", "五点不行，五点半吧", "2026-03-17T17:30:00+08:00"),
        ("2026-03-17T15:00:00+08:00", "改到后天", "2026-03-18T15:00:00+08:00"),
        ("2026-03-17T15:00:00+08:00", "周五早上吧", "2026-03-20T09:00:00+08:00"),
        ("2026-03-17T15:00:00+08:00", "提前半小时", "2026-03-17T14:30:00+08:00"),
        ("2026-03-17T07:45:00+08:00", "make it 9 instead", "2026-03-17T09:00:00+08:00"),
        ("2026-03-17T15:00:00+08:00", "改成每天早上八点", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("2026-03-17T15:00:00+08:00", "改成每周一", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=15;BYMINUTE=0"),
        ("FREQ=WEEKLY;BYDAY=WE;BYHOUR=9;BYMINUTE=0", "改成周四", "FREQ=WEEKLY;BYDAY=TH;BYHOUR=9;BYMINUTE=0"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "晚一个小时", "FREQ=DAILY;BYHOUR=10;BYMINUTE=0"),
        ("DTSTART=20260318T090000;FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "八点半", "DTSTART=20260318T090000;FREQ=DAILY;BYHOUR=8;BYMINUTE=30"),
        ("EVENT=部署完", "五点", None),
        ("2026-03-17T15:00:00+08:00", "换个时间", None),
    ],
)  # fmt: skip
def test_what_a_new_time_leaves_open_stays(when: str, text: str, then: str | None) -> None:
    assert retimed(when, text, MONDAY) == then


# --- which one ---


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("2", (1,)),
        ("第二个", (1,)),
        ("最后一个", (2,)),
        ("the first one", (0,)),
        ("都可以", (0, 1, 2)),
        ("两件都办", (0, 1, 2)),
        ("both", (0, 1, 2)),
        ("2个小时", ()),
        ("7", ()),
        ("可以", ()),
    ],
)
def test_choices_by_number(text: str, places: tuple[int, ...]) -> None:
    assert number_of(text, 3) == places


@pytest.mark.parametrize(
    ("text", "places"), [("李明", (1,)), ("是李娜", (0,)), ("第二个", (1,)), ("小李", ()), ("李娜那边怎么样了", ())]
)
def test_choices_by_name(text: str, places: tuple[int, ...]) -> None:
    assert chosen(text, (NA, MING)) == places


@pytest.mark.parametrize(
    ("text", "names"),
    [("张三", ("张三",)), ("张三和李四吧", ("张三", "李四")), ("赵六", ("赵六",)), ("I meant Reed", ("Reed",)), ("张三那边怎么样了", None), ("五点", None)],
)  # fmt: skip
def test_nothing_but_names(text: str, names: tuple[str, ...] | None) -> None:
    assert names_in(text, (ZHANG, LI, TOM)) == names


def test_who_is_picked_joins_those_who_are_known() -> None:
    unclear = WAITING.model_copy(update={"ambiguous": (Ambiguity(name="小李", candidates=("p_na", "p_ming")),)})
    result = picked(unclear, ["p_na"], {"p_zhang": "张三", "p_li": "李四", "p_na": "李娜"})
    assert (people_of(result), result.ambiguous) == (("p_zhang", "p_li", "p_na"), ())
    assert "李四、李娜" in result.parameters["raise_concern"]["goal"]


# --- what was missing ---


@pytest.mark.parametrize(
    ("tendency", "missing", "text", "whole"),
    [
        ("提醒我开会", "when", "下午三点", "下午三点提醒我开会"),
        ("提醒我开会", "when", "那就每天早上九点吧", "每天早上九点提醒我开会"),
        ("remind me to call Dana", "when", "at 3pm", "remind me to call Dana at 3pm"),
        ("提醒我开会", "when", "张三那边怎么样了", None),
        ("提醒我开会", "when", "明天帮我问张三合同", None),
        ("帮我问一下合同签了没", "who", "张三和李四吧", "帮我问一下张三、李四合同签了没"),
        ("ask them whether the contract is signed", "who", "Tom", "ask Tom whether the contract is signed"),
        ("帮我问一下合同签了没", "who", "今天天气怎么样", None),
        ("帮我问一下张三", "what", "合同签了没", "帮我问一下张三，合同签了没"),
        ("ask Tom", "what", "when the van is back", "ask Tom when the van is back"),
        ("帮我问一下张三", "what", "谢谢", None),
        ("帮我问一下张三", "what", "帮我问李四库存还有多少", None),
        ("催一下", "which", "合同那个", "催一下（合同那个）"),
    ],
)
def test_words_that_bring_what_was_missing(tendency: str, missing: Any, text: str, whole: str | None) -> None:
    assert joined(tendency, missing, False, text, MONDAY, CONTACTS) == whole


@pytest.mark.parametrize(
    ("text", "at"),
    [("明天", "2026-03-17 08:00"), ("明天九点半吧", "2026-03-17 09:30"), ("下午三点", "2026-03-16 15:00")],
)
def test_a_time_that_has_gone_by_is_replaced(text: str, at: str) -> None:
    assert joined("今天早上八点提醒我开会", "when", True, text, MONDAY, CONTACTS) == f"{at}提醒我开会"
