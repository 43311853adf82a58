"""A clock of another zone is read there, or asked about; it is never dropped, nor left in what is said."""

from datetime import datetime
from typing import Any

import pytest

from core.brain.rules.times.retiming import retimed
from core.brain.rules.words.polite import by_when
from tests.unit.rules_desk import MONDAY, evaluated


def parameters(text: str) -> dict[str, Any]:
    return next(iter(evaluated(text).parameters.values()))


@pytest.mark.parametrize(
    ("text", "when", "words"),
    [
        ("remind me at 9am Shanghai time to call mum", "2026-03-17T09:00", "call mum"),
        ("remind me at 9am GMT tomorrow to call", "2026-03-17T17:00", "call"),
        ("remind me at 9am my time to call", "2026-03-17T09:00", "call"),
        ("remind me at noon Tokyo time to eat", "2026-03-16T11:00", "eat"),
        ("明天北京时间九点提醒我开会", "2026-03-17T09:00", "开会"),
        ("伦敦时间下午三点提醒我打电话", "2026-03-16T23:00", "打电话"),
        ("提醒我纽约时间早上八点开会", "2026-03-16T20:00", "开会"),
        ("ask Tom at 3pm London time whether he can come", "2026-03-16T23:00", "whether he can come"),
    ],
)
def test_it_is_read_in_that_zone(text: str, when: str, words: str) -> None:
    assert str(evaluated(text).when).startswith(when)
    said = parameters(text)
    assert (said.get("text") or said.get("message")) == words


@pytest.mark.parametrize(
    "text",
    [
        "tell Tom at 9am his time that the hall is free",
        "remind me at 3pm Tom's time to call him",
        "remind me at 9am CST to call",
        "remind me at 9am Ruritania time to call",
        "明天早上九点当地时间提醒我打电话",
        "每天伦敦时间九点提醒我喝水",  # no rule holds it in summer and winter
        "every Monday at 9am London time remind me to call",
    ],
)
def test_it_is_asked_about_where_nobody_knows_it(text: str) -> None:
    found = evaluated(text)
    assert (found.ok, found.refusal, found.missing) == (False, "unclear", "when")


def test_a_rhythm_of_the_senders_own_zone_stays_one() -> None:
    assert evaluated("每天北京时间九点提醒我喝水").when == "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"


def test_a_zone_in_the_matter_stays_there() -> None:
    assert parameters("ask Tom whether 9am GMT works for him")["message"] == "whether 9am GMT works for him"
    assert parameters("告诉张三北京时间九点开会")["text"] == "北京时间九点开会"


def test_limits_and_changes_are_read_there_too() -> None:
    due = datetime.fromisoformat(parameters("问李四合同签了没，伦敦时间下午五点前要")["deadline"])
    assert due == datetime.fromisoformat("2026-03-16T17:00+00:00")
    assert parameters("Tom must send the report by Friday 5pm London time")["due"].startswith("2026-03-21T01:00")
    held = "2026-03-17T09:00:00+08:00"
    assert retimed("改到伦敦时间下午三点", held, MONDAY, "18:00") == "2026-03-17T23:00:00+08:00"
    assert retimed("改到他那边时间下午三点", held, MONDAY, "18:00") is None


def test_the_zone_goes_with_the_limit_to_who_is_asked() -> None:
    assert "伦敦时间下午五点前" in by_when("伦敦时间下午五点前要", "zh-CN", MONDAY, False, "老板")
    assert "London time" in by_when("by 5pm London time", "en", MONDAY, False, "Grace")
