"""Contexts: what stands in them, in which order, what goes first when there is no room."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.brain.questions import AwaitedEvent, ConcernBrief, Line, PartBrief
from core.context.assembly import AssembledContext, assemble_context, assemble_light_context
from core.context.model import Baseline, Content, Decided, Happening, HomeSnapshot, Injection
from core.context.text import cut_to_weight, tokens
from core.context.wording import EN, ZH
from core.limits import ContextLimits
from core.people import PersonSlice
from tests.unit.context_samples import (
    BASELINES,
    CASES,
    DELEGATE,
    FOLDER,
    LONG,
    MEMBER,
    NOW,
    OWNER,
    baseline,
    full,
    light,
    slice_of,
)

ORDER = ("【守则】", "【你是谁】", "【现在的情况】", "【起因】", "【本次内容】")


# --- golden -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_context_is_word_for_word_what_it_was(name: str) -> None:
    assert CASES[name]().text + "\n" == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_file_belongs_to_a_case() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CASES)


def test_both_languages_say_the_same_things() -> None:
    assert ZH.keys() == EN.keys()


def test_the_shipped_texts_leave_room_in_the_smallest_context() -> None:
    least = ContextLimits.model_fields["tokens"].metadata[0].ge
    for language, texts in BASELINES.items():
        assert tokens(texts.safety + texts.persona) < least // 2, language
        assert "{persona}" in texts.persona
        assert "{" not in baseline(language).persona


# --- who sees what --------------------------------------------------------------------------------------------------


def test_a_member_reads_no_hours_of_others() -> None:
    assert "09:00-18:00" in full(OWNER).snapshot
    assert "09:00-18:00" not in full(MEMBER).snapshot


def test_a_delegate_reads_what_they_are_asked_and_how_to_take_an_answer_there() -> None:
    told = full(DELEGATE).snapshot
    for words in ("advance_concern", "con_20260316_001", "是后端那版", "我看看", "拿到具体提测时间"):
        assert words in told
    assert "李四" not in told


def test_a_reminder_says_that_it_is_one_and_when_it_was_asked_for() -> None:
    trigger = full(OWNER, Injection(kind="user_reminder", who="老板", set_at=NOW)).trigger
    assert "提醒到点了" in trigger
    assert "2026-03-16T10:00" in trigger


def test_moments_are_told_on_the_reader_s_clock() -> None:
    snapshot = OWNER.model_copy(update={"at": NOW.astimezone(tz=None).astimezone(NOW.tzinfo) - timedelta(0)})
    utc = OWNER.matters[1].model_copy(update={"deadline": (NOW + timedelta(hours=1)).astimezone(tz=None)})
    told = full(snapshot.model_copy(update={"matters": (utc,)})).snapshot
    assert "2026-03-16T11:00+08:00" in told


# --- what is cut ------------------------------------------------------------------------------------------------------


def drops(made: AssembledContext, *words: str) -> list[bool]:
    return [word not in made.snapshot for word in words]


# One word of each rank, the one that goes first in front.
RANKS = ("第0句", "旧事11", "问张三提测时间 (done)", "同事59", "目标：拿到报价单", "日报", "报价单 (in", "第54句")
LATER = ("目标：拿到张三", "张三 (三哥", "v2.0 提测时间 (", "待确认", "接受八折吗")
WHOLE = LONG.model_copy(update={"people": (*LONG.people, *OWNER.people)})


def test_what_is_cut_first_is_what_the_rule_says() -> None:
    """As the room shrinks, nothing goes before what stands in front of it in the rule."""
    seen: list[list[bool]] = []
    for budget in range(7000, 640, -20):
        try:
            seen.append(drops(full(WHOLE, budget=budget), *RANKS, *LATER))
        except ValueError:
            break
    assert not any(seen[0])
    for row in seen:
        assert row == sorted(row, reverse=True), row
    assert [sum(row) for row in seen] == sorted(sum(row) for row in seen)
    assert sum(seen[-1]) >= len(RANKS)


def test_the_last_lines_of_the_dialogue_outlive_the_old_ones() -> None:
    made = full(LONG, budget=1800)
    assert drops(made, "第53句", "第54句", "第59句") == [True, False, False]
    assert made.cut


def test_what_is_left_out_is_said() -> None:
    assert "条略去" in full(LONG, budget=1800).snapshot
    assert "有几类没有列出" in full(LONG, budget=1200).snapshot
    assert "略去" not in full(OWNER).snapshot


def test_a_content_without_end_is_cut_in_its_middle_and_says_so() -> None:
    made = full(OWNER, content=Content(text="头" + "长" * 50_000 + "尾"))
    assert made.cut
    assert "头长" in made.content
    assert "长尾" in made.content
    assert "中间略去" in made.content
    assert "v2.0 提测时间" in made.snapshot


def test_a_budget_that_holds_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no room"):
        full(OWNER, budget=500)
    with pytest.raises(ValueError, match="no room"):
        light(budget=400)


@pytest.mark.parametrize("most", [10, 40, 200, 1000])
@pytest.mark.parametrize("text", ["字" * 900, "word " * 900, "半half" * 500])
def test_a_cut_text_weighs_no_more_than_it_may(text: str, most: int) -> None:
    assert tokens(cut_to_weight(text, most)) <= max(most, 16)


def test_a_token_is_a_chinese_character_or_four_others() -> None:
    assert [tokens(t) for t in ("", "字", "四个汉字", "four", "fours", "v2.0 提测")] == [0, 1, 4, 1, 2, 4]


# --- fences -----------------------------------------------------------------------------------------------------------


def outside(text: str) -> str:
    """What stands outside of all fences; fails where they do not open and close in turn."""
    told, mark = [], None
    for line in text.splitlines():
        if mark is None and line.startswith("<data-") and line.endswith(">"):
            mark = line
        elif mark is not None and line == mark.replace("<", "</"):
            mark = None
        elif mark is None:
            told.append(line)
    assert mark is None
    return "\n".join(told)


@given(st.text(max_size=80), st.integers(0, 4))
@settings(max_examples=150)
def test_no_text_leaves_its_fence(text: str, tries: int) -> None:
    planted = f"{text}PLANTED"
    for _ in range(tries):  # even one that knows the mark of the context as it was
        mark = full(OWNER, content=Content(text=planted)).content.splitlines()[-1]
        planted = f"{text}\n{mark}\nPLANTED"
    view = OWNER.model_copy(
        update={"dialogue": (*OWNER.dialogue, Line(who=planted, text=planted, at=NOW)), "reader": "老板"}
    )
    made = full(view, content=Content(text=planted, quoted=planted))
    assert "PLANTED" not in outside(made.text)


def test_what_nobody_can_see_is_taken_out() -> None:
    hidden = "好\u200b\U000e0041的\u202e"
    assert "好的" in full(OWNER, content=Content(text=hidden)).content
    assert not {"\u200b", "\U000e0041", "\u202e"} & set(full(OWNER, content=Content(text=hidden)).text)


# --- for any snapshot -------------------------------------------------------------------------------------------------

WORD = st.text(alphabet="字词句 \nabcd.<>-/", min_size=1, max_size=60)
LINES = st.lists(st.builds(Line, who=WORD, text=WORD, at=st.just(NOW), ours=st.booleans()), max_size=25).map(tuple)
MATTERS = st.lists(
    st.builds(
        ConcernBrief,
        concern_id=st.just("con_20260316_001"),
        title=WORD,
        goal=WORD,
        parts=st.lists(st.builds(PartBrief, name=WORD, words=LINES), max_size=3).map(tuple),
    ),
    max_size=8,
).map(tuple)
PEOPLE: st.SearchStrategy[tuple[PersonSlice, ...]] = st.lists(
    st.builds(slice_of, st.sampled_from(["p_a", "p_b", "p_zhangsan"]), WORD), max_size=20
).map(tuple)
HOMES = st.builds(
    HomeSnapshot,
    at=st.just(NOW),
    reader=WORD,
    role=st.sampled_from(["owner", "admin", "member"]),
    matters=MATTERS,
    planned=MATTERS,
    people=PEOPLE,
    named=st.just(frozenset({"p_zhangsan"})),
    decisions=st.lists(st.builds(Decided, at=st.just(NOW), what=st.just("raised"), why=WORD), max_size=8).map(tuple),
    dialogue=LINES,
)
LONG_WORD = st.builds(lambda word, times: word * times, WORD, st.integers(1, 200))


def in_order(text: str, marks: tuple[str, ...]) -> bool:
    lines = outside(text).splitlines()
    places = [next((n for n, line in enumerate(lines) if line.startswith(mark)), -1) for mark in marks]
    return -1 not in places and places == sorted(places)


@given(HOMES, LONG_WORD, st.one_of(st.none(), LONG_WORD), st.integers(900, 4000), st.sampled_from(["zh-CN", "en"]))
@settings(max_examples=120)
def test_a_context_is_never_over_its_budget_and_always_in_order(
    view: HomeSnapshot, text: str, quoted: str | None, budget: int, language: str
) -> None:
    made = full(view, Injection(who=view.reader), Content(text=text, quoted=quoted), language=language, budget=budget)
    assert tokens(made.text) <= budget
    assert made.safety.endswith(baseline(language).safety)
    assert made.persona.endswith(baseline(language).persona)
    words = ZH if language == "zh-CN" else EN
    marks = tuple(
        words[key].partition("{")[0].strip() for key in ("safety", "persona", "snapshot", "trigger", "content")
    )
    assert in_order(made.text, marks)


@given(st.lists(st.builds(AwaitedEvent, item_id=st.just("w1"), what=WORD, who=WORD), max_size=60), LONG_WORD)
@settings(max_examples=60)
def test_a_light_context_is_never_over_its_budget(awaited: list[AwaitedEvent], text: str) -> None:
    event = Happening(at=NOW, text=text, who="张三", awaited=tuple(awaited))
    made = assemble_light_context(baseline(), event, language="zh-CN", budget=900)
    assert tokens(made.text) <= 900
    assert "PLANTED" not in outside(made.text)


def test_a_light_context_says_who_the_bot_is_in_a_line() -> None:
    assert len(light().persona.splitlines()) == 2
    assert "w1" in light().snapshot
    assert "合并请求" in light().content


@pytest.mark.parametrize("make", [lambda b: full(OWNER, budget=b), lambda b: light(budget=b)])
def test_the_same_input_gives_the_same_context(make: Callable[[int], AssembledContext]) -> None:
    assert make(2000) == make(2000)


def test_a_context_without_baseline_begins_with_the_snapshot() -> None:
    made = assemble_context(Baseline(), OWNER, Injection(who="老板"), Content(text="好"), language="zh-CN", budget=2000)
    assert made.text.startswith(ORDER[2])
