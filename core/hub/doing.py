"""What of the hub's outcomes is somebody's deed: what a button did, and the yes or no to what waited for one."""

from __future__ import annotations

from datetime import datetime

from core.deeds import Deed
from core.facts import Fact, FactKind
from core.hub.outcome import Outcome
from core.ports import Repositories

ANSWERS = frozenset({"confirm", "deny", "amend", "decide", "cancel"})
"""Judgements that carry out, change or end what was there before."""


def done_by(repos: Repositories, fact: Fact, outcome: Outcome, now: datetime) -> Deed | None:
    """The deed of whoever pressed or said it; None where nothing was done."""
    pressed = fact.kind is FactKind.BUTTON
    if outcome.asked:
        return None
    if outcome.decision not in ANSWERS and not (pressed and outcome.decision != "ignore"):
        return None
    sender = repos.people.by_identity(fact.channel, fact.sender)
    if sender is None:
        return None
    return Deed(
        at=now,
        by=sender.person_id,
        how="button" if pressed else "words",
        what=outcome.decision,
        concern_id=next(iter(outcome.concerns), None),
    )
