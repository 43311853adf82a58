"""The zone that a clock is said in."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.timetalk import said_zone, seen_there

OWN = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 3, 16, 10, 0, tzinfo=OWN)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("北京时间九点", "Asia/Shanghai"),
        ("伦敦时间明天下午三点", "Europe/London"),
        ("九点（东京时间）", "Asia/Tokyo"),
        ("按纽约时间晚上八点", "America/New_York"),
        ("我这边时间下午三点", "Asia/Shanghai"),
        ("at 9am Shanghai time", "Asia/Shanghai"),
        ("at 9 a.m. in London time", "Europe/London"),
        ("tomorrow at 9am (London time)", "Europe/London"),
        ("at noon Tokyo time", "Asia/Tokyo"),
        ("at 9am my time", "Asia/Shanghai"),
        ("5pm EST", "America/New_York"),
        ("9am gmt", "UTC"),
    ],
)
def test_a_zone_that_is_known(text: str, zone: str) -> None:
    said = said_zone(text, OWN)
    assert said is not None
    assert said.zone == ZoneInfo(zone)
    assert len(said.text) == len(text)
    assert not said.text[slice(*said.pos)].strip()


@pytest.mark.parametrize(("text", "hours"), [("9am GMT+1", 1), ("9am UTC-5", -5), ("09:00 UTC+5:30", 5.5)])
def test_an_offset(text: str, hours: float) -> None:
    said = said_zone(text, OWN)
    assert said is not None
    assert said.zone is not None
    assert datetime(2026, 3, 16, tzinfo=UTC).astimezone(said.zone).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize(
    "text",
    [
        "at 9am his time",
        "at 9am local time",
        "at 9am Ruritania time",
        "at 9am CST",
        "at 5 pm \ue000's time",
        "当地时间九点",
        "他那边时间九点",
        "\ue000那边时间九点",
        "美国时间九点",
        "伦敦时间九点，东京时间十点",
    ],
)
def test_a_zone_that_nobody_knows(text: str) -> None:
    said = said_zone(text, OWN)
    assert said is not None
    assert said.zone is None
    assert seen_there(text, NOW) is None


@pytest.mark.parametrize(
    "text",
    [
        "会议时间九点",
        "什么时间九点能到",
        "看看纽约时间",
        "at 9 next time",
        "at 9am lunch time is over",
        "at 9am it is time to go",
        "at 9am one more time",
        "九点开会时间改了",
        "London at 9am",
    ],
)
def test_no_zone_at_all(text: str) -> None:
    assert said_zone(text, OWN) is None
    assert seen_there(text, NOW) == (text, NOW)
