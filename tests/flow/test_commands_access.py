"""Who may what: roles that are granted, what a person wants for themselves, who did what, and who is not answered."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.commands.table import TABLE, menu_of
from core.concern.model import CommStatus
from core.context.workspace import Block, BlockKind
from core.effects import Purpose
from core.facts import FactKind
from core.hub.hub import CognitiveHub
from core.ids import ConversationId, PersonId
from core.people import Identity, Role, updated
from tests.flow.command_world import ADMIN, LISI, MEMBER, NOBODY, NOON, OWNER, ZHANGSAN, Said, World, person

HOUR = timedelta(hours=1)

# --- each command by each role ---

ROLES = {OWNER: Role.OWNER, ADMIN: Role.ADMIN, MEMBER: Role.MEMBER, ZHANGSAN: Role.DELEGATE}
STARTER = (OWNER, ADMIN, MEMBER)
INSPECTOR = (OWNER, ADMIN)
MAY: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("start", "help", "whoami"), (*STARTER, ZHANGSAN)),
    **dict.fromkeys(("concerns", "concern", "agenda", "watch", "pending", "expectations"), STARTER),
    **dict.fromkeys(("drop", "nudge", "pause", "resume", "priority", "reassign"), STARTER),
    **dict.fromkeys(("unwatch", "unschedule", "quiet", "brief", "lang", "sent", "resend"), STARTER),
    **dict.fromkeys(("people", "person", "invite", "bind", "schedules", "callbacks", "jobs"), INSPECTOR),
    **dict.fromkeys(("usage", "status"), INSPECTOR),
    **dict.fromkeys(("grant", "audit"), (OWNER,)),
    "stop": (ZHANGSAN,),
}
ON_A_MATTER = ("concern", "drop", "nudge", "pause", "resume", "priority", "reassign")
PEOPLE_BY_NUMBER = {OWNER: "p_owner", ADMIN: "p_admin", MEMBER: "p_member", ZHANGSAN: "p_zhangsan"}
WORDS = {
    **dict.fromkeys(ON_A_MATTER, "机密"),
    "priority": "机密 高",
    "reassign": "机密 李四",
    "pause": "机密 2h",
    "unwatch": "e1",
    "unschedule": "喝水",
    "quiet": "2h",
    "brief": "8:30",
    "lang": "zh",
    "sent": "1",
    "resend": "1",
    "person": "张三",
    "invite": "张三",
    "grant": "李四 admin",
}


def test_the_table_of_rights_knows_every_command() -> None:
    assert set(MAY) == {command.name for command in TABLE}


def call(name: str, *, by_button: bool) -> dict[str, Any]:
    """A fact that gives the command, with words that fit it."""
    line = f"{name} {WORDS.get(name, '')}".strip()
    return {"kind": FactKind.BUTTON, "button": f"cmd:{line}"} if by_button else {"text": f"/{line}"}


@pytest.mark.parametrize("by_button", [False, True], ids=["typed", "pressed"])
@pytest.mark.parametrize("who", [*ROLES, NOBODY])
async def test_what_somebody_may_not_use_does_not_exist_for_them(world: World, who: str, by_button: bool) -> None:
    concern_id = world.raise_concern("机密收购案")
    world.contact(concern_id, "p_zhangsan")
    world.sent()
    before, people = world.get(concern_id), world.store.run_now(lambda repos: repos.people.all())
    for name in sorted(name for name in MAY if who not in MAY[name]):
        taken = await world.commands.handle(world.fact(who, **call(name, by_button=by_button)))
        said = world.sent()
        if who == NOBODY:
            assert taken == (name in ("start", "help", "whoami"))
            assert not any("机密" in s.text or "老板" in s.text for s in said)
        else:
            assert [s.text for s in said] == [(await world.answer(who, "/xyzzy")).text.replace("xyzzy", name)]
        world.clock.advance(timedelta(minutes=1))
    assert world.get(concern_id) == before
    assert world.store.run_now(lambda repos: repos.people.all()) == people
    assert world.store.run_now(lambda repos: repos.deeds.latest(9)) == ()


@pytest.mark.parametrize("who", list(ROLES))
async def test_what_somebody_may_use_answers_and_others_matters_do_not_exist(world: World, who: str) -> None:
    concern_id = world.raise_concern("机密收购案")
    world.contact(concern_id, "p_zhangsan")
    world.sent()
    for by_button in (False, True):
        for name in sorted(name for name in MAY if who in MAY[name] and name not in ("stop", "drop")):
            before = world.get(concern_id)
            assert await world.commands.handle(world.fact(who, **call(name, by_button=by_button)))
            said = [s.text for s in world.sent() if s.to == PEOPLE_BY_NUMBER[who]]
            assert said
            assert not any("没有 /" in text for text in said)
            if name in ON_A_MATTER and who == MEMBER:
                assert "没找到这件事" in said[0]
                assert world.get(concern_id) == before


@pytest.mark.parametrize("who", [OWNER, ADMIN, MEMBER])
async def test_whoever_is_asked_something_may_stop_that(world: World, who: str) -> None:
    me = next(p for p in world.store.run_now(lambda repos: repos.people.all()) if p.user_id_on("telegram") == who)
    world.raise_concern("周报", initiator="p_owner" if who != OWNER else "p_member", delegates=(me.person_id,))
    await world.say(who, "/stop")
    assert not world.person(me.person_id).interaction_policy.contact_allowed


@pytest.mark.parametrize("role", list(Role))
def test_a_menu_offers_what_its_role_may_use(role: Role) -> None:
    names = menu_of(role)
    assert len(set(names)) == len(names)
    who = {Role.STRANGER: ZHANGSAN, Role.DELEGATE: ZHANGSAN}.get(role) or next(n for n, r in ROLES.items() if r is role)
    assert all(who in MAY[name] for name in names)
    assert {name for name in MAY if who in MAY[name]} == set(names)


# --- /grant ---


async def test_a_role_is_granted_told_and_used(world: World) -> None:
    said = sorted(await world.say(OWNER, "/grant 李四 成员"), key=lambda s: s.to, reverse=True)
    assert [(s.chat, s.to) for s in said] == [("telegram:1001", "p_owner"), ("", "p_lisi")]
    assert "李四现在是成员" in said[0].text
    assert said[1].text.startswith("老板 has made you a member")
    assert world.person("p_lisi").role is Role.MEMBER
    assert "/concerns" in (await world.answer(LISI, "/help")).text
    assert "李四" in (await world.answer(OWNER, "/people")).text
    assert "李四 · 成员" in (await world.answer(OWNER, "/person 李四")).text
    assert "已经是成员" in (await world.answer(OWNER, "/grant 李四 member")).text

    said = await world.say(OWNER, "/grant 李四 delegate")
    assert any("当事人" in s.text for s in said)
    assert "/concerns" not in (await world.answer(LISI, "/help")).text


@pytest.mark.parametrize(
    ("line", "has"),
    [
        ("/grant", "用法：/grant 人名"),
        ("/grant 李四", "角色写成员"),
        ("/grant 李四 owner", "角色写成员"),
        ("/grant 李四 stranger", "角色写成员"),
        ("/grant 老板 member", "只在配置文件里定"),
        ("/grant 王五 member", "通讯录里没有这个人"),
        ("/grant admin", "通讯录里没有这个人"),
    ],
)
async def test_a_grant_that_cannot_be_changes_nothing(world: World, line: str, has: str) -> None:
    before = world.store.run_now(lambda repos: repos.people.all())
    assert has in (await world.answer(OWNER, line)).text
    assert world.store.run_now(lambda repos: repos.people.all()) == before


async def test_at_night_only_the_owner_is_told_of_a_grant_at_once(world: World) -> None:
    world.clock.set(NOON.replace(hour=23))
    assert [s.to for s in await world.say(OWNER, "/grant 张三 admin")] == ["p_owner"]
    world.clock.set(NOON.replace(day=17, hour=9))
    assert [(s.to, s.purpose) for s in world.sent()] == [("p_zhangsan", Purpose.NOTICE)]


async def test_whoever_wants_no_messages_is_not_told_of_a_role(world: World) -> None:
    await world.say(ZHANGSAN, "/stop")
    assert [s.to for s in await world.say(OWNER, "/grant 张三 admin")] == ["p_owner"]


def test_a_granted_role_outlives_the_people_file_but_for_the_owners() -> None:
    entry = person("p_lisi", "李四", "2002", Role.DELEGATE)
    known = entry.model_copy(update={"role": Role.ADMIN, "granted": Role.ADMIN, "speaks": "en", "language": "en"})
    after = updated(entry.model_copy(update={"name": "李小四"}), known)
    assert (after.name, after.role, after.granted, after.language) == ("李小四", Role.ADMIN, Role.ADMIN, "en")
    assert updated(entry.model_copy(update={"role": Role.MEMBER}), entry).role is Role.MEMBER
    owner = updated(entry.model_copy(update={"role": Role.OWNER}), known)
    assert (owner.role, owner.granted) == (Role.OWNER, None)


async def test_what_a_demoted_member_asked_for_before_is_not_carried_out(world: World) -> None:
    """The block is still theirs, and so is the button: the role is not."""
    hub = CognitiveHub(world.services)
    await hub.handle(world.fact(MEMBER, "让李四给供应商付五万块"))
    asked = world.sent()[-1]
    yes = next(data for data in asked.data if data.startswith("yes:"))
    await world.say(OWNER, "/grant 小周 delegate")
    await hub.handle(world.fact(MEMBER, kind=FactKind.BUTTON, button=yes))
    said = world.sent()
    assert {s.to for s in said} == {"p_member"}
    assert world.store.run_now(lambda repos: repos.concerns.count(open_only=False)) == 0


# --- /reassign ---


async def test_another_one_is_asked_instead(world: World) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    world.sent()
    (said,) = [s for s in await world.say(OWNER, "/reassign 1 李四") if s.to == "p_owner"]
    assert "改由李四来答" in said.text
    status = {p.person_id: p.comm_status for p in world.get(concern_id).delegates}
    assert status["p_lisi"] is CommStatus.TO_CONTACT
    assert not status["p_zhangsan"].is_owing


async def test_of_several_the_button_says_whose_place(world: World) -> None:
    world.store.run_now(lambda repos: repos.people.save(person("p_wang", "王五", "2003")))
    concern_id = world.raise_concern("提测时间", delegates=("p_zhangsan", "p_lisi"))
    for who in ("p_zhangsan", "p_lisi"):
        world.contact(concern_id, who)
    before = world.get(concern_id)
    asked = await world.answer(OWNER, "/reassign 1 王五")
    assert asked.labels == ["张三", "李四"]
    assert world.get(concern_id) == before
    said = [s for s in await world.say(OWNER, "", kind=FactKind.BUTTON, button=asked.data[1]) if s.to == "p_owner"]
    assert "李四那边不再问了" in said[0].text
    owing = {p.person_id for p in world.get(concern_id).delegates if p.comm_status.is_owing}
    assert owing == {"p_zhangsan", "p_wang"}


@pytest.mark.parametrize(
    ("words", "has"),
    [
        ("1", "用法：/reassign"),
        ("1 王五", "通讯录里没有这个人"),
        ("1 张三", "张三已经在答"),
        ("1 老板", "老板交代的"),
        ("1 小周 李四", "没有可以换下来的人"),
    ],
)
async def test_a_change_that_cannot_be_changes_nobody(world: World, words: str, has: str) -> None:
    concern_id = world.raise_concern("提测时间")
    before = world.get(concern_id)
    world.sent()
    assert has in (await world.answer(OWNER, f"/reassign {words}")).text
    assert world.get(concern_id) == before


async def test_whose_matter_it_is_hears_that_an_admin_changed_it(world: World) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    world.sent()
    said = await world.say(ADMIN, "/reassign 1 李四")
    assert "改由李四" in next(s.text for s in said if s.to == "p_admin")
    assert "孙秘书把「提测时间」改由李四来答" in next(s.text for s in said if s.to == "p_owner")


async def test_nobody_is_put_in_who_wants_no_messages_or_cannot_be_reached(world: World) -> None:
    world.store.run_now(
        lambda repos: repos.people.save(person("p_wang", "王五", "2003").model_copy(update={"identities": ()}))
    )
    concern_id = world.raise_concern("提测时间")
    await world.say(LISI, "/stop")
    before = world.get(concern_id)
    assert "不想再收到消息" in (await world.answer(OWNER, "/reassign 1 李四")).text
    assert "/invite 王五" in (await world.answer(OWNER, "/reassign 1 王五")).text
    assert world.get(concern_id) == before


# --- /quiet, /lang, /bind ---


async def test_quiet_is_kept_shown_and_ended(world: World) -> None:
    assert "/quiet 2h" in (await world.answer(OWNER, "/quiet")).text
    assert "今天 14:00" in (await world.answer(OWNER, "/quiet 2h")).text
    assert world.person("p_owner").quiet_until == NOON + 2 * HOUR
    assert "今天 14:00" in (await world.answer(OWNER, "/quiet")).text
    assert "今天 14:00" in (await world.answer(OWNER, "/whoami")).text
    assert "照常" in (await world.answer(OWNER, "/quiet off")).text
    assert world.person("p_owner").quiet_until is None
    await world.answer(OWNER, "/quiet 2h")
    world.clock.advance(3 * HOUR)
    assert "/quiet 2h" in (await world.answer(OWNER, "/quiet")).text


@pytest.mark.parametrize(
    ("words", "has"),
    [("很久", "没看懂"), ("30d", "最多先停 7 天"), ("2026-03-01T09:00", "已经过去")],
)
async def test_a_quiet_that_cannot_be_is_none(world: World, words: str, has: str) -> None:
    text = (await world.answer(OWNER, f"/quiet {words}")).text
    assert has in text
    assert "用法：/quiet" in text
    assert world.person("p_owner").quiet_until is None


async def test_the_language_is_ones_own(world: World) -> None:
    assert (await world.answer(OWNER, "/lang en")).text == "All right, English from now on."
    assert "You're 老板" in (await world.answer(OWNER, "/whoami")).text
    assert (await world.answer(OWNER, "/lang 中文")).text == "好的，以后用中文。"
    assert "只会中文和英文" in (await world.answer(OWNER, "/lang fr")).text
    assert "用法：/lang" in (await world.answer(OWNER, "/lang")).text


def elsewhere(world: World, text: str, who: str = "ou_boss") -> Any:
    return world.fact(who, text, channel="feishu", conversation=ConversationId(f"feishu:{who}"))


async def bound(world: World, number: str = OWNER) -> str:
    """A code of /bind."""
    text = (await world.answer(number, "/bind")).text
    return text.split("/start ")[1].split()[0]


async def test_a_second_chat_is_connected_with_a_code_that_is_good_once(world: World) -> None:
    code = await bound(world)
    assert await world.commands.handle(elsewhere(world, f"/start {code}"))
    assert "老板" in world.sent()[0].text
    assert [i.channel for i in world.person("p_owner").identities] == ["telegram", "feishu"]
    assert not await bound_by(world, code, "ou_else")
    assert world.person("p_owner").user_id_on("feishu") == "ou_boss"


async def bound_by(world: World, code: str, who: str) -> bool:
    await world.commands.handle(elsewhere(world, f"/start {code}", who))
    return any("你好，老板" in s.text for s in world.sent())


async def test_a_code_lapses_and_only_the_last_three_are_good(world: World) -> None:
    codes = []
    for _ in range(4):
        codes.append(await bound(world))
        world.clock.advance(timedelta(minutes=1))
    first, *others = codes
    assert not await bound_by(world, first, "ou_a")
    assert await bound_by(world, others[0], "ou_b")
    world.clock.advance(25 * HOUR)
    assert not await bound_by(world, others[1], "ou_c")


async def test_five_wrong_codes_lock_whoever_tries(world: World) -> None:
    code = await bound(world)
    for n in range(5):
        assert not await bound_by(world, f"wrong{n}", "ou_x")
    assert not await bound_by(world, code, "ou_x")
    assert await bound_by(world, code, "ou_boss")


async def test_a_code_for_oneself_connects_nobody_else_who_is_known(world: World) -> None:
    code = await bound(world)
    (said,) = await world.say(ZHANGSAN, f"/start {code}")
    assert "你在这里已经是张三了" in said.text
    assert world.person("p_owner").identities == (Identity(channel="telegram", user_id="1001"),)


async def test_a_code_that_is_asked_for_in_a_group_goes_to_ones_own_chat(world: World) -> None:
    (said,) = await world.say(OWNER, "/bind", group=True, conversation=ConversationId("telegram:-100"))
    assert (said.chat, said.to) == ("", "p_owner")


# --- /audit ---

DID: list[tuple[str, str, str]] = [
    (OWNER, "/pause 1 2h", "/pause"),
    (OWNER, "/resume 1", "/resume"),
    (ADMIN, "/priority 1 高", "/priority"),
    (OWNER, "/nudge 1", "/nudge"),
    (OWNER, "/reassign 1 李四", "/reassign"),
    (OWNER, "/drop 1", "/drop"),
    (OWNER, "/quiet 2h", "/quiet"),
    (OWNER, "/brief 8:30", "/brief"),
    (OWNER, "/brief off", "/brief"),
    (OWNER, "/lang zh", "/lang"),
    (OWNER, "/bind", "/bind"),
    (ADMIN, "/invite 张三", "/invite"),
    (OWNER, "/grant 李四 admin", "/grant"),
    (ZHANGSAN, "/stop", "不想再收到消息"),
]
LOOKS = ("/concerns", "/concern 1", "/agenda", "/people", "/person 张三", "/quiet", "/brief", "/whoami", "/help", "/jobs",
         "/drop 没有这回事", "/grant 李四", "/audit", "/xyzzy")  # fmt: skip


@pytest.mark.parametrize(("who", "line", "shown"), DID)
async def test_what_somebody_changed_is_in_the_audit(world: World, who: str, line: str, shown: str) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    if line.startswith("/resume"):
        await world.say(OWNER, "/pause 1")
    await world.say(who, line)
    text = (await world.answer(OWNER, "/audit")).text.splitlines()[1]
    assert text.startswith(f"今天 12:00 {world.person(PEOPLE_BY_NUMBER[who]).name} {shown}")
    if "1" in line.split()[1:]:
        assert "001 提测时间" in text


async def test_looking_and_failing_is_no_deed(world: World) -> None:
    world.raise_concern("提测时间")
    for line in LOOKS:
        await world.say(OWNER, line)
    assert (await world.answer(OWNER, "/audit")).text == "还没有记录。"


async def test_the_audit_of_one_person_and_its_pages(world: World) -> None:
    for _ in range(6):
        await world.say(OWNER, "/lang zh")
        await world.say(ADMIN, "/invite 张三")
    text = (await world.answer(OWNER, "/audit 张三")).text
    assert len(text.splitlines()) == 7
    assert "孙秘书 /invite 张三" in text
    first = await world.answer(OWNER, "/audit")
    assert len(first.text.splitlines()) == 11
    assert first.data == ["cmd:audit 2"]
    assert len((await world.press(OWNER, first.data[0])).text.splitlines()) == 3
    assert "通讯录里没有这个人" in (await world.answer(OWNER, "/audit 王五")).text


async def test_buttons_and_confirmations_are_deeds_and_hold_nobodys_words(world: World) -> None:
    hub = CognitiveHub(world.services)
    await hub.handle(world.fact(OWNER, "让李四给供应商付五万块"))
    yes = next(data for data in world.sent()[-1].data if data.startswith("yes:"))
    assert world.store.run_now(lambda repos: repos.deeds.latest(9)) == ()
    await hub.handle(world.fact(OWNER, kind=FactKind.BUTTON, button=yes))
    await hub.handle(world.fact(OWNER, kind=FactKind.BUTTON, button=yes))  # an old one does nothing
    (deed,) = world.store.run_now(lambda repos: repos.deeds.latest(9))
    assert (deed.by, deed.how, deed.what) == ("p_owner", "button", "confirm")
    assert "五万" not in deed.model_dump_json()
    assert "老板 按钮 点了头" in (await world.answer(OWNER, "/audit")).text


async def test_redeeming_an_invite_is_a_deed(world: World) -> None:
    code = await bound(world)
    await world.commands.handle(elsewhere(world, f"/start {code}"))
    world.sent()
    assert "老板 /start → feishu" in (await world.answer(OWNER, "/audit")).text


# --- presses that are not theirs ---

PAYLOADS = ["yes:{b}", "no:{b}", "edit:{b}", "pick:{b}:1", "act:{b}:1", "act:{b}:all", "which:{b}:1", "which:{b}:all",
            "now:{c}", "wait:{c}", "choice:{d}:drop", "choice:{d}:ask", "choice:{d}:swap", "away:{c}:wait", "away:{c}:swap",
            "cmd:drop {c}", "cmd:nudge {c}", "cmd:grant 张三 admin", "cmd:resend 1", "cmd:", "yes:", "yes", "", "now:", ":::",
            "choice:", "pick:{b}:99999999999", "pick:{b}:²", "which:{b}:-1", "which:{b}:³", "act:{b}:①", "act:x:y:z", "no such thing", "💥" * 8]  # fmt: skip


@pytest.mark.parametrize("who", [MEMBER, ZHANGSAN, LISI, NOBODY])
async def test_a_forged_press_does_nothing(world: World, who: str) -> None:
    """Whoever sends the payload of somebody else's button is answered with one kind line at most."""
    hub = CognitiveHub(world.services)
    concern_id = world.raise_concern("机密收购案", delegates=("p_admin",))
    world.contact(concern_id, "p_admin")
    world.ask_initiator(concern_id, "要不要加价")
    await hub.handle(world.fact(OWNER, "让李四给供应商付五万块"))
    point = world.get(concern_id).decision
    (block,) = waiting(world)
    world.sent()
    before, people = world.get(concern_id), world.store.run_now(lambda repos: repos.people.all())
    assert point is not None
    for payload in PAYLOADS:
        data = payload.format(b=block.block_id, c=concern_id, d=point.decision_id)
        stored = world.fact(who, kind=FactKind.BUTTON, button=data)
        if not await world.commands.handle(stored):
            await hub.handle(stored)
        said = world.sent()
        assert len(said) <= 1, payload
        assert all(s.chat == f"telegram:{who}" and "机密" not in s.text and "五万" not in s.text for s in said), payload
    assert world.get(concern_id) == before
    assert world.store.run_now(lambda repos: repos.people.all()) == people
    assert waiting(world) == (block,)
    assert world.store.run_now(lambda repos: repos.concerns.count(open_only=False)) == 1
    assert world.store.run_now(lambda repos: repos.deeds.latest(9)) == ()


