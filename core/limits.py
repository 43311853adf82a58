"""Every number of the rules that an operator may change: the `[limits]` table of the configuration.

Defaults are those of RULES.md. Durations are written `30m`, `4h`, `1d`; windows `08:00-22:00`. All frozen.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from core.timetalk import parse_duration


def m(minutes: int) -> timedelta:
    """Minutes."""
    return timedelta(minutes=minutes)


def h(hours: int) -> timedelta:
    """Hours."""
    return timedelta(hours=hours)


def _duration(value: Any) -> Any:
    return parse_duration(value) if isinstance(value, str) else value


Duration = Annotated[timedelta, BeforeValidator(_duration)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FollowupLimits(_Table):
    """Intervals between follow-ups (the last one repeats) and how many there are at most; None is no limit."""

    critical: tuple[Duration, ...] = (m(30), h(1), h(2))
    high: tuple[Duration, ...] = (h(2), h(4), h(8))
    medium: tuple[Duration, ...] = (h(4), h(8), h(24))
    low: tuple[Duration, ...] = (h(24), h(48))
    critical_max: int | None = None
    high_max: int | None = 5
    medium_max: int | None = 3
    low_max: int | None = 2
    critical_escalate_after: int = 3
    """Critical has no limit but is escalated one interval after this many silent follow-ups."""
    other_channel_from: int = 3
    """From this follow-up on, another channel of a silent person is tried first."""


class ReportLimits(_Table):
    """Mid-course reports to one recipient."""

    min_interval: Duration = m(30)
    daily_limit: int = 20
    quiet_at_most: Duration = timedelta(days=7)
    """For longer nobody can ask not to be told (`/quiet`): a matter would vanish."""


class ConfirmLimits(_Table):
    """Pending confirmations: how long they wait, and how long a word that comes later still finds what it is about."""

    expiry: Duration = m(30)
    remembered: Duration = m(30)


class WindowLimits(_Table):
    """Sending hours that are not a person's working hours, as `HH:MM-HH:MM` in the recipient's zone."""

    high: str = "08:00-22:00"


class DelegateLimits(_Table):
    """Bot-started messages to one delegate over all concerns."""

    min_interval: Duration = m(10)
    daily_limit: int = 12


class DecisionLimits(_Table):
    """A point that waits for the initiator: asked again after `again`, then each working morning, `times` in all."""

    again: Duration = h(4)
    times: int = 3


class DeadlineLimits(_Table):
    """The one check before a deadline: this part of the way, and not less than `at_least` before it."""

    check_at: float = 0.75
    at_least: Duration = m(30)


class StrangerLimits(_Table):
    """A stranger is told once that the bot is private, then not again for this long."""

    told_again_after: Duration = timedelta(days=7)


class SenderLimits(_Table):
    """Whoever is neither owner nor admin and writes more than `messages` within `within` is not read until they write
    less; so they are told once in `told_again_after`.
    """

    messages: int = Field(default=20, ge=5)
    within: Duration = m(1)
    told_again_after: Duration = h(1)


class DebounceLimits(_Table):
    """What one person writes within `within` of their last message goes on with it: all of it is one input. It is read
    `at_most` after the first message of it, and holds `messages` of them; `0s` reads each message for itself, at once.
    """

    within: Duration = timedelta(seconds=2)
    at_most: Duration = timedelta(seconds=10)
    messages: int = Field(default=10, ge=1)


class InviteLimits(_Table):
    """A one-time invite lives for `expiry`; a person has at most `pending` of them. After `tries` wrong codes in a day
    a user's codes are not looked at for `lock`.
    """

    expiry: Duration = h(24)
    pending: int = Field(default=3, ge=1)
    tries: int = Field(default=5, ge=1)
    lock: Duration = h(1)


class ScheduleLimits(_Table):
    """How close two runs of one schedule may be, and from when on a run is late and says so."""

    min_interval: Duration = m(15)
    late_after: Duration = m(5)


class CallbackLimits(_Table):
    """How long a callback waits while its chat is busy, and how long for the remark that a model may add to it."""

    deferred_at_most: Duration = m(10)
    remark_within: Duration = timedelta(seconds=5)


class HeartbeatLimits(_Table):
    """A matter is stuck when its moment passed `overdue` ago, nothing moved in it for `still`, and nobody is asked to
    decide; it is asked about once until it moves.
    """

    still: Duration = timedelta(days=3)
    overdue: Duration = timedelta(days=1)
    daily_limit: int = Field(default=5, ge=1)
    """About so many one person is asked in a day, the urgent ones first; the rest waits."""


class EventLimits(_Table):
    """Events from outside: how many open matters one is held against at most."""

    candidates: int = Field(default=50, ge=1)


MOST_STEPS = 30
"""More steps than this no deep task takes."""


class TaskLimits(_Table):
    """Deep tasks: steps that need no yes, and tokens for each; how long one lasts, how many somebody has at a time.

    A task whose tokens are spent gives its result, whatever steps are left.
    """

    steps: int = Field(default=8, ge=1, le=MOST_STEPS)
    step_tokens: int = Field(default=15_000, ge=1000)
    lasts: Duration = timedelta(days=1)
    at_once: int = Field(default=3, ge=1)


class ContextLimits(_Table):
    """How much a model is given to read with a question, in tokens: a CJK character 1, of other text 4 characters 1."""

    tokens: int = Field(default=6000, ge=1500)


class Limits(_Table):
    """All of them."""

    followup: FollowupLimits = Field(default_factory=FollowupLimits)
    report: ReportLimits = Field(default_factory=ReportLimits)
    confirm: ConfirmLimits = Field(default_factory=ConfirmLimits)
    windows: WindowLimits = Field(default_factory=WindowLimits)
    delegate: DelegateLimits = Field(default_factory=DelegateLimits)
    decision: DecisionLimits = Field(default_factory=DecisionLimits)
    deadline: DeadlineLimits = Field(default_factory=DeadlineLimits)
    stranger: StrangerLimits = Field(default_factory=StrangerLimits)
    sender: SenderLimits = Field(default_factory=SenderLimits)
    debounce: DebounceLimits = Field(default_factory=DebounceLimits)
    invite: InviteLimits = Field(default_factory=InviteLimits)
    schedule: ScheduleLimits = Field(default_factory=ScheduleLimits)
    callback: CallbackLimits = Field(default_factory=CallbackLimits)
    task: TaskLimits = Field(default_factory=TaskLimits)
    context: ContextLimits = Field(default_factory=ContextLimits)
    heartbeat: HeartbeatLimits = Field(default_factory=HeartbeatLimits)
    event: EventLimits = Field(default_factory=EventLimits)
