"""What the parser makes of words of time, read on Monday 16 March 2026, ten in the morning."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil import tz

from core.timetalk import TimeExpr, TimeKind, answer_line, parse, parse_duration

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def only(text: str, now: datetime = NOW) -> TimeExpr:
    found = [e for e in parse(text, now) if e.kind != TimeKind.vague]
    assert len(found) == 1, (text, found)
    return found[0]


def shown(at: datetime | None) -> str | None:
    return None if at is None else f"{at:%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("text", "start", "grain"),
    [
        ("周四", "03-19 00:00", "day"),
        ("周一", "03-23 00:00", "day"),
        ("下周三", "03-25 00:00", "day"),
        ("本周五", "03-20 00:00", "day"),
        ("下下周一", "03-30 00:00", "day"),
        ("上周五", "03-13 00:00", "day"),
        ("后天", "03-18 00:00", "day"),
        ("大后天", "03-19 00:00", "day"),
        ("十天后", "03-26 00:00", "day"),
        ("一周后", "03-23 00:00", "day"),
        ("两个月后", "05-16 00:00", "day"),
        ("半小时后", "03-16 10:30", "minute"),
        ("过兩個鐘", "03-16 12:00", "minute"),
        ("3月18号", "03-18 00:00", "day"),
        ("十五号", "04-15 00:00", "day"),
        ("下个月15号", "04-15 00:00", "day"),
        ("3月14日", "03-14 00:00", "day"),
        ("１８号下午３点", "03-18 15:00", "minute"),
        ("3月18日（周三）下午3点", "03-18 15:00", "minute"),
        ("三点半", "03-16 15:30", "minute"),
        ("两点一刻", "03-16 14:15", "minute"),
        ("周四三点", "03-19 15:00", "minute"),
        ("明晚十二点", "03-18 00:00", "minute"),
        ("凌晨两点", "03-17 02:00", "minute"),
        ("朝早九點半", "03-17 09:30", "minute"),
        ("2026-03-18 15:00", "03-18 15:00", "minute"),
        ("国庆", "10-01 00:00", "day"),
        ("中秋节", "09-25 00:00", "day"),
        ("四月第一个周一", "04-06 00:00", "day"),
        ("tomorrow", "03-17 00:00", "day"),
        ("day after tomorrow", "03-18 00:00", "day"),
        ("this Friday", "03-20 00:00", "day"),
        ("next Friday", "03-27 00:00", "day"),
        ("Friday next week", "03-27 00:00", "day"),
        ("two weeks from Monday", "04-06 00:00", "day"),
        ("the 15th", "04-15 00:00", "day"),
        ("March 18", "03-18 00:00", "day"),
        ("in 2 hours", "03-16 12:00", "minute"),
        ("in an hour and a half", "03-16 11:30", "minute"),
        ("3pm", "03-16 15:00", "minute"),
        ("noon", "03-16 12:00", "minute"),
        ("half past two", "03-16 14:30", "minute"),
        ("quarter to ten tomorrow morning", "03-17 09:45", "minute"),
        ("tonight at 8", "03-16 20:00", "minute"),
        ("Thursday 3pm", "03-19 15:00", "minute"),
        ("Friday EOD", "03-20 18:00", "minute"),
        ("last fri in feb", "02-27 00:00", "day"),
    ],
)
def test_moments(text: str, start: str, grain: str) -> None:
    expr = only(text)
    assert (expr.kind, shown(expr.start), expr.grain) == (TimeKind.moment, start, grain)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("下周", "03-23 00:00", "03-30 00:00"),
        ("这周末", "03-21 00:00", "03-23 00:00"),
        ("月底", "03-27 00:00", "04-01 00:00"),
        ("下个月初", "04-01 00:00", "04-06 00:00"),
        ("明早", "03-17 08:00", "03-17 12:00"),
        ("今晚", "03-16 18:00", "03-16 22:00"),
        ("三天内", "03-16 10:00", "03-19 10:00"),
        ("两小时以内", "03-16 10:00", "03-16 12:00"),
        ("周四下午两点到四点", "03-19 14:00", "03-19 16:00"),
        ("明天9点到11点半", "03-17 09:00", "03-17 11:30"),
        ("3月15-20号", "03-15 00:00", "03-21 00:00"),
        ("周三晚", "03-18 18:00", "03-18 22:00"),
        ("between Monday and Wednesday", "03-23 00:00", "03-26 00:00"),
        ("Dec 9th between 8am and 2pm", "12-09 08:00", "12-09 14:00"),
        ("3月20日到25日", "03-20 00:00", "03-26 00:00"),
        ("周三到周五", "03-18 00:00", "03-21 00:00"),
        ("next week", "03-23 00:00", "03-30 00:00"),
        ("end of week", "03-20 00:00", "03-23 00:00"),
        ("tomorrow morning", "03-17 08:00", "03-17 12:00"),
        ("within 30 minutes", "03-16 10:00", "03-16 10:30"),
        ("from 9am to 5pm tomorrow", "03-17 09:00", "03-17 17:00"),
        ("12 to 15 October", "10-12 00:00", "10-16 00:00"),
        ("a week starting tomorrow", "03-17 00:00", "03-24 00:00"),
    ],
)
def test_spans(text: str, start: str, end: str) -> None:
    expr = only(text)
    assert (expr.kind, shown(expr.start), shown(expr.end)) == (TimeKind.span, start, end)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("下周五前", "03-27 23:59"),
        ("最晚周五", "03-20 23:59"),
        ("明天中午前", "03-17 12:00"),
        ("今天下班前要", "03-16 18:00"),
        ("18点前给我", "03-16 18:00"),
        ("年前", "02-05 23:59"),
        ("午饭前", "03-16 12:00"),
        ("年底前", "12-31 23:59"),
        ("3月20日或之前", "03-20 23:59"),
        ("by Friday", "03-20 23:59"),
        ("by EOD", "03-16 18:00"),
        ("before 4pm tomorrow", "03-17 16:00"),
        ("tomorrow before 4pm", "03-17 16:00"),
        ("no later than Friday noon", "03-20 12:00"),
    ],
)
def test_deadlines(text: str, end: str) -> None:
    expr = only(text)
    assert (expr.kind, expr.start, shown(expr.end)) == (TimeKind.deadline, None, end)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("周四三点以后", "03-19 15:00"),
        ("从下周一开始", "03-23 00:00"),
        ("since Monday", "03-16 00:00"),
        ("after 3pm", "03-16 15:00"),
    ],
)
def test_since(text: str, start: str) -> None:
    expr = only(text)
    assert (expr.kind, shown(expr.start)) == (TimeKind.since, start)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("两个半小时", timedelta(hours=2, minutes=30)),
        ("一刻钟", timedelta(minutes=15)),
        ("两天三小时", timedelta(days=2, hours=3)),
        ("半天", timedelta(hours=12)),
        ("2 hours and 15 minutes", timedelta(hours=2, minutes=15)),
        ("an hour and a half", timedelta(minutes=90)),
        ("three weeks", timedelta(weeks=3)),
    ],
)
def test_durations(text: str, length: timedelta) -> None:
    expr = only(text)
    assert (expr.kind, expr.duration) == (TimeKind.duration, length)


@pytest.mark.parametrize(
    ("text", "rrule"),
    [
        ("每天 18:30", "FREQ=DAILY;BYHOUR=18;BYMINUTE=30"),
        ("每晚十点", "FREQ=DAILY;BYHOUR=22;BYMINUTE=0"),
        ("每周一上午9点", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"),
        ("每周一、三、五", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
        ("周一到周五每天9点", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("每个工作日", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("工作日早上七点五十", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=50"),
        ("隔一周的周四", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"),
        ("每月最后一天", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("每个月25号", "FREQ=MONTHLY;BYMONTHDAY=25"),
        ("每月1号、15号早上9点", "FREQ=MONTHLY;BYMONTHDAY=1,15;BYHOUR=9;BYMINUTE=0"),
        ("每季度最后一天", "FREQ=MONTHLY;BYMONTH=3,6,9,12;BYMONTHDAY=-1"),
        ("每天下班前", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0"),
        ("每半小时", "FREQ=MINUTELY;INTERVAL=30"),
        ("every weekday at 9", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("every Monday 9:30", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30"),
        ("weekdays at 5", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=17;BYMINUTE=0"),
        ("every night by 11", "FREQ=DAILY;BYHOUR=23;BYMINUTE=0"),
        ("every other week on mon and fri", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"),
        ("on the last day of each month", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("2nd and last fri of each month", "FREQ=MONTHLY;BYDAY=2FR,-1FR"),
        ("every year on December 21st and 31st", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=21,31"),
        ("every 45 mins", "FREQ=MINUTELY;INTERVAL=45"),
    ],
)
def test_recurrences(text: str, rrule: str) -> None:
    expr = only(text)
    assert (expr.kind, expr.rrule) == (TimeKind.recurrence, rrule)


def test_a_recurrence_takes_its_begin_and_end_from_its_sentence() -> None:
    rule = next(e for e in parse("从明天开始到这周日，每天晚上六点问老彭", NOW) if e.rrule)
    assert (shown(rule.start), shown(rule.end)) == ("03-17 00:00", "03-23 00:00")
    rule = next(e for e in parse("starting tomorrow, every day at 7 until Friday", NOW) if e.rrule)
    assert (shown(rule.start), shown(rule.end)) == ("03-17 00:00", "03-20 23:59")


@pytest.mark.parametrize(
    "text", ["过几天", "这两天", "明后天", "3-5天", "尽快", "一会儿", "soon", "sometime", "两三天", "过两天"]
)
def test_vague_words_name_no_time(text: str) -> None:
    found = parse(text, NOW)
    assert found
    assert all(e.kind == TimeKind.vague for e in found)


@pytest.mark.parametrize(
    "text",
    [
        "一点也不",
        "第三点",
        "有一点",
        "我有两点建议",
        "快一点",
        "早一点给你",
        "半天没回我",
        "周凯在吗",
        "问周一鸣要报告",
        "赵国庆来了",
        "叫上周凯一起",
        "李四周报发了吗",
        "催张三日报",
        "张三点头了",
        "线下周会",
        "ask June about the report",
        "v2.0",
        "3.5",
        "打 13800138000",
        "3号楼",
        "坐二号线",
        "早上好",
        "今日头条",
        "评分4.5分以上",
        "May I ask",
        "This may take longer",
        "he may march on",
        "I sat in the sun",
        "version 2.0.1 and 3.5",
        "call 555-1234",
        "24/7 support",
        "the second item",
        "by 5 people",
        "two to four people",
        "Good morning",
    ],
)
def test_what_is_no_time_gives_nothing(text: str) -> None:
    assert parse(text, NOW) == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("帮我问张三周五能不能提测", "03-20 00:00"),
        ("问一下周四的会", "03-19 00:00"),
        ("问一下下周四的会", "03-26 00:00"),
        ("问一下周凯明天来不来", "03-17 00:00"),
        ("小周五点来", "03-16 17:00"),
        ("李四四号给", "04-04 00:00"),
        ("王五下午三点到", "03-16 15:00"),
    ],
)
def test_names_lend_nothing_to_a_time(text: str, start: str) -> None:
    assert shown(only(text).start) == start


def test_a_day_after_a_length_keeps_the_time_behind_it() -> None:
    assert shown(parse("三天后下午两点", NOW)[-1].start) == "03-19 14:00"


def test_two_days_named_with_and_are_two_moments() -> None:
    assert [shown(e.start) for e in parse("Tuesday and Thursday", NOW)] == ["03-17 00:00", "03-19 00:00"]


def test_before_a_feast_is_before_its_day() -> None:
    assert shown(only("五一前上线").end) == "04-30 23:59"
    assert shown(only("before Christmas").end) == "12-24 23:59"


def test_a_time_without_a_day_belongs_to_the_day_said_before() -> None:
    found = parse("定在周日凌晨两点切，四点前收工", NOW)
    assert [shown(e.start or e.end) for e in found] == ["03-22 02:00", "03-22 04:00"]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("五一前一天", "04-30 00:00"),
        ("国庆节的前三天上午九点", "09-28 09:00"),
        ("中秋后第二天", "09-27 00:00"),
        ("周五前一天", "03-19 00:00"),
        ("5月1日前两天", "04-29 00:00"),
        ("the day before Christmas", "12-24 00:00"),
        ("two days before Christmas at 9am", "12-23 09:00"),
        ("the day after the 15th", "04-16 00:00"),
        ("the eve of Christmas", "12-24 00:00"),
        ("remind me tomorrow at 9 of the dentist", "03-17 09:00"),
        ("ask Tom on the 20th whether it is done", "03-20 00:00"),
    ],
)
def test_days_beside_a_named_day(text: str, start: str) -> None:
    assert shown(only(text).start) == start


@pytest.mark.parametrize(
    ("text", "rrule"),
    [
        ("每隔一天", "FREQ=DAILY;INTERVAL=2"),
        ("每隔一个月", "FREQ=MONTHLY;INTERVAL=2"),
        ("每隔一小时", "FREQ=HOURLY"),
        ("每月最后一个工作日下午5点", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=17;BYMINUTE=0"),
        ("每月第一个工作日", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1"),
        ("the last working day of every month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("每天早晚八点", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"),
        ("每周一三五早上九点、晚上九点", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=9,21;BYMINUTE=0"),
        ("every day at 9 and 5", "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0"),
        ("every weekday at 9am and 5pm", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,17;BYMINUTE=0"),
        ("every day from 9am to 5pm", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
        ("every March 3 and 5", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3,5"),
        ("every night at half past two", "FREQ=DAILY;BYHOUR=2;BYMINUTE=30"),
    ],
)
def test_recurrences_of_several_hours_or_counted_days(text: str, rrule: str) -> None:
    assert only(text).rrule == rrule


def test_two_times_that_differ_in_the_minute_are_no_one_rule() -> None:
    assert [e.rrule for e in parse("每天9点和17点30分", NOW)] == ["FREQ=DAILY;BYHOUR=9;BYMINUTE=0", None]


def test_a_price_for_a_month_is_no_length_of_so_many() -> None:
    assert only("五千二一个月").duration == timedelta(days=30)
    assert only("一百零一天").duration == timedelta(days=101)


def test_the_day_before_a_named_day() -> None:
    found = parse("下周二我飞深圳 头天晚上八点提醒我", NOW)
    assert shown(found[-1].start) == "03-23 20:00"
    assert shown(parse("生日是下个月6号，提前三天早上九点", NOW)[-1].start) == "04-03 09:00"


def test_both_languages_are_read_in_one_text() -> None:
    assert [shown(e.start or e.end) for e in parse("周四 EOD 前，or by Friday noon", NOW)][-1] == "03-20 12:00"
    assert parse("tomorrow", NOW, "zh") == []


def test_positions_are_those_of_the_original_text() -> None:
    text = "好的，１８号下午３点　給你"
    expr = only(text)
    assert text[slice(*expr.pos)] == expr.text == "１８号下午３点"


def test_a_time_that_clocks_skip_is_the_first_after_the_gap() -> None:
    now = datetime(2026, 3, 7, 12, 0, tzinfo=ZoneInfo("America/New_York"))
    assert only("tomorrow 2:30am", now).start == datetime(2026, 3, 8, 3, 0, tzinfo=now.tzinfo)


def test_hours_are_counted_by_the_real_clock() -> None:
    now = datetime(2026, 3, 8, 1, 0, tzinfo=ZoneInfo("America/New_York"))
    start = only("in 2 hours", now).start
    assert start is not None
    assert start.isoformat() == "2026-03-08T04:00:00-04:00"


def test_now_must_carry_its_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        parse("明天", datetime(2026, 3, 16))  # noqa: DTZ001


def test_the_same_instant_in_two_zones_is_read_in_each() -> None:
    utc = NOW.astimezone(UTC)
    assert only("明天", NOW).start == datetime(2026, 3, 17, tzinfo=NOW.tzinfo)
    assert only("明天", utc).start == datetime(2026, 3, 17, tzinfo=UTC)
    assert only("明天", NOW.astimezone(tz.tzutc())).start == datetime(2026, 3, 17, tzinfo=UTC)


def test_a_line_is_answered_in_the_zone_it_was_asked_in() -> None:
    naive = answer_line({"id": 1, "text": "明天下午3点", "lang": "zh", "reference_time": "2026-03-16T10:00:00"})
    assert naive["id"] == 1
    assert naive["found"][0]["start"] == "2026-03-17T15:00:00"
    aware = answer_line({"id": "a", "text": "every day", "reference_time": "2026-03-16T10:00:00+08:00"})
    assert aware["found"][0]["rrule"] == "FREQ=DAILY"


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("30m", timedelta(minutes=30)),
        ("4h", timedelta(hours=4)),
        ("1d", timedelta(days=1)),
        ("90s", timedelta(seconds=90)),
        ("1h30m", timedelta(minutes=90)),
        ("239m", timedelta(minutes=239)),
    ],
)
def test_parse_duration(text: str, length: timedelta) -> None:
    assert parse_duration(text) == length


@pytest.mark.parametrize("text", ["", "10", "h", "1h and", "-1h", "999999999w"])
def test_parse_duration_refuses_the_rest(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        parse_duration(text)
