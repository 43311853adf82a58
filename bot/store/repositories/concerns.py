"""Concerns: kept whole, each with a version; found by status, people and time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from peewee import SQL, Database, Expression, Field, Select, fn

from bot.store.columns import moment
from bot.store.repositories.counters import next_number
from bot.store.repositories.terms import TermTable
from bot.store.statement import Row, Statement, assignments, given, insertion
from bot.store.tables import AgendaRow, ConcernPersonRow, ConcernRow
from core.concern.matching import terms_of
from core.concern.model import DELEGATE, Concern, ConcernType
from core.errors import StaleVersion
from core.ids import ConcernId, PersonId, concern_id

_OLDEST = (ConcernRow.created_at, ConcernRow.concern_id)
_NEWEST = (ConcernRow.created_at.desc(), ConcernRow.concern_id.desc())
_FIXED = {ConcernRow.concern_id, ConcernRow.created_at}
_CHANGING = tuple(field for field in ConcernRow._meta.sorted_fields if field not in _FIXED)

# Written so, it is looked up in an index with other columns before it; SQLite uses the bare column for none.
_OPEN = ConcernRow.is_open == SQL("TRUE")


def _concerns() -> Select:
    return ConcernRow.select(ConcernRow.body)


def _asking() -> Select:
    """Those in which the person is a delegate."""
    on = ConcernPersonRow.concern_id == ConcernRow.concern_id
    asked = (ConcernPersonRow.person_id == given("person_id")) & (ConcernPersonRow.role == DELEGATE)
    return _concerns().join(ConcernPersonRow, on=on).where(asked)


def _overdue(at: Field, *which: Expression) -> Statement:
    """The longest overdue first."""
    overdue = _concerns().where(at <= given("now"), *which)
    return Statement(overdue.order_by(at, ConcernRow.concern_id).limit(given("limit")))


_ADD = Statement(insertion(ConcernRow).on_conflict(action="NOTHING"))
_SAVE = Statement(
    ConcernRow.update(assignments(_CHANGING)).where(
        (ConcernRow.concern_id == given("concern_id")) & (ConcernRow.version == given("read_version"))
    )
)
_GET = Statement(_concerns().where(ConcernRow.concern_id == given("concern_id")))
_IS_THERE = Statement(ConcernRow.select(SQL("1")).where(ConcernRow.concern_id == given("concern_id")))
_OPEN_BY_INITIATOR = Statement(
    _concerns().where((ConcernRow.initiator_id == given("person_id")) & _OPEN).order_by(*_OLDEST)
)
_OPEN_OF_NOBODY = Statement(
    _concerns().where(ConcernRow.initiator_id.is_null() & _OPEN).order_by(*_OLDEST).limit(given("limit"))
)
_ONE_AFTER = Statement(
    ConcernRow.select(SQL("1"))
    .where((ConcernRow.initiator_id == given("person_id")) & _OPEN)
    .limit(1)
    .offset(given("limit"))
)
_IN_FRONT = Statement(
    AgendaRow.select(ConcernRow.body)
    .join(ConcernRow, on=(ConcernRow.concern_id == AgendaRow.concern_id))
    .where(AgendaRow.owner == given("person_id"))
    .order_by(AgendaRow.focus_at, AgendaRow.concern_id)
    .limit(given("limit"))
)
_ANOTHER_OPEN = Statement(
    ConcernRow.select(SQL("1"))
    .where((ConcernRow.initiator_id == given("person_id")) & _OPEN & (ConcernRow.concern_id != given("besides")))
    .limit(1)
)
_OPEN_BY_DELEGATE = Statement(_asking().where(ConcernPersonRow.closed_at.is_null()).order_by(*_OLDEST))
_NEWEST_BY_DELEGATE = Statement(
    _asking()
    .where(ConcernPersonRow.closed_at.is_null())
    .order_by(ConcernPersonRow.concern_id.desc())
    .limit(given("limit"))
)
_LAST_CLOSED_BY_DELEGATE = Statement(
    _asking()
    .where(ConcernPersonRow.closed_at.is_null(False))
    .order_by(ConcernPersonRow.closed_at.desc(), ConcernPersonRow.concern_id.desc())
    .limit(1)
)
_BY_ORIGIN = Statement(
    _concerns()
    .where(
        (ConcernRow.origin_channel == given("channel"))
        & (ConcernRow.origin_message_id == given("message_id"))
        & (ConcernRow.initiator_id == given("initiator"))
    )
    .order_by(*_OLDEST)
)
_TIMED_OUT = _overdue(ConcernRow.timeout_at)
_DUE = _overdue(ConcernRow.due_at, ConcernRow.type != ConcernType.SCHEDULE)
_SCHEDULES_DUE = _overdue(ConcernRow.due_at, ConcernRow.type == ConcernType.SCHEDULE)
_OPEN_SCHEDULES = _concerns().where(ConcernRow.is_open, ConcernRow.type == ConcernType.SCHEDULE).order_by(*_OLDEST)
_SCHEDULES = Statement(_OPEN_SCHEDULES)
# As in its index. A pause has an end, and that is when a paused one is due.
_WITHOUT_TIME = SQL("(is_open AND type = 'schedule' AND (due_at IS NULL OR paused_until IS NOT NULL))")
_AWAITING = Statement(_concerns().where(_WITHOUT_TIME).order_by(*_OLDEST))
_AWAITING_OF = Statement(
    _concerns().where(_WITHOUT_TIME & (ConcernRow.initiator_id == given("initiator")) & _OPEN).order_by(*_OLDEST)
)
_SCHEDULES_OF = Statement(_OPEN_SCHEDULES.where((ConcernRow.initiator_id == given("initiator")) & _OPEN))
_FIRST_TIMEOUT = Statement(
    ConcernRow.select(fn.MIN(ConcernRow.timeout_at)).where(ConcernRow.timeout_at > given("after"))
)
_FIRST_DUE = Statement(ConcernRow.select(fn.MIN(ConcernRow.due_at)).where(ConcernRow.due_at > given("after")))
_PEOPLE = Statement(
    ConcernPersonRow.select(ConcernPersonRow.person_id, ConcernPersonRow.role, ConcernPersonRow.closed_at).where(
        ConcernPersonRow.concern_id == given("concern_id")
    )
)
_ADD_PERSON = Statement(insertion(ConcernPersonRow))
_REMOVE_PERSON = Statement(
    ConcernPersonRow.delete().where(
        (ConcernPersonRow.concern_id == given("concern_id"))
        & (ConcernPersonRow.person_id == given("person_id"))
        & (ConcernPersonRow.role == given("role"))
    )
)


class ConcernTable:
    """`core.ports.ConcernRepository`, with filters for the commands."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._terms = TermTable(db)

    def next_id(self, day: str) -> ConcernId:
        """The next free id of `day` (YYYYMMDD); never one that was given before, also when its concern is gone.

        The counter may be behind (rows were brought in from elsewhere): then it goes on to the first that is free.
        """
        while True:
            free = concern_id(day, next_number(self._db, f"concern:{day}"))
            if _IS_THERE.row(self._db, concern_id=free) is None:
                return free

    def add(self, concern: Concern) -> None:
        """Keep a new one. Raises `StaleVersion` when its id is there already."""
        fixed = {"concern_id": concern.concern_id, "created_at": concern.created_at}
        if not _ADD.write(self._db, **fixed, **_columns(concern)):
            raise StaleVersion(f"concern {concern.concern_id} is there already")
        self._set_people(concern, stored=set())
        self._terms.put(concern.concern_id, terms_of(concern))

    def save(self, concern: Concern) -> Concern:
        """Write it with `version + 1`. Raises `StaleVersion` when the stored version is not `concern.version`."""
        saved = concern.model_copy(update={"version": concern.version + 1})
        known = {"concern_id": concern.concern_id, "read_version": concern.version}
        if not _SAVE.write(self._db, **known, **_columns(saved)):
            raise StaleVersion(f"concern {concern.concern_id} has another version than {concern.version}")
        self._set_people(saved, stored=set(self._people(concern.concern_id)))
        self._terms.put(saved.concern_id, terms_of(saved))
        return saved

    def get(self, concern_id: ConcernId) -> Concern | None:
        """The concern, or None."""
        return _first(_GET.rows(self._db, concern_id=concern_id))

    def open_by_initiator(self, person_id: PersonId, limit: int | None = None) -> tuple[Concern, ...]:
        """Open ones that this person started, oldest first; of more than `limit` those in front on the agenda."""
        if limit is not None and _ONE_AFTER.row(self._db, person_id=person_id, limit=limit) is not None:
            in_front = _all(_IN_FRONT.rows(self._db, person_id=person_id, limit=limit))
            return tuple(sorted(in_front, key=lambda c: (c.created_at, c.concern_id)))
        return _all(_OPEN_BY_INITIATOR.rows(self._db, person_id=person_id))

    def open_of_nobody(self, limit: int) -> tuple[Concern, ...]:
        """Open ones that nobody started: the bot did, by itself. Oldest first."""
        return _all(_OPEN_OF_NOBODY.rows(self._db, limit=limit))

    def another_open(self, person_id: PersonId, besides: ConcernId) -> bool:
        """Whether this person has started any other that is open."""
        return _ANOTHER_OPEN.row(self._db, person_id=person_id, besides=besides) is not None

    def open_by_delegate(self, person_id: PersonId, limit: int | None = None) -> tuple[Concern, ...]:
        """Open ones in which this person is asked, oldest first; of more than `limit` the newest."""
        if limit is None:
            return _all(_OPEN_BY_DELEGATE.rows(self._db, person_id=person_id))
        return _all(reversed(_NEWEST_BY_DELEGATE.rows(self._db, person_id=person_id, limit=limit)))

    def speaking_of(self, terms: Sequence[str], limit: int) -> tuple[Concern, ...]:
        """Open ones that hold any of these words, those with the most in front; what very many hold leads nowhere."""
        found = self._terms.holding(terms, limit)
        return tuple(c for c in map(self.get, found) if c is not None)

    def last_closed_by_delegate(self, person_id: PersonId) -> Concern | None:
        """The most recently closed one in which this person was asked."""
        return _first(_LAST_CLOSED_BY_DELEGATE.rows(self._db, person_id=person_id))

    def by_origin(self, channel: str, message_id: str, initiator: PersonId) -> tuple[Concern, ...]:
        """Those that this message of the initiator raised, oldest first."""
        return _all(_BY_ORIGIN.rows(self._db, channel=channel, message_id=message_id, initiator=initiator))

    def list(
        self,
        *,
        open_only: bool,
        limit: int,
        offset: int = 0,
        status: str | None = None,
        type: str | None = None,
        person: PersonId | None = None,
        initiator: PersonId | None = None,
        text: str | None = None,
    ) -> tuple[Concern, ...]:
        """Newest first.

        `person` has any part in it, `initiator` started it, `text` is part of its title or id. All filters must hold.
        """
        query = _filtered(_concerns(), open_only, status, type, person, initiator, text)
        return _all(Statement(query.order_by(*_NEWEST).limit(limit).offset(offset)).rows(self._db))

    def count(
        self,
        *,
        open_only: bool,
        status: str | None = None,
        type: str | None = None,
        person: PersonId | None = None,
        initiator: PersonId | None = None,
        text: str | None = None,
    ) -> int:
        """How many there are, by the filters of `list`."""
        query = ConcernRow.select(fn.COUNT(ConcernRow.concern_id))
        return int(Statement(_filtered(query, open_only, status, type, person, initiator, text)).value(self._db))

    def timed_out(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open, not paused, `timeout_at <= now`; the longest overdue first."""
        return _all(_TIMED_OUT.rows(self._db, now=now, limit=limit))

    def due(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open, not paused, no schedules, `due_at <= now`; the longest overdue first."""
        return _all(_DUE.rows(self._db, now=now, limit=limit))

    def schedules(self, initiator: PersonId | None = None) -> tuple[Concern, ...]:
        """Open ones of type `schedule`, of this initiator if given, oldest first."""
        if initiator is None:
            return _all(_SCHEDULES.rows(self._db))
        return _all(_SCHEDULES_OF.rows(self._db, initiator=initiator))

    def awaiting(self, initiator: PersonId | None = None) -> tuple[Concern, ...]:
        """Open schedules without a time, of this initiator if given, oldest first; paused ones too, time or none."""
        if initiator is None:
            return _all(_AWAITING.rows(self._db))
        return _all(_AWAITING_OF.rows(self._db, initiator=initiator))

    def schedules_due(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open schedules, not paused, `due_at <= now`; the longest overdue first."""
        return _all(_SCHEDULES_DUE.rows(self._db, now=now, limit=limit))

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` at which one of these scans has something new."""
        moments = (moment(first.value(self._db, after=after)) for first in (_FIRST_TIMEOUT, _FIRST_DUE))
        return min((m for m in moments if m is not None), default=None)

    def _people(self, concern_id: ConcernId) -> Iterable[Row]:
        return ((who, role, moment(at)) for who, role, at in _PEOPLE.rows(self._db, concern_id=concern_id))

    def _set_people(self, concern: Concern, stored: set[Row]) -> None:
        ended = None if concern.status.is_open else concern.closed_at or concern.created_at
        wanted = {(person.person_id, person.role_in_concern, ended) for person in concern.people}
        for person_id, role, _ in sorted(stored - wanted):
            _REMOVE_PERSON.write(self._db, concern_id=concern.concern_id, person_id=person_id, role=role)
        for person_id, role, _ in sorted(wanted - stored):
            here = {"concern_id": concern.concern_id, "person_id": person_id}
            _ADD_PERSON.write(self._db, **here, role=role, closed_at=ended)


def _columns(concern: Concern) -> dict[str, Any]:
    """What of a concern is searched for and may change, and the whole."""
    initiator = concern.source.initiator
    return {
        "version": concern.version,
        "status": concern.status,
        "is_open": concern.status.is_open,
        "priority": concern.priority,
        "type": concern.type,
        "title": concern.title,
        "initiator_id": concern.initiator_id,
        "origin_channel": initiator.channel if initiator else None,
        "origin_message_id": concern.origin_message_id,
        "closed_at": concern.closed_at,
        "paused_until": concern.paused_until,
        "timeout_at": _taken_up_at(concern, concern.timeout_at),
        "due_at": _taken_up_at(concern, concern.due_at),
        "body": concern.model_dump_json(),
    }


def _taken_up_at(concern: Concern, at: datetime | None) -> datetime | None:
    """When it is really taken up: never once it is closed, not before the end of a pause."""
    if at is None or not concern.status.is_open:
        return None
    return max(at, concern.paused_until) if concern.paused_until else at


def _first(rows: Iterable[Row]) -> Concern | None:
    return next(iter(_all(rows)), None)


def _all(rows: Iterable[Row]) -> tuple[Concern, ...]:
    return tuple(_read(body) for (body,) in rows)


@lru_cache(maxsize=512)
def _read(body: str) -> Concern:
    """What somebody has open is read with every word of theirs: the same text is the same (frozen) concern."""
    return Concern.model_validate_json(body)


def _filtered(
    query: Select,
    open_only: bool,
    status: str | None,
    type: str | None,
    person: str | None,
    initiator: str | None,
    text: str | None,
) -> Select:
    conditions: list[Expression | Field] = []
    if open_only:
        conditions.append(ConcernRow.is_open)
    if status is not None:
        conditions.append(ConcernRow.status == status)
    if type is not None:
        conditions.append(ConcernRow.type == type)
    if initiator is not None:
        conditions.append(ConcernRow.initiator_id == initiator)
    if person is not None:
        theirs = ConcernPersonRow.select(ConcernPersonRow.concern_id).where(ConcernPersonRow.person_id == person)
        conditions.append(ConcernRow.concern_id.in_(theirs))
    if text is not None:
        conditions.append(ConcernRow.title.contains(text) | ConcernRow.concern_id.contains(text))
    return query.where(*conditions) if conditions else query
