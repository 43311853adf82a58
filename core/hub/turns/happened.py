"""What happened within a window of time, for whoever looks back: has it come? (RULES 2, absence)

Words alone often settle it (`core.agenda.absence`); what they leave open is put to the brain, as an answer to the very
thing that is awaited.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from core.agenda.absence import unsettled
from core.brain.questions import AwaitedEvent, MatchEvent
from core.facts import Fact, StoredFact
from core.hub.context import light_context
from core.hub.services import Services
from core.hub.simple_mode import TurnBrain
from core.ids import FactId
from core.people import Person
from core.ports import Repositories

PAGE = 200
"""Facts that are read at a time."""

SHOWN = 20
"""Of these, how many are put to the brain in one question, the last ones."""


def happened(repos: Repositories, person: Person | None, since: datetime, until: datetime) -> tuple[StoredFact, ...]:
    """All messages of a person and events about them (None: all events) of a window, however many there are."""
    found: dict[FactId, StoredFact] = {}
    while True:
        page = repos.facts.about(person, since, until, PAGE)
        fresh = {f.fact_id: f for f in page if f.fact_id not in found}
        found |= fresh
        if len(page) < PAGE or not fresh:
            return tuple(found.values())
        since = page[-1].fact.occurred_at


def message_of(fact: Fact) -> tuple[str, str]:
    """(channel, message id): the same for every form of an edited message."""
    return fact.channel, fact.message_id or fact.event_id


def answers_of(repos: Repositories, person: Person | None) -> frozenset[tuple[str, str]]:
    """The messages with which they answered a matter: 「发了」 there is said of that one."""
    if person is None:
        return frozenset()
    last = repos.concerns.last_closed_by_delegate(person.person_id)
    matters = (*repos.concerns.open_by_delegate(person.person_id), *((last,) if last is not None else ()))
    said = (e for c in matters for e in c.dialogue_with(person.person_id) if e.direction == "inbound")
    return frozenset((e.channel, e.message_id) for e in said if e.message_id is not None)


async def is_read_out(
    services: Services,
    brain: TurnBrain,
    item: AwaitedEvent,
    person: Person | None,
    reader: Person | None,
    facts: Sequence[Fact],
    elsewhere: Collection[tuple[str, str]],
) -> bool:
    """Words alone did not settle it: does a mind read it out of what was said, or of what happened? `reader`: who waits
    for it, for whose context it is asked.
    """
    now = services.clock.now()
    for events in (False, True):
        found = unsettled(person, facts, events=events, elsewhere=elsewhere)[-SHOWN:]
        if not found:
            continue
        text = "\n".join(f.text for f in found)
        context = light_context(services, reader, text, item.who, (item,), now)
        question = MatchEvent(text=text, who=item.who, happened=events, now=now, awaited=(item,), context=context)
        if (await brain.ask(question)).item_ids:
            return True
    return False
