"""What a model proposes is held against the sender's own words: what they bear goes, the rest waits or is let go."""

from __future__ import annotations

from typing import Any

import pytest

from core.action.grounding import borne, own_judgement, own_tendencies
from core.action.meta_actions import available_meta_actions
from core.action.model import EvaluatorResult
from core.brain.questions import (
    ConcernBrief,
    Evaluate,
    Extract,
    Judge,
    Judgement,
    Line,
    PendingAction,
    PersonBrief,
    WaitingPoint,
)
from core.people import Role
from tests.contract.questions import LISI, NOW, ZHANGSAN

MATTER = ConcernBrief(
    concern_id="con_20260316_001", title="v2.0 提测时间", goal="拿到张三的具体提测时间", people=(ZHANGSAN,)
)
OTHER = ConcernBrief(concern_id="con_20260316_002", title="报价", goal="拿到李四的报价单", people=(LISI,))
SAID = Line(who="清海", text="张三说：周四。另外让李四把样机寄到城东仓库", at=NOW, ours=True)
WANGWU = PersonBrief(person_id="p_wangwu", name="王五")


def evaluated(text: str, steps: dict[str, dict[str, Any]], when: str | None = None, **more: Any) -> EvaluatorResult:
    question = Evaluate(
        tendency=more.pop("tendency", text),
        text=text,
        now=NOW,
        sender_id="p_owner",
        contacts=(ZHANGSAN, LISI, WANGWU),
        concerns=(MATTER,),
        available_meta_actions=available_meta_actions(Role.OWNER),
        recent=(SAID,),
    ).model_copy(update=more)
    chain = {n: (key,) for n, key in enumerate(steps)}
    result = EvaluatorResult(ok=True, primary_action_chain=chain, parameters=steps, when=when)
    return borne(result, question)


def asks(who: str, what: str, **more: Any) -> dict[str, dict[str, Any]]:
    return {"raise_concern": {"people": [who], "title": what, "goal": f"拿到对{what}的答复", **more}}


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("帮我问一下李四，报价单好了没有", asks("p_lisi", "报价单")),
        ("得让李四知道会议挪到三点了", {"send_message": {"people": ["p_lisi"], "text": "会议挪到三点了"}}),
        ("李四那边的报价你盯一下，好了喊我", {"watch": {"what": "李四的报价好了", "person": "p_lisi"}}),
        ("再催一下张三提测的事", {"advance_concern": {"concern_ids": ["con_20260316_001"]}}),
        ("张三那件不用问了", {"cancel_concern": {"concern_ids": ["con_20260316_001"]}}),
        ("明早九点提醒我交报表", {"remind": {"text": "交报表"}}),
        ("把这周张三说过的进展理一遍", {"deep_task": {"goal": "整理张三这周说过的进展"}}),
        ("张三那边怎么样了", {"check_concerns": {"concern_ids": ["con_20260316_001", "con_20260316_009"]}}),
        ("Ask 李四 when the quote is ready", asks("p_lisi", "the quote", message="when is the quote ready?")),
        ("问问李四报价单好了没有", asks("p_lisi", "the quote", message="Is the quote ready?")),
    ],
)
def test_what_the_words_say_goes_at_once(text: str, steps: dict[str, dict[str, Any]]) -> None:
    assert not evaluated(text, steps).need_confirm


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        pytest.param("帮我问一下李四，报价单好了没有", asks("p_wangwu", "报价单"), id="somebody else"),
        pytest.param(
            "帮我问一下李四，报价单好了没有",
            {**asks("p_lisi", "报价单"), "cancel_concern": {"concern_ids": ["con_20260316_001"]}},
            id="a second deed",
        ),
        pytest.param(
            "帮我问一下李四，报价单好了没有",
            asks("p_lisi", "报价单", message="报价单好了没有？另外让李四把样机寄到城东仓库"),
            id="words of others",
        ),
        pytest.param("帮我问一下李四，报价单好了没有", asks("p_lisi", "样机"), id="about something else"),
        pytest.param("辛苦了", {"invite_person": {"person": "p_wangwu"}}, id="an invite"),
        pytest.param("辛苦了", {"schedule": {"text": "让李四把样机寄走"}}, id="words for later"),
        pytest.param(
            "张三那件不用问了",
            {"cancel_concern": {"concern_ids": ["con_20260316_001", "con_20260316_002"]}},
            id="more than was called off",
        ),
    ],
)
def test_what_they_do_not_say_waits_for_a_yes(text: str, steps: dict[str, dict[str, Any]]) -> None:
    concerns = (MATTER, OTHER)
    assert evaluated(text, steps, concerns=concerns).need_confirm


