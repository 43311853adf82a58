"""How colleagues speak of time: what they take back, leave open, or say has gone by. Monday 16 March 2026, ten o'clock,
unless a test says otherwise. A line a rule: without it the line fails."""

import time as clock
from datetime import datetime

import pytest

from core.timetalk import contradicts, parse, promised
from tests.unit.time_words import NOW, SHANGHAI, said

THURSDAY = datetime(2026, 10, 15, 11, 30, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("周三不行，周四吧", ["03-19"]),
        ("三点半不行，四点吧", ["03-16 16:00"]),
        ("不是周四，是周五", ["03-20"]),
        ("别周五，下周一再说", ["03-23"]),
        ("周三，不对，周四", ["03-19"]),
        ("周四，啊不，周五晚上", ["03-20 18:00..03-20 22:00"]),
        ("下周二而不是下周三", ["03-24"]),
        ("周三来不及，周四够呛，周五", ["03-20"]),
        ("周二、周三都行，周四不行", ["03-17", "03-18"]),
        ("not today, tomorrow at 11", ["03-17 11:00"]),
        ("Wednesday doesn't work, Thursday then", ["03-19"]),
        ("can't do today, tomorrow is ok", ["03-17"]),
        ("Monday, no wait, Tuesday", ["03-17"]),
        ("Thursday, sorry, Friday", ["03-20"]),
        ("4pm instead of 3pm", ["03-16 16:00"]),
    ],
)
def test_a_time_that_is_taken_back_goes(text: str, stands: list[str]) -> None:
    assert said(text) == stands


def test_a_slip_of_the_tongue_is_part_of_what_takes_its_place() -> None:
    assert [e.text for e in parse("就周三，不对，周四上午吧", NOW)] == ["周三，不对，周四上午"]


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        # Nothing else is proposed.
        ("周三不行", ["03-18"]),
        ("Wednesday doesn't work", ["03-18"]),
        # A question turns nothing down.
        ("周三不行吗？那周四", ["03-18", "03-19"]),
        ("不是周四吗，周五交？", ["03-19", "03-20"]),
        ("特别周五人多，周四去", ["03-20", "03-19"]),
        ("why not Thursday, Friday is full", ["03-19", "03-20"]),
        ("if not Friday, Monday", ["03-20", "03-23"]),
        # To be away is a fact about a time.
        ("周三不在，周四回", ["03-18", "03-19"]),
    ],
)
def test_a_time_that_is_not_taken_back_stands(text: str, stands: list[str]) -> None:
    assert said(text) == stands


@pytest.mark.parametrize(
    ("text", "either"),
    [
        ("明天或后天", [True, True]),
        ("周三还是周四下午", [True, True]),
        ("不是周四就是周五", [True, True]),
        ("周一、周三或周五", [True, True, True]),
        ("tomorrow or Wednesday", [True, True]),
        ("the 11th, the 12th or the 13th", [True, True, True]),
        ("周四给初稿，周五给终稿", [False, False]),
        ("明天", [False]),
    ],
)
def test_alternatives_are_told_as_such(text: str, either: list[bool]) -> None:
    assert [e.either for e in parse(text, NOW)] == either


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("刚才九点半还在的", "03-16 09:30"),
        ("九点一刻已经开始了", "03-16 09:15"),
        ("早上八点就到了", "03-16 08:00"),
        ("9点的时候我还没看到", "03-16 09:00"),
        ("三点就到了", "03-16 15:00"),
        ("三点已经有会了", "03-16 15:00"),
        ("大家都周五交", "03-20"),
        ("周五已经约了人", "03-20"),
        ("I got tickets for Friday", "03-20"),
        ("it started at quarter past nine", "03-16 09:15"),
        ("We shipped on Friday", "03-13"),
        ("I called him at nine", "03-16 09:00"),
        # What is to be, is asked or is only reported looks ahead.
        ("can you get it signed Friday", "03-20"),
        ("he said Friday", "03-20"),
        ("it will be finished Friday", "03-20"),
    ],
)
def test_what_has_happened_lies_behind(text: str, start: str) -> None:
    assert said(text) == [start]


@pytest.mark.parametrize("text", ["从上周五到现在一直没动静", "上周五至今"])
def test_what_lasts_until_now_is_a_span_that_ends_now(text: str) -> None:
    assert [(e.start, e.end) for e in parse(text, NOW)] == [(datetime(2026, 3, 13, tzinfo=SHANGHAI), NOW)]


