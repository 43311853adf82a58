"""/jobs, /sent and /resend: what is shown of the queue, to whom, and what can be decided about a doubt."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.commands.reasons import reason_word
from core.context.workspace import Block, BlockKind
from core.effects import Expire, Outgoing, Purpose, Send, Words
from core.hub.commit import apply
from core.ids import ConcernId, ConversationId, PersonId
from core.jobs import JobState
from core.ports import SentMessage
from tests.flow.command_world import ADMIN, LISI, MEMBER, NOON, OWNER, ZHANGSAN, World

SECRET = "保密的内容"
TASK = {
    "task_id": "b", "goal": "理一遍", "errand": {}, "steps": 8, "state": "done",
    "started_at": NOON.isoformat(), "expires_at": NOON.isoformat(),
}  # fmt: skip
NO_ANSWER = "telegram: no answer from Telegram (ReadTimeout); the message may have arrived"


def queue(world: World, key: str, *, to: str | None = "p_zhangsan", due: timedelta = timedelta(), **more: Any) -> None:
    message = Outgoing(
        purpose=more.pop("purpose", Purpose.NOTICE), to=PersonId(to) if to else None, words=Words(text=SECRET)
    ).model_copy(update=more)
    world.store.run_now(lambda repos: apply(repos, Send(key=key, due=NOON + due, message=message)))


def doubt(world: World, key: str, **more: Any) -> int:
    """A message that was sent and may not have arrived; its number."""
    queue(world, key, **more)

    def fall(repos: Any) -> int:
        (claimed,) = repos.jobs.claim(NOON, 1)
        message = Outgoing.model_validate_json(claimed.job.payload)
        repos.jobs.sending(key)
        repos.jobs.in_doubt(key, NO_ANSWER)
        receipt = SentMessage(
            job_key=key, channel="telegram", chat="9", message_id=None, purpose=message.purpose, to=message.to,
            concern_id=message.concern_id, text=SECRET, at=NOON - timedelta(minutes=5),
        )  # fmt: skip
        repos.receipts.add(receipt)
        return int(repos.queue.number_of(key))

    return world.store.run_now(fall)


def fail(world: World, key: str, reason: str, times: int | None) -> None:
    """Tried so often, and put off; None: given up."""
    queue(world, key)

    def change(repos: Any) -> None:
        repos.jobs.claim(NOON, 1)
        if times is None:
            repos.jobs.dead(key, reason)
        else:
            repos.jobs.retry(key, NOON + timedelta(minutes=5), times, reason)

    world.store.run_now(change)


def state(world: World, key: str) -> JobState:
    return world.store.run_now(lambda repos: repos.jobs.get(key)).state


def contacted(world: World, initiator: str = "p_member") -> ConcernId:
    concern_id = world.raise_concern("v2.0 提测", initiator)
    world.contact(concern_id, "p_zhangsan")
    world.sent()
    return concern_id


async def test_an_empty_queue_says_so(world: World) -> None:
    assert (await world.answer(OWNER, "/jobs")).text == "没有排队的活，也没有没办成的。"


async def test_the_queue_is_told_in_peoples_words_and_without_contents(world: World) -> None:
    concern_id = contacted(world)
    doubt(world, "d", purpose=Purpose.FIRST_CONTACT, concern_id=concern_id)
    fail(world, "f", "telegram: Telegram cannot be reached (ConnectError)", 3)
    fail(world, "g", "telegram: Telegram refused the message: Forbidden: bot was blocked by the user", None)
    queue(world, "n", due=timedelta(hours=1), to=None, conversation=ConversationId("telegram:-77"))
    text = await shown(world, ADMIN)
    assert text.splitlines()[0] == "排队 1 · 重试 1 · 不确定 1 · 没办成 1"
    for line in (
        "1. 给张三的首次联系：v2.0 提测 · 今天 11:55 · 发出去没等到回音",
        "· 给张三的知会 · 试了 3 次，今天 12:05 再试 · 渠道连不上",
        "· 给张三的知会 · 对方收不了",
        "· 今天 13:00 知会",
    ):
        assert line in text.splitlines()
    for inner in (SECRET, "telegram", "-77", "Connect", "Forbidden", "p_zhangsan", concern_id):
        assert inner not in text


async def shown(world: World, number: str) -> str:
    """The page, with what is queued left where it is."""
    stored = world.fact(number, "/jobs")
    assert await world.commands.handle(stored)
    key = f"command:f{stored.fact_id}"
    return world.store.run_now(lambda repos: world._in_words(repos, _message(repos, key))).text


def _message(repos: Any, key: str) -> Outgoing:
    return Outgoing.model_validate_json(repos.jobs.get(key).payload)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (BlockKind.ACTIONS_NEED_CONFIRMATION, "一个没确认的操作到期"),
        (BlockKind.WHICH_CONCERN, "一个没回答的问题到期"),
        (BlockKind.DEEP_TASK, "收起一件查过的事"),
        (None, "一个没确认的操作到期"),
    ],
)
async def test_what_lapses_is_named_by_what_it_is(world: World, kind: BlockKind | None, line: str) -> None:
    until = NOON + timedelta(hours=1)

    def put(repos: Any) -> None:
        if kind is not None:
            block = Block(
                block_id="b", kind=kind, owner=PersonId("p_owner"), conversation=ConversationId("telegram:1"),
                message_id=None, content=TASK if kind is BlockKind.DEEP_TASK else {}, summary="", created_at=NOON,
                expires_at=until,
            )  # fmt: skip
            repos.blocks.add(block)
        apply(repos, Expire(key="expire:b", due=until, block_id="b"))

    world.store.run_now(put)
    assert f"· 今天 13:00 {line}" in (await shown(world, ADMIN)).splitlines()


async def test_pages_are_turned_by_button(world: World) -> None:
    for number in range(11):
        doubt(world, f"d{number}")
    first = await world.answer(OWNER, "/jobs")
    assert "第 1/2 页" in first.text
    assert first.labels[:2] == ["1 当作已发", "1 再发一次"]
    assert first.labels[-1] == "下一页 ›"
    second = await world.press(OWNER, first.data[-1])
    assert [line[0] for line in second.text.splitlines() if "知会" in line] == ["1", "2", "3"]
    assert second.labels[-1] == "‹ 上一页"


async def test_what_is_to_come_is_counted_whole_and_listed_in_part(world: World) -> None:
    for number in range(40):
        queue(world, f"n{number}", due=timedelta(hours=1 + number))
    said = await world.answer(OWNER, "/jobs")
    assert said.text.splitlines()[0] == "排队 40"
    assert "第 1/2 页" in said.text


@pytest.mark.parametrize("number", [MEMBER, ZHANGSAN, LISI])
async def test_the_queue_is_for_owner_and_admin(world: World, number: str) -> None:
    said = await world.answer(number, "/jobs")
    assert "/jobs" in said.text
    assert "/help" in said.text


async def test_words_after_it_are_a_usage_error(world: World) -> None:
    assert "用法：/jobs" in (await world.answer(OWNER, "/jobs 全部")).text


async def test_a_report_in_doubt_goes_out_again_in_its_own_words(world: World) -> None:
    concern_id = contacted(world, "p_owner")
    number = doubt(world, "r", to="p_owner", concern_id=concern_id)
    world.store.run_now(_as_report)
    sent = await world.say(OWNER, f"/resend {number}")
    assert SECRET in [said.text for said in sent]
    assert state(world, "r") is JobState.DONE


def _as_report(repos: Any) -> None:
    repos.queue.db.execute_sql("UPDATE jobs SET kind = 'report' WHERE key = 'r'")


# --- deciding ---


async def test_an_initiator_decides_about_their_own_and_nobody_elses(world: World) -> None:
    mine = doubt(world, "mine", purpose=Purpose.FIRST_CONTACT, concern_id=contacted(world, "p_member"))
    others = doubt(world, "others", purpose=Purpose.FIRST_CONTACT, concern_id=contacted(world, "p_owner"))
    loose = doubt(world, "loose")
    for number in (others, loose):
        for verb in ("sent", "resend"):
            said = await world.press(MEMBER, f"cmd:{verb} {number}")
            assert "没有这样一条" in said.text
            assert "张三" not in said.text
    assert (state(world, "others"), state(world, "loose")) == (JobState.IN_DOUBT, JobState.IN_DOUBT)
    assert (await world.press(MEMBER, f"cmd:sent {mine}")).text == "好，发给张三的那条当作已发。"
    assert state(world, "mine") is JobState.DONE
    assert (await world.press(OWNER, f"cmd:resend {mine}")).text == "这条已经定过了。"


async def test_a_press_sends_once_more_and_a_second_one_does_not(world: World) -> None:
    concern_id = contacted(world)
    number = doubt(world, "d", purpose=Purpose.FIRST_CONTACT, concern_id=concern_id)
    sent = await world.say(MEMBER, f"/resend {number}")
    assert sorted(said.to for said in sent) == ["p_member", "p_zhangsan"]
    assert sum(said.text == SECRET for said in sent) == 1
    assert (await world.answer(MEMBER, f"/resend {number}")).text == "这条已经定过了。"


@pytest.mark.parametrize(
    ("happened", "told"), [("replied", "张三已经回了"), ("closed", "已经结束"), ("stopped", "别再发")]
)
async def test_what_is_of_no_use_any_more_is_not_sent_again(world: World, happened: str, told: str) -> None:
    concern_id = contacted(world)
    number = doubt(world, "d", purpose=Purpose.FIRST_CONTACT, concern_id=concern_id)
    world.clock.set(world.clock.now() + timedelta(minutes=1))
    if happened == "replied":
        world.hear(concern_id, "p_zhangsan", "我看看")
    elif happened == "closed":
        await world.say(MEMBER, f"/drop {concern_id}")
    else:
        await world.say(ZHANGSAN, "/stop")
    sent = await world.say(MEMBER, f"/resend {number}")
    assert told in next(said for said in sent if said.to == "p_member").text
    assert SECRET not in [said.text for said in sent]
    assert state(world, "d") is JobState.DONE


@pytest.mark.parametrize("words", ["", "x", "0", "99", "1 2", "9" * 30, "-1", "１"])
async def test_no_number_is_a_kind_usage_error(world: World, words: str) -> None:
    for verb in ("sent", "resend"):
        assert f"用法：/{verb} N" in (await world.answer(OWNER, f"/{verb} {words}".strip())).text


def test_every_reason_has_a_word_of_its_own() -> None:
    reasons = {
        "telegram: Telegram wants fewer messages": "slow",
        "this chat takes no more messages yet": "slow",
        "the program ended while it was being sent": "cut_off",
        NO_ANSWER: "no_answer",
        "telegram: Telegram answered 502; the message may have arrived": "no_answer",
        "telegram: Telegram refused the bot's token": "token",
        "telegram: Telegram cannot be reached (ConnectError)": "down",
        "telegram: Telegram refused the message for now: Conflict": "down",
        "telegram: Telegram refused the message: Forbidden": "refused",
        "no channel leads there": "nowhere",
        "the model server host did not answer in time": "model",
        "ZeroDivisionError: division by zero": "fault",
    }
    assert {reason: reason_word(reason) for reason in reasons} == reasons
    assert reason_word(None) is None
