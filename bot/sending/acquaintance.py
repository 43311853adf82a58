"""Who is written to for the first time: whoever has heard from the bot for the same person knows who is writing.

The first message says in full who writes and for whom (RULES 1), later ones say for whom. In another channel, or after
a long silence, the bot is a stranger again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from bot.store.repositories import StoreRepositories
from core.concern.together import ORDERED, SEVERAL, parts_of
from core.effects import TO_DELEGATES, Outgoing
from core.ids import ConcernId, PersonId

REMEMBERED = timedelta(days=30)
"""Who has not heard from the bot for so long is told anew who it is."""


def as_known(repos: StoreRepositories, message: Outgoing, channel: str, now: datetime) -> Outgoing:
    """A first contact with the words for somebody who knows the bot, where its reader does on that channel."""
    if message.words.template not in (*ORDERED, SEVERAL) or message.again or message.to is None:
        return message
    initiators = set(_initiators(repos, (p.concern_id for p in parts_of(message))))
    if not initiators <= _met(repos, message.to, channel, now):
        return message
    values = {**message.words.values, "known": True}
    return message.model_copy(update={"words": message.words.model_copy(update={"values": values})})


def _met(repos: StoreRepositories, who: PersonId, channel: str, now: datetime) -> set[PersonId | None]:
    """For whom they were written to there."""
    sent = repos.receipts.to_person(who, tuple(sorted(TO_DELEGATES)), now - REMEMBERED)
    here = (s for s in sent if s.channel == channel)
    return set(_initiators(repos, (i for s in here for i in (s.concern_id, *s.concerns))))


def _initiators(repos: StoreRepositories, concerns: Iterator[ConcernId | None]) -> Iterator[PersonId | None]:
    for concern_id in {i for i in concerns if i is not None}:
        concern = repos.concerns.get(concern_id)
        if concern is not None:
            yield concern.initiator_id
