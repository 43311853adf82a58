"""Follow-up intervals and limits: the tables of RULES 4."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.concern import steer
from core.concern.followup import deadline_check_at, interval, most, next_follow_up
from core.concern.model import CommStatus, DelegateState, Priority, Status
from core.concern.opening import open_concern
from core.effects import Purpose
from core.limits import Limits
from core.people import Identity
from tests.unit.concern_desk import ALWAYS, LI, MONDAY, OWNER, WANG, ZHANG, Desk, people, proposal, says, setting

LIMITS = Limits()
H = timedelta(hours=1)

TABLE = [
    (Priority.CRITICAL, [0.5, 1, 2, 2, 2], None),
    (Priority.HIGH, [2, 4, 8, 8, 8], 5),
    (Priority.MEDIUM, [4, 8, 24], 3),
    (Priority.LOW, [24, 48], 2),
]


@pytest.mark.parametrize(("priority", "hours", "at_most"), TABLE)
def test_intervals_and_limits_are_those_of_the_table(
    priority: Priority, hours: list[float], at_most: int | None
) -> None:
    assert [interval(priority, n, LIMITS) / H for n in range(1, len(hours) + 1)] == hours
    assert most(priority, LIMITS) == at_most


def always_open(**more: object) -> Desk:
    return Desk(directory=people(zhangsan={**ALWAYS, **more}, lisi=ALWAYS, owner=ALWAYS))


@pytest.mark.parametrize(("priority", "hours", "at_most"), TABLE[2:])
def test_a_silent_delegate_is_followed_up_by_the_table_and_then_given_up(
    priority: Priority, hours: list[float], at_most: int
) -> None:
    desk = always_open().raise_for(ZHANG, priority=priority)
    desk.advance(days=9)
    sent = [MONDAY, *(s.at for s in desk.to(ZHANG, Purpose.FOLLOW_UP))]
    assert [(b - a) / H for a, b in pairwise(sent)] == hours
    assert desk.comm(ZHANG) is CommStatus.NO_ANSWER
    assert desk.concern.status is Status.DROPPED
    assert desk.concern.closed_at == sent[-1] + interval(priority, at_most + 1, LIMITS)
    assert desk.decided == ["raised", "dropped"]
    assert "张三一直没回复" in desk.texts(OWNER)[-1]
    assert "先放下了" in desk.texts(OWNER)[-1]


def test_high_is_escalated_one_interval_after_the_fifth() -> None:
    desk = always_open(escalation_to=LI).raise_for(ZHANG, priority=Priority.HIGH)
    desk.advance(days=5)
    sent = desk.to(ZHANG, Purpose.FOLLOW_UP)
    assert len(sent) == 5
    joined = desk.to(LI, Purpose.FIRST_CONTACT)
    assert joined[0].at - sent[-1].at == timedelta(hours=8)
    assert desk.comm(ZHANG) is CommStatus.NO_ANSWER
    assert "escalated" in desk.decided
    assert any("张三一直没回复，我转问李四了。" in text for text in desk.texts(OWNER))


def test_the_one_escalated_to_has_a_cadence_of_their_own_and_the_first_one_still_counts() -> None:
    desk = always_open(escalation_to=LI).raise_for(ZHANG, priority=Priority.HIGH)
    desk.advance(days=3)
    joined = desk.to(LI, Purpose.FIRST_CONTACT)[0].at
    assert desk.concern.status is Status.ESCALATED
    assert desk.to(LI, Purpose.FOLLOW_UP)[0].at == joined + 2 * H
    desk.reply(ZHANG, "周四能提测", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED
    assert desk.texts(LI, Purpose.SETTLED)
    assert not desk.texts(ZHANG, Purpose.SETTLED)


def test_an_answer_of_the_one_escalated_to_closes_the_matter() -> None:
    desk = always_open(escalation_to=LI).raise_for(ZHANG, priority=Priority.CRITICAL)
    desk.advance(hours=6)
    assert desk.to(LI, Purpose.FIRST_CONTACT)
    assert desk.comm(ZHANG) is CommStatus.WAITING_REPLY
    desk.reply(LI, "周四能提测", says(goal_met=True, attitudes={LI: "answered"}))
    assert desk.concern.status is Status.RESOLVED
    assert desk.texts(ZHANG, Purpose.SETTLED)


def test_critical_is_escalated_after_the_third_silent_one_and_followed_up_for_ever() -> None:
    desk = always_open(escalation_to=LI).raise_for(ZHANG, priority=Priority.CRITICAL)
    desk.advance(hours=20)
    sent = desk.to(ZHANG, Purpose.FOLLOW_UP)
    assert desk.to(LI, Purpose.FIRST_CONTACT)[0].at == sent[2].at + 2 * H
    assert len(sent) > 8
    assert all(b.at - a.at == 2 * H for a, b in pairwise(sent[2:]))


def test_a_word_in_between_puts_the_escalation_of_a_critical_matter_off() -> None:
    desk = always_open(escalation_to=LI).raise_for(ZHANG, priority=Priority.CRITICAL)
    desk.advance(hours=4)
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 3
    desk.reply(ZHANG, "我看看", says(attitudes={ZHANG: "vague"}))
    desk.advance(hours=5)
    assert not desk.to(LI)
    desk.advance(hours=4)
    assert desk.to(LI, Purpose.FIRST_CONTACT)


def test_without_anybody_above_the_matter_goes_back_to_the_initiator() -> None:
    desk = always_open().raise_for(ZHANG, priority=Priority.HIGH)
    desk.advance(days=4)
    assert desk.concern.status is Status.ESCALATED
    assert desk.concern.decision is not None
    assert desk.concern.next_action is not None
    assert desk.concern.next_action.what.startswith("等待老板决定")
    assert any("催了张三 5 次都没回复" in text for text in desk.texts(OWNER))


def test_after_the_initiator_s_word_a_delegate_who_stays_silent_is_given_up() -> None:
    desk = always_open().raise_for(ZHANG, priority=Priority.HIGH)
    desk.advance(days=4)
    desk.take(steer.decide(desk.concern, "再问一次，今天必须给", desk.setting, desk.cause()))
    desk.advance(days=3)
    assert "再问一次，今天必须给" in desk.texts(ZHANG, Purpose.ANSWER)[0]
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 5
    assert desk.concern.status is Status.DROPPED


def test_one_who_is_asked_already_is_not_asked_again_in_another_s_place() -> None:
    desk = always_open(escalation_to=LI).raise_for(ZHANG, LI, priority=Priority.HIGH)
    desk.advance(hours=1)
    desk.reply(LI, "下周一", says(goal_met=True, attitudes={LI: "answered"}))
    desk.advance(days=4)
    assert len(desk.to(LI)) == 1
    assert desk.comm(LI) is CommStatus.DONE
    assert desk.concern.decision is not None


@pytest.mark.parametrize(
    ("words", "status"),
    [("再等等吧", Status.DROPPED), ("算了，不问了", Status.DROPPED), ("问王五", Status.WAITING_REPLY)],
)
def test_what_the_initiator_may_say_to_a_delegate_s_silence(words: str, status: Status) -> None:
    desk = always_open().raise_for(ZHANG, priority=Priority.HIGH)
    desk.advance(days=4)
    desk.take(steer.decide(desk.concern, words, desk.setting, desk.cause()))
    desk.settle()
    assert not desk.to(ZHANG, Purpose.ANSWER)
    assert bool(desk.to(WANG)) == (words == "问王五")
    assert desk.concern.status.is_open == ("算了" not in words)
    desk.advance(hours=20)
    assert desk.concern.status is status
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 5


def test_waiting_on_is_a_button_too() -> None:
    desk = always_open().raise_for(ZHANG, priority=Priority.HIGH)
    desk.advance(days=4)
    asked = next(s for s in desk.to(OWNER) if s.message.decision_id)
    assert [desk.render(b.label, OWNER) for row in asked.message.buttons for b in row] == ["再等等", "换人", "不问了"]
    desk.take(steer.choose(desk.concern, "wait", desk.setting, desk.cause(), None))
    assert desk.concern.timeout_at == desk.now + 8 * H
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED


def test_one_who_is_exhausted_does_not_end_it_for_the_others() -> None:
    desk = always_open()
    desk.raise_for(ZHANG, LI)
    desk.advance(hours=30)
    desk.reply(LI, "我看看", says(attitudes={LI: "vague"}))
    desk.advance(hours=31)
    assert desk.comm(ZHANG) is CommStatus.NO_ANSWER
    assert desk.concern.status.is_open
    assert desk.concern.next_action is not None
    assert desk.concern.next_action.who_person_id == LI


def test_the_counter_is_not_reset_by_a_vague_answer() -> None:
    desk = always_open().raise_for(ZHANG)
    desk.advance(hours=5)
    desk.reply(ZHANG, "嗯", says(attitudes={ZHANG: "vague"}))
    assert desk.concern.state_of(ZHANG).follow_ups == 1
    said = desk.now
    desk.advance(hours=9)
    assert desk.to(ZHANG, Purpose.FOLLOW_UP)[1].at == said + 8 * H


def test_the_third_follow_up_to_a_silent_one_goes_through_another_channel() -> None:
    two = (Identity(channel="feishu", user_id="ou"), Identity(channel="telegram", user_id="2001"))
    desk = always_open(identities=two).raise_for(ZHANG)
    desk.advance(days=3)
    used = [e.channel for e in desk.concern.dialogue_with(ZHANG)]
    assert used == ["feishu", "feishu", "feishu", "telegram"]
    assert [s.message.avoid_channel for s in desk.to(ZHANG, Purpose.FOLLOW_UP)] == [None, None, "feishu"]
    # Where they were never written to, the bot says first who it is.
    assert ["自动助手" in text for text in desk.texts(ZHANG, Purpose.FOLLOW_UP)] == [False, False, True]


def test_the_brain_may_wait_longer() -> None:
    desk = always_open().raise_for(ZHANG)
    desk.brain = lambda c, t, who: says(next_action={"what": "再等等", "when": MONDAY + 30 * H})
    desk.advance(hours=29)
    assert not desk.to(ZHANG, Purpose.FOLLOW_UP)
    desk.advance(hours=2)
    assert [s.at for s in desk.to(ZHANG, Purpose.FOLLOW_UP)] == [MONDAY + 30 * H]


def test_the_brain_may_not_be_quicker() -> None:
    desk = always_open().raise_for(ZHANG)
    desk.reply(ZHANG, "我看看", says(attitudes={ZHANG: "vague"}, next_action={"when": MONDAY + H}))
    desk.advance(hours=3.9)
    assert not desk.to(ZHANG, Purpose.FOLLOW_UP)
    desk.advance(hours=0.2)
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 1


def test_a_time_of_their_own_may_be_sooner_than_the_interval() -> None:
    desk = always_open().raise_for(ZHANG, priority=Priority.LOW)
    promise = {"attitude": "commitment", "promised_time": MONDAY + 3 * H}
    desk.reply(ZHANG, "一点给你", says(attitudes={ZHANG: promise}))
    desk.advance(hours=4)
    assert [s.at for s in desk.to(ZHANG, Purpose.FOLLOW_UP)] == [MONDAY + 3 * H]


def test_the_brain_does_not_cut_a_promise_short() -> None:
    desk = always_open().raise_for(ZHANG)
    promise = {"attitude": "commitment", "promised_time": MONDAY + 30 * H}
    desk.reply(ZHANG, "明天下午", says(attitudes={ZHANG: promise}, next_action={"when": MONDAY + 20 * H}))
    assert desk.concern.due_at == MONDAY + 30 * H


def test_a_reply_takes_back_a_follow_up_that_was_on_its_way() -> None:
    desk = always_open().raise_for(ZHANG)
    desk.now = MONDAY + 4 * H
    desk.fire_only()
    assert any(key.startswith("follow_up:") for key in desk.jobs)
    desk.reply(ZHANG, "我看看", says(attitudes={ZHANG: "vague"}))
    assert not desk.to(ZHANG, Purpose.FOLLOW_UP)
    assert not any(key.startswith("follow_up:") for key in desk.jobs)


STATES = st.builds(
    DelegateState,
    follow_ups=st.integers(0, 6),
    silent=st.integers(0, 6),
    doubled=st.booleans(),
    promised=st.booleans(),
    escalated=st.booleans(),
    last_outbound=st.integers(0, 500).map(lambda n: MONDAY + timedelta(minutes=37 * n)),
    last_inbound=st.none() | st.integers(0, 500).map(lambda n: MONDAY + timedelta(minutes=41 * n)),
    fired_at=st.none() | st.integers(0, 500).map(lambda n: MONDAY + timedelta(minutes=43 * n)),
    not_before=st.none() | st.integers(0, 900).map(lambda n: MONDAY + timedelta(minutes=47 * n)),
)


@given(state=STATES, priority=st.sampled_from(list(Priority)))
def test_no_follow_up_comes_sooner_than_the_table(state: DelegateState, priority: Priority) -> None:
    who = people()[ZHANG]
    coming = next_follow_up(state, priority, who, setting(MONDAY))
    assert coming.at is not None
    since = max(m for m in (state.last_outbound, state.last_inbound, state.fired_at) if m is not None)
    assert coming.at > since
    if not coming.promised:
        factor = 2 if state.doubled else 1
        assert coming.at >= since + interval(priority, state.follow_ups + 1, LIMITS) * factor
    if state.not_before is not None and state.not_before > since:
        assert coming.at >= state.not_before
    allowed = most(priority, LIMITS)
    assert coming.exhausted == (allowed is not None and state.follow_ups >= allowed)


def test_nothing_runs_for_somebody_who_was_never_written_to() -> None:
    assert next_follow_up(DelegateState(), Priority.MEDIUM, people()[ZHANG], setting()).at is None


@pytest.mark.parametrize(
    ("priority", "falls_due"),
    [
        (Priority.MEDIUM, datetime(2026, 3, 17, 9, 0, tzinfo=MONDAY.tzinfo)),
        (Priority.HIGH, datetime(2026, 3, 16, 19, 30, tzinfo=MONDAY.tzinfo)),
    ],
)
def test_a_timer_fires_when_a_message_may_leave(priority: Priority, falls_due: datetime) -> None:
    state = DelegateState(last_outbound=MONDAY.replace(hour=17, minute=30))
    assert next_follow_up(state, priority, people()[ZHANG], setting()).at == falls_due


# --- deadlines


def raised_with(deadline: datetime) -> datetime | None:
    return deadline_check_at(open_concern(proposal(people()[ZHANG], deadline=deadline), setting()).concern, LIMITS)


def test_the_check_before_a_deadline_is_at_three_quarters_of_the_way() -> None:
    assert raised_with(MONDAY + 8 * H) == MONDAY + 6 * H


def test_the_check_is_not_less_than_half_an_hour_before_the_deadline() -> None:
    assert raised_with(MONDAY + H) == MONDAY + H / 2


def test_a_deadline_that_is_near_has_no_check() -> None:
    assert raised_with(MONDAY + H / 2) is None


def test_each_who_owes_an_answer_is_checked_with_once_and_the_initiator_hears_at_the_deadline() -> None:
    desk = Desk().raise_for(ZHANG, LI, deadline=MONDAY + 8 * H)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.advance(hours=7.9)
    assert [s.at for s in desk.to(ZHANG, Purpose.DEADLINE_CHECK)] == [MONDAY + 6 * H]
    assert not desk.to(LI, Purpose.DEADLINE_CHECK)
    desk.now = MONDAY + 8 * H - timedelta(minutes=1)
    before = len(desk.to(OWNER))
    desk.advance(days=1)
    told = desk.to(OWNER)[before]
    assert "到截止时间了" in told.text
    assert "李四说周四" in told.text
    assert "张三还没回复" in told.text


def test_who_was_only_just_asked_is_not_checked_with() -> None:
    desk = Desk(directory=people(zhangsan={"working_hours": "17:00-20:00"}))
    desk.raise_for(ZHANG, deadline=MONDAY + 9 * H)
    desk.advance(hours=10)
    assert [s.purpose for s in desk.to(ZHANG)] == [Purpose.FIRST_CONTACT]


def test_a_check_takes_the_place_of_a_follow_up_at_the_same_time() -> None:
    desk = Desk().raise_for(ZHANG, priority=Priority.CRITICAL, deadline=MONDAY + H)
    desk.advance(minutes=59)
    assert [s.purpose for s in desk.to(ZHANG)] == [Purpose.FIRST_CONTACT, Purpose.DEADLINE_CHECK]


def test_an_instant_that_is_due_for_both_reasons_fires_once() -> None:
    desk = Desk().raise_for(ZHANG, priority=Priority.CRITICAL, deadline=MONDAY + H / 2)
    assert (desk.concern.timeout_at, desk.concern.due_at) == (MONDAY + H / 2, None)
    desk.advance(minutes=30)
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 1
    assert any("到截止时间了" in text for text in desk.texts(OWNER))


def test_who_named_a_time_is_not_checked_with() -> None:
    desk = Desk().raise_for(ZHANG, deadline=MONDAY + 8 * H)
    promise = {"attitude": "commitment", "promised_time": MONDAY + 7 * H}
    desk.reply(ZHANG, "五点给你", says(attitudes={ZHANG: promise}))
    desk.advance(hours=6.9)
    assert not desk.to(ZHANG, Purpose.DEADLINE_CHECK)


def test_one_instant_is_left_to_one_scan() -> None:
    desk = always_open().raise_for(ZHANG, deadline=MONDAY + 4 * H)
    assert desk.concern.timeout_at == MONDAY + 4 * H
    assert desk.concern.due_at == MONDAY + 3 * H
    desk.advance(hours=3.1)
    assert desk.concern.timeout_at == MONDAY + 7 * H
    assert desk.concern.due_at == MONDAY + 4 * H


def test_reassigning_starts_a_new_count() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS, wangwu=ALWAYS)).raise_for(ZHANG)
    desk.advance(hours=13)
    desk.take(steer.reassign(desk.concern, ZHANG, desk.directory[WANG], desk.setting, desk.cause()))
    desk.settle()
    assert desk.texts(ZHANG, Purpose.SETTLED)
    assert desk.concern.state_of(WANG).follow_ups == 0
    assert desk.texts(WANG, Purpose.FIRST_CONTACT)
