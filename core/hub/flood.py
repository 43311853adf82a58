"""Whoever writes faster than people do is not read until they write less: it costs no brain and brings no answers.

What they wrote is kept, and they are told once, so that nothing vanishes without a word. Owner and admins are always
read.
"""

from __future__ import annotations

from functools import partial

from core.effects import Outgoing, Purpose, Send, Words
from core.facts import FactKind, StoredFact
from core.hub.commit import apply
from core.hub.outcome import Outcome
from core.hub.services import Services
from core.people import INSPECTORS, Person, Role
from core.ports import Repositories

WRITTEN = (FactKind.MESSAGE, FactKind.EDIT)


def flooded(repos: Repositories, stored: StoredFact, sender: Person | None, services: Services) -> Outcome | None:
    """How a message is closed that comes after too many of its sender's; None where it is to be read.

    It counts by the moments at which they were written: a backlog that arrives all at once is no flood. The same fact
    gives the same answer, whenever it is asked for.
    """
    fact, limits = stored.fact, services.limits.sender
    if fact.kind not in WRITTEN or (sender is not None and sender.role in INSPECTORS):
        return None
    if not repos.facts.outpaced(stored, fact.occurred_at - limits.within, limits.messages):
        return None
    if fact.group or sender is None or sender.role is Role.STRANGER:  # they were told that the bot is private
        return Outcome("ignore", "too many messages at once")
    return Outcome("ignore", "too many messages at once", partial(apply, effect=_notice(stored, sender, services)))


def _notice(stored: StoredFact, sender: Person, services: Services) -> Send:
    fact, again = stored.fact, services.limits.sender.told_again_after
    message = Outgoing(
        purpose=Purpose.REPLY,
        to=sender.person_id,
        conversation=fact.conversation,
        words=Words(template="chat/too_many"),
        answers=True,
    )
    period = int(fact.occurred_at.timestamp() // again.total_seconds())
    return Send(key=f"flood:{fact.conversation}:{period}", due=services.clock.now(), message=message)
