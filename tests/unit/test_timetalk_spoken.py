"""What colleagues type: shorthand, swapped letters, hours beside a day, weeks counted on from a day, stays that last.
Monday 16 March 2026, ten o'clock, unless a test says otherwise. A line a rule: without it the line fails."""

from datetime import UTC, datetime

import pytest

from core.timetalk import TimeKind, answer_line, parse
from tests.unit.time_words import NOW, said


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Short for a word, or with the letters swapped.
        ("2mrw at 9", ["03-17 09:00"]),
        ("tommorow 3pm", ["03-17 15:00"]),
        ("thrusday 3pm", ["03-19 15:00"]),
        ("weds pm", ["03-18 13:00..03-18 18:00"]),
        ("nxt wk", ["03-23..03-30"]),
        ("this wkend", ["03-21..03-23"]),
        ("by end of wk", ["<03-22"]),
        ("friday arvo", ["03-20 13:00..03-20 18:00"]),
        ("EOB Friday", ["03-20 18:00"]),
        ("threeish", ["03-16 15:00"]),
        ("noonish", ["03-16 12:00"]),
        # Lower case names a weekday too where it is no other word.
        ("will sort it out mon", ["03-23"]),
        # Weeks counted on from a day.
        ("Tue wk", ["03-24"]),
        ("a week on Tuesday", ["03-24"]),
        ("a week tomorrow", ["03-24"]),
        ("two weeks on Monday", ["04-06"]),
        ("weekend after next", ["04-04..04-06"]),
        ("w/c 23 March", ["03-23..03-30"]),
        ("tomorrow or the day after", ["03-17", "03-18"]),
        # An hour that its day, an "or" or its four digits make certain.
        ("half 3", ["03-16 15:30"]),
        # From now on for so long.
        ("busy from now to 2 hours later", ["03-16 10:00..03-16 12:00"]),
        ("tomorrow 9", ["03-17 09:00"]),
        ("Monday 10 works", ["03-23 10:00"]),
        ("Friday 20", ["03-20"]),
        ("10 on Monday", ["03-23 10:00"]),
        ("how about 3?", ["03-16 15:00"]),
        ("10 sharp", ["03-16 10:00"]),
        ("3 or 4pm", ["03-16 15:00", "03-16 16:00"]),
        ("at 3 or 4", ["03-16 15:00", "03-16 16:00"]),
        ("11 or 12pm tomorrow", ["03-16 11:00", "03-17 12:00"]),
        ("at 0900", ["03-17 09:00"]),
        ("twenty to nine tomorrow", ["03-17 08:40"]),
        ("same time next week", ["03-23 10:00"]),
        ("this time tomorrow", ["03-17 10:00"]),
        ("9-5", ["03-17 09:00..03-17 17:00"]),
        ("back in 15", ["03-16 10:15"]),
        ("in like 20 min", ["03-16 10:20"]),
        # Lunch and the halves of a day.
        ("over lunch", ["03-16 12:00..03-16 13:00"]),
        ("tomorrow after lunch", [">03-17 13:00"]),
        ("lunch with Tom", []),
        ("Thursday am", ["03-19 08:00..03-19 12:00"]),
        ("Thursday am I free", ["03-19"]),
        # Ends, halves and counted parts of a period.
        ("Q3 end", ["09-01..10-01"]),
        ("May-end", ["05-21..06-01"]),
        ("early Q3", ["07-01..08-01"]),
        ("the second half of May", ["05-16..06-01"]),
        ("first half of next week", ["03-23..03-26"]),
        ("last Friday of the month", ["03-27"]),
        ("last week of March", ["03-23..03-30"]),
        ("after the weekend", [">03-23"]),
        ("by 18/3", ["<03-18"]),
        # Limits.
        ("no earlier than Monday", [">03-23"]),
        ("as of Monday", [">03-23"]),
        ("since 9am", [">03-16 09:00"]),
        ("within 24h", ["03-16 10:00..03-17 10:00"]),
        ("pushed from 3 to 4:30", ["03-16 15:00", "03-16 16:30"]),
        ("the notes from yesterday", ["03-15"]),
        ("three days before the deadline", ["=259200"]),
        # Lengths.
        ("1h30m", ["=5400"]),
        ("a quarter of an hour", ["=900"]),
        ("three quarters of an hour", ["=2700"]),
        # Taken back.
        ("3pm, no sorry, 4pm", ["03-16 16:00"]),
        ("Friday no good, Monday?", ["03-23"]),
        # Feasts.
        ("after CNY", [">02-06"]),
        ("Black Friday", ["11-27"]),
        ("May Day", ["05-01"]),
    ],
)
def test_english(text: str, found: list[str]) -> None:
    assert said(text) == found


