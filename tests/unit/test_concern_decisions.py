"""Points that wait for the initiator (RULES 4)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.concern import steer
from core.concern.assess import assessed
from core.concern.inbound import Utterance, heard
from core.concern.model import CommStatus, Priority, Status
from core.concern.outbound import still_wanted
from core.effects import Outgoing, Purpose, Words
from core.facts import Trigger
from tests.unit.concern_desk import ALWAYS, LI, MONDAY, OWNER, WANG, ZHANG, Desk, people, says

H = timedelta(hours=1)
QUESTION = "先用 mock 行不行？"


def waiting(*others: str, **more: object) -> Desk:
    """张三 has asked something that only the initiator can answer."""
    desk = Desk(directory=people(zhangsan=ALWAYS, lisi=ALWAYS)).raise_for(ZHANG, *others, **more)  # type: ignore[arg-type]
    desk.reply(ZHANG, QUESTION, says(attitudes={ZHANG: "question"}, needs_decision=True))
    return desk


def asked(desk: Desk) -> list[str]:
    return [s.at.strftime("%d %H:%M") for s in desk.to(OWNER, Purpose.REPORT) if s.message.decision_id]


def test_it_is_asked_at_once_again_after_four_hours_then_in_the_morning_and_then_it_rests() -> None:
    desk = waiting()
    desk.advance(days=7)
    assert asked(desk) == ["16 10:00", "16 14:00", "17 09:00"]
    assert desk.concern.status.is_open
    assert desk.concern.next_action is not None
    assert desk.concern.next_action.what.startswith("等待老板决定")
    assert desk.concern.next_action.who_person_id == OWNER
    assert desk.texts(OWNER)[-1].startswith("还在等你决定：")


def test_raised_in_the_evening_it_is_asked_in_the_morning_and_four_working_hours_later() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS), now=MONDAY.replace(hour=20)).raise_for(ZHANG)
    desk.reply(ZHANG, QUESTION, says(attitudes={ZHANG: "question"}, needs_decision=True))
    desk.advance(days=7)
    assert asked(desk) == ["17 09:00", "17 13:00", "18 09:00"]


def test_a_critical_one_is_asked_again_at_any_hour() -> None:
    desk = Desk(now=MONDAY.replace(hour=22)).raise_for(ZHANG, priority=Priority.CRITICAL)
    desk.reply(ZHANG, QUESTION, says(attitudes={ZHANG: "question"}, needs_decision=True))
    desk.advance(days=2)
    assert asked(desk) == ["16 22:00", "17 02:00", "17 09:00"]


def test_while_it_waits_nobody_is_chased() -> None:
    desk = waiting(LI, deadline=MONDAY + 30 * H)
    desk.advance(days=4)
    assert len(desk.to(ZHANG)) == 1
    assert len(desk.to(LI)) == 1
    assert not desk.concern.state_of(LI).deadline_checked
    assert any("到截止时间了" in text for text in desk.texts(OWNER))


def test_a_follow_up_on_its_way_is_taken_back() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS, lisi=ALWAYS)).raise_for(ZHANG, LI)
    desk.now = MONDAY + 4 * H
    desk.fire_only()
    queued = Outgoing(purpose=Purpose.FOLLOW_UP, to=LI, words=Words(text="?"), follow_up_number=1)
    assert still_wanted(desk.concern, queued, desk.setting) is None
    concern = heard(desk.concern, Utterance(ZHANG, QUESTION, "feishu", "m", desk.now), desk.setting, "f7").concern
    desk.take(assessed(concern, Trigger.REPLY, ZHANG, says(attitudes={ZHANG: "question"}), desk.setting, "f7"))
    assert not any(key.startswith("follow_up:") for key in desk.jobs)
    assert still_wanted(desk.concern, queued, desk.setting) is not None


def test_the_answer_goes_on_to_the_delegate_and_the_initiator_hears_that_it_does() -> None:
    desk = waiting()
    desk.advance(hours=1)
    desk.take(steer.decide(desk.concern, "可以，先用 mock", desk.setting, desk.cause()))
    desk.settle()
    assert desk.texts(ZHANG, Purpose.ANSWER) == ["老板的意思是：可以，先用 mock"]
    assert desk.texts(OWNER)[-1] == "好的，我转告张三。"
    assert desk.concern.source.detail.split("\n")[-1] == "可以，先用 mock"
    assert desk.concern.decision is None
    assert desk.concern.status is Status.WAITING_REPLY
    assert desk.concern.timeout_at == MONDAY + 5 * H


def test_the_answer_is_passed_on_at_night_too_but_only_once() -> None:
    desk = waiting()
    desk.now = MONDAY.replace(hour=23)
    decision = steer.decide(desk.concern, "可以", desk.setting, "f77")
    desk.take(decision)
    desk.take(decision)
    desk.settle()
    assert len(desk.to(ZHANG, Purpose.ANSWER)) == 1


def test_a_brain_that_wants_to_wait_passes_nothing_on() -> None:
    desk = waiting()
    desk.brain = lambda c, t, who: says(next_action={"what": "等下周", "when": MONDAY + 50 * H})
    desk.take(steer.decide(desk.concern, "下周再说", desk.setting, desk.cause()))
    desk.settle()
    assert not desk.to(ZHANG, Purpose.ANSWER)
    assert desk.concern.timeout_at == MONDAY + 50 * H


def test_a_decision_may_settle_one_part_of_several() -> None:
    desk = waiting(LI)
    desk.brain = lambda c, t, who: says(goal_met=True, key_information="周五，先用 mock", attitudes={who: "answered"})
    desk.advance(hours=1)
    desk.take(steer.decide(desk.concern, "可以", desk.setting, desk.cause()))
    desk.advance(minutes=31)
    assert desk.comm(ZHANG) is CommStatus.DONE
    assert len(desk.to(ZHANG, Purpose.ANSWER)) == 1
    assert desk.texts(OWNER)[-2:] == [
        "好的，我转告张三。",
        "张三说周五（3月20日），先用 mock。李四还没回复，我再跟一下。",
    ]


def test_with_nothing_waiting_there_is_nothing_to_decide() -> None:
    desk = Desk().raise_for(ZHANG)
    decision = steer.decide(desk.concern, "行", desk.setting, "f1")
    assert decision.concern is desk.concern
    assert not decision.effects


def test_a_newer_point_about_the_same_delegate_takes_the_place_of_the_older() -> None:
    desk = waiting()
    first = desk.concern.decision
    desk.reply(ZHANG, "还有，要哪个版本？", says(attitudes={ZHANG: "question"}))
    second = desk.concern.decision
    assert first is not None
    assert second is not None
    assert first.decision_id != second.decision_id
    assert not desk.concern.later_points


def test_a_point_about_somebody_else_is_told_and_asked_in_its_turn() -> None:
    desk = waiting(LI)
    desk.advance(hours=1)
    desk.reply(LI, "预算多少？", says(attitudes={LI: "question"}))
    assert desk.concern.decision is not None
    assert desk.concern.decision.about == ZHANG
    assert "预算多少" in desk.texts(OWNER)[-1]
    desk.take(steer.decide(desk.concern, "可以", desk.setting, desk.cause()))
    desk.settle()
    assert desk.concern.decision is not None
    assert desk.concern.decision.about == LI
    desk.take(steer.decide(desk.concern, "五万", desk.setting, desk.cause()))
    desk.settle()
    assert desk.concern.decision is None
    assert "五万" in desk.texts(LI, Purpose.ANSWER)[0]
    assert "五万" not in "".join(desk.texts(ZHANG))


def test_the_brain_s_question_is_shown_as_it_is() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.reply(
        ZHANG, "…", says(attitudes={ZHANG: "vague"}, needs_decision=True, owner_update="需要你决定：等还是不等？")
    )
    assert desk.texts(OWNER)[-1] == "需要你决定：等还是不等？"
    assert desk.concern.decision is not None
    assert desk.concern.decision.kind == "open"


# --- ready answers


def refused() -> Desk:
    desk = Desk().raise_for(ZHANG)
    desk.reply(ZHANG, "找李四", says(attitudes={ZHANG: {"attitude": "refused", "names_other": "李四"}}))
    return desk


def test_ask_asks_the_one_who_was_pointed_to() -> None:
    desk = refused()
    desk.take(steer.choose(desk.concern, "ask", desk.setting, desk.cause(), None))
    desk.settle()
    assert desk.texts(LI, Purpose.FIRST_CONTACT)
    assert desk.comm(ZHANG) is CommStatus.NOT_NEEDED
    # He said himself that it is not his.
    assert not desk.texts(ZHANG, Purpose.SETTLED)


@pytest.mark.parametrize("how", ["button", "words"])
def test_drop_calls_it_off(how: str) -> None:
    desk = refused()
    if how == "button":
        desk.take(steer.choose(desk.concern, "drop", desk.setting, desk.cause(), None))
    else:
        desk.take(steer.decide(desk.concern, "算了，不问了", desk.setting, desk.cause()))
    desk.settle()
    assert desk.concern.status is Status.DROPPED
    assert not desk.to(OWNER, Purpose.REPORT_BACK)


def test_another_name_is_asked_instead() -> None:
    desk = refused()
    desk.take(steer.decide(desk.concern, "不，问王五", desk.setting, desk.cause()))
    desk.settle()
    assert desk.texts(WANG, Purpose.FIRST_CONTACT)
    assert not desk.to(LI)


def test_a_word_to_the_one_who_refused_is_passed_on() -> None:
    desk = refused()
    desk.take(steer.decide(desk.concern, "这次还是你来定", desk.setting, desk.cause()))
    desk.settle()
    assert "这次还是你来定" in desk.texts(ZHANG, Purpose.ANSWER)[0]


def test_someone_who_is_asked_already_is_not_asked_twice() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(ZHANG, "找李四", says(attitudes={ZHANG: {"attitude": "refused", "names_other": "李四"}}))
    desk.take(steer.choose(desk.concern, "ask", desk.setting, desk.cause(), None))
    desk.settle()
    assert len(desk.to(LI, Purpose.FIRST_CONTACT)) == 1
    assert desk.comm(ZHANG) is CommStatus.NOT_NEEDED
    assert desk.concern.status is Status.WAITING_REPLY


@pytest.mark.parametrize(("choice", "status"), [("keep", Status.WAITING_REPLY), ("drop", Status.DROPPED)])
def test_a_request_taken_back_after_it_went_out_is_asked_about(choice: str, status: Status) -> None:
    desk = Desk().raise_for(ZHANG)
    desk.take(steer.recalled(desk.concern, desk.setting, None, desk.directory[OWNER]))
    desk.settle()
    told = desk.to(OWNER)[-1]
    assert "可是已经问出去了" in told.text
    assert [b.data.split(":")[-1] for row in told.message.buttons for b in row] == ["keep", "drop"]
    assert all(len(b.data.encode()) <= 64 for row in told.message.buttons for b in row)
    desk.take(steer.choose(desk.concern, choice, desk.setting, desk.cause(), None))  # type: ignore[arg-type]
    desk.settle()
    assert desk.concern.status is status
    assert desk.concern.decision is None
