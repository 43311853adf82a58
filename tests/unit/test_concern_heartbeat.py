"""Matters in which nothing moves, and who hears what of a matter that nobody started."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from core.concern import heartbeat, steer, timers
from core.concern.changes import noted, notify, report_recipient
from core.concern.decision import Setting
from core.concern.inbound import Utterance, heard
from core.concern.model import CommStatus, Concern, ConcernType, Priority, Status
from core.concern.notices import NoticeKind
from core.concern.reporting_back import recipient, report_back
from core.effects import Purpose, Send
from core.facts import Trigger
from core.ids import ConcernId
from core.people import Role
from tests.unit.concern_desk import LI, MONDAY, NO_CONTACT, OWNER, ZHANG, Desk, people, says, setting

HEARTBEAT = ConcernId("con_20260319_009")


def in_days(days: float, **changes: dict[str, object]) -> Setting:
    return replace(setting(directory=people(**changes)), now=MONDAY + timedelta(days=days))


@pytest.fixture
def dead() -> Concern:
    """They answered, and nobody ever reads it: their time runs out again and again, and nothing comes of it."""
    concern = Desk().raise_for(ZHANG).concern
    concern = heard(concern, Utterance(ZHANG, "周五能提测", "feishu", "in1", MONDAY), setting(), "f2").concern
    while concern.timeout_at is not None and concern.timeout_at < in_days(2.8).now:
        now = replace(setting(), now=concern.timeout_at)
        concern = timers.fire(concern, Trigger.TIMEOUT, now, f"t{now.now}").decision.concern
    assert concern.timeout_at is not None
    assert concern.timeout_at > in_days(2.8).now
    return concern


def test_what_fires_and_comes_to_nothing_is_stuck_after_three_days(dead: Concern) -> None:
    assert heartbeat.still_since(dead, in_days(2.9)) is None
    assert heartbeat.still_since(dead, in_days(3.1)) == MONDAY


def test_what_is_followed_up_is_not_stuck_however_long_nobody_answers() -> None:
    desk = Desk().raise_for(ZHANG, priority=Priority.CRITICAL)
    desk.advance(days=6)
    assert desk.concern.status.is_open
    assert heartbeat.still_since(desk.concern, desk.setting) is None


def test_what_waits_by_right_is_not_stuck(dead: Concern) -> None:
    late = in_days(9)
    paused = steer.pause(dead, None, in_days(1)).concern
    asked = Desk().raise_for(ZHANG)
    asked.reply(ZHANG, "这事不归我", says(goal_met=False, attitudes={ZHANG: "refused"}))
    promised = Desk().raise_for(ZHANG)
    promised.reply(ZHANG, "下周五给", says(goal_met=False, attitudes={ZHANG: {"attitude": "commitment", "promised_time": MONDAY + timedelta(days=11)}}))  # fmt: skip
    for concern in (paused, asked.concern, promised.concern):
        assert concern.status.is_open
        assert heartbeat.still_since(concern, late) is None
    closed = dead.model_copy(update={"status": Status.DROPPED})
    assert heartbeat.still_since(closed, late) is None


def test_it_is_asked_about_once_until_it_moves(dead: Concern) -> None:
    now = in_days(4)
    person = heartbeat.whom_to_ask(dead, now)
    assert person is not None
    asked = heartbeat.asked(dead, person, now)
    assert heartbeat.still_since(asked, in_days(30)) is None
    moved = noted(asked, in_days(5).now, "amended", "再问一下")
    assert heartbeat.still_since(moved, in_days(7)) is None
    assert heartbeat.still_since(moved, in_days(9)) == in_days(5).now


def test_the_initiator_is_asked_the_owner_where_they_cannot_be_and_nobody_where_nobody_can(dead: Concern) -> None:
    theirs = dead.model_copy(update={"people": tuple(p.model_copy(update={"person_id": LI}) if p.person_id == OWNER else p for p in dead.people)})  # fmt: skip
    member, stopped = {"role": Role.MEMBER}, {"role": Role.MEMBER, "interaction_policy": NO_CONTACT}
    assert heartbeat.whom_to_ask(theirs, in_days(4, lisi=member)).person_id == LI  # type: ignore[union-attr]
    assert heartbeat.whom_to_ask(theirs, in_days(4)).person_id == OWNER  # type: ignore[union-attr]
    assert heartbeat.whom_to_ask(theirs, in_days(4, lisi=stopped)).person_id == OWNER  # type: ignore[union-attr]
    assert heartbeat.whom_to_ask(theirs, in_days(4, lisi=stopped, owner={"identities": ()})) is None


def test_the_question_is_one_message_in_their_hours_that_nothing_follows(dead: Concern) -> None:
    desk = Desk(now=MONDAY + timedelta(days=3, hours=12))  # ten at night
    raised = heartbeat.ask(dead, desk.directory[OWNER], HEARTBEAT, desk.setting, "f9")
    assert raised.concern.cause == "f9"
    assert (raised.concern.type, raised.concern.initiator_id) == (ConcernType.HEARTBEAT, None)
    assert heartbeat.asks_about(raised.concern) == dead.concern_id
    desk.take(raised)
    desk.settle()
    assert desk.sent == []
    assert not heartbeat.is_moot(desk.concern, dead)
    assert heartbeat.is_moot(desk.concern, noted(dead, desk.now, "amended", "再问一下"))
    assert heartbeat.is_moot(desk.concern, None)
    desk.advance(days=9)
    assert [(s.purpose, s.at.hour) for s in desk.sent] == [(Purpose.FIRST_CONTACT, 9)]
    assert [b.data.partition(" ")[0] for b in desk.sent[0].message.buttons[0]] == ["cmd:nudge", f"wait:{dead.concern_id}", "cmd:drop"]  # fmt: skip
    assert desk.concern.status is Status.RESOLVED


# --- report rules -----------------------------------------------------------------------------------------------------


def matter(type: ConcernType, priority: Priority, *, started: bool) -> Concern:
    more = {} if started else {"initiator": None, "conversation": None}
    return Desk().raise_for(ZHANG, type=type, priority=priority, **more).concern


@pytest.mark.parametrize("kind", list(NoticeKind))
@pytest.mark.parametrize("priority", list(Priority))
@pytest.mark.parametrize("type", [t for t in ConcernType if t is not ConcernType.SCHEDULE])
def test_whoever_started_it_hears_and_of_what_nobody_started_the_owner_unless_it_is_low(
    type: ConcernType, priority: Priority, kind: NoticeKind
) -> None:
    theirs = notify(matter(type, priority, started=True), kind, setting(), ZHANG)
    assert [e.to for e in theirs.effects] == [OWNER]  # type: ignore[union-attr]
    nobodys = notify(matter(type, priority, started=False), kind, setting(), ZHANG)
    assert [e.to for e in nobodys.effects] == ([] if priority is Priority.LOW else [OWNER])  # type: ignore[union-attr]
    assert bool([n for n in nobodys.concern.reports.waiting if n.kind is kind]) == (priority is not Priority.LOW)


@pytest.mark.parametrize("priority", list(Priority))
@pytest.mark.parametrize("type", list(ConcernType))
@pytest.mark.parametrize("started", [True, False])
def test_who_is_reported_back_to_by_type(type: ConcernType, priority: Priority, started: bool) -> None:
    concern = matter(ConcernType.DELEGATION, priority, started=started).model_copy(update={"type": type})
    loud = priority in (Priority.HIGH, Priority.CRITICAL)
    wanted = {ConcernType.SCHEDULE: False, ConcernType.HEARTBEAT: loud}.get(type, started)
    person = recipient(concern, setting())
    assert (person.person_id if person else None) == (OWNER if wanted else None)


def test_that_a_question_of_the_bots_own_was_asked_is_reported_to_nobody(dead: Concern) -> None:
    asked = heartbeat.ask(dead, people()[LI], HEARTBEAT, setting(), "f9").concern
    assert report_back(asked.model_copy(update={"priority": Priority.CRITICAL}), setting()) is None


@pytest.mark.parametrize("priority", list(Priority))
@pytest.mark.parametrize(
    "says_so",
    [
        {"attitudes": {ZHANG: "refused"}},
        {"attitudes": {ZHANG: "question"}, "needs_decision": True},
        {"attitudes": {ZHANG: "vague"}, "needs_decision": True},
        {"attitudes": {ZHANG: "away"}},
        {"attitudes": {ZHANG: "vague"}},
    ],
)
def test_what_nobody_started_comes_to_an_end_or_to_the_owner(priority: Priority, says_so: dict[str, object]) -> None:
    desk = Desk().raise_for(ZHANG, type=ConcernType.HEARTBEAT, priority=priority, initiator=None, conversation=None)
    desk.reply(ZHANG, "这个嘛", says(goal_met=False, **says_so))
    desk.advance(days=8)
    told = desk.to(OWNER)
    assert bool(told) == (priority is not Priority.LOW)
    assert not desk.concern.status.is_open or desk.concern.decision is not None or priority is Priority.CRITICAL
    assert desk.concern.decision is None or told


def test_the_owner_decides_in_what_nobody_started() -> None:
    desk = Desk().raise_for(ZHANG, type=ConcernType.HEARTBEAT, initiator=None, conversation=None)
    desk.reply(ZHANG, "这事不归我", says(goal_met=False, attitudes={ZHANG: "refused"}))
    assert desk.concern.decision is not None
    off = steer.choose(desk.concern, "drop", desk.setting, "f9", None)
    assert off.concern.status is Status.DROPPED
    assert [e.message.to for e in off.effects if isinstance(e, Send) and e.message.purpose is Purpose.REPLY] == [OWNER]
    over = steer.decide(desk.concern, "改问李四", desk.setting, "f9")
    assert [p.person_id for p in over.concern.delegates if p.comm_status is CommStatus.TO_CONTACT] == [LI]
    assert report_recipient(over.concern, desk.setting) is not None
