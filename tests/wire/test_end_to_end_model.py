"""A model that fails: chat and first contacts go on in the simple mode, what concerns others is asked again later."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.concern.model import Status
from core.jobs import JobKind, JobState
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.fake_openai import Behaviour, FakeOpenAI, fails, fake_openai, says, sends, stalls, web
from tests.wire.house import LISI, OWNER, ZHANGSAN, Bot, bot, mind, model

pytestmark = pytest.mark.wire

DOWN = fails(500)
GOAL_MET: dict[str, Any] = {
    "goal_met": True,
    "summary": "张三周四提测",
    "key_information": "周四提测",
    "attitudes": [{"key": "p_zhangsan", "value": {"attitude": "answered", "promised_time": None, "names_other": None}}],
    "messages": [],
    "next_action": None,
    "escalate_to": None,
    "owner_update": None,
    "needs_decision": False,
}


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


@pytest.fixture
async def answers() -> AsyncIterator[FakeOpenAI]:
    async with fake_openai() as running:
        yield running


async def test_without_the_model_the_first_contact_goes_out_and_a_reply_waits_for_it(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path
) -> None:
    answers.otherwise = DOWN
    async with model(answers) as brain, bot(server, tmp_path, brain=brain) as it:
        ack = await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        assert "模式" in ack.text
        first = await it.hears(ZHANGSAN, "v2.0")
        assert "模式" in first.text
        it.says(ZHANGSAN, "周四提测")
        await asked_again(it, 1)
        (concern,) = await it.concerns()
        assert concern.conversation_log[-1].text == "周四提测"
        assert concern.status.is_open
        answers.otherwise = mind({"assess": GOAL_MET})
        it.advance(timedelta(seconds=31))
        back = await it.hears(OWNER, "[回流]")
        assert "周四提测" in back.text
        await it.idle()
        (concern,) = await it.concerns()
        assert concern.status is Status.RESOLVED
        assert len(server.sent_to(ZHANGSAN)) == 1


async def test_after_the_third_failure_the_owner_is_told_once(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path
) -> None:
    answers.otherwise = DOWN
    async with model(answers) as brain, bot(server, tmp_path, brain=brain) as it:
        await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(ZHANGSAN)
        it.says(ZHANGSAN, "周四提测")
        for failures, wait in enumerate((31, 121, 601, 1801), start=1):
            await asked_again(it, failures)
            it.advance(timedelta(seconds=wait))
        await asked_again(it, 5)
        await it.idle()
        told = [text for text in it.unheard(OWNER) if "没有应答" in text]
        assert len(told) == 1
        answers.otherwise = mind({"assess": GOAL_MET})
        it.advance(timedelta(minutes=31))
        await it.hears(OWNER, "[回流]")


async def asked_again(it: Bot, failures: int) -> None:
    """Until the reply's assessment has failed so often."""
    async with asyncio.timeout(20):
        while not any(
            job.kind is JobKind.ADVANCE and job.attempts == failures for job in await it.jobs(JobState.PENDING)
        ):
            await asyncio.sleep(0.02)


TALKERS, EACH = 6, 10
PLAN = 2
"""A word of small talk is judged, then answered."""
MEMBERS: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": OWNER},
    "people": [{"id": f"p_{n}", "name": f"成员{n}", "telegram": 3000 + n, "role": "member"} for n in range(1, TALKERS)],
}


def moody(chance: float) -> Behaviour:
    """A model that fails in every way there is, in this part of the calls; else it makes small talk."""
    dice = random.Random(20260316)
    good = mind(
        {
            "judge": {"decision": "converse", "targets": [], "unclear": False, "reason": ""},
            "converse": {"text": "在呢。"},
        }
    )
    bad = (fails(500), fails(429), fails(400), says("对不起，我不知道"), says({"wrong": 1}), says(""),
           sends("<html>", "text/html"), sends({"error": "overloaded"}), stalls())  # fmt: skip

    async def behave(server: FakeOpenAI, request: web.Request) -> web.StreamResponse:
        chosen = dice.choice(bad) if dice.random() < chance else good
        return await chosen(server, request)

    return behave


def calls_for(answers: FakeOpenAI) -> Counter[str]:
    """By message: the one that a request is about is the newest whose mark stands in it."""
    counted: Counter[str] = Counter()
    for body in answers.requests:
        marks = {(int(talker), int(n)) for talker, n in re.findall(r"#(\d+)-(\d+)#", str(body["messages"]))}
        counted[str(max(marks))] += 1
    return counted


async def test_of_sixty_messages_each_is_answered_though_the_model_fails_in_a_third_of_all_calls(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path
) -> None:
    answers.otherwise = moody(0.3)
    waits: list[timedelta] = []

    async def talk(it: Bot, talker: int) -> None:
        user = OWNER if talker == 0 else 3000 + talker
        for n in range(EACH):
            asked = it.clock.now()
            it.says(user, f"今天过得怎么样 #{talker}-{n}#")
            await it.hears(user, timeout=60)
            waits.append(it.clock.now() - asked)

    async with (
        model(answers, timeout_s=1.5) as brain,
        bot(server, tmp_path, brain=brain, people=MEMBERS, answer_within=timedelta(seconds=20)) as it,
    ):
        await asyncio.gather(*(talk(it, talker) for talker in range(TALKERS)))
        await it.idle()
    assert len(waits) == TALKERS * EACH
    assert max(waits) < timedelta(seconds=60)
    assert len(server.sent) == TALKERS * EACH
    calls = calls_for(answers)
    assert len(calls) == TALKERS * EACH
    assert max(calls.values()) <= PLAN + 3
    assert any("简单模式" in sent.text for sent in server.sent)
    assert any(sent.text == "在呢。" for sent in server.sent)
