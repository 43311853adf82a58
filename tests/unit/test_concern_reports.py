"""Mid-course reports and the report back (RULES 5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.concern import reports, steer
from core.concern.changes import notify, report_recipient
from core.concern.model import Concern, ConcernType, Priority, Status
from core.concern.notices import NoticeKind
from core.concern.reporting_back import report_back
from core.concern.reports import WEIGHTS, report_due, reported, standing
from core.effects import Outgoing, Purpose
from core.ids import PersonId
from core.notify import Suppress, Weight
from tests.unit.concern_desk import ALWAYS, LI, MONDAY, OWNER, WANG, ZHANG, Desk, people, says, setting

H = timedelta(hours=1)


def reports_to_owner(desk: Desk) -> list[str]:
    return desk.texts(OWNER, Purpose.REPORT)


def test_contacted_waits_half_an_hour_after_the_acknowledgement() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.advance(minutes=29)
    assert reports_to_owner(desk) == []
    desk.advance(minutes=1)
    assert reports_to_owner(desk) == ["已经联系张三和李四了，等他们回复。"]


@pytest.mark.parametrize(("pronoun", "said"), [("他", "等他回复"), ("她", "等她回复"), (None, "等对方回复")])
def test_one_delegate_is_spoken_of_by_their_pronoun(pronoun: str | None, said: str) -> None:
    desk = Desk(directory=people(zhangsan={"pronoun": pronoun})).raise_for(ZHANG)
    desk.advance(hours=1)
    assert said in reports_to_owner(desk)[0]


def test_several_that_wait_become_one_and_none_is_stale() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.advance(minutes=10)
    desk.reply(LI, "周四没问题", says(goal_met=True, attitudes={LI: "answered"}))
    desk.advance(hours=1)
    assert reports_to_owner(desk) == ["李四说周四没问题（3月19日）。张三还没回复，我再跟一下。"]


def test_a_report_that_was_overtaken_says_nothing() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.advance(minutes=10)
    desk.reply(ZHANG, "我看看", says(attitudes={ZHANG: "vague"}))
    desk.advance(hours=3)
    assert reports_to_owner(desk) == []
    assert desk.concern.reports.waiting == ()


def test_the_time_out_is_told_and_counted() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS, owner=ALWAYS)).raise_for(ZHANG)
    desk.advance(hours=13)
    assert reports_to_owner(desk)[1:] == ["张三还没回复，我再跟一下。", "张三还没回复，我再跟一下（第 2 次了）。"]


def test_where_several_matters_are_open_the_report_names_its_own() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.now = MONDAY + H
    alone = report_due(desk.concern, desk.setting, 0)
    among = report_due(desk.concern, desk.setting, 0, others_open=True)
    assert isinstance(alone, Outgoing)
    assert isinstance(among, Outgoing)
    assert desk.render(alone.words, OWNER) == "已经联系张三了，等他回复。"
    assert desk.render(among.words, OWNER) == "「v2.0 提测时间」：已经联系张三了，等他回复。"


def test_each_who_is_still_to_answer_is_told_of_as_they_stand() -> None:
    later = "p_zhao", "p_qian"
    directory = people(zhangsan=ALWAYS, lisi=ALWAYS, wangwu=ALWAYS, owner=ALWAYS)
    for who in later:
        directory[PersonId(who)] = directory[ZHANG].model_copy(update={"person_id": who, "name": who[2:]})
    desk = Desk(directory=directory).raise_for(ZHANG, LI, WANG, *(PersonId(p) for p in later))
    promise = {"attitude": "commitment", "promised_time": MONDAY + 30 * H}
    desk.reply(LI, "明天下午四点", says(attitudes={LI: promise}))
    desk.reply(WANG, "我看看", says(attitudes={WANG: "vague"}))
    away = {"attitude": "away", "promised_time": MONDAY + 72 * H}
    desk.reply(PersonId("p_zhao"), "休假", says(attitudes={"p_zhao": away}, owner_update="zhao 休假了。"))
    desk.advance(hours=1)
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert reports_to_owner(desk)[-1] == (
        "张三说周四（3月19日）。李四说明天 16:00 前后给。zhao 要到3月19日才回来。"
        "王五还没给准信，我再跟一下。qian 还没回复，我再跟一下。"
    )


def test_a_promise_that_has_passed_is_told_as_such() -> None:
    desk = Desk().raise_for(ZHANG)
    promise = {"attitude": "commitment", "promised_time": MONDAY + 3 * H}
    desk.reply(ZHANG, "一点给你", says(attitudes={ZHANG: promise}))
    desk.advance(hours=4)
    assert reports_to_owner(desk)[-1] == "张三说好的时间过了还没给，我再问一下。"


def test_the_report_back_supersedes_what_waits() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.advance(minutes=10)
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    desk.advance(days=2)
    assert [s.purpose for s in desk.to(OWNER)] == [Purpose.REPLY, Purpose.REPORT_BACK]


WANTED = {
    NoticeKind.CONTACTED: Weight.ORDINARY,
    NoticeKind.TIMEOUT_RETRY: Weight.ORDINARY,
    NoticeKind.PARTIAL: Weight.ORDINARY,
    NoticeKind.NO_ANSWER: Weight.ORDINARY,
    NoticeKind.OWNER_UPDATE: Weight.ORDINARY,
    NoticeKind.AWAY: Weight.ORDINARY,
    NoticeKind.SETBACK: Weight.ORDINARY,
    NoticeKind.TROUBLE: Weight.ORDINARY,
    NoticeKind.NEEDS_DECISION: Weight.PRESSING,
    NoticeKind.UNREACHABLE: Weight.PRESSING,
    NoticeKind.DECLINED: Weight.PRESSING,
    NoticeKind.ESCALATED: Weight.PRESSING,
    NoticeKind.DROPPED: Weight.PRESSING,
    NoticeKind.DEADLINE: Weight.PRESSING,
}


@pytest.mark.parametrize("kind", NoticeKind)
def test_how_pressing_each_occasion_is(kind: NoticeKind) -> None:
    assert WEIGHTS[kind] is WANTED[kind]


def test_a_pressing_one_takes_the_waiting_ones_with_it() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.advance(minutes=5)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.advance(minutes=5)
    desk.reply(ZHANG, "要哪个版本？", says(attitudes={ZHANG: "question"}))
    told = reports_to_owner(desk)
    assert len(told) == 1
    assert told[0].startswith("李四说周四（3月19日）。张三问：要哪个版本？")
    assert not desk.to(OWNER, Purpose.REPORT)[0].message.counted


def test_an_ordinary_one_is_counted() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.advance(hours=1)
    assert desk.to(OWNER, Purpose.REPORT)[0].message.counted


def test_a_critical_one_passes_at_night() -> None:
    desk = Desk(now=MONDAY.replace(hour=2)).raise_for(ZHANG, priority=Priority.CRITICAL)
    desk.advance(minutes=31)
    assert desk.to(OWNER, Purpose.REPORT)[0].at == MONDAY.replace(hour=2, minute=30)


def test_over_the_budget_it_waits_for_the_next_working_morning() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.now = MONDAY + H
    answer = report_due(desk.concern, desk.setting, counted_today=20)
    assert isinstance(answer, reports.Wait)
    assert answer.until == MONDAY.replace(day=17, hour=9)


def test_what_came_up_on_the_way_still_waits() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.now = MONDAY + H
    told = desk.concern.reports.waiting
    message = report_due(desk.concern, desk.setting, 0)
    assert isinstance(message, Outgoing)
    meanwhile = notify(desk.concern, NoticeKind.OWNER_UPDATE, desk.setting, ZHANG, "新消息").concern
    decision = reported(meanwhile, "…", desk.setting, message, told)
    assert [n.text for n in decision.concern.reports.waiting] == ["新消息"]
    assert len(decision.effects) == 1
    assert decision.concern.reports.last_at == desk.now


def test_the_same_is_not_said_twice_in_a_row() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.advance(hours=1)
    again = notify(desk.concern, NoticeKind.CONTACTED, desk.setting, ZHANG).concern
    desk.now += H
    assert isinstance(report_due(again, desk.setting, 0), Suppress)


# --- the report back


def closed(**more: object) -> Desk:
    desk = Desk().raise_for(ZHANG, **more)
    desk.advance(hours=26)
    answer = says(goal_met=True, summary="张三后天提测", attitudes={ZHANG: "answered"})
    desk.reply(ZHANG, "后天", answer)
    return desk


def test_the_four_lines_name_who_said_it_in_their_words_with_the_date() -> None:
    desk = closed()
    assert desk.texts(OWNER, Purpose.REPORT_BACK) == [
        "[回流] v2.0 提测时间\n结果：张三后天提测\n关键信息：张三：后天（3月19日）\n耗时：1 天 2 小时"
    ]


def test_the_date_is_reckoned_from_the_day_on_which_it_was_said() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(ZHANG, "后天", says(goal_met=True, attitudes={ZHANG: "answered"}))
    desk.advance(days=1)
    desk.reply(LI, "明天", says(goal_met=True, summary="都是周三", attitudes={LI: "answered"}))
    assert "张三：后天（3月18日）；李四：明天（3月18日）" in desk.texts(OWNER, Purpose.REPORT_BACK)[0]


def test_the_four_lines_in_english() -> None:
    desk = Desk(directory=people(owner={"language": "en"})).raise_for(ZHANG)
    desk.reply(ZHANG, "Thursday", says(goal_met=True, attitudes={ZHANG: "answered"}))
    lines = desk.texts(OWNER, Purpose.REPORT_BACK)[0].split("\n")
    assert lines == [
        "[Result] v2.0 提测时间",
        "Outcome: answered by 张三",
        "Key information: 张三: Thursday (Mar 19)",
        "Time taken: less than 1 min",
    ]


def test_background_comes_after_the_four_lines() -> None:
    desk = Desk().raise_for(ZHANG)
    answer = says(goal_met=True, summary="周四", attitudes={ZHANG: "answered"}, owner_update="沙箱已经到了。")
    desk.reply(ZHANG, "周四", answer)
    lines = desk.texts(OWNER, Purpose.REPORT_BACK)[0].split("\n")
    assert [x.partition("：")[0] for x in lines[1:4]] == ["结果", "关键信息", "耗时"]
    assert lines[4:] == ["沙箱已经到了。"]


@pytest.mark.parametrize(
    ("kind", "priority", "told"),
    [
        (ConcernType.DELEGATION, Priority.LOW, True),
        (ConcernType.FOLLOWUP, Priority.MEDIUM, True),
        (ConcernType.ABSENCE_FOLLOWUP, Priority.MEDIUM, True),
        (ConcernType.HEARTBEAT, Priority.HIGH, True),
        (ConcernType.HEARTBEAT, Priority.CRITICAL, True),
        (ConcernType.HEARTBEAT, Priority.MEDIUM, False),
    ],
)
def test_who_is_reported_back_to(kind: ConcernType, priority: Priority, told: bool) -> None:
    desk = closed(type=kind, priority=priority)
    assert desk.concern.status is Status.RESOLVED
    assert bool(desk.to(OWNER, Purpose.REPORT_BACK)) == told


def test_whom_the_delegation_names_hears_instead_of_the_initiator() -> None:
    concern = closed().concern
    assert concern.delegation is not None
    named = concern.model_copy(update={"delegation": concern.delegation.model_copy(update={"report_to": WANG})})
    report = report_back(named, setting())
    heard = report_recipient(named, setting())
    assert report is not None
    assert heard is not None
    assert (report.to, heard.person_id) == (WANG, WANG)


@pytest.mark.parametrize("kind", [ConcernType.FOLLOWUP, ConcernType.ABSENCE_FOLLOWUP])
def test_without_an_initiator_nobody_is_reported_back_to(kind: ConcernType) -> None:
    desk = closed(type=kind, initiator=None)
    assert desk.concern.status is Status.RESOLVED
    assert not desk.to(OWNER, Purpose.REPORT_BACK)


def test_a_brain_that_speaks_for_several_is_taken_apart() -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    both = says(goal_met=True, key_information="李四：改到周五；张三：下周一，先用 mock", attitudes={ZHANG: "answered"})
    desk.reply(ZHANG, "下周一，先用 mock", both)
    line = desk.texts(OWNER, Purpose.REPORT_BACK)[0].split("\n")[2]
    assert line == "关键信息：张三：下周一（3月23日），先用 mock；李四：周四（3月19日）"


def test_what_was_known_before_keeps_the_date_it_got_then() -> None:
    desk = Desk().raise_for(ZHANG, title="报告", goal="拿到报告")
    desk.reply(ZHANG, "好的，明天给你", says(attitudes={ZHANG: "commitment"}))
    desk.advance(days=2)
    known = desk.concern.state_of(ZHANG).key_information
    assert known == "好的，明天给你（3月17日）"
    both = says(goal_met=True, key_information=f"{known}；明天补附件", attitudes={ZHANG: "answered"})
    desk.reply(ZHANG, "发你邮箱了，明天补附件", both)
    line = desk.texts(OWNER, Purpose.REPORT_BACK)[0].split("\n")[2]
    assert line == "关键信息：张三：好的，明天给你（3月17日）；明天补附件（3月19日）"


def test_of_those_who_were_replaced_or_said_nothing_to_it_nothing_is_reported() -> None:
    desk = Desk().raise_for(ZHANG, LI, goal="任一人确认周六值班")
    desk.reply(ZHANG, "这事不归我", says(key_information="不归我", attitudes={ZHANG: "refused"}))
    desk.reply(LI, "我来", says(goal_met=True, attitudes={LI: "answered"}))
    assert "关键信息：李四：我来\n" in desk.texts(OWNER, Purpose.REPORT_BACK)[0]


def test_a_promise_of_one_who_was_replaced_is_no_answer() -> None:
    desk = Desk().raise_for(ZHANG)
    desk.reply(ZHANG, "下周给", says(key_information="下周给", attitudes={ZHANG: "commitment"}))
    desk.take(steer.reassign(desk.concern, ZHANG, desk.directory[LI], desk.setting, desk.cause()))
    desk.settle()
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    assert "关键信息：李四：周四（3月19日）\n" in desk.texts(OWNER, Purpose.REPORT_BACK)[0]


@pytest.mark.parametrize(
    ("summary", "outcome"),
    [
        ("李四说：周五", "张三和李四已经答复"),
        ("张三周四、李四周五", "张三周四、李四周五"),
        ("前端周四、后端周五", "前端周四、后端周五"),
        (None, "张三和李四已经答复"),
    ],
)
def test_one_voice_is_not_the_outcome_of_several(summary: str | None, outcome: str) -> None:
    desk = Desk().raise_for(ZHANG, LI)
    desk.reply(ZHANG, "周四", says(goal_met=True, attitudes={ZHANG: "answered"}))
    desk.reply(LI, "周五", says(goal_met=True, summary=summary, attitudes={LI: "answered"}))
    assert f"结果：{outcome}\n" in desk.texts(OWNER, Purpose.REPORT_BACK)[0]


def test_what_was_obtained_is_handed_over_when_it_is_dropped() -> None:
    desk = Desk(directory=people(zhangsan=ALWAYS, lisi=ALWAYS)).raise_for(ZHANG, LI)
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    desk.advance(days=6)
    assert desk.concern.status is Status.DROPPED
    last = desk.texts(OWNER)[-1]
    assert "张三一直没回复（跟进了 3 次），我不再催了。" in last
    assert "「v2.0 提测时间」我先放下了。目前得到的：李四：周四（3月19日）。" in last


# --- where it stands


def in_words(desk: Desk, concern: Concern | None = None) -> str:
    return desk.render(standing(concern or desk.concern), OWNER)


def test_where_it_stands_in_a_line() -> None:
    desk = Desk().raise_for(ZHANG, LI, WANG)
    assert in_words(desk) == "「v2.0 提测时间」：张三、李四和王五还没回复。下一步在今天 14:00。"
    desk.reply(LI, "周四", says(goal_met=True, attitudes={LI: "answered"}))
    assert in_words(desk).startswith("「v2.0 提测时间」：李四说周四（3月19日）。张三和王五还没回复。")
    desk.reply(ZHANG, "要哪个？", says(attitudes={ZHANG: "question"}))
    assert "等你决定" in in_words(desk)
    desk.take(steer.cancel(desk.concern, desk.setting, None, desk.directory[OWNER]))
    assert in_words(desk).endswith("已经放下。")


def test_where_it_stands_before_anybody_was_asked() -> None:
    desk = Desk(now=MONDAY.replace(hour=20)).raise_for(ZHANG)
    assert in_words(desk) == "「v2.0 提测时间」：还没联系张三。下一步在明早 9:00。"


def test_an_answer_after_somebody_was_lost_ends_as_one_before_it_and_names_who_is_missing() -> None:
    desk = Desk(fails_for={LI}).raise_for(ZHANG, LI)
    desk.advance(hours=1)
    desk.reply(ZHANG, "周五能提测", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.DROPPED
    desk.advance(hours=1)
    told = reports_to_owner(desk)
    assert "李四联系不上" in told[0]
    assert "李四那边没有结果" in told[-1]
    assert "张三：周五能提测" in told[-1]


def test_anybodys_answer_will_do_where_that_was_wanted() -> None:
    desk = Desk(fails_for={LI}).raise_for(ZHANG, LI, goal="张三或李四谁能周五提测")
    desk.reply(ZHANG, "我能", says(goal_met=True, attitudes={ZHANG: "answered"}))
    assert desk.concern.status is Status.RESOLVED
