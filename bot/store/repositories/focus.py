"""References to open concerns in the order of what matters, and what was decided lately."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from peewee import SQL, Database, Expression, Function, Select, fn

from bot.store.columns import moment
from bot.store.statement import Row, Statement, given, insertion
from bot.store.tables import AgendaRow, DecisionRow
from core.agenda.model import ConcernRef, RecentDecision
from core.agenda.ranking import focus_at
from core.ids import ConcernId, PersonId

_CHANGING = tuple(f for f in AgendaRow._meta.sorted_fields if f is not AgendaRow.concern_id)
_PLACE = (AgendaRow.focus_at, AgendaRow.concern_id)
_OWNED = AgendaRow.owner == given("owner")
# As in its index.
_WAITING = AgendaRow.waiting_since.is_null(False)
_LATEST = (DecisionRow.at.desc(), DecisionRow.id.desc())


def _refs(*which: Expression | Function) -> Select:
    query = AgendaRow.select(AgendaRow.body)
    return query.where(*which) if which else query


def _page(*which: Expression) -> Statement:
    """In the order of what matters. `besides` is one whose own points are left out: they are asked about elsewhere."""
    asked = _WAITING & (AgendaRow.owner == given("besides"))
    others = fn.COALESCE(~asked, SQL("TRUE"))
    query = _refs(others, *which).order_by(*_PLACE)
    return Statement(query.limit(given("limit")).offset(given("offset")))


def _counted(*which: Expression) -> Statement:
    query = AgendaRow.select(fn.COUNT(AgendaRow.concern_id))
    return Statement(query.where(*which) if which else query)


_PUT = Statement(insertion(AgendaRow).on_conflict(conflict_target=[AgendaRow.concern_id], preserve=_CHANGING))
_REMOVE = Statement(AgendaRow.delete().where(AgendaRow.concern_id == given("concern_id")))
_REFS = Statement(_refs().order_by(AgendaRow.concern_id))
_REF = Statement(_refs(AgendaRow.concern_id == given("concern_id")))
_FOCUS = _page()
_FOCUS_OF = _page(_OWNED)
_COUNT = _counted()
_COUNT_OF = _counted(_OWNED)
_ASKED = Statement(
    _refs(_OWNED, _WAITING).order_by(AgendaRow.waiting_since, AgendaRow.concern_id).limit(given("limit"))
)
_ASKED_COUNT = _counted(_OWNED, _WAITING)
_STUCK = Statement(
    AgendaRow.select(AgendaRow.body, AgendaRow.stuck_at)
    .where(AgendaRow.stuck_at <= given("now"))
    .order_by(AgendaRow.stuck_at, AgendaRow.concern_id)
    .limit(given("limit"))
)
_LET_BE = Statement(
    AgendaRow.update({AgendaRow.stuck_at: given("until", AgendaRow.stuck_at)}).where(
        AgendaRow.concern_id == given("concern_id")
    )
)
_NEXT_STUCK = Statement(AgendaRow.select(fn.MIN(AgendaRow.stuck_at)).where(AgendaRow.stuck_at > given("after")))
_RECORD = Statement(insertion(DecisionRow))
_RECENT = Statement(DecisionRow.select(DecisionRow.body).order_by(*_LATEST).limit(given("limit")))
_RECENT_OF = Statement(
    DecisionRow.select(DecisionRow.body)
    .where(DecisionRow.owner == given("owner"))
    .order_by(*_LATEST)
    .limit(given("limit"))
)


class FocusTable:
    """The part of `core.ports.AgendaRepository` that looks at concerns."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, ref: ConcernRef) -> None:
        """Add the reference or replace it: this alone sets its place."""
        _PUT.write(
            self._db,
            concern_id=ref.concern_id,
            owner=ref.owner,
            focus_at=focus_at(ref),
            waiting_since=ref.waiting_since if ref.agenda_role == "waiting_for_owner" else None,
            stuck_at=ref.stuck_at,
            body=ref.model_dump_json(),
        )

    def remove(self, concern_id: ConcernId) -> None:
        """Take it out, if it is there."""
        _REMOVE.write(self._db, concern_id=concern_id)

    def ref(self, concern_id: ConcernId) -> ConcernRef | None:
        """The reference to one concern; None when it is closed."""
        return next(iter(_all(_REF.rows(self._db, concern_id=concern_id))), None)

    def refs(self) -> tuple[ConcernRef, ...]:
        """All of them, by concern id."""
        return _all(_REFS.rows(self._db))

    def focus(
        self, limit: int, owner: PersonId | None = None, offset: int = 0, besides: PersonId | None = None
    ) -> tuple[ConcernRef, ...]:
        """What matters now comes first (`core.agenda.ranking`); what this owner started, if given.

        `besides`: without the points that wait for this person.
        """
        page = {"limit": limit, "offset": offset, "besides": besides}
        if owner is None:
            return _all(_FOCUS.rows(self._db, **page))
        return _all(_FOCUS_OF.rows(self._db, owner=owner, **page))

    def count(self, owner: PersonId | None = None) -> int:
        """How many there are, of this owner if given."""
        return int(_COUNT.value(self._db) if owner is None else _COUNT_OF.value(self._db, owner=owner))

    def asked(self, owner: PersonId, limit: int) -> tuple[ConcernRef, ...]:
        """Those with a point that waits for this owner, the longest waiting first."""
        return _all(_ASKED.rows(self._db, owner=owner, limit=limit))

    def asked_count(self, owner: PersonId) -> int:
        """How many of those there are."""
        return int(_ASKED_COUNT.value(self._db, owner=owner))

    def stuck(self, now: datetime, limit: int) -> tuple[ConcernRef, ...]:
        """`stuck_at <= now`, the earliest first; of one that was let be until then, that moment."""
        rows = _STUCK.rows(self._db, now=now, limit=limit)
        return tuple(
            ConcernRef.model_validate_json(body).model_copy(update={"stuck_at": moment(at)}) for body, at in rows
        )

    def let_be(self, concern_id: ConcernId, until: datetime | None = None) -> None:
        """`stuck` does not give it again before `until` (None: ever, as it was asked about) or its next change."""
        _LET_BE.write(self._db, concern_id=concern_id, until=until)

    def next_stuck(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` from which one counts as stuck."""
        return moment(_NEXT_STUCK.value(self._db, after=after))

    def record(self, decision: RecentDecision) -> None:
        """Remember a decision."""
        found = {"at": decision.at, "concern_id": decision.concern_id, "owner": decision.owner}
        _RECORD.write(self._db, **found, body=decision.model_dump_json())

    def recent(self, limit: int, owner: PersonId | None = None) -> tuple[RecentDecision, ...]:
        """The last decisions, newest first; of this owner's, if given."""
        if owner is None:
            rows = _RECENT.rows(self._db, limit=limit)
        else:
            rows = _RECENT_OF.rows(self._db, owner=owner, limit=limit)
        return tuple(RecentDecision.model_validate_json(body) for (body,) in rows)


def _all(rows: Iterable[Row]) -> tuple[ConcernRef, ...]:
    return tuple(ConcernRef.model_validate_json(body) for (body,) in rows)