def test_what_lasts_until_now_began_before() -> None:
    assert said("周五到现在") == ["03-13 00:00..03-16 10:00"]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("伦敦时间下午三点的会", "2026-03-16T23:00:00+08:00"),
        ("call at 9am New York time", "2026-03-16T21:00:00+08:00"),
    ],
)
def test_a_clock_of_another_zone_is_told_in_ones_own(text: str, start: str) -> None:
    found = [e for e in parse(text, NOW) if e.start]
    assert [e.start.isoformat() for e in found if e.start] == [start]
    assert all(text[slice(*e.pos)] == e.text for e in found)


def test_a_promise_in_another_zone_is_kept_there() -> None:
    at = promised("I'll send it by 9am New York time", NOW)
    assert at is not None
    assert at.isoformat() == "2026-03-16T21:00:00+08:00"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("差一刻三点集合", ["03-16 14:45"]),
        ("三点差五分", ["03-16 14:55"]),
        ("明天差一刻七点", ["03-17 06:45"]),
        ("3.18号的版本", ["03-18"]),
        ("4.15前完成", ["<04-15"]),
        ("评分4.5以上", []),
        ("今天之内", ["<03-16"]),
        ("国庆放假前一天", ["09-30"]),
        ("国庆前最后一个工作日", ["09-30"]),
        ("元旦后第一个工作日", ["01-04"]),
        ("下个月第一个工作日", ["04-01"]),
        ("4月上旬", ["04-01..04-11"]),
        ("4月下旬", ["04-21..05-01"]),
        ("10月的最后一天", ["10-31"]),
        ("三点以后五点之前", ["03-16 15:00..03-16 17:00"]),
        ("到4月15号为止", ["<04-15"]),
        ("一个季度一次", ["FREQ=MONTHLY;INTERVAL=3"]),
        ("三天来了一次", ["03-13..03-16"]),
        ("每月15号和最后一天", ["FREQ=MONTHLY;BYMONTHDAY=15,-1"]),
        ("3号会议室，下午四点", ["03-16 16:00"]),
        ("3/25-3/28 封网", ["03-25..03-29"]),
        ("这周四周五", ["03-19", "03-20"]),
        ("中秋国庆放假", ["09-25", "10-01"]),
        ("24号25号两天", ["03-24", "03-25"]),
        ("三天后的下午两点", ["03-19 14:00"]),
        ("我可能周二晚一点", ["03-17"]),
        ("下午两三点", ["03-16 13:00..03-16 18:00"]),
        ("明天晚上六点半吃饭，八点唱歌", ["03-17 18:30", "03-17 20:00"]),
        ("明天上午9点，最晚10点", ["03-17 09:00", "<03-17 10:00"]),
        ("明天上午或者下午", ["03-17 08:00..03-17 12:00", "03-17 13:00..03-17 18:00"]),
        ("11.11零点开抢", ["11-11 00:00"]),
        ("下午3点, 不, 3点半", ["03-16 15:30"]),
        ("十天半个月吧", []),
        ("一周两次", []),
        ("一周一次", ["FREQ=WEEKLY"]),
        ("五一回来", ["05-01"]),
        ("在五一路等我", []),
        ("挑一天聊聊", []),
        ("三天两头来问", []),
        ("一时半会儿搞不定", []),
        ("暑假", ["07-01..09-01"]),
        ("最近两个季度", ["07-01..01-01"]),
    ],
)
def test_chinese(text: str, found: list[str]) -> None:
    assert said(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sometime next week", []),
        ("sometime this Friday", ["03-20"]),
        ("Friday by COB", ["<03-20 18:00"]),
        ("before Q3 ends", ["<09-30"]),
        ("March in two years", ["03-01..04-01"]),
        ("we may in two years", ["03-16"]),
        ("by year end", ["<12-31"]),
        ("mid-month", ["03-11..03-21"]),
        ("early April", ["04-01..04-11"]),
        ("first half of the year", ["01-01..07-01"]),
        ("moved the 10:30 to 11", ["03-16 10:30", "03-16 11:00"]),
        ("from 3 to 5pm", ["03-16 15:00..03-16 17:00"]),
        ("10 to 11", ["03-16 10:00..03-16 11:00"]),
        ("out five to seven today", ["03-16 17:00..03-16 19:00"]),
        ("the price went up from 15 to 18", []),
        ("before 3 or after 5", ["<03-16 15:00", ">03-16 17:00"]),
        ("after 3 and before 5", ["03-16 15:00..03-16 17:00"]),
        ("a quarter to seven tomorrow", ["03-17 06:45"]),
        ("half past midnight", ["03-17 00:30"]),
        ("before midnight tonight", ["<03-17 00:00"]),
        ("left it at 11 last night", ["03-15 23:00"]),
        ("June 7 and 8", ["06-07", "06-08"]),
        ("3/25-3/28", ["03-25..03-29"]),
        ("03-25 09:00", ["03-25 09:00"]),
        ("the week of June 8", ["06-08..06-15"]),
        ("week after next", ["03-30..04-06"]),
        ("last working day of next month", ["04-30"]),
        ("three days from now at 2pm", ["03-19 14:00"]),
        ("her birthday is April 8, remind me one day before", ["04-08", "04-07"]),
        ("Wednesday, second one later", ["03-18"]),
        ("set a timer for 5 minutes", ["03-16 10:05"]),
        ("the course will last three days", ["=259200"]),
        ("the 5 upcoming years", ["03-16..03-16"]),
        ("only 3 next week", ["03-23..03-30"]),
        ("hang on a sec", []),
        ("twice a week", []),
        ("it's almost 6, still no word", ["03-16 18:00"]),
        ("starting in November", [">11-01"]),
        ("tomorrow at 9, 10 at the latest", ["03-17 09:00", "<03-17 10:00"]),
        ("the 23rd, 24th or 25th all work", ["03-23", "03-24", "03-25"]),
        ("Friday at 2 works for me", ["03-20 14:00"]),
        ("free Thu 3-4?", ["03-19 15:00..03-19 16:00"]),
        ("backup nightly at 11", ["FREQ=DAILY;BYHOUR=23;BYMINUTE=0"]),
        ("on the first day of each quarter", ["FREQ=MONTHLY;BYMONTH=1,4,7,10;BYMONTHDAY=1"]),
        ("once a quarter", ["FREQ=MONTHLY;INTERVAL=3"]),
        ("semi-annually", ["FREQ=MONTHLY;INTERVAL=6"]),
        ("send the weekly report on Friday", ["03-20"]),
        ("a weekly report", ["FREQ=WEEKLY"]),
        ("every month on the 1st before end of day", ["FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=18;BYMINUTE=0"]),
        ("before New Year's", ["<12-31"]),
        ("Good Friday", ["04-03"]),
        ("last two quarters", ["07-01..01-01"]),
        ("2026-03-28 17:00:00/2026-03-29 21:00:00", ["03-28 17:00..03-29 21:00"]),
        ("between the end of 2007 and the end of 2008", ["01-01..01-01"]),
    ],
)
def test_english(text: str, found: list[str]) -> None:
    assert said(text) == found


