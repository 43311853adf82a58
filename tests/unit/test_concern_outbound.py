"""A message at the moment of sending: wanted, delivered, not deliverable."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.concern import steer
from core.concern.inbound import Utterance, declined_contact, heard
from core.concern.model import CommStatus, Concern, Status
from core.concern.outbound import delivered, still_wanted, undeliverable
from core.concern.timers import fire
from core.effects import Outgoing, Purpose, Words
from core.errors import Shut
from core.facts import Trigger
from core.ids import PersonId
from tests.unit.concern_desk import LI, MONDAY, NO_CONTACT, OWNER, ZHANG, Desk, people, says

H = timedelta(hours=1)


def message(purpose: Purpose, to: PersonId = ZHANG, number: int | None = None) -> Outgoing:
    return Outgoing(
        purpose=purpose, to=to, words=Words(text="x"), concern_id="con_20260316_001", follow_up_number=number
    )


def wanted(desk: Desk, purpose: Purpose, **more: int) -> bool:
    return still_wanted(desk.concern, message(purpose, **more), desk.setting) is None  # type: ignore[arg-type]


ASKING = (
    Purpose.FIRST_CONTACT,
    Purpose.FOLLOW_UP,
    Purpose.DEADLINE_CHECK,
    Purpose.ASK_BACK,
    Purpose.ANSWER,
    Purpose.CORRECTION,
)
ALWAYS_WANTED = (Purpose.REPORT, Purpose.REPORT_BACK, Purpose.REPLY, Purpose.NOTICE)


def pending() -> Desk:
    return Desk(now=MONDAY.replace(hour=20)).raise_for(ZHANG, LI)


def waiting() -> Desk:
    return Desk().raise_for(ZHANG, LI)


def fired() -> Desk:
    desk = waiting()
    desk.now = MONDAY + 4 * H
    desk.fire_only()
    return desk


def closed() -> Desk:
    desk = waiting()
    desk.take(steer.cancel(desk.concern, desk.setting, None, desk.directory[OWNER]))
    return desk


def paused() -> Desk:
    desk = waiting()
    desk.take(steer.pause(desk.concern, None, desk.setting))
    return desk


def deciding() -> Desk:
    desk = waiting()
    desk.reply(LI, "要哪个？", says(attitudes={LI: "question"}))
    return desk


def answered() -> Desk:
    desk = waiting()
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    return desk


def stopped() -> Desk:
    desk = waiting()
    desk.directory[ZHANG] = desk.directory[ZHANG].model_copy(update={"interaction_policy": NO_CONTACT})
    desk.take(declined_contact(desk.concern, ZHANG, desk.setting))
    return desk


@pytest.mark.parametrize(
    ("make", "still"),
    [
        (pending, {Purpose.FIRST_CONTACT, Purpose.ASK_BACK, Purpose.ANSWER, Purpose.CORRECTION, Purpose.SETTLED}),
        (waiting, {Purpose.ASK_BACK, Purpose.ANSWER, Purpose.CORRECTION, Purpose.SETTLED}),
        (fired, {*ASKING, Purpose.SETTLED} - {Purpose.FIRST_CONTACT}),
        (closed, {Purpose.SETTLED, Purpose.ANSWER}),
        (paused, {Purpose.ANSWER, Purpose.CORRECTION, Purpose.SETTLED}),
        (deciding, {Purpose.ASK_BACK, Purpose.ANSWER, Purpose.CORRECTION, Purpose.SETTLED}),
        (answered, {Purpose.ANSWER, Purpose.CORRECTION, Purpose.SETTLED}),
        (stopped, set()),
    ],
)  # fmt: skip
def test_what_is_still_wanted(make: object, still: set[Purpose]) -> None:
    desk: Desk = make()  # type: ignore[operator]
    assert {p for p in (*ASKING, Purpose.SETTLED) if wanted(desk, p)} == still
    for purpose in ALWAYS_WANTED:
        assert still_wanted(desk.concern, message(purpose, OWNER), desk.setting) is None


def test_a_follow_up_is_sent_once() -> None:
    desk = fired()
    assert wanted(desk, Purpose.FOLLOW_UP, number=1)
    desk.settle()
    assert not wanted(desk, Purpose.FOLLOW_UP, number=1)
    assert wanted(desk, Purpose.FOLLOW_UP, number=2)


def test_a_word_after_the_timer_fired_takes_the_nudge_back() -> None:
    desk = waiting()
    desk.now = MONDAY + 4 * H
    desk.fire_only()
    assert wanted(desk, Purpose.FOLLOW_UP, number=1)
    desk.now += timedelta(minutes=1)
    concern = heard(desk.concern, Utterance(ZHANG, "嗯", "feishu", "m", desk.now), desk.setting, "f1").concern
    assert still_wanted(concern, message(Purpose.FOLLOW_UP, number=1), desk.setting) is not None


def test_a_delivery_is_logged_with_the_channel_and_its_message_id() -> None:
    desk = waiting()
    line = desk.concern.dialogue_with(ZHANG)[0]
    assert (line.direction, line.channel, line.purpose, line.ts) == ("outbound", "feishu", "first_contact", MONDAY)
    assert line.message_id is not None
    entry = desk.concern.person(ZHANG)
    assert entry is not None
    assert entry.last_channel == "feishu"


def test_what_may_have_arrived_counts_as_sent() -> None:
    desk = pending()
    concern = delivered(desk.concern, message(Purpose.FIRST_CONTACT), "x", "telegram", None, desk.setting).concern
    assert concern.dialogue_with(ZHANG)[0].message_id is None
    assert "是否送达未知" in concern.timeline[-3].detail
    assert concern.state_of(ZHANG).last_outbound == desk.now


def test_messages_to_the_initiator_are_no_part_of_the_dialogue() -> None:
    desk = waiting()
    decision = delivered(desk.concern, message(Purpose.REPLY, OWNER), "好的", "telegram", "1", desk.setting)
    assert decision.concern is desk.concern


def gone(concern: Concern, desk: Desk, who: PersonId = ZHANG) -> None:
    desk.take(undeliverable(concern, message(Purpose.FOLLOW_UP, who), "blocked", desk.setting))
    desk.settle()


def test_an_unreachable_one_is_told_of_at_once_and_the_others_go_on() -> None:
    desk = waiting()
    desk.advance(minutes=5)
    gone(desk.concern, desk)
    assert desk.comm(ZHANG) is CommStatus.UNREACHABLE
    assert desk.to(OWNER)[-1].at == MONDAY + timedelta(minutes=5)
    assert desk.texts(OWNER)[-1].startswith("张三联系不上，消息送不到。")
    assert "blocked" not in desk.texts(OWNER)[-1]
    assert desk.concern.status is Status.WAITING_REPLY
    assert desk.concern.next_action is not None
    assert desk.concern.next_action.who_person_id == LI


@pytest.mark.parametrize("why", Shut)
def test_why_they_are_out_of_reach_is_said_of_each(why: Shut) -> None:
    desk = waiting()
    desk.advance(minutes=5)
    desk.take(undeliverable(desk.concern, message(Purpose.FOLLOW_UP, ZHANG), "code 1", desk.setting, why))
    desk.take(undeliverable(desk.concern, message(Purpose.FOLLOW_UP, LI), "code 2", desk.setting))
    desk.settle()
    said = desk.texts(OWNER)[-1]
    assert "张三联系不上：" in said
    assert "李四联系不上，消息送不到。" in said
    assert "code" not in said


def test_with_nobody_left_it_is_dropped() -> None:
    desk = Desk().raise_for(ZHANG)
    gone(desk.concern, desk)
    assert desk.concern.status is Status.DROPPED
    assert desk.texts(OWNER)[-1] == "张三联系不上，消息送不到。「v2.0 提测时间」我先放下了。"


def test_who_writes_after_all_is_reachable_again() -> None:
    desk = waiting()
    gone(desk.concern, desk)
    desk.reply(ZHANG, "我换了手机", says(attitudes={ZHANG: "vague"}))
    assert desk.comm(ZHANG) is CommStatus.REPLIED
    assert desk.concern.timeout_at is not None


def test_a_first_contact_that_fails_ends_a_point_about_them() -> None:
    desk = waiting()
    desk.reply(ZHANG, "要哪个？", says(attitudes={ZHANG: "question"}))
    gone(desk.concern, desk)
    assert desk.concern.decision is None


def test_timers_of_a_closed_or_paused_concern_do_nothing() -> None:
    for desk in (closed(), paused()):
        desk.now = MONDAY + 9 * H
        fired = fire(desk.concern, Trigger.TIMEOUT, desk.setting, "f1")
        assert not fired.ask
        assert not fired.decision.effects


def test_a_timer_names_those_whose_time_is_up_and_only_once() -> None:
    desk = waiting()
    desk.now = MONDAY + 4 * H
    fired = fire(desk.concern, Trigger.TIMEOUT, desk.setting, "f1")
    assert fired.ask == (ZHANG, LI)
    assert fired.decision.concern.status is Status.IN_PROGRESS
    assert fire(fired.decision.concern, Trigger.TIMEOUT, desk.setting, "f2").ask == ()


def test_a_channel_of_the_person_is_not_kept_beyond_its_name() -> None:
    desk = Desk(directory=people(zhangsan={"aliases": ("三哥",)})).raise_for(ZHANG)
    assert "三哥" not in desk.concern.model_dump_json()
    assert "ou_" not in desk.concern.model_dump_json()
