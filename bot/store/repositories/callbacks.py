"""Callbacks: what somebody is owed, until it was delivered."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from datetime import datetime, timedelta

from peewee import SQL, Database, Select, fn

from bot.store.columns import moment
from bot.store.statement import Statement, assignments, given, insertion
from bot.store.tables import CallbackRow
from core.callbacks import Callback
from core.ids import ConversationId, PersonId

_NOT_FIRED = SQL("NOT fired")
_FIRST = (CallbackRow.due_at, CallbackRow.id)


def _records() -> Select:
    return CallbackRow.select(CallbackRow.body).order_by(*_FIRST)


_ADD = Statement(insertion(CallbackRow).on_conflict(action="NOTHING"))
_GET = Statement(_records().where(CallbackRow.id == given("id")))
_OF_CHAT = Statement(_records().where(CallbackRow.chat_id == given("chat_id")))
_ALL = Statement(_records().limit(given("limit")))
_OF_PERSON = Statement(_records().where(CallbackRow.person_id == given("person_id")).limit(given("limit")))
_DUE = _records().where(_NOT_FIRED & (CallbackRow.due_at <= given("now"))).limit(given("limit"))
_DUE_OF_ALL = Statement(_DUE)
# A change that changes nothing: whoever else would change or remove the row waits for the end of this transaction.
_HOLD = Statement(CallbackRow.update({CallbackRow.fired: CallbackRow.fired}).where(CallbackRow.id == given("id")))
_FIRE = Statement(CallbackRow.update({CallbackRow.fired: True}).where((CallbackRow.id == given("id")) & _NOT_FIRED))
_REMOVE = Statement(CallbackRow.delete().where(CallbackRow.id == given("id")))
_PASSED = Statement(_records().where(_NOT_FIRED & (CallbackRow.due_at <= given("until"))))
_MOVE = Statement(
    CallbackRow.update(assignments([CallbackRow.created_at, CallbackRow.due_at, CallbackRow.body])).where(
        CallbackRow.id == given("of_id", CallbackRow.id)
    )
)
_NEXT = Statement(
    CallbackRow.select(fn.MIN(CallbackRow.due_at)).where(_NOT_FIRED & (CallbackRow.due_at > given("after")))
)


class CallbackTable:
    """`core.ports.CallbackRepository`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, record: Callback) -> bool:
        """False when the id is there already: the same cause twice is one record."""
        added = _ADD.write(
            self._db,
            id=record.id,
            chat_id=record.chat_id,
            person_id=record.person_id,
            trigger_source=record.trigger_source,
            created_at=record.created_at,
            due_at=record.due_at,
            fired=False,
            body=record.model_dump_json(),
        )
        return bool(added)

    def get(self, callback_id: str) -> Callback | None:
        """The record, while it was not delivered."""
        body = _GET.value(self._db, id=callback_id)
        return None if body is None else Callback.model_validate_json(body)

    def of_chat(self, chat_id: ConversationId) -> tuple[Callback, ...]:
        """All that wait for a chat, the first due first."""
        return _read(_OF_CHAT.rows(self._db, chat_id=chat_id))

    def list(self, person_id: PersonId | None = None, limit: int = 100) -> tuple[Callback, ...]:
        """All that wait (for a person, if given), the first due first."""
        if person_id is None:
            return _read(_ALL.rows(self._db, limit=limit))
        return _read(_OF_PERSON.rows(self._db, person_id=person_id, limit=limit))

    def due(self, now: datetime, limit: int, besides: Collection[ConversationId] = ()) -> tuple[Callback, ...]:
        """Those that may be due and were not taken up yet, the first due first; none of the chats `besides`."""
        if not besides:
            return _read(_DUE_OF_ALL.rows(self._db, now=now, limit=limit))
        others = Statement(_DUE.where(CallbackRow.chat_id.not_in(sorted(besides))))
        return _read(others.rows(self._db, now=now, limit=limit))

    def hold(self, callback_id: str) -> bool:
        """Whether it still waits; nobody else changes or removes it until this transaction ends."""
        return bool(_HOLD.write(self._db, id=callback_id))

    def fire(self, callback_id: str) -> bool:
        """It is taken up. False when it is gone, or was taken up before."""
        return bool(_FIRE.write(self._db, id=callback_id))

    def remove(self, callback_id: str) -> bool:
        """It is delivered, or not wanted any more. False when somebody was quicker."""
        return bool(_REMOVE.write(self._db, id=callback_id))

    def set_back(self, span: timedelta, until: datetime) -> None:
        """The clock was set back by `span`: what was due before `until` stays due."""
        for record in _read(_PASSED.rows(self._db, until=until)):
            created_at, fire_at = record.created_at - span, record.fire_at and record.fire_at - span
            moved = record.model_copy(update={"created_at": created_at, "fire_at": fire_at})
            at = {"created_at": moved.created_at, "due_at": moved.due_at}
            _MOVE.write(self._db, of_id=record.id, body=moved.model_dump_json(), **at)

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` at which one that was not taken up falls due."""
        return moment(_NEXT.value(self._db, after=after))


def _read(rows: builtins.list[tuple[str, ...]]) -> tuple[Callback, ...]:
    return tuple(Callback.model_validate_json(body) for (body,) in rows)
