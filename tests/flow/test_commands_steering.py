"""Slash commands that steer a concern: what changes, and who is told."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from core.concern.model import Priority, Status
from core.effects import Purpose
from core.ids import PersonId
from tests.flow.command_world import (
    ADMIN,
    MEMBER,
    NOON,
    OWNER,
    World,
)

# --- steering ---


@pytest.mark.parametrize("who", [OWNER, ADMIN, MEMBER])
async def test_drop_tells_the_asked_the_caller_and_the_initiator(world: World, who: str) -> None:
    concern_id = world.raise_concern("合同用印", initiator="p_member", delegates=("p_zhangsan", "p_lisi"))
    world.contact(concern_id, "p_zhangsan")
    said = await world.say(who, "/drop 1")
    assert world.get(concern_id).status is Status.DROPPED
    caller = {OWNER: "p_owner", ADMIN: "p_admin", MEMBER: "p_member"}[who]
    assert {s.to for s in said} == {"p_zhangsan", caller, "p_member"}
    assert all("合同用印" in s.text for s in said)
    again = await world.answer(who, "/drop 1")
    assert "已放下" in again.text


async def test_nudge_goes_out_in_working_hours_and_not_twice(world: World) -> None:
    concern_id = world.raise_concern("提测时间", delegates=("p_zhangsan", "p_lisi"))
    assert "没有可以催的人" in (await world.answer(OWNER, "/nudge 1")).text
    world.contact(concern_id, "p_zhangsan")
    assert "刚刚才联系过" in (await world.answer(OWNER, "/nudge 1")).text
    world.clock.advance(timedelta(minutes=11))
    said = await world.say(OWNER, "/nudge 1")
    assert [s.to for s in said if s.purpose is not Purpose.REPLY] == ["p_zhangsan"]
    assert [s.text for s in said if s.purpose is Purpose.REPLY] == ["好的，这就再催一下张三。"]
    assert world.get(concern_id).state_of(PersonId("p_zhangsan")).follow_ups == 0


async def test_nudge_at_night_waits_for_the_morning_and_says_so(world: World) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    world.clock.set(NOON + timedelta(hours=9))
    assert "明早 9:00" in (await world.answer(OWNER, "/nudge 1")).text
    assert "已经排好了，明早 9:00" in (await world.answer(OWNER, "/nudge 1")).text
    world.clock.set(NOON + timedelta(hours=21))
    assert [s.to for s in world.sent()] == ["p_zhangsan"]


async def test_nudge_does_not_chase_while_paused_undecided_or_closed(world: World) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    world.clock.advance(timedelta(hours=1))
    await world.say(OWNER, "/pause 1")
    assert "/resume" in (await world.answer(OWNER, "/nudge 1")).text
    await world.say(OWNER, "/resume 1")
    world.ask_initiator(concern_id, "能换下午吗")
    assert "能换下午吗" in (await world.answer(OWNER, "/nudge 1")).text
    await world.say(OWNER, "/drop 1")
    assert "已放下" in (await world.answer(OWNER, "/nudge 1")).text


@pytest.mark.parametrize(
    ("words", "until"),
    [
        ("2h", "2026-03-16T14:00:00+08:00"),
        ("1d", "2026-03-17T12:00:00+08:00"),
        ("2小时", "2026-03-16T14:00:00+08:00"),
        ("到周五", "2026-03-20T00:00:00+08:00"),
        ("明早9点", "2026-03-17T09:00:00+08:00"),
        ("until 2026-03-18T09:00", "2026-03-18T09:00:00+08:00"),
        ("until tomorrow 9am", "2026-03-17T09:00:00+08:00"),
    ],
)
async def test_pause_keeps_still_until_then(world: World, words: str, until: str) -> None:
    concern_id = world.raise_concern("提测时间")
    said = await world.answer(OWNER, f"/pause 1 {words}")
    assert "停到" in said.text
    assert world.get(concern_id).paused_until == datetime.fromisoformat(until)
    assert "暂停到" in (await world.answer(OWNER, "/concerns")).text


async def test_pause_without_an_end_lasts_until_resume(world: World) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    assert "先停下" in (await world.answer(OWNER, "/pause 1")).text
    shown = await world.answer(OWNER, "/concern 1")
    assert "暂停中" in shown.text
    assert shown.labels == ["恢复"]
    assert "接着跟" in (await world.press(OWNER, shown.data[0])).text
    assert world.get(concern_id).paused_until is None
    assert "没有暂停" in (await world.answer(OWNER, "/resume 1")).text


@pytest.mark.parametrize(("words", "has"), [("昨天", "已经过去"), ("foo", "没看懂"), ("今天上午10点", "已经过去")])
async def test_pause_refuses_a_time_that_is_none_or_over(world: World, words: str, has: str) -> None:
    concern_id = world.raise_concern("提测时间")
    said = await world.answer(OWNER, f"/pause 1 {words}")
    assert has in said.text
    assert "用法：/pause" in said.text
    assert world.get(concern_id).paused_until is None


@pytest.mark.parametrize(
    ("word", "level"),
    [("高", Priority.HIGH), ("紧急", Priority.CRITICAL), ("低", Priority.LOW), ("Critical", Priority.CRITICAL)],
)
async def test_priority_takes_words_of_both_languages(world: World, word: str, level: Priority) -> None:
    concern_id = world.raise_concern("提测 时间")
    assert "改成" in (await world.answer(OWNER, f"/priority 提测 时间 {word}")).text
    assert world.get(concern_id).priority is level
    assert "本来就是" in (await world.answer(OWNER, f"/priority 1 {word}")).text


@pytest.mark.parametrize("name", ["concern", "drop", "nudge", "pause", "resume", "priority"])
async def test_a_missing_argument_is_answered_with_the_usage(world: World, name: str) -> None:
    assert f"用法：/{name} ID" in (await world.answer(OWNER, f"/{name}")).text


@pytest.mark.parametrize("words", ["1", "1 很高", "1 高 高"])
async def test_a_wrong_level_is_answered_with_the_usage(world: World, words: str) -> None:
    concern_id = world.raise_concern("提测时间")
    said = await world.answer(OWNER, f"/priority {words}")
    assert "用法：/priority" in said.text
    assert world.get(concern_id).priority is Priority.MEDIUM


@pytest.mark.parametrize("line", ["/pause 1", "/resume 1", "/priority 1 高", "/nudge 1", "/drop 1"])
async def test_a_closed_concern_is_left_as_it_is(world: World, line: str) -> None:
    concern_id = world.raise_concern("提测时间")
    await world.say(OWNER, "/drop 1")
    before = world.get(concern_id)
    assert "已放下" in (await world.answer(OWNER, line)).text
    assert world.get(concern_id) == before
