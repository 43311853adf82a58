"""Triggers in words, in both languages."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.render import JinjaRenderer
from core.schedule import read_when, say_trigger
from core.timetalk import say_exactly

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("when", "working", "zh", "en"),
    [
        ("2026-03-20T18:00", False, "周五 18:00", "Fri 18:00"),
        ("EVENT=部署完", False, "部署完", "部署完"),
        ("FREQ=DAILY", False, "每天 9:00", "every day at 9:00"),
        ("FREQ=DAILY;INTERVAL=2", False, "每 2 天 9:00", "every 2 days at 9:00"),
        ("FREQ=DAILY;BYHOUR=8,20", False, "每天 8:00、20:00", "every day at 8:00 and 20:00"),
        ("FREQ=DAILY", True, "每天 9:00，休息日除外", "every day at 9:00, except on days off"),
        ("FREQ=DAILY;BYMONTH=7,8", False, "7月、8月每天 9:00", "every day in July and August at 9:00"),
        ("FREQ=DAILY;BYDAY=MO,WE", False, "每周一、周三 9:00", "every Monday and Wednesday at 9:00"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", False, "每周一、周三、周五 9:00", "every Monday, Wednesday and Friday at 9:00"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", True, "每个工作日 9:00", "every working day at 9:00"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", False, "每周一到周五 9:00", "every Monday to Friday at 9:00"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", False, "每 2 周的周四 9:00", "every 2 weeks on Thursday at 9:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=25", False, "每月25日 9:00", "on the 25th of every month at 9:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,22", False, "每月1日、22日 9:00", "on the 1st and the 22nd of every month at 9:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", False, "每月最后一天 9:00", "on the last day of every month at 9:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=-3", False, "每月倒数第 3 天 9:00", "on the 3rd to last day of every month at 9:00"),
        ("FREQ=MONTHLY;BYDAY=1MO", False, "每月第一个周一 9:00", "on the first Monday of every month at 9:00"),
        ("FREQ=MONTHLY;BYDAY=-1FR", False, "每月最后一个周五 9:00", "on the last Friday of every month at 9:00"),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            True,
            "每月最后一个工作日 9:00",
            "on the last working day of every month at 9:00",
        ),
        (
            "FREQ=MONTHLY;BYMONTH=3,6,9,12;BYMONTHDAY=-1",
            False,
            "3月、6月、9月、12月的最后一天 9:00",
            "on the last day of March, June, September and December at 9:00",
        ),
        ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1", False, "每 3 个月的1日 9:00", "on the 1st of every 3 months at 9:00"),
        ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=5", False, "每年的3月5日 9:00", "every year on the 5th of March at 9:00"),
        ("FREQ=HOURLY", False, "每小时", "every hour"),
        ("EVERY 90m", False, "每 90 分钟", "every 90 minutes"),
        (
            "*/30 9-17 * * *",
            False,
            "每天 9:00–17:30（18 次）",
            "every day, 18 times between 9:00 and 17:30",
        ),
        ("FREQ=DAILY;UNTIL=20260326", False, "每天 9:00，到3月26日为止", "every day at 9:00, until Mar 26"),
        ("FREQ=DAILY;COUNT=5", False, "每天 9:00，共 5 次", "every day at 9:00, 5 times"),
    ],
)
def test_a_trigger_is_said_as_people_say_it(when: str, working: bool, zh: str, en: str) -> None:
    trigger = read_when(when, "Asia/Shanghai", NOW, working_days=working)
    assert say_trigger(trigger, NOW, "zh-CN") == zh
    assert say_trigger(trigger, NOW, "en") == en


@pytest.mark.parametrize(
    ("at", "zh", "en"),
    [
        ("2026-03-18T15:00", "3月18日周三 15:00", "Wed, Mar 18, 15:00"),
        ("2026-03-16T09:05", "3月16日周一 9:05", "Mon, Mar 16, 9:05"),
        ("2027-05-01T00:00", "2027年5月1日周六 0:00", "Sat, May 1 2027, 0:00"),
    ],
)
def test_a_moment_can_be_said_so_that_it_reads_the_same_on_any_day(at: str, zh: str, en: str) -> None:
    moment = datetime.fromisoformat(at).replace(tzinfo=NOW.tzinfo)
    assert say_exactly(moment, NOW.date(), "zh") == zh
    assert say_exactly(moment, NOW.date(), "en") == en


def test_templates_have_filters_for_both() -> None:
    trigger = read_when("FREQ=DAILY", "Asia/Shanghai", NOW).model_dump(mode="json")
    deeds = [{"key": "remind", "names": [], "text": "吃药"}]
    values = {
        "trigger": trigger,
        "first": "2026-03-17T01:00:00+00:00",
        "deeds": deeds,
        "changed": False,
        "paused": False,
    }
    text = JinjaRenderer().render("concern/schedule_kept", "zh-CN", now=NOW, timezone="Asia/Shanghai", **values)
    assert text == "好的，每天 9:00 提醒你：吃药。下一次是3月17日周二 9:00。不用了就说一声。"


@pytest.mark.parametrize(
    ("language", "reader", "said"),
    [
        ("zh-CN", "Asia/Shanghai", "好的，每天 9:00 提醒你：吃药。"),
        ("zh-CN", "Europe/London", "好的，每天 9:00（Asia/Shanghai）提醒你：吃药。"),
        ("en", "Europe/London", "OK: every day at 9:00 (Asia/Shanghai) I'll remind you: 吃药. "),
    ],
)
def test_a_rule_names_its_clock_where_the_reader_has_another(language: str, reader: str, said: str) -> None:
    trigger = read_when("FREQ=DAILY", "Asia/Shanghai", NOW).model_dump(mode="json")
    deeds = [{"key": "remind", "names": [], "text": "吃药"}]
    values = {"trigger": trigger, "first": "2026-03-17T01:00:00+00:00", "deeds": deeds, "changed": False}
    text = JinjaRenderer().render("concern/schedule_kept", language, now=NOW, timezone=reader, paused=False, **values)
    assert text.startswith(said)
