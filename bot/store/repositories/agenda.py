"""The agenda: references to concerns, decisions of late, expectations and watch items."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

from peewee import Database, Expression, Select, fn

from bot.store.columns import moment
from bot.store.repositories.counters import next_number
from bot.store.statement import Row, Statement, given, insertion
from bot.store.tables import AgendaItemRow, AgendaRow, DecisionRow
from core.agenda.model import ConcernRef, Expectation, RecentDecision, WatchItem
from core.agenda.ranking import focus_at
from core.ids import ConcernId, PersonId

EVER = datetime(1970, 1, 1, tzinfo=UTC)

_EXPECTATION = AgendaItemRow.kind == "expectation"
_WATCH = AgendaItemRow.kind == "watch"
_OPEN = AgendaItemRow.due_at.is_null(False)
_OWNED = AgendaItemRow.owner == given("owner")


def _items(*which: Expression) -> Select:
    oldest = (AgendaItemRow.created_at, AgendaItemRow.item_id)
    return AgendaItemRow.select(AgendaItemRow.body).where(*which).order_by(*oldest)


def _due(kind: Expression) -> Statement:
    first = (AgendaItemRow.due_at, AgendaItemRow.item_id)
    return Statement(_items(kind, AgendaItemRow.due_at <= given("now")).order_by(*first).limit(given("limit")))


_PUT = Statement(
    insertion(AgendaRow).on_conflict(
        conflict_target=[AgendaRow.concern_id],
        preserve=[AgendaRow.owner, AgendaRow.focus_at, AgendaRow.stuck_at, AgendaRow.body],
    )
)
_REMOVE = Statement(AgendaRow.delete().where(AgendaRow.concern_id == given("concern_id")))
_REFS = Statement(AgendaRow.select(AgendaRow.body).order_by(AgendaRow.concern_id))
_RECORD = Statement(insertion(DecisionRow))
_RECENT = Statement(
    DecisionRow.select(DecisionRow.body).order_by(DecisionRow.at.desc(), DecisionRow.id.desc()).limit(given("limit"))
)
_PUT_ITEM = Statement(
    insertion(AgendaItemRow).on_conflict(
        conflict_target=[AgendaItemRow.item_id],
        preserve=[AgendaItemRow.owner, AgendaItemRow.due_at, AgendaItemRow.body],
    )
)
_ITEM = Statement(_items(AgendaItemRow.item_id == given("item_id")))
_EXPECTATIONS = Statement(_items(_EXPECTATION, _OPEN))
_EXPECTATIONS_OF = Statement(_items(_EXPECTATION, _OPEN, _OWNED))
_EXPECTATIONS_DUE = _due(_EXPECTATION)
_WATCHES = Statement(_items(_WATCH))
_WATCHES_OF = Statement(_items(_WATCH, _OWNED))
_WATCHES_DUE = _due(_WATCH)
_TAKE = Statement(AgendaItemRow.delete().where((AgendaItemRow.item_id == given("item_id")) & _OPEN))
_NEXT_DUE = Statement(AgendaItemRow.select(fn.MIN(AgendaItemRow.due_at)).where(AgendaItemRow.due_at > given("after")))


class AgendaTable:
    """`core.ports.AgendaRepository`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, ref: ConcernRef) -> None:
        """Add the reference or replace it."""
        _PUT.write(
            self._db,
            concern_id=ref.concern_id,
            owner=ref.owner,
            focus_at=focus_at(ref) or EVER,
            stuck_at=None,
            body=ref.model_dump_json(),
        )

    def remove(self, concern_id: ConcernId) -> None:
        """Take it out, if it is there."""
        _REMOVE.write(self._db, concern_id=concern_id)

    def refs(self) -> tuple[ConcernRef, ...]:
        """All of them, by concern id."""
        return tuple(ConcernRef.model_validate_json(body) for (body,) in _REFS.rows(self._db))

    def record(self, decision: RecentDecision) -> None:
        """Remember a decision."""
        _RECORD.write(self._db, at=decision.at, concern_id=decision.concern_id, body=decision.model_dump_json())

    def recent(self, limit: int) -> tuple[RecentDecision, ...]:
        """The last decisions, newest first."""
        return tuple(RecentDecision.model_validate_json(body) for (body,) in _RECENT.rows(self._db, limit=limit))

    # --- expectations and watch items ---

    def next_id(self, letter: Literal["e", "w"]) -> str:
        """The next free id: `e1`, `w1`, …; never one that was given before."""
        return f"{letter}{next_number(self._db, f'agenda:{letter}')}"

    def put_expectation(self, expectation: Expectation) -> None:
        """Add or replace."""
        _PUT_ITEM.write(
            self._db,
            item_id=expectation.expectation_id,
            kind="expectation",
            owner=expectation.owner,
            created_at=expectation.created_at,
            due_at=expectation.next_due,
            body=expectation.model_dump_json(),
        )

    def expectation(self, expectation_id: str) -> Expectation | None:
        """The expectation, also one that is over; None when it was taken or never was."""
        return next(iter(_expectations(_ITEM.rows(self._db, item_id=expectation_id))), None)

    def expectations(self, owner: PersonId | None = None) -> tuple[Expectation, ...]:
        """Those that are not over, of this owner if given, oldest first."""
        rows = _EXPECTATIONS.rows(self._db) if owner is None else _EXPECTATIONS_OF.rows(self._db, owner=owner)
        return _expectations(rows)

    def expectations_due(self, now: datetime, limit: int) -> tuple[Expectation, ...]:
        """`next_due <= now`, the earliest first."""
        return _expectations(_EXPECTATIONS_DUE.rows(self._db, now=now, limit=limit))

    def put_watch(self, item: WatchItem) -> None:
        """Add or replace."""
        _PUT_ITEM.write(
            self._db,
            item_id=item.watch_id,
            kind="watch",
            owner=item.owner,
            created_at=item.created_at,
            due_at=item.expires_at,
            body=item.model_dump_json(),
        )

    def watch(self, watch_id: str) -> WatchItem | None:
        """The watch item, while it is there."""
        return next(iter(_watches(_ITEM.rows(self._db, item_id=watch_id))), None)

    def watches(self, owner: PersonId | None = None) -> tuple[WatchItem, ...]:
        """All, of this owner if given, oldest first."""
        return _watches(_WATCHES.rows(self._db) if owner is None else _WATCHES_OF.rows(self._db, owner=owner))

    def watches_due(self, now: datetime, limit: int) -> tuple[WatchItem, ...]:
        """`expires_at <= now`, the earliest first."""
        return _watches(_WATCHES_DUE.rows(self._db, now=now, limit=limit))

    def take(self, item_id: str) -> bool:
        """End an expectation or a watch item; false when it was over already."""
        return bool(_TAKE.write(self._db, item_id=item_id))

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` at which an expectation or a watch item falls due."""
        return moment(_NEXT_DUE.value(self._db, after=after))


def _expectations(rows: Iterable[Row]) -> tuple[Expectation, ...]:
    return tuple(Expectation.model_validate_json(body) for (body,) in rows)


def _watches(rows: Iterable[Row]) -> tuple[WatchItem, ...]:
    return tuple(WatchItem.model_validate_json(body) for (body,) in rows)
