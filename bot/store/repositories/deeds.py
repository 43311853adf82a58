"""Who did what, newest first."""

from __future__ import annotations

from peewee import Database

from bot.store.statement import Statement, given, insertion
from bot.store.tables import DeedRow
from core.deeds import Deed
from core.ids import PersonId

_OF = (DeedRow.actor == given("person_id")) | (DeedRow.person_id == given("person_id"))
_LATEST_FIRST = DeedRow.select(DeedRow.body).order_by(DeedRow.id.desc()).limit(given("limit")).offset(given("offset"))

_ADD = Statement(insertion(DeedRow))
_LATEST = Statement(_LATEST_FIRST)
_LATEST_OF = Statement(_LATEST_FIRST.where(_OF))


class DeedTable:
    """`core.ports.DeedRepository`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, deed: Deed) -> None:
        """Keep one."""
        _ADD.write(self._db, at=deed.at, actor=deed.by, person_id=deed.person_id, body=deed.model_dump_json())

    def latest(self, limit: int, offset: int = 0, of: PersonId | None = None) -> tuple[Deed, ...]:
        """Newest first; what this person did, or what was done to them, if given."""
        if of is None:
            rows = _LATEST.rows(self._db, limit=limit, offset=offset)
        else:
            rows = _LATEST_OF.rows(self._db, limit=limit, offset=offset, person_id=of)
        return tuple(Deed.model_validate_json(body) for (body,) in rows)
