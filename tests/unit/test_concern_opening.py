"""Raising a concern, the acknowledgement, the first contact (RULES 1, 3, 4)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.concern.model import CommStatus, ConcernType, Priority, Status
from core.concern.opening import first_contact, first_key, open_concern, send_now
from core.effects import Advance, Purpose, Send
from core.facts import Trigger
from core.people import Role
from tests.unit.concern_desk import ALWAYS, LI, MONDAY, NO_CONTACT, OWNER, WANG, ZHANG, Desk, people, proposal, setting

EVENING = MONDAY.replace(hour=20)
MORNING = (MONDAY + timedelta(days=1)).replace(hour=9)


def test_raising_acknowledges_in_the_chat_where_it_was_asked_and_calls_the_loop() -> None:
    decision = open_concern(proposal(people()[ZHANG], people()[LI]), setting())
    ack, advance = decision.effects
    assert isinstance(ack, Send)
    assert (ack.message.conversation, ack.message.answers, ack.message.purpose) == (
        "telegram:1001",
        True,
        Purpose.REPLY,
    )
    assert ack.message.words.values["names"] == ["张三", "李四"]
    assert isinstance(advance, Advance)
    assert advance.trigger is Trigger.CREATED
    assert [r.what for r in decision.recent] == ["raised"]
    assert decision.concern.reports.last_at == MONDAY


def test_the_acknowledgement_names_everybody_and_says_how_to_stop() -> None:
    desk = Desk().raise_for(ZHANG, LI, WANG)
    assert desk.texts(OWNER) == ["好的，我来联系张三、李四和王五，有进展及时同步给你。不用问了就说「算了」。"]


def test_the_deadline_is_repeated() -> None:
    desk = Desk().raise_for(ZHANG, deadline=MONDAY.replace(hour=18))
    assert "截止时间记下了：今天 18:00" in desk.texts(OWNER)[0]


def test_the_first_contact_says_who_writes_for_whom_and_about_what() -> None:
    desk = Desk().raise_for(ZHANG)
    first = desk.texts(ZHANG)[0]
    introduction, question = first.split("\n")
    for part in ("自动助手", "清海", "老板", "v2.0 提测时间"):
        assert part in introduction
    assert question == "v2.0 什么时候能提测？"


def test_a_member_s_matter_is_asked_in_their_name() -> None:
    directory = people(lisi={"role": Role.MEMBER})
    desk = Desk(directory=directory).raise_for(ZHANG, initiator=directory[LI])
    assert "受李四委托" in desk.texts(ZHANG)[0]
    assert "老板" not in desk.texts(ZHANG)[0]


def test_before_anything_went_out_it_is_pending_and_then_waits_for_the_reply() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    assert desk.concern.status is Status.PENDING
    assert not desk.to(ZHANG)
    assert desk.concern.next_action is not None
    assert (desk.concern.next_action.what, desk.concern.next_action.when) == ("联系张三", MORNING)
    desk.advance(hours=13)
    assert [s.at for s in desk.to(ZHANG)] == [MORNING]
    assert desk.concern.status is Status.WAITING_REPLY
    assert [e.type for e in desk.concern.timeline] == ["discovered", "action_send", "started", "contacted"]
    entry = desk.concern.conversation_log[0]
    assert (entry.direction, entry.channel, entry.message_id, entry.ts) == ("outbound", "feishu", "m2", MORNING)


def test_outside_the_sending_hours_the_initiator_is_told_and_may_have_it_sent_now() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    ack = desk.to(OWNER)[0]
    assert "现在是下班时间，明早 9:00 联系张三。" in ack.text
    assert [b.data for row in ack.message.buttons for b in row] == ["now:con_20260316_001"]
    assert desk.render(ack.message.buttons[0][0].label, OWNER) == "现在就发"
    desk.advance(minutes=5)
    desk.take(send_now(desk.concern, desk.setting))
    desk.settle()
    assert [s.at for s in desk.to(ZHANG)] == [EVENING + timedelta(minutes=5)]


def test_those_who_can_be_written_to_now_are_told_apart_from_those_who_cannot() -> None:
    desk = Desk(directory=people(lisi=ALWAYS), now=EVENING).raise_for(ZHANG, LI)
    assert desk.texts(OWNER)[0].startswith(
        "好的，我来联系李四，有进展及时同步给你。现在是下班时间，明早 9:00 联系张三。"
    )
    assert len(desk.to(LI)) == 1


@pytest.mark.parametrize(
    ("priority", "hour", "goes"),
    [
        (Priority.CRITICAL, 3, 3),
        (Priority.HIGH, 21, 21),
        (Priority.HIGH, 22, 24 + 8),
        (Priority.HIGH, 7, 8),
        (Priority.MEDIUM, 17, 17),
        (Priority.MEDIUM, 18, 24 + 9),
        (Priority.LOW, 8, 9),
    ],
)
def test_sending_hours_by_priority(priority: Priority, hour: int, goes: int) -> None:
    desk = Desk(now=MONDAY.replace(hour=hour)).raise_for(ZHANG, priority=priority)
    desk.advance(days=1, hours=12)
    assert desk.to(ZHANG)[0].at == MONDAY.replace(hour=0) + timedelta(hours=goes)


def test_a_swapped_working_day_is_one() -> None:
    saturday = MONDAY.replace(month=5, day=9)
    assert Desk(now=saturday).raise_for(ZHANG).to(ZHANG)
    holiday = MONDAY.replace(month=10, day=7)
    assert not Desk(now=holiday).raise_for(ZHANG).to(ZHANG)


def test_who_has_no_channel_is_unreachable_at_once() -> None:
    desk = Desk(directory=people(lisi={"identities": ()})).raise_for(ZHANG, LI)
    assert desk.comm(LI) is CommStatus.UNREACHABLE
    assert "李四我没有联系方式" in desk.texts(OWNER)[0]
    assert not desk.to(LI)


def test_who_wants_no_messages_is_not_written_to() -> None:
    desk = Desk(directory=people(lisi={"interaction_policy": NO_CONTACT})).raise_for(ZHANG, LI)
    assert desk.comm(LI) is CommStatus.DECLINED
    assert "李四说过不想再收到消息" in desk.texts(OWNER)[0]
    assert not desk.to(LI)


def test_with_nobody_to_ask_it_ends_at_once_and_says_so_once() -> None:
    desk = Desk(directory=people(zhangsan={"identities": ()})).raise_for(ZHANG)
    desk.advance(days=1)
    assert desk.concern.status is Status.DROPPED
    assert desk.texts(OWNER) == ["张三我没有联系方式，联系不上。"]


def test_simple_mode_is_said_plainly() -> None:
    desk = Desk().raise_for(ZHANG, simple_mode=True)
    assert "简单模式" in desk.texts(OWNER)[0]


def test_a_simple_first_contact_says_so_to_the_delegate() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    decision = first_contact(desk.concern, {ZHANG: "什么时候能提测？"}, True, desk.setting)
    send = decision.effects[0]
    assert isinstance(send, Send)
    assert send.key == first_key(desk.concern, ZHANG) == "first:con_20260316_001:p_zhangsan"
    assert "简单模式" in desk.render(send.message.words, ZHANG)


def test_without_an_initiator_the_owner_hears_of_it() -> None:
    desk = Desk()
    desk.take(
        open_concern(
            proposal(desk.directory[ZHANG], initiator=None, conversation=None, type=ConcernType.ABSENCE_FOLLOWUP),
            desk.setting,
        )
    )
    desk.settle()
    assert not desk.to(OWNER, Purpose.REPLY)
    desk.advance(hours=1)
    assert desk.texts(OWNER) == ["已经联系张三了，等他回复。"]


def test_a_low_matter_without_an_initiator_disturbs_nobody() -> None:
    desk = Desk()
    wanted = proposal(desk.directory[ZHANG], initiator=None, conversation=None, priority=Priority.LOW)
    desk.take(open_concern(wanted, desk.setting))
    desk.advance(days=9)
    assert desk.concern.status is Status.DROPPED
    assert not desk.to(OWNER)


def test_an_english_initiator_reads_english() -> None:
    desk = Desk(directory=people(owner={"language": "en", "name": "Boss"}), now=EVENING).raise_for(ZHANG)
    assert desk.texts(OWNER)[0] == (
        "All right, I'll keep you posted. It's outside working hours now; I'll write to 张三 tomorrow 9:00."
        ' Say "never mind" to call it off.'
    )
