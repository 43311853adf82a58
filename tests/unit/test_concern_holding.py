"""At the moment of sending: sending hours, and the limits across concerns for one delegate (RULES 4)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from core.concern import opening
from core.concern.holding import hold_until
from core.concern.model import Concern, DelegateState, Priority
from core.effects import Outgoing, Purpose, Words
from tests.unit.concern_desk import MONDAY, ZHANG, people, proposal, setting

NIGHT = MONDAY.replace(hour=19)
MORNING = MONDAY.replace(hour=9) + timedelta(days=1)


def concern(priority: Priority = Priority.MEDIUM, **changes: object) -> Concern:
    raised = opening.open_concern(proposal(people()[ZHANG], priority=priority), setting()).concern
    return raised.model_copy(update=changes)


def message(purpose: Purpose) -> Outgoing:
    return Outgoing(purpose=purpose, to=ZHANG, words=Words(text="x"))


def spoken(at: datetime) -> dict[str, object]:
    delegation = concern().delegation
    assert delegation is not None
    return {"delegation": delegation.model_copy(update={"delegates": {ZHANG: DelegateState(last_inbound=at)}})}


@pytest.mark.parametrize(
    ("priority", "purpose", "now", "until"),
    [
        (Priority.MEDIUM, Purpose.FOLLOW_UP, NIGHT, MORNING),
        (Priority.MEDIUM, Purpose.FIRST_CONTACT, NIGHT, MORNING),
        (Priority.LOW, Purpose.DEADLINE_CHECK, NIGHT, MORNING),
        (Priority.MEDIUM, Purpose.SETTLED, NIGHT, MORNING),
        (Priority.MEDIUM, Purpose.ANSWER, NIGHT, MORNING),
        (Priority.HIGH, Purpose.FOLLOW_UP, NIGHT, None),
        (Priority.HIGH, Purpose.FOLLOW_UP, MONDAY.replace(hour=22), MORNING.replace(hour=8)),
        (Priority.CRITICAL, Purpose.FOLLOW_UP, MONDAY.replace(hour=3), None),
        (Priority.MEDIUM, Purpose.FOLLOW_UP, MONDAY, None),
        (Priority.MEDIUM, Purpose.FOLLOW_UP, MONDAY.replace(hour=18), MORNING),
        (Priority.MEDIUM, Purpose.REPORT, NIGHT, None),
    ],
)
def test_sending_hours(priority: Priority, purpose: Purpose, now: datetime, until: datetime | None) -> None:
    assert hold_until(concern(priority), message(purpose), (), setting(now)) == until


def test_the_initiator_may_send_a_first_contact_at_any_hour() -> None:
    anytime = concern(any_hour=True)
    assert hold_until(anytime, message(Purpose.FIRST_CONTACT), (), setting(NIGHT)) is None
    assert hold_until(anytime, message(Purpose.FOLLOW_UP), (), setting(NIGHT)) == MORNING


def test_who_is_in_conversation_is_answered_at_any_hour_but_not_chased() -> None:
    talking = concern(**spoken(NIGHT - timedelta(minutes=5)))
    assert hold_until(talking, message(Purpose.ASK_BACK), (), setting(NIGHT)) is None
    assert hold_until(talking, message(Purpose.FOLLOW_UP), (), setting(NIGHT)) == MORNING
    earlier = concern(**spoken(NIGHT - timedelta(hours=2)))
    assert hold_until(earlier, message(Purpose.ASK_BACK), (), setting(NIGHT)) == MORNING


def test_ten_minutes_between_messages_that_the_bot_starts() -> None:
    before = (MONDAY - timedelta(minutes=4),)
    chase, first, answer = (message(p) for p in (Purpose.FOLLOW_UP, Purpose.FIRST_CONTACT, Purpose.ANSWER))
    assert hold_until(concern(), chase, before, setting()) == MONDAY + timedelta(minutes=6)
    assert hold_until(concern(), first, before, setting()) is None
    assert hold_until(concern(), answer, before, setting()) is None
    assert hold_until(concern(Priority.CRITICAL), chase, before, setting()) is None


def test_twelve_a_day_and_not_one_more() -> None:
    eleven = tuple(MONDAY.replace(hour=9) + timedelta(minutes=n) for n in range(11))
    chase = message(Purpose.FOLLOW_UP)
    assert hold_until(concern(), chase, eleven, setting()) is None
    assert hold_until(concern(), chase, (*eleven, MONDAY - timedelta(minutes=20)), setting()) == MORNING
    yesterday = tuple(at - timedelta(days=1) for at in (*eleven, MONDAY))
    assert hold_until(concern(), chase, yesterday, setting()) is None
