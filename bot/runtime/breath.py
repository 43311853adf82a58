"""What somebody writes in one breath is one input: how a fact goes into the inbox.

A message waits a moment for more of its sender's and takes it in; once the moment is over it is claimed like any other
fact, with all that is part of it. Whatever else they do in that chat ends the wait, so that all is read in the order in
which they did it. Nobody waits for a command, a press, an edit, or what was forwarded: nothing goes on with these.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.commands.parse import parse
from bot.store.repositories import StoreRepositories
from bot.store.repositories.breaths import Unfinished
from core.facts import Fact, FactKind
from core.ids import FactId
from core.limits import DebounceLimits

AT_ONCE = DebounceLimits(within=timedelta())
"""Nobody waits for more: where messages come one by one anyway, in a terminal and in rehearsals."""
_WHOLE_SECONDS = timedelta(seconds=1)
"""Some channels tell the second in which something was written, and no more."""


def put(repos: StoreRepositories, fact: Fact, now: datetime, limits: DebounceLimits) -> FactId | None:
    """Store it, alone or as a part of what waits for more; None when it is there already, and then nothing changes."""
    if not limits.within:
        return repos.facts.add(fact, now)
    before = repos.facts.unfinished(fact.conversation, fact.sender, now) if fact.sender else None
    if before is not None and _goes_on(fact, before, limits):
        added = repos.facts.add(fact, now, part_of=before.fact_id)
        due = min(now + limits.within, before.since + limits.at_most)
    else:
        added, due = repos.facts.add(fact, now, due=now + limits.within if waits(fact) else None), now
    if added is not None and before is not None:
        repos.facts.due_again(before.fact_id, due)
    return added


def waits(fact: Fact) -> bool:
    """Whether more may come that goes on with it."""
    return fact.kind is FactKind.MESSAGE and fact.forwarded_from is None and parse(fact) is None


def _goes_on(fact: Fact, before: Unfinished, limits: DebounceLimits) -> bool:
    """Whether it goes on with what came before. One that quotes another says by itself what it is about; and what was
    written at other times is no one breath, however close together it arrives.
    """
    apart = fact.occurred_at - before.written
    together = apart <= limits.within + _WHOLE_SECONDS and before.messages < limits.messages
    return waits(fact) and fact.reply_to is None and together
