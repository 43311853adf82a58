"""Times are compared by what they mean: the same instant, the same runs."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.evaluation.cases import When
from bot.evaluation.desk import OWNER
from bot.evaluation.moments import same_time

MONDAY = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def same(label: tuple[str, str] | None, got: str | None, **more: bool) -> bool:
    when = When.model_validate({"kind": label[0], "value": label[1]}) if label else None
    return same_time(when, got, now=MONDAY, owner=OWNER, **more)


@pytest.mark.parametrize(
    ("label", "got"),
    [
        (None, None),
        (("vague", "asap"), None),
        (("moment", "2026-03-17T09:00:00+08:00"), "2026-03-17T09:00:00+08:00"),
        (("moment", "2026-03-17T09:00:00+08:00"), "2026-03-17T01:00:00+00:00"),
        (("moment", "2026-03-17T09:00:00+08:00"), "2026-03-17T09:00"),
        (("deadline", "2026-03-20T18:00:00+08:00"), "2026-03-20T18:00:00+08:00"),
        (("span", "2026-03-19T09:00:00+08:00/2026-03-19T12:00:00+08:00"), "2026-03-19T12:00:00+08:00"),
        (("recurrence", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0"), "DTSTART=20260316T180000+0800;FREQ=DAILY"),
        (("recurrence", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=7"), "FREQ=DAILY;BYHOUR=7;BYMINUTE=0"),
        (("recurrence", "FREQ=DAILY;COUNT=2;BYHOUR=18"), "FREQ=DAILY;UNTIL=20260317T180000+0800;BYHOUR=18"),
        (("recurrence", "FREQ=MONTHLY;BYMONTHDAY=25"), "FREQ=MONTHLY;BYMONTHDAY=25;BYHOUR=17;BYMINUTE=0"),
        (("recurrence", "EVENT=每次送货后"), "EVENT=老邓送完一趟"),
    ],
)
def test_the_same_time(label: tuple[str, str] | None, got: str | None) -> None:
    assert same(label, got)


@pytest.mark.parametrize(
    ("label", "got"),
    [
        (None, "2026-03-17T09:00:00+08:00"),
        (("vague", "at some point"), "2026-03-17T09:00:00+08:00"),
        (("moment", "2026-03-17T09:00:00+08:00"), None),
        (("moment", "2026-03-17T09:00:00+08:00"), "2026-03-17T09:00:00+00:00"),
        (("moment", "2026-03-17T09:00:00+08:00"), "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
        (("deadline", "2026-03-20T18:00:00+08:00"), "2026-03-20T09:00:00+08:00"),
        (("span", "2026-03-19T09:00:00+08:00/2026-03-19T12:00:00+08:00"), "2026-03-19T18:00:00+08:00"),
        (("recurrence", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0"), "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
        (("recurrence", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0"), "FREQ=DAILY;COUNT=4;BYHOUR=18;BYMINUTE=0"),
        (("recurrence", "FREQ=WEEKLY;BYDAY=MO"), "FREQ=WEEKLY;BYDAY=TU"),
        (("recurrence", "FREQ=DAILY"), "2026-03-17T09:00:00+08:00"),
        (("recurrence", "FREQ=DAILY"), "EVERY=SOMETIMES"),
        (("recurrence", "EVENT=每次送货后"), "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"),
        (("recurrence", "FREQ=DAILY;BYHOUR=9"), "EVENT=每天"),
    ],
)
def test_another_time(label: tuple[str, str] | None, got: str | None) -> None:
    assert not same(label, got)


@pytest.mark.parametrize(
    ("got", "agrees"),
    [
        ("2026-03-20T17:30:00+08:00", True),
        ("2026-03-20T09:00:00+08:00", True),
        ("2026-03-20T18:30:00+08:00", False),
        ("2026-03-12T09:00:00+08:00", False),
        ("2026-03-16T09:00:00+08:00", False),
    ],
)
def test_a_reminder_of_a_deadline_comes_before_it_and_not_long_before(got: str, agrees: bool) -> None:
    label = ("deadline", "2026-03-20T18:00:00+08:00")
    assert same(label, got, reminds=True) is agrees
    assert not same(label, got)


def test_a_rule_that_leaves_out_holidays_is_compared_on_working_days_alone() -> None:
    label, got = ("recurrence", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7"), "FREQ=DAILY;BYHOUR=7;BYMINUTE=0"
    assert same(label, got, working_days=True)
    assert not same(label, got)
