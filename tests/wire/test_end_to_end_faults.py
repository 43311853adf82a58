"""Bad days over Telegram: it is slow, it refuses, it is gone; nothing is lost, and nothing is said twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest

from bot.store.unit import PeeweeStore
from core.concern.model import CommStatus
from core.effects import Outgoing, Purpose, Send, Words
from core.facts import Fact, FactKind
from core.hub.commit import apply
from core.ids import ConversationId
from core.jobs import Job, JobState
from core.ports import ChannelMessage, Receipt
from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import Pauses, bot_api
from tests.wire.house import ASK_BOTH, LISI, MORNING, OWNER, ZHANGSAN, Bot, bot

pytestmark = pytest.mark.wire

GROUP, SUPERGROUP = -5001, -1005001
EVENING = datetime.fromisoformat("2026-03-16T20:00:00+08:00")
MORNING_AFTER = datetime.fromisoformat("2026-03-17T09:00:01+08:00")


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


def attempts(server: BotApi, chat: int) -> int:
    return sum(name == "sendMessage" and int(params["chat_id"]) == chat for name, params in server.calls)


async def test_a_chat_that_wants_fewer_messages_is_left_alone_and_others_go_on(server: BotApi, tmp_path: Path) -> None:
    server.faults.append(Fault("retry_after", chat=ZHANGSAN, seconds=3))
    async with bot(server, tmp_path) as it:
        began = asyncio.get_running_loop().time()
        it.says(OWNER, ASK_BOTH)
        await server.until(lambda: attempts(server, ZHANGSAN) == 1, 20)
        refused = asyncio.get_running_loop().time()
        lisi = await it.hears(LISI, "v2.0")
        zhangsan = await it.hears(ZHANGSAN, "v2.0")
        assert zhangsan.at - began >= 3
        assert zhangsan.at - refused >= 2.9
        assert lisi.at < zhangsan.at
        assert attempts(server, ZHANGSAN) == 2


async def test_a_wish_to_wait_outlives_the_process_and_holds_for_whatever_goes_there(
    server: BotApi, tmp_path: Path
) -> None:
    server.faults.append(Fault("retry_after", chat=ZHANGSAN, seconds=60))
    async with bot(server, tmp_path) as it:
        it.says(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await server.until(lambda: attempts(server, ZHANGSAN) == 1, 20)
        await put_off(it)
        await it.idle()
    async with bot(server, tmp_path, now=MORNING + timedelta(seconds=10)) as it:
        it.says(ZHANGSAN, "/help")
        async with asyncio.timeout(20):
            while [job.due >= MORNING + timedelta(seconds=60) for job in await lane_of_zhangsan(it)] != [True, True]:
                await asyncio.sleep(0.02)  # an answer is put there as due at once: it is put off when its turn comes
        await it.answer_to(OWNER, "/help")
    assert attempts(server, ZHANGSAN) == 1


async def test_whoever_blocked_the_bot_is_unreachable_and_not_tried_again(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, now=EVENING) as it:
        for what in ("合同什么时候能签", "发票什么时候能开"):
            await it.answer_to(OWNER, f"帮我问一下张三，{what}")
        await it.idle()
        server.world.users[ZHANGSAN].blocked = True
        it.clock.set(MORNING_AFTER)
        await it.hears(OWNER, "张三", "联系不上", "停用了和我的对话")
        await it.idle()
        assert attempts(server, ZHANGSAN) <= 2
        states = [p.comm_status for concern in await it.concerns() for p in concern.delegates]
        assert states == [CommStatus.UNREACHABLE, CommStatus.UNREACHABLE]
        assert not [job for job in await it.jobs(JobState.PENDING) if job.person_id == "p_zhangsan"]


async def test_a_second_poller_is_one_warning_and_work_goes_on_when_it_is_gone(
    server: BotApi, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pauses = Pauses()
    async with bot(server, tmp_path, sleep=pauses) as it, httpx.AsyncClient(trust_env=False) as other:
        await it.answer_to(OWNER, "在吗")
        for conflicts in (1, 3, 5):
            await server.until(lambda: server.calls[-1][0] == "getUpdates")
            await other.post(f"{server.base_url}{server.token}/getUpdates", json={"timeout": 1}, timeout=20)
            await server.until(lambda n=conflicts: server.conflicts >= n, 20)
        assert 5.0 in pauses.taken
        it.says(OWNER, ASK_BOTH)
        await it.hears(ZHANGSAN, "v2.0")
        await it.idle()
        assert len(server.sent_to(ZHANGSAN)) == 1
    assert sum("another process polls" in record.getMessage() for record in caplog.records) == 1


async def test_a_bot_that_starts_without_network_works_once_there_is_one(server: BotApi, tmp_path: Path) -> None:
    await server.refuse()
    async with bot(server, tmp_path, sleep=Pauses()) as it:
        it.says(OWNER, ASK_BOTH)
        await server.until(lambda: "cannot be reached" in it.channel.status, 20)
        assert not it.channel.ready
        await server.listen()
        await it.hears(OWNER, "张三")
        await it.hears(ZHANGSAN)
        assert it.channel.ready


async def test_what_is_said_while_the_network_is_gone_is_answered_once(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, sleep=Pauses()) as it:
        await it.answer_to(OWNER, "在吗")
        await server.refuse()
        it.says(OWNER, ASK_BOTH)
        await server.until(lambda: not it.channel.ready, 20)
        await server.listen()
        await it.hears(OWNER, "张三")
        for delegate in (ZHANGSAN, LISI):
            await it.hears(delegate, "v2.0")
        await it.idle()
        assert [len(server.sent_to(who)) for who in (OWNER, ZHANGSAN, LISI)] == [2, 1, 1]


async def test_a_message_whose_fate_is_unknown_is_shown_and_never_sent_again(server: BotApi, tmp_path: Path) -> None:
    server.faults.append(Fault("stall", chat=ZHANGSAN, phase="after"))
    async with bot(server, tmp_path) as it:
        it.says(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(ZHANGSAN, "v2.0")
        await it.hears(OWNER)
        await it.idle()
        (doubtful,) = await it.in_doubt()
        assert (doubtful.to, doubtful.message_id) == ("p_zhangsan", None)
        (job,) = await it.jobs(JobState.IN_DOUBT)
        assert "may have arrived" in (job.reason or "")
        (concern,) = await it.concerns()
        assert concern.delegates[0].comm_status is CommStatus.WAITING_REPLY
    async with bot(server, tmp_path, now=EVENING) as it:
        await it.idle()
        assert attempts(server, ZHANGSAN) == 1


@pytest.mark.parametrize("phase", ["before", "after"])
async def test_a_connection_that_breaks_while_sending_leaves_a_doubt(
    server: BotApi, tmp_path: Path, phase: str
) -> None:
    server.faults.append(Fault("drop", chat=ZHANGSAN, phase=phase))  # type: ignore[arg-type]
    async with bot(server, tmp_path) as it:
        it.says(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.hears(OWNER)
        await server.until(lambda: attempts(server, ZHANGSAN) == 1, 20)
        await it.idle()
        assert len(await it.in_doubt()) == 1
        it.advance(timedelta(hours=1))
        await it.idle()
        assert attempts(server, ZHANGSAN) == 1


async def test_what_never_left_is_sent_later_exactly_once(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, now=EVENING) as it:
        await it.answer_to(OWNER, "帮我问一下张三，v2.0 什么时候能提测")
        await it.idle()
        await server.refuse()
        it.clock.set(MORNING_AFTER)
        await put_off(it)
        await server.listen()
        it.advance(timedelta(minutes=1))
        await it.hears(ZHANGSAN, "v2.0")
        await it.idle()
        assert attempts(server, ZHANGSAN) == 1
        assert await it.in_doubt() == ()


@pytest.mark.slow  # a minute of real waiting; flow/test_sending holds the same on a virtual clock
async def test_refused_connections_are_three_quick_tries_and_then_patience_for_as_long_as_it_takes(
    server: BotApi, tmp_path: Path
) -> None:
    """However often it is tried, days included, nothing is given up; minutes after the network is back it goes out."""
    async with bot(server, tmp_path, sleep=Pauses()) as it:
        await it.answer_to(OWNER, "在吗")
        await it.idle()
        tries: list[datetime] = []
        count_tries(it, tries)
        await server.refuse()
        asked = question(it)
        await it.app.accept(asked)
        for _ in range(60):
            it.advance(timedelta(seconds=5))
            await it.idle()
        first = tries[0]
        assert sum(at - first <= timedelta(seconds=30) for at in tries) <= 3
        assert 4 <= len(tries) <= 6
        for _ in range(60):
            it.advance(timedelta(hours=1))
            await it.idle()
        assert await it.jobs(JobState.DEAD) == ()
        await server.listen()
        it.advance(timedelta(minutes=5))
        await it.hears(OWNER)
        await it.idle()
        assert await it.in_doubt() == ()


def question(it: Bot) -> Fact:
    """The owner's words, that came in before the network went."""
    return Fact(
        channel="telegram",
        event_id="update:1",
        kind=FactKind.MESSAGE,
        occurred_at=it.clock.now(),
        conversation=ConversationId(f"telegram:{OWNER}"),
        sender=str(OWNER),
        message_id="900001",
        text="/help",
    )


