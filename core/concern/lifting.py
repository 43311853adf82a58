"""Asking somebody without anybody's order: a concern of type `heartbeat`, without an initiator, one message. Pure."""

from __future__ import annotations

from datetime import datetime

from core.agenda.model import RecentDecision
from core.concern.decision import Decision, Setting
from core.concern.model import Concern, ConcernType, Priority, Relay
from core.concern.opening import Proposal, first_key
from core.concern.planning import plan
from core.effects import Outgoing, Send
from core.ids import ConcernId, PersonId
from core.people import Person


def unordered(
    person: Person,
    concern_id: ConcernId,
    cause: str,
    *,
    title: str,
    goal: str,
    words: str,
    priority: Priority,
    relay: Relay | None = None,
) -> Proposal:
    """What is raised to ask `person`; nobody hears of it but they."""
    return Proposal(
        concern_id=concern_id,
        type=ConcernType.HEARTBEAT,
        title=title,
        goal=goal,
        words=words,
        initiator=None,
        channel="",
        channel_user_id="",
        conversation=None,
        origin_message_id=None,
        delegates=(person,),
        priority=priority,
        relay=relay,
        cause=cause,
    )


def asking(
    concern: Concern,
    person: Person,
    message: Outgoing,
    due: datetime,
    setting: Setting,
    *,
    why: str,
    owner: PersonId,
) -> Decision:
    """Its message, in place of the loop's first call. `why` is what the agenda of `owner` remembers."""
    send = Send(key=first_key(concern, person.person_id), due=due, message=message)
    lifted = RecentDecision(at=setting.now, what="lifted", why=why, concern_id=concern.concern_id, owner=owner)
    return Decision(plan(concern, setting), (send,), (lifted,))