NO_PLACES = ("", "-1", "7", "²", "①", "٣", "1.0", " 1", "9" * 50)


@pytest.mark.parametrize("place", NO_PLACES)
async def test_a_place_that_is_none_chooses_nothing(world: World, place: str) -> None:
    """Also under a button of one's own: what a press carries may be tampered with."""
    hub = CognitiveHub(world.services)
    for title in ("合同什么时候能签", "发票什么时候能开"):
        world.contact(world.raise_concern(title), "p_zhangsan")
    await hub.handle(world.fact(ZHANGSAN, "周四"))
    asked = next(s for s in world.sent() if s.data)
    which = asked.data[0].rpartition(":")[0]
    for text in ("让李四给供应商付五万块", "让李四给房东付六万块"):
        await hub.handle(world.fact(OWNER, text))
    blocks = waiting(world)
    await hub.handle(world.fact(OWNER, "可以"))
    act = next(data for s in world.sent() for data in s.data if data.startswith("act:")).rpartition(":")[0]
    before = [c.model_dump_json() for c in world.store.run_now(lambda r: r.concerns.list(open_only=False, limit=9))]
    for who, data in ((ZHANGSAN, which), (OWNER, f"pick:{blocks[0].block_id}"), (OWNER, act)):
        await hub.handle(world.fact(who, kind=FactKind.BUTTON, button=f"{data}:{place}"))
        said = world.sent()
        assert len(said) == 1, data
        assert said[0].chat == f"telegram:{who}"
    after = [c.model_dump_json() for c in world.store.run_now(lambda r: r.concerns.list(open_only=False, limit=9))]
    assert after == before
    assert waiting(world) == blocks


