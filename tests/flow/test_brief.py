"""The morning brief: once a day whatever happens, within its budget, never out of its time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.channels.virtual import Fault
from core.ids import PersonId
from core.people import Role
from tests.flow.office import Office

EIGHT = datetime.fromisoformat("2026-03-17T08:00:00+08:00")
MONDAY_NIGHT = datetime.fromisoformat("2026-03-16T20:00:00+08:00")


def wanting(**more: Any) -> Office:
    """The owner wants a brief at 8:30, and has something to be told on Tuesday."""
    office = Office(**more)
    office.say("p_owner", "/brief 8:30")
    office.say("p_owner", "明天上午十一点提醒我给妈妈打电话")
    office.advance(MONDAY_NIGHT - office.clock.now())
    return office


@pytest.fixture
def office() -> Iterator[Office]:
    made = wanting()
    yield made
    made.close()


def briefs(office: Office) -> list[str]:
    return [a.text for a in office.ledger if a.text.startswith("早上好")]


def until(office: Office, moment: str) -> None:
    office.advance(datetime.fromisoformat(f"{moment}+08:00") - office.clock.now())


@pytest.mark.parametrize("points", range(1, 8))
def test_whenever_the_process_dies_it_comes_once(points: int) -> None:
    office = wanting()
    until(office, "2026-03-17T08:29:00")
    office.die_in(points)
    until(office, "2026-03-17T12:30:00")
    assert len(briefs(office)) == 1
    office.close()


def test_a_spent_budget_has_no_room_for_it_and_what_it_had_to_tell_is_told_another_day() -> None:
    office = wanting(limits={"report": {"daily_limit": 0}})
    until(office, "2026-03-17T23:00:00")
    assert briefs(office) == []
    kept = office.look(lambda repos: repos.agenda.brief("p_owner"))
    assert kept.since < EIGHT
    assert kept.next_at == datetime.fromisoformat("2026-03-18T08:30:00+08:00")
    office.close()


def test_it_counts_towards_the_budget_of_the_day(office: Office) -> None:
    until(office, "2026-03-17T09:00:00")
    assert len(briefs(office)) == 1
    assert office.look(lambda repos: repos.receipts.counted_since("p_owner", EIGHT)) == 1


def test_a_channel_that_is_out_all_morning_brings_none_in_the_afternoon(office: Office) -> None:
    for channel in office.channels.values():
        channel.fail(Fault("unavailable", times=10_000))
    until(office, "2026-03-17T14:00:00")
    for channel in office.channels.values():
        channel.heal()
    until(office, "2026-03-17T23:00:00")
    assert briefs(office) == []


def answered() -> Office:
    """The owner wants a brief, has a reminder each working day, and 张三 answered on Monday afternoon."""
    office = Office()
    office.say("p_owner", "/brief 8:30")
    office.say("p_owner", "每个工作日上午十一点提醒我看报表")
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.advance(timedelta(hours=5))
    office.say("p_zhangsan", "周五能提测")
    office.advance(MONDAY_NIGHT - office.clock.now())
    return office


def test_what_was_told_is_not_told_again_the_next_morning() -> None:
    office = answered()
    until(office, "2026-03-18T09:00:00")
    assert ["周五能提测" in told for told in briefs(office)] == [True, False]
    office.close()


def test_what_a_missed_morning_had_to_tell_is_told_the_next_one() -> None:
    office = answered()
    office.jump(datetime.fromisoformat("2026-03-17T14:00:00+08:00"))
    until(office, "2026-03-18T09:00:00")
    assert ["周五能提测" in told for told in briefs(office)] == [True]
    office.close()


def test_after_days_of_downtime_it_is_this_mornings() -> None:
    office = answered()
    office.jump(datetime.fromisoformat("2026-03-19T09:00:00+08:00"))
    until(office, "2026-03-19T09:05:00")
    assert ["周五能提测" in told for told in briefs(office)] == [True]
    office.close()


def test_after_a_downtime_over_its_run_a_schedule_is_told_with_the_run_of_today() -> None:
    office = answered()
    office.jump(datetime.fromisoformat("2026-03-18T09:00:00+08:00"))
    until(office, "2026-03-18T09:05:00")
    assert ["11:00" in told and "看报表" in told for told in briefs(office)] == [True]
    office.close()


@pytest.mark.parametrize(("up", "silent"), [("07:00:00", False), ("07:30:00", True)], ids=["in time", "late"])
def test_at_the_hour_that_was_chosen_it_sounds_and_late_it_does_not(office: Office, up: str, silent: bool) -> None:
    office.say("p_owner", "/brief 7:00")
    office.jump(datetime.fromisoformat(f"2026-03-17T{up}+08:00"))
    until(office, "2026-03-17T07:45:00")
    assert [d.silent for d in office.channels["telegram"].delivered if d.text.startswith("早上好")] == [silent]


def test_a_new_time_on_the_day_of_a_brief_begins_with_the_next(office: Office) -> None:
    until(office, "2026-03-17T08:31:00")
    office.say("p_owner", "/brief 9:30")
    office.say("p_owner", "/brief off")
    office.say("p_owner", "/brief 10:00")
    until(office, "2026-03-17T23:00:00")
    assert len(briefs(office)) == 1


def test_a_time_that_is_still_to_come_today_is_todays(office: Office) -> None:
    until(office, "2026-03-17T08:00:00")
    office.say("p_owner", "/brief 8:15")
    office.say("p_owner", "/brief 十点")
    until(office, "2026-03-17T09:59:00")
    assert briefs(office) == []
    until(office, "2026-03-17T10:01:00")
    assert len(briefs(office)) == 1


def test_a_long_list_is_cut_and_says_by_how_many(office: Office) -> None:
    for minute in range(10, 50, 5):
        office.say("p_owner", f"明天下午三点{minute}分提醒我吃第{minute}颗药")
    until(office, "2026-03-17T09:00:00")
    told = briefs(office)[0]
    assert (told.count("·"), "还有 4 条" in told) == (5, True)


def test_what_waits_for_a_yes_is_among_what_waits(office: Office) -> None:
    until(office, "2026-03-17T08:20:00")
    office.say("p_owner", "让李四给供应商付五万块")
    until(office, "2026-03-17T08:35:00")
    assert ["等你定的" in told and "付五万块" in told for told in briefs(office)] == [True]


def test_who_may_start_nothing_any_more_gets_none(office: Office) -> None:
    known = office.people[PersonId("p_owner")].model_copy(update={"role": Role.DELEGATE})
    office.look(lambda repos: repos.people.save(known))
    until(office, "2026-03-18T12:00:00")
    assert briefs(office) == []
    assert office.look(lambda repos: repos.agenda.brief("p_owner")) is None
