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
