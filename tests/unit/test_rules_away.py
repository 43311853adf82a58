"""Somebody says that they are away, or back: from when to when, and what is no such word."""

from __future__ import annotations

from datetime import datetime

import pytest

from core.brain.rules.replies.away import absence, beside, is_back, says_only_back
from core.brain.rules.replies.pass_on import passed_on

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
"""A Monday."""


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("我休假到周三", None, "03-19 09"),
        ("在休假，下周一才回来", None, "03-23 09"),
        ("休假到周三，周四上班", None, "03-19 09"),
        ("我明天请假", "03-17 00", "03-18 09"),
        ("我下周一到周三休假", "03-23 00", "03-26 09"),
        ("这周我都出差", None, "03-23 09"),
        ("休年假三天", None, "03-19 09"),
        ("我今天下午请假", "03-16 13", "03-16 18"),
        ("我周三到周五不在", "03-18 00", "03-21 09"),
        ("【自动回复】我正在休假，3月18日恢复办公", None, "03-18 09"),
        ("报价周四给，我周五请假", "03-20 00", "03-21 09"),
        ("I'm on leave until Wednesday", None, "03-19 09"),
        ("away till Friday, back on Monday", None, "03-23 09"),
        ("I'm out of office next week", "03-23 00", "03-30 09"),
        ("I'm off tomorrow", "03-17 00", "03-18 09"),
    ],
)
def test_an_absence_has_an_end_and_may_have_a_beginning(text: str, since: str | None, until: str) -> None:
    found = absence(text, NOW)
    assert found is not None
    assert found.until.strftime("%m-%d %H") == until
    assert (found.since.strftime("%m-%d %H") if found.since else None) == since


@pytest.mark.parametrize(
    "text",
    [
        "我在休假",
        "张三休假到周三",
        "他明天请假",
        "我明天可以请假吗",
        "我没请假",
        "我可能周三请假",
        "如果周三请假就晚点给",
        "来不了，那天我请假",
        "昨天请假",
        "合同周三放假前给",
        "我请假的单子周三交",
        "名字不在周三的名单里",
        "报价周四给",
        "he is on leave until Friday",
        "I'm off to the client on Friday",
        "the report is due before I go on leave on Friday",
    ],
)
def test_what_is_no_absence_of_theirs(text: str) -> None:
    assert absence(text, NOW, ["张三"]) is None


def test_what_is_said_beside_it() -> None:
    assert beside("报价周四给，我周五请假", NOW) == "报价周四给"
    assert beside("我休假到周三，周四上班", NOW) == ""


@pytest.mark.parametrize(
    ("text", "back", "only"),
    [
        ("我回来了", True, True),
        ("我提前回来了，报价今天给", True, False),
        ("I'm back", True, True),
        ("back at work", True, True),
        ("老板回来了", False, False),
        ("我周三回来", False, False),
        ("报告拿回来了", False, False),
        ("I'm back on Monday", False, False),
    ],
)
def test_who_is_back_says_so(text: str, back: bool, only: bool) -> None:
    assert (is_back(text), says_only_back(text)) == (back, only)


def test_a_word_is_passed_on_without_the_request() -> None:
    assert passed_on("转告老板我明天请假") == "我明天请假"
    assert passed_on("tell Anna I'm off tomorrow", "Anna Berg") == "I'm off tomorrow"
    assert passed_on("tell Tom I'm off tomorrow", "Anna Berg") == "tell Tom I'm off tomorrow"
