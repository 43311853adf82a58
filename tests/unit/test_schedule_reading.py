"""What a `when` is read as: moments, rules, cron lines, intervals, conditions; and what is refused, with which sentence."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.schedule import ScheduleTrigger, WhenError, is_past, next_run, read_when

SHANGHAI = "Asia/Shanghai"
NOW = datetime(2026, 3, 16, 10, 7, 30, tzinfo=ZoneInfo(SHANGHAI))  # a Monday


def read(when: str, **more: bool) -> ScheduleTrigger:
    return read_when(when, SHANGHAI, NOW, **more)


def following(when: str, count: int = 3, **more: bool) -> list[str]:
    trigger, at, found = read(when, **more), NOW, []
    for _ in range(count):
        nearest = next_run(trigger, at)
        if nearest is None:
            break
        at = nearest
        found.append(at.strftime("%m-%d %H:%M"))
    return found


@pytest.mark.parametrize(
    ("when", "at"),
    [
        ("2026-03-20T18:00:00+08:00", "2026-03-20T18:00:00+08:00"),
        ("2026-03-20T10:00:00Z", "2026-03-20T18:00:00+08:00"),
        ("2026-03-20T18:00", "2026-03-20T18:00:00+08:00"),
        ("2026-03-20 18:00:20", "2026-03-20T18:00:20+08:00"),
        ("20260320T180000+0800", "2026-03-20T18:00:00+08:00"),
        ("2026-03-20", "2026-03-20T09:00:00+08:00"),
        ("DTSTART=20260320T180000", "2026-03-20T18:00:00+08:00"),
    ],
)
def test_a_moment(when: str, at: str) -> None:
    trigger = read(when)
    assert (trigger.kind, trigger.when) == ("once", at)
    assert next_run(trigger, NOW) == datetime.fromisoformat(at)
    assert next_run(trigger, datetime.fromisoformat(at)) is None


@pytest.mark.parametrize(
    ("when", "runs"),
    [
        # a day without a time is nine o'clock
        ("FREQ=DAILY", ["03-17 09:00", "03-18 09:00", "03-19 09:00"]),
        ("RRULE:FREQ=DAILY;BYSECOND=0", ["03-17 09:00", "03-18 09:00", "03-19 09:00"]),
        ("freq=weekly;byday=fr", ["03-20 09:00", "03-27 09:00", "04-03 09:00"]),
        ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30", ["03-23 09:30", "03-30 09:30", "04-06 09:30"]),
        ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=11", ["03-16 11:00", "03-23 11:00", "03-30 11:00"]),
        ("FREQ=WEEKLY", ["03-23 09:00", "03-30 09:00", "04-06 09:00"]),
        ("FREQ=MONTHLY;BYMONTHDAY=25", ["03-25 09:00", "04-25 09:00", "05-25 09:00"]),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", ["03-31 09:00", "04-30 09:00", "05-31 09:00"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31", ["03-31 09:00", "05-31 09:00", "07-31 09:00"]),
        ("FREQ=MONTHLY;BYMONTH=3,6,9,12;BYMONTHDAY=-1", ["03-31 09:00", "06-30 09:00", "09-30 09:00"]),
        ("FREQ=MONTHLY;BYDAY=1MO", ["04-06 09:00", "05-04 09:00", "06-01 09:00"]),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", ["03-31 09:00", "04-30 09:00", "05-29 09:00"]),
        ("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", ["03-16 20:00", "03-17 08:00", "03-17 20:00"]),
        # with a start: the interval counts from there, and the time is its own unless the rule names one
        (
            "DTSTART=20260514T090000+0800;FREQ=WEEKLY;INTERVAL=2;BYDAY=TH",
            ["05-14 09:00", "05-28 09:00", "06-11 09:00"],
        ),
        ("DTSTART=20260301T073000;FREQ=DAILY;INTERVAL=5", ["03-21 07:30", "03-26 07:30", "03-31 07:30"]),
        ("DTSTART=20260318;FREQ=DAILY", ["03-18 09:00", "03-19 09:00", "03-20 09:00"]),
        ("DTSTART:20260318T010000Z\nRRULE:FREQ=DAILY", ["03-18 09:00", "03-19 09:00", "03-20 09:00"]),
        ("RRULE:FREQ=DAILY\nDTSTART:20260318T080000", ["03-18 08:00", "03-19 08:00", "03-20 08:00"]),
        # ends
        (
            "DTSTART=20260423T180000+0800;FREQ=DAILY;BYHOUR=18;BYMINUTE=0;UNTIL=20260424T180000+0800",
            ["04-23 18:00", "04-24 18:00"],
        ),
        ("FREQ=DAILY;UNTIL=20260318", ["03-17 09:00", "03-18 09:00"]),
        ("FREQ=DAILY;UNTIL=20260318T005959Z", ["03-17 09:00"]),
        ("FREQ=DAILY;COUNT=2;BYHOUR=7", ["03-17 07:00", "03-18 07:00"]),
        # cron
        ("0 9 * * 1", ["03-23 09:00", "03-30 09:00", "04-06 09:00"]),
        ("0 9 * * 0", ["03-22 09:00", "03-29 09:00", "04-05 09:00"]),
        ("0 9 * * 7", ["03-22 09:00", "03-29 09:00", "04-05 09:00"]),
        ("30 8 * * MON-WED", ["03-17 08:30", "03-18 08:30", "03-23 08:30"]),
        ("*/30 9-10 * * *", ["03-16 10:30", "03-17 09:00", "03-17 09:30"]),
        ("0 0 1 jan,7 *", ["07-01 00:00", "01-01 00:00", "07-01 00:00"]),
        ("15 */12 * * *", ["03-16 12:15", "03-17 00:15", "03-17 12:15"]),
        # intervals, from now
        ("EVERY 2h", ["03-16 12:07", "03-16 14:07", "03-16 16:07"]),
        ("every 90m", ["03-16 11:37", "03-16 13:07", "03-16 14:37"]),
        ("EVERY 2d", ["03-18 10:07", "03-20 10:07", "03-22 10:07"]),
        ("FREQ=HOURLY", ["03-16 11:07", "03-16 12:07", "03-16 13:07"]),
    ],
)
def test_a_rule(when: str, runs: list[str]) -> None:
    assert following(when) == runs


def test_what_was_read_is_whole_and_reads_back_as_itself() -> None:
    trigger = read("FREQ=YEARLY", working_days=True)
    assert trigger.when == "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=16;BYHOUR=9;BYMINUTE=0"
    assert trigger.working_days
    assert read_when(trigger.when, SHANGHAI, NOW, working_days=True) == trigger
    assert ScheduleTrigger.model_validate_json(trigger.model_dump_json()) == trigger


def test_a_zone_of_its_own() -> None:
    trigger = read("DTSTART;TZID=America/New_York:20260320T090000\nRRULE:FREQ=DAILY")
    assert trigger.timezone == "America/New_York"
    assert next_run(trigger, NOW) == datetime.fromisoformat("2026-03-20T13:00:00+00:00")


@pytest.mark.parametrize("when", ["EVENT=每次送货后", "event: 每次送货后 "])
def test_a_condition_has_no_time(when: str) -> None:
    trigger = read(when)
    assert (trigger.kind, trigger.when) == ("event", "每次送货后")
    assert next_run(trigger, NOW) is None
    assert not is_past(trigger, NOW)


@pytest.mark.parametrize(
    ("when", "problem", "named"),
    [
        ("", "unreadable", "''"),
        ("明天", "unreadable", "明天"),
        ("2026-02-30", "unreadable", "2026-02-30"),
        ("2026-03-20T25:00", "unreadable", "2026-03-20T25:00"),
        ("9999-12-31T23:00", "unreadable", "9999"),
        ("EVENT=", "unreadable", "EVENT="),
        ("FREQ=OFTEN", "unreadable", "FREQ"),
        ("BYDAY=MO", "unreadable", "FREQ"),
        ("FREQ=DAILY;FREQ=WEEKLY", "unreadable", "FREQ=WEEKLY"),
        ("FREQ=DAILY;BYHOUR=25", "unreadable", "BYHOUR=25"),
        ("FREQ=DAILY;INTERVAL=0", "unreadable", "INTERVAL=0"),
        ("FREQ=DAILY;COUNT=0", "unreadable", "COUNT=0"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "unreadable", "BYMONTHDAY=0"),
        ("FREQ=WEEKLY;BYDAY=XX", "unreadable", "XX"),
        ("FREQ=WEEKLY;BYDAY=1MO", "unreadable", "1MO"),
        ("FREQ=WEEKLY;WKST=8", "unreadable", "'8'"),
        ("FREQ=DAILY;BYSETPOS=1", "unreadable", "BYSETPOS"),
        ("FREQ=DAILY;BYEASTER=1", "unreadable", "BYEASTER"),
        ("FREQ=DAILY;UNTIL=soon", "unreadable", "SOON"),
        ("DTSTART=20260320T1000;每天", "unreadable", "每天"),
        ("DTSTART;TZID=Mars/Olympus:20260320T1000\nRRULE:FREQ=DAILY", "unreadable", "Mars/Olympus"),
        ("0 25 * * *", "unreadable", "25"),
        ("0 9 5-1 * *", "unreadable", "5-1"),
        ("0 9 1 * 1", "unreadable", "weekdays"),
        ("EVERY now and then", "unreadable", "now and then"),
        ("EVERY 90s", "unreadable", "90s"),
        ("FREQ=SECONDLY", "too_often", "seconds"),
        ("FREQ=MINUTELY", "too_often", "15 minutes"),
        ("FREQ=HOURLY;BYMINUTE=0,5", "too_often", "15 minutes"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0,14", "too_often", "15 minutes"),
        ("FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=0,23;BYMINUTE=0,50", "too_often", "15 minutes"),
        ("* * * * *", "too_often", "15 minutes"),
        ("EVERY 5m", "too_often", "15 minutes"),
        ("EVERY 5s", "too_often", "5s"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never", "none of its months"),
        ("0 9 31 4,6 *", "never", "none of its months"),
        ("FREQ=DAILY;UNTIL=20250101", "never", "never"),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", "never", "never"),
        ("FREQ=HOURLY;INTERVAL=2;BYHOUR=9,11", "never", "never"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_one_sentence_that_names_the_culprit(
    when: str, problem: str, named: str
) -> None:
    with pytest.raises(WhenError) as refused:
        read(when)
    assert refused.value.problem == problem
    assert named in str(refused.value)
    assert "\n" not in str(refused.value).replace("\\n", "")


def test_the_shortest_interval_is_a_limit() -> None:
    assert read("EVERY 15m").kind == "recurring"
    with pytest.raises(WhenError, match="every 60 minutes"):
        read_when("EVERY 30m", SHANGHAI, NOW, min_interval=timedelta(hours=1))


@pytest.mark.parametrize(
    ("when", "past"),
    [
        ("2026-03-16T10:00", True),
        ("2026-03-16T10:08", False),
        ("DTSTART=20260301T0900;FREQ=DAILY;UNTIL=20260315", True),
        ("DTSTART=20260301T0900;FREQ=DAILY;COUNT=3", True),
        ("DTSTART=20260301T0900;FREQ=DAILY", False),
    ],
)
def test_what_has_gone_by_is_read_and_said_to_be_past(when: str, past: bool) -> None:
    assert is_past(read(when), NOW) is past
