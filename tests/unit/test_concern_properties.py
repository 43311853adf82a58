"""Whatever delegates, initiators and channels do, the engine keeps its promises (hypothesis)."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.brain.questions import Assessment
from core.calendar import DailyWindow
from core.concern import steer
from core.concern.decision import calendar_of
from core.concern.followup import interval, most
from core.concern.inbound import declined_contact
from core.concern.model import CommStatus, Concern, ConcernType, Priority, Status
from core.concern.opening import send_now
from core.effects import BOT_STARTED, Purpose
from core.facts import Trigger
from core.ids import PersonId
from core.limits import Limits
from tests.unit.concern_desk import LI, MONDAY, OWNER, WANG, ZHANG, Desk, people, says

DELEGATES = (ZHANG, LI, WANG)
ATTITUDES = ("answered", "commitment", "vague", "resistant", "refused", "question", "away", "unrelated")
WORDS = ("我看看", "周四能给", "大概这两天", "明天给你", "别催了", "找王五", "要哪个版本？", "我休假到周三", "好")


@st.composite
def answers(draw: st.DrawFn) -> dict[str, Any]:
    """What a brain might say: also nonsense, also too much."""
    return {
        "goal_met": draw(st.booleans()),
        "summary": draw(st.sampled_from([None, "有进展"])),
        "attitude": draw(st.sampled_from(ATTITUDES)),
        "promised_in": draw(st.sampled_from([None, -5, 3, 30, 100])),
        "names_other": draw(st.sampled_from([None, "王五", "赵六"])),
        "message": draw(st.sampled_from([None, "具体是哪一天呢？"])),
        "to_other": draw(st.booleans()),
        "wait": draw(st.sampled_from([None, 1, 50])),
        "owner_update": draw(st.sampled_from([None, "张三有话说。"])),
        "needs_decision": draw(st.booleans()),
        "escalate_to": draw(st.sampled_from([None, OWNER, LI, "p_nobody"])),
    }


def answer_of(drawn: dict[str, Any], about: PersonId, now: datetime) -> Assessment:
    promised, wait = drawn["promised_in"], drawn["wait"]
    attitude = {
        "attitude": drawn["attitude"],
        "promised_time": now + timedelta(hours=promised) if promised is not None else None,
        "names_other": drawn["names_other"],
    }
    messages = [{"to": about, "text": drawn["message"]}] if drawn["message"] else []
    if drawn["to_other"]:
        messages.append({"to": LI if about != LI else ZHANG, "text": "别人的话"})
    return says(
        goal_met=drawn["goal_met"],
        summary=drawn["summary"],
        attitudes={about: attitude},
        messages=messages,
        next_action={"what": "再等", "when": now + timedelta(hours=wait)} if wait else None,
        owner_update=drawn["owner_update"],
        needs_decision=drawn["needs_decision"],
        escalate_to=drawn["escalate_to"],
    )


STEPS = st.one_of(
    st.tuples(st.just("wait"), st.sampled_from([0.2, 1, 3, 5, 9, 26, 70])),
    st.tuples(st.just("reply"), st.sampled_from(DELEGATES), st.sampled_from(WORDS), answers()),
    st.tuples(st.just("decide"), st.sampled_from(["就这么办", "问李四", "算了", "等他回来"])),
    st.tuples(st.just("amend"), st.sampled_from(["还要问一下预算"])),
    st.tuples(st.just("pause"), st.sampled_from([None, 5, 40])),
    st.tuples(st.just("resume")),
    st.tuples(st.just("nudge")),
    st.tuples(st.just("stop"), st.sampled_from(DELEGATES)),
    st.tuples(st.just("fail"), st.sampled_from(DELEGATES)),
    st.tuples(st.just("now")),
)


def play(desk: Desk, step: tuple[Any, ...]) -> None:
    if not desk.concern.status.is_open and step[0] != "wait":
        return
    match step:
        case ("wait", hours):
            desk.advance(hours=hours)
        case ("reply", who, text, drawn):
            entry = desk.concern.person(who)
            if entry is not None and desk.concern.state_of(who).last_outbound is not None:
                desk.reply(who, text, answer_of(drawn, who, desk.now))
        case ("decide", words):
            desk.take(steer.decide(desk.concern, words, desk.setting, desk.cause()))
        case ("amend", words):
            desk.take(steer.amend(desk.concern, words, desk.setting, desk.cause(), None))
        case ("pause", hours):
            until = desk.now + timedelta(hours=hours) if hours else None
            desk.take(steer.pause(desk.concern, until, desk.setting))
        case ("resume",):
            desk.take(steer.resume(desk.concern, desk.setting, desk.cause()))
        case ("nudge",):
            desk.take(steer.nudge(desk.concern, desk.setting, desk.cause()))
        case ("now",):
            desk.take(send_now(desk.concern, desk.setting))
        case ("stop", who):
            policy = desk.directory[who].interaction_policy.model_copy(update={"contact_allowed": False})
            desk.directory[who] = desk.directory[who].model_copy(update={"interaction_policy": policy})
            desk.take(declined_contact(desk.concern, who, desk.setting))
        case ("fail", who):
            desk.fails_for.add(who)
    desk.settle()


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    asked = draw(st.lists(st.sampled_from(DELEGATES[:2]), min_size=1, max_size=2, unique=True))
    directory = people(
        zhangsan={"escalation_to": draw(st.sampled_from([None, WANG, LI]))},
        lisi={"working_hours": draw(st.sampled_from(["09:00-18:00", "00:00-24:00"]))},
    )
    start = MONDAY + timedelta(hours=draw(st.integers(0, 24 * 7)))
    usual = draw(answers())

    def brain(concern: Concern, trigger: Trigger, about: PersonId) -> Assessment:
        return answer_of(usual | {"goal_met": False, "wait": None}, about, desk.now)

    desk = Desk(directory=directory, now=start, brain=brain)
    deadline = draw(st.sampled_from([None, 1, 8, 80]))
    return desk.raise_for(
        *asked,
        priority=draw(st.sampled_from(list(Priority))),
        deadline=start + timedelta(hours=deadline) if deadline else None,
        type=draw(st.sampled_from([ConcernType.DELEGATION, ConcernType.FOLLOWUP])),
    )


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(desk=desks(), steps=st.lists(STEPS, max_size=12))
def test_the_engine_keeps_its_promises(desk: Desk, steps: list[tuple[Any, ...]]) -> None:
    for step in steps:
        play(desk, step)
    cancelled = any(t.type == "dropped" and "取消" in t.detail for t in desk.concern.timeline)
    paused_for_ever = desk.concern.paused_until is not None and desk.concern.paused_until.year > 9000
    desk.advance(days=silence(desk))
    never_more_follow_ups_than_the_table(desk)
    never_sooner_than_the_table(desk)
    only_in_sending_hours(desk)
    the_log_is_in_order(desk)
    nothing_of_others_left(desk)
    ends_somewhere(desk, paused_for_ever)
    the_initiator_knows(desk, cancelled or paused_for_ever)


def silence(desk: Desk) -> int:
    """Days after which everything but a critical matter (followed up for ever) has come to its end."""
    return 4 if desk.concern.priority is Priority.CRITICAL else 40


def never_more_follow_ups_than_the_table(desk: Desk) -> None:
    allowed = most(desk.concern.priority, Limits())
    for who in DELEGATES:
        sent = desk.to(who, Purpose.FOLLOW_UP)
        numbers = [s.message.follow_up_number for s in sent]
        assert numbers == list(range(1, len(numbers) + 1))
        assert allowed is None or len(sent) <= allowed


def never_sooner_than_the_table(desk: Desk) -> None:
    """Between a follow-up and what was said before it lies the interval, unless they named a time themselves."""
    if any(t.type == "joined" for t in desk.concern.timeline):
        return  # the counters of somebody who was asked anew began anew
    for who in DELEGATES:
        moments = [(e.ts, e.purpose) for e in desk.concern.dialogue_with(who)]
        promises = [a for a in desk.concern.dialogue_with(who) if a.direction == "inbound"]
        number = 0
        for (before, _), (at, purpose) in pairwise(moments):
            if purpose == Purpose.FOLLOW_UP:
                number += 1
                if not promises or promises[0].ts > at:
                    assert at - before >= interval(desk.concern.priority, number, Limits())


def only_in_sending_hours(desk: Desk) -> None:
    if desk.concern.priority is Priority.CRITICAL:
        return
    pressed = any(e.type == "send_now" for e in desk.concern.timeline)
    window = DailyWindow.parse(Limits().windows.high)
    for sent in desk.sent:
        if pressed and sent.purpose is Purpose.FIRST_CONTACT:
            continue
        if sent.purpose in BOT_STARTED and sent.to is not None:
            calendar = calendar_of(desk.directory[sent.to])
            if desk.concern.priority is Priority.HIGH:
                assert window.contains(sent.at, calendar.tz)
            else:
                assert calendar.is_open(sent.at)


def the_log_is_in_order(desk: Desk) -> None:
    stamps = [e.ts for e in desk.concern.conversation_log]
    assert stamps == sorted(stamps)


def nothing_of_others_left(desk: Desk) -> None:
    assert not any("别人的话" in s.text for s in desk.sent)


def ends_somewhere(desk: Desk, paused: bool) -> None:
    concern = desk.concern
    if not concern.status.is_open:
        assert concern.next_action is None
        assert concern.closed_at is not None
        assert not desk.jobs
        return
    assert concern.next_action is not None
    named = concern.next_action.when is not None
    assert named or concern.decision is not None or paused or concern.priority is Priority.CRITICAL


def the_initiator_knows(desk: Desk, quietly: bool) -> None:
    if quietly:
        return
    concern = desk.concern
    assert desk.to(OWNER)
    if concern.status is Status.RESOLVED:
        assert desk.to(OWNER, Purpose.REPORT_BACK)
    if concern.status is Status.DROPPED and any(
        p.comm_status not in (CommStatus.UNREACHABLE, CommStatus.DECLINED) for p in concern.delegates
    ):
        assert concern.closed_at is not None
        assert any(s.at >= concern.closed_at for s in desk.to(OWNER))
    assert not concern.reports.waiting or any(n.at > desk.now - timedelta(days=12) for n in concern.reports.waiting)


@pytest.mark.slow
@settings(max_examples=5000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(desk=desks(), steps=st.lists(STEPS, max_size=25))
def test_the_engine_keeps_its_promises_for_long(desk: Desk, steps: list[tuple[Any, ...]]) -> None:
    for step in steps:
        play(desk, step)
    desk.advance(days=silence(desk))
    never_more_follow_ups_than_the_table(desk)
    only_in_sending_hours(desk)
    nothing_of_others_left(desk)
