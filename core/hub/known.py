"""The open matters that somebody's words are held against: all of theirs, or, where they have very many, a bounded
part: what is in front, and what the words themselves point to. So a message costs the same, whatever the store holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.concern.matching import leading
from core.concern.model import Concern
from core.hub.naming import named_in
from core.ids import PersonId
from core.people import Person, Role
from core.ports import Repositories

MOST_READ = 200
"""So many of somebody's open matters are read with a word of theirs."""

MOST_POINTED = 50
"""And so many more that its words, or a name in it, point to."""


@dataclass(frozen=True)
class Known:
    """Reads them for `who`, inside one transaction."""

    repos: Repositories
    people: Mapping[PersonId, Person]
    who: Person

    def started(self, text: str) -> tuple[Concern, ...]:
        """Open matters that they started, oldest first; the owner's are also those that nobody started."""
        me = self.who.person_id
        first = (*self.repos.concerns.open_by_initiator(me, MOST_READ), *self._of_nobody())
        if len(first) < MOST_READ:
            return first
        return _merged(first, (c for c in self._pointed_at(text) if c.initiator_id == me))

    def _of_nobody(self) -> Iterable[Concern]:
        """Where a point comes up in one of them, it is the owner's to decide; a mere question to somebody has none."""
        if self.who.role is not Role.OWNER:
            return ()
        found = self.repos.concerns.open_of_nobody(MOST_POINTED)
        me = self.who.person_id
        return (c for c in found if c.relay is None and all(p.person_id != me for p in c.delegates))

    def asked(self, text: str) -> tuple[Concern, ...]:
        """Open matters in which they are asked, oldest first."""
        me = self.who.person_id
        first = self.repos.concerns.open_by_delegate(me, MOST_READ)
        if len(first) < MOST_READ:
            return first
        return _merged(first, (c for c in self._pointed_at(text) if any(p.person_id == me for p in c.delegates)))

    def _pointed_at(self, text: str) -> Iterable[Concern]:
        yield from self.repos.concerns.speaking_of(leading(text), MOST_POINTED)
        for person_id in named_in(text, self.people.values()):
            yield from self.repos.concerns.open_by_delegate(person_id, MOST_POINTED)


def _merged(first: Iterable[Concern], more: Iterable[Concern]) -> tuple[Concern, ...]:
    by_id = {c.concern_id: c for c in (*first, *more)}
    return tuple(sorted(by_id.values(), key=lambda c: (c.created_at, c.concern_id)))
