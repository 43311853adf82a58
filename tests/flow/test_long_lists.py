"""Lists are cut where they grow long: pages with buttons to turn them, or how many more there are."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.store.repositories import StoreRepositories
from core.concern.model import Priority
from core.context.workspace import Block, BlockKind
from core.ids import ConversationId, PersonId
from tests.contract.test_store_agenda import expectation, watch
from tests.flow.command_world import MEMBER, NOON, OWNER, World

RESULT = {"ok": True, "need_confirm": True, "primary_action_chain": {}, "parameters": {}}


def block(n: int, kind: BlockKind) -> Block:
    asked = {"result": RESULT, "tendency": f"付第 {n} 笔", "words": f"付第 {n} 笔"}
    missing = {"tendency": f"提醒第 {n} 次", "words": f"提醒第 {n} 次", "missing": "when"}
    return Block(
        block_id=f"{kind}{n:02d}",
        kind=kind,
        owner=PersonId("p_owner"),
        conversation=ConversationId(f"telegram:{OWNER}"),
        content=asked if kind is BlockKind.ACTIONS_NEED_CONFIRMATION else missing,
        summary=f"付第 {n} 笔",
        created_at=NOON + timedelta(seconds=n),
        expires_at=NOON + timedelta(minutes=30),
    )


async def test_what_is_looked_out_for_has_pages(world: World) -> None:
    items = [
        watch(n, NOON + timedelta(days=1, minutes=n)).model_copy(update={"what": f"消息{n:02d}"}) for n in range(20)
    ]
    world.store.run_now(lambda repos: [repos.agenda.put_watch(item) for item in items] and None)
    first = await world.answer(OWNER, "/watch")
    assert "在留意的 20 件" in first.text
    assert "第 1/3 页" in first.text
    assert ("消息07" in first.text, "消息08" in first.text) == (True, False)
    assert (len(first.labels), first.labels[-1]) == (9, "下一页 ›")
    second = await world.press(OWNER, first.data[-1])
    assert ("消息07" in second.text, "消息08" in second.text) == (False, True)
    last = await world.press(OWNER, second.data[-1])
    assert last.labels == ["不盯 w16", "不盯 w17", "不盯 w18", "不盯 w19", "‹ 上一页"]
    assert (await world.answer(OWNER, "/watch 99")).text == last.text
    assert "用法：/watch" in (await world.answer(OWNER, "/watch 张三")).text


async def test_what_is_expected_has_pages_with_what_is_scheduled_behind(world: World) -> None:
    def keep(repos: StoreRepositories) -> None:
        for n in range(10):
            repos.agenda.put_expectation(expectation(n, NOON + timedelta(hours=7, minutes=n)))

    world.store.run_now(keep)
    first = await world.answer(OWNER, "/expectations")
    assert "在盯的 10 件" in first.text
    assert "第 1/2 页" in first.text
    assert (first.text.count("发日报"), len(first.labels)) == (8, 9)
    second = await world.press(OWNER, first.data[-1])
    assert second.text.count("发日报") == 2
    assert second.labels[-1] == "‹ 上一页"
    assert "\n   每天 18:30" in first.text


async def test_what_waits_for_a_yes_is_counted_where_it_is_not_shown(world: World) -> None:
    def keep(repos: StoreRepositories) -> None:
        for n in range(11):
            repos.blocks.add(block(n, BlockKind.ACTIONS_NEED_CONFIRMATION))
            repos.blocks.add(block(n, BlockKind.PENDING_ACTION_INTENTIONS))

    world.store.run_now(keep)
    pending = (await world.answer(OWNER, "/pending")).text
    assert "等你确认的 11 件" in pending
    assert pending.count("还有 3 件更早的。") == 2
    agenda = (await world.answer(OWNER, "/agenda")).text
    assert "等你确认的 11 件" in agenda
    assert "还有 7 件，/pending 看全部。" in agenda


@pytest.mark.parametrize(("count", "more"), [(8, ""), (11, "还有 3 件，多写几个字就好找了。")])
async def test_a_word_that_fits_many_offers_a_few_and_says_how_many_more(world: World, count: int, more: str) -> None:
    for n in range(count):
        world.raise_concern(f"杂事{n:02d}", priority=Priority.LOW, initiator="p_member")
    said = await world.answer(MEMBER, "/drop 杂事")
    assert len(said.labels) == 8
    assert ("还有" in said.text) == bool(more)
    assert more in said.text
