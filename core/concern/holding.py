"""What holds a message to a delegate back when it is sent: their hours, their absence, and what they had from us lately
(RULES 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from core.concern.decision import Setting
from core.concern.followup import hours, opening
from core.concern.model import Concern, Priority
from core.concern.planning import FOREVER
from core.effects import BOT_STARTED, TO_DELEGATES, Outgoing, Purpose
from core.people import Person

IN_CONVERSATION = timedelta(minutes=30)
"""Who wrote this lately is awake: what answers them need not wait for their working hours."""


def hold_until(concern: Concern, message: Outgoing, started: Sequence[datetime], setting: Setting) -> datetime | None:
    """The earliest moment at which a message may leave; None when it may leave now.

    `started`: when bot-started messages went to this person during the last day, over all concerns, oldest first.
    """
    person = setting.people.get(message.to) if message.to is not None else None
    if person is None or message.purpose not in TO_DELEGATES:
        return None
    at = setting.now
    if message.purpose in BOT_STARTED:
        at = max(at, _after_others(concern, message, started, person, setting))
    if concern.status.is_open and concern.paused_until is not None and message.purpose is not Purpose.SETTLED:
        at = max(at, concern.paused_until)
    if not _may_any_hour(concern, message, setting) and at < FOREVER:
        ready = opening if message.purpose in BOT_STARTED else hours
        at = ready(concern, person, at, setting)
    return at if at > setting.now else None


def _may_any_hour(concern: Concern, message: Outgoing, setting: Setting) -> bool:
    """The initiator said "now", or the recipient is in conversation with us."""
    if message.purpose is Purpose.FIRST_CONTACT and concern.any_hour:
        return True
    if message.purpose in BOT_STARTED or message.to is None:
        return False
    heard = concern.state_of(message.to).last_inbound
    return heard is not None and setting.now - heard <= IN_CONVERSATION


def _after_others(
    concern: Concern, message: Outgoing, started: Sequence[datetime], person: Person, setting: Setting
) -> datetime:
    """The interval between bot-started messages to one person and their number a day, over all concerns."""
    limits, now = setting.limits.delegate, setting.now
    if concern.priority is Priority.CRITICAL or not started:
        return now
    at = now
    if message.purpose is not Purpose.FIRST_CONTACT:
        at = max(at, started[-1] + limits.min_interval)
    zone = ZoneInfo(person.timezone)
    today = now.astimezone(zone).date()
    if sum(1 for s in started if s.astimezone(zone).date() == today) >= limits.daily_limit:
        at = max(at, datetime.combine(today + timedelta(days=1), time(), zone))
    return at
