"""The words of open concerns, by which they are found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from peewee import Database

from bot.store.statement import Statement, given, insertion
from bot.store.tables import ConcernTermRow
from core.ids import ConcernId

COMMON = 200
"""A word that more open matters hold than this tells none from another."""

_TERMS = Statement(ConcernTermRow.select(ConcernTermRow.term).where(ConcernTermRow.concern_id == given("concern_id")))
_ADD = Statement(insertion(ConcernTermRow))
_REMOVE = Statement(
    ConcernTermRow.delete().where(
        (ConcernTermRow.term == given("term")) & (ConcernTermRow.concern_id == given("concern_id"))
    )
)
_HOLDING = Statement(
    ConcernTermRow.select(ConcernTermRow.concern_id).where(ConcernTermRow.term == given("term")).limit(given("limit"))
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
        held = ([ConcernId(i) for (i,) in _HOLDING.rows(self._db, term=t, limit=COMMON + 1)] for t in terms)
        found: set[ConcernId] = set()
        for ids in sorted((ids for ids in held if len(ids) <= COMMON), key=len):
            if found and len(found.union(ids)) > limit:
                break
            found.update(ids)
        shared = {i: len(self.of(i).intersection(terms)) for i in found}
        most = max(shared.values(), default=0)
        near = sorted((i for i in found if shared[i] * 2 >= most), key=lambda i: (-shared[i], i))
        return tuple(near[:limit])
