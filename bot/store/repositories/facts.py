"""The inbox: facts, what waits to be handled, and the dialogue of a chat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from functools import cache, reduce
from operator import or_

from peewee import SQL, CompoundSelectQuery, Database, Expression, Function, Select, fn

from bot.store.db import hold_claims
from bot.store.news import News
from bot.store.repositories.people import PeopleTable
from bot.store.statement import Row, Statement, assignments, given, insertion
from bot.store.tables import MICROSECOND, FactRow, JobRow, ReceiptRow, moment
from core.brain.questions import Line
from core.errors import TakenOver
from core.facts import Fact, FactKind, StoredFact
from core.ids import ConversationId, FactId
from core.people import Person
from core.ports import SentMessage

# Written out and not bound as a parameter, so that the partial indexes are used.
_UNHANDLED = SQL("'unhandled'")
_TAKEN_JOB = SQL("('running', 'sending')")
_PENDING_JOB = SQL("'pending'")
_SAYING = FactRow.kind.in_(SQL("('message', 'edit')"))
_EVENT = FactRow.kind == SQL("'event'")
PUT_OFF_AT_MOST = timedelta(minutes=10)
"""A chat in which somebody never stops talking gets the work that was due before their words after this, first."""
SEARCHED = (FactKind.MESSAGE, FactKind.EDIT, FactKind.EVENT)
"""Kinds whose words can be looked for."""

_JUDGEMENT = (FactRow.decision, FactRow.reason, FactRow.brain, FactRow.handled_at)


def _facts() -> Select:
    return FactRow.select(FactRow.id, FactRow.attempts, FactRow.body).order_by(FactRow.id)


def _ready() -> Select:
    """Due, nothing of the same conversation is taken, and no fact of it is due that came before.

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
    ready = _facts().where(due & free)
    # Along the index of what is due, so that many that were put off cost nothing.
    return ready.order_by(FactRow.due_at, FactRow.id)


def _serving() -> CompoundSelectQuery:
    """A fact of the chat that is in work or due, or a stage of an action that runs there; callbacks do not count."""
    somebody = (FactRow.conversation == given("conversation")) & (FactRow.state == _UNHANDLED)
    now = FactRow.holder.is_null(False) | (FactRow.due_at <= given("now"))
    stage = JobRow.select(SQL("1")).where((JobRow.lane == given("conversation")) & JobRow.state.in_(_TAKEN_JOB))
    return FactRow.select(SQL("1")).where(somebody & now & (FactRow.kind != SQL("'callback'"))) | stage


def _recent(*which: Expression) -> Statement:
    """What occurred in a span, oldest first."""
    span = (FactRow.occurred_at >= given("since")) & (FactRow.occurred_at < given("until"))
    query = FactRow.select(FactRow.id, FactRow.attempts, FactRow.body).where(*which, span)
    return Statement(query.order_by(FactRow.occurred_at, FactRow.id).limit(given("limit")))


def _changed_by(*kinds: FactKind) -> Function:
    """A later fact of these kinds changed the message."""
    later = FactRow.alias()
    return fn.EXISTS(
        later.select(SQL("1")).where(
            (later.channel == FactRow.channel)
            & (later.conversation == FactRow.conversation)
            & (later.message_id == FactRow.message_id)
            & later.kind.in_(kinds)
            & (later.id > FactRow.id)
        )
    )