@pytest.mark.parametrize(
    ("text", "at", "against"),
    [
        ("明天给你", "03-17 18:00", False),
        ("明天给你", "03-18 18:00", True),
        ("周五前给你", "03-19 09:00", False),
        ("周五前给你", "03-21 09:00", True),
        ("明天上午", "03-17 07:30", False),
        ("明天上午", "03-17 15:00", True),
        ("周三或周四", "03-19 10:00", False),
        ("三点以后", "03-16 14:00", True),
        ("提前半小时", "03-20 10:00", False),
        ("尽快", "03-20 10:00", False),
        ("好的", "03-20 10:00", False),
    ],
)
def test_a_moment_goes_against_the_words_or_not(text: str, at: str, against: bool) -> None:
    assert contradicts(datetime.fromisoformat(f"2026-{at}+08:00"), text, NOW) is against


def test_working_days_are_those_of_the_calendar() -> None:
    before_the_week_off = datetime(2026, 9, 30, 10, 20, tzinfo=SHANGHAI)
    # The first to the seventh are off, Saturday the tenth is worked.
    assert said("三个工作日后", before_the_week_off) == ["10-10"]
    assert said("the next working day", before_the_week_off) == ["10-08"]


def test_a_turned_down_time_still_lends_its_day() -> None:
    assert said("周五三点不行，四点呢", THURSDAY) == ["10-16 16:00"]


HOSTILE = (
    "周",
    "明天",
    "三点或",
    "周三，不对，",
    "每",
    "半",
    "at ",
    "monday and ",
    "the day before ",
    "not ",
    "1:",
    "x",
    # A recurrence looks for its begin and end in its sentence: once for all of them.
    "daily x ",
    "号楼3号",
    "9 to ",
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_reading_takes_time_in_proportion_to_the_length(unit: str) -> None:
    def spent(length: int) -> float:
        text = (unit * (length // len(unit) + 1))[:length]
        begun = clock.process_time()
        parse(text, NOW.replace(microsecond=length))
        return clock.process_time() - begun

    spent(300)
    once, many = min(spent(1000), spent(999)), min(spent(4000), spent(3999))
    # Four times as much; a quadratic reader would take sixteen times as long.
    assert many < 9 * once + 0.02
