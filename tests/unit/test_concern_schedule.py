"""The life of a schedule in the engine: opened, fired, paused, moved, ended (RULES 3, 5, 8)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from core.concern import steer
from core.concern.decision import Decision, Setting
from core.concern.model import Concern, ConcernType, Status
from core.concern.planning import plan
from core.concern.schedule import PlannedStep, Schedule, deeds, mode_of, schedule_of
from core.concern.scheduling import KEPT_RUNS, Wish, fired, open_schedule, retimed
from core.effects import Purpose, Send
from core.ids import ConcernId, ConversationId
from core.schedule import Mode, Run, read_when
from tests.unit.concern_desk import LI, MONDAY, OWNER, ZHANG, people, setting

CHAT = ConversationId("telegram:1001")
PILLS = PlannedStep(key="remind", parameters={"text": "吃药"})
ASK = PlannedStep(key="raise_concern", parameters={"title": "提测时间", "goal": "拿到时间", "people": [ZHANG, LI]})


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}:00+08:00")


def after(**span: float) -> Setting:
    return setting(MONDAY + timedelta(**span))


def opened(when: str, *steps: PlannedStep, now: Setting | None = None, working_days: bool = False) -> Decision | None:
    stages = {1: steps or (PILLS,)}
    trigger = read_when(when, "Asia/Shanghai", MONDAY, working_days=working_days)
    schedule = Schedule(
        **trigger.model_dump(), mode=mode_of(stages), tendency="提醒我吃药", stages=stages, conversation=CHAT
    )
    wish = Wish(
        concern_id=ConcernId("con_20260316_001"),
        schedule=schedule,
        words="每天提醒我吃药",
        initiator=people()[OWNER],
        channel="telegram",
        channel_user_id="1001",
        origin_message_id="77",
    )
    return open_schedule(wish, now or setting())


def kept(when: str, *steps: PlannedStep, **more: Any) -> Concern:
    decision = opened(when, *steps, **more)
    assert decision is not None
    return decision.concern


def sends(decision: Decision) -> list[Send]:
    return [e for e in decision.effects if isinstance(e, Send)]


def template_of(decision: Decision) -> list[str | None]:
    return [s.message.words.template for s in sends(decision)]


# --- opening ------------------------------------------------------------------------------------------------------


def test_a_schedule_is_a_pending_concern_whose_next_run_is_due() -> None:
    concern = kept("FREQ=DAILY")
    assert (concern.type, concern.status) == (ConcernType.SCHEDULE, Status.PENDING)
    assert concern.due_at == at("03-17T09:00")
    assert concern.timeout_at is None
    assert concern.next_action is not None
    assert concern.next_action.when == concern.due_at
    assert (concern.title, concern.goal) == ("吃药", "提醒我吃药")
    assert [p.person_id for p in concern.people] == [OWNER]
    assert concern.executions == ()


def test_its_trigger_is_plain_json_that_reads_back_whole() -> None:
    concern = kept("EVERY 2h", PILLS, ASK)
    again = Concern.model_validate_json(concern.model_dump_json())
    assert schedule_of(again) == schedule_of(concern)
    document = concern.to_json()["trigger"]
    assert {"kind", "when", "timezone", "mode", "stages"} <= document.keys()


def test_it_is_acknowledged_freely_with_what_happens_when_and_a_way_to_stop_it() -> None:
    decision = opened("2026-03-20T18:00")
    assert decision is not None
    (said,) = sends(decision)
    assert (said.message.purpose, said.message.to, said.message.conversation) == (Purpose.REPLY, OWNER, CHAT)
    assert said.message.answers
    assert said.message.words.values["first"] == at("03-20T18:00").isoformat()
    assert said.message.buttons[0][0].data == "cmd:unschedule con_20260316_001"
    assert [r.what for r in decision.recent] == ["raised"]


def test_one_that_never_comes_on_the_owners_days_is_not_opened() -> None:
    directory = people(owner={"working_days": ("sat", "sun")})
    assert opened("FREQ=WEEKLY;BYDAY=TU", now=setting(MONDAY, directory), working_days=True) is None


def test_a_condition_waits_without_a_moment() -> None:
    concern = kept("EVENT=部署完")
    assert concern.due_at is None
    assert concern.next_action is not None
    assert "部署完" in concern.next_action.what


@pytest.mark.parametrize(
    ("keys", "mode"),
    [
        (("remind",), Mode.DIRECT),
        (("remind", "send_message"), Mode.DIRECT),
        (("schedule",), Mode.SESSION),
        (("send_message", "schedule"), Mode.SESSION),
        (("raise_concern",), Mode.AGENT),
        (("send_message", "raise_concern"), Mode.AGENT),
        (("check_concerns",), Mode.AGENT),
    ],
)
def test_the_mode_follows_from_what_it_does(keys: tuple[str, ...], mode: Mode) -> None:
    assert mode_of({n: (PlannedStep(key=k, parameters={}),) for n, k in enumerate(keys)}) is mode


def test_what_it_does_names_people_as_they_are_called() -> None:
    found = deeds(schedule_of(kept("FREQ=DAILY", PILLS, ASK)), people())
    assert found == [
        {"key": "remind", "names": [], "text": "吃药"},
        {"key": "raise_concern", "names": ["张三", "李四"], "text": "提测时间"},
    ]


# --- firing -------------------------------------------------------------------------------------------------------


def test_a_one_off_is_over_after_its_run_and_nobody_is_reported_to() -> None:
    concern = kept("2026-03-16T11:00")
    done = fired(concern, Run(at("03-16T11:00")), True, "已执行", after(hours=1), "c1")
    assert done.concern.status is Status.RESOLVED
    assert done.concern.due_at is None
    assert [r.what for r in done.recent] == ["resolved"]
    assert done.effects == ()
    assert done.concern.executions is not None
    assert [(e.at, e.ok, e.detail) for e in done.concern.executions] == [(at("03-16T11:00"), True, "已执行")]


def test_a_recurring_one_waits_for_the_next_run() -> None:
    done = fired(kept("FREQ=DAILY"), Run(at("03-17T09:00")), True, "已执行", after(hours=23), "c1")
    assert done.concern.status is Status.PENDING
    assert done.concern.due_at == at("03-18T09:00")
    assert [e.type for e in done.concern.timeline] == ["discovered", "started", "run_done"]
    assert done.recent == ()


def test_the_last_run_of_a_recurring_one_ends_it() -> None:
    done = fired(kept("FREQ=DAILY;COUNT=1"), Run(at("03-17T09:00")), True, "已执行", after(hours=23), "c1")
    assert done.concern.status is Status.RESOLVED


def test_a_run_that_failed_is_kept_as_such_and_the_next_one_comes_all_the_same() -> None:
    done = fired(kept("FREQ=DAILY"), Run(at("03-17T09:00")), False, "没办成", after(hours=23), "c1")
    assert done.concern.executions is not None
    assert not done.concern.executions[-1].ok
    assert done.concern.due_at == at("03-18T09:00")


def test_a_late_run_says_when_it_was_to_be_and_what_was_missed() -> None:
    done = fired(kept("FREQ=DAILY"), Run(at("03-19T09:00"), missed=2), True, "已执行", after(days=3), "c1")
    assert done.concern.executions is not None
    assert done.concern.executions[-1].detail == "已执行（原定 2026-03-19T09:00+08:00）；错过 2 次"
    assert done.concern.due_at == at("03-20T09:00")


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("部署完", Status.RESOLVED),
        ("once Wei has answered", Status.RESOLVED),
        ("每次送货后", Status.PENDING),
        ("each refund request", Status.PENDING),
        ("Whenever a build breaks", Status.PENDING),
    ],
)
def test_a_condition_fires_once_unless_its_words_say_every_time(condition: str, status: Status) -> None:
    done = fired(kept(f"EVENT={condition}"), Run(MONDAY), True, "已执行", after(hours=1), "c1")
    assert done.concern.status is status
    assert done.concern.due_at is None


def test_it_remembers_what_fired_it() -> None:
    done = fired(kept("FREQ=DAILY"), Run(at("03-17T09:00")), True, "已执行", after(hours=23), "c1")
    assert schedule_of(done.concern).fired_by == "c1"


def test_after_years_the_last_runs_are_kept_and_everything_else_that_happened() -> None:
    concern = kept("FREQ=DAILY")
    concern = steer.resume(steer.pause(concern, None, setting()).concern, setting(), "c0").concern
    for n in range(KEPT_RUNS + 20):
        now = setting(at("03-17T09:00") + timedelta(days=n))
        concern = fired(concern, Run(now.now), True, "已执行", now, f"c{n}").concern
    assert concern.executions is not None
    assert len(concern.executions) == KEPT_RUNS
    assert [e.type for e in concern.timeline[:3]] == ["discovered", "paused", "resumed"]
    assert len(concern.timeline) == 3 + 2 * KEPT_RUNS
    assert concern.due_at == now.now + timedelta(days=1)


def test_planning_anew_does_not_lose_a_run_that_is_due() -> None:
    concern = plan(kept("FREQ=DAILY"), after(days=3))
    assert concern.due_at == at("03-17T09:00")


# --- pauses -------------------------------------------------------------------------------------------------------


def test_a_pause_without_an_end_has_no_run() -> None:
    concern = steer.pause(kept("FREQ=DAILY"), None, setting()).concern
    assert concern.due_at is None
    assert plan(concern, after(days=30)).due_at is None


def test_after_a_pause_the_first_run_is_the_first_one_behind_it() -> None:
    concern = steer.pause(kept("FREQ=DAILY"), at("03-19T12:00"), setting()).concern
    assert concern.due_at == at("03-20T09:00")


@pytest.mark.parametrize("until", [None, at("03-25T12:00")])
def test_resumed_it_runs_from_then_and_makes_up_for_nothing(until: datetime | None) -> None:
    paused = steer.pause(kept("FREQ=DAILY"), until, setting()).concern
    resumed = steer.resume(paused, after(days=3), "c1")
    assert resumed.concern.due_at == at("03-20T09:00")
    assert resumed.concern.paused_until is None
    assert sends(resumed) == []


def test_a_moment_that_went_by_in_a_pause_ends_with_a_word() -> None:
    paused = steer.pause(kept("2026-03-17T09:00"), None, setting()).concern
    resumed = steer.resume(paused, after(days=3), "c1")
    assert resumed.concern.status is Status.DROPPED
    assert template_of(resumed) == ["concern/schedule_passed"]


def test_a_moment_within_a_pause_falls_due_at_its_end() -> None:
    assert steer.pause(kept("2026-03-17T09:00"), at("03-18T10:00"), setting()).concern.due_at == at("03-18T10:00")


# --- changes ------------------------------------------------------------------------------------------------------


def test_moved_to_another_time_it_is_said_again() -> None:
    moved = retimed(kept("FREQ=DAILY"), "FREQ=DAILY;BYHOUR=20", setting(), CHAT, "c1")
    assert moved.concern.due_at == at("03-16T20:00")
    assert schedule_of(moved.concern).when == "FREQ=DAILY;BYHOUR=20;BYMINUTE=0"
    assert template_of(moved) == ["concern/schedule_kept"]
    assert sends(moved)[0].message.words.values["changed"]


def test_what_recurs_and_is_moved_to_a_moment_goes_on_at_that_time_of_day() -> None:
    moved = retimed(kept("FREQ=WEEKLY;BYDAY=FR"), "2026-03-16T20:00", setting(), CHAT, "c1").concern
    assert schedule_of(moved).when == "FREQ=WEEKLY;BYDAY=FR;BYHOUR=20;BYMINUTE=0"
    assert moved.due_at == at("03-20T20:00")


def test_a_moment_may_become_another_one_or_a_rule_and_a_rule_of_hours_a_moment() -> None:
    once = retimed(kept("EVERY 2h"), "2026-03-20T18:00", setting(), CHAT, "c1").concern
    assert (schedule_of(once).kind, once.due_at) == ("once", at("03-20T18:00"))
    assert schedule_of(once).start is None
    later = retimed(once, "2026-03-21T18:00", setting(), CHAT, "c2").concern
    assert later.due_at == at("03-21T18:00")
    again = retimed(later, "FREQ=WEEKLY;BYDAY=WE", setting(), CHAT, "c3").concern
    assert (schedule_of(again).kind, again.due_at) == ("recurring", at("03-18T09:00"))


@pytest.mark.parametrize(
    ("when", "problem"),
    [
        ("2026-03-15T09:00", "past"),
        ("DTSTART=20260301T0900;FREQ=DAILY;COUNT=2", "past"),
        ("FREQ=MINUTELY", "too_often"),
        ("FREQ=DAILY;UNTIL=20250101", "never"),
        ("改天", "unreadable"),
        ("", "unreadable"),
    ],
)
def test_a_time_that_cannot_be_kept_is_asked_about_and_changes_nothing(when: str, problem: str) -> None:
    concern = kept("FREQ=DAILY")
    asked = retimed(concern, when, setting(), CHAT, "c1")
    assert asked.concern == concern
    assert template_of(asked) == ["concern/schedule_when"]
    assert sends(asked)[0].message.words.values["problem"] == problem


def test_working_days_stay_when_the_time_changes() -> None:
    moved = retimed(kept("FREQ=DAILY", working_days=True), "FREQ=DAILY;BYHOUR=20", setting(), CHAT, "c1").concern
    assert schedule_of(moved).working_days


def test_called_off_it_is_dropped_with_words_of_its_own() -> None:
    gone = steer.cancel(kept("FREQ=DAILY"), setting(), CHAT, people()[OWNER])
    assert (gone.concern.status, gone.concern.due_at) == (Status.DROPPED, None)
    assert template_of(gone) == ["concern/schedule_ended"]


def test_what_is_over_is_not_moved() -> None:
    gone = steer.cancel(kept("FREQ=DAILY"), setting(), CHAT, people()[OWNER]).concern
    assert retimed(gone, "FREQ=WEEKLY", setting(), CHAT, "c1") == Decision(gone)
