"""Somebody who could not be reached has come to the bot: what waited for them is begun anew."""

from __future__ import annotations

from core.concern.decision import Decision, Setting
from core.concern.escalation import join
from core.concern.model import CommStatus, Concern
from core.concern.planning import plan
from core.people import Person


def reached(concern: Concern, person: Person, setting: Setting, cause: str) -> Decision:
    """They are asked as though for the first time; nothing changes where they were not out of reach."""
    entry = concern.person(person.person_id)
    if not concern.status.is_open or entry is None or entry.comm_status is not CommStatus.UNREACHABLE:
        return Decision(concern)
    stands_in = concern.state_of(person.person_id).stands_in_for
    decision = join(concern, person, setting, in_place_of=stands_in, cause=cause)
    return decision.then(Decision(plan(decision.concern, setting)))
