"""What every channel keeps, whichever it is."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from core.errors import PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError
from core.facts import Fact
from core.ports import ChannelButton, ChannelMessage
from tests.contract.channels import SIDES, UNFAILING, WIRE, Side, pressed

BUTTONS = ((ChannelButton(label="确认", data="confirm:b1"), ChannelButton(label="取消", data="deny:b1")),)
TEXTS = [
    "张三，v2.0 什么时候能提测？",
    "[回流] v2.0 <提测> & 上线\n结果：*周四* _能_ `提测`\n关键信息：张三：后天（3月18日）",
    "https://example.com/?a=1&b=<2>",
    "👍🏽 👨‍👩‍👧 e\u0301 \u202b",
]


def param(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.wire) if name in WIRE else name


@pytest.fixture(params=[param(name) for name in SIDES])
async def side(request: pytest.FixtureRequest) -> AsyncIterator[Side]:
    """Every channel."""
    async with SIDES[request.param]() as made:
        yield made  # type: ignore[misc]


@pytest.fixture(params=[param(name) for name in SIDES if name not in UNFAILING])
async def failing(request: pytest.FixtureRequest) -> AsyncIterator[Side]:
    """Every channel that can fail."""
    async with SIDES[request.param]() as made:
        yield made  # type: ignore[misc]


def message(side: Side, text: str = "在吗", key: str = "k:0", **more: object) -> ChannelMessage:
    return ChannelMessage.model_validate({"key": key, "chat": side.chat, "text": text, **more})


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
async def test_a_text_arrives_as_it_was_written(side: Side, text: str) -> None:
    await side.channel.send(message(side, text))
    assert side.texts() == [text]


async def test_a_receipt_names_channel_chat_and_a_message_of_its_own(side: Side) -> None:
    receipts = [await side.channel.send(message(side, str(n), key=f"k:{n}")) for n in range(3)]
    assert {(r.channel, r.chat) for r in receipts} == {(side.channel.name, side.chat)}
    assert len({r.message_id for r in receipts}) == 3
    assert all(r.message_id for r in receipts)
    assert side.texts() == ["0", "1", "2"]


async def test_the_parts_of_a_long_text_are_the_text_and_each_is_taken(side: Side) -> None:
    text = "第一句。<b>第二句</b> & 👍🏽\n" * 3000
    parts = side.channel.parts(text)
    assert "".join(parts) == text
    for number, part in enumerate(parts):
        await side.channel.send(message(side, part, key=f"k:{number}"))
    assert len(side.texts()) == len(parts)
    assert "".join(side.texts()).split() == text.split()


async def test_a_settled_button_cannot_be_pressed_again(side: Side) -> None:
    other = await side.channel.send(message(side, "另一件", buttons=((ChannelButton(label="留着", data="x"),),)))
    receipt = await side.channel.send(message(side, "确认吗？", key="k:1", buttons=BUTTONS))
    assert set(side.labels()) == {"留着", "确认", "取消"}
    await side.channel.settle_button(pressed(side, receipt, "confirm:b1"), "好的")
    assert side.labels() == ["留着"]
    await side.channel.settle_button(pressed(side, receipt, "confirm:b1"), None)
    assert side.labels() == ["留着"]
    assert other.message_id != receipt.message_id


async def test_settling_what_is_gone_raises_nothing(side: Side) -> None:
    receipt = await side.channel.send(message(side))
    await side.channel.settle_button(pressed(side, receipt.model_copy(update={"message_id": "4711"}), "x"), "好")


async def test_run_ends_when_it_is_cancelled(side: Side) -> None:
    async def emit(fact: Fact) -> bool:
        return True

    running = asyncio.create_task(side.channel.run(emit))
    done, _ = await asyncio.wait([running], timeout=0.1)
    assert not done
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        async with asyncio.timeout(5):
            await running
    assert running.cancelled()


async def test_a_person_who_blocks_the_bot_is_a_permanent_failure(failing: Side) -> None:
    await failing.blocked()
    with pytest.raises(PermanentDeliveryError):
        await failing.channel.send(message(failing))
    assert failing.texts() == []


async def test_a_channel_that_is_away_is_a_transient_failure(failing: Side) -> None:
    await failing.away()
    with pytest.raises(TransientDeliveryError):
        await failing.channel.send(message(failing))
    assert failing.texts() == []


async def test_a_wish_to_wait_is_handed_on(failing: Side) -> None:
    await failing.busy(timedelta(seconds=7))
    with pytest.raises(TransientDeliveryError) as told:
        await failing.channel.send(message(failing))
    assert told.value.retry_after == timedelta(seconds=7)
    assert failing.texts() == []


async def test_a_lost_answer_is_unknown_and_is_not_sent_again_by_itself(failing: Side) -> None:
    await failing.silent()
    with pytest.raises(UnknownDeliveryError):
        await failing.channel.send(message(failing))
    assert failing.texts() == ["在吗"]


async def test_an_error_tells_people_nothing_of_the_inside(failing: Side) -> None:
    await failing.blocked()
    with pytest.raises(PermanentDeliveryError) as told:
        await failing.channel.send(message(failing))
    assert "Traceback" not in str(told.value)
    assert "http" not in str(told.value)
    assert "\n" not in str(told.value)
