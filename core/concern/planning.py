"""What comes next in a concern and when: `next_action`, and the moments that the scans look for (RULES 3, 4).

`timeout_at` is the earliest end of a delegate's interval; `due_at` the earliest of everything else: a time that a
delegate named, the check before the deadline, the deadline itself, a decision to be asked about again, the end of a
pause. The two never name the same instant, so one instant fires a concern once. `stuck_at` is the moment from which it
counts as stuck, should nothing come of any of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from core.agenda.standstill import stuck_at
from core.concern.changes import name_of, owing
from core.concern.decision import Setting
from core.concern.followup import check_due, deadline_report_at, next_follow_up, opening
from core.concern.model import Attitude, CommStatus, Concern, ConcernType, NextAction, Priority
from core.concern.refs import ref_of
from core.concern.schedule import next_of
from core.ids import PersonId
from core.people import Person

FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
"""`paused_until` of a pause without an end."""


@dataclass(frozen=True)
class _Need:
    at: datetime | None
    what: str
    who: PersonId | None
    scan: Literal["timeout", "due"] | None = None


def is_paused(concern: Concern, now: datetime) -> bool:
    """Whether it is to keep still now."""
    return concern.paused_until is not None and concern.paused_until > now


def plan(concern: Concern, setting: Setting) -> Concern:
    """The concern with `next_action`, `timeout_at`, `due_at` and `stuck_at` as its state wants them now."""
    if not concern.status.is_open:
        none = dict.fromkeys(("next_action", "timeout_at", "due_at", "stuck_at"))
        return concern.model_copy(update=none)
    if concern.type is ConcernType.SCHEDULE:
        return next_of(concern, setting, paused=is_paused(concern, setting.now), until=_end_of_pause(concern))
    planned = _next_need(concern, setting)
    stuck = stuck_at(ref_of(planned), setting.limits.heartbeat)
    return planned.model_copy(update={"stuck_at": stuck})


def _end_of_pause(concern: Concern) -> datetime | None:
    return concern.paused_until if concern.paused_until != FOREVER else None


def _next_need(concern: Concern, setting: Setting) -> Concern:
    """By what its delegates, its deadline and its decision need."""
    needs = list(_needs(concern, setting))
    timed = [n for n in needs if n.at is not None]
    first = min(timed, key=lambda n: n.at or FOREVER, default=needs[0] if needs else None)
    # A waiting decision is what the matter hangs on, whatever else has a time; it stands in front.
    named = needs[0] if concern.decision is not None else first
    timeout_at = min((n.at for n in timed if n.at and n.scan == "timeout"), default=None)
    due_at = min((n.at for n in timed if n.at and n.scan == "due"), default=None)
    action = NextAction(what="等待新的消息", who_person_id=None, when=None)
    if named is not None:
        action = NextAction(what=named.what, who_person_id=named.who, when=first.at if first else None)
    return concern.model_copy(
        update={
            "next_action": action,
            "timeout_at": timeout_at,
            "due_at": None if due_at == timeout_at else due_at,
        }
    )


def _needs(concern: Concern, setting: Setting) -> Iterator[_Need]:
    if is_paused(concern, setting.now):
        until = _end_of_pause(concern)
        yield _Need(until, "已暂停", None, "due" if until else None)
        return
    if concern.decision is not None:
        who = concern.initiator_id
        yield _Need(
            concern.decision.ask_again_at, f"等待{name_of(concern, who)}决定：{concern.decision.question}", who, "due"
        )
    else:
        for person in owing(concern):
            yield from _of_delegate(concern, person.person_id, setting)
    if concern.paused_until is not None:
        yield _Need(concern.paused_until, "暂停结束，继续跟进", None, "due")
    if concern.deadline is not None and not concern.deadline_told:
        yield _Need(deadline_report_at(concern, setting), "到截止时间，说明进展", None, "due")


def _of_delegate(concern: Concern, person_id: PersonId, setting: Setting) -> Iterator[_Need]:
    entry, state, person = concern.person(person_id), concern.state_of(person_id), setting.people.get(person_id)
    name = name_of(concern, person_id)
    if entry is not None and entry.comm_status is CommStatus.TO_CONTACT:
        at = setting.now if concern.any_hour else opening(concern, person, setting.now, setting)
        yield _Need(at, f"联系{name}", person_id)
        return
    coming = next_follow_up(state, concern.priority, person, setting)
    away = (state.attitude is Attitude.AWAY and coming.promised) or _is_away(concern, person, setting)
    what = f"{name}回来后再问" if away else f"等待{name}回复"
    yield _Need(coming.at, what, person_id, "due" if coming.promised else "timeout")
    check = check_due(concern, person_id, setting)
    if check is not None:
        yield _Need(check, f"截止前问一次{name}", person_id, "due")


def _is_away(concern: Concern, person: Person | None, setting: Setting) -> bool:
    there = person is None or person.back_after(setting.now) is None
    return not there and concern.priority is not Priority.CRITICAL
