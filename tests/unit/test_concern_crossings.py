"""Turns that meet: pauses, points of several delegates, messages on their way, words that come late or out of order."""

from __future__ import annotations

from datetime import timedelta

from core.concern import inbound, opening, steer
from core.concern.holding import hold_until
from core.concern.inbound import Utterance, heard
from core.concern.model import CommStatus, Status
from core.concern.outbound import delivered, still_wanted
from core.concern.planning import FOREVER
from core.effects import Hasten, Outgoing, Purpose, Report, Send, Words
from core.facts import Trigger
from core.hub.views import assess_view
from core.ids import ConversationId, PersonId
from tests.unit.concern_desk import ALWAYS, LI, MONDAY, OWNER, WANG, ZHANG, Desk, people, proposal, says

H = timedelta(hours=1)
CHAT = ConversationId("telegram:1001")


def asked(*delegates: PersonId) -> Desk:
    desk = Desk(directory=people(zhangsan=ALWAYS, lisi=ALWAYS)).raise_for(*delegates)
    desk.advance(hours=1)
    return desk


def question(desk: Desk, who: PersonId, text: str) -> None:
    desk.reply(who, text, says(attitudes={who: "question"}))


def chase() -> Outgoing:
    return Outgoing(purpose=Purpose.FOLLOW_UP, to=ZHANG, words=Words(text="?"), follow_up_number=1)


# --- points of several ------------------------------------------------------------------------------------------------


def test_an_answer_reaches_the_one_who_asked_though_the_next_point_waits_by_then() -> None:
    desk = asked(ZHANG, LI)
    question(desk, ZHANG, "要哪个版本？")
    question(desk, LI, "预算多少？")
    desk.take(steer.decide(desk.concern, "中文版", desk.setting, desk.cause()))
    desk.settle()
    assert ["中文版" in text for text in desk.texts(ZHANG, Purpose.ANSWER)] == [True]
    assert not desk.texts(LI, Purpose.ANSWER)


def test_a_question_that_the_matter_answers_is_answered_though_a_point_about_another_waits() -> None:
    desk = asked(ZHANG, LI)
    question(desk, ZHANG, "要哪个版本？")
    desk.reply(LI, "几点？", says(attitudes={LI: "question"}, messages=[{"to": LI, "text": "三点"}]))
    assert desk.texts(LI, Purpose.ANSWER) == ["三点"]


def test_whom_to_ask_in_place_of_one_who_is_away_is_asked_about_that_one() -> None:
    desk = asked(ZHANG, LI)
    desk.reply(ZHANG, "我休假到下周三", says(attitudes={ZHANG: "away"}))
    question(desk, LI, "预算多少？")
    desk.take(steer.swap_wanted(desk.concern, desk.setting, CHAT, "f20"))
    desk.take(steer.decide(desk.concern, "王五", desk.setting, "f21", CHAT))
    desk.settle()
    assert desk.comm(ZHANG) is CommStatus.NOT_NEEDED
    assert desk.comm(LI).is_owing
    assert desk.concern.decision is not None
    assert desk.concern.decision.about == LI, "the other point has its turn again"


# --- a pause ----------------------------------------------------------------------------------------------------------


def test_a_correction_waits_for_the_end_of_a_pause_and_leaves_then() -> None:
    desk = asked(ZHANG)
    desk.take(steer.pause(desk.concern, None, desk.setting))
    desk.take(steer.amend(desk.concern, "要中文版", desk.setting, desk.cause(), CHAT))
    (waits,) = [j.message for j in desk.jobs.values() if isinstance(j, Send) and j.message.to == ZHANG]
    assert waits.purpose is Purpose.CORRECTION
    assert still_wanted(desk.concern, waits, desk.setting) is None
    assert hold_until(desk.concern, waits, (), desk.setting) == FOREVER
    resumed = steer.resume(desk.concern, desk.setting, "r")
    assert Hasten(concern_id=desk.concern.concern_id, due=desk.now) in resumed.effects
    assert hold_until(resumed.concern, waits, (), desk.setting) is None


def test_a_decision_made_in_a_pause_is_passed_on_when_it_ends() -> None:
    desk = asked(ZHANG)
    question(desk, ZHANG, "要哪个版本？")
    desk.take(steer.pause(desk.concern, desk.now + H, desk.setting))
    desk.take(steer.decide(desk.concern, "中文版", desk.setting, desk.cause()))
    (work,) = [j for j in desk.jobs.values() if not isinstance(j, Send)]
    desk.jobs.clear()
    desk._run(work)
    (waits,) = [j.message for j in desk.jobs.values() if isinstance(j, Send) and j.message.to == ZHANG]
    assert waits.purpose is Purpose.ANSWER
    assert hold_until(desk.concern, waits, (), desk.setting) == desk.now + H


def test_a_chase_that_a_pause_called_off_is_not_wanted_after_it() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS)).raise_for(ZHANG)
    desk.now = MONDAY + 4 * H
    desk.fire_only()
    assert still_wanted(desk.concern, chase(), desk.setting) is None
    desk.take(steer.pause(desk.concern, None, desk.setting))
    desk.take(steer.resume(desk.concern, desk.setting, "r"))
    assert still_wanted(desk.concern, chase(), desk.setting) is not None


# --- late and out of order --------------------------------------------------------------------------------------------


