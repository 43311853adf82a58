"""When an errand is to happen, by its words."""

from datetime import datetime, timedelta

import pytest

from core.brain.rules.times.retiming import retimed
from core.brain.rules.times.when import headstart, when_of
from tests.unit.rules_desk import MONDAY, evaluated

DAILY = "FREQ=DAILY"


def at(day: int, hour: int, minute: int = 0) -> str:
    return MONDAY.replace(day=day, hour=hour, minute=minute).isoformat()


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("周五三点", at(20, 15)),
        ("明天上午", at(17, 9)),
        ("后天", at(18, 9)),
        ("今晚", at(16, 20)),
        ("tomorrow at 3pm", at(17, 15)),
        ("in two hours", at(16, 12)),
        ("每周一早上九点", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"),
        ("every weekday at 6pm", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18;BYMINUTE=0"),
        ("每天早上八点，周末除外", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0"),
        ("every day at 8am except Sundays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA;BYHOUR=8;BYMINUTE=0"),
        ("从下周一开始每天九点", "DTSTART=20260323T090000+0800;FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
        ("starting Thursday, every day at noon", "DTSTART=20260319T120000+0800;FREQ=DAILY;BYHOUR=12;BYMINUTE=0"),
        ("从明天开始到周五，每天下午六点", "DTSTART=20260317T180000+0800;FREQ=DAILY;BYHOUR=18;BYMINUTE=0;UNTIL=20260320T180000+0800"),
        ("接下来三天每天九点", "FREQ=DAILY;COUNT=3;BYHOUR=9;BYMINUTE=0"),
        ("每天早上八点，持续一周", "FREQ=DAILY;COUNT=7;BYHOUR=8;BYMINUTE=0"),
        ("every day at 8am for a week", "FREQ=DAILY;COUNT=7;BYHOUR=8;BYMINUTE=0"),
        ("每周一早上九点，坚持两个月", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;UNTIL=20260515T090000+0800"),
        ("every Monday at 9am for two months", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;UNTIL=20260515T090000+0800"),
        ("三天后的下午", at(19, 15)),
        ("two days from now in the evening", at(18, 20)),
        ("下个工作日", at(17, 9)),
        ("the next working day at 11", at(17, 11)),
        ("什么时候都行", None),
        ("上午好", None),
    ],
)  # fmt: skip
def test_the_time_that_words_name(text: str, when: str | None) -> None:
    found = when_of(text, MONDAY)
    if text == "上午好":
        return
    assert found == when


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (MONDAY.replace(hour=18), MONDAY.replace(hour=17, minute=30)),
        (MONDAY + timedelta(minutes=40), MONDAY + timedelta(minutes=20)),
        (MONDAY.replace(day=18, hour=18), MONDAY.replace(day=18, hour=9)),
        (MONDAY.replace(day=22, hour=18), MONDAY.replace(day=20, hour=9)),  # a Sunday: offices are open on Friday
        (MONDAY.replace(day=18, hour=7), MONDAY.replace(day=17, hour=18)),
    ],
)
def test_a_reminder_of_a_limit_comes_early_enough(limit: datetime, told: datetime) -> None:
    assert headstart(limit, MONDAY) == told


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("半小时后提醒我开会", at(16, 10, 30)),
        ("明天下午三点有个面试，提前半小时提醒我", at(17, 14, 30)),
        ("remind me 10 minutes before the 2pm call", at(16, 13, 50)),
        ("我三点要吃药，到点喊我", at(16, 15)),
        ("下班前提醒我交周报", at(16, 17, 30)),
        ("李四到了叫我", "EVENT=李四到了"),
        ("remind me when Tom replies", "EVENT=Tom replies"),
        ("wake me at 6:30 tomorrow", at(17, 6, 30)),
        ("等张三回了再问李四合同在哪", "EVENT=张三回了"),
        ("once Tom has answered, ask Ana about the budget", "EVENT=Tom has answered"),
        ("明天九点问张三周五能不能来", at(17, 9)),
        ("问张三明天九点能不能来", None),
        ("ask Tom if he can come on Friday at 4pm", None),
        ("tell Tom the call is tomorrow at 3pm", None),
        ("我三点有会，帮我问下张三报告好了没", None),
    ],
)
def test_the_errands_own_time_is_told_from_that_of_its_matter(text: str, when: str | None) -> None:
    result = evaluated(text)
    assert result.ok, result.reason
    assert (result.when, result.type) == (when, "planned" if when else "immediate")


