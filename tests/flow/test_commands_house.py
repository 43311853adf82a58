"""/status and /usage: how the bot is, and what the model was asked."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.commands import Commands
from bot.condition import Condition
from bot.store.repositories import StoreRepositories
from bot.store.repositories.leases import PROCESS, SPEAKER, LeaseTable
from bot.store.repositories.usage import Spent
from core.ids import ConcernId, ConversationId
from core.jobs import Job, JobKind
from tests.flow.command_world import ADMIN, LISI, MEMBER, OWNER, ZHANGSAN, World

SPAN = timedelta(seconds=30)


def with_channels(world: World, **channels: Any) -> None:
    world.condition = Condition(world.store, channels, world.clock, model=None)
    world.commands = Commands(world.services, world.store, world.condition)


@pytest.mark.parametrize("command", ["/status", "/usage"])
@pytest.mark.parametrize("who", [MEMBER, ZHANGSAN, LISI])
async def test_only_owner_and_admins_have_them(world: World, who: str, command: str) -> None:
    text = (await world.answer(who, command)).text
    assert command in text
    assert "/help" in text


@pytest.mark.parametrize("command", ["/status", "/usage"])
async def test_words_behind_them_get_the_usage(world: World, command: str) -> None:
    assert (await world.answer(OWNER, f"{command} 全部")).text.startswith(f"用法：{command}")


async def test_status_of_a_quiet_bot(world: World) -> None:
    world.clock.advance(timedelta(hours=2))
    text = (await world.answer(ADMIN, "/status")).text
    assert "已运行：2 小时" in text
    assert "gpt-fake" in text
    assert "待办 0 件；" in text
    assert "SQLite" in text
    assert "没处理" not in text
    assert "进程" not in text


async def test_status_tells_what_waits_since_when_and_what_failed(world: World) -> None:
    now = world.clock.now()

    def fill(repos: StoreRepositories) -> None:
        def job(key: str, minutes: int) -> Job:
            lane = ConversationId(f"telegram:{key}")
            return Job(key=key, kind=JobKind.ACT, lane=lane, due=now - timedelta(minutes=minutes), payload="{}")

        for number, minutes in enumerate((9, 8, 7, 6, -60)):
            repos.jobs.add(job(f"j{number}", minutes))
        dead, doubtful, again, _ = repos.jobs.claim(now, 4)
        repos.jobs.dead(dead.job.key, "words that nobody should see")
        repos.jobs.sending(doubtful.job.key)
        repos.jobs.in_doubt(doubtful.job.key, "no answer")
        repos.jobs.retry(again.job.key, now - timedelta(minutes=5), 2, "no luck")

    world.store.run_now(fill)
    world.fact(ZHANGSAN, "周四")
    stored = world.fact(OWNER, "/status")
    assert await world.commands.handle(stored)
    world.store.run_now(lambda repos: repos.jobs.cancel("j2", "not for the channel"))
    text = next(s.text for s in world.sent() if s.chat == f"telegram:{OWNER}")
    assert "待办 2 件，到时间的 1 件，最久的晚了 5 分钟；在重试的 1 件" in text
    assert "没办成的 1 件，说不准有没有送到的 1 件" in text
    assert "还没处理的消息 1 条" in text
    assert "words" not in text


@pytest.mark.parametrize(("off", "said"), [(timedelta(minutes=-3), "慢 3 分钟"), (timedelta(hours=1), "快 1 小时")])
async def test_status_tells_whose_clock_goes_wrong(
    world: World, monkeypatch: pytest.MonkeyPatch, off: timedelta, said: str
) -> None:
    monkeypatch.setattr(LeaseTable, "off", lambda _: off)

    def live(repos: StoreRepositories) -> None:
        repos.leases.renew(PROCESS + "abcdefgh", "abcdefgh", SPAN)
        repos.leases.mark_clock("abcdefgh")

    world.store.run_now(live)
    assert f"进程 abcdef 的时钟比数据库{said}" in (await world.answer(OWNER, "/status")).text


async def test_status_tells_of_channels_in_trouble(world: World) -> None:
    fine = SimpleNamespace(ready=True, status="connected", trouble=None)
    bad = SimpleNamespace(ready=False, status="Telegram cannot be reached: timed out", trouble="down")
    odd = SimpleNamespace(ready=False, status="the answer makes no sense", trouble="fault")
    with_channels(world, telegram=bad, feishu=fine, console=object(), other=odd)
    text = (await world.answer(OWNER, "/status")).text
    assert "Telegram：连不上" in text
    assert "other：出了问题" in text
    assert "timed out" not in text, "sentences for engineers are for the readiness check and the log"
    assert "飞书：正常" in text
    assert "终端：正常" in text
    assert "没有配模型" in text


async def test_a_process_that_does_not_speak_says_who_does_and_judges_no_channel(world: World) -> None:
    with_channels(world, telegram=SimpleNamespace(ready=False, status="not started", trouble="starting"))

    def live(repos: StoreRepositories) -> None:
        for name in ("only", "abcdefghijk"):
            repos.leases.renew(PROCESS + name, name, SPAN)
        repos.leases.renew(SPEAKER, "abcdefghijk", SPAN)

    world.store.run_now(live)
    text = (await world.answer(OWNER, "/status")).text
    assert "收发由另一个进程负责（abcdef）" in text
    assert "2 个进程" in text
    assert "正在连接" not in text


async def test_usage_adds_up_today_and_the_week_and_names_the_dearest_matters(world: World) -> None:
    one, two = world.raise_concern("提测时间"), world.raise_concern("团建去哪")

    def spend(repos: StoreRepositories) -> None:
        repos.usage.add("2026-03-16", one, Spent(2, 1, 1000, 200, 3000))
        repos.usage.add("2026-03-16", None, Spent(1, 0, 500, 50, 1500))
        repos.usage.add("2026-03-10", two, Spent(4, 0, 9000, 900, 8000))
        repos.usage.add("2026-03-09", two, Spent(100, 0, 99999, 99, 1))
        repos.usage.add("2026-03-12", ConcernId("con_20250101_001"), Spent(1, 0, 70000, 1, 1))

    world.store.run_now(spend)
    lines = (await world.answer(ADMIN, "/usage")).text.splitlines()
    assert lines[:3] == [
        "模型 gpt-fake",
        "今天：3 次，读 1,500、写 250 tokens，其中 1 次没答上来，平均 1.5 秒",
        "近 7 天：8 次，读 80,500、写 1,151 tokens，其中 1 次没答上来",
    ]
    assert lines[-2:] == [
        "002 团建去哪：4 次，读 9,000、写 900 tokens",
        "001 提测时间：2 次，读 1,000、写 200 tokens，其中 1 次没答上来",
    ]


async def test_the_owners_day_counts_also_for_an_admin_elsewhere(world: World) -> None:
    world.clock.set(world.clock.now().replace(hour=1))  # still the 15th in London
    world.store.run_now(lambda repos: repos.usage.add("2026-03-16", None, Spent(1, 0, 10, 1, 1000)))
    admin = world.person("p_admin").model_copy(update={"timezone": "Europe/London"})
    world.store.run_now(lambda repos: repos.people.save(admin))
    assert "今天：1 次" in (await world.answer(ADMIN, "/usage")).text


async def test_usage_without_a_model_says_so(world: World) -> None:
    with_channels(world)
    assert (await world.answer(OWNER, "/usage")).text == "没有配模型，规则在工作。"