def waiting(world: World) -> tuple[Block, ...]:
    """What waits for the owner's yes."""
    kind = BlockKind.ACTIONS_NEED_CONFIRMATION
    return world.store.run_now(lambda repos: repos.blocks.of(PersonId("p_owner"), kind))


# --- floods ---


async def flood(world: World, who: str, many: int, text: str = "在吗", apart: timedelta = timedelta(0)) -> list[Said]:
    """So many messages, each judged as the runtime judges it; what went out."""
    hub, said = CognitiveHub(world.services), list[Said]()
    for _ in range(many):
        stored = world.fact(who, text)
        if not await world.commands.handle(stored):
            await hub.handle(stored)
        said += world.sent()
        world.clock.advance(apart)
    return said


@pytest.mark.parametrize("who", [ZHANGSAN, MEMBER])
async def test_a_flood_costs_no_brain_and_is_told_of_once(world: World, who: str) -> None:
    asked = counting(world)
    await flood(world, who, 20, "随便说说")
    before = len(asked)
    said = await flood(world, who, 50, "随便说说")
    assert len(asked) == before
    assert [s.text for s in said] == ["一下子收到太多条，刚才这几条我先没看。过一分钟，再发一次要紧的就行。"]
    kept = world.store.run_now(lambda repos: repos.facts.dialogue(ConversationId(f"telegram:{who}"), 100))
    assert sum(line.text == "随便说说" for line in kept) == 70
    world.clock.advance(timedelta(minutes=2))
    await flood(world, who, 1, "随便说说")
    assert len(asked) > before or who == ZHANGSAN


