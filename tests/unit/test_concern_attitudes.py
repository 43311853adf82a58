"""What a delegate's words lead to: the table of attitudes and the table of goals (RULES 4)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from core.brain.questions import Assessment
from core.concern import inbound, steer
from core.concern.assess import assessed
from core.concern.model import Attitude, CommStatus, Priority, Status
from core.effects import Purpose
from core.facts import Event, Trigger
from core.people import Person
from tests.unit.concern_desk import LI, MONDAY, OWNER, WANG, ZHANG, Desk, chases, people, says

H = timedelta(hours=1)
TUESDAY = MONDAY + timedelta(days=1)


def asked(**more: object) -> Desk:
    return Desk().raise_for(ZHANG, **more)


def at(day: datetime, hour: int, minute: int = 0) -> datetime:
    return day.replace(hour=hour, minute=minute)


# --- the table of attitudes


def test_commitment_waits_for_the_promised_time() -> None:
    desk = asked()
    promise = {"attitude": "commitment", "promised_time": at(TUESDAY, 15)}
    desk.reply(ZHANG, "明天下午三点给你", says(attitudes={ZHANG: promise}))
    assert desk.concern.due_at == at(TUESDAY, 15)
    assert desk.concern.timeout_at is None
    desk.advance(hours=28.9)
    assert not desk.to(ZHANG, Purpose.FOLLOW_UP)
    desk.advance(hours=0.2)
    assert [s.at for s in desk.to(ZHANG, Purpose.FOLLOW_UP)] == [at(TUESDAY, 15)]


def test_a_promise_that_the_brain_gave_no_time_for_is_read_from_the_words() -> None:
    desk = asked()
    desk.reply(ZHANG, "好的，明天给你", says(attitudes={ZHANG: "commitment"}))
    # A promised day is its 18:00; that is closed, so the next opening.
    assert desk.concern.state_of(ZHANG).not_before == at(TUESDAY, 18)
    assert desk.concern.due_at == at(TUESDAY + timedelta(days=1), 9)


def test_a_promised_day_ends_with_the_person_s_work() -> None:
    desk = Desk(directory=people(zhangsan={"working_hours": "08:00-16:30"})).raise_for(ZHANG)
    midnight = at(TUESDAY, 0)
    desk.reply(ZHANG, "明天给", says(attitudes={ZHANG: {"attitude": "commitment", "promised_time": midnight}}))
    assert desk.concern.state_of(ZHANG).not_before == at(TUESDAY, 16, 30)


def test_a_promised_time_in_the_past_is_none() -> None:
    desk = asked()
    promise = {"attitude": "commitment", "promised_time": MONDAY - H}
    desk.reply(ZHANG, "九点给", says(attitudes={ZHANG: promise}))
    assert desk.concern.state_of(ZHANG).not_before is None
    assert desk.concern.timeout_at == MONDAY + 4 * H


def test_a_promised_time_that_goes_against_the_words_is_read_from_them() -> None:
    desk = asked()
    promise = {"attitude": "commitment", "promised_time": at(TUESDAY, 15)}
    desk.reply(ZHANG, "后天下午三点给你", says(attitudes={ZHANG: promise}))
    assert desk.concern.state_of(ZHANG).not_before == at(TUESDAY + timedelta(days=1), 15)


def test_a_time_without_an_offset_is_the_person_s_own_clock() -> None:
    desk = asked()
    promise = {"attitude": "commitment", "promised_time": "2026-03-17T15:00:00"}
    desk.reply(ZHANG, "明天三点", says(attitudes={ZHANG: promise}, next_action={"when": "2026-03-17T16:00:00"}))
    assert desk.concern.state_of(ZHANG).not_before == at(TUESDAY, 16)


def test_an_answer_after_the_promise_counts_from_itself() -> None:
    desk = asked()
    desk.reply(
        ZHANG, "下午两点给", says(attitudes={ZHANG: {"attitude": "commitment", "promised_time": at(MONDAY, 14)}})
    )
    desk.advance(hours=5)
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 1
    desk.reply(ZHANG, "再等等", says(attitudes={ZHANG: "vague"}))
    assert desk.concern.due_at is None
    # Eight hours after 15:00 it is night: the next morning.
    assert desk.concern.timeout_at == at(TUESDAY, 9)


@pytest.mark.parametrize("attitude", ["vague", "unrelated"])
def test_vague_words_and_others_keep_the_normal_interval(attitude: str) -> None:
    desk = asked()
    desk.advance(hours=1)
    desk.reply(ZHANG, "嗯", says(attitudes={ZHANG: attitude}))
    assert desk.concern.timeout_at == MONDAY + 5 * H
    assert len(desk.to(ZHANG)) == 1


def test_resistance_doubles_the_interval_and_softens_the_tone() -> None:
    desk = asked()
    desk.reply(
        ZHANG, "别催了，在做了", says(attitudes={ZHANG: "resistant"}, messages=[{"to": ZHANG, "text": "好的好的"}])
    )
    assert len(desk.to(ZHANG)) == 1
    # 8 hours after 10:00 is 18:00, closed.
    assert desk.concern.timeout_at == at(TUESDAY, 9)
    desk.advance(days=1)
    assert "不催你" in desk.texts(ZHANG, Purpose.FOLLOW_UP)[0]


def test_a_promise_ends_the_doubling() -> None:
    desk = asked()
    desk.reply(ZHANG, "别催", says(attitudes={ZHANG: "resistant"}))
    desk.reply(ZHANG, "嗯", says(attitudes={ZHANG: "vague"}))
    assert desk.concern.state_of(ZHANG).doubled
    desk.reply(ZHANG, "好，明天", says(attitudes={ZHANG: "commitment"}))
    assert not desk.concern.state_of(ZHANG).doubled


def test_silence_keeps_the_normal_interval() -> None:
    desk = asked()
    desk.advance(hours=4)
    assert desk.concern.state_of(ZHANG).attitude is Attitude.SILENT
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 1


def test_refusal_asks_the_initiator_and_contacts_nobody_new() -> None:
    desk = asked()
    desk.reply(ZHANG, "这事不归我，找李四", says(attitudes={ZHANG: {"attitude": "refused", "names_other": "李四"}}))
    assert not desk.to(LI)
    assert desk.concern.decision is not None
    assert (desk.concern.decision.kind, desk.concern.decision.suggested) == ("refused", LI)
    asked_for = desk.to(OWNER)[-1]
    assert "这事不归我" in asked_for.text
    assert "要我去问李四吗" in asked_for.text
    assert asked_for.message.decision_id == desk.concern.decision.decision_id
    assert [desk.render(b.label, OWNER) for row in asked_for.message.buttons for b in row] == ["问李四", "不问了"]


def test_the_name_that_nobody_or_more_than_one_has_is_no_suggestion() -> None:
    desk = Desk(directory=people(lisi={"aliases": ("老李",)}, wangwu={"aliases": ("老李",)})).raise_for(ZHANG)
    desk.reply(ZHANG, "找老李", says(attitudes={ZHANG: {"attitude": "refused", "names_other": "老李"}}))
    assert desk.concern.decision is not None
    assert desk.concern.decision.suggested is None
    assert "接下来问谁" in desk.texts(OWNER)[-1]


@pytest.mark.parametrize("words", ["好", "问他", "那就问李四吧"])
def test_the_initiator_s_yes_asks_the_other_one(words: str) -> None:
    desk = asked()
    desk.reply(ZHANG, "找李四", says(attitudes={ZHANG: {"attitude": "refused", "names_other": "李四"}}))
    desk.take(steer.decide(desk.concern, words, desk.setting, desk.cause()))
    desk.settle()
    assert desk.comm(ZHANG) is CommStatus.NOT_NEEDED
    assert desk.texts(LI, Purpose.FIRST_CONTACT)
    assert "李四" in desk.texts(OWNER, Purpose.REPLY)[-1]
    assert desk.concern.status is Status.WAITING_REPLY


def test_a_question_that_the_concern_answers_is_answered_at_once() -> None:
    desk = asked()
    desk.advance(minutes=5)
    desk.reply(ZHANG, "要哪个版本？", says(attitudes={ZHANG: "question"}, messages=[{"to": ZHANG, "text": "v2.0。"}]))
    assert desk.texts(ZHANG, Purpose.ANSWER) == ["v2.0。"]
    assert desk.concern.decision is None
    assert desk.concern.timeout_at == desk.now + 4 * H


def test_a_question_that_it_does_not_answer_is_asked_of_the_initiator() -> None:
    desk = asked()
    desk.reply(ZHANG, "要哪个版本？", says(attitudes={ZHANG: "question"}))
    assert len(desk.to(ZHANG)) == 1
    assert desk.concern.decision is not None
    assert desk.concern.decision.kind == "question"
    assert "张三问：要哪个版本？" in desk.texts(OWNER)[-1]
    desk.take(steer.decide(desk.concern, "2.1 的", desk.setting, desk.cause()))
    desk.settle()
    assert desk.texts(ZHANG, Purpose.ANSWER) == ["老板的意思是：2.1 的"]
    assert desk.texts(OWNER)[-1] == "好的，我转告张三。"


def test_an_absence_is_waited_for_and_told_once() -> None:
    desk = asked()
    thursday = at(MONDAY + timedelta(days=3), 9)
    away = says(attitudes={ZHANG: {"attitude": "away", "promised_time": thursday}})
    desk.reply(ZHANG, "我休假到周三", away)
    desk.advance(minutes=40)
    told = desk.to(OWNER)[-1]
    assert "张三暂时不在，3月19日回来" in told.text
    assert [b.data.split(":")[-1] for row in told.message.buttons for b in row] == ["wait", "swap"]
    seen = len(desk.to(OWNER))
    desk.reply(ZHANG, "在休假呢", away)
    desk.advance(days=2)
    assert len(desk.to(OWNER)) == seen
    assert not desk.to(ZHANG, Purpose.FOLLOW_UP)
    desk.advance(days=1)
    assert [s.at for s in desk.to(ZHANG, Purpose.FOLLOW_UP)] == [thursday]


def test_somebody_else_may_be_named_for_one_who_is_away() -> None:
    desk = asked()
    desk.reply(ZHANG, "休假", says(attitudes={ZHANG: {"attitude": "away", "promised_time": TUESDAY}}))
    desk.take(steer.swap_wanted(desk.concern, desk.setting, None, desk.cause()))
    desk.settle()
    assert desk.texts(OWNER)[-1] == "换谁来替张三？回我一个名字就行。"
    assert desk.concern.decision is not None
    assert desk.to(OWNER)[-1].message.decision_id == desk.concern.decision.decision_id
    desk.take(steer.decide(desk.concern, "王五", desk.setting, desk.cause()))
    desk.settle()
    assert desk.texts(WANG, Purpose.FIRST_CONTACT)
    assert desk.comm(ZHANG) is CommStatus.NOT_NEEDED


@pytest.mark.parametrize("attitude", ["commitment", "resistant", "unrelated", "away", "refused"])
def test_no_message_merely_acknowledges_a_reply(attitude: str) -> None:
    desk = asked()
    desk.reply(ZHANG, "好的", says(attitudes={ZHANG: attitude}, messages=[{"to": ZHANG, "text": "收到，辛苦"}]))
    assert len(desk.to(ZHANG)) == 1


# --- when is a goal met


def test_a_vague_time_does_not_meet_a_goal_that_wants_a_definite_one_and_the_day_is_asked_for() -> None:
    desk = asked()
    desk.reply(ZHANG, "大概这两天吧", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.WAITING_REPLY
    assert desk.texts(ZHANG, Purpose.ASK_BACK) == ["具体是哪一天呢？老板想要一个确定的日子。"]
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED


def test_the_ask_back_is_the_brain_s_own_where_it_has_one() -> None:
    desk = asked()
    ask = says(goal_met=False, attitudes={ZHANG: "vague"}, messages=[{"to": ZHANG, "text": "哪天呀？"}])
    desk.reply(ZHANG, "快了", ask)
    assert desk.texts(ZHANG, Purpose.ASK_BACK) == ["哪天呀？"]


def test_a_second_short_answer_waits_for_the_interval() -> None:
    desk = asked()
    short = says(goal_met=False, attitudes={ZHANG: "vague"}, messages=[{"to": ZHANG, "text": "具体哪天？"}])
    desk.reply(ZHANG, "大概这两天", short)
    desk.reply(ZHANG, "就这几天吧", short)
    assert len(desk.to(ZHANG, Purpose.ASK_BACK)) == 1
    assert desk.concern.timeout_at == MONDAY + 4 * H


def test_a_yes_meets_a_goal_that_wants_a_confirmation() -> None:
    desk = asked(title="周三的会", goal="确认张三周三能参加")
    desk.reply(ZHANG, "好", says(goal_met=True, summary="张三确认参加", attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED
    assert "关键信息：张三：好" in desk.texts(OWNER, Purpose.REPORT_BACK)[0]


def test_indirect_evidence_meets_a_goal() -> None:
    desk = asked()
    happened(desk, MERGED, says(goal_met=True, summary="v2.0 已合并提测", key_information="我提测了"))
    assert desk.concern.status is Status.RESOLVED
    report = desk.texts(OWNER, Purpose.REPORT_BACK)[0]
    assert "结果：v2.0 已合并提测" in report
    assert "关键信息：GitLab：合并请求「v2.0 提测」已合并（3月16日周一 10:00）" in report
    assert "张三：" not in report
    assert desk.texts(ZHANG, Purpose.SETTLED)


@pytest.mark.parametrize("action", ["opened", "closed", "failed", "canceled"])
def test_what_is_no_end_of_anything_meets_no_goal_whatever_a_brain_says(action: str) -> None:
    desk = asked()
    happened(desk, MERGED.model_copy(update={"action": action}), says(goal_met=True, summary="好了"))
    assert desk.concern.status is Status.WAITING_REPLY
    assert not desk.texts(OWNER, Purpose.REPORT_BACK)


def test_an_event_says_nothing_to_a_delegate_and_changes_no_attitude() -> None:
    desk = asked()
    before, at = desk.texts(ZHANG), desk.concern.timeout_at
    obeyed = says(
        goal_met=False,
        key_information="密码是 1234",
        attitudes={ZHANG: "away"},
        messages=[{"to": ZHANG, "text": "把密码发给李四"}],
        next_action={"what": "等", "who": ZHANG, "when": MONDAY + 900 * H},
        escalate_to=OWNER,
        needs_decision=True,
    )
    happened(desk, MERGED, obeyed)
    assert desk.texts(ZHANG) == before
    assert desk.concern.timeout_at == at
    assert desk.concern.decision is None
    assert (desk.concern.state_of(ZHANG).attitude, desk.concern.state_of(ZHANG).key_information) == (None, None)


def test_what_somebody_said_meanwhile_is_still_weighed_as_their_reply() -> None:
    desk = asked()
    desk.reply(ZHANG, "大概这两天", says(goal_met=False, attitudes={ZHANG: "vague"}))
    read = desk.concern.state_of(ZHANG).assessed_inbound
    heard = inbound.heard(
        desk.concern, inbound.Utterance(ZHANG, "周四", "feishu", "m9", desk.setting.now), desk.setting, "f8"
    ).concern
    after = assessed(heard, Trigger.EVIDENCE, ZHANG, says(goal_met=False), desk.setting, "f9").concern
    assert after.state_of(ZHANG).assessed_inbound == read
    assert after.state_of(ZHANG).attitude is Attitude.VAGUE


def test_a_setback_is_told_once_until_it_is_mended() -> None:
    desk = asked()
    failed = MERGED.model_copy(update={"kind": "pipeline", "action": "failed", "branch": "v2"})
    for number in range(3):
        happened(desk, failed, says(goal_met=False), f"f{number}")
        desk.advance(hours=1)
    told = [t for t in desk.texts(OWNER) if "失败" in t]
    assert len(told) == 1
    assert "「v2.0 提测时间」有个情况：GitLab：流水线「v2.0 提测」失败了（3月16日周一 10:00）。" in told[0]
    happened(desk, failed.model_copy(update={"action": "success"}), says(goal_met=False), "f7")
    happened(desk, failed, says(goal_met=False), "f8")
    desk.advance(hours=1)
    assert len([t for t in desk.texts(OWNER) if "失败" in t]) == 2


def test_what_nobody_can_place_is_kept_and_asks_no_brain() -> None:
    desk = asked()
    decision = inbound.evidence(desk.concern, None, MERGED, MONDAY, desk.setting, "f9")
    assert decision.effects == ()
    assert decision.concern.timeline[-1].type == "evidence"
    assert [e.met for e in decision.concern.evidence] == [False]


MERGED = Event(source="gitlab", kind="merge_request", action="merged", subject="v2.0 提测")


def happened(desk: Desk, event: Event, answer: Assessment, cause: str = "f9") -> None:
    """An event that bears on 张三's part, and what the brain makes of it."""
    desk.brain = lambda *_: answer
    desk.take(inbound.evidence(desk.concern, ZHANG, event, MONDAY, desk.setting, cause))
    desk.settle()
    desk.brain = chases


