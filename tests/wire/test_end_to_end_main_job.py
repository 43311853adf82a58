"""The main job over Telegram: people are asked, they answer, the owner is told; by the rules and with a model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.concern.model import CommStatus, Status
from tests.wire.botapi import BotApi
from tests.wire.botapi.harness import bot_api
from tests.wire.fake_openai import fake_openai
from tests.wire.house import ASK_BOTH, LISI, OWNER, PEOPLE, ZHANGSAN, bot, mind, model

pytestmark = pytest.mark.wire

HALF_AN_HOUR = timedelta(minutes=31)
ROUND_THE_CLOCK = {"working_hours": "00:00-24:00", "working_days": "daily", "quiet_hours": ""}
ALWAYS_THERE: dict[str, Any] = {
    "owner": {**PEOPLE["owner"], **ROUND_THE_CLOCK},
    "people": [{**person, **ROUND_THE_CLOCK} for person in PEOPLE["people"]],
}


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


async def test_two_people_are_asked_and_the_owner_gets_the_whole(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        ack = await it.answer_to(OWNER, ASK_BOTH)
        assert "张三" in ack.text
        assert "李四" in ack.text
        for delegate in (ZHANGSAN, LISI):
            asked = await it.hears(delegate, "v2.0")
            assert "老板" in asked.text
        await it.idle()
        it.advance(HALF_AN_HOUR)
        await it.hears(OWNER, "已经联系")
        it.says(LISI, "前端部分周四能提测")
        it.advance(HALF_AN_HOUR)
        partial = await it.hears(OWNER, "李四", "周四")
        assert "张三" in partial.text
        it.says(ZHANGSAN, "后端周五提测")
        back = await it.hears(OWNER, "[回流]")
        for piece in ("前端部分周四能提测", "3月19日", "后端周五提测", "3月20日", "耗时"):
            assert piece in back.text
        await it.idle()
        (concern,) = await it.concerns()
        assert concern.status is Status.RESOLVED
        assert it.unheard(ZHANGSAN) == it.unheard(LISI) == it.unheard(OWNER) == []
        assert await it.in_doubt() == ()
    log = concern.conversation_log
    assert [entry.direction for entry in log].count("outbound") == 2
    assert [entry.text for entry in log if entry.direction == "inbound"] == ["前端部分周四能提测", "后端周五提测"]
    assert all(entry.channel == "telegram" and entry.message_id for entry in log)


async def test_silence_is_followed_up_at_the_intervals_of_the_table_and_then_let_go(
    server: BotApi, tmp_path: Path
) -> None:
    async with bot(server, tmp_path, people=ALWAYS_THERE) as it:
        await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(ZHANGSAN, "v2.0")
        for hours in (4, 8, 24):
            await it.idle()
            sent_at = it.clock.now()
            it.clock.set(sent_at + timedelta(hours=hours, minutes=-5))
            await it.idle()
            assert it.unheard(ZHANGSAN) == []
            it.clock.set(sent_at + timedelta(hours=hours, seconds=1))
            assert "v2.0" in (await it.hears(ZHANGSAN)).text
        await it.idle()
        it.advance(timedelta(hours=24, seconds=1))
        await it.hears(OWNER, "放下")
        (concern,) = await it.concerns()
        assert concern.status is Status.DROPPED
        assert [p.comm_status for p in concern.delegates] == [CommStatus.NO_ANSWER]
        assert it.unheard(ZHANGSAN) == []


async def test_a_quoted_message_says_which_of_two_matters_is_answered(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await it.answer_to(OWNER, "帮我问一下张三，合同什么时候能签")
        first = await it.hears(ZHANGSAN, "合同")
        await it.answer_to(OWNER, "帮我问一下张三，发票什么时候能开")
        await it.hears(ZHANGSAN, "发票")
        it.says(ZHANGSAN, "周四", reply_to=first.message_id)
        back = await it.hears(OWNER, "[回流]")
        assert "合同" in back.text
        assert "发票" not in back.text
        await it.idle()
        contract, invoice = await it.concerns()
        assert (contract.status, invoice.status) == (Status.RESOLVED, Status.WAITING_REPLY)


async def test_an_order_edited_after_it_went_out_is_corrected_with_those_asked(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        order = it.says(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(OWNER)
        await it.hears(ZHANGSAN, "v2.0")
        server.user_edits(OWNER, order, "帮我问一下张三，v3.0 什么时候能提测")
        await it.hears(ZHANGSAN, "v3.0")
        await it.hears(OWNER)
        await it.idle()
        (concern,) = await it.concerns()
        assert concern.status.is_open


async def test_in_a_group_only_what_is_said_to_the_bot_is_heard(server: BotApi, tmp_path: Path) -> None:
    group = -4001
    server.add_group(group)
    async with bot(server, tmp_path) as it:
        it.says(OWNER, "帮我问一下张三，合同什么时候能签", chat=group)
        it.says(OWNER, f"@{server.world.username} 帮我问一下张三，v2.0 什么时候能提测", chat=group)
        await it.hears(ZHANGSAN, "v2.0")
        await it.idle()
        (concern,) = await it.concerns()
        assert "合同" not in concern.title
        # The answer belongs where the question was asked.
        assert "张三" in (await it.hears(group)).text
        assert it.unheard(OWNER) == []


@pytest.mark.parametrize(
    ("kind", "value", "ref"),
    [
        ("photo", [{"file_id": "F-photo", "file_unique_id": "u", "width": 9, "height": 9}], "F-photo"),
        ("voice", {"file_id": "F-voice", "file_unique_id": "u", "duration": 3}, "F-voice"),
        ("document", {"file_id": "F-doc", "file_unique_id": "u", "file_name": "周报.pdf"}, "F-doc"),
    ],
)
async def test_a_file_from_a_delegate_is_named_in_the_log_and_handed_on(
    server: BotApi, tmp_path: Path, kind: str, value: Any, ref: str
) -> None:
    async with bot(server, tmp_path) as it:
        await it.answer_to(OWNER, "帮我问一下张三，周报写好了没有")
        await it.hears(ZHANGSAN, "周报")
        it.says(ZHANGSAN, **{kind: value}, caption="在这里")
        handed = await it.hears(OWNER, "张三", "在这里")
        assert handed.file == ref
        await it.idle()
        (concern,) = await it.concerns()
        said = next(entry.text for entry in concern.conversation_log if entry.direction == "inbound")
        names = {"photo": "图片", "voice": "语音", "document": "周报.pdf"}
        assert "在这里" in said
        assert names[kind] in said


WITH_A_MODEL: dict[str, Any] = {
    "judge": {"decision": "raise", "targets": [], "unclear": False, "reason": "wants people asked"},
    "extract": {"tendencies": ["问张三李四 v2.0 什么时候能提测"]},
    "evaluate": {
        "ok": True,
        "need_confirm": False,
        "type": "immediate",
        "when": None,
        "primary_action_chain": [{"key": "0", "value": ["raise_concern"]}],
        "parameters": [
            {
                "key": "raise_concern",
                "value": [
                    {"key": "people", "value": ["p_zhangsan", "p_lisi"]},
                    {"key": "title", "value": "v2.0 提测时间"},
                    {"key": "goal", "value": "张三和李四各自给出具体的提测时间"},
                ],
            }
        ],
        "refusal": None,
        "reason": "",
        "unknown_people": [],
        "ambiguous": [],
    },
    "compose": {"text": "辛苦，v2.0 哪天能提测？"},
}


def assessed(prompt: str) -> dict[str, Any]:
    who = "p_lisi" if "当事人：p_lisi" in prompt else "p_zhangsan"
    words = "周四提测" if who == "p_lisi" else "周五提测"
    return {
        "goal_met": words in prompt,
        "summary": "模型的总结",
        "key_information": words if words in prompt else None,
        "attitudes": [{"key": who, "value": {"attitude": "answered", "promised_time": None, "names_other": None}}],
        "messages": [],
        "next_action": None,
        "escalate_to": None,
        "owner_update": None,
        "needs_decision": False,
    }


async def test_with_a_model_it_is_the_models_words_that_go_out(server: BotApi, tmp_path: Path) -> None:
    async with fake_openai() as answers:
        answers.otherwise = mind({**WITH_A_MODEL, "assess": assessed})
        async with model(answers, timeout_s=20) as brain, bot(server, tmp_path, brain=brain) as it:
            ack = await it.answer_to(OWNER, ASK_BOTH)
            assert "张三" in ack.text
            for delegate in (ZHANGSAN, LISI):
                assert "辛苦，v2.0 哪天能提测？" in (await it.hears(delegate)).text
            it.says(LISI, "周四提测")
            it.says(ZHANGSAN, "周五提测")
            back = await it.hears(OWNER, "[回流]")
            for piece in ("v2.0 提测时间", "周四提测", "周五提测"):
                assert piece in back.text
            assert it.unheard(ZHANGSAN) == it.unheard(LISI) == []
    assert set(answers.forms) == {"json_schema"}
    seen_for_zhangsan = [str(body) for body in answers.requests if "当事人：p_zhangsan" in str(body)]
    assert seen_for_zhangsan
    assert not any("周四提测" in body for body in seen_for_zhangsan)


async def test_twelve_thousand_characters_arrive_whole_and_in_order(server: BotApi, tmp_path: Path) -> None:
    items = "".join(f"第{n}条：这一项已经核对👍，没有问题。" for n in range(620))
    assert len(items) > 12_000
    small_talk = {"decision": "converse", "targets": [], "unclear": False, "reason": ""}
    async with fake_openai() as answers:
        answers.otherwise = mind({"judge": small_talk, "converse": {"text": items}})
        async with model(answers, timeout_s=20) as brain, bot(server, tmp_path, brain=brain) as it:
            await it.answer_to(OWNER, "把清单念一遍")
            await it.hears(OWNER, "第619条")
            parts = [sent.text for sent in server.sent_to(OWNER)]
    assert all(len(part.encode("utf-16-le")) // 2 <= 4096 for part in parts)
    assert "".join(parts) == items
