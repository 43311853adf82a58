"""Whether two orders ask one and the same thing; in doubt they do not."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from core.brain.rules.words.same import Wording, added_words, same_question

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")


def when(title: str, later: int = 0) -> Wording:
    return Wording(title, f"拿到张三关于「{title}」的具体时间", NOW + timedelta(days=later))


def whether(title: str, later: int = 0) -> Wording:
    return Wording(title, f"得到张三对「{title}」的明确答复", NOW + timedelta(days=later))


def english(title: str) -> Wording:
    return Wording(title, f"A definite date or time from Tom: {title}", NOW)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (when("v2.0 什么时候能提测"), when("v2.0 什么时候能提测", 3)),
        (when("v2.0 什么时候能提测"), when("v2.0 的提测时间")),
        (whether("会议室订好没"), whether("会议室订好了吗")),
        (whether("明天的会议室订好没"), whether("明天的会议室订好了吗")),
        (english("when v2.0 will be ready for testing"), english("when will v2.0 be ready for testing by Friday")),
    ],
)
def test_the_same_in_other_words(one: Wording, other: Wording) -> None:
    assert same_question(one, other)
    assert same_question(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (when("v2.0 什么时候能提测"), when("v2.1 什么时候能提测")),
        (when("v2.0 什么时候能提测"), when("v20 什么时候能提测")),
        (when("合同什么时候签"), whether("合同签了没")),
        (whether("合同签了没"), whether("客户合同签了没")),
        (whether("一组的进度"), whether("二组的进度")),
        (whether("明天的会议室订好没"), whether("明天的会议室订好没", 1)),
        (whether("周五的会议室订好没"), whether("周六的会议室订好没")),
        (when("v2.0 什么时候能提测"), when("v2.0 什么时候不能提测")),
        (english("when v2.0 will be ready for testing"), english("when v2.0 will be ready for sale")),
    ],
)
def test_another_question(one: Wording, other: Wording) -> None:
    assert not same_question(one, other)
    assert not same_question(other, one)


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("v2.0 什么时候能提测", ()),
        ("v2.0 的提测时间，很急", ()),
        ("v2.0 什么时候能提测，周五前要", ("周五前要",)),
        ("v2.0 什么时候能提测，只要后端的", ("只要后端的",)),
    ],
)
def test_what_is_new_is_taken_in_and_urgency_alone_is_not(text: str, added: tuple[str, ...]) -> None:
    assert added_words(text, "v2.0 什么时候能提测", NOW) == added


def test_a_deadline_within_the_question_is_taken_out_of_it() -> None:
    said = "when v2.0 will be ready for testing by Friday"
    assert added_words(said, "when v2.0 will be ready for testing", NOW) == ("by Friday",)
