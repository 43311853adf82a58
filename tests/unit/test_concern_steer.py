"""What the initiator does to a concern under way (RULES 2, 3)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.concern import steer
from core.concern.inbound import Utterance, declined_contact, heard, late
from core.concern.matching import contacted
from core.concern.model import CommStatus, Priority, Status
from core.concern.timers import fire
from core.effects import Purpose
from core.facts import Trigger
from core.ids import ConversationId
from tests.unit.concern_desk import ALWAYS, LI, MONDAY, OWNER, WANG, ZHANG, Desk, people, says

H = timedelta(hours=1)
EVENING = MONDAY.replace(hour=20)
CHAT = ConversationId("telegram:1001")


def cancel(desk: Desk) -> None:
    desk.take(steer.cancel(desk.concern, desk.setting, CHAT, desk.directory[OWNER]))
    desk.settle()


def test_called_off_is_dropped_without_a_report_and_those_asked_are_told() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.advance(hours=1)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    cancel(desk)
    desk.advance(days=3)
    assert desk.concern.status is Status.DROPPED
    assert desk.texts(ZHANG, Purpose.SETTLED) == ["「v2.0 提测时间」这件事已经了结，不用再回复了，谢谢。"]
    assert not desk.to(LI, Purpose.SETTLED)
    assert not desk.to(OWNER, Purpose.REPORT_BACK)
    last = desk.to(OWNER)[-1]
    assert last.text == "好的，「v2.0 提测时间」不再跟了。已经问过的张三，我会说一声。"
    assert last.message.conversation == CHAT
    assert desk.decided == ["raised", "dropped"]


def test_called_off_before_anything_went_out_nobody_hears_of_it() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    cancel(desk)
    desk.advance(days=3)
    assert not desk.to(ZHANG)
    assert desk.texts(OWNER)[-1] == "好的，「v2.0 提测时间」不再跟了。"


def test_an_edit_before_anything_went_out_replaces_the_request() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    decision = steer.amend(
        desk.concern, "问张三 v3.0 什么时候提测", desk.setting, "f5", CHAT, edited=True, title="v3.0 提测时间"
    )
    desk.take(decision)
    desk.settle()
    assert desk.concern.source.detail == "问张三 v3.0 什么时候提测"
    assert desk.texts(OWNER)[-1].startswith("好的，按改过的来。")
    desk.advance(hours=14)
    assert len(desk.to(ZHANG)) == 1
    assert "v3.0 提测时间" in desk.texts(ZHANG)[0]


def test_an_edit_after_it_went_out_is_a_correction_to_those_already_asked() -> None:
    desk = Desk(directory=people(lisi={"working_hours": "14:00-18:00"})).raise_for(ZHANG, LI)
    desk.take(steer.amend(desk.concern, "是 v3.0，不是 v2.0", desk.setting, "f5", CHAT, edited=True))
    desk.settle()
    assert desk.texts(ZHANG, Purpose.CORRECTION) == ["关于「v2.0 提测时间」，老板补充一句：是 v3.0，不是 v2.0"]
    assert not desk.to(LI)
    desk.advance(hours=5)
    assert not desk.to(LI, Purpose.CORRECTION)
    assert len(desk.to(LI, Purpose.FIRST_CONTACT)) == 1


def test_what_was_asked_first_is_not_forgotten_over_a_correction() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.take(steer.amend(desk.concern, "是 v3.0", desk.setting, "f5", CHAT, edited=True))
    assert desk.concern.source.detail == "帮我问一下，v2.0 什么时候能提测\n是 v3.0"


def test_who_has_answered_is_asked_anew_by_a_correction() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.take(steer.amend(desk.concern, "还要报预算", desk.setting, "f5", CHAT))
    desk.settle()
    assert desk.comm(LI) is CommStatus.WAITING_REPLY
    assert desk.texts(LI, Purpose.CORRECTION)
    desk.advance(hours=1)
    assert not any("李四说" in text for text in desk.texts(OWNER))
    assert desk.concern.goal.endswith("；还要报预算")


def test_an_addition_that_nobody_can_be_told_yet_names_nobody() -> None:
    desk = Desk(directory=people(lisi={"working_hours": "14:00-18:00"})).raise_for(ZHANG)
    desk.take(steer.swap(desk.concern, ZHANG, desk.directory[LI], desk.setting, "f5", CHAT))
    desk.take(steer.amend(desk.concern, "还要报预算", desk.setting, "f6", CHAT))
    desk.settle()
    assert desk.texts(OWNER)[-1].startswith("好的，按改过的来。")
    assert not any("补充给" in text for text in desk.texts(OWNER))


def test_letting_go_of_everybody_who_was_asked_calls_it_off() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.take(steer.release(desk.concern, [ZHANG, LI], desk.setting, CHAT, desk.directory[OWNER], "f5"))
    desk.settle()
    assert desk.concern.status is Status.DROPPED
    assert desk.texts(OWNER)[-1] == "好的，「v2.0 提测时间」不再跟了。已经问过的张三和李四，我会说一声。"
    assert len(desk.to(ZHANG, Purpose.SETTLED)) == len(desk.to(LI, Purpose.SETTLED)) == 1


def test_taken_back_before_anything_went_out_it_is_off() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    desk.take(steer.recalled(desk.concern, desk.setting, CHAT, desk.directory[OWNER]))
    desk.advance(days=1)
    assert desk.concern.status is Status.DROPPED
    assert not desk.to(ZHANG)


def test_a_paused_concern_sends_nothing_and_is_not_due() -> None:
    desk = Desk().raise_for(ZHANG, deadline=MONDAY + 6 * H)
    desk.take(steer.pause(desk.concern, None, desk.setting))
    assert (desk.concern.timeout_at, desk.concern.due_at) == (None, None)
    desk.advance(days=4)
    assert len(desk.to(ZHANG)) == 1
    desk.take(steer.resume(desk.concern, desk.setting, desk.cause()))
    desk.settle()
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 1


def test_a_pause_with_an_end_goes_on_by_itself() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    until = MONDAY + timedelta(days=2)
    desk.take(steer.pause(desk.concern, until, desk.setting))
    assert not desk.jobs
    desk.advance(days=4)
    assert [s.at for s in desk.to(ZHANG, Purpose.FIRST_CONTACT)] == [until]
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 3


def test_a_pause_that_ended_unnoticed_is_taken_up_at_once() -> None:
    desk = Desk(directory=people(lisi={"working_hours": "14:00-18:00"})).raise_for(ZHANG, LI)
    desk.take(steer.pause(desk.concern, MONDAY + 5 * H, desk.setting))
    desk.now = MONDAY + 5 * H
    concern = heard(desk.concern, Utterance(ZHANG, "嗯", "feishu", "m9", desk.now), desk.setting, "f9").concern
    assert concern.due_at == MONDAY + 5 * H
    desk.take(fire(concern, Trigger.DUE, desk.setting, "f8").decision)
    desk.settle()
    assert [s.at for s in desk.to(LI, Purpose.FIRST_CONTACT)] == [MONDAY + 5 * H]
    assert desk.concern.paused_until is None


def test_a_reply_during_a_pause_still_counts() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.take(steer.pause(desk.concern, None, desk.setting))
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED


def test_a_higher_priority_lets_a_waiting_first_contact_go() -> None:
    desk = Desk(now=EVENING).raise_for(ZHANG)
    desk.take(steer.set_priority(desk.concern, Priority.HIGH, desk.setting))
    desk.settle()
    assert [s.at for s in desk.to(ZHANG)] == [EVENING]
    assert desk.concern.timeout_at == EVENING.replace(hour=8) + timedelta(days=1)


def test_a_nudge_is_the_initiator_s_word_and_is_not_counted() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.advance(hours=1)
    desk.take(steer.nudge(desk.concern, desk.setting, desk.cause()))
    desk.settle()
    assert desk.texts(ZHANG, Purpose.ANSWER) == ["老板想尽快知道「v2.0 提测时间」的进展，现在方便回一句吗？"]
    assert desk.concern.state_of(ZHANG).follow_ups == 0
    assert desk.concern.timeout_at == MONDAY + 5 * H
    assert len(desk.to(LI)) == 1


def test_a_closed_concern_is_left_alone_by_all_of_it() -> None:
    desk = Desk().raise_for(ZHANG)
    cancel(desk)
    concern, here, owner = desk.concern, desk.setting, desk.directory[OWNER]
    for decision in (
        steer.cancel(concern, here, CHAT, owner),
        steer.decide(concern, "行", here, "f"),
        steer.choose(concern, "drop", here, "f", CHAT),
        steer.amend(concern, "还有", here, "f", CHAT),
        steer.recalled(concern, here, CHAT, owner),
        steer.pause(concern, None, here),
        steer.resume(concern, here, "f"),
        steer.set_priority(concern, Priority.LOW, here),
        steer.nudge(concern, here, "f"),
        steer.reassign(concern, ZHANG, desk.directory[LI], here, "f"),
        steer.swap_wanted(concern, here, CHAT, "f"),
        declined_contact(concern, ZHANG, here),
    ):
        assert decision.concern is concern
        assert not decision.effects


# --- what delegates do to it


def test_no_more_messages_are_sent_to_whoever_wants_none() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.take(declined_contact(desk.concern, ZHANG, desk.setting))
    desk.settle()
    assert desk.comm(ZHANG) is CommStatus.DECLINED
    assert desk.texts(OWNER)[-1].startswith("张三不想再收到消息，我没有再联系。")
    desk.advance(days=5)
    assert len(desk.to(ZHANG)) == 1
    assert desk.to(LI, Purpose.FOLLOW_UP)


def test_who_wants_none_may_answer_all_the_same() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.take(declined_contact(desk.concern, ZHANG, desk.setting))
    desk.reply(ZHANG, "再说吧", says(attitudes={ZHANG: "vague"}, messages=[{"to": ZHANG, "text": "哪天？"}]))
    assert desk.comm(ZHANG) is CommStatus.DECLINED
    assert len(desk.to(ZHANG)) == 1
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.comm(ZHANG) is CommStatus.DONE


def test_when_the_last_one_wants_none_it_ends_with_what_was_obtained() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.take(declined_contact(desk.concern, ZHANG, desk.setting))
    desk.settle()
    assert desk.concern.status is Status.DROPPED
    assert "张三不想再收到消息" in desk.texts(OWNER)[-1]
    assert "目前得到的：李四：周四（3月19日）" in desk.texts(OWNER)[-1]


def test_a_late_reply_is_kept_and_told_in_a_line() -> None:
    desk = Desk().raise_for(ZHANG)
    cancel(desk)
    desk.advance(hours=1)
    desk.take(late(desk.concern, Utterance(ZHANG, "其实周四\n就能提测", "feishu", "in9", desk.now), desk.setting, "f9"))
    desk.settle()
    assert desk.concern.status is Status.DROPPED
    assert desk.texts(OWNER, Purpose.NOTICE) == ["「v2.0 提测时间」已经结束了，张三又回了一句：其实周四 就能提测"]
    assert desk.concern.conversation_log[-1].message_id == "in9"
    assert desk.concern.timeline[-1].type == "late_reply"


def test_a_message_may_be_about_any_open_matter_in_which_they_were_written_to() -> None:
    asked = Desk().raise_for(ZHANG).concern
    not_yet = Desk(now=EVENING).raise_for(ZHANG).concern
    others = Desk().raise_for(LI).concern
    over = Desk().raise_for(ZHANG)
    cancel(over)
    assert contacted((asked, not_yet, others, over.concern), ZHANG) == (asked,)


@pytest.mark.parametrize("old", [None, ZHANG])
def test_another_person_takes_over(old: str | None) -> None:
    desk = Desk(directory=people(wangwu=ALWAYS)).raise_for(ZHANG)
    desk.take(steer.reassign(desk.concern, old, desk.directory[WANG], desk.setting, desk.cause()))  # type: ignore[arg-type]
    desk.settle()
    assert desk.comm(ZHANG) is CommStatus.NOT_NEEDED
    assert desk.comm(WANG) is CommStatus.WAITING_REPLY
    desk.reply(WANG, "周四", says(goal_met=True, attitudes={WANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED
    assert "王五：周四" in desk.texts(OWNER, Purpose.REPORT_BACK)[0]


def test_with_one_out_and_the_rest_answered_it_is_resolved() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, summary="李四周四", attitudes={LI: "answered"}))
    desk.take(steer.reassign(desk.concern, ZHANG, desk.directory[LI], desk.setting, desk.cause()))
    desk.settle()
    assert desk.concern.status is Status.RESOLVED
    assert desk.texts(OWNER, Purpose.REPORT_BACK)
