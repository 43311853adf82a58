"""What was said: the dialogue of a chat, the messages of a person, and whatever holds a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, reduce
from operator import or_

from peewee import SQL, Database, Expression, Function, Select, fn

from bot.store.repositories.people import PeopleTable
from bot.store.statement import Row, Statement, given
from bot.store.tables import FactRow, ReceiptRow
from core.brain.questions import Line
from core.facts import Fact, FactKind, StoredFact
from core.ids import ConversationId
from core.people import Person
from core.ports import SentMessage

# Written out and not bound as a parameter, so that the partial indexes are used.
_SAYING = FactRow.kind.in_(SQL("('message', 'edit')"))
_EVENT = FactRow.kind == SQL("'event'")
SEARCHED = (FactKind.MESSAGE, FactKind.EDIT, FactKind.EVENT)
"""Kinds whose words can be looked for."""


def facts_as_stored() -> Select:
    """What `stored_of` reads, in the order in which the facts came."""
    return FactRow.select(FactRow.id, FactRow.attempts, FactRow.body).order_by(FactRow.id)


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


_BY_MESSAGE = Statement(
    facts_as_stored().where(
        (FactRow.channel == given("channel"))
        & (FactRow.conversation == given("conversation"))
        & (FactRow.message_id == given("message_id"))
        & (FactRow.kind == FactKind.MESSAGE)
    )
)
_WHERE_SAID = Statement(
    FactRow.select(FactRow.id, FactRow.attempts, FactRow.body)
    .where(
        (FactRow.message_id == given("message_id"))
        & (FactRow.channel == given("channel"))
        & (FactRow.kind == FactKind.MESSAGE)
    )
    .limit(1)
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
_BEFORE = Statement(
    FactRow.select(SQL("1"))
    .where(
        _SAYING,
        FactRow.channel == given("channel"),
        FactRow.sender == given("sender"),
        (FactRow.occurred_at > given("since")) & (FactRow.occurred_at <= given("until")),
        FactRow.id < given("id"),
    )
    .limit(1)
    .offset(given("most"))
)
_EVENTS = _recent(_EVENT)
_EVENTS_ABOUT = _recent(_EVENT, FactRow.person_id == given("person_id"))


class Said:
    """Reads the inbox and the receipts; changes neither."""

    def __init__(self, db: Database, people: PeopleTable, persona: str) -> None:
        self._db = db
        self._people = people
        self._persona = persona

    def outpaced(self, stored: StoredFact, since: datetime, most: int) -> bool:
        """Whether its sender had written `most` messages in (since, its moment] before this one."""
        fact = stored.fact
        who = {"channel": fact.channel, "sender": fact.sender, "id": stored.fact_id}
        return _BEFORE.row(self._db, **who, since=since, until=fact.occurred_at, most=most - 1) is not None

    def by_message(self, channel: str, message_id: str, conversation: ConversationId) -> StoredFact | None:
        """The message that an edit, a recall or a quote names, as it first came."""
        row = _BY_MESSAGE.row(self._db, channel=channel, message_id=message_id, conversation=conversation)
        return stored_of(row) if row else None

    def where_said(self, channel: str, message_id: str) -> StoredFact | None:
        """The message of that id, in whatever chat: where ids are those of the whole channel."""
        row = _WHERE_SAID.row(self._db, channel=channel, message_id=message_id)
        return stored_of(row) if row else None

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
        before = stored_of(row).fact
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
        facts = sorted(map(stored_of, rows), key=lambda stored: (stored.fact.occurred_at, stored.fact_id))
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
        return tuple(map(stored_of, statement.rows(self._db)))

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


def stored_of(row: Row) -> StoredFact:
    """From a row of `facts_as_stored`."""
    fact_id, attempts, body = row
    return StoredFact(fact_id=fact_id, fact=Fact.model_validate_json(body), attempts=attempts)