def count_tries(it: Bot, tries: list[datetime]) -> None:
    """Note when a message is handed to the channel."""
    send = it.channel.send

    async def counted(message: ChannelMessage) -> Receipt:
        tries.append(it.clock.now())
        return await send(message)

    it.channel.send = counted  # type: ignore[method-assign]


async def test_an_initiator_who_blocked_the_bot_is_told_no_more_and_nothing_breaks(
    server: BotApi, tmp_path: Path
) -> None:
    async with bot(server, tmp_path) as it:
        it.says(OWNER, ASK_BOTH)
        await it.hears(ZHANGSAN, "v2.0")
        await it.hears(LISI, "v2.0")
        await it.idle()
        await it.hears(OWNER)
        server.world.users[OWNER].blocked = True
        before = attempts(server, OWNER)
        it.says(ZHANGSAN, "后端周五能提测")
        it.says(LISI, "前端周四能提测")
        await it.idle()
        for _ in range(12):
            it.advance(timedelta(hours=2))
            await it.idle()
        assert 1 <= attempts(server, OWNER) - before <= 3, "each report is refused once, and not tried again"
        assert not [job for job in await it.jobs(JobState.PENDING) if job.person_id == "p_owner"]
        server.world.users[OWNER].blocked = False
        assert "v2.0" in (await it.answer_to(OWNER, "/concerns all")).text
        await it.idle()


