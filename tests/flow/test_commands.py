"""Slash commands: what is one, what each role is answered, and that nothing of others leaks."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.concern.model import CommStatus, Status
from core.facts import FactKind
from core.ids import ConversationId, PersonId
from tests.flow.command_world import (
    ADMIN,
    LISI,
    MEMBER,
    NOBODY,
    OWNER,
    ZHANGSAN,
    World,
)

# --- what is a command ---


@pytest.mark.parametrize("text", ["帮我问一下张三", "", "  ", "/", "/etc/hosts 打不开", "/2", "1/2", "/帮助"])
async def test_other_words_are_left_to_the_hub(world: World, text: str) -> None:
    stored = world.fact(OWNER, text)
    assert not await world.commands.handle(stored)
    assert stored.fact_id in world.unhandled()
    assert world.sent() == []


@pytest.mark.parametrize(
    "more",
    [
        {"text": "/drop 1", "forwarded_from": "王五"},
        {"text": "/drop 1", "kind": FactKind.RECALL},
        {"kind": FactKind.BUTTON, "button": "now:con_20260316_001"},
        {"kind": FactKind.BUTTON, "button": "cmd:"},
        {"text": "/drop 1", "kind": FactKind.EVENT},
    ],
    ids=["forwarded", "recalled", "the hub's button", "empty button", "event"],
)
async def test_forwarded_words_and_other_facts_are_no_command(world: World, more: dict[str, Any]) -> None:
    concern_id = world.raise_concern("提测时间")
    world.sent()
    assert not await world.commands.handle(world.fact(OWNER, **more))
    assert world.get(concern_id).status.is_open
    assert world.sent() == []


@pytest.mark.parametrize("text", ["/whoami", "／WhoAmI", " /whoami@qinghai_bot ", "/WHOAMI 多余的话", "／whoami\n"])
async def test_case_slash_and_bot_name_do_not_matter(world: World, text: str) -> None:
    assert "老板" in (await world.answer(OWNER, text)).text


async def test_an_edited_message_may_be_a_command(world: World) -> None:
    assert "老板" in (await world.answer(OWNER, "/whoami", kind=FactKind.EDIT)).text


async def test_a_command_is_kept_whole_or_not_at_all() -> None:
    fails = [False]

    def failpoint(name: str) -> None:
        if fails[0] and name.endswith("before_commit"):
            raise OSError("the power went")

    world = World(failpoint)
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    world.sent()
    stored = world.fact(OWNER, "/drop 1")
    fails[0] = True
    with pytest.raises(OSError, match="the power went"):
        await world.commands.handle(stored)
    fails[0] = False
    assert world.get(concern_id).status is Status.WAITING_REPLY
    assert stored.fact_id in world.unhandled()
    assert world.sent() == []

    assert await world.commands.handle(stored)
    assert world.get(concern_id).status is Status.DROPPED
    assert {s.to for s in world.sent()} == {"p_owner", "p_zhangsan"}
    world.store.close()


# --- who may ---

EVERYBODYS = {"/start", "/whoami", "/help"}
STARTERS = EVERYBODYS | {
    "/concerns",
    "/concern",
    "/agenda",
    "/brief",
    "/pending",
    "/drop",
    "/nudge",
    "/pause",
    "/resume",
    "/priority",
    "/reassign",
    "/quiet",
    "/lang",
    "/expectations",
    "/watch",
    "/unwatch",
    "/unschedule",
    "/sent",
    "/resend",
}

INSPECTORS = {"/people", "/person", "/invite", "/bind", "/schedules", "/callbacks", "/jobs", "/status", "/usage"}


@pytest.mark.parametrize(
    ("who", "may"),
    [
        (OWNER, STARTERS | INSPECTORS | {"/grant", "/audit"}),
        (ADMIN, STARTERS | INSPECTORS),
        (MEMBER, STARTERS),
        (ZHANGSAN, EVERYBODYS | {"/stop"}),
    ],
)
async def test_help_lists_what_the_role_may_use_and_nothing_else(world: World, who: str, may: set[str]) -> None:
    text = (await world.answer(who, "/help")).text
    assert {line.split()[0] for line in text.splitlines() if line.startswith("/")} == may


@pytest.mark.parametrize(
    ("who", "line"),
    [
        *[(ZHANGSAN, f"/{name} 1") for name in sorted(n.strip("/") for n in STARTERS - EVERYBODYS)],
        *[(who, f"{name} 张三") for who in (ZHANGSAN, MEMBER) for name in sorted(INSPECTORS)],
        *[(who, line) for who in (ADMIN, MEMBER, ZHANGSAN) for line in ("/grant 李四 admin", "/audit")],
        (OWNER, "/stop"),
        (MEMBER, "/stop"),
    ],
)
async def test_without_the_right_a_command_is_answered_like_an_unknown_one(world: World, who: str, line: str) -> None:
    concern_id = world.raise_concern("提测时间", delegates=("p_lisi",))
    before = world.get(concern_id)
    name = line.split()[0].strip("/")
    unknown = (await world.answer(who, "/xyzzy")).text
    assert "xyzzy" in unknown
    assert (await world.answer(who, line)).text == unknown.replace("xyzzy", name)
    assert world.get(concern_id) == before


async def test_a_member_who_is_asked_something_may_stop_too(world: World) -> None:
    world.raise_concern("周报", delegates=("p_member",))
    assert "/stop" in (await world.answer(MEMBER, "/help")).text
    await world.say(MEMBER, "/stop")
    assert not world.person("p_member").interaction_policy.contact_allowed


# --- strangers ---


@pytest.mark.parametrize(
    ("line", "has"), [("/start", "清海"), ("/start ABC123", "邀请码"), ("/help", "/whoami"), ("/whoami", "6666")]
)
async def test_a_stranger_may_ask_three_things(world: World, line: str, has: str) -> None:
    said = await world.answer(NOBODY, line)
    assert has in said.text
    assert "老板" not in said.text


async def test_a_stranger_is_told_the_same_once_a_day(world: World) -> None:
    assert len(await world.say(NOBODY, "/whoami")) == 1
    assert await world.say(NOBODY, "/whoami") == []
    assert len(await world.say("7777", "/whoami")) == 1
    world.clock.advance(timedelta(days=1))
    assert len(await world.say(NOBODY, "/whoami")) == 1


@pytest.mark.parametrize("line", ["/concerns", "/stop", "/drop 1", "/people", "/xyzzy"])
async def test_a_strangers_other_commands_are_the_hubs(world: World, line: str) -> None:
    assert not await world.commands.handle(world.fact(NOBODY, line))


async def test_a_stranger_in_a_group_is_not_lectured(world: World) -> None:
    stored = world.fact(NOBODY, "/help", group=True, conversation=ConversationId("telegram:-100"))
    assert not await world.commands.handle(stored)


# --- about oneself ---


@pytest.mark.parametrize(("who", "has"), [(OWNER, "老板"), (ADMIN, "孙秘书"), (MEMBER, "小周"), (ZHANGSAN, "/stop")])
async def test_start_greets_everybody_by_role(world: World, who: str, has: str) -> None:
    said = await world.answer(who, "/start from_a_link")
    assert has in said.text
    assert "邀请码" not in said.text


@pytest.mark.parametrize(
    ("who", "has"),
    [(OWNER, "老板（老板）"), (ADMIN, "管理员"), (MEMBER, "成员"), (ZHANGSAN, "当事人"), (LISI, "contact")],
)
async def test_whoami_tells_name_role_and_identity(world: World, who: str, has: str) -> None:
    text = (await world.answer(who, "/whoami")).text
    assert has in text
    assert who in text


async def test_stop_ends_contact_and_start_begins_it_again(world: World) -> None:
    concern_id = world.raise_concern("提测时间", delegates=("p_zhangsan", "p_lisi"))
    world.contact(concern_id, "p_zhangsan")
    (said,) = await world.say(ZHANGSAN, "/stop")
    assert "/start" in said.text
    assert not world.person("p_zhangsan").interaction_policy.contact_allowed
    entry = world.get(concern_id).person(PersonId("p_zhangsan"))
    assert entry is not None
    assert entry.comm_status is CommStatus.DECLINED
    assert "发 /start" in (await world.answer(ZHANGSAN, "/whoami")).text
    assert "不想收到消息" in (await world.answer(OWNER, "/people")).text

    assert "恢复" in (await world.answer(ZHANGSAN, "/start")).text
    assert world.person("p_zhangsan").interaction_policy.contact_allowed
    assert "恢复" not in (await world.answer(ZHANGSAN, "/start")).text


# --- nothing leaks ---


FOREIGN = ["1", "001", "con_20260316_001", "20260316_001", "机密", "机密收购案"]


@pytest.mark.parametrize("name", ["concern", "drop", "nudge", "pause", "resume", "priority"])
@pytest.mark.parametrize("wanted", FOREIGN)
async def test_a_foreign_concern_does_not_exist_for_a_member(world: World, name: str, wanted: str) -> None:
    concern_id = world.raise_concern("机密收购案")
    before = world.get(concern_id)
    rest = " 高" if name == "priority" else ""
    said = await world.answer(MEMBER, f"/{name} {wanted}{rest}")
    assert said.text == (await world.answer(MEMBER, f"/{name} 没有这回事{rest}")).text
    assert "收购" not in said.text
    assert world.get(concern_id) == before


NAMES = [
    "start",
    "help",
    "whoami",
    "concerns",
    "concern",
    "agenda",
    "pending",
    "people",
    "drop",
    "nudge",
    "pause",
    "priority",
    "stop",
]
WORDS = [*FOREIGN, "all", "2", "waiting_reply", "老板", "p_owner", "张三", "收购", "_", "%", "高", "2h", "con_", ""]


@given(lines=st.lists(st.tuples(st.sampled_from(NAMES), st.lists(st.sampled_from(WORDS), max_size=3)), max_size=6))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("who", [MEMBER, LISI, NOBODY])
def test_no_command_shows_or_changes_what_belongs_to_others(who: str, lines: list[tuple[str, list[str]]]) -> None:
    world = World()
    concern_id = world.raise_concern("机密收购案")
    world.contact(concern_id, "p_zhangsan", "请问收购的尽调到哪了")
    world.hear(concern_id, "p_zhangsan", "尽调周五完")
    before = world.get(concern_id)
    world.sent()
    for name, words in lines:
        line = f"/{name} {' '.join(words)}"
        asyncio.run(world.commands.handle(world.fact(who, line)))
        for said in world.sent():
            typed = "".join(words)
            assert not any(part in said.text for part in ("尽调", "机密", "收购") if part not in typed)
            assert said.chat == f"telegram:{who}"
    assert world.get(concern_id) == before
    world.store.close()