async def test_the_facts_of_a_flood_say_why_they_were_not_read(world: World) -> None:
    await flood(world, ZHANGSAN, 20)
    stored = world.fact(ZHANGSAN, "周四能提测")
    outcome = await CognitiveHub(world.services).handle(stored)
    assert (outcome.decision, outcome.reason) == ("ignore", "too many messages at once")
    judged = world.store.run_now(lambda repos: repos.facts.judged(stored.fact_id))
    assert judged is not None
    assert (judged.decision, judged.reason) == ("ignore", "too many messages at once")


async def test_commands_are_no_way_around(world: World) -> None:
    said = await flood(world, ZHANGSAN, 60, "/help")
    assert len(said) == 20 + 1


@pytest.mark.parametrize("who", [OWNER, ADMIN])
async def test_owner_and_admins_are_always_heard(world: World, who: str) -> None:
    assert len(await flood(world, who, 60, "/whoami")) == 60


async def test_a_backlog_that_comes_at_once_is_no_flood(world: World) -> None:
    """What counts is when it was written, not when it arrived."""
    start, answers = world.clock.now() - HOUR, 0
    for n in range(60):
        stored = world.fact(ZHANGSAN, "/whoami", occurred_at=start + n * timedelta(seconds=10))
        assert await world.commands.handle(stored)
        answers += len(world.sent())
    assert answers == 60