_ADD = Statement(
    insertion(FactRow, FactRow.state, FactRow.attempts, FactRow.holder, *_JUDGEMENT)
    .on_conflict(action="NOTHING")
    .returning(FactRow.id)
)
_GET = Statement(_facts().where(FactRow.id == given("id")))
_BY_MESSAGE = Statement(
    _facts().where(
        (FactRow.channel == given("channel"))
        & (FactRow.conversation == given("conversation"))
        & (FactRow.message_id == given("message_id"))
        & (FactRow.kind == FactKind.MESSAGE)
    )
)
_LAST_FORM = Statement(
    FactRow.select(FactRow.id, FactRow.attempts, FactRow.body)
    .where(
        (FactRow.channel == given("channel"))
        & (FactRow.conversation == given("conversation"))
        & (FactRow.message_id == given("message_id"))
        & FactRow.kind.in_([FactKind.MESSAGE, FactKind.EDIT])
        & (FactRow.id < given("id"))
    )
    .order_by(FactRow.id.desc())
    .limit(1)
)
_OPEN = (FactRow.id == given("id")) & (FactRow.state == _UNHANDLED)
_OURS = _OPEN & (FactRow.holder.is_null() | (FactRow.holder == given("me", FactRow.holder)))
_READY = Statement(_ready().limit(given("limit")), locking=True)
_TAKE = Statement(FactRow.update(assignments([FactRow.holder])).where(_OPEN & FactRow.holder.is_null()))
_HANDLED = Statement(
    FactRow.update({FactRow.state: "handled", FactRow.holder: None, **assignments(_JUDGEMENT)}).where(_OURS)
)
_DEFER = Statement(
    FactRow.update({FactRow.holder: None, **assignments([FactRow.due_at, FactRow.attempts])}).where(_OURS)
)
_HOLDERS = Statement(FactRow.select(FactRow.holder).where(FactRow.holder.is_null(False)).distinct())
_NEXT_DUE = Statement(FactRow.select(fn.MIN(FactRow.due_at)).where(FactRow.state == _UNHANDLED))
_BUSY = Statement(_serving().limit(1))
_COUNT = Statement(FactRow.select(fn.COUNT(FactRow.id)).where(FactRow.state == _UNHANDLED))
_HEARD = Statement(
    FactRow.select(FactRow.received_at, FactRow.body)
    .where((FactRow.conversation == given("conversation")) & FactRow.kind.in_([FactKind.MESSAGE, FactKind.EDIT]))
    .order_by(FactRow.id.desc())
    .limit(given("limit"))
)
_SAID = Statement(
    ReceiptRow.select(ReceiptRow.at, ReceiptRow.body)
    .where(ReceiptRow.conversation == given("conversation"))
    .order_by(ReceiptRow.at.desc(), ReceiptRow.id.desc())
    .limit(given("limit"))
)
_SAID_BY = _recent(
    _SAYING,
    FactRow.channel == given("channel"),
    FactRow.sender == given("sender"),
    ~_changed_by(FactKind.RECALL),
)
_EVENTS = _recent(_EVENT)
_EVENTS_ABOUT = _recent(_EVENT, FactRow.person_id == given("person_id"))


