"""What a message of the initiator's added to matters that were open: found again when it is edited or recalled."""

from __future__ import annotations

from collections.abc import Iterable

from core.concern import additions, steer
from core.concern.additions import Origin
from core.concern.model import Addition
from core.facts import FactKind
from core.hub.adding import is_told, on_its_way
from core.hub.commit import commit
from core.hub.services import Services
from core.hub.turn import Turn
from core.ids import ConcernId
from core.ports import Repositories

Added = tuple[ConcernId, Addition]
"""The matter, and what was added to it."""


def added_by(repos: Repositories, turn: Turn) -> tuple[Added, ...]:
    """What this message has added to matters of the sender's that are open still."""
    origin = Origin(turn.fact.message_id, turn.fact.conversation)
    mine = repos.concerns.open_by_initiator(turn.sender.person_id)
    found = ((c.concern_id, additions.of_message(c, origin)) for c in mine if c.additions)
    return tuple((concern_id, addition) for concern_id, addition in found if addition is not None)


def add_words(repos: Repositories, turn: Turn, concern_id: ConcernId, words: str, services: Services) -> None:
    """These words of the sender's go to an open matter; edited ones in place of what they had added before."""
    fresh = repos.concerns.get(concern_id)
    if fresh is None or not fresh.status.is_open:
        return
    origin = Origin(turn.origin, turn.fact.conversation)
    replaces = additions.of_message(fresh, origin) if turn.fact.kind is FactKind.EDIT else None
    told = replaces is not None and is_told(repos, fresh, replaces)
    setting, where = services.setting(turn.people), turn.fact.conversation
    commit(repos, steer.add_words(fresh, words, setting, turn.cause, where, origin, replaces, told=told))


def take_back(repos: Repositories, turn: Turn, added: Iterable[Added], services: Services) -> None:
    """The words behind these are gone: what nobody has heard of is off, about the rest the sender is asked. What an
    edit has put another addition in the place of is settled already.
    """
    setting, where = services.setting(turn.people), turn.fact.conversation
    for concern_id, addition in added:
        fresh = repos.concerns.get(concern_id)
        if fresh is None or not fresh.status.is_open or addition.key not in {a.key for a in fresh.additions}:
            continue
        cause, sending = f"{turn.cause}:{concern_id}", on_its_way(repos, fresh)
        commit(repos, steer.taken_back(fresh, addition, setting, cause, where, on_its_way=sending))
