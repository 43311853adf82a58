"""Sending: what is told the caller, against what the server's ledger says."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.channels.rate import Rate, Rates
from bot.channels.telegram import RATES, TelegramChannel
from bot.system import SystemClock
from core.errors import (
    DeliveryError,
    Paced,
    PermanentDeliveryError,
    Shut,
    TransientDeliveryError,
    UnknownDeliveryError,
)
from core.ports import ChannelButton, ChannelMessage, Receipt
from tests.wire.botapi import BotApi, Fault, too_fast
from tests.wire.botapi.harness import Pauses, bot_api, channel_for
from tests.wire.loopback import NO_LIMITS

pytestmark = pytest.mark.wire


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        yield running


@pytest.fixture
async def channel(server: BotApi) -> AsyncIterator[TelegramChannel]:
    made = channel_for(server, sleep=Pauses())
    yield made
    await made.close()


def message(text: str = "在吗", chat: int | str = 2001, **more: Any) -> ChannelMessage:
    return ChannelMessage(key="k", chat=str(chat), text=text, **more)


def calls(server: BotApi, method: str = "sendMessage") -> int:
    return sum(name == method for name, _ in server.calls)


async def test_a_report_arrives_with_its_heading_quote_and_buttons(server: BotApi, channel: TelegramChannel) -> None:
    quoted = server.user_says(1001, "帮我问一下张三")
    buttons = ((ChannelButton(label="现在就发", data="now:con_20260316_001"),),)
    text = "[回流] v2.0 <提测>\n结果：张三 & 李四都确认了"
    receipt = await channel.send(message(text, 1001, buttons=buttons, quote=str(quoted), silent=True))
    (sent,) = server.sent
    assert (receipt.channel, receipt.chat, receipt.message_id) == ("telegram", "1001", str(sent.message_id))
    assert sent.text == text
    assert sent.entities == [{"type": "bold", "offset": 0, "length": len("[回流] v2.0 <提测>")}]
    assert (sent.labels, sent.reply_to, sent.silent) == (["现在就发"], quoted, True)


async def test_a_quoted_message_that_is_gone_is_no_reason_not_to_send(server: BotApi, channel: TelegramChannel) -> None:
    await channel.send(message(quote="4711"))
    await channel.send(message(quote="om_of_another_channel"))
    assert [sent.reply_to for sent in server.sent] == [None, None]


async def test_every_part_of_a_long_text_is_taken(server: BotApi, channel: TelegramChannel) -> None:
    text = "清海 <清海> & 👍🏽。" * 2000 + "\n" * 3 + "[完]" + " " * 9000 + "."
    for part in channel.parts(text):
        await channel.send(message(part))
    assert "".join(sent.text for sent in server.sent).replace("…", "").split() == text.split()
    assert len(server.sent) == len(channel.parts(text)) > 8


async def test_refused_markup_is_sent_once_more_as_plain_text(server: BotApi, channel: TelegramChannel) -> None:
    refusal = "Bad Request: can't parse entities: Unsupported start tag"
    server.faults.append(Fault("error", status=400, description=refusal))
    await channel.send(message("[a] <b>"))
    assert [sent.text for sent in server.sent] == ["[a] <b>"]
    server.faults.append(Fault("error", status=400, description=refusal, times=5))
    with pytest.raises(PermanentDeliveryError):
        await channel.send(message("[a] <b>"))
    assert calls(server) == 4


async def test_a_refused_connection_is_transient_and_nothing_arrived(server: BotApi, channel: TelegramChannel) -> None:
    await server.refuse()
    with pytest.raises(TransientDeliveryError):
        await channel.send(message())
    await server.listen()
    await channel.send(message("现在"))
    assert [sent.text for sent in server.sent] == ["现在"]


@pytest.mark.parametrize(
    ("fault", "arrived"),
    [
        (Fault("stall", phase="before"), 0),
        (Fault("stall", phase="after"), 1),
        (Fault("drop", phase="before"), 0),
        (Fault("drop", phase="after"), 1),
        (Fault("garbage"), 1),
        (Fault("status", status=500), 0),
        (Fault("status", status=502), 0),
        (Fault("status", status=504), 0),
    ],
    ids=lambda value: f"{value.kind} {value.phase} {value.status}" if isinstance(value, Fault) else "",
)
async def test_what_may_have_arrived_is_unknown_and_never_sent_again(
    server: BotApi, fault: Fault, arrived: int
) -> None:
    channel = channel_for(server, answer_within=timedelta(seconds=0.5))
    server.faults.append(fault)
    with pytest.raises(UnknownDeliveryError):
        await channel.send(message())
    await channel.close()
    assert calls(server) == 1
    assert len(server.sent) == arrived


async def test_a_wish_to_wait_stops_that_chat_only(server: BotApi, channel: TelegramChannel) -> None:
    server.faults.append(Fault("retry_after", chat=2001, seconds=30))
    with pytest.raises(TransientDeliveryError) as first:
        await channel.send(message())
    assert first.value.retry_after == timedelta(seconds=30)
    with pytest.raises(TransientDeliveryError) as second:
        await channel.send(message())
    assert second.value.retry_after is not None
    assert timedelta(seconds=25) < second.value.retry_after <= timedelta(seconds=30)
    assert calls(server) == 1
    await channel.send(message("别人照常", 1001))
    assert [sent.chat for sent in server.sent] == [1001]


async def test_a_chat_that_must_wait_costs_one_request_and_slows_nobody(server: BotApi) -> None:
    pauses = Pauses()
    channel = channel_for(server, sleep=pauses)
    server.faults.append(Fault("retry_after", chat=2001, seconds=30, times=1000))
    refused = asyncio.gather(*(channel.send(message()) for _ in range(50)), return_exceptions=True)
    for _ in range(50):
        await channel.send(message(chat=1001))
    assert all(isinstance(outcome, TransientDeliveryError) for outcome in await refused)
    assert server.faults[0].times == 999
    assert len(server.sent_to(1001)) == 50
    assert pauses.taken == []
    await channel.close()


def block(server: BotApi) -> None:
    server.world.users[2001].blocked = True


def deactivate(server: BotApi) -> None:
    server.world.users[2001].deactivated = True


def never_started(server: BotApi) -> None:
    server.world.users[2001].started = False


def unknown(server: BotApi) -> None:
    del server.world.chats[2001]


@pytest.mark.parametrize(
    ("happened", "why"),
    [
        (block, Shut.BLOCKED),
        (deactivate, Shut.GONE),
        (never_started, Shut.NEVER_STARTED),
        (unknown, Shut.NEVER_STARTED),
    ],
)
async def test_somebody_who_cannot_be_reached_is_a_permanent_failure(
    server: BotApi, channel: TelegramChannel, happened: Any, why: Shut
) -> None:
    happened(server)
    with pytest.raises(PermanentDeliveryError) as told:
        await channel.send(message())
    assert told.value.migrated_to is None
    assert not told.value.message_only
    assert told.value.shut is why
    assert server.sent == []


async def test_a_message_that_is_refused_says_nothing_about_its_chat(server: BotApi, channel: TelegramChannel) -> None:
    server.faults.append(Fault("error", status=400, description="Bad Request: BUTTON_DATA_INVALID"))
    with pytest.raises(PermanentDeliveryError) as told:
        await channel.send(message())
    assert told.value.message_only
    await channel.send(message("别的"))
    assert [sent.text for sent in server.sent] == ["别的"]


async def test_a_channel_keeps_the_pace_of_before_the_start(server: BotApi) -> None:
    """Two processes one after the other: the server counts over both."""
    rates = Rates(chat=NO_LIMITS.chat, group=Rate(20, 60.0), overall=NO_LIMITS.overall)
    server.add_group(-4001)
    before = channel_for(server, rates=rates)
    for _ in range(15):
        await before.send(message(chat=-4001))
    await before.close()
    after, now = channel_for(server, rates=rates), SystemClock().now()
    after.remember([("-4001", now - timedelta(seconds=3))] * 15, [("2001", now + timedelta(seconds=30))])
    outcomes = [await attempt(after, -4001) for _ in range(8)]
    assert [type(outcome) for outcome in outcomes] == [Receipt] * 5 + [Paced] * 3
    assert all(outcome.retry_after and 50 < outcome.retry_after.seconds <= 57 for outcome in outcomes[5:])
    blocked = await attempt(after, 2001)
    assert isinstance(blocked, Paced)
    with pytest.raises(Paced):
        await after.pause("2001")
    assert len(server.sent_to(-4001)) == 20
    assert calls(server) == 20
    await after.close()


async def attempt(channel: TelegramChannel, chat: int) -> Any:
    try:
        return await channel.send(message(chat=chat))
    except DeliveryError as error:
        return error


async def test_a_group_that_moved_says_where_to(server: BotApi, channel: TelegramChannel) -> None:
    server.add_group(-4001)
    server.migrate(-4001, -1001234567890)
    with pytest.raises(PermanentDeliveryError) as told:
        await channel.send(message(chat=-4001))
    assert told.value.migrated_to is not None
    await channel.send(message(chat=told.value.migrated_to))
    assert [sent.chat for sent in server.sent] == [-1001234567890]


async def test_a_refused_token_says_nothing_about_the_recipient(server: BotApi, channel: TelegramChannel) -> None:
    server.token = "7000000001:another"
    with pytest.raises(TransientDeliveryError):
        await channel.send(message())


# -- attachments


@pytest.mark.parametrize("kind", ["photo", "voice", "audio", "video", "document"])
async def test_a_file_goes_on_with_the_text_as_its_caption(server: BotApi, channel: TelegramChannel, kind: str) -> None:
    buttons = ((ChannelButton(label="好", data="ok"),),)
    text = "[转] 张三 <发来>\n" + "字" * 900
    await channel.send(message(text, attachments=((kind, "AgACx"),), buttons=buttons))
    (sent,) = server.sent
    assert (sent.method, sent.file, sent.text, sent.labels) == (f"send{kind.title()}", "AgACx", text, ["好"])
    assert [entity["type"] for entity in sent.entities] == ["bold"]


async def test_what_no_caption_can_hold_goes_before_the_file(server: BotApi, channel: TelegramChannel) -> None:
    receipt = await channel.send(message("字" * 1025, attachments=(("photo", "p"),)))
    await channel.send(message("贴纸", attachments=(("sticker", "s"),)))
    assert [sent.method for sent in server.sent] == ["sendMessage", "sendPhoto", "sendMessage", "sendSticker"]
    assert receipt.message_id == str(server.sent[0].message_id)


async def test_files_alone_and_several_files(server: BotApi, channel: TelegramChannel) -> None:
    await channel.send(message("", attachments=(("sticker", "s"),)))
    await channel.send(message("两份", attachments=(("document", "d1"), ("document", "d2"))))
    assert [(sent.file, sent.text) for sent in server.sent] == [("s", ""), ("d1", "两份"), ("d2", "")]


async def test_what_has_no_file_is_copied_from_where_it_lies(server: BotApi, channel: TelegramChannel) -> None:
    lies = server.user_says(2001, location={"latitude": 31.2, "longitude": 121.4})
    await channel.send(message("张三在这里", 1001, attachments=(("location", f"2001:{lies}"),)))
    assert [sent.method for sent in server.sent] == ["sendMessage", "copyMessage"]
    assert "location" in server.world.messages[1001, server.sent[1].message_id]


@pytest.mark.parametrize(
    "fault",
    [
        Fault("retry_after", "sendSticker", seconds=2),
        Fault("retry_after", "sendSticker", seconds=2, times=9),
        Fault("retry_after", "sendSticker", seconds=3600),
        Fault("status", "sendSticker", status=502),
        Fault("error", "sendSticker", status=400, description="Bad Request: wrong file identifier"),
    ],
    ids=lambda fault: f"{fault.kind} {fault.seconds} x{fault.times}",
)
async def test_a_file_that_fails_never_sends_its_text_twice(server: BotApi, fault: Fault) -> None:
    pauses = Pauses()
    channel = channel_for(server, sleep=pauses, monotonic=pauses.monotonic)
    server.faults.append(fault)
    async with asyncio.timeout(5):
        receipt = await channel.send(message("文字", attachments=(("sticker", "s"),)))
    assert receipt.message_id == str(server.sent[0].message_id)
    assert calls(server) == 1
    assert len(server.sent) == (2 if fault.kind == "retry_after" and fault.times == 0 and fault.seconds == 2 else 1)
    await channel.close()


async def test_a_refused_file_does_not_take_its_text_with_it(server: BotApi, channel: TelegramChannel) -> None:
    refusal = "Bad Request: VOICE_MESSAGES_FORBIDDEN"
    server.faults.append(Fault("error", "sendVoice", status=400, description=refusal))
    await channel.send(message("张三发来语音", attachments=(("voice", "v"),)))
    assert [(sent.method, sent.text) for sent in server.sent] == [("sendMessage", "张三发来语音")]
    unknown(server)
    with pytest.raises(PermanentDeliveryError):
        await channel.send(message("张三发来语音", attachments=(("voice", "v"),)))


# -- pace


async def test_no_limit_of_telegrams_is_ever_broken_and_order_is_kept(server: BotApi) -> None:
    channel = channel_for(server, rates=RATES)
    server.add_group(-4001)
    for number in range(40):
        server.add_user(3000 + number, f"u{number}")
    chats = [3000 + number % 40 for number in range(80)] + [-4001] * 3
    await asyncio.gather(*(channel.send(message(str(n), chat)) for n, chat in enumerate(chats)))
    await channel.close()
    assert len(server.sent) == 83
    assert too_fast(server.sent) == []
    for chat in set(chats):
        texts = [int(sent.text) for sent in server.sent_to(chat)]
        assert texts == sorted(texts)


async def test_a_group_over_its_minute_is_put_off_not_waited_for(server: BotApi) -> None:
    rates = Rates(chat=NO_LIMITS.chat, group=Rate(20, 60.0), overall=NO_LIMITS.overall)
    channel = channel_for(server, rates=rates)
    server.add_group(-4001)
    outcomes = await asyncio.gather(*(channel.send(message(chat=-4001)) for _ in range(25)), return_exceptions=True)
    await channel.close()
    refused = [outcome for outcome in outcomes if isinstance(outcome, DeliveryError)]
    assert len(server.sent) == 20
    assert len(refused) == 5
    assert all(isinstance(r, TransientDeliveryError) and r.retry_after and r.retry_after.seconds > 50 for r in refused)


async def test_what_has_waited_for_its_turn_leaves_only_while_it_may(server: BotApi) -> None:
    """A process that was frozen while a message waited: another one sends by now."""
    pauses = Pauses()
    channel = channel_for(server, rates=RATES, sleep=pauses, monotonic=pauses.monotonic)
    channel.only_while(lambda: not pauses.taken)
    await channel.send(message())
    with pytest.raises(Paced):
        await channel.send(message())
    assert calls(server) == 1
    channel.only_while(lambda: True)
    await channel.send(message())
    assert calls(server) == 2
    await channel.close()