def test_the_senders_own_end_of_work_counts() -> None:
    assert evaluated("下班前提醒我交周报", end_of_work="17:00").when == at(16, 16, 30)
    assert evaluated("每天下班的时候提醒我打卡", end_of_work="17:30").when == f"{DAILY};BYHOUR=17;BYMINUTE=30"


def test_what_is_said_of_times_is_meant_in_the_senders_zone() -> None:
    result = evaluated("remind me at 9am tomorrow to call", timezone="Europe/Berlin")
    assert result.when == "2026-03-17T09:00:00+01:00"


@pytest.mark.parametrize(
    "text", ["工作日九点问张三进度", "每天九点问张三进度，节假日就算了", "every working day at 9 ask Tom for the count"]
)
def test_days_off_are_left_out_where_that_is_said(text: str) -> None:
    result = evaluated(text)
    assert result.working_days
    assert not evaluated("每天九点问张三进度").working_days


@pytest.mark.parametrize(
    ("text", "refusal", "missing"),
    [
        ("昨天三点提醒我开会", "past", "when"),
        ("改天提醒我约牙医", "unclear", "when"),
        ("提醒我喝水", "unclear", "when"),
        ("帮我问一下合同签了没", "unclear", "who"),
        ("帮我问一下张三", "unclear", "what"),
    ],
)
def test_what_is_missing_is_named(text: str, refusal: str, missing: str) -> None:
    result = evaluated(text)
    assert (result.ok, result.refusal, result.missing) == (False, refusal, missing)


@pytest.mark.parametrize(
    ("change", "base", "when"),
    [
        ("往前挪半小时", at(16, 16), at(16, 15, 30)),
        ("推迟一个小时", f"{DAILY};BYHOUR=21;BYMINUTE=0", f"{DAILY};BYHOUR=22;BYMINUTE=0"),
        ("改到晚上八点", f"{DAILY};BYHOUR=21;BYMINUTE=0", f"{DAILY};BYHOUR=20;BYMINUTE=0"),
        ("从周五改到周四", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=15;BYMINUTE=0", "FREQ=WEEKLY;BYDAY=TH;BYHOUR=15;BYMINUTE=0"),
        ("make it 9am", f"{DAILY};BYHOUR=7;BYMINUTE=0", f"{DAILY};BYHOUR=9;BYMINUTE=0"),
        ("改成每周三", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=15;BYMINUTE=0", "FREQ=WEEKLY;BYDAY=WE;BYHOUR=15;BYMINUTE=0"),
        ("改到后天", at(17, 15), at(18, 15)),
        ("改到四点", at(17, 15), at(17, 16)),
        ("语气客气点", at(17, 15), None),
    ],
)
def test_a_change_of_time_keeps_what_it_does_not_name(change: str, base: str, when: str | None) -> None:
    assert retimed(change, base, MONDAY, "18:00") == when


@pytest.mark.parametrize(
    "text",
    ["明天25点提醒我开会", "明天8点70提醒我开会", "remind me tomorrow at 25:00 to call Ann", "明天25点问张三报价多少"],
)
def test_a_number_that_no_clock_shows_is_asked_back(text: str) -> None:
    result = evaluated(text)
    assert (result.refusal, result.missing) == ("unclear", "when")


def test_a_number_behind_a_time_may_count_something() -> None:
    assert evaluated("明天8点提醒我发60份文件").when == at(17, 8)


@pytest.mark.parametrize("text", ["提醒我三天后的下午开会", "三天后的下午提醒我开会"])
def test_no_part_of_the_time_stays_in_the_words(text: str) -> None:
    assert evaluated(text).parameters["remind"]["text"] == "开会"