def test_a_word_said_before_the_timer_that_comes_after_it_takes_the_chase_back() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS)).raise_for(ZHANG)
    desk.now = MONDAY + 4 * H
    desk.fire_only()
    late = heard(desk.concern, Utterance(ZHANG, "嗯", "feishu", "m", desk.now - H), desk.setting, "f5").concern
    assert still_wanted(late, chase(), desk.setting) is not None


def test_a_message_that_comes_after_a_later_one_is_read_all_the_same() -> None:
    desk = asked(ZHANG)
    desk.reply(ZHANG, "嗯", says(attitudes={ZHANG: "vague"}))
    before = desk.now - timedelta(minutes=1)
    late = heard(desk.concern, Utterance(ZHANG, "周四能提测", "telegram", "mx", before), desk.setting, "f9").concern
    view = assess_view(late, ZHANG, Trigger.REPLY, desk.directory, desk.now, persona="清海")
    assert view.new == ("周四能提测", "嗯")


def test_an_answer_taken_back_after_the_report_back_is_told_and_changes_nothing_else() -> None:
    desk = asked(ZHANG)
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    closed = desk.concern
    said = next(e.message_id for e in closed.conversation_log if e.direction == "inbound")
    decision = inbound.recalled(closed, ZHANG, said or "", desk.setting, "f9")
    (told,) = [e.message for e in decision.effects if isinstance(e, Send)]
    assert (told.to, told.purpose) == (OWNER, Purpose.NOTICE)
    assert decision.concern.status is Status.RESOLVED
    assert decision.concern.people == closed.people
    assert decision.concern.delegation == closed.delegation


# --- on its way when things change ------------------------------------------------------------------------------------


def first_contact(desk: Desk) -> Outgoing:
    return Outgoing(purpose=Purpose.FIRST_CONTACT, to=ZHANG, words=Words(text="?"), concern_id=desk.concern.concern_id)


def test_who_reads_the_first_contact_of_a_matter_just_called_off_is_told_so() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS))
    desk.take(opening.open_concern(proposal(desk.directory[ZHANG]), desk.setting))
    desk.take(steer.cancel(desk.concern, desk.setting, CHAT, desk.directory[OWNER]))
    desk.take(delivered(desk.concern, first_contact(desk), "?", "feishu", "m", desk.setting))
    desk.settle()
    assert len(desk.to(ZHANG, Purpose.SETTLED)) == 1


def test_who_is_let_go_while_their_first_contact_is_on_its_way_is_told_so() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS, lisi=ALWAYS))
    desk.take(opening.open_concern(proposal(desk.directory[ZHANG], desk.directory[LI]), desk.setting))
    desk.take(steer.release(desk.concern, [ZHANG], desk.setting, CHAT, desk.directory[OWNER], desk.cause()))
    desk.take(delivered(desk.concern, first_contact(desk), "?", "feishu", "m", desk.setting))
    desk.settle()
    assert len(desk.to(ZHANG, Purpose.SETTLED)) == 1
    assert desk.comm(ZHANG) is CommStatus.NOT_NEEDED


def test_who_was_let_go_and_cannot_be_told_so_is_not_missed() -> None:
    desk = asked(ZHANG, LI)
    desk.fails_for.add(LI)
    desk.take(steer.release(desk.concern, [LI], desk.setting, CHAT, desk.directory[OWNER], desk.cause()))
    desk.settle()
    assert desk.comm(LI) is CommStatus.NOT_NEEDED
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED


# --- who is asked -----------------------------------------------------------------------------------------------------


def test_who_was_let_go_unasked_can_be_named_again() -> None:
    directory = people(zhangsan=ALWAYS, lisi={"working_hours": "11:00-12:00"})
    desk = Desk(directory=directory).raise_for(ZHANG, LI)
    desk.take(steer.release(desk.concern, [LI], desk.setting, CHAT, desk.directory[OWNER], desk.cause()))
    desk.reply(ZHANG, "这事不归我", says(attitudes={ZHANG: "refused"}))
    desk.take(steer.decide(desk.concern, "问李四吧", desk.setting, desk.cause(), CHAT))
    desk.advance(hours=3)
    assert len(desk.to(LI, Purpose.FIRST_CONTACT)) == 1


def test_now_is_said_of_those_who_waited_and_of_nobody_who_joins_later() -> None:
    desk = Desk(now=MONDAY.replace(hour=20), directory=people(wangwu={"working_hours": "09:00-12:00"}))
    desk.raise_for(ZHANG)
    desk.take(opening.send_now(desk.concern, desk.setting))
    desk.settle()
    assert desk.to(ZHANG, Purpose.FIRST_CONTACT)
    desk.now = MONDAY + timedelta(days=1, hours=5)
    desk.reply(ZHANG, "这事不归我", says(attitudes={ZHANG: "refused"}))
    desk.take(steer.decide(desk.concern, "问王五吧", desk.setting, "f30", CHAT))
    desk.settle()
    assert not desk.to(WANG, Purpose.FIRST_CONTACT)


def test_a_matter_without_anybody_to_ask_does_not_stay_open() -> None:
    desk = Desk()
    desk.take(opening.open_concern(proposal(desk.directory[OWNER]), desk.setting))
    assert desk.concern.status is Status.DROPPED


def test_reports_to_one_reader_say_who_it_is() -> None:
    desk = Desk().raise_for(ZHANG)
    stopped = inbound.declined_contact(desk.concern, ZHANG, desk.setting)
    assert {e.to for e in stopped.effects if isinstance(e, Report)} == {OWNER}
