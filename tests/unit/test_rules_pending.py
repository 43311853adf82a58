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
from core.brain.rules.amending.people import picked
from core.brain.rules.amending.slots import people_of, words_of
from core.brain.rules.amending.times import retimed
from core.brain.rules.amending.whole import amended
from core.brain.rules.waiting.joining import joined, points_at, with_named
from core.brain.rules.waiting.orders import parted
from core.brain.rules.waiting.pending import reading_of_pending, wants_it_still
from core.brain.rules.waiting.picking import (
    both_name_a_sum,
    chosen,
    means_all,
    means_another,
    means_this,
    names_in,
    number_of,
    of_each,
)
from core.brain.rules.words.names import mentions
from core.brain.rules.words.text import squeezed, without_quotes
from core.people import Role
from tests.unit.rules_desk import CONTACTS, LI, MING, MONDAY, NA, TOM, ZHANG, evaluated

DATA = Path(__file__).parents[1] / "data" / "judgement"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


FRESH = rows("pending_fresh.jsonl")
ORDERS = rows("pending_orders.jsonl")
"""What is said while something waits: changes, orders of their own, both, and what may be either."""
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
        people = people_in(row)
        read = reading_of_pending(row["text"], row["pending"], datetime.fromisoformat(row["now"]), people) or "other"
        wanted = row["intent"]
        agreed += read == wanted or (wanted == "amend" and names_in(row["text"], people) is not None)
    assert agreed >= 0.95 * len(FRESH)


@pytest.mark.parametrize("row", ORDERS, ids=[row["id"] for row in ORDERS])
def test_an_order_is_told_from_a_change_to_what_waits(row: dict[str, Any]) -> None:
    now, people = datetime.fromisoformat(row["now"]), people_in(row)
    parts = parted(row["text"], row["pending"], now, people)
    reading = reading_of_pending(row["text"], row["pending"], now, people)
    match row["intent"]:
        case "ask":
            assert (parts.doubtful, reading) == (True, None)
        case "order":
            assert (parts.order, parts.answer, reading) == (row["text"], "", None)
        case "both":
            assert (reading, row["order"] in parts.order, row["order"] in parts.answer) == (row["answer"], True, False)
        case wanted:
            assert (reading, parts.order, parts.doubtful) == (wanted, "", False)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("问李四合同什么时候能签", "ask"),  # another question about the same
        ("告诉李四合同不签了", "ask"),  # the contrary of it
        ("问李四合同签了没有", "change"),
        ("问法务部的李四", "answer"),
        ("让李四也看看合同", "order"),
        ("别问张三了，问李四仓库还有货没", "order"),
        ("好的，跟李四说下午三点开会", "order"),
        ("催一下张三", "answer"),
        ("帮我看看张三回了没", "order"),
    ],
)
def test_what_is_said_beside_a_question_that_waits(text: str, wanted: str) -> None:
    parts = parted(text, "问张三：合同签了没有", MONDAY, CONTACTS)
    found = "ask" if parts.doubtful else "order" if parts.order else "change" if parts.changes else "answer"
    assert found == wanted


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="问告诉让改成换也只别张三李四,，。可以不用另外 askteltom0123万", max_size=30))
def test_nothing_of_a_message_is_lost_between_answer_and_order(text: str) -> None:
    """Every word is in the answer, in the order, or the whole is asked about."""
    parts = parted(text, "让张三把尾款三万打给供应商", MONDAY, CONTACTS)
    kept = squeezed(parts.answer) + squeezed(parts.order)
    assert sorted(kept) == sorted(squeezed(without_quotes(text)))


@pytest.mark.parametrize("text", ["先搁着\n谢谢", "还是别了\n辛苦了", "再等等\n谢谢", "leave it\nthanks"])
def test_a_no_may_end_with_its_line(text: str) -> None:
    assert reading_of_pending(text, "问李四：给供应商付五万块") == "deny"


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


