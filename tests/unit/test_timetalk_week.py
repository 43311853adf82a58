"""To a question about a coming week a bare weekday is one of that week; whatever else is said keeps its meaning."""

from datetime import datetime, timedelta

import pytest

from core.timetalk import said_with_date, seen_from

MONDAY = datetime.fromisoformat("2026-03-16T10:00:00+08:00")


@pytest.mark.parametrize(
    ("words", "asked", "dated"),
    [
        ("周二下午可以", "下周聊聊绩效", "周二下午可以（3月24日）"),
        ("周一吧", "下周聊聊绩效", "周一吧（3月23日）"),
        ("周五", "下下周能交吗", "周五（4月3日）"),
        ("周日", "下周聊聊绩效", "周日（3月29日）"),
        ("Tuesday works", "when could we talk next week", "Tuesday works (Mar 24)"),
        ("周二下午可以", "聊聊绩效", "周二下午可以（3月17日）"),
        ("周二下午可以", "这周聊聊绩效", "周二下午可以（3月17日）"),
        ("周二下午可以", "下周三能聊吗", "周二下午可以（3月17日）"),
        ("明天可以，周二也行", "下周聊聊绩效", "明天可以（3月17日），周二也行"),
        ("这周五可以", "下周聊聊绩效", "这周五可以（3月20日）"),
    ],
)
def test_a_weekday_is_one_of_the_week_asked_about(words: str, asked: str, dated: str) -> None:
    assert said_with_date(words, seen_from(words, asked, MONDAY, MONDAY)) == dated


def test_once_that_week_has_come_it_is_read_from_now() -> None:
    then = MONDAY + timedelta(days=7, hours=2)
    assert seen_from("周三吧", "下周聊聊绩效", MONDAY, then) == then