async def test_a_group_that_becomes_a_supergroup_loses_nothing_and_says_nothing_twice(
    server: BotApi, tmp_path: Path
) -> None:
    server.add_group(GROUP)
    name = server.world.username
    async with bot(server, tmp_path) as it:
        it.says(OWNER, f"/help@{name}", chat=GROUP)
        await server.until(lambda: len(server.sent_to(GROUP)) == 1, 20)
        it.says(OWNER, f"@{name} 帮我问一下张三，v2.0 什么时候能提测", chat=GROUP)
        await it.hears(ZHANGSAN, "v2.0")
        await it.idle()
        there = len(server.sent_to(GROUP))
        server.migrate(GROUP, SUPERGROUP)
        left_for_the_old = Outgoing(
            purpose=Purpose.REPLY, conversation=ConversationId(f"telegram:{GROUP}"), words=Words(text="都好了")
        )
        for number in range(3):
            send = Send(key=f"n{number}", due=it.clock.now(), message=left_for_the_old)
            await it.look(lambda repos, s=send: apply(repos, s))
        await server.until(lambda: len(server.sent_to(SUPERGROUP)) == 3, 20)
        await it.idle()
        assert attempts(server, GROUP) == there + 1, "the old id was tried once"
        it.says(OWNER, f"/help@{name}", chat=SUPERGROUP)
        await server.until(lambda: len(server.sent_to(SUPERGROUP)) == 4, 20)
        await it.idle()
    async with bot(server, tmp_path, now=MORNING + timedelta(hours=1)) as it:
        send = Send(key="after", due=it.clock.now(), message=left_for_the_old)
        await it.look(lambda repos: apply(repos, send))
        await server.until(lambda: len(server.sent_to(SUPERGROUP)) == 5, 20)
        await it.idle()
        assert attempts(server, GROUP) == there + 1
        assert len(server.sent_to(GROUP)) == there
        assert await it.in_doubt() == ()


async def lane_of_zhangsan(it: Bot) -> list[Job]:
    """What waits to leave for 张三."""
    return [job for job in await it.jobs(JobState.PENDING) if job.lane == "to:p_zhangsan"]


async def put_off(it: Bot) -> None:
    """Until the waiting message was tried and failed."""
    async with asyncio.timeout(20):
        while not any(job.attempts for job in await it.jobs(JobState.PENDING)):
            await asyncio.sleep(0.02)


async def test_a_backlog_of_messages_does_not_hold_up_the_answers_to_the_first(server: BotApi, tmp_path: Path) -> None:
    chats = [3000 + n for n in range(200)]
    crowd = [{"id": f"p_{chat}", "name": f"成员{chat}", "telegram": chat, "role": "member"} for chat in chats]
    people = {"owner": {"id": "p_owner", "name": "老板", "telegram": OWNER}, "people": crowd}
    left_from_before = PeeweeStore(f"sqlite:///{tmp_path / 'bot.db'}", inline=True)
    for chat in chats:
        server.add_user(chat, str(chat))
        fact = Fact(
            channel="telegram",
            event_id=f"update:{chat}",
            kind=FactKind.MESSAGE,
            occurred_at=MORNING,
            conversation=ConversationId(f"telegram:{chat}"),
            sender=str(chat),
            text="在吗",
        )
        left_from_before.run_now(lambda repos, fact=fact: repos.facts.add(fact, MORNING))
    left_from_before.close()
    async with bot(server, tmp_path, people=people) as it:
        await server.until(lambda: len(server.sent) >= 10, 30)
        assert await it.look(lambda repos: repos.facts.unhandled_count()) > 50
        await it.idle(60)
    assert sorted(sent.chat for sent in server.sent) == chats
