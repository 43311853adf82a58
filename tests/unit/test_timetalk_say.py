"""Times as they are said, on Monday 16 March 2026, ten in the morning."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.timetalk import said_with_date, say_duration, say_moment

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("moment", "zh", "en"),
    [
        ("2026-03-16T15:00", "今天 15:00", "today 15:00"),
        ("2026-03-17T09:00", "明早 9:00", "tomorrow 9:00"),
        ("2026-03-17T15:00", "明天 15:00", "tomorrow 15:00"),
        ("2026-03-19T15:00", "周四 15:00", "Thu 15:00"),
        ("2026-03-19T03:00", "周四 03:00", "Thu 03:00"),
        ("2026-03-22T09:00", "周日 9:00", "Sun 9:00"),
        ("2026-03-23T09:00", "3月23日 9:00", "Mar 23, 9:00"),
        ("2026-03-15T09:00", "昨天 9:00", "yesterday 9:00"),
        ("2027-03-18T15:00", "2027年3月18日 15:00", "Mar 18 2027, 15:00"),
    ],
)
def test_say_moment(moment: str, zh: str, en: str) -> None:
    at = datetime.fromisoformat(moment).replace(tzinfo=NOW.tzinfo)
    assert (say_moment(at, NOW, "zh-CN"), say_moment(at, NOW, "en")) == (zh, en)


AROUND = {
    # near midnight, on a Sunday night
    "2026-03-22T23:50": [
        ("2026-03-22T23:55", "今天 23:55", "today 23:55"),
        ("2026-03-23T00:10", "明天 00:10", "tomorrow 00:10"),
        ("2026-03-23T09:00", "明早 9:00", "tomorrow 9:00"),
        ("2026-03-24T09:00", "下周二 9:00", "Tue 9:00"),
        ("2026-03-28T09:00", "下周六 9:00", "Sat 9:00"),
        ("2026-03-29T09:00", "3月29日 9:00", "Mar 29, 9:00"),
        ("2026-03-21T18:00", "昨天 18:00", "yesterday 18:00"),
        ("2026-03-20T18:00", "3月20日 18:00", "Mar 20, 18:00"),
    ],
    # on a Monday just after midnight
    "2026-03-16T00:05": [
        ("2026-03-15T23:59", "昨天 23:59", "yesterday 23:59"),
        ("2026-03-16T00:10", "今天 00:10", "today 00:10"),
        ("2026-03-16T08:30", "今天 08:30", "today 08:30"),
        ("2026-03-16T23:59", "今天 23:59", "today 23:59"),
        ("2026-03-17T00:00", "明天 00:00", "tomorrow 00:00"),
        ("2026-03-17T05:00", "明早 5:00", "tomorrow 05:00"),
        ("2026-03-17T09:59", "明早 9:59", "tomorrow 9:59"),
        ("2026-03-17T10:00", "明天 10:00", "tomorrow 10:00"),
        ("2026-03-18T06:30", "周三 06:30", "Wed 06:30"),
        ("2026-03-22T12:00", "周日 12:00", "Sun 12:00"),
    ],
    # on a Friday evening
    "2026-03-20T17:30": [
        ("2026-03-20T18:00", "今天 18:00", "today 18:00"),
        ("2026-03-21T09:00", "明早 9:00", "tomorrow 9:00"),
        ("2026-03-22T09:00", "周日 9:00", "Sun 9:00"),
        ("2026-03-23T09:00", "下周一 9:00", "Mon 9:00"),
        ("2026-03-26T18:00", "下周四 18:00", "Thu 18:00"),
        ("2026-03-27T18:00", "3月27日 18:00", "Mar 27, 18:00"),
        ("2026-03-16T09:00", "3月16日 9:00", "Mar 16, 9:00"),
    ],
    # at the end of a month, of a short one, and of the one with a leap day
    "2026-04-29T10:00": [
        ("2026-04-30T18:00", "明天 18:00", "tomorrow 18:00"),
        ("2026-05-01T09:00", "周五 9:00", "Fri 9:00"),
        ("2026-05-06T09:00", "5月6日 9:00", "May 6, 9:00"),
    ],
    "2026-02-28T10:00": [
        ("2026-03-01T09:00", "明早 9:00", "tomorrow 9:00"),
        ("2026-03-02T09:00", "下周一 9:00", "Mon 9:00"),
    ],
    "2028-02-28T10:00": [
        ("2028-02-29T12:00", "明天 12:00", "tomorrow 12:00"),
        ("2028-03-01T09:00", "周三 9:00", "Wed 9:00"),
        ("2028-03-31T09:00", "3月31日 9:00", "Mar 31, 9:00"),
    ],
    # across the end of a year
    "2026-12-30T10:00": [
        ("2026-12-31T23:59", "明天 23:59", "tomorrow 23:59"),
        ("2027-01-01T09:00", "周五 9:00", "Fri 9:00"),
        ("2027-01-04T09:00", "下周一 9:00", "Mon 9:00"),
        ("2027-01-06T09:00", "1月6日 9:00", "Jan 6, 9:00"),
        ("2027-02-28T09:00", "2月28日 9:00", "Feb 28, 9:00"),
        ("2027-12-29T09:00", "2027年12月29日 9:00", "Dec 29 2027, 9:00"),
        ("2026-12-25T09:00", "12月25日 9:00", "Dec 25, 9:00"),
    ],
    "2027-01-02T10:00": [
        ("2027-01-01T18:00", "昨天 18:00", "yesterday 18:00"),
        ("2026-12-31T18:00", "12月31日 18:00", "Dec 31, 18:00"),
        ("2026-12-20T18:00", "12月20日 18:00", "Dec 20, 18:00"),
        ("2027-12-31T18:00", "2027年12月31日 18:00", "Dec 31 2027, 18:00"),
        ("2025-12-31T18:00", "2025年12月31日 18:00", "Dec 31 2025, 18:00"),
    ],
}


@pytest.mark.parametrize(
    ("now", "moment", "zh", "en"), [(now, *case) for now, cases in AROUND.items() for case in cases]
)
def test_a_moment_around_midnights_weekends_and_ends_of_months_and_years(
    now: str, moment: str, zh: str, en: str
) -> None:
    at, here = (datetime.fromisoformat(t).replace(tzinfo=NOW.tzinfo) for t in (moment, now))
    assert (say_moment(at, here, "zh-CN"), say_moment(at, here, "en")) == (zh, en)


@pytest.mark.parametrize(
    ("zone", "now", "moment", "zh", "en"),
    [
        ("Europe/London", "2026-03-16T07:00", "2026-03-16T09:00", "明天 01:00", "tomorrow 01:00"),
        ("Europe/London", "2026-03-17T09:00", "2026-03-17T07:30", "昨天 23:30", "yesterday 23:30"),
        ("America/New_York", "2026-03-16T10:00", "2026-03-16T15:00", "明天 03:00", "tomorrow 03:00"),
        ("America/New_York", "2026-12-31T20:00", "2027-01-01T12:00", "今天 23:00", "today 23:00"),
        ("America/New_York", "2026-12-31T20:00", "2027-01-01T14:00", "明天 01:00", "tomorrow 01:00"),
        ("Pacific/Auckland", "2026-03-16T18:00", "2026-03-16T19:30", "明天 00:30", "tomorrow 00:30"),
        ("Asia/Kolkata", "2026-03-16T10:00", "2026-03-16T15:00", "今天 12:30", "today 12:30"),
        # the clocks of London go forward between the two
        ("Europe/London", "2026-03-28T18:00", "2026-03-30T16:00", "下周一 9:00", "Mon 9:00"),
    ],
)
def test_a_moment_is_said_on_the_clock_of_whoever_reads_it(zone: str, now: str, moment: str, zh: str, en: str) -> None:
    at, here = (datetime.fromisoformat(t).replace(tzinfo=NOW.tzinfo) for t in (moment, now))
    reader = here.astimezone(ZoneInfo(zone))
    assert (say_moment(at, reader, "zh-CN"), say_moment(at, reader, "en")) == (zh, en)


@pytest.mark.parametrize(("moment", "zh"), [("2026-03-22T15:00", "周日 15:00"), ("2026-03-23T15:00", "下周一 15:00")])
def test_a_weekday_of_next_week_is_said_as_such_in_chinese(moment: str, zh: str) -> None:
    friday = NOW.replace(day=20)
    assert say_moment(datetime.fromisoformat(moment).replace(tzinfo=NOW.tzinfo), friday, "zh-CN") == zh


def test_a_moment_is_said_in_the_zone_of_now() -> None:
    at = datetime(2026, 3, 16, 7, 0, tzinfo=ZoneInfo("UTC"))
    assert say_moment(at, NOW, "zh") == "今天 15:00"


@pytest.mark.parametrize(
    ("delta", "zh", "en"),
    [
        (timedelta(seconds=30), "不到 1 分钟", "less than 1 min"),
        (timedelta(minutes=1), "1 分钟", "1 min"),
        (timedelta(hours=3, minutes=5), "3 小时 5 分钟", "3 h 5 min"),
        (timedelta(hours=3), "3 小时", "3 h"),
        (timedelta(days=2, hours=4, minutes=9), "2 天 4 小时", "2 d 4 h"),
        (timedelta(days=2, minutes=9), "2 天", "2 d"),
    ],
)
def test_say_duration(delta: timedelta, zh: str, en: str) -> None:
    assert (say_duration(delta, "zh-CN"), say_duration(delta, "en")) == (zh, en)


@pytest.mark.parametrize(
    ("words", "dated"),
    [
        ("后天", "后天（3月18日）"),
        ("周四能提测", "周四能提测（3月19日）"),
        ("前端部分周四", "前端部分周四（3月19日）"),
        ("周四或周五", "周四或周五（3月19日、3月20日）"),
        ("明天给，后天测", "明天给（3月17日），后天测（3月18日）"),
        ("周三…周三我要体检，周五吧", "周三…周三我要体检（3月18日），周五吧（3月20日）"),
        ("十天后", "十天后（3月26日）"),
        ("三天内给", "三天内给（3月19日）"),
        ("within two days", "within two days (Mar 18)"),
        ("三小时内给", "三小时内给"),
        ("最近三天内", "最近三天内"),
        ("过去三天内没动静", "过去三天内没动静"),
        ("三天内坏了两次", "三天内坏了两次"),
        ("周四能给 v2.0", "周四能给 v2.0（3月19日）"),
        ("周四把 plan.xlsx 给你，1,000 条", "周四把 plan.xlsx 给你（3月19日），1,000 条"),
        ("Thursday with v2.0.", "Thursday with v2.0 (Mar 19)."),
        ("Thursday", "Thursday (Mar 19)"),
        ("I can do Thursday, maybe Friday.", "I can do Thursday (Mar 19), maybe Friday (Mar 20)."),
        ("3月18日给", "3月18日给"),
        ("周四（3月19日）", "周四（3月19日）"),
        ("Tuesday March 17", "Tuesday March 17"),
        ("在做了", "在做了"),
        ("两小时后", "两小时后"),
    ],
)
def test_the_absolute_date_is_added_where_a_relative_day_is_said(words: str, dated: str) -> None:
    assert said_with_date(words, NOW) == dated
