"""What the conversation answers without a model, from the fields of its question."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.brain.questions import ConcernBrief, Converse, Line, PartBrief, PendingAction, WaitingPoint
from core.context.promises import promises
from tests.unit.rules_desk import CONTACTS, LI, MONDAY, WANG, ZHANG, ask

TESTING = ConcernBrief(
    concern_id="c1",
    title="v2.0 提测",
    goal="拿到提测时间",
    people=(ZHANG, LI),
    next_at=MONDAY + timedelta(hours=4),
    deadline=MONDAY + timedelta(days=1, hours=8),
    parts=(
        PartBrief(name="张三", words=()),
        PartBrief(name="李四", owes=False, words=(Line(who="李四", text="前端周四能提测", at=MONDAY),)),
    ),
)
QUOTE = ConcernBrief(
    concern_id="c2",
    title="报价",
    goal="拿到报价",
    people=(LI,),
    parts=(PartBrief(name="李四", owes=False, words=(Line(who="李四", text="八折", at=MONDAY),)),),
)
DAILY = ConcernBrief(
    concern_id="con_3", kind="schedule", title="喝水", goal="", next_at=MONDAY + timedelta(days=1, hours=1)
)
REPORT = ConcernBrief(concern_id="e1", kind="expectation", title="日报{x}", goal="", next_at=MONDAY + timedelta(days=3))
ALL = (TESTING, QUOTE, DAILY, REPORT)


def said(text: str, *, language: str = "zh-CN", role: str = "owner", **more: Any) -> str:
    values: dict[str, Any] = {"concerns": ALL, "contacts": CONTACTS, "now": MONDAY} | more
    return ask(Converse(text=text, role=role, language=language, **values)).text


@pytest.mark.parametrize("text", ["谁还没回", "还差谁？", "还有谁没答复", "提测那个谁没回"])
def test_who_has_not_answered(text: str) -> None:
    assert said(text) == "「v2.0 提测」：张三还没答复。"


def test_who_has_not_answered_in_english() -> None:
    assert said("who hasn't answered yet?", language="en") == "v2.0 提测: no answer yet from 张三."
    assert said("who hasn't answered yet?", language="en", concerns=(QUOTE,)) == "Everybody has answered."


def test_nobody_is_missing_where_nothing_is_open() -> None:
    assert said("谁还没回", concerns=(DAILY,)) == "现在没有正在跟进的事。"


@pytest.mark.parametrize("text", ["他原话怎么说的", "李四具体怎么说的", "李四说了什么"])
def test_their_own_words(text: str) -> None:
    answer = said(text)
    assert "“前端周四能提测”" in answer
    assert "李四（今天 10:00）" in answer


def test_words_of_the_one_who_is_named_alone() -> None:
    assert said("张三怎么说的", concerns=(TESTING,)) == "张三还没有说过什么。"


def test_words_of_several_matters_stand_under_their_titles() -> None:
    lines = said("李四原话怎么说的").splitlines()
    assert lines == ["「v2.0 提测」", "李四（今天 10:00）：“前端周四能提测”", "「报价」", "李四（今天 10:00）：“八折”"]


def test_of_somebody_who_is_asked_nothing_that_is_said() -> None:
    assert said("王五原话怎么说的") == f"眼下没有在问{WANG.name}的事。"
    assert said("王五那边怎么样了") == "眼下没有在问王五的事。"


@pytest.mark.parametrize("text", ["现在几点了", "今天几号", "今天星期几", "几点了"])
def test_what_day_and_time_it_is_on_the_reader_s_clock(text: str) -> None:
    assert said(text, now=MONDAY.astimezone(UTC)) == "现在是 3月16日 周一 10:00。"
    assert "03:00" in said(text, timezone="Europe/Berlin")


def test_what_day_it_is_in_english() -> None:
    assert said("what's the date today?", language="en") == "It's Monday, Mar 16, 10:00."


def test_what_waits_for_the_reader() -> None:
    waiting = (WaitingPoint(concern_id="c1", title="提测", question="接受临时方案吗？"),)
    pending = (PendingAction(block_id="b", summary="问所有人：加班"),)
    lines = said("有什么在等我", waiting=waiting, pending=pending).splitlines()
    assert lines == ["等你决定：「提测」——接受临时方案吗？", "等你确认或补充：问所有人：加班"]
    assert said("有什么要我定的吗") == "现在没有在等你的事。"
    assert "decision" in said("what is waiting for me?", language="en", waiting=waiting)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("明天有什么安排", ["喝水", "v2.0 提测"]),
        ("今天有什么安排", ["v2.0 提测"]),
        ("这周有什么提醒", ["v2.0 提测", "喝水", "v2.0 提测", "日报{x}"]),
        ("后天有什么安排", []),
        ("接下来有什么安排", ["v2.0 提测", "喝水", "v2.0 提测", "日报{x}"]),
    ],
)
def test_what_is_planned_in_the_time_that_is_named(text: str, titles: list[str]) -> None:
    answer = said(text)
    if not titles:
        assert answer == "没有安排。"
        return
    lines = answer.splitlines()
    assert len(lines) == len(titles)
    assert all(title in line for title, line in zip(titles, lines, strict=True))


def test_plans_in_english() -> None:
    assert said("what's on tomorrow?", language="en").splitlines()[0] == "tomorrow 11:00: 喝水"


@pytest.mark.parametrize("text", ["你都能做什么", "你能帮我干什么", "what can you do"])
def test_what_it_can_do_names_more_than_asking(text: str) -> None:
    language = "en" if text.isascii() else "zh-CN"
    answer = said(text, language=language)
    assert ("remind" if language == "en" else "提醒") in answer


@pytest.mark.parametrize(
    "text", ["谁还没回", "李四原话怎么说的", "明天有什么安排", "有什么在等我", "进展怎么样", "who hasn't answered?"]
)
def test_a_delegate_learns_nothing_of_all_this(text: str) -> None:
    answer = said(text, role="delegate")
    for word in ("提测", "八折", "喝水", "张三", "李四"):
        assert word not in answer


def test_a_delegate_may_ask_what_day_it_is() -> None:
    assert "周一" in said("今天周几", role="delegate", concerns=())


@pytest.mark.parametrize("text", ["翻译一下：谁还没回", "translate: who hasn't answered"])
def test_words_to_be_worked_on_are_no_question(text: str) -> None:
    assert "提测" not in said(text)


@pytest.mark.parametrize("text", ["谁还没回", "李四原话怎么说的", "明天有什么安排", "进展怎么样", "你都能做什么"])
def test_none_of_it_is_a_promise(text: str) -> None:
    assert promises(said(text)) is None


def test_midnight_and_now_are_in_the_window() -> None:
    late = datetime.fromisoformat("2026-03-16T23:50:00+08:00")
    item = DAILY.model_copy(update={"next_at": datetime.fromisoformat("2026-03-17T00:00:00+08:00")})
    assert said("今天有什么安排", now=late, concerns=(item,)) == "没有安排。"
    assert "喝水" in said("明天有什么安排", now=late, concerns=(item,))
