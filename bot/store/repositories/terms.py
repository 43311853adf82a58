"""The words of open concerns, by which they are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from peewee import Database

from bot.store.statement import Statement, given, insertion
from bot.store.tables import ConcernTermRow
from core.ids import ConcernId

COMMON = 200
"""A word that more open matters hold than this tells none from another."""

_AT_ONCE = 16
"""The words of so many matters are read with one statement."""

_TERMS = Statement(ConcernTermRow.select(ConcernTermRow.term).where(ConcernTermRow.concern_id == given("concern_id")))
_ADD = Statement(insertion(ConcernTermRow))
_REMOVE = Statement(
    ConcernTermRow.delete().where(
        (ConcernTermRow.term == given("term")) & (ConcernTermRow.concern_id == given("concern_id"))
    )
)
_HOLDING = Statement(
    ConcernTermRow.select(ConcernTermRow.concern_id).where(ConcernTermRow.term == given("term")).limit(COMMON)
)
_BEYOND = Statement(
    ConcernTermRow.select(ConcernTermRow.concern_id).where(ConcernTermRow.term == given("term")).limit(1).offset(COMMON)
)
_OF_SEVERAL = Statement(
    ConcernTermRow.select(ConcernTermRow.concern_id, ConcernTermRow.term).where(
        ConcernTermRow.concern_id.in_([given(f"id{n}", ConcernTermRow.concern_id) for n in range(_AT_ONCE)])
    )
)


class TermTable:
    """Kept in step by `ConcernTable`, in the transaction of the change itself."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, concern_id: ConcernId, wanted: Iterable[str]) -> None:
        """These are its words now; none, once it is closed."""
        stored, kept = self.of(concern_id), set(wanted)
        for term in sorted(stored - kept):
            _REMOVE.write(self._db, term=term, concern_id=concern_id)
        for term in sorted(kept - stored):
            _ADD.write(self._db, term=term, concern_id=concern_id)

    def of(self, concern_id: ConcernId) -> set[str]:
        """Its words."""
        return {term for (term,) in _TERMS.rows(self._db, concern_id=concern_id)}

    def holding(self, terms: Sequence[str], limit: int) -> tuple[ConcernId, ...]:
        """Those that hold any of these words, found by the rarest of them, those with the most in front; none with less
        than half as many as another.

        A word that very many hold leads nowhere, nor does one that would lead to more than `limit` beside what rarer
        ones have found: what is read does not grow with the store.
        """
        found: set[ConcernId] = set()
        for ids in sorted((self._holders(term) for term in terms), key=len):
            if found and len(found.union(ids)) > limit:
                break
            found.update(ids)
        shared = self._shared(sorted(found), frozenset(terms))
        most = max(shared.values(), default=0)
        near = sorted((i for i in found if shared[i] * 2 >= most), key=lambda i: (-shared[i], i))
        return tuple(near[:limit])

    def _holders(self, term: str) -> list[ConcernId]:
        """Those that hold this word; none where very many do, which the database counts by itself."""
        if _BEYOND.value(self._db, term=term) is not None:
            return []
        return [ConcernId(i) for (i,) in _HOLDING.rows(self._db, term=term)]

    def _shared(self, ids: Sequence[ConcernId], terms: frozenset[str]) -> Counter[ConcernId]:
        """How many of the words each of them has."""
        shared: Counter[ConcernId] = Counter()
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            places = {f"id{n}": some[min(n, len(some) - 1)] for n in range(_AT_ONCE)}
            shared.update(ConcernId(i) for i, term in _OF_SEVERAL.rows(self._db, **places) if term in terms)
        return shared