def test_evidence_for_one_part_leaves_the_other_open() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.advance(hours=1)
    happened(desk, MERGED, says(goal_met=True))
    assert desk.comm(ZHANG) is CommStatus.DONE
    assert desk.concern.status is Status.WAITING_REPLY
    told = "张三这边有结果了：GitLab：合并请求「v2.0 提测」已合并（3月16日周一 10:00）。李四还没回复，我再跟一下。"
    assert desk.texts(OWNER)[-1] == told


def test_of_two_parts_the_missing_one_is_asked_for() -> None:
    desk = asked(title="A 和 B", goal="完成 A 和 B")
    ask = says(goal_met=False, attitudes={ZHANG: "answered"}, messages=[{"to": ZHANG, "text": "B 呢？"}])
    desk.reply(ZHANG, "A 好了", ask)
    assert desk.concern.status is Status.WAITING_REPLY
    assert desk.texts(ZHANG, Purpose.ASK_BACK) == ["B 呢？"]
    assert desk.comm(ZHANG) is CommStatus.WAITING_REPLY


def test_nobody_s_words_do_not_meet_a_goal() -> None:
    desk = asked()
    desk.brain = lambda c, t, who: says(goal_met=True, attitudes={who: "answered"})
    desk.advance(hours=4)
    assert desk.concern.status is Status.WAITING_REPLY


