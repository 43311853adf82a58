"""The inbox: facts, what waits to be handled, and the dialogue of a chat."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from peewee import SQL, Database, Select, fn

from bot.store.repositories.people import PeopleTable
from bot.store.statement import Row, Statement, assignments, given, insertion
from bot.store.tables import FactRow, ReceiptRow, moment
from core.brain.questions import Line
from core.facts import Fact, FactKind, StoredFact
from core.ids import ConversationId, FactId
from core.ports import SentMessage

# Written out and not bound as a parameter, so that the partial indexes are used.
_UNHANDLED = SQL("'unhandled'")
_JUDGEMENT = (FactRow.decision, FactRow.reason, FactRow.brain, FactRow.handled_at)


def _facts() -> Select:
    return FactRow.select(FactRow.id, FactRow.attempts, FactRow.body).order_by(FactRow.id)


def _ready() -> Select:
    """Due, and none of the same conversation is due that came before."""
    earlier = FactRow.alias()
    overtaken = earlier.select(SQL("1")).where(
        (earlier.conversation == FactRow.conversation)
        & (earlier.state == _UNHANDLED)
        & (earlier.due_at <= given("now"))
        & (earlier.id < FactRow.id)
    )
    return _facts().where((FactRow.state == _UNHANDLED) & (FactRow.due_at <= given("now")) & ~fn.EXISTS(overtaken))


_ADD = Statement(
    insertion(FactRow, FactRow.state, FactRow.attempts, *_JUDGEMENT).on_conflict(action="NOTHING").returning(FactRow.id)
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
_READY = Statement(_ready().limit(given("limit")))
_HANDLED = Statement(
    FactRow.update({FactRow.state: "handled", **assignments(_JUDGEMENT)}).where(FactRow.id == given("id"))
)
_DEFER = Statement(FactRow.update(assignments([FactRow.due_at, FactRow.attempts])).where(FactRow.id == given("id")))
_NEXT_DUE = Statement(FactRow.select(fn.MIN(FactRow.due_at)).where(FactRow.state == _UNHANDLED))
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


class FactTable:
    """`core.ports.FactRepository`, and what the runtime needs to work the inbox off."""

    def __init__(self, db: Database, people: PeopleTable, persona: str) -> None:
        self._db = db
        self._people = people
        self._persona = persona

    def add(self, fact: Fact, received_at: datetime) -> FactId | None:
        """Store it, due at once. None when its event, or the message that it brings, is there already."""
        return _ADD.value(
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
            body=fact.model_dump_json(exclude_defaults=True),
        )

    def get(self, fact_id: FactId) -> StoredFact | None:
        """The fact, or None."""
        row = _GET.row(self._db, id=fact_id)
        return _stored(row) if row else None

    def handled(self, fact_id: FactId, decision: str, reason: str, brain: str, at: datetime) -> None:
        """Close it with the judgement that it got."""
        _HANDLED.write(self._db, id=fact_id, decision=decision, reason=reason, brain=brain, handled_at=at)

    def by_message(self, channel: str, message_id: str, conversation: ConversationId) -> StoredFact | None:
        """The message that an edit, a recall or a quote names, as it first came."""
        row = _BY_MESSAGE.row(self._db, channel=channel, message_id=message_id, conversation=conversation)
        return _stored(row) if row else None

    def dialogue(self, conversation: ConversationId, limit: int) -> tuple[Line, ...]:
        """The last lines of a chat in both directions, in the order in which they came here, oldest first."""
        heard = [
            (received_at, self._heard(Fact.model_validate_json(body)))
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

    # --- the runtime's ---

    def ready(self, now: datetime, busy: Collection[str], limit: int) -> list[StoredFact]:
        """Of each conversation that is not busy, the oldest unhandled fact that is due; oldest first, `limit` at most.

        One that was deferred does not hold up those after it.
        """
        # One row a conversation, so this many hold enough that are not busy.
        facts = map(_stored, _READY.rows(self._db, now=now, limit=limit + len(busy)))
        return [stored for stored in facts if stored.fact.conversation not in busy][:limit]

    def defer(self, fact_id: FactId, due: datetime, attempts: int) -> None:
        """Take it up again at `due`; `attempts` is how often it failed so far."""
        _DEFER.write(self._db, id=fact_id, due_at=due, attempts=attempts)

    def next_due(self) -> datetime | None:
        """When the first of the unhandled facts is due."""
        return moment(_NEXT_DUE.value(self._db))

    def unhandled_count(self) -> int:
        """How many wait, deferred ones included."""
        return int(_COUNT.value(self._db))

    def _heard(self, fact: Fact) -> Line:
        person = self._people.by_identity(fact.channel, fact.sender)
        who = person.name if person else fact.sender_name or fact.sender
        text = fact.text or " ".join(f"[{a.name or a.kind}]" for a in fact.attachments)
        return Line(who=who, text=text, at=fact.occurred_at)

    def _said(self, sent: SentMessage) -> Line:
        return Line(who=self._persona, text=sent.text, at=sent.at, ours=True)


def _stored(row: Row) -> StoredFact:
    fact_id, attempts, body = row
    return StoredFact(fact_id=fact_id, fact=Fact.model_validate_json(body), attempts=attempts)
