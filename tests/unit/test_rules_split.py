"""One reply to several matters: which part belongs to which."""

from __future__ import annotations

from datetime import datetime

import pytest

from core.brain.questions import ConcernBrief, Match, MatchReply
from core.brain.rules.match import match, speaks_of_what_is_over

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")


def brief(concern_id: str, title: str, goal: str) -> ConcernBrief:
    return ConcernBrief(concern_id=concern_id, title=title, goal=goal, status="waiting_reply", priority="medium")


ZH = (
    brief("q", "报价什么时候给", "拿到张三关于「报价什么时候给」的具体时间"),
    brief("c", "客户合同签了没", "得到张三对「客户合同签了没」的明确答复"),
)
EN = (
    brief("q", "when the quote will be ready", "A definite date or time from Tom: when the quote will be ready"),
    brief("c", "is the contract signed", "A clear yes or no from Tom: is the contract signed"),
)


def matched(text: str, candidates: tuple[ConcernBrief, ...], *listed: str) -> Match:
    return match(MatchReply(text=text, now=NOW, candidates=candidates, listed=listed))


@pytest.mark.parametrize(
    ("text", "candidates", "parts"),
    [
        ("报价周四给，合同已经签了", ZH, {"q": "报价周四给", "c": "合同已经签了"}),
        ("1. 周四 2. 签了", ZH, {"q": "周四", "c": "签了"}),
        ("1、周四\n2、签了", ZH, {"q": "周四", "c": "签了"}),
        ("第一个周四，第二个还没", ZH, {"q": "周四", "c": "还没"}),
        ("都是周四", ZH, {"q": "周四", "c": "周四"}),
        ("两个都搞定了", ZH, {"q": "搞定了", "c": "搞定了"}),
        ("合同和报价都是周四", ZH, {"q": "合同和报价都是周四", "c": "合同和报价都是周四"}),
        ("报价周四给，另一个还没", ZH, {"q": "报价周四给", "c": "另一个还没"}),
        ("合同签了，是昨天签的，报价1.5万周四给", ZH, {"c": "合同签了，是昨天签的", "q": "报价1.5万周四给"}),
        ("quote on Thursday, contract signed", EN, {"q": "quote on Thursday", "c": "contract signed"}),
        ("1) Thursday 2) signed", EN, {"q": "Thursday", "c": "signed"}),
        ("first: Thursday, second: not yet", EN, {"q": "Thursday", "c": "not yet"}),
        ("both Thursday", EN, {"q": "Thursday", "c": "Thursday"}),
        (
            "quote on Thursday; the other one isn't signed",
            EN,
            {"q": "quote on Thursday", "c": "the other one isn't signed"},
        ),
    ],
)
def test_each_matter_gets_its_own_words(text: str, candidates: tuple[ConcernBrief, ...], parts: dict[str, str]) -> None:
    found = matched(text, candidates, "q", "c")
    assert (found.parts, set(found.concern_ids), found.unclear) == (parts, set(parts), False)


@pytest.mark.parametrize(
    ("text", "candidates", "concern_id"),
    [("第二个还没", ZH, "c"), ("第一个周四", ZH, "q"), ("合同签了", ZH, "c"), ("the second one not yet", EN, "c")],
)
def test_one_that_is_meant_alone_gets_the_whole(
    text: str, candidates: tuple[ConcernBrief, ...], concern_id: str
) -> None:
    found = matched(text, candidates, "q", "c")
    assert (found.concern_ids, found.parts, found.unclear) == ((concern_id,), {}, False)


@pytest.mark.parametrize("text", ["1. 周四 2. 签了", "第一个周四，第二个还没", "1. Thursday 2. signed"])
def test_numbers_mean_nothing_without_a_list(text: str) -> None:
    assert matched(text, ZH).unclear


def test_a_number_that_is_over_or_not_there_is_asked_about() -> None:
    assert matched("1. 周四 3. 签了", ZH, "q", "c").unclear
    assert matched("1. 周四 2. 签了", ZH, "q", "gone").unclear
    assert matched("1. 周四 1. 周五", ZH, "q", "c").unclear


def test_days_of_the_month_are_no_numbers_of_the_list() -> None:
    assert matched("1号给报价，2号签合同", ZH, "c", "q").parts == {"q": "1号给报价", "c": "2号签合同"}


REPORTS = (
    brief("v", "v2.0 什么时候能提测", "拿到张三关于「v2.0 什么时候能提测」的具体时间"),
    brief("d", "发日报", "张三办好：发日报"),
)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("今天日报：1. 支付模块提测了 2. v2.0 还在改", ("d",)),
        ("日报：v2.0 后端提测，数据迁移合了", ("d",)),
        ("v2.0：周四提测", ("v",)),
        ("v2.0 周四提测，发你邮箱了", ("v",)),
        ("v2.0：周四；日报：今晚发", ("v", "d")),
    ],
)
def test_what_stands_under_a_heading_is_one_thing(text: str, where: tuple[str, ...]) -> None:
    assert set(matched(text, REPORTS).concern_ids) == set(where)


OVER = brief("o", "发票抬头写哪家", "得到张三关于「发票抬头写哪家」的答复")


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("更正一下，抬头写分公司", True),
        ("抬头写分公司，报价周四给", False),
        ("周四", False),
        ("好的", False),
        ("合同签了", False),
    ],
)
def test_words_on_what_is_over_are_told_from_an_answer(text: str, over: bool) -> None:
    assert speaks_of_what_is_over(text, NOW, OVER, ZH) is over
