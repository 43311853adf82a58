"""The long connection over the real client: what is acknowledged is stored, and it comes back whatever ends it."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.channels.feishu import connection
from bot.channels.feishu.channel import FeishuChannel
from bot.channels.feishu.tokens import LOOKS_EVERY
from bot.doctor import _channels
from bot.parts import configured_channels
from bot.settings import build_settings
from bot.system import SystemClock
from core.errors import ConfigurationError
from core.facts import Fact, FactKind
from core.ids import ConversationId
from tests.wire.botapi.harness import Inbox
from tests.wire.feishu_api import FeishuApi, events
from tests.wire.feishu_api.harness import TOAST, channel_for, feishu_api
from tests.wire.loopback import live

pytestmark = pytest.mark.wire

PROTOCOL_S = 3.0
"""So long Feishu waits for an acknowledgement."""
ZHANGSAN = "ou_zhangsan"


@pytest.fixture
async def server() -> AsyncIterator[FeishuApi]:
    async with feishu_api() as running:
        yield running


@pytest.fixture
async def inbox() -> Inbox:
    return Inbox()


async def quick(seconds: float) -> None:
    await asyncio.sleep(min(seconds, 0.01))


@pytest.fixture
async def channel(server: FeishuApi, inbox: Inbox) -> AsyncIterator[FeishuChannel]:
    made = channel_for(server, sleep=quick)
    async with live(made, inbox.emit):
        await server.until(lambda: made.ready)
        yield made


async def test_an_event_is_acknowledged_once_its_fact_is_stored(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel
) -> None:
    inbox.gate.clear()
    pushed = asyncio.create_task(server.push(events.message(ZHANGSAN, "v2.0 周四能提测")))
    await server.until(lambda: inbox.entered == 1)
    await asyncio.sleep(0.05)
    assert not pushed.done()
    inbox.gate.set()
    ack = await pushed
    assert (ack.code, ack.data) == (200, None)
    assert inbox.texts == ["v2.0 周四能提测"]
    assert (channel.status, channel.trouble) == ("connected to Feishu", None)


async def test_what_could_not_be_stored_is_not_acknowledged_and_comes_again(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel
) -> None:
    event = events.message(ZHANGSAN, "在吗")
    inbox.trouble = RuntimeError("the disk is full")
    assert (await server.push(event)).code == 500
    inbox.trouble = None
    assert (await server.push(event)).code == 200
    assert inbox.texts == ["在吗"]


async def test_an_event_that_takes_too_long_is_not_acknowledged_and_stored_once(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "ANSWER_S", 0.1)
    event = events.message(ZHANGSAN, "在吗")
    inbox.gate.clear()
    late = await server.push(event)
    assert (late.code, inbox.texts) == (500, [])
    inbox.gate.set()
    assert (await server.push(event)).code == 200
    assert (await server.push(event)).code == 200
    assert inbox.texts == ["在吗"]


async def test_an_event_in_pieces_is_put_together(server: FeishuApi, inbox: Inbox, channel: FeishuChannel) -> None:
    assert (await server.push(events.message(ZHANGSAN, "很长" * 5000), pieces=3)).code == 200
    assert inbox.texts == ["很长" * 5000]


async def test_unknown_events_and_nonsense_are_acknowledged_and_dropped(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel
) -> None:
    broken = events.message(ZHANGSAN, "x")
    del broken["event"]["message"]["content"]
    broken["event"]["message"]["create_time"] = "gestern"
    nonsense: list[Any] = [
        events.envelope("calendar.changed_v4", {}), {"schema": "2.0"}, {"header": 7, "event": []}, broken, b"no JSON", b"[]",
    ]  # fmt: skip
    assert [(await server.push(event)).code for event in nonsense] == [200] * len(nonsense)
    assert inbox.facts == []
    assert (await server.push(events.message(ZHANGSAN, "还在"))).code == 200
    assert inbox.texts == ["还在"]


async def test_in_a_group_the_bot_hears_what_names_it(server: FeishuApi, inbox: Inbox, channel: FeishuChannel) -> None:
    named = [("@_user_1", events.BOT, "清海")]
    await server.push(events.message(ZHANGSAN, "@_user_1 在吗", chat="oc_team", mentions=named))
    await server.push(events.message(ZHANGSAN, "吃什么", chat="oc_team"))
    assert [(f.text, f.group) for f in inbox.facts] == [("在吗", True)]


class Archive:
    """Knows one message."""

    async def received(self, message_id: str) -> Fact | None:
        if message_id != "om_1":
            return None
        known = {"channel": "feishu", "event_id": "message:om_1", "kind": "message", "sender": ZHANGSAN}
        at = "2026-03-16T02:00:00Z"
        return Fact.model_validate({**known, "occurred_at": at, "conversation": f"feishu:{ZHANGSAN}"})

    async def sent(self, chat: str, message_id: str) -> str | None:
        return None


async def test_a_recall_is_the_act_of_who_wrote_the_message_and_of_others_nothing_is_known(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel
) -> None:
    channel.consult(Archive())
    await server.push(events.recall("om_1", "oc_p2p"))
    await server.push(events.recall("om_2", "oc_p2p"))
    assert [(f.kind, f.sender, f.conversation) for f in inbox.facts] == [
        (FactKind.RECALL, ZHANGSAN, ConversationId(f"feishu:{ZHANGSAN}"))
    ]


async def test_a_press_is_answered_with_a_toast_and_a_second_one_of_the_same_event_with_none(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel
) -> None:
    press = events.press(ZHANGSAN, "om_card", {"data": "confirm:b1", "chat": ZHANGSAN})
    ack = await server.push(press)
    assert ack.code == 200
    assert ack.data == {"toast": {"type": "info", "content": TOAST["zh_cn"], "i18n": TOAST}}
    assert (await server.push(press)).data is None
    assert [f.button for f in inbox.facts] == ["confirm:b1"]


async def test_many_presses_and_messages_at_once_are_all_answered_in_time(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel
) -> None:
    presses = [events.press(f"ou_{n}", "om_card", {"data": f"confirm:{n}", "chat": f"ou_{n}"}) for n in range(300)]
    messages = [events.message(f"ou_{n}", "在吗") for n in range(200)]
    acks = await asyncio.gather(*(server.push(event, timeout=20) for event in [*presses, *messages]))
    assert {ack.code for ack in acks} == {200}
    assert len(inbox.facts) == 500
    assert max(ack.seconds for ack in acks) < PROTOCOL_S


# --- broken and refused ---


async def test_a_connection_that_breaks_is_made_anew(server: FeishuApi, inbox: Inbox, channel: FeishuChannel) -> None:
    for number in range(3):
        server.break_connections()
        await server.until(lambda n=number: server.connected_times == n + 2 and channel.ready)
        assert (await server.push(events.message(ZHANGSAN, str(number)))).code == 200
    assert inbox.texts == ["0", "1", "2"]


async def test_a_refused_handshake_is_tried_again(server: FeishuApi, channel: FeishuChannel, inbox: Inbox) -> None:
    server.refused_handshakes = 3
    server.break_connections()
    await server.until(lambda: server.connected_times == 2 and channel.ready)
    assert server.refused_handshakes == 0
    assert (await server.push(events.message(ZHANGSAN, "在"))).code == 200


@pytest.mark.parametrize("code", [1, 1000040343, 1000040350])
async def test_a_refused_endpoint_is_told_and_tried_again(
    server: FeishuApi, channel: FeishuChannel, inbox: Inbox, code: int
) -> None:
    server.endpoint_code = code
    server.break_connections()
    await server.until(lambda: str(code) in channel.status)
    assert (channel.ready, channel.trouble) == (False, "down")
    server.endpoint_code = 0
    await server.until(lambda: channel.ready)


async def test_an_outage_of_the_whole_server_is_waited_out(
    server: FeishuApi, inbox: Inbox, channel: FeishuChannel
) -> None:
    await server.refuse()
    await server.until(lambda: not channel.ready)
    await server.listen()
    await server.until(lambda: channel.ready)
    assert (await server.push(events.message(ZHANGSAN, "回来了"))).code == 200


async def test_an_address_that_does_not_come_is_asked_for_again_and_one_connection_comes_of_it(
    server: FeishuApi, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CONNECT_S", 0.2)
    server.endpoint_open.clear()
    channel = channel_for(server, sleep=quick)
    async with live(channel, inbox.emit):
        await server.until(lambda: server.paths().count("/callback/ws/endpoint") >= 2)
        assert "no answer" in channel.status
        server.endpoint_open.set()
        await server.until(lambda: channel.ready)
        await asyncio.sleep(0.3)
        assert len(server.connections) == 1
        assert (await server.push(events.message(ZHANGSAN, "在"))).code == 200


async def test_it_stops_at_once_while_it_waits_for_its_address(server: FeishuApi, inbox: Inbox) -> None:
    server.endpoint_open.clear()
    channel = channel_for(server)
    running = asyncio.create_task(channel.run(inbox.emit))
    await server.until(lambda: "/callback/ws/endpoint" in server.paths())
    begun = time.monotonic()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert time.monotonic() - begun < 1.0
    await channel.close()
    server.endpoint_open.set()
    await asyncio.sleep(0.2)
    assert server.connected_times == 0


async def test_the_waits_between_tries_grow(server: FeishuApi, inbox: Inbox) -> None:
    server.endpoint_code = 1
    waits: list[float] = []

    async def remember(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0.001)

    channel = channel_for(server, sleep=remember)
    async with live(channel, inbox.emit):
        await server.until(lambda: len([w for w in waits if w != LOOKS_EVERY]) >= 6)
    assert [w for w in waits if w != LOOKS_EVERY][:6] == [1, 2, 4, 8, 16, 32]


async def test_a_wrong_secret_ends_the_run_with_the_cure(server: FeishuApi, inbox: Inbox) -> None:
    channel = channel_for(server, app_secret="wrong")
    with pytest.raises(ConfigurationError, match="QINGHAI_FEISHU__APP_SECRET"):
        await asyncio.wait_for(channel.run(inbox.emit), 5)
    await channel.close()


async def test_it_stops_at_once_also_in_the_middle_of_an_event(server: FeishuApi, inbox: Inbox) -> None:
    channel = channel_for(server)
    running = asyncio.create_task(channel.run(inbox.emit))
    await server.until(lambda: channel.ready)
    inbox.gate.clear()
    pushed = asyncio.create_task(server.push(events.message(ZHANGSAN, "在吗"), timeout=1))
    await server.until(lambda: inbox.entered == 1)
    begun = time.monotonic()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert time.monotonic() - begun < 1.0
    await channel.close()
    await server.until(lambda: server.connections == [])
    answered = await asyncio.gather(pushed, return_exceptions=True)
    assert not any(getattr(ack, "code", None) == 200 for ack in answered)
    assert inbox.texts == []


async def test_it_can_be_run_again_after_it_was_stopped(server: FeishuApi, inbox: Inbox) -> None:
    channel = channel_for(server)
    for number in range(2):
        running = asyncio.create_task(channel.run(inbox.emit))
        await server.until(lambda: channel.ready)
        assert (await server.push(events.message(ZHANGSAN, str(number)))).code == 200
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert not channel.ready
    await channel.close()
    assert inbox.texts == ["0", "1"]


async def test_the_ticket_of_the_connection_is_in_no_log(
    server: FeishuApi, inbox: Inbox, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    channel = channel_for(server, sleep=quick)
    async with live(channel, inbox.emit):
        await server.until(lambda: channel.ready)
        server.break_connections()
        await server.until(lambda: server.connected_times == 2 and channel.ready)
        await server.push(events.message(ZHANGSAN, "悄悄话"))
    out, err = capfd.readouterr()
    said = "".join(r.getMessage() for r in caplog.records if not r.name.startswith("websockets")) + out + err
    assert not [s for s in ("planted-ticket", server.app_secret, *server.tokens, "悄悄话") if s in said]


# --- as it is configured ---


async def test_the_channel_of_the_configuration_knows_the_bot_and_whom_it_names(server: FeishuApi) -> None:
    feishu = {"app_id": server.app_id, "app_secret": server.app_secret, "domain": server.domain}
    people = {"owner": {"id": "p_owner", "name": "老板", "feishu": "ou_owner"},
              "people": [{"id": "p_ls", "name": "李四", "feishu_email": "ls@x.cn"}]}  # fmt: skip
    settings = build_settings({"feishu": feishu, **people}, "the test")
    assert isinstance(configured_channels(settings, SystemClock())["feishu"], FeishuChannel)
    with pytest.raises(ConfigurationError, match="feishu does not know p_ls"):
        await _channels(settings)
    server.people = {"ls@x.cn": "ou_ls"}
    assert await _channels(settings) == "feishu knows the bot as @清海; 1 people were found by address on feishu"