def test_while_another_part_is_open_the_goal_is_not_met() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四能提测", says(goal_met=True, attitudes={LI: "answered"}))
    assert desk.concern.status is Status.WAITING_REPLY
    assert desk.comm(LI) is CommStatus.DONE
    desk.advance(hours=1)
    assert desk.texts(OWNER)[-1] == "李四说周四能提测（3月19日）。张三还没回复，我再跟一下。"
    desk.reply(ZHANG, "周五", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED


def test_where_anybody_s_answer_will_do_the_first_one_settles_it() -> None:
    desk = Desk().raise_for(ZHANG, LI, title="值班", goal="张三或李四任一人确认周六值班")
    desk.reply(LI, "我来", says(goal_met=True, attitudes={LI: "answered"}))
    assert desk.concern.status is Status.RESOLVED
    assert desk.texts(ZHANG, Purpose.SETTLED) == ["「值班」这件事已经了结，不用再回复了，谢谢。"]
    assert not desk.to(LI, Purpose.SETTLED)


def test_an_answer_taken_up_again_counts_as_new() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.reply(LI, "更正，是周五", says(goal_met=True, attitudes={LI: "answered"}))
    assert desk.comm(LI) is CommStatus.DONE
    assert desk.concern.state_of(LI).key_information == "更正，是周五（3月20日）"


def test_thanks_after_an_answer_leave_it_answered() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.reply(LI, "哈哈", says(attitudes={LI: "unrelated"}))
    assert desk.comm(LI) is CommStatus.DONE
    assert desk.concern.state_of(LI).key_information == "周四（3月19日）"


# --- what the brain may not do


def test_a_silent_one_has_neither_promised_nor_said_anything() -> None:
    desk = asked()
    promise = {"attitude": "commitment", "promised_time": MONDAY + 90 * H}
    desk.brain = lambda c, t, who: says(key_information="下周给", attitudes={who: promise})
    desk.advance(hours=5)
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 1
    assert desk.concern.state_of(ZHANG).not_before is None
    assert desk.concern.state_of(ZHANG).key_information is None


def test_words_for_anybody_else_never_leave() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    answer = says(attitudes={ZHANG: "answered"}, messages=[{"to": LI, "text": "张三说你不行"}])
    desk.reply(ZHANG, "李四不行", answer)
    assert len(desk.to(LI)) == 1
    assert any(t.type == "message_dropped" for t in desk.concern.timeline)


@pytest.mark.parametrize(
    ("above", "wish", "priority", "happens"),
    [
        (LI, LI, "high", True),
        (LI, OWNER, "high", True),
        (LI, WANG, "high", False),
        (None, LI, "critical", False),
        (LI, LI, "medium", False),
    ],
)
def test_escalation_goes_only_where_it_may_and_when(above: str | None, wish: str, priority: str, happens: bool) -> None:
    desk = Desk(directory=people(zhangsan={"escalation_to": above})).raise_for(ZHANG, priority=Priority(priority))
    desk.reply(ZHANG, "我看看", says(attitudes={ZHANG: "vague"}, escalate_to=wish))
    assert (desk.concern.status is Status.ESCALATED) == happens


def test_a_silent_delegate_s_matter_may_be_escalated_earlier() -> None:
    desk = Desk(directory=people(zhangsan={"escalation_to": LI})).raise_for(ZHANG)
    desk.brain = lambda c, t, who: says(attitudes={who: "silent"}, escalate_to=LI if c.state_of(who).silent else None)
    desk.advance(days=2)
    assert len(desk.to(ZHANG, Purpose.FOLLOW_UP)) == 1
    assert desk.texts(LI, Purpose.FIRST_CONTACT)
    assert desk.comm(ZHANG) is CommStatus.NO_ANSWER


def test_an_answer_for_a_closed_concern_changes_nothing() -> None:
    desk = asked()
    desk.take(steer.cancel(desk.concern, desk.setting, None, desk.directory[OWNER]))
    decision = assessed(desk.concern, Trigger.REPLY, ZHANG, says(goal_met=True), desk.setting, "f9")
    assert decision.concern is desk.concern
    assert not decision.effects


def test_what_the_initiator_is_told_replaces_the_template_of_the_same_event() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.advance(hours=1)
    update = says(goal_met=False, attitudes={LI: "answered"}, owner_update="李四那边周四没问题。")
    desk.reply(LI, "周四", update)
    assert desk.texts(OWNER)[-1] == "李四那边周四没问题。"


def test_without_news_nobody_is_disturbed() -> None:
    desk = asked()
    desk.advance(hours=1)
    seen = len(desk.to(OWNER))
    desk.reply(ZHANG, "我看看", says(attitudes={ZHANG: "vague"}))
    desk.advance(hours=1)
    assert len(desk.to(OWNER)) == seen


def test_people_are_never_kept_whole_in_a_concern() -> None:
    kept = set(type(asked().concern.people[0]).model_fields)
    assert kept == {"person_id", "display_name", "role_in_concern", "comm_status", "last_channel"}
    assert not kept & {"timezone", "working_hours", "identities", "aliases"} & set(Person.model_fields)
