"""The world of a rehearsal: its channel, its people, and who was told what."""

from datetime import UTC, datetime, timedelta

import pytest
import yaml

from bot.channels.virtual import Fault, VirtualChannel
from bot.rehearsal.scenario import parse_scenario
from bot.rehearsal.steps import ChannelFails, Press, Say
from bot.rehearsal.timeline import RehearsalError
from bot.rehearsal.world import World
from bot.system import VirtualClock
from core.errors import PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError
from core.facts import FactKind
from core.ports import ChannelButton, ChannelMessage

MONDAY = datetime(2026, 3, 16, 2, tzinfo=UTC)
YES = ((ChannelButton(label="确认", data="y:1"), ChannelButton(label="取消", data="n:1")),)


def channel(name: str = "telegram") -> VirtualChannel:
    return VirtualChannel(name, VirtualClock(MONDAY))


def message(chat: str, text: str = "好", key: str = "k", **more: object) -> ChannelMessage:
    return ChannelMessage.model_validate({"key": key, "chat": chat, "text": text, **more})


def world() -> World:
    return World(
        parse_scenario(
            yaml.safe_load("""
title: t
now: "2026-03-16T10:00:00+08:00"
people:
  - {id: p_owner, name: 老板, role: owner, telegram: "1001"}
  - {id: p_zhangsan, name: 张三, feishu: ou_zhangsan, telegram: "2001", preferred_channel: telegram}
steps: []
"""),
            "a.yaml",
        )
    )


# --- the channel ------------------------------------------------------------------------------------------------------


async def test_a_message_is_delivered_with_all_that_belongs_to_it() -> None:
    there = channel()
    receipt = await there.send(message("1", "在吗", buttons=YES, quote="m9", silent=True))
    (delivered,) = there.delivered
    assert (delivered.chat, delivered.text, delivered.at) == ("1", "在吗", MONDAY)
    assert (delivered.buttons, delivered.quote, delivered.silent) == (YES, "m9", True)
    assert receipt.message_id == delivered.message_id


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("forbidden", PermanentDeliveryError),
        ("unavailable", TransientDeliveryError),
        ("rate_limited", TransientDeliveryError),
    ],
)
async def test_a_fault_hits_its_chat_as_often_as_it_says(kind: str, error: type[Exception]) -> None:
    there = channel()
    there.fail(Fault(kind, chat="1", times=2))  # type: ignore[arg-type]
    await there.send(message("2"))
    for _ in range(2):
        with pytest.raises(error):
            await there.send(message("1"))
    await there.send(message("1"))
    assert [d.chat for d in there.delivered] == ["2", "1"]


async def test_a_rate_limit_says_when_to_come_back() -> None:
    there = channel()
    there.fail(Fault("rate_limited", retry_after=timedelta(seconds=7)))
    with pytest.raises(TransientDeliveryError) as caught:
        await there.send(message("1"))
    assert caught.value.retry_after == timedelta(seconds=7)


async def test_an_unknown_outcome_raises_and_arrives() -> None:
    there = channel()
    there.fail(Fault("unknown_outcome"))
    with pytest.raises(UnknownDeliveryError):
        await there.send(message("1"))
    assert len(there.delivered) == 1


@pytest.mark.parametrize(("name", "arrive"), [("feishu", 1), ("telegram", 2)])
async def test_only_feishu_knows_a_repeated_key(name: str, arrive: int) -> None:
    there = channel(name)
    first = await there.send(message("1", key="same"))
    second = await there.send(message("1", key="same"))
    assert len(there.delivered) == arrive
    assert (first == second) is (arrive == 1)


# --- who was told what ------------------------------------------------------------------------------------------------


async def test_a_look_takes_the_messages_of_that_person_and_no_others() -> None:
    here = world()
    await here.channels["telegram"].send(message("2001", "一", key="1"))
    await here.channels["feishu"].send(message("ou_zhangsan", "二", key="2"))
    await here.channels["telegram"].send(message("1001", "三", key="3"))
    assert [m.text for m in here.take("p_zhangsan")] == ["一", "二"]
    assert here.take("p_zhangsan") == []
    assert [m.text for m in here.take("anyone")] == ["三"]
    assert here.take("p_owner") == []


async def test_a_person_answers_where_they_were_written_to_last_else_where_they_like() -> None:
    here = world()
    assert here.say(Say(who="p_zhangsan", text="好")).channel == "telegram"
    await here.channels["feishu"].send(message("ou_zhangsan"))
    fact = here.say(Say(who="p_zhangsan", text="好"))
    assert (fact.channel, fact.conversation, fact.sender) == ("feishu", "feishu:ou_zhangsan", "ou_zhangsan")
    assert here.say(Say(who="p_zhangsan", text="好", channel="telegram")).conversation == "telegram:2001"


async def test_a_quote_goes_through_the_channel_of_the_quoted_message() -> None:
    here = world()
    await here.channels["telegram"].send(message("2001", key="1"))
    here.name_message("ask", here.take("p_zhangsan")[0])
    await here.channels["feishu"].send(message("ou_zhangsan", key="2"))
    fact = here.say(Say(who="p_zhangsan", text="好", reply_to="ask"))
    assert fact.channel == "telegram"
    assert fact.reply_to == here.channels["telegram"].delivered[0].message_id


def test_an_edit_and_a_recall_name_the_message() -> None:
    here = world()
    said = here.say(Say(who="p_owner", text="问张三", id="ask"))
    edit, recall = here.change("p_owner", "ask", "问李四"), here.change("p_owner", "ask", None)
    assert (edit.kind, edit.text, edit.message_id) == (FactKind.EDIT, "问李四", said.message_id)
    assert (recall.kind, recall.message_id) == (FactKind.RECALL, said.message_id)
    assert len({said.event_id, edit.event_id, recall.event_id}) == 3


async def test_a_press_takes_the_latest_button_with_that_label_and_the_buttons_go() -> None:
    here = world()
    for key in ("1", "2"):
        rows = tuple(tuple(b.model_copy(update={"data": b.data + key}) for b in row) for row in YES)
        await here.channels["telegram"].send(message("1001", key=key, buttons=rows))
    fact = here.press(Press(who="p_owner", label="确认"))
    assert (fact.kind, fact.button) == (FactKind.BUTTON, "y:12")
    await here.channels["telegram"].settle_button(fact, None)
    assert here.press(Press(who="p_owner", label="确认")).button == "y:11"


async def test_a_button_that_is_not_there_is_an_error_that_names_those_that_are() -> None:
    here = world()
    await here.channels["telegram"].send(message("1001", buttons=YES))
    with pytest.raises(RehearsalError, match="确认, 取消"):
        here.press(Press(who="p_owner", label="好的"))
    with pytest.raises(RehearsalError, match="no buttons"):
        here.press(Press(who="p_zhangsan", label="确认"))


async def test_a_channel_fails_for_one_person() -> None:
    here = world()
    here.fail(ChannelFails(channel="telegram", to="p_zhangsan", error="forbidden"))
    await here.channels["telegram"].send(message("1001"))
    with pytest.raises(PermanentDeliveryError):
        await here.channels["telegram"].send(message("2001"))
