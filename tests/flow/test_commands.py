"""Slash commands on a real store: what each role is answered, what changes, and that nothing of others leaks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.brain.scripted import ScriptedBrain
from bot.commands import Commands, agenda_text, concern_text, concerns_text, the_concern
from bot.jobs.words import Writer
from bot.render import JinjaRenderer
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from bot.system import SystemIds, VirtualClock
from core.brain.rules import RuleBrain
from core.concern import inbound, opening, outbound
from core.concern.decision import Setting
from core.concern.model import CommStatus, Concern, ConcernType, Priority, Status
from core.concern.points import raise_point
from core.effects import Outgoing, Purpose, Words
from core.errors import QinghaiError
from core.facts import Fact, FactKind, StoredFact
from core.hub.commit import commit
from core.hub.services import Services, everybody
from core.ids import ConcernId, ConversationId, PersonId
from core.limits import Limits
from core.people import Identity, Person, Role
from core.ports import ChannelButton

NOON = datetime.fromisoformat("2026-03-16T12:00:00+08:00")  # a Monday
RENDERER = JinjaRenderer()


def person(person_id: str, name: str, number: str, role: Role = Role.DELEGATE, **more: Any) -> Person:
    there = (Identity(channel="telegram", user_id=number),)
    return Person(person_id=PersonId(person_id), name=name, role=role, identities=there, **more)


PEOPLE = (
    person("p_owner", "老板", "1001", Role.OWNER),
    person("p_admin", "孙秘书", "1002", Role.ADMIN),
    person("p_member", "小周", "1003", Role.MEMBER),
    person("p_zhangsan", "张三", "2001", aliases=("三哥", "Zhang San")),
    person("p_lisi", "李四", "2002", language="en"),
)


@dataclass(frozen=True)
class Said:
    """One message that would go out."""

    to: str
    chat: str
    text: str
    purpose: Purpose
    buttons: tuple[tuple[ChannelButton, ...], ...]

    @property
    def labels(self) -> list[str]:
        return [b.label for row in self.buttons for b in row]

    @property
    def data(self) -> list[str]:
        return [b.data for row in self.buttons for b in row]


class World:
    """The commands on a database in memory, and a clock that is moved."""

    def __init__(self, failpoint: Callable[[str], None] = lambda name: None) -> None:
        self.store = PeeweeStore("sqlite:///:memory:", inline=True, failpoint=failpoint)
        self.clock = VirtualClock(NOON)
        self.services = Services(
            store=self.store,
            brain=ScriptedBrain(RuleBrain()),
            simple_brain=RuleBrain(),
            clock=self.clock,
            ids=SystemIds(),
            limits=Limits(),
        )
        self.commands = Commands(self.services, self.store)
        self.store.run_now(lambda repos: [repos.people.save(p) for p in PEOPLE])
        self._events = 0

    # --- doing ---

    def fact(self, number: str, text: str = "", **more: Any) -> StoredFact:
        self._events += 1
        values: dict[str, Any] = {
            "channel": "telegram",
            "event_id": str(self._events),
            "kind": FactKind.MESSAGE,
            "occurred_at": self.clock.now(),
            "conversation": ConversationId(f"telegram:{number}"),
            "sender": number,
            "message_id": f"m{self._events}",
            "text": text,
        }
        fact = Fact(**{**values, **more})
        fact_id = self.store.run_now(lambda repos: repos.facts.add(fact, self.clock.now()))
        assert fact_id is not None
        return StoredFact(fact_id=fact_id, fact=fact)

    async def say(self, number: str, text: str, **more: Any) -> list[Said]:
        """What goes out after this message; the fact must have been taken for a command, and be closed."""
        self.sent()
        stored = self.fact(number, text, **more)
        assert await self.commands.handle(stored)
        assert stored.fact_id not in self.unhandled()
        return self.sent()

    async def answer(self, number: str, text: str, **more: Any) -> Said:
        """The one message that goes out after this one, into the chat where it was said."""
        (said,) = await self.say(number, text, **more)
        assert (said.chat, said.purpose) == (f"telegram:{number}", Purpose.REPLY)
        return said

    async def press(self, number: str, data: str) -> Said:
        assert len(data.encode()) <= 64
        return await self.answer(number, "", kind=FactKind.BUTTON, button=data)

    def raise_concern(
        self, title: str, initiator: str = "p_owner", delegates: tuple[str, ...] = ("p_zhangsan",), **more: Any
    ) -> ConcernId:
        def keep(repos: StoreRepositories) -> ConcernId:
            people = everybody(repos)
            by = people[PersonId(initiator)]
            proposal = opening.Proposal(
                concern_id=repos.concerns.next_id(self.clock.now().strftime("%Y%m%d")),
                type=ConcernType.DELEGATION,
                title=title,
                goal=f"拿到答复：{title}",
                words=title,
                initiator=by,
                channel="telegram",
                channel_user_id=by.user_id_on("telegram") or "",
                conversation=None,
                origin_message_id=None,
                delegates=tuple(people[PersonId(d)] for d in delegates),
                **more,
            )
            return commit(repos, opening.open_concern(proposal, self.setting(people)), new=True).concern_id

        return self.store.run_now(keep)

    def contact(self, concern_id: ConcernId, to: str, text: str = "请问一下") -> None:
        """The first contact has gone out."""
        message = Outgoing(
            purpose=Purpose.FIRST_CONTACT, to=PersonId(to), words=Words(text=text), concern_id=concern_id
        )

        def keep(repos: StoreRepositories) -> None:
            concern = self.get(concern_id, repos)
            setting = self.setting(everybody(repos))
            commit(repos, outbound.delivered(concern, message, text, "telegram", "9", setting))

        self.store.run_now(keep)

    def hear(self, concern_id: ConcernId, who: str, text: str) -> None:
        def keep(repos: StoreRepositories) -> None:
            now, setting = self.clock.now(), self.setting(everybody(repos))
            concern = self.get(concern_id, repos)
            heard = inbound.heard(concern, PersonId(who), text, "telegram", None, now, setting, f"{who}{text}")
            commit(repos, heard)

        self.store.run_now(keep)

    def ask_initiator(self, concern_id: ConcernId, question: str) -> None:
        def keep(repos: StoreRepositories) -> None:
            concern, setting = self.get(concern_id, repos), self.setting(everybody(repos))
            commit(repos, raise_point(concern, setting, kind="open", question=question, about=None))

        self.store.run_now(keep)

    # --- looking ---

    def setting(self, people: dict[PersonId, Person]) -> Setting:
        return Setting(now=self.clock.now(), people=people, limits=Limits())

    def get(self, concern_id: ConcernId, repos: StoreRepositories | None = None) -> Concern:
        found = repos.concerns.get(concern_id) if repos else self.store.run_now(lambda r: r.concerns.get(concern_id))
        assert found is not None
        return found

    def person(self, person_id: str) -> Person:
        found = self.store.run_now(lambda repos: repos.people.get(PersonId(person_id)))
        assert found is not None
        return found

    def unhandled(self) -> set[int]:
        found = self.store.run_now(lambda repos: repos.facts.ready(self.clock.now(), (), 1000))
        return {stored.fact_id for stored in found}

    def sent(self) -> list[Said]:
        """The messages that are due now, each once, in words."""

        def take(repos: StoreRepositories) -> list[Said]:
            due = []
            while claimed := repos.jobs.claim(self.clock.now(), (), self.clock.now() + timedelta(days=1), 100):
                for one in claimed:
                    repos.jobs.done(one.job.key)
                    if one.job.kind == "deliver":
                        message = Outgoing.model_validate_json(one.job.payload)
                        due.append(self._in_words(repos, message))
            return due

        return self.store.run_now(take)

    def _in_words(self, repos: StoreRepositories, message: Outgoing) -> Said:
        reader = repos.people.get(message.to) if message.to else None
        writer = Writer(RENDERER, reader, self.clock.now(), "zh-CN", "Asia/Shanghai")
        buttons = writer.buttons(message.buttons)
        text = writer.text(message.words)
        return Said(message.to or "", message.conversation or "", text, message.purpose, buttons)


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.store.close()


OWNER, ADMIN, MEMBER, ZHANGSAN, LISI, NOBODY = "1001", "1002", "1003", "2001", "2002", "6666"

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
        if fails[0] and name == "before_commit":
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
    "/pending",
    "/drop",
    "/nudge",
    "/pause",
    "/resume",
    "/priority",
    "/expectations",
    "/watch",
    "/unwatch",
    "/schedules",
    "/unschedule",
}

INSPECTORS = {"/people", "/person", "/invite"}


@pytest.mark.parametrize(
    ("who", "may"),
    [
        (OWNER, STARTERS | INSPECTORS),
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


# --- /concerns ---


async def test_nothing_open_is_said(world: World) -> None:
    assert (await world.answer(OWNER, "/concerns")).text == "现在没有在跟进的事。"
    assert (await world.answer(LISI, "/help")).text.startswith("When somebody")


async def test_concerns_are_listed_newest_first_with_who_status_and_next_step(world: World) -> None:
    first = world.raise_concern("提测时间", delegates=("p_zhangsan", "p_lisi"))
    world.contact(first, "p_zhangsan")
    world.contact(first, "p_lisi")
    world.clock.advance(timedelta(minutes=1))
    world.raise_concern("合同用印", initiator="p_member", priority=Priority.HIGH)
    said = await world.answer(OWNER, "/concerns")
    assert said.text.splitlines() == [
        "在跟进的 2 件：",
        "002 合同用印（张三） · 小周发起",
        "   待联系 · 优先级高 · 这就联系张三",
        "001 提测时间（张三和李四）",
        "   等回复 · 今天 16:00 跟进张三和李四",
    ]
    assert said.labels == ["002", "001"]


async def test_a_member_sees_only_what_they_started(world: World) -> None:
    world.raise_concern("老板的事", delegates=("p_member",))
    world.raise_concern("小周的事", initiator="p_member")
    for line in ("/concerns", "/concerns all", "/concerns 待联系", "/concerns 张三", "/concerns 小周"):
        said = await world.answer(MEMBER, line)
        assert "小周的事" in said.text
        assert "老板的事" not in said.text
        assert said.labels == ["002"]


async def test_concerns_can_be_filtered(world: World) -> None:
    world.raise_concern("一", delegates=("p_zhangsan",))
    second = world.raise_concern("二", delegates=("p_lisi",))
    world.contact(second, "p_lisi")
    await world.say(OWNER, "/drop 二")

    async def handles(line: str) -> list[str]:
        return (await world.answer(OWNER, line)).labels

    assert await handles("/concerns") == ["001"]
    assert await handles("/concerns all") == ["002", "001"]
    assert await handles("/concerns 全部") == ["002", "001"]
    assert await handles("/concerns dropped") == ["002"]
    assert await handles("/concerns 已放下") == ["002"]
    assert await handles("/concerns RESOLVED") == []
    assert await handles("/concerns 李四") == ["002"]
    assert await handles("/concerns zhang san") == ["001"]


async def test_an_unknown_filter_is_answered_with_the_usage(world: World) -> None:
    said = await world.answer(OWNER, "/concerns 王二麻子")
    assert "用法：/concerns" in said.text
    assert "没有这样的状态" in said.text


async def test_pages_are_turned_by_button(world: World) -> None:
    for n in range(20):
        world.raise_concern(f"第{n}件")
    first = await world.answer(OWNER, "/concerns 张三")
    assert "第 1/3 页" in first.text
    assert (len(first.labels), first.labels[-1]) == (9, "下一页 ›")
    second = await world.press(OWNER, first.data[-1])
    assert "第 2/3 页" in second.text
    assert second.labels[-2:] == ["‹ 上一页", "下一页 ›"]
    last = await world.press(OWNER, second.data[-1])
    assert last.labels == ["004", "003", "002", "001", "‹ 上一页"]
    assert (await world.answer(OWNER, "/concerns 张三 99")).text == last.text
    assert (await world.press(OWNER, last.data[-1])).text == second.text


async def test_a_name_too_long_for_a_button_leaves_it_off(world: World) -> None:
    name = "欧阳" * 20
    world.store.run_now(lambda repos: repos.people.save(person("p_long", name, "2009")))
    for _ in range(9):
        world.raise_concern("年会", delegates=("p_long",))
    said = await world.answer(OWNER, f"/concerns {name}")
    assert "第 1/2 页" in said.text
    assert all(len(data.encode()) <= 64 for data in said.data)
    assert "第 2/2 页" in (await world.answer(OWNER, f"/concerns {name} 2")).text


async def test_a_button_does_for_another_what_that_one_may(world: World) -> None:
    world.raise_concern("老板的事")
    opener = (await world.answer(OWNER, "/concerns")).data[0]
    assert "老板的事" in (await world.press(ADMIN, opener)).text
    assert "没找到" in (await world.press(MEMBER, opener)).text
    assert "/help" in (await world.press(ZHANGSAN, opener)).text


# --- /concern ---


@pytest.mark.parametrize(
    "wanted", ["con_20260316_001", "CON_20260316_001", "20260316_001", "20260316_1", "001", "1", "提测", "提测时间 v2"]
)
async def test_a_concern_is_found_by_id_number_or_words(world: World, wanted: str) -> None:
    world.raise_concern("提测时间 v2.0")
    world.raise_concern("合同用印")
    assert "目标：拿到答复：提测时间 v2.0" in (await world.answer(OWNER, f"/concern {wanted}")).text


async def test_the_number_of_another_day_will_do_while_it_is_open(world: World) -> None:
    world.raise_concern("昨天的事")
    world.clock.advance(timedelta(days=1))
    assert "昨天的事" in (await world.answer(OWNER, "/concern 1")).text
    assert "20260316_001" in (await world.answer(OWNER, "/concerns")).text
    world.raise_concern("今天的事")
    assert "今天的事" in (await world.answer(OWNER, "/concern 1")).text
    assert "昨天的事" in (await world.answer(OWNER, "/concern 20260316_001")).text


async def test_open_ones_go_before_closed_ones(world: World) -> None:
    world.raise_concern("提测时间一")
    await world.say(OWNER, "/drop 1")
    assert "已放下" in (await world.answer(OWNER, "/concern 提测")).text
    world.raise_concern("提测时间二")
    assert "提测时间二" in (await world.answer(OWNER, "/concern 提测")).text


@pytest.mark.parametrize("line", ["/drop 提测", "/priority 提测 高", "/pause 提测 2h", "/concern 提测"])
async def test_words_that_fit_several_are_asked_back(world: World, line: str) -> None:
    first, second = world.raise_concern("提测时间"), world.raise_concern("提测环境")
    world.raise_concern("合同用印")
    before = world.get(first), world.get(second)
    said = await world.answer(OWNER, line)
    assert said.labels == ["002 提测环境", "001 提测时间"]
    assert (world.get(first), world.get(second)) == before
    await world.say(OWNER, "", kind=FactKind.BUTTON, button=said.data[1])
    assert world.get(second) == before[1]
    assert (world.get(first) != before[0]) is not line.startswith("/concern")


async def test_a_title_named_in_full_is_not_asked_back(world: World) -> None:
    world.raise_concern("提测时间")
    world.raise_concern("提测时间与环境")
    assert (await world.answer(OWNER, "/concern 提测时间")).text.startswith("001 ")


async def test_a_concern_is_shown_with_people_timeline_and_dialogue(world: World) -> None:
    concern_id = world.raise_concern("提测时间", delegates=("p_zhangsan", "p_lisi"))
    world.contact(concern_id, "p_zhangsan", "请问什么时候能提测？")
    world.hear(concern_id, "p_zhangsan", "我看看")
    said = await world.answer(OWNER, "/concern 1")
    for part in ("001 提测时间", "目标：", "张三：已回复", "李四：待联系", "下一步：", "立项：提测时间", "发给张三"):
        assert part in said.text
    assert "→ 张三：请问什么时候能提测？" in said.text
    assert "张三：我看看" in said.text
    assert said.labels == ["再催一下", "暂停"]
    assert "con_" not in said.text
    assert "p_zhangsan" not in said.text


async def test_a_long_dialogue_is_cut(world: World) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    for n in range(14):
        world.clock.advance(timedelta(minutes=1))
        world.hear(concern_id, "p_zhangsan", f"第{n}句" + "长" * 200)
    text = (await world.answer(OWNER, "/concern 1")).text
    assert "还有 5 条" in text
    assert "第3句" not in text
    assert "第4句" in text
    assert "长" * 160 not in text
    whole = world.store.run_now(lambda repos: concern_text(repos, RENDERER, "zh-CN", world.clock.now(), "1"))
    assert "第0句" in whole
    assert "还有" not in whole


async def test_a_decision_that_waits_is_shown(world: World) -> None:
    concern_id = world.raise_concern("提测时间")
    world.contact(concern_id, "p_zhangsan")
    world.ask_initiator(concern_id, "能换下午吗")
    assert "等老板决定：能换下午吗" in (await world.answer(OWNER, "/concern 1")).text
    assert "等老板决定" in (await world.answer(OWNER, "/concerns")).text


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


# --- /people, /agenda ---


async def test_people_are_listed_by_role_in_pages(world: World) -> None:
    said = await world.answer(ADMIN, "/people")
    lines = said.text.splitlines()
    assert lines[0] == "通讯录 5 人："
    assert lines[1].startswith("老板")
    assert any("三哥" in line and "telegram" in line for line in lines)
    for n in range(12):
        world.store.run_now(lambda repos, n=n: repos.people.save(person(f"p_{n}", f"同事{n}", f"30{n}")))  # type: ignore[misc]
    first = await world.answer(OWNER, "/people")
    assert "第 1/3 页" in first.text
    assert "第 2/3 页" in (await world.press(OWNER, first.data[-1])).text
    assert "用法：/people" in (await world.answer(OWNER, "/people 张三")).text


async def test_the_agenda_puts_what_waits_for_the_reader_first(world: World) -> None:
    first = world.raise_concern("提测时间")
    world.raise_concern("机房告警", priority=Priority.CRITICAL)
    for n in range(9):
        world.raise_concern(f"杂事{n}", priority=Priority.LOW)
    world.contact(first, "p_zhangsan")
    world.ask_initiator(first, "能换下午吗")
    text = (await world.answer(OWNER, "/agenda")).text
    order = [text.index(part) for part in ("等你决定的 1 件", "能换下午吗", "在办的 10 件", "机房告警", "最近的决定")]
    assert order == sorted(order)
    assert "还有 2 件" in text
    admins = (await world.answer(ADMIN, "/agenda")).text
    assert "等你决定" not in admins
    assert "等老板决定" in admins


async def test_a_members_agenda_is_their_own(world: World) -> None:
    world.raise_concern("机密收购案")
    world.raise_concern("小周的事", initiator="p_member")
    text = (await world.answer(MEMBER, "/agenda")).text
    assert "收购" not in text
    assert text.count("小周的事") == 2
    assert "没有在跟进的事" not in text


# --- nothing leaks ---

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


# --- the command line ---


def test_the_command_line_shows_the_same_look(world: World) -> None:
    world.raise_concern("提测时间")
    world.raise_concern("合同用印", initiator="p_member")
    now = world.clock.now()
    texts = world.store.run_now(
        lambda repos: (
            concerns_text(repos, RENDERER, "zh-CN", now),
            concern_text(repos, RENDERER, "en", now, "提测"),
            agenda_text(repos, RENDERER, "zh-CN", now),
        )
    )
    assert texts[0].splitlines()[1] == "002 合同用印（张三） · 小周发起"
    assert "Goal: 拿到答复：提测时间" in texts[1]
    assert "在办的 2 件" in texts[2]


def test_the_command_line_says_what_is_wrong_with_a_name(world: World) -> None:
    now = world.clock.now()
    with pytest.raises(QinghaiError, match=r"no concern is called '提测'.*concerns --all"):
        world.store.run_now(lambda repos: the_concern(repos, now, "提测"))
    world.raise_concern("提测时间")
    world.raise_concern("提测环境")
    with pytest.raises(QinghaiError, match=r"con_20260316_002, con_20260316_001"):
        world.store.run_now(lambda repos: concern_text(repos, RENDERER, "zh-CN", now, "提测"))


def test_all_concerns_are_listed_where_asked(world: World) -> None:
    for n in range(30):
        world.raise_concern(f"第{n}件")
    asyncio.run(world.commands.handle(world.fact(OWNER, "/drop 第0件")))
    now = world.clock.now()
    shown, whole = world.store.run_now(
        lambda repos: (
            concerns_text(repos, RENDERER, "zh-CN", now),
            concerns_text(repos, RENDERER, "zh-CN", now, open_only=False),
        )
    )
    assert ("第0件" in shown, "第29件" in shown, "第0件" in whole) == (False, True, True)
