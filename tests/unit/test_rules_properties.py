"""Whatever is written, the rule brain answers: no exception, no endless search, no act of a delegate's."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.brain.questions import (
    Assess,
    Compose,
    Converse,
    DelegateStanding,
    Evaluate,
    Extract,
    Judge,
    Judgement,
    Line,
    MatchReply,
)
from core.brain.rules import brain
from core.brain.rules.words.signs import is_yes_alone
from core.brain.rules.words.text import fold, is_empty
from core.facts import Event
from tests.unit.pace import FAR, times_as_long
from tests.unit.rules_desk import ACTIONS, CONTACTS, MONDAY, REPORT, TESTING, ask, assessed, judged

PIECES = (
    *"问找跟和让、，。？！：「」>\n @1·",
    *(
        "帮我",
        "一下",
        "张三",
        "李四",
        "Tom ",
        "不用",
        "别",
        "算了",
        "可以",
        "好的",
        "周四",
        "明天",
        "前",
        "什么时候",
        "忽略",
        "你",
    ),
    *("ask ", "tell ", "if ", "not ", "by ", "yes ", "\ue000", "👍", "[图片]", "v2.0", "以后"),
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


@given(TEXTS)
def test_every_question_is_answered_whatever_the_text(text: str) -> None:
    line = Line(who="清海", text="什么时候？", at=MONDAY, ours=True)
    standing = DelegateStanding(person_id="p_zhang", name="张三", comm_status="waiting_reply")
    for role in ("owner", "delegate"):
        ask(Judge(text=text, role=role, now=MONDAY, concerns=(TESTING, REPORT)))
    ask(MatchReply(text=text, now=MONDAY, candidates=(TESTING, REPORT)))
    ask(Extract(text=text, now=MONDAY, contacts=CONTACTS, concerns=(TESTING,)))
    result = ask(Evaluate(tendency=text, text=text, now=MONDAY, contacts=CONTACTS, available_meta_actions=ACTIONS))
    assert result.ok or (result.refusal and result.reason)
    for trigger in ("reply", "timeout", "decision", "evidence"):
        ask(
            Assess(
                trigger=trigger,
                now=MONDAY,
                title=text,
                goal=text,
                priority="medium",
                initiator="老板",
                initiator_words=(text,),
                about="p_zhang",
                standings=(standing,),
                dialogue=(line,),
                new=(text,),
                decided=text,
                evidence=(Event(source="x", kind="", subject=text),),
            )
        )
    ask(
        Compose(
            occasion="first_contact",
            language="zh-CN",
            now=MONDAY,
            to="张三",
            initiator="老板",
            title=text,
            goal=text,
            initiator_words=(text,),
        )
    )
    said = ask(Converse(text=text, role="owner", language="en", now=MONDAY)).text
    # Nothing is said only to a yes, a laugh, a digit, or no words at all.
    assert said or is_yes_alone(fold(text)) or is_empty(text) or not re.search(r"[^\W\d_哈嘿呵haol]", fold(text))


@given(TEXTS)
def test_a_delegate_never_starts_stops_confirms_or_decides_anything(text: str) -> None:
    assert judged(text, role="delegate", concerns=(TESTING,)).decision in ("ignore", "stop", "relay", "supplement")


@given(TEXTS)
def test_only_people_of_the_directory_are_contacted_and_each_once(text: str) -> None:
    result = ask(Evaluate(tendency=text, text=text, now=MONDAY, contacts=CONTACTS, available_meta_actions=ACTIONS))
    people = result.parameters.get("raise_concern", {}).get("people", [])
    assert len(people) == len(set(people))
    assert set(people) <= {p.person_id for p in CONTACTS}


@given(TEXTS)
def test_words_go_to_nobody_but_the_delegate_whose_turn_it_is(text: str) -> None:
    answer = assessed(text, goal="拿到张三关于「提测」的具体时间", asked="什么时候能提测？")
    assert {m.to for m in answer.messages} <= {"p_zhang"}


def every_way(text: str) -> None:
    """Read as each question reads it."""
    judged(text, concerns=(TESTING,))
    judged(text, role="delegate", concerns=(TESTING,))
    ask(Extract(text=text, now=MONDAY, contacts=CONTACTS))
    assessed(text, goal="具体时间", asked="什么时候？")


@pytest.mark.parametrize(
    "text", ["".join(pair) * 150 for pair in product(("问", "一下", "好", "张三 ", "、", "\n"), ("", "和", " ", "了"))]
)
def test_repetition_does_not_slow_it_down(text: str) -> None:
    assert times_as_long(every_way, text) < FAR


def test_of_a_very_long_text_the_beginning_and_the_end_are_read() -> None:
    between = "这里是会议记录的正文，一行接一行，谁也不点名。" * 2000
    assert judged(f"帮我问一下张三，v2.0 什么时候能提测。\n{between}").decision == "raise"
    met = assessed(f"{between}\n周四能提测", goal="拿到张三关于「提测」的具体时间", asked="什么时候能提测？")
    assert met.goal_met


def test_a_text_beyond_that_takes_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def note(question: Judge) -> Judgement:
        read.append(len(question.text))
        return Judgement()

    monkeypatch.setitem(brain._RULES, Judge, note)
    judged("好" * 100_000)
    assert read[0] <= brain.LONGEST + 1


@pytest.mark.parametrize("text", ["周五下午三点" * 30, "我周五下午三点" * 30, "by Friday at 3pm " * 30])
def test_a_row_of_times_is_read_to_its_end(text: str) -> None:
    assert times_as_long(every_way, text) < FAR
