"""A model on its server finds what is to be done: each ability once, from words over Telegram to what comes of it.

What the model answers here is what a good one would. Where it is said in the sender's words it goes at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.concern.model import ConcernType, Status
from core.hub.abilities.tasks import task_progress
from core.ids import PersonId
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.fake_openai import Behaviour, FakeOpenAI, fails, fake_openai, says, stalls, web
from tests.wire.house import LISI, OWNER, ZHANGSAN, Bot, asked_in, bot, mind, model

pytestmark = pytest.mark.wire

ME = PersonId("p_owner")
CHAT = {"decision": "converse", "targets": [], "unclear": False, "reason": ""}
ORDER = {**CHAT, "decision": "raise"}
ASK = "帮我问一下张三，v2.0 什么时候能提测"
MONEY = "让张三把尾款三万打给供应商"


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


@pytest.fixture
async def answers() -> AsyncIterator[FakeOpenAI]:
    async with fake_openai() as running:
        yield running


def pairs(values: dict[str, Any]) -> list[dict[str, Any]]:
    """A map as strict servers write it."""
    return [{"key": key, "value": value} for key, value in values.items()]


def found(when: str | None = None, *, need_confirm: bool = False, **steps: dict[str, Any]) -> dict[str, Any]:
    """An evaluation: these abilities one after the other, with their parameters."""
    return {
        "ok": True,
        "need_confirm": need_confirm,
        "type": "planned" if when else "immediate",
        "when": when,
        "working_days": False,
        "primary_action_chain": [{"key": str(n), "value": [key]} for n, key in enumerate(steps)],
        "parameters": [{"key": key, "value": pairs(given)} for key, given in steps.items()],
        "refusal": None,
        "missing": None,
        "reason": "",
        "unknown_people": [],
        "ambiguous": [],
    }


def asks(text: str, evaluation: dict[str, Any]) -> dict[str, Any]:
    """What the model says to a message that is an order."""
    return {
        "judge": ORDER,
        "extract": {"tendencies": [text]},
        "evaluate": evaluation,
        "compose": {"text": f"打扰了，{text}"},
    }


async def kinds(it: Bot) -> list[str]:
    """What is kept for later, by kind."""
    schedules = [c for c in await it.concerns() if c.type is ConcernType.SCHEDULE and c.status.is_open]
    expected = await it.look(lambda repos: repos.agenda.expectations(ME))
    watched = await it.look(lambda repos: repos.agenda.watches(ME))
    return ["schedule"] * len(schedules) + ["expectation"] * len(expected) + ["watch"] * len(watched)


@dataclass(frozen=True)
class Case:
    """An order, what the model makes of it, and what is seen: by the owner, by 张三, and kept for later."""

    text: str
    evaluation: dict[str, Any]
    owner: tuple[str, ...] = ()
    zhangsan: str | None = None
    kept: list[str] = field(default_factory=list)


TODAY = "2026-03-16T18:00:00+08:00"
TOMORROW = "2026-03-17T10:00:00+08:00"
NEW: dict[str, Case] = {
    "raise_concern": Case(
        "问问张三 v2.1 哪天能发布",
        found(raise_concern={"people": ["p_zhangsan"], "title": "v2.1 发布", "goal": "拿到张三的具体发布日期"}),
        owner=("张三",),
        zhangsan="v2.1",
    ),
    "send_message": Case(
        "跟张三说一声会议改到三点",
        found(send_message={"people": ["p_zhangsan"], "text": "会议改到三点"}),
        owner=("张三",),
        zhangsan="会议改到三点",
    ),
    "remind": Case(
        "明天十点记得提醒我交报表",
        found(TOMORROW, remind={"people": [], "text": "交报表"}),
        owner=("交报表", "10:00"),
        kept=["schedule"],
    ),
    "schedule": Case(
        "明天十点再跟我说说还有什么没办完",
        found(TOMORROW, schedule={"text": "还有什么没办完"}),
        owner=("10:00",),
        kept=["schedule"],
    ),
    "raise_concern planned": Case(
        "每周一早上九点问张三周报写了没有",
        found(
            "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0",
            raise_concern={"people": ["p_zhangsan"], "title": "周报", "goal": "张三确认周报写了没有"},
        ),
        owner=("张三", "周一"),
        kept=["schedule"],
    ),
    "expect": Case(
        "盯着张三每天下午六点前发日报",
        found(expect={"person": "p_zhangsan", "what": "发日报", "due": "FREQ=DAILY;BYHOUR=18;BYMINUTE=0"}),
        owner=("张三", "日报"),
        kept=["expectation"],
    ),
    "watch": Case("留意一下客户那边的动静", found(watch={"what": "客户那边的动静"}), owner=("客户",), kept=["watch"]),
    "look_up_person": Case("张三几点上班", found(look_up_person={"person": "p_zhangsan"}), owner=("张三", "09:00")),
    "invite_person": Case("给张三发个邀请", found(invite_person={"person": "p_zhangsan"}), owner=("张三", "?start=")),
    "look_up_facts": Case(
        "李四说过预算的事没有", found(look_up_facts={"words": "预算", "person": "p_lisi"}), owner=("预算批了",)
    ),
}


@pytest.mark.parametrize("name", NEW)
async def test_an_order_in_the_sender_s_words_goes_at_once(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path, name: str
) -> None:
    case = NEW[name]
    answers.otherwise = mind(asks(case.text, case.evaluation))
    async with model(answers, timeout_s=20) as brain, bot(server, tmp_path, brain=brain) as it:
        it.says(LISI, "预算批了，别的没了")
        await it.hears(OWNER, "预算批了")
        it.says(OWNER, case.text)
        await it.hears(OWNER, *case.owner)
        if case.zhangsan is not None:
            await it.hears(ZHANGSAN, case.zhangsan)
        await it.idle()
        assert await kinds(it) == case.kept
        assert not any("确认的话" in text for text in it.unheard(OWNER))
    put = Counter(asked_in(body) for body in answers.requests)
    assert put["extract"] == put["evaluate"] == 1
    assert set(answers.forms) == {"json_schema"}


OPEN: dict[str, tuple[str, Callable[[str], dict[str, Any]], str, str | None]] = {
    "advance_concern": (
        "再催一下张三提测的事",
        lambda c: found(advance_concern={"concern_ids": [c], "message": None}),
        "张三",
        "v2.0",
    ),
    "check_concerns": (
        "提测的事怎么样了",
        lambda c: found(check_concerns={"person": None, "concern_ids": [c], "detail": "standing"}),
        "v2.0",
        None,
    ),
    "update_concern": (
        "提测的事改成很急，今天就要",
        lambda c: found(
            update_concern={"concern_ids": [c], "words": "今天就要", "priority": "high", "deadline": TODAY}
        ),
        "v2.0",
        "今天就要",
    ),
    "cancel_concern": (
        "提测的事不用问了",
        lambda c: found(cancel_concern={"concern_ids": [c]}),
        "v2.0",
        "不用",
    ),
}


@pytest.mark.parametrize("name", OPEN)
async def test_what_is_open_is_asked_after_changed_and_let_go(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path, name: str
) -> None:
    text, evaluation, owner, zhangsan = OPEN[name]
    first = found(raise_concern={"people": ["p_zhangsan"], "title": "v2.0 提测时间", "goal": "拿到张三的具体提测时间"})
    answers.otherwise = mind(asks(ASK, first))
    async with model(answers, timeout_s=20) as brain, bot(server, tmp_path, brain=brain) as it:
        await it.answer_to(OWNER, ASK)
        await it.hears(ZHANGSAN, "v2.0")
        await it.idle()
        (concern,) = await it.concerns()
        answers.otherwise = mind(asks(text, evaluation(concern.concern_id)))
        it.advance(timedelta(minutes=40))
        it.says(OWNER, text)
        await it.hears(OWNER, owner)
        if zhangsan is not None:
            await it.hears(ZHANGSAN, zhangsan)
        await it.idle()
        (concern,) = await it.concerns()
        assert (concern.status is Status.DROPPED) == (name == "cancel_concern")
        if name == "update_concern":
            assert concern.priority == "high"


async def test_a_deep_task_takes_its_steps_and_hands_over_the_result(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path
) -> None:
    text = "把李四这周说过的预算进展理一遍"

    def work(prompt: str) -> dict[str, Any]:
        if "预算批了" not in prompt.partition("第 1 步")[2]:
            wish = pairs({"words": "预算", "person": "p_lisi"})
            return {"tool": "look_up_facts", "parameters": wish, "result": None}
        return {"tool": None, "parameters": [], "result": "李四说预算批了。"}

    answers.otherwise = mind({**asks(text, found(deep_task={"goal": text, "steps": 4})), "work": work})
    async with model(answers, timeout_s=20) as brain, bot(server, tmp_path, brain=brain) as it:
        it.says(LISI, "预算批了，别的没了")
        await it.hears(OWNER, "预算批了")
        it.says(OWNER, text)
        await it.hears(OWNER, "预算")
        await it.hears(OWNER, "李四说预算批了。")
        await it.idle()
        (task,) = await it.look(task_progress)
    assert task.tokens_used == 2 * 110, "as the server counts them"
    assert Counter(asked_in(body) for body in answers.requests)["work"] == 2


async def test_what_waits_is_changed_by_the_model_and_money_still_wants_a_yes(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path
) -> None:
    def pay(amount: str) -> dict[str, Any]:
        wish = {
            "people": ["p_zhangsan"],
            "title": f"尾款{amount}打给供应商",
            "goal": f"张三把尾款{amount}打给供应商",
            "message": f"把尾款{amount}打给供应商",
        }
        return found(raise_concern=wish)

    answers.otherwise = mind(asks(MONEY, pay("三万")))
    async with model(answers, timeout_s=20) as brain, bot(server, tmp_path, brain=brain) as it:
        assert "确认" in (await it.answer_to(OWNER, MONEY)).labels
        amend = {**CHAT, "decision": "amend"}
        answers.otherwise = mind({**asks(MONEY, pay("两万")), "judge": amend})
        again = await it.answer_to(OWNER, "金额改成两万")
        assert "两万" in again.text
        assert "待确认" in answers.requests[-1]["messages"][1]["content"]
        await it.idle()
        assert server.sent_to(ZHANGSAN) == []
        await it.press(OWNER, again, "确认")
        await it.hears(ZHANGSAN)
        (concern,) = await it.concerns()
        assert "两万" in concern.goal


SICK: dict[str, Behaviour] = {
    "malformed": says({"wrong": 1}),
    "refused": fails(400, "content_filter"),
    "timeout": stalls(),
}


@pytest.mark.parametrize("question", ["judge", "extract", "evaluate"])
@pytest.mark.parametrize("fault", SICK)
async def test_a_model_that_fails_on_the_way_loses_no_order(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path, fault: str, question: str
) -> None:
    first = found(raise_concern={"people": ["p_zhangsan"], "title": "v2.0 提测时间", "goal": "拿到张三的具体提测时间"})
    answers.otherwise = failing(question, SICK[fault], mind(asks(ASK, first)))
    async with model(answers, timeout_s=0.5) as brain, bot(server, tmp_path, brain=brain) as it:
        ack = await it.answer_to(OWNER, ASK)
        assert "张三" in ack.text
        assert "简单模式" in ack.text
        await it.hears(ZHANGSAN, "v2.0")
        await it.idle()
        assert len(server.sent_to(ZHANGSAN)) == 1
        assert len(await it.concerns()) == 1
    way = ["judge", "extract", "evaluate"]
    plan = way.index(question) + 1
    asked = [body for body in answers.requests if asked_in(body) in way]
    assert plan <= len(asked) <= plan + 3


@pytest.mark.parametrize("fault", SICK)
async def test_a_task_whose_step_fails_is_asked_again_and_comes_to_its_result(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path, fault: str
) -> None:
    text = "把李四这周说过的预算进展理一遍"
    good = mind(
        {
            **asks(text, found(deep_task={"goal": text, "steps": 4})),
            "work": {"tool": None, "parameters": [], "result": "李四说预算批了。"},
        }
    )
    answers.otherwise = failing("work", SICK[fault], good)
    async with model(answers, timeout_s=0.5) as brain, bot(server, tmp_path, brain=brain) as it:
        it.says(OWNER, text)
        await it.hears(OWNER, "预算")
        await server.until(lambda: any(asked_in(body) == "work" for body in answers.requests), 20)
        await it.idle()
        assert it.unheard(OWNER) == []
        answers.otherwise = good
        it.advance(timedelta(seconds=31))
        await it.hears(OWNER, "李四说预算批了。")


def failing(question: str, sick: Behaviour, good: Behaviour) -> Behaviour:
    """A model that fails at one question and answers the others."""

    async def behave(server: FakeOpenAI, request: web.Request) -> web.StreamResponse:
        return await (sick if asked_in(server.requests[-1]) == question else good)(server, request)

    return behave
