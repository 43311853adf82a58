"""When a delegate is asked again, and when that has an end (RULES 4, the table of intervals). Pure numbers.

Intervals run from the delegate's last message or the bot's last to them, whichever is later. A time that they named
themselves stands in place of the interval; one that the brain or an absence set may only lengthen it. Every moment is
moved to the delegate's next sending hours, so that a timer fires when a message may leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.calendar import sending_opening
from core.concern.changes import report_recipient
from core.concern.decision import Setting, calendar_of
from core.concern.model import Concern, DelegateState, Priority
from core.ids import PersonId
from core.limits import Limits
from core.people import Person


@dataclass(frozen=True)
class FollowUp:
    """What comes next for one delegate."""

    at: datetime | None
    """None: they were never contacted, so nothing runs."""
    number: int
    """Which follow-up it would be, from 1."""
    exhausted: bool = False
    """No further follow-up is allowed: at `at` the limit acts."""
    escalates: bool = False
    """At `at` somebody else is to be asked."""
    promised: bool = False
    """`at` is a time that they named or the end of their absence: the trigger is `due`, not `timeout`."""


def interval(priority: Priority, number: int, limits: Limits) -> timedelta:
    """The wait before the `number`-th follow-up (from 1); the last one of the table repeats."""
    table: tuple[timedelta, ...] = getattr(limits.followup, priority.value)
    return table[min(number, len(table)) - 1]


def most(priority: Priority, limits: Limits) -> int | None:
    """How many follow-ups there may be; None is no limit."""
    allowed: int | None = getattr(limits.followup, f"{priority.value}_max")
    return allowed


def opening(concern: Concern, person: Person | None, at: datetime, setting: Setting) -> datetime:
    """The first moment, not before `at`, at which the bot may write first to this person about this concern."""
    return _there(concern.priority, person, at, setting)


def hours(concern: Concern, person: Person, at: datetime, setting: Setting) -> datetime:
    """The same for what answers them: in their sending hours, also while they are away."""
    return _in_hours(concern.priority, person, at, setting)


def _there(priority: Priority, person: Person | None, at: datetime, setting: Setting) -> datetime:
    """In their hours, and not while they are away: only what is critical reaches them there."""
    if person is None:
        return at
    ready = _in_hours(priority, person, at, setting)
    back = person.back_after(ready)
    if back is None or priority is Priority.CRITICAL:
        return ready
    return _in_hours(priority, person, back, setting)


def _in_hours(priority: Priority, person: Person, at: datetime, setting: Setting) -> datetime:
    return sending_opening(priority, calendar_of(person), at, setting.windows())


def wait(state: DelegateState, priority: Priority, limits: Limits) -> timedelta:
    """The interval that runs now for a delegate, doubled where they were annoyed."""
    plain = interval(priority, state.follow_ups + 1, limits)
    return plain * 2 if state.doubled else plain


def next_follow_up(state: DelegateState, priority: Priority, person: Person | None, setting: Setting) -> FollowUp:
    """When the delegate's time is up, and what that means."""
    number = state.follow_ups + 1
    if state.last_outbound is None:
        return FollowUp(None, number)
    limits = setting.limits
    allowed = most(priority, limits)
    exhausted = state.once or (allowed is not None and state.follow_ups >= allowed)
    since = max(m for m in (state.last_outbound, state.last_inbound, state.fired_at) if m is not None)
    at = since + wait(state, priority, limits)
    # What passed before anything else happened between the two is over.
    held = state.not_before if state.not_before is not None and state.not_before > since else None
    if held is not None:
        at = held if state.promised and not exhausted else max(at, held)
    if exhausted:
        at = max(at, _once_back(person, since, wait(state, priority, limits), at))
    at = _there(priority, person, at, setting)
    escalates = _escalates(state, priority, limits) or (exhausted and priority is Priority.HIGH)
    return FollowUp(
        at,
        number,
        exhausted=exhausted,
        escalates=escalates and not state.escalated,
        promised=held is not None and state.promised,
    )


def _once_back(person: Person | None, since: datetime, interval: timedelta, at: datetime) -> datetime:
    """Nobody is given up for having been away: the last interval runs from their return."""
    back = person.away_until if person is not None else None
    return back + interval if back is not None and since < back else at


def _escalates(state: DelegateState, priority: Priority, limits: Limits) -> bool:
    return priority is Priority.CRITICAL and state.silent >= limits.followup.critical_escalate_after


def deadline_report_at(concern: Concern, setting: Setting) -> datetime | None:
    """When the initiator is to hear where things stand: the deadline.

    One that is the end of their working day is told in its last minute: at the end itself they are gone until morning.
    """
    recipient = report_recipient(concern, setting)
    if concern.deadline is None or recipient is None:
        return concern.deadline
    calendar, before = calendar_of(recipient), concern.deadline - timedelta(minutes=1)
    return before if calendar.is_open(before) and not calendar.is_open(concern.deadline) else concern.deadline


def deadline_check_at(concern: Concern, limits: Limits) -> datetime | None:
    """When the one check before the deadline is due: so much of the way, and not less than so long before the end.

    None where there is no deadline, or where it is too near for a check.
    """
    if concern.deadline is None:
        return None
    way = concern.deadline - concern.created_at
    at = min(concern.created_at + way * limits.deadline.check_at, concern.deadline - limits.deadline.at_least)
    return at if at > concern.created_at else None


def check_due(concern: Concern, person_id: PersonId, setting: Setting) -> datetime | None:
    """When this delegate is to be checked with before the deadline, or None: done, pointless or in their own hands."""
    at, state = deadline_check_at(concern, setting.limits), concern.state_of(person_id)
    if at is None or concern.deadline is None or state.deadline_checked:
        return None
    # Asked after that moment already, or they named a time of their own: a check would only pester.
    if state.last_outbound is None or state.last_outbound >= at:
        return None
    if state.promised and state.not_before is not None and state.not_before > max(at, setting.now):
        return None
    ready = opening(concern, setting.people.get(person_id), max(at, setting.now), setting)
    return ready if ready < concern.deadline else None