class FactTable:
    """`core.ports.FactRepository`, and what the runtime needs to work the inbox off."""

    def __init__(self, db: Database, people: PeopleTable, persona: str, me: str, news: News) -> None:
        """`me`: the name of this process, under which it holds what it claims."""
        self._db = db
        self._me = me
        self._news = news
        self._people = people
        self._persona = persona

    def add(self, fact: Fact, received_at: datetime) -> FactId | None:
        """Store it, due at once. None when its event, or the message that it brings, is there already."""
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
            due_at=received_at,
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
        return _stored(row) if row else None

    def handled(self, fact_id: FactId, decision: str, reason: str, brain: str, at: datetime) -> None:
        """Close it with the judgement that it got. Raises `TakenOver` when another process has it, or had it."""
        judgement = {"decision": decision, "reason": reason, "brain": brain, "handled_at": at}
        if not _HANDLED.write(self._db, me=self._me, id=fact_id, **judgement):
            raise TakenOver(f"fact {fact_id} is in other hands")
        self._news.work()  # its conversation is free

    def by_message(self, channel: str, message_id: str, conversation: ConversationId) -> StoredFact | None:
        """The message that an edit, a recall or a quote names, as it first came."""
        row = _BY_MESSAGE.row(self._db, channel=channel, message_id=message_id, conversation=conversation)
        return _stored(row) if row else None

    def dialogue(self, conversation: ConversationId, limit: int) -> tuple[Line, ...]:
        """The last lines of a chat in both directions, in the order in which they came here, oldest first."""
        # In a chat of two it is one and the same who wrote all of them.
        known = cache(self._people.by_identity)
        heard = [
            (received_at, _heard(Fact.model_validate_json(body), known))
            for received_at, body in _HEARD.rows(self._db, conversation=conversation, limit=limit)
        ]
        said = [
            (at, self._said(SentMessage.model_validate_json(body)))
            for at, body in _SAID.rows(self._db, conversation=conversation, limit=limit)
        ]
        # A stable sort: at one instant a message comes before the answer to it.
        lines = sorted([*reversed(heard), *reversed(said)], key=lambda line: line[0])
        return tuple(line for _, line in lines[-limit:])

    def is_unchanged(self, edit: StoredFact) -> bool:
        """Whether an edit leaves the message as it last was (channels report edits that only touch its looks)."""
        fact = edit.fact
        known = {"channel": fact.channel, "conversation": fact.conversation, "message_id": fact.message_id}
        row = _LAST_FORM.row(self._db, **known, id=edit.fact_id) if fact.kind is FactKind.EDIT else None
        if row is None:
            return False
        before = _stored(row).fact
        return (before.text, before.attachments) == (fact.text, fact.attachments)

    def about(self, person: Person | None, since: datetime, until: datetime, limit: int) -> tuple[StoredFact, ...]:
        """Messages of a person and events about them that occurred in [since, until), oldest first.

        Without a person: all events of that time. A message that was recalled since is left out.
        """
        span = {"since": since, "until": until, "limit": limit}
        if person is None:
            rows = _EVENTS.rows(self._db, **span)
        else:
            rows = _EVENTS_ABOUT.rows(self._db, **span, person_id=person.person_id)
            for identity in person.identities:
                rows += _SAID_BY.rows(self._db, **span, channel=identity.channel, sender=identity.user_id)
        facts = sorted(map(_stored, rows), key=lambda stored: (stored.fact.occurred_at, stored.fact_id))
        return tuple(facts[:limit])

    def search(
        self,
        words: Sequence[str],
        limit: int,
        *,
        of: Person | None = None,
        besides: Person | None = None,
        since: datetime | None = None,
    ) -> tuple[StoredFact, ...]:
        """Messages and events that hold any of the words (none: all) and occurred from `since` on, newest first.

        `of`: what this person said and events about them; `besides`: nothing that this person said. Commands are left
        out, and messages that were edited or recalled since: of an edited one its last form is found.
        """
        found = [(_SAYING | _EVENT), FactRow.text.is_null(False), ~_changed_by(FactKind.EDIT, FactKind.RECALL)]
        found.append(FactRow.decision.is_null() | (FactRow.decision != "command"))
        if words:
            found.append(reduce(or_, (FactRow.text.contains(word) for word in words)))
        if of is not None:
            found.append(_said_by(of) | (_EVENT & (FactRow.person_id == of.person_id)))
        if besides is not None:
            found.append(~_said_by(besides))
        if since is not None:
            found.append(FactRow.occurred_at >= since)
        query = FactRow.select(FactRow.id, FactRow.attempts, FactRow.body).where(*found)
        statement = Statement(query.order_by(FactRow.id.desc()).limit(limit))
        return tuple(map(_stored, statement.rows(self._db)))

    # --- the runtime's ---

    def claim(self, now: datetime, limit: int, busy: Collection[str] = ()) -> list[StoredFact]:
        """Take of each conversation the oldest unhandled fact that is due; longest due first, `limit` at most.

        None of a conversation in which a fact or a job is taken, or in `busy`, in which work of this process is just
        ending. One that was deferred does not hold up those after it.
        """
        hold_claims(self._db)
        # One row a conversation, so this many hold enough that are not busy.
        ready = _READY.rows(self._db, now=now, patience=now - PUT_OFF_AT_MOST, limit=limit + len(busy))
        facts = map(_stored, ready)
        free = [stored for stored in facts if stored.fact.conversation not in busy][:limit]
        return [stored for stored in free if _TAKE.write(self._db, id=stored.fact_id, holder=self._me)]

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
        wait = (FactRow.due_at <= until) | (FactRow.attempts > 0)
        earlier = FactRow.update({FactRow.due_at: SQL(f"due_at - {span // MICROSECOND}")})
        Statement(earlier.where((FactRow.state == _UNHANDLED) & wait)).write(self._db)

    def busy(self, conversation: ConversationId, now: datetime) -> bool:
        """Whether its people are being served: a fact of the chat is in work or due, or a stage of an action runs.

        Callbacks themselves do not count.
        """
        return _BUSY.row(self._db, conversation=conversation, now=now) is not None

    def next_due(self) -> datetime | None:
        """When the first of the unhandled facts is due."""
        return moment(_NEXT_DUE.value(self._db))

    def unhandled_count(self) -> int:
        """How many wait, deferred ones included."""
        return int(_COUNT.value(self._db))

    def _said(self, sent: SentMessage) -> Line:
        return Line(who=self._persona, text=sent.text, at=sent.at, ours=True)


def _heard(fact: Fact, known: Callable[[str, str], Person | None]) -> Line:
    person = known(fact.channel, fact.sender)
    who = person.name if person else fact.sender_name or fact.sender
    text = fact.text or " ".join(f"[{a.name or a.kind}]" for a in fact.attachments)
    return Line(who=who, text=text, at=fact.occurred_at)


def _said_by(person: Person) -> Expression:
    """Their own words, on whatever channel."""
    theirs = ((FactRow.channel == i.channel) & (FactRow.sender == i.user_id) for i in person.identities)
    return _SAYING & reduce(or_, theirs, SQL("1 = 0"))


def _stored(row: Row) -> StoredFact:
    fact_id, attempts, body = row
    return StoredFact(fact_id=fact_id, fact=Fact.model_validate_json(body), attempts=attempts)