@pytest.mark.parametrize(
    ("text", "summary", "fits"),
    [
        ("改成六万", "让张三打五万块给供应商", True),
        ("改成六万", "跟李四说我们同意降价", False),
        ("make it 10k", "tell Bob we accept the 20k offer", True),
        ("make it shorter", "tell Bob we accept the 20k offer", False),
    ],
)
def test_a_new_sum_is_for_what_holds_one(text: str, summary: str, fits: bool) -> None:
    assert both_name_a_sum(text, summary) is fits


def test_a_receipt_is_no_wish_after_a_no() -> None:
    about = "让张三把尾款三万打给供应商"
    assert not wants_it_still("好的", about, True, MONDAY)
    assert wants_it_still("还是发吧", about, True, MONDAY)
    assert wants_it_still("好的", about, False, MONDAY)
    assert not wants_it_still("今天天气怎么样", about, False, MONDAY)


def test_after_a_no_a_change_without_a_word_of_it_is_of_something_else() -> None:
    about = "让张三把尾款三万打给供应商"
    assert not wants_it_still("再加上王五", about, True, MONDAY)
    assert wants_it_still("尾款改成两万", about, True, MONDAY)
    assert wants_it_still("改成两万", about, False, MONDAY)


@pytest.mark.parametrize(
    ("order", "change", "text"),
    [
        ("帮我跟张三说我同意赔他们20万", "行吧，但是改成10万", "我同意赔他们10万"),
        ("tell Tom we accept the 20k offer", "ok but make it 10k", "we accept the 10k offer"),
    ],
)
def test_a_yes_may_stand_before_the_change(order: str, change: str, text: str) -> None:
    assert changed(change, evaluated(order), order).parameters["send_message"]["text"] == text


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
        ("都告诉", (0, 1, 2)),
        ("算了都不要", (0, 1, 2)),
        ("两个都说一声", (0, 1, 2)),
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
    [("张三", ("张三",)), ("那问李四吧", ("李四",)), ("李四吧，问他", ("李四",)), ("张三和李四吧", ("张三", "李四")), ("赵六", ("赵六",)), ("I meant Reed", ("Reed",)), ("张三那边怎么样了", None), ("五点", None)],
)  # fmt: skip
def test_nothing_but_names(text: str, names: tuple[str, ...] | None) -> None:
    assert names_in(text, (ZHANG, LI, TOM)) == names


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("两个都改成明天下午三点", "改成明天下午三点"),
        ("都改成周五", "改成周五"),
        ("make both 2000", "make it 2000"),
        ("change them to Friday", "change it to Friday"),
    ],
)
def test_what_is_said_of_all_is_said_of_each(text: str, each: str) -> None:
    assert means_all(text, 2)
    assert of_each(text) == each


@pytest.mark.parametrize("text", ["三个都改成周五", "改成周五", "都", "第一个"])
def test_not_of_both(text: str) -> None:
    assert means_all(text, 2) == (text == "都")


def test_this_one_or_another() -> None:
    assert all(means_another(t) for t in ("另外一件", "是别的事", "another one", "a new one"))
    assert all(means_this(t) for t in ("改这件", "就这件", "this one", "change it"))
    assert not any(means_another(t) or means_this(t) for t in ("可以", "李四", "另外问李四库存", "ok"))


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


@pytest.mark.parametrize(
    ("text", "many", "named"),
    [
        ("那就六点线上，告诉他们", True, "那就六点线上，告诉张三、李四"),
        ("跟她们说六点", True, "跟张三、李四说六点"),
        ("那就六点，跟她说一声", False, None),
        ("告诉他们的经理", None, None),
        ("tell them 6 online then", True, "tell 张三 and 李四 6 online then"),
        ("let him know", False, None),
        ("六点线上", None, None),
    ],
)
def test_whom_an_order_points_at(text: str, many: bool | None, named: str | None) -> None:
    assert points_at(text) is many
    assert named is None or with_named(text, ("张三", "李四")) == named
