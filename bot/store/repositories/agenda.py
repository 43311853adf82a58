"""The agenda: what is expected, looked out for and told in the morning; `focus` has the concerns and decisions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from peewee import Expression, Select, fn

from bot.store.columns import moment
from bot.store.repositories.counters import next_number
from bot.store.repositories.focus import FocusTable
from bot.store.statement import Row, Statement, given, insertion
from bot.store.tables import AgendaItemRow
from core.agenda.model import Expectation, MorningBrief, WatchItem, brief_id
from core.ids import PersonId

_EXPECTATION = AgendaItemRow.kind == "expectation"
_WATCH = AgendaItemRow.kind == "watch"
_BRIEF = AgendaItemRow.kind == "brief"
_OPEN = AgendaItemRow.due_at.is_null(False)
_OWNED = AgendaItemRow.owner == given("owner")


def _items(*which: Expression) -> Select:
    oldest = (AgendaItemRow.created_at, AgendaItemRow.item_id)
    return AgendaItemRow.select(AgendaItemRow.body).where(*which).order_by(*oldest)


def _due(kind: Expression) -> Statement:
    first = (AgendaItemRow.due_at, AgendaItemRow.item_id)
    return Statement(_items(kind, AgendaItemRow.due_at <= given("now")).order_by(*first).limit(given("limit")))


_PUT_ITEM = Statement(
    insertion(AgendaItemRow).on_conflict(
        conflict_target=[AgendaItemRow.item_id],
        preserve=[AgendaItemRow.owner, AgendaItemRow.due_at, AgendaItemRow.body],
    )
)
_THIS = AgendaItemRow.item_id == given("item_id")
_EXPECTATION_OF_ID = Statement(_items(_EXPECTATION, _THIS))
_WATCH_OF_ID = Statement(_items(_WATCH, _THIS))
_BRIEF_OF_ID = Statement(_items(_BRIEF, _THIS))
_EXPECTATIONS = Statement(_items(_EXPECTATION, _OPEN))
_EXPECTATIONS_OF = Statement(_items(_EXPECTATION, _OPEN, _OWNED))
_EXPECTATIONS_DUE = _due(_EXPECTATION)
_WATCHES = Statement(_items(_WATCH))
_WATCHES_OF = Statement(_items(_WATCH, _OWNED))
_WATCHES_DUE = _due(_WATCH)
_BRIEFS_DUE = _due(_BRIEF)
_TAKE = Statement(AgendaItemRow.delete().where((AgendaItemRow.item_id == given("item_id")) & _OPEN))
_NEXT_DUE = Statement(AgendaItemRow.select(fn.MIN(AgendaItemRow.due_at)).where(AgendaItemRow.due_at > given("after")))


class AgendaTable(FocusTable):
    """`core.ports.AgendaRepository`."""

    def next_id(self, letter: Literal["e", "w"]) -> str:
        """The next free id: `e1`, `w1`, …; never one that was given before."""
        return f"{letter}{next_number(self._db, f'agenda:{letter}')}"

    def put_expectation(self, expectation: Expectation) -> None:
        """Add or replace."""
        self._put("expectation", expectation, expectation.expectation_id, expectation.next_due)

    def expectation(self, expectation_id: str) -> Expectation | None:
        """The expectation, also one that is over; None when it was taken or never was."""
        return next(iter(_expectations(_EXPECTATION_OF_ID.rows(self._db, item_id=expectation_id))), None)

    def expectations(self, owner: PersonId | None = None) -> tuple[Expectation, ...]:
        """Those that are not over, of this owner if given, oldest first."""
        rows = _EXPECTATIONS.rows(self._db) if owner is None else _EXPECTATIONS_OF.rows(self._db, owner=owner)
        return _expectations(rows)

    def expectations_due(self, now: datetime, limit: int) -> tuple[Expectation, ...]:
        """`next_due <= now`, the earliest first."""
        return _expectations(_EXPECTATIONS_DUE.rows(self._db, now=now, limit=limit))

    def put_watch(self, item: WatchItem) -> None:
        """Add or replace."""
        self._put("watch", item, item.watch_id, item.expires_at)

    def watch(self, watch_id: str) -> WatchItem | None:
        """The watch item, while it is there."""
        return next(iter(_watches(_WATCH_OF_ID.rows(self._db, item_id=watch_id))), None)

    def watches(self, owner: PersonId | None = None) -> tuple[WatchItem, ...]:
        """All, of this owner if given, oldest first."""
        return _watches(_WATCHES.rows(self._db) if owner is None else _WATCHES_OF.rows(self._db, owner=owner))

    def watches_due(self, now: datetime, limit: int) -> tuple[WatchItem, ...]:
        """`expires_at <= now`, the earliest first."""
        return _watches(_WATCHES_DUE.rows(self._db, now=now, limit=limit))

    def put_brief(self, brief: MorningBrief) -> None:
        """Add or replace: one for each owner."""
        self._put("brief", brief, brief.item_id, brief.next_at)

    def brief(self, owner: PersonId) -> MorningBrief | None:
        """The brief of this person, while they want one."""
        return next(iter(_briefs(_BRIEF_OF_ID.rows(self._db, item_id=brief_id(owner)))), None)

    def briefs_due(self, now: datetime, limit: int) -> tuple[MorningBrief, ...]:
        """`next_at <= now`, the earliest first."""
        return _briefs(_BRIEFS_DUE.rows(self._db, now=now, limit=limit))

    def take(self, item_id: str) -> bool:
        """End an expectation, a watch item or a brief; false when it was over already."""
        return bool(_TAKE.write(self._db, item_id=item_id))

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` at which an item falls due, or a concern counts as stuck."""
        moments = (moment(_NEXT_DUE.value(self._db, after=after)), self.next_stuck(after))
        return min((m for m in moments if m is not None), default=None)

    def _put(
        self, kind: str, item: Expectation | WatchItem | MorningBrief, item_id: str, due_at: datetime | None
    ) -> None:
        _PUT_ITEM.write(
            self._db,
            item_id=item_id,
            kind=kind,
            owner=item.owner,
            created_at=item.created_at,
            due_at=due_at,
            body=item.model_dump_json(),
        )


def _expectations(rows: Iterable[Row]) -> tuple[Expectation, ...]:
    return tuple(Expectation.model_validate_json(body) for (body,) in rows)


def _watches(rows: Iterable[Row]) -> tuple[WatchItem, ...]:
    return tuple(WatchItem.model_validate_json(body) for (body,) in rows)


def _briefs(rows: Iterable[Row]) -> tuple[MorningBrief, ...]:
    return tuple(MorningBrief.model_validate_json(body) for (body,) in rows)
