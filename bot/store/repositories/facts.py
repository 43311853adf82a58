"""The inbox: facts, and what waits to be handled. What was said in them is read in `said`."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import cache

from peewee import SQL, CompoundSelectQuery, Database, Expression, Select, fn
from pydantic import TypeAdapter, ValidationError

from bot.store.columns import MICROSECOND, moment
from bot.store.database.news import News
from bot.store.repositories.breaths import JOINED, Breaths
from bot.store.repositories.people import PeopleTable
from bot.store.repositories.said import SEARCHED, facts_as_stored, stored_of
from bot.store.statement import Row, Statement, assignments, given, insertion
from bot.store.tables import FactRow, JobRow
from core.errors import TakenOver
from core.facts import Fact, Judged, Signal, StoredFact
from core.ids import ConversationId, FactId

log = logging.getLogger(__name__)

# Written out and not bound as a parameter, so that the partial indexes are used.
_UNHANDLED = SQL("'unhandled'")
_TAKEN_JOB = SQL("('running', 'sending')")
_PENDING_JOB = SQL("'pending'")
PUT_OFF_AT_MOST = timedelta(minutes=10)
"""A chat in which somebody never stops talking gets the work that was due before their words after this, first."""

_JUDGEMENT = (
    FactRow.decision,
    FactRow.reason,
    FactRow.brain,
    FactRow.milliseconds,
    FactRow.signals,
    FactRow.handled_at,
)
_SIGNALS = TypeAdapter(tuple[Signal, ...])


_EVENT = SQL("'event'")


def _ready(which: Expression) -> Select:
    """Of `which`: due, nothing of the same conversation is taken, and no fact of it is due that came before.

    What people say goes before the work that waits for their chat, but not for ever: see `PUT_OFF_AT_MOST`.
    """
    earlier, taken, job = FactRow.alias(), FactRow.alias(), JobRow.alias()
    overtaken = earlier.select(SQL("1")).where(
        (earlier.conversation == FactRow.conversation)
        & (earlier.state == _UNHANDLED)
        & (earlier.due_at <= given("now"))
        & (earlier.id < FactRow.id)
    )
    in_hand = taken.select(SQL("1")).where((taken.conversation == FactRow.conversation) & taken.holder.is_null(False))
    worked = job.select(SQL("1")).where((job.lane == FactRow.conversation) & job.state.in_(_TAKEN_JOB))
    late = JobRow.alias()
    put_off = late.select(SQL("1")).where(
        (late.lane == FactRow.conversation)
        & (late.state == _PENDING_JOB)
        & (late.due <= given("patience"))
        & (late.due < FactRow.due_at)
    )
    due = (FactRow.state == _UNHANDLED) & (FactRow.due_at <= given("now"))
    free = ~fn.EXISTS(in_hand) & ~fn.EXISTS(worked) & ~fn.EXISTS(overtaken) & ~fn.EXISTS(put_off)
    ready = facts_as_stored().where(due & which & free)
    # Along the index of what is due, so that many that were put off cost nothing.
    return ready.order_by(FactRow.due_at, FactRow.id)


def _at_hand(which: Expression) -> Select:
    """Facts of a chat that are in work or due."""
    # Every row has such an id; only so does SQLite go along the index of unhandled ones, and not through all the chat.
    of_chat = (FactRow.conversation == given("conversation")) & (FactRow.state == _UNHANDLED) & (FactRow.id > 0)
    now = FactRow.holder.is_null(False) | (FactRow.due_at <= given("now"))
    return FactRow.select(SQL("1")).where(of_chat & now & which)


def _serving() -> CompoundSelectQuery:
    """A fact of the chat that is in work or due, or a stage of an action that runs there; callbacks do not count."""
    stage = JobRow.select(SQL("1")).where((JobRow.lane == given("conversation")) & JobRow.state.in_(_TAKEN_JOB))
    return _at_hand(FactRow.kind != SQL("'callback'")) | stage


_ADD = Statement(
    insertion(FactRow, FactRow.attempts, FactRow.holder, *_JUDGEMENT)
    .on_conflict(action="NOTHING")
    .returning(FactRow.id)
)
_GET = Statement(facts_as_stored().where(FactRow.id == given("id")))
_JUDGED = Statement(
    FactRow.select(FactRow.decision, FactRow.reason, FactRow.brain, FactRow.milliseconds, FactRow.signals).where(
        (FactRow.id == given("id")) & (FactRow.state == SQL("'handled'"))
    )
)
_OPEN = (FactRow.id == given("id")) & (FactRow.state == _UNHANDLED)
_OURS = _OPEN & (FactRow.holder.is_null() | (FactRow.holder == given("me", FactRow.holder)))
_READY = Statement(_ready(FactRow.kind != _EVENT).limit(given("limit")), locking=True)
_READY_EVENTS = Statement(_ready(FactRow.kind == _EVENT).limit(given("limit")), locking=True)
_HANDLED = Statement(
    FactRow.update({FactRow.state: "handled", FactRow.holder: None, **assignments(_JUDGEMENT)}).where(_OURS)
)
_PARTS_HANDLED = Statement(
    FactRow.update({FactRow.state: "handled", **assignments(_JUDGEMENT)}).where(
        (FactRow.part_of == given("id")) & (FactRow.state == JOINED)
    )
)
_DEFER = Statement(
    FactRow.update({FactRow.holder: None, **assignments([FactRow.due_at, FactRow.attempts])}).where(_OURS)
)
# Of another kind, so that nobody who reads what was said stumbles over it either.
_SET_ASIDE = Statement(
    FactRow.update(
        {
            FactRow.state: "handled",
            FactRow.kind: "unreadable",
            FactRow.decision: "failed",
            FactRow.reason: "it cannot be read",
            **assignments([FactRow.handled_at]),
        }
    ).where(_OPEN)
)
_HOLDERS = Statement(FactRow.select(FactRow.holder).where(FactRow.holder.is_null(False)).distinct())
_NEXT_DUE = Statement(FactRow.select(fn.MIN(FactRow.due_at)).where(FactRow.state == _UNHANDLED))
_BUSY = Statement(_serving().limit(1))
_DELIVERING = Statement(_at_hand(FactRow.kind == SQL("'callback'")).limit(1))
_COUNT = Statement(FactRow.select(fn.COUNT(FactRow.id)).where(FactRow.state == _UNHANDLED))


@cache
def _take(count: int) -> Statement:
    """Of so many facts, named by `id0`, `id1`, …, those that are still to be had."""
    ids = FactRow.id.in_([given(f"id{n}") for n in range(count)])
    taken = FactRow.update(assignments([FactRow.holder]))
    return Statement(taken.where(ids & (FactRow.state == _UNHANDLED) & FactRow.holder.is_null()).returning(FactRow.id))


class FactTable(Breaths):
    """`core.ports.FactRepository`, and what the runtime needs to work the inbox off."""

    def __init__(self, db: Database, people: PeopleTable, persona: str, me: str, news: News) -> None:
        """`me`: the name of this process, under which it holds what it claims."""
        super().__init__(db, people, persona)
        self._me = me
        self._news = news

    def add(
        self, fact: Fact, received_at: datetime, *, due: datetime | None = None, part_of: FactId | None = None
    ) -> FactId | None:
        """Store it, due at once or at `due`, or as a part of what waits for more. None when its event, or the message
        that it brings, is there already.
        """
        added = _ADD.value(
            self._db,
            channel=fact.channel,
            event_id=fact.event_id,
            kind=fact.kind,
            conversation=fact.conversation,
            sender=fact.sender,
            message_id=fact.message_id,
            occurred_at=fact.occurred_at,
            received_at=received_at,
            due_at=due or received_at,
            state="unhandled" if part_of is None else "joined",
            part_of=part_of,
            person_id=fact.person_id,
            text=(fact.text or None) if fact.kind in SEARCHED else None,
            body=fact.model_dump_json(exclude_defaults=True),
        )
        if added is not None:
            self._news.work()
        return None if added is None else FactId(added)

    def get(self, fact_id: FactId) -> StoredFact | None:
        """The fact, or None."""
        row = _GET.row(self._db, id=fact_id)
        return self.with_parts(stored_of(row)) if row else None

    def handled(
        self,
        fact_id: FactId,
        decision: str,
        reason: str,
        brain: str,
        at: datetime,
        *,
        milliseconds: int = 0,
        signals: Sequence[Signal] = (),
    ) -> None:
        """Close it, with all that was said in the same breath, by the judgement that it got. Raises `TakenOver` when
        another process has it, or had it.
        """
        judgement = {
            "decision": decision,
            "reason": reason,
            "brain": brain,
            "milliseconds": milliseconds,
            "signals": _SIGNALS.dump_json(tuple(signals)).decode() if signals else None,
            "handled_at": at,
        }
        if not _HANDLED.write(self._db, me=self._me, id=fact_id, **judgement):
            raise TakenOver(f"fact {fact_id} is in other hands")
        _PARTS_HANDLED.write(self._db, id=fact_id, **judgement)
        self._news.work()  # its conversation is free

    def judged(self, fact_id: FactId) -> Judged | None:
        """The judgement of a fact; None while it waits, or where it is gone."""
        row = _JUDGED.row(self._db, id=fact_id)
        if row is None:
            return None
        decision, reason, brain, milliseconds, signals = row
        return Judged(
            decision=decision,
            reason=reason or "",
            brain=brain or "",
            milliseconds=milliseconds or 0,
            signals=_SIGNALS.validate_json(signals) if signals else (),
        )

    # --- the runtime's ---

    def claim(self, now: datetime, limit: int, busy: Collection[str] = (), *, events: bool = False) -> list[StoredFact]:
        """Take of each conversation the oldest unhandled fact that is due; longest due first, `limit` at most.

        `events`: of those from outside, else of all the rest. None of a conversation in which a fact or a job is taken,
        or in `busy`, in which work of this process is just ending. One that was deferred does not hold up those after
        it; one that cannot be read is set aside as failed.
        """
        # One row a conversation, so this many hold enough that are not busy.
        ready = (_READY_EVENTS if events else _READY).rows(
            self._db, now=now, patience=now - PUT_OFF_AT_MOST, limit=limit + len(busy)
        )
        facts = [stored for row in ready if (stored := self._read(row, now)) is not None]
        free = [stored for stored in facts if stored.fact.conversation not in busy][:limit]
        wanted = {f"id{n}": stored.fact_id for n, stored in enumerate(free)}
        taken = set(_take(len(wanted)).rows(self._db, **wanted, holder=self._me)) if wanted else set()
        return [self.with_parts(stored) for stored in free if (stored.fact_id,) in taken]

    def _read(self, row: Row, now: datetime) -> StoredFact | None:
        try:
            return stored_of(row)
        except ValidationError:
            log.error("fact %s cannot be read and is set aside", row[0])
            _SET_ASIDE.write(self._db, id=row[0], handled_at=now)
            self._free(row[0])
            return None

    def defer(self, fact_id: FactId, due: datetime, attempts: int) -> None:
        """Take it up again at `due`; `attempts` is how often it failed so far."""
        _DEFER.write(self._db, me=self._me, id=fact_id, due_at=due, attempts=attempts)
        self._news.work()

    def holders(self) -> frozenset[str]:
        """The processes that hold any."""
        return frozenset(str(name) for (name,) in _HOLDERS.rows(self._db))

    def release(self, holder: str, besides: Collection[FactId] = ()) -> None:
        """Take from a process what it holds, but for the facts on which it still works: others may have them."""
        theirs = (FactRow.holder == holder) & (FactRow.state == _UNHANDLED)
        if besides:
            theirs &= FactRow.id.not_in(sorted(besides))
        if Statement(FactRow.update({FactRow.holder: None}).where(theirs)).write(self._db):
            self._news.work()

    def set_back(self, span: timedelta, until: datetime) -> None:
        """The clock was set back by `span`: what was due before `until` stays due, and who waits waits no longer."""
        earlier = FactRow.update({FactRow.due_at: SQL(f"due_at - {span // MICROSECOND}")})
        Statement(earlier.where(FactRow.state == _UNHANDLED)).write(self._db)

    def busy(self, conversation: ConversationId, now: datetime) -> bool:
        """Whether its people are being served: a fact of the chat is in work or due, or a stage of an action runs.

        Callbacks themselves do not count.
        """
        return _BUSY.row(self._db, conversation=conversation, now=now) is not None

    def delivering(self, conversation: ConversationId, now: datetime) -> bool:
        """Whether a callback of the chat is in work or due."""
        return _DELIVERING.row(self._db, conversation=conversation, now=now) is not None

    def next_due(self) -> datetime | None:
        """When the first of the unhandled facts is due."""
        return moment(_NEXT_DUE.value(self._db))

    def unhandled_count(self) -> int:
        """How many wait, deferred ones included."""
        return int(_COUNT.value(self._db))