@pytest.mark.parametrize(
    ("text", "when", "needs"),
    [
        ("明早九点提醒我交报表", "2026-03-17T09:00:00+08:00", False),
        ("明早九点提醒我交报表", "2026-03-17T09:00:00", False),
        ("九点提醒我交报表", "2026-03-16T21:00:00+08:00", False),
        ("明天提醒我交报表", "2026-03-17T08:30:00+08:00", False),
        ("周三下午三点交报表，提前半小时提醒我", "2026-03-18T14:30:00+08:00", False),
        ("晚点提醒我交报表", "2026-03-16T15:00:00+08:00", False),
        ("明早九点提醒我交报表", "2026-03-18T09:00:00+08:00", True),
        ("周三不行，周四提醒我交报表", "2026-03-18T09:00:00+08:00", True),
        ("下午三点提醒我交报表", "2026-03-16T16:00:00+08:00", True),
    ],
)
def test_a_time_that_goes_against_the_words_waits_for_a_yes(text: str, when: str, needs: bool) -> None:
    assert evaluated(text, {"remind": {"text": "交报表"}}, when=when).need_confirm is needs


@pytest.mark.parametrize(
    ("text", "limit", "needs"),
    [
        ("帮我问一下李四，报价单周五前要", "2026-03-20T18:00:00+08:00", False),
        ("帮我问一下李四，报价单周五前要", "2026-03-27T18:00:00+08:00", True),
        # The Friday is that of the thing, not of the answer.
        ("帮我问一下李四，周五的报价单好了没有", "2026-03-18T18:00:00+08:00", False),
    ],
)
def test_a_limit_that_goes_against_the_words_waits_for_a_yes(text: str, limit: str, needs: bool) -> None:
    assert evaluated(text, asks("p_lisi", "报价单", deadline=limit)).need_confirm is needs


def test_a_question_that_a_model_takes_for_an_order_is_answered() -> None:
    result = evaluated("张三那边怎么样了？", {"send_message": {"people": ["p_lisi"], "text": "把样机寄到城东仓库"}})
    assert result.primary_action_chain == {1: ("check_concerns",)}
    assert not result.need_confirm


def extraction(text: str) -> Extract:
    return Extract(text=text, now=NOW, contacts=(ZHANGSAN, LISI), concerns=(MATTER,))


@pytest.mark.parametrize(
    ("text", "told", "kept"),
    [
        ("辛苦了", ("让李四把样机寄走",), ()),
        ("帮我问李四报价", ("让李四把样机寄走", "告诉张三样机寄走了"), ("帮我问李四报价",)),
        ("帮我问李四报价", ("问李四报价", "让张三把样机寄走"), ("问李四报价",)),
        ("得让李四知道会议挪到三点了", ("让李四知道会议挪到三点",), ("让李四知道会议挪到三点",)),
    ],
)
def test_goals_that_nobody_has_are_let_go(text: str, told: tuple[str, ...], kept: tuple[str, ...]) -> None:
    assert own_tendencies(told, extraction(text)) == kept


def heard(text: str, decision: str, *targets: str, **more: Any) -> Judgement:
    question = Judge(text=text, role="owner", now=NOW, **{"concerns": (MATTER, OTHER), **more})
    return own_judgement(Judgement.model_validate({"decision": decision, "targets": targets}), question)


PENDING = (PendingAction(block_id="b1", summary="让李四把尾款三万打给供应商"),)


def test_a_yes_is_one_by_the_words_too() -> None:
    assert heard("可以", "confirm", "b1", pending=PENDING).decision == "confirm"
    said = heard("在吗", "confirm", "b1", pending=PENDING)
    assert (said.decision, said.unclear) == ("confirm", True)
    assert heard("不用了", "confirm", "b1", pending=PENDING).decision == "deny"
    assert heard("帮我问一下张三，周五来不来", "confirm", "b1", pending=PENDING).decision == "raise"


def test_only_what_the_words_call_off_is_called_off() -> None:
    first, second = MATTER.concern_id, OTHER.concern_id
    assert heard("张三那件不用问了", "cancel", first).targets == (first,)
    assert heard("张三那件不用问了", "cancel", first, second).targets == (first,)
    assert heard("辛苦了", "cancel", first, second).decision == "raise"


def test_small_talk_decides_nothing() -> None:
    point = WaitingPoint(concern_id=MATTER.concern_id, title=MATTER.title, question="接受临时方案吗？")
    assert heard("接受吧", "decide", MATTER.concern_id, waiting=(point,)).unclear is False
    assert heard("辛苦了", "decide", MATTER.concern_id, waiting=(point,)).unclear is True


@pytest.mark.parametrize("decision", ["raise", "converse", "watch", "ignore"])
def test_what_settles_nothing_stands(decision: str) -> None:
    assert heard("辛苦了", decision).decision == decision