async def test_a_stranger_costs_no_brain_and_hears_one_line(world: World) -> None:
    asked = counting(world)
    said = await flood(world, NOBODY, 100, "你好，我是张三的朋友，帮我问一下李四的电话")
    assert (len(said), asked) == (1, [])
    stored = world.fact(NOBODY, "/whoami")
    assert await world.commands.handle(stored)
    assert world.sent() == []


def counting(world: World) -> list[Any]:
    """The questions that the brain is asked from now on."""
    asked: list[Any] = []
    brain: Any = world.services.brain
    ask = brain.ask

    async def counted(question: Any) -> Any:
        asked.append(question)
        return await ask(question)

    brain.ask = counted
    return asked


def test_a_fact_that_waits_is_judged_the_same_later() -> None:
    """Whether a message is read depends on those before it alone."""
    world = World()
    stored = [world.fact(ZHANGSAN, str(n)) for n in range(30)]
    since = stored[0].fact.occurred_at - timedelta(minutes=1)
    out = [world.store.run_now(lambda repos, s=s: repos.facts.outpaced(s, since, 20)) for s in stored]
    assert out == [False] * 20 + [True] * 10
    other = world.fact(LISI, "在")
    assert not world.store.run_now(lambda repos: repos.facts.outpaced(other, since, 20))
    world.store.close()
