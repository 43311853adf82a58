"""The whole bot on Feishu, put together as `serve` does it: real client, real store, the server on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.app import App, build_app
from bot.channels.feishu.channel import FeishuChannel
from bot.channels.feishu.webhook import Secrets
from bot.parts import configured_inlet
from bot.settings import build_settings
from bot.system import SystemClock, SystemIds
from core.brain.port import Brain
from core.brain.rules import RuleBrain
from core.concern.model import Status
from core.errors import ConfigurationError
from core.facts import FactKind
from tests.wire.botapi.harness import bot_api
from tests.wire.botapi.harness import channel_for as telegram_for
from tests.wire.feishu_api import Fault, FeishuApi, Sent, events
from tests.wire.feishu_api.harness import channel_for, feishu_api
from tests.wire.feishu_api.posts import BOTH, encrypted, signed

pytestmark = pytest.mark.wire

MORNING = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
OWNER, ZHANGSAN, LISI = "ou_owner", "ou_zhangsan", "ou_lisi"
PEOPLE: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "feishu": OWNER},
    "people": [
        {"id": "p_zhangsan", "name": "张三", "pronoun": "他", "feishu": ZHANGSAN},
        {"id": "p_lisi", "name": "李四", "pronoun": "她", "feishu_email": "ls@x.cn"},
    ],
}
PROTOCOL_S = 3.0
PATIENCE_S = 30.0


class Bot:
    """A running bot on Feishu."""

    def __init__(self, server: FeishuApi, app: App, channel: FeishuChannel, clock: SystemClock) -> None:
        self.server = server
        self.app = app
        self.channel = channel
        self.clock = clock
        self._seen: dict[str, int] = {}

    async def hears(self, who: str, *pieces: str) -> Sent:
        """The next message in their chat that holds all pieces."""

        def found() -> Sent | None:
            new = self.server.sent_to(who)[self._seen.get(who, 0) :]
            return next((sent for sent in new if all(piece in sent.text for piece in pieces)), None)

        try:
            await self.server.until(lambda: found() is not None, 20)
        except TimeoutError:
            told = [sent.text for sent in self.server.sent_to(who)]
            raise AssertionError(f"{who} did not hear {pieces} but {told}") from None
        sent = found()
        assert sent is not None
        self._seen[who] = self.server.sent_to(who).index(sent) + 1
        return sent

    async def facts(self, kind: FactKind) -> list[Any]:
        """All facts of a kind that are kept."""
        since, until = MORNING - timedelta(days=1), self.clock.now() + timedelta(days=1)

        def read(repos: Any) -> list[Any]:
            person = repos.people.get("p_owner")
            return [s.fact for s in repos.facts.about(person, since, until, 1000) if s.fact.kind is kind]

        return await self.app.store.run(read)

    def advance(self, span: timedelta) -> None:
        self.clock.set(self.clock.now() + span)


@contextlib.asynccontextmanager
async def bot(
    server: FeishuApi, folder: Path, *, brain: Brain | None = None, now: datetime = MORNING, **options: Any
) -> AsyncIterator[Bot]:
    """The bot runs inside, on the database in `folder`; with `port` it has an HTTP inlet."""
    clock = SystemClock(1.0, now - SystemClock().now())
    port, others = options.pop("port", None), options.pop("others", ())
    people = options.pop("people", PEOPLE)
    channel = channel_for(server, clock=clock, arrival_time=True, **options)
    settings = build_settings({**people, "http": {"port": port} if port else {}}, "the test")
    app = await build_app(
        settings,
        clock=clock,
        ids=SystemIds(),
        brain=brain or RuleBrain(),
        channels={one.name: one for one in (channel, *others)},
        database_url=f"sqlite:///{folder / 'bot.db'}",
    )
    inlet = configured_inlet(settings, app.condition, app.emit, clock, [channel])
    running = asyncio.create_task(app.run())
    if inlet is not None:
        inlet.start()
    try:
        await server.until(lambda: channel.ready)
        yield Bot(server, app, channel, clock)
    finally:
        app.stop()
        await running
        if inlet is not None:
            await inlet.stop()
        await app.close()
        await channel.close()


@pytest.fixture
async def server() -> AsyncIterator[FeishuApi]:
    async with feishu_api() as running:
        running.people = {"ls@x.cn": LISI}
        yield running


async def test_a_matter_runs_from_the_request_to_the_report_and_who_is_named_by_mail_is_met(
    server: FeishuApi, tmp_path: Path
) -> None:
    async with bot(server, tmp_path) as it:
        ack = await server.push(events.message(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测"))
        assert ack.code == 200
        await it.hears(OWNER, "张三", "李四")
        asked = await it.hears(ZHANGSAN, "提测")
        await it.hears(LISI, "提测")
        await server.push(events.message(LISI, "前端部分周四能提测"))
        await server.push(events.message(ZHANGSAN, "周五能提测", parent_id=asked.message_id))
        report = await it.hears(OWNER, "[回流]", "周四", "周五")
        assert report.text.startswith("[回流]")
        (concern,) = await it.app.store.run(lambda repos: repos.concerns.list(open_only=False, limit=9))
        assert concern.status is Status.RESOLVED


async def test_whoever_asked_hears_why_somebody_is_out_of_reach(server: FeishuApi, tmp_path: Path) -> None:
    server.out_of_range.add(ZHANGSAN)
    async with bot(server, tmp_path) as it:
        await server.push(events.message(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测"))
        told = await it.hears(OWNER, "张三联系不上", "可用范围")
        assert "230013" not in told.text
        await it.hears(LISI, "提测")


async def test_a_confirmation_is_a_card_that_can_be_pressed_once(server: FeishuApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await server.push(events.message(OWNER, "让张三给供应商付五万块"))
        card = await it.hears(OWNER, "五万块")
        assert {"确认", "取消"} <= set(card.buttons)
        value = card.buttons["确认"]
        # Somebody else, and a value of another making, do nothing.
        await server.push(events.press(ZHANGSAN, card.message_id, value))
        await server.push(events.press(OWNER, "om_else", {"data": "confirm:forged", "chat": OWNER}))
        assert "处理过或者过期" in (await it.hears(ZHANGSAN)).text
        assert card.buttons
        acks = [await server.push(events.press(OWNER, card.message_id, value)) for _ in range(3)]
        assert acks[0].data is not None
        await it.hears(ZHANGSAN, "五万块")
        await server.until(lambda: card.buttons == {})
        assert "五万块" in card.text
        await asyncio.sleep(0.2)
        assert len([sent for sent in server.sent_to(ZHANGSAN) if "五万块" in sent.text]) == 1


async def test_an_entry_of_the_menu_is_the_command_of_its_name_for_those_who_may_use_it(
    server: FeishuApi, tmp_path: Path
) -> None:
    async with bot(server, tmp_path) as it:
        await server.push(events.message(OWNER, "帮我问一下张三，v2.0 什么时候能提测"))
        await it.hears(ZHANGSAN, "提测")
        await server.push(events.menu(OWNER, "concerns"))
        assert "v2.0" in (await it.hears(OWNER, "1")).text
        # To a delegate it is a command that does not exist; a key of no command is nothing at all.
        await server.push(events.menu(ZHANGSAN, "/people"))
        refused = await it.hears(ZHANGSAN, "/people")
        await server.push(events.menu(ZHANGSAN, "/nothing_of_the_kind"))
        unknown = await it.hears(ZHANGSAN, "/nothing_of_the_kind")
        assert refused.text.replace("/people", "") == unknown.text.replace("/nothing_of_the_kind", "")
        told = len(server.sent)
        await server.push(events.menu(OWNER, "打开 报表"))
        await server.push(events.menu(OWNER, "whoami"))
        await it.hears(OWNER, "老板")
        assert len(server.sent) == told + 1


async def test_a_button_that_everybody_presses_at_once_does_its_work_once(server: FeishuApi, tmp_path: Path) -> None:
    """Each press is answered; only the one of who was asked counts, however often it comes."""
    crowd = [f"ou_{n}" for n in range(150)]
    members = [{"id": f"p_{n}", "name": f"成员{n}", "feishu": who} for n, who in enumerate(crowd)]
    async with bot(server, tmp_path, people={**PEOPLE, "people": [*PEOPLE["people"], *members]}) as it:
        await server.push(events.message(OWNER, "让张三给供应商付五万块"))
        card = await it.hears(OWNER, "五万块")
        value = card.buttons["确认"]
        presses = [events.press(who, card.message_id, value) for who in (*crowd, *[OWNER] * 50)]
        acks = await asyncio.gather(*(server.push(press, timeout=PATIENCE_S) for press in presses))
        assert {ack.code for ack in acks} == {200}
        await it.hears(ZHANGSAN, "五万块")
        await server.until(lambda: card.buttons == {})
        assert len([sent for sent in server.sent_to(ZHANGSAN) if "五万块" in sent.text]) == 1


class Slow(RuleBrain):
    """Thinks until it is told that it is enough."""

    def __init__(self) -> None:
        super().__init__()
        self.enough = asyncio.Event()

    async def ask(self, question: Any) -> Any:
        await self.enough.wait()
        return await super().ask(question)


async def test_two_hundred_chats_are_acknowledged_in_time_by_a_brain_that_thinks_for_long(
    server: FeishuApi, tmp_path: Path
) -> None:
    brain = Slow()
    async with bot(server, tmp_path, brain=brain):
        said = [events.message(OWNER, "在吗"), *(events.message(f"ou_{n}", "在吗") for n in range(200))]
        acks = await asyncio.gather(*(server.push(event, timeout=20) for event in said))
        assert {ack.code for ack in acks} == {200}
        assert max(ack.seconds for ack in acks) < PROTOCOL_S
        brain.enough.set()


MEMBERS = [{"id": f"p_{n}", "name": f"成员{n}", "feishu": f"ou_{n}", "role": "member"} for n in range(200)]


@pytest.mark.slow
async def test_a_stream_of_events_is_acknowledged_within_half_a_second(server: FeishuApi, tmp_path: Path) -> None:
    """60 a second for six seconds, from 200 chats; every other one is answered, of the rest the brain thinks on."""
    brain, people = Slow(), {**PEOPLE, "people": MEMBERS}
    async with bot(server, tmp_path, brain=brain, people=people):
        pushed = []
        for number in range(360):
            text = "/help" if number % 2 else "在吗"
            pushed.append(asyncio.create_task(server.push(events.message(f"ou_{number % 200}", text), timeout=20)))
            await asyncio.sleep(1 / 60)
        acks = await asyncio.gather(*pushed)
        seconds = sorted(ack.seconds for ack in acks)
        assert {ack.code for ack in acks} == {200}
        assert seconds[-4] <= 0.5, f"p99 {seconds[-4]:.2f} s"
        assert seconds[-1] < PROTOCOL_S
        brain.enough.set()


async def test_a_message_that_comes_again_hours_later_after_restarts_is_one(server: FeishuApi, tmp_path: Path) -> None:
    event = events.message(OWNER, "帮我问一下张三，v2.0 什么时候能提测", message_id="om_once", event_id="ev_once")
    again = {**event, "header": {**event["header"], "event_id": "ev_another"}}
    for after in (0, 15, 300, 3600, 6 * 3600):
        async with bot(server, tmp_path, now=MORNING + timedelta(seconds=after)) as it:
            assert (await server.push(event if after < 3600 else again)).code == 200
            if after == 0:
                await it.hears(ZHANGSAN, "提测")
            assert len(await it.facts(FactKind.MESSAGE)) == 1
            concerns = await it.app.store.run(lambda repos: repos.concerns.list(open_only=False, limit=9))
            assert len(concerns) == 1


async def test_a_recall_finds_its_message_in_an_earlier_life(server: FeishuApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        await server.push(events.message(OWNER, "帮我问一下张三，v2.0 什么时候能提测", message_id="om_9"))
        await it.hears(ZHANGSAN, "提测")
        await it.hears(OWNER, "张三")
    async with bot(server, tmp_path, now=MORNING + timedelta(minutes=1)) as it:
        before = len(server.sent_to(OWNER))
        await server.push(events.recall("om_9", "oc_p2p_ou_owner"))
        await server.push(events.recall("om_of_nobody", "oc_p2p_ou_owner"))
        await server.until(lambda: len(server.sent_to(OWNER)) > before)
        asked = server.sent_to(OWNER)[-1]
        assert asked.buttons or "撤回" in asked.text


async def test_a_message_without_an_answer_arrives_once_and_leaves_no_doubt(server: FeishuApi, tmp_path: Path) -> None:
    async with bot(server, tmp_path) as it:
        server.faults += [Fault("drop", phase="after", times=2)]
        await server.push(events.message(OWNER, "告诉张三明天的评审改到下午三点"))
        for _ in range(4):
            await asyncio.sleep(0.3)
            it.advance(timedelta(minutes=2))
        await it.hears(ZHANGSAN, "下午三点")
        assert len([s for s in server.sent_to(ZHANGSAN) if "下午三点" in s.text]) == 1
        async with asyncio.timeout(20):
            while await it.app.store.run(lambda repos: repos.receipts.in_doubt(9)):
                it.advance(timedelta(seconds=30))
                await asyncio.sleep(0.3)
        assert server.faults[0].times == 0
        assert len([s for s in server.sent_to(ZHANGSAN) if "下午三点" in s.text]) == 1


async def test_the_owner_on_feishu_and_a_delegate_on_telegram_share_a_matter(server: FeishuApi, tmp_path: Path) -> None:
    people = {
        "owner": PEOPLE["owner"],
        "people": [{"id": "p_zhangsan", "name": "张三", "telegram": "2001"}, PEOPLE["people"][1]],
    }
    async with bot_api() as telegram:
        other = telegram_for(telegram, arrival_time=True)
        async with bot(server, tmp_path, people=people, others=[other]) as it:
            await server.push(events.message(OWNER, "帮我问一下张三李四，v2.0 什么时候能提测"))
            await it.hears(LISI, "提测")
            await telegram.until(lambda: bool(telegram.sent_to(2001)))
            telegram.user_says(2001, "周四能提测")
            await server.push(events.message(LISI, "周五能提测"))
            await it.hears(OWNER, "[回流]", "周四", "周五")
        await other.close()


# --- webhook ---


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_events_and_presses_can_be_posted_signed_and_encrypted(server: FeishuApi, tmp_path: Path) -> None:
    port = free_port()
    options = {"mode": "webhook", "secrets": BOTH, "port": port}

    def now() -> float:
        return SystemClock().now().timestamp()

    async with bot(server, tmp_path, **options) as it, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        trial = encrypted({"type": "url_verification", "challenge": "c", "token": "verify"})
        assert (await http.post("/feishu/events", content=trial)).json() == {"challenge": "c"}
        body = encrypted(events.message(OWNER, "让张三给供应商付五万块"))
        answers = [
            await http.post("/feishu/events", content=body, headers=signed(body, at=at, key=key))
            for at, key in ((now(), "other"), (now() - 600, BOTH.encrypt_key), (now(), BOTH.encrypt_key))
        ]
        assert [a.status_code for a in answers] == [403, 403, 200]
        card = await it.hears(OWNER, "五万块")
        press = encrypted(events.press(OWNER, card.message_id, card.buttons["确认"]))
        answer = await http.post("/feishu/cards", content=press, headers=signed(press, at=now()))
        assert answer.json()["toast"]["i18n"]["en_us"] == "Got it"
        await it.hears(ZHANGSAN, "五万块")
        assert server.connected_times == 0


async def test_without_webhook_mode_nothing_is_at_its_address(server: FeishuApi, tmp_path: Path) -> None:
    port = free_port()
    async with bot(server, tmp_path, port=port), httpx.AsyncClient() as http:
        assert (await http.post(f"http://127.0.0.1:{port}/feishu/events", content=b"{}")).status_code == 404


def test_a_webhook_without_any_secret_is_refused_at_the_start(server: FeishuApi) -> None:
    with pytest.raises(ConfigurationError, match="QINGHAI_FEISHU__ENCRYPT_KEY"):
        FeishuChannel("cli_x", "s", SystemClock(), mode="webhook", secrets=Secrets())
