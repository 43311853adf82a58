"""Slash commands that look: /concerns, /concern, /people, /agenda, and the same look on the command line."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.commands import agenda_text, concern_text, concerns_text, the_concern
from bot.store.repositories import StoreRepositories
from bot.store.repositories.concerns import ConcernTable
from core.concern.model import Priority
from core.errors import QinghaiError
from core.facts import FactKind
from tests.contract.test_store_agenda import expectation, watch
from tests.flow.command_world import (
    ADMIN,
    LISI,
    MEMBER,
    NOON,
    OWNER,
    RENDERER,
    ZHANGSAN,
    World,
    person,
)

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


# --- /people, /agenda ---


async def test_people_are_listed_by_role_in_pages(world: World) -> None:
    said = await world.answer(ADMIN, "/people")
    lines = said.text.splitlines()
    assert lines[0] == "通讯录 5 人："
    assert lines[1].startswith("老板")
    assert any("三哥" in line and "Telegram" in line for line in lines)
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
    said = await world.answer(OWNER, "/agenda")
    order = [said.text.index(p) for p in ("等你决定的 1 件", "能换下午吗", "在办的 10 件", "机房告警", "最近的决定")]
    assert order == sorted(order)
    assert "提测时间" not in said.text[order[2] : order[-1]]
    admins = (await world.answer(ADMIN, "/agenda")).text
    assert "等你决定" not in admins
    assert "等老板决定" in admins
    assert admins.index("机房告警") < admins.index("提测时间") < admins.index("杂事0")


async def test_each_line_of_the_agenda_says_why_it_stands_there(world: World) -> None:
    now = world.clock.now()
    world.raise_concern("压测报告", deadline=now + timedelta(days=2))
    world.raise_concern("合同用印", priority=Priority.HIGH, deadline=now + timedelta(hours=40))
    world.raise_concern("团建地点", priority=Priority.LOW)
    world.clock.advance(timedelta(days=1, hours=18))
    lines = (await world.answer(OWNER, "/agenda")).text.splitlines()
    assert lines[:7] == [
        "在办的 3 件，要紧的在前：",
        "20260316_002 合同用印（张三）",
        "   待联系 · 优先级高 · 今天已到期 · 1 天没动静 · 这就联系张三",
        "20260316_001 压测报告（张三）",
        "   待联系 · 今天到期 · 1 天没动静 · 这就联系张三",
        "20260316_003 团建地点（张三）",
        "   待联系 · 不急 · 1 天没动静 · 这就联系张三",
    ]


async def test_the_agenda_is_turned_by_button_and_loads_no_more_than_it_shows(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(20):
        world.raise_concern(f"第{n}件")
    read: list[str] = []
    whole = ConcernTable.get
    monkeypatch.setattr(ConcernTable, "get", lambda table, i: read.append(i) or whole(table, i))
    monkeypatch.setattr(ConcernTable, "list", None)
    first = await world.answer(OWNER, "/agenda")
    assert "第 1/3 页" in first.text
    assert (len(first.labels), first.labels[-1]) == (9, "下一页 ›")
    assert len(read) == 8
    second = await world.press(OWNER, first.data[-1])
    assert "第 2/3 页" in second.text
    assert "最近的决定" not in second.text
    last = await world.press(OWNER, second.data[-1])
    shown = [*first.labels[:8], *second.labels[:8], *last.labels[:4]]
    assert shown == [f"{n:03d}" for n in range(1, 21)]
    assert (await world.answer(OWNER, "/agenda 99")).text == last.text
    assert "用法：/agenda" in (await world.answer(OWNER, "/agenda 张三")).text


async def test_the_agenda_keeps_expectations_and_what_is_looked_out_for_short(world: World) -> None:
    items = [watch(n, NOON + timedelta(days=1)).model_copy(update={"what": f"消息{n}"}) for n in range(6)]
    promised = items[0].model_copy(update={"kind": "promise", "person_id": "p_zhangsan", "what": "给客户答复"})
    expected = [expectation(n, NOON + timedelta(hours=7)) for n in range(5)]

    def keep(repos: StoreRepositories) -> None:
        for item in (promised, *items[1:]):
            repos.agenda.put_watch(item)
        for one in expected:
            repos.agenda.put_expectation(one)

    world.store.run_now(keep)
    text = (await world.answer(OWNER, "/agenda")).text
    assert "w0 张三说过：给客户答复（到明天 12:00）" in text
    assert "还有 2 条，/watch 看全部" in text
    assert "e0 张三：发日报（今天 19:00 看）" in text
    assert "还有 1 条，/expectations 看全部" in text
    listed = (await world.answer(OWNER, "/watch")).text
    assert "w0 张三说过：给客户答复\n   明天 12:00 还没有下文就去问" in listed
    assert "w5 消息5\n   到明天 12:00 为止" in listed


async def test_a_members_agenda_is_their_own(world: World) -> None:
    world.raise_concern("机密收购案")
    world.raise_concern("小周的事", initiator="p_member")
    text = (await world.answer(MEMBER, "/agenda")).text
    assert "收购" not in text
    assert text.count("小周的事") == 2
    assert "没有在跟进的事" not in text


async def test_a_decision_is_told_with_its_reason_in_the_readers_language(world: World) -> None:
    world.raise_concern("提测时间")
    await world.say(OWNER, "/drop 1")
    assert "放下：提测时间，老板取消" in (await world.answer(OWNER, "/agenda")).text
    owner = world.person("p_owner").model_copy(update={"language": "en"})
    world.store.run_now(lambda repos: repos.people.save(owner))
    assert "dropped: 提测时间; called off by 老板" in (await world.answer(OWNER, "/agenda")).text


# --- why it exists ---


async def test_a_concern_says_who_said_what_and_how_that_was_judged(world: World) -> None:
    said = world.fact(OWNER, "帮我问一下张三，提测时间")
    judgement = {"milliseconds": 7}
    world.store.run_now(
        lambda repos: repos.facts.handled(said.fact_id, "raise", "a plain request", "rules", NOON, **judgement)
    )
    world.raise_concern("提测时间", cause=f"f{said.fact_id}")
    text = (await world.answer(OWNER, "/concern 1")).text
    assert "由来：你 今天 12:00 说「帮我问一下张三，提测时间」" in text
    assert "判断：立项去办，因为：说得清楚，可以直接办 · 规则判断 · 7 毫秒" in text
    assert "由来：老板 今天 12:00 说" in (await world.answer(ADMIN, "/concern 1")).text


async def test_a_members_concern_does_not_quote_somebody_else(world: World) -> None:
    told = world.fact(OWNER, "小周那边的风险要跟一下")
    why = "the owner worries about 风险"
    world.store.run_now(lambda repos: repos.facts.handled(told.fact_id, "raise", why, "model", NOON))
    world.raise_concern("支付接口", initiator="p_member", cause=f"f{told.fact_id}")
    text = (await world.answer(MEMBER, "/concern 1")).text
    assert "由来：老板 今天 12:00 的一句话\n判断：立项去办 · 模型判断 · 0 毫秒" in text
    assert "风险" not in text
    owners = (await world.answer(OWNER, "/concern 1")).text
    assert "小周那边的风险" in owners
    assert "因为：the owner worries about 风险" in owners


async def test_a_cause_that_is_gone_is_said_to_be_gone(world: World) -> None:
    world.raise_concern("提测时间", cause="f999")
    assert "由来：原来的消息已经清理，不在了" in (await world.answer(OWNER, "/concern 1")).text
    world.raise_concern("旧版本立的项")
    assert "由来" not in (await world.answer(OWNER, "/concern 2")).text


async def test_an_event_is_named_with_its_source(world: World) -> None:
    happened = world.fact("", "主干流水线失败", channel="gitlab", kind=FactKind.EVENT)
    world.raise_concern("流水线", cause=f"f{happened.fact_id}")
    assert "由来：今天 12:00 来自 gitlab 的消息「主干流水线失败」" in (await world.answer(OWNER, "/concern 1")).text


@pytest.mark.parametrize(
    ("trigger", "told"),
    [
        ({"schedule_id": "con_20260316_001", "run": "2026-03-16T09:00:00+08:00"}, "定时「001 周报」，今天 09:00 这一次"),
        ({"schedule_id": "con_20260101_001", "run": ""}, "一个已经不在的定时"),
        ({"expectation_id": "e1", "due": "2026-03-16T10:00:00+08:00"}, "盯着「提测」，到今天 10:00 没有动静"),
        ({"watch_id": "w1", "promise": "给客户答复", "due": "2026-03-16T10:00:00+08:00"}, "张三说过「给客户答复」，到今天 10:00 没有下文"),
        ({"concern_id": "con_20260316_001"}, "「001 周报」一直没有动静"),
    ],
)  # fmt: skip
async def test_what_the_bot_raised_by_itself_says_why(world: World, trigger: dict[str, str], told: str) -> None:
    world.raise_concern("周报")
    number = world.raise_concern("提测")
    raised = world.get(number).model_copy(update={"trigger": trigger})
    world.store.run_now(lambda repos: repos.concerns.save(raised))
    assert f"由来：{told}" in (await world.answer(OWNER, "/concern 2")).text


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
