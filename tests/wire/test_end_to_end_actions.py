"""Actions over Telegram: what needs a yes is asked with buttons and goes out once, as it was changed last."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.concern.model import Status
from core.context.workspace import BlockKind
from core.people import Role
from tests.wire.botapi import BotApi, Sent
from tests.wire.botapi.harness import bot_api
from tests.wire.house import LISI, OWNER, PEOPLE, STRANGER, ZHANGSAN, Bot, bot

pytestmark = pytest.mark.wire

MONEY = "让张三把尾款三万打给供应商"
LI_QIANG, LI_JUAN = 3001, 3002
TWO_NAMESAKES: dict[str, Any] = {
    "owner": PEOPLE["owner"],
    "people": [
        {"id": "p_liqiang", "name": "李强", "aliases": ["小李"], "telegram": LI_QIANG},
        {"id": "p_lijuan", "name": "李娟", "aliases": ["小李"], "telegram": LI_JUAN},
    ],
}


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        for user, name in ((LISI, "李四"), (LI_QIANG, "李强"), (LI_JUAN, "李娟")):
            running.add_user(user, name)
        yield running


def to(it: Bot, user: int) -> list[str]:
    return [sent.text for sent in it.server.sent_to(user)]


async def asked_about_money(it: Bot) -> Sent:
    """The question; nobody has heard anything yet."""
    question = await it.answer_to(OWNER, MONEY)
    assert question.labels == ["确认", "取消", "修改"]
    await it.idle()
    assert to(it, ZHANGSAN) == []
    return question


async def waits(it: Bot) -> int:
    """How many actions wait for the owner's yes."""
    owner = await it.look(lambda repos: repos.people.owner())
    assert owner is not None
    kind = BlockKind.ACTIONS_NEED_CONFIRMATION
    return len(await it.look(lambda repos: repos.blocks.of(owner.person_id, kind)))


async def test_a_yes_by_button_sends_it_once(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        question = await asked_about_money(it)
        await it.press(OWNER, question, "确认", times=3)
        await it.hears(ZHANGSAN, "三万")
        assert len(to(it, ZHANGSAN)) == 1
        assert await waits(it) == 0
        (concern,) = await it.concerns()
        assert concern.status is Status.WAITING_REPLY


async def test_a_no_by_button_ends_it_and_a_yes_after_it_changes_nothing(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        question = await asked_about_money(it)
        late = [server.user_presses(OWNER, question.message_id, label) for label in ("取消", "确认")]
        await server.until(lambda: all(server.world.callbacks[p] is not None for p in late), 20)
        await it.hears(OWNER, "不办了")
        await it.hears(OWNER, "已经处理过")
        await it.idle()
        assert to(it, ZHANGSAN) == []
        assert await it.concerns() == ()
        assert await waits(it) == 0


async def test_what_is_changed_after_the_button_goes_out_as_changed(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await it.press(OWNER, await asked_about_money(it), "修改")
        await it.hears(OWNER, "怎么改")
        again = await it.answer_to(OWNER, "改成两万")
        assert "两万" in again.text
        assert to(it, ZHANGSAN) == []
        await it.press(OWNER, again, "确认")
        sent = await it.hears(ZHANGSAN, "两万")
        assert "三万" not in sent.text
        assert len(to(it, ZHANGSAN)) == 1


async def test_a_button_that_has_lapsed_answers_kindly_and_does_nothing(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        question = await asked_about_money(it)
        it.advance(timedelta(minutes=31))
        await it.hears(OWNER, MONEY)
        await it.idle()
        await it.press(OWNER, question, "确认")
        await it.hears(OWNER, "过期")
        assert to(it, ZHANGSAN) == []
        assert await it.concerns() == ()


async def test_of_two_people_with_one_nickname_only_the_one_who_is_picked_hears(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path, people=TWO_NAMESAKES) as it:
        which = await it.answer_to(OWNER, "帮我问一下小李，周报写好了没有")
        assert len(which.labels) == 3
        (label,) = [label for label in which.labels if "李娟" in label]
        await it.press(OWNER, which, label, times=2)
        await it.hears(LI_JUAN, "周报")
        assert len(to(it, LI_JUAN)) == 1
        assert to(it, LI_QIANG) == []


async def test_of_several_that_wait_the_command_has_buttons_for_each(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await it.answer_to(OWNER, "让张三把尾款三万打给供应商")
        await it.answer_to(OWNER, "让李四把定金五千转给酒店")
        listed = await it.answer_to(OWNER, "/pending")
        assert "三万" in listed.text
        assert "五千" in listed.text
        (second,) = [label for label in listed.labels if "2" in label and "确认" in label]
        await it.press(OWNER, listed, second, times=2)
        await it.hears(LISI, "五千")
        assert to(it, ZHANGSAN) == []
        it.says(OWNER, "/pending")
        left = await it.hears(OWNER, "等你确认")
        assert "五千" not in left.text
        await it.press(OWNER, left, "取消")
        await it.hears(OWNER, "不办了")
        it.says(OWNER, "/pending")
        await it.hears(OWNER, "没有在等你确认")
        assert to(it, ZHANGSAN) == []
        assert len(to(it, LISI)) == 1


async def test_a_schedule_is_ended_by_its_button(server: BotApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await it.answer_to(OWNER, "每天下午三点提醒我喝水")
        listed = await it.answer_to(OWNER, "/schedules")
        (label,) = listed.labels
        await it.press(OWNER, listed, label, times=2)
        await it.hears(OWNER, "喝水", "取消")
        (schedule,) = await it.concerns()
        assert schedule.status is Status.DROPPED
        it.advance(timedelta(hours=6))
        await it.idle()
        assert not any("喝水" in text for text in it.unheard(OWNER))


async def test_whoever_opens_an_invite_link_is_that_person_from_then_on(server: BotApi, tmp_path: Path) -> None:
    people = {"owner": PEOPLE["owner"], "people": [{"id": "p_wangwu", "name": "王五"}]}
    server.add_user(STRANGER, "somebody", started=False)
    async with bot(server, tmp_path, people=people) as it:
        it.says(OWNER, "/invite 王五")
        link = await it.hears(OWNER, "邀请链接", "?start=")
        code = link.text.partition("?start=")[2].split()[0]
        assert f"https://t.me/{server.world.username}?start=" in link.text
        hello = await it.answer_to(STRANGER, f"/start {code}")
        assert "清海" in hello.text
        await it.hears(OWNER, "王五连上了")
        await it.idle()
        wangwu = await it.look(lambda repos: repos.people.by_identity("telegram", str(STRANGER)))
        assert wangwu is not None
        assert (wangwu.name, wangwu.role) == ("王五", Role.DELEGATE)
        assert "用不了" in (await it.answer_to(6002, f"/start {code}")).text
        await it.answer_to(OWNER, "帮我问一下王五，合同什么时候能签")
        await it.hears(STRANGER, "合同")
        it.says(STRANGER, "周四能签")
        assert "周四" in (await it.hears(OWNER, "[回流]")).text
