"""Sending over the real client: what is told the caller, against what the server's ledger says."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.channels.feishu.channel import RATES, FeishuChannel
from bot.settings.people import FeishuContact
from core.errors import (
    ConfigurationError,
    DeliveryError,
    Paced,
    PermanentDeliveryError,
    TransientDeliveryError,
    UnknownDeliveryError,
)
from core.facts import Fact, FactKind
from core.ids import ConversationId, PersonId
from core.ports import ChannelButton, ChannelMessage
from tests.wire.botapi.harness import Pauses
from tests.wire.feishu_api import Fault, FeishuApi, too_fast
from tests.wire.feishu_api.harness import channel_for, feishu_api

pytestmark = pytest.mark.wire

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
BUTTONS = ((ChannelButton(label="确认", data="confirm:b1"),),)


@pytest.fixture
async def server() -> AsyncIterator[FeishuApi]:
    async with feishu_api() as running:
        yield running


@pytest.fixture
async def channel(server: FeishuApi) -> AsyncIterator[FeishuChannel]:
    made = channel_for(server, sleep=Pauses())
    yield made
    await made.close()


def message(text: str = "在吗", chat: str = "ou_zhangsan", key: str = "k#0", **more: Any) -> ChannelMessage:
    return ChannelMessage(key=key, chat=chat, text=text, **more)


def creations(server: FeishuApi) -> int:
    return sum(path == "/open-apis/im/v1/messages" for path in server.paths())


async def test_a_card_arrives_with_heading_and_buttons_and_a_reply_with_its_quote(
    server: FeishuApi, channel: FeishuChannel
) -> None:
    text = "[回流] v2.0 <提测>\n结果：张三 & 李四都确认了"
    receipt = await channel.send(message(text, "oc_team", buttons=BUTTONS, quote="om_known_oc_team"))
    (sent,) = server.sent
    assert (receipt.channel, receipt.chat, receipt.message_id) == ("feishu", "oc_team", sent.message_id)
    assert (sent.kind, sent.text, sent.reply_to) == ("interactive", text, "om_known_oc_team")
    assert sent.buttons == {"确认": {"data": "confirm:b1", "chat": "oc_team"}}


async def test_a_quoted_message_that_is_gone_or_of_another_channel_is_no_reason_not_to_send(
    server: FeishuApi, channel: FeishuChannel
) -> None:
    await channel.send(message(key="k#1", quote="om_gone"))
    await channel.send(message(key="k#2", quote="4711"))
    assert [sent.reply_to for sent in server.sent] == [None, None]


@pytest.mark.parametrize(
    ("chat", "kind"),
    [("ou_a", "open_id"), ("on_a", "union_id"), ("oc_a", "chat_id"), ("zs@x.cn", "email"), ("4a7c", "user_id")],
)
async def test_a_message_is_addressed_by_what_its_receiver_s_id_is(
    server: FeishuApi, channel: FeishuChannel, chat: str, kind: str
) -> None:
    await channel.send(message(chat=chat))
    assert [(sent.chat, sent.id_type) for sent in server.sent] == [(chat, kind)]


async def test_the_same_key_twice_is_one_message(server: FeishuApi, channel: FeishuChannel) -> None:
    first, second = await channel.send(message()), await channel.send(message())
    other = await channel.send(message(key="k#1"))
    assert first.message_id == second.message_id != other.message_id
    assert len(server.sent) == 2


@pytest.mark.parametrize(
    ("fault", "error", "arrived"),
    [
        (Fault("drop"), UnknownDeliveryError, 0),
        (Fault("drop", phase="after"), UnknownDeliveryError, 1),
        (Fault("stall", phase="after"), UnknownDeliveryError, 1),
        (Fault("garbage"), UnknownDeliveryError, 1),
        (Fault("status", status=500), UnknownDeliveryError, 0),
        (Fault("status", status=503, phase="after"), UnknownDeliveryError, 1),
        (Fault("status", status=429), TransientDeliveryError, 0),
        (Fault("code", code=230049), UnknownDeliveryError, 0),
        (Fault("code", code=230020), TransientDeliveryError, 0),
        (Fault("code", code=99991672, status=403), TransientDeliveryError, 0),
        (Fault("code", code=230029), PermanentDeliveryError, 0),
        (Fault("code", code=230001, msg="invalid receive_id"), PermanentDeliveryError, 0),
        (Fault("drop", path="tenant_access_token"), TransientDeliveryError, 0),
    ],
    ids=lambda value: f"{value.kind} {value.phase} {value.status} {value.code}" if isinstance(value, Fault) else "",
)
async def test_each_error_says_what_became_of_the_message(
    server: FeishuApi, fault: Fault, error: type[DeliveryError], arrived: int
) -> None:
    channel = channel_for(server, answer_within=timedelta(seconds=0.3))
    server.faults.append(fault)
    with pytest.raises(error):
        await channel.send(message())
    assert len(server.sent) == arrived
    if error is not PermanentDeliveryError:  # a repetition makes one of it, whatever had become of the first
        channel = channel_for(server)
        await channel.send(message())
        assert len(server.sent) == 1
    await channel.close()


async def test_a_refused_connection_says_that_the_whole_channel_is_away(
    server: FeishuApi, channel: FeishuChannel
) -> None:
    await server.refuse()
    with pytest.raises(TransientDeliveryError) as told:
        await channel.send(message())
    assert told.value.outage


async def test_a_token_that_is_not_good_any_more_is_replaced_and_nobody_notices(
    server: FeishuApi, channel: FeishuChannel
) -> None:
    await channel.send(message("一", key="k#1"))
    server.revoke_tokens()
    receipts = await asyncio.gather(*(channel.send(message(str(n), key=f"n#{n}")) for n in range(8)))
    assert len({r.message_id for r in receipts}) == 8
    assert len(server.tokens) == 2


async def test_a_wrong_secret_is_told_with_the_cure(server: FeishuApi) -> None:
    channel = channel_for(server, app_secret="wrong")
    with pytest.raises(ConfigurationError, match="QINGHAI_FEISHU__APP_SECRET"):
        await channel.check()
    await channel.close()


async def test_the_check_tells_the_name_of_the_bot(channel: FeishuChannel) -> None:
    assert await channel.check() == "清海"


async def test_a_message_without_words_is_passed_on_and_a_picture_amid_words_is_sent_alone(
    server: FeishuApi, channel: FeishuChannel
) -> None:
    files = (("document", "om_5"), ("photo", "om_6:img_1"))
    await channel.send(message("看一下", attachments=files))
    await channel.send(message(" ", key="k#1", attachments=files[:1]))
    assert [(sent.kind, sent.chat) for sent in server.sent] == [
        ("text", "ou_zhangsan"), ("forwarded", "ou_zhangsan"), ("image", "ou_zhangsan"), ("forwarded", "ou_zhangsan"),
    ]  # fmt: skip
    assert server.sent[1].content == {"of": "om_5"}
    assert len({sent.uuid for sent in server.sent}) == 4
    assert all(0 < len(sent.uuid) <= 50 for sent in server.sent)


async def test_a_file_that_is_refused_leaves_its_words_delivered(server: FeishuApi, channel: FeishuChannel) -> None:
    server.faults.append(Fault("code", path="/forward", code=230110, times=9))
    await channel.send(message("看一下", attachments=(("document", "om_5"),)))
    assert [sent.text for sent in server.sent] == ["看一下"]


async def test_no_more_leaves_than_feishu_takes(server: FeishuApi) -> None:
    """A burst that comes to one chat's limit and to everybody's."""
    pauses = Pauses()
    server.now = pauses.monotonic
    channel = channel_for(server, rates=RATES, sleep=pauses, monotonic=pauses.monotonic)
    chats = [*("ou_busy" for _ in range(20)), *(f"oc_{n % 40}" for n in range(80))]
    for number, chat in enumerate(chats):
        await channel.send(message(str(number), chat, key=f"k#{number}"))
    assert len(server.sent) == len(chats)
    assert too_fast(server.asked) == []
    assert len(pauses.taken) > 0
    await channel.close()


async def test_a_chat_that_wants_nothing_is_left_alone_and_others_are_not(server: FeishuApi) -> None:
    channel = channel_for(server)
    server.faults.append(Fault("code", code=230020, headers={"x-ogw-ratelimit-reset": "30"}))
    with pytest.raises(TransientDeliveryError) as told:
        await channel.send(message())
    assert told.value.retry_after == timedelta(seconds=30)
    with pytest.raises(Paced):
        await channel.send(message())
    await channel.send(message(chat="ou_lisi", key="k#1"))
    assert [sent.chat for sent in server.sent] == ["ou_lisi"]
    await channel.close()


async def test_nothing_is_asked_where_another_process_sends(server: FeishuApi, channel: FeishuChannel) -> None:
    channel.only_while(lambda: False)
    with pytest.raises(Paced):
        await channel.send(message())
    assert creations(server) == 0


class Kept:
    """The words of cards of an earlier life."""

    async def received(self, message_id: str) -> Fact | None:
        return None

    async def sent(self, chat: str, message_id: str) -> str | None:
        return "确认吗？" if chat == "ou_zhangsan" else None


async def test_a_card_of_an_earlier_life_loses_its_buttons_too(server: FeishuApi, channel: FeishuChannel) -> None:
    sent = await channel.send(message("确认吗？", buttons=BUTTONS))
    later = channel_for(server, sleep=Pauses())
    later.consult(Kept())
    server.faults.append(Fault("status", status=502, path=sent.message_id))
    press = Fact(
        channel="feishu",
        event_id="press:1",
        kind=FactKind.BUTTON,
        occurred_at=NOW,
        conversation=ConversationId("feishu:ou_zhangsan"),
        sender="ou_zhangsan",
        message_id=sent.message_id,
        button="confirm:b1",
    )
    await later.settle_button(press, None)
    assert (server.sent[0].text, server.sent[0].buttons) == ("确认吗？", {})
    await later.close()


# --- people by address ---

WANTED = (
    FeishuContact(person_id=PersonId("p_mail"), email="ZS@x.cn"),
    FeishuContact(person_id=PersonId("p_mobile"), email="gone@x.cn", mobile="13800000000"),
    FeishuContact(person_id=PersonId("p_union"), user_id="on_wangwu"),
    FeishuContact(person_id=PersonId("p_nobody"), user_id="x9", mobile="13900000000"),
)


async def test_people_are_found_by_mail_telephone_or_another_id(server: FeishuApi, channel: FeishuChannel) -> None:
    server.people = {"ZS@x.cn": "ou_zs", "13800000000": "ou_ls", "on_wangwu": "ou_ww"}
    assert await channel.find(WANTED) == {"p_mail": "ou_zs", "p_mobile": "ou_ls", "p_union": "ou_ww"}


async def test_more_people_than_one_request_takes_are_found_in_several(
    server: FeishuApi, channel: FeishuChannel
) -> None:
    many = [FeishuContact(person_id=PersonId(f"p_{n}"), email=f"{n}@x.cn") for n in range(120)]
    server.people = {f"{n}@x.cn": f"ou_{n}" for n in range(120)}
    assert len(await channel.find(many)) == 120
    assert sum(path.endswith("batch_get_id") for path in server.paths()) == 3


async def test_an_app_that_may_not_look_people_up_is_told_which_right_it_needs(
    server: FeishuApi, channel: FeishuChannel
) -> None:
    server.may_look_up = False
    with pytest.raises(ConfigurationError, match=r"contact:user\.id:readonly"):
        await channel.find(WANTED)


async def test_no_secret_comes_into_a_log(
    server: FeishuApi, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    channel = channel_for(server)
    server.faults.append(Fault("drop"))
    with pytest.raises(UnknownDeliveryError) as told:
        await channel.send(message("悄悄话"))
    await channel.close()
    out, err = capfd.readouterr()
    said = caplog.text + out + err + str(told.value)
    assert not [s for s in (server.app_secret, *server.tokens, "悄悄话") if s in said]