@pytest.mark.parametrize(
    ("text", "rrule"),
    [
        ("every second Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("on alternate Tuesdays", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("every fortnight", "FREQ=WEEKLY;INTERVAL=2"),
        ("every couple of weeks", "FREQ=WEEKLY;INTERVAL=2"),
        ("every half hour", "FREQ=MINUTELY;INTERVAL=30"),
        ("every working day at 6pm", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18;BYMINUTE=0"),
        ("Mon-Fri at 9am", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("daily standup at 9:30", "FREQ=DAILY;BYHOUR=9;BYMINUTE=30"),
        ("on the first workday of each month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1"),
        ("每月月底", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("每年年底", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=-1"),
        ("每季度末", "FREQ=MONTHLY;BYMONTH=3,6,9,12;BYMONTHDAY=-1"),
        ("双周周三", "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE"),
    ],
)
def test_recurrences(text: str, rrule: str) -> None:
    assert [e.rrule for e in parse(text, NOW)] == [rrule]


def test_five_days_are_no_rule_without_an_hour() -> None:
    assert said("Mon-Fri") == ["03-23..03-28"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A stay lasts until its day.
        ("休假到周三", ["<03-18"]),
        ("出差到周五，急事打电话", ["<03-20"]),
        ("一直到周四", ["<03-19"]),
        ("改到周三", ["03-18"]),
        ("周五截止", ["<03-20"]),
        ("截止时间是周五下午5点", ["<03-20 17:00"]),
        ("ddl周五", ["<03-20"]),
        ("这个季度结束前", ["<03-31"]),
        # What begins at ten is at ten.
        ("明天十点一刻开始", ["03-17 10:15"]),
        ("从明天十点开始", [">03-17 10:00"]),
        # Ends of a quarter and of a year that is said twice.
        ("Q3末", ["09-01..10-01"]),
        ("明年年底", ["11-01..01-01"]),
        ("周内", ["03-16..03-23"]),
        ("周六日", ["03-21..03-23"]),
        # Years, months and hours as lengths.
        ("三年后", ["03-16"]),
        ("两个多月", ["=5184000"]),
        ("仨月", ["=7776000"]),
        ("10min后", ["03-16 10:10"]),
        ("从现在到三小时后", ["03-16 10:00..03-16 13:00"]),
        ("2h内", ["03-16 10:00..03-16 12:00"]),
        # Work and meals.
        ("明天一上班", ["03-17 09:00"]),
        ("周五下班", ["03-20 18:00"]),
        ("午饭后", [">03-16 13:00"]),
        # A dot for a colon, wide digits, hours side by side.
        ("下午3.30", ["03-16 15:30"]),
        ("１５：３０", ["03-16 15:30"]),
        ("十点十一点", ["03-16 11:00"]),
        ("5.20发布会", ["05-20"]),
        # Taken back without a mark.
        ("不是明天是后天", ["03-18"]),
        ("周三（说错了，周四）", ["03-19"]),
        # The lunar calendar is not the solar one.
        ("年后", [">02-06"]),
        ("过年前", ["<02-05"]),
        ("正月十五", ["02-20"]),
        ("大年初三", ["02-08"]),
        ("农历八月十五", ["09-25"]),
        ("腊月二十三", []),
    ],
)
def test_chinese(text: str, found: list[str]) -> None:
    assert said(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "in a few days",
        "several weeks",
        "a few days ago",
        "in the coming days",
        "in a day or two",
        "in 2-3 days",
        "a few days before Christmas",
        "in a minute",
        "when you get a chance",
        "as time permits",
        "before long",
        "下周找个时间聊聊",
        "下周哪天碰一下",
        "前两天",
        "等下",
    ],
)
def test_a_guess_names_no_time(text: str) -> None:
    found = parse(text, NOW)
    assert found
    assert all(e.kind == TimeKind.vague for e in found)


def test_the_past_few_days_are_over_however_many_they_were() -> None:
    assert said("the past few days") == ["03-13..03-16"]


@pytest.mark.parametrize(
    "text",
    [
        "order number 20260316-0042",
        "我的工号是20190815",
        "April from accounting has the file",
        "August is a nice name",
        "a quarter of the budget is gone",
        "the midnight blue theme",
        "五点共识已经写进纪要了",
        "八点五折",
        "一号会议室被占了，换二号吧",
        "他叫周天",
    ],
)
def test_what_looks_like_a_time_and_is_none(text: str) -> None:
    assert parse(text, NOW) == []


def test_a_day_beside_a_numbered_room_stands_with_its_part() -> None:
    assert said("3号会议室，15号下午") == ["04-15 13:00..04-15 18:00"]


def test_a_clock_stays_as_said_where_the_reference_has_no_zone() -> None:
    line = {"id": 1, "text": "3pm Beijing time", "reference_time": "2026-03-16T09:30:00"}
    assert answer_line(line)["found"][0]["start"] == "2026-03-16T15:00:00"
    assert answer_line(line | {"reference_time": "2026-03-16T01:30:00+00:00"})["found"][0]["start"].startswith(
        datetime(2026, 3, 16, 7, 0, tzinfo=UTC).isoformat()
    )


def test_a_recurrence_is_framed_by_its_own_sentence_alone() -> None:
    rules = [e for e in parse("starting tomorrow, every day at 7! every Monday at 9", NOW) if e.rrule]
    assert [r.start and r.start.day for r in rules] == [17, None]
