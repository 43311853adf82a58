"""Messages that somebody wrote in one breath: the first of them is the input, and the others are part of it.

A part is `joined` until its input is handled, and `handled` with it; nobody claims it by itself. Each stays a message
of its own in every dialogue, with its own id.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from peewee import SQL, Expression, fn
from pydantic import ValidationError

from bot.store.columns import moment
from bot.store.repositories.said import Said, facts_as_stored, stored_of
from bot.store.statement import Row, Statement, assignments, given
from bot.store.tables import FactRow
from core.facts import Fact, FactKind, StoredFact, in_one
from core.ids import ConversationId, FactId
from core.people import Person

# Written out and not bound as a parameter, so that the partial indexes are used.
UNHANDLED = SQL("'unhandled'")
JOINED = SQL("'joined'")


def _unhandled_message() -> Expression:
    """Of somebody, in a chat."""
    # Every row has such an id; only so does SQLite go along the index of unhandled ones, and not through all the chat.
    of_chat = (FactRow.conversation == given("conversation")) & (FactRow.state == UNHANDLED) & (FactRow.id > 0)
    return of_chat & (FactRow.sender == given("sender")) & (FactRow.kind == SQL("'message'"))


def _still_listened_to() -> Expression:
    """Nobody has taken it or failed with it, and it is not due yet."""
    return FactRow.holder.is_null() & (FactRow.attempts == 0) & (FactRow.due_at > given("now"))


_UNFINISHED = Statement(
    FactRow.select(FactRow.id, FactRow.received_at, FactRow.occurred_at)
    .where(_unhandled_message(), _still_listened_to())
    .order_by(FactRow.id.desc())
    .limit(1)
)
_UNREAD = Statement(FactRow.select(fn.MAX(FactRow.due_at)).where(_unhandled_message()))
_MORE = Statement(FactRow.select(fn.COUNT(SQL("*")), fn.MAX(FactRow.occurred_at)).where(FactRow.part_of == given("id")))
_DUE = Statement(
    FactRow.update(assignments([FactRow.due_at])).where((FactRow.id == given("id")) & (FactRow.state == UNHANDLED))
)
_PARTS = Statement(facts_as_stored().where(FactRow.part_of == given("id")))
_PART_OF = Statement(
    FactRow.select(fn.COALESCE(FactRow.part_of, FactRow.id)).where(
        (FactRow.channel == given("channel"))
        & (FactRow.conversation == given("conversation"))
        & (FactRow.message_id == given("message_id"))
        & (FactRow.kind == SQL("'message'"))
    )
)
_ITSELF = Statement(facts_as_stored().where(FactRow.id == given("id")))
_FREE = Statement(
    FactRow.update({FactRow.state: "unhandled", FactRow.part_of: None}).where(
        (FactRow.part_of == given("id")) & (FactRow.state == JOINED)
    )
)
_LAST = Statement(
    facts_as_stored()
    .where(
        (FactRow.channel == given("channel"))
        & (FactRow.conversation == given("conversation"))
        & (FactRow.message_id == given("message_id"))
        & FactRow.kind.in_(SQL("('message', 'edit', 'recall')"))
        & (FactRow.id <= given("id"))
    )
    .order_by(FactRow.id.desc())
    .limit(1)
)


@dataclass(frozen=True)
class Unfinished:
    """An input to which more may come: since when it is here, of how many messages it is, and when the last of them was
    written.
    """

    fact_id: FactId
    since: datetime
    messages: int
    written: datetime


class Breaths(Said):
    """Reads what was said in one breath, and moves when it is to be read."""

    def unfinished(self, conversation: ConversationId, sender: str, now: datetime) -> Unfinished | None:
        """The input of theirs in that chat that still waits for more; None where none does."""
        row = _UNFINISHED.row(self._db, conversation=conversation, sender=sender, now=now)
        if row is None:
            return None
        fact_id, since, first = row
        more, last = _MORE.row(self._db, id=fact_id) or (0, None)
        return Unfinished(FactId(fact_id), moment(int(since)), 1 + int(more), moment(max(int(first), int(last or 0))))

    def unread(self, person: Person) -> datetime | None:
        """When the last of what they wrote to the bot and nobody has read yet is to be read; None where all is."""
        chats = ((f"{i.channel}:{i.user_id}", i.user_id) for i in person.identities)
        due = (_UNREAD.value(self._db, conversation=chat, sender=sender) for chat, sender in chats)
        return moment(max((int(at) for at in due if at is not None), default=None))

    def due_again(self, fact_id: FactId, due: datetime) -> None:
        """An input that waits for more is read at `due`."""
        _DUE.write(self._db, id=fact_id, due_at=due)

    def with_parts(self, stored: StoredFact) -> StoredFact:
        """All that was said with it, as one; the fact itself where it was said alone."""
        if stored.fact.kind is not FactKind.MESSAGE:
            return stored
        more = [part for part in self._parts(stored.fact_id) if part is not None]
        if not more:
            return stored
        parts = (stored.fact, *more)
        return stored.model_copy(update={"fact": in_one(parts), "parts": parts})

    def whole(self, change: StoredFact) -> StoredFact:
        """`core.ports.FactRepository.whole`."""
        fact = change.fact
        if fact.kind not in (FactKind.EDIT, FactKind.RECALL) or fact.message_id is None:
            return change
        first_id = _PART_OF.value(self._db, **_named(fact))
        first = _ITSELF.row(self._db, id=first_id) if first_id is not None else None
        if first is None or not (more := self._parts(first_id)):
            return change
        message = stored_of(first).fact
        last = [self._last_form(part, change) for part in (message, *more) if part is not None]
        # All of it is said anew: a line each, in the order in which it was said.
        changed = {"event_id": fact.event_id, "occurred_at": fact.occurred_at}
        parts = tuple(p.model_copy(update=changed) for p in last if p is not None)
        if not parts:
            return change.model_copy(update={"fact": fact.model_copy(update={"message_id": message.message_id})})
        said = {"kind": FactKind.EDIT, "message_id": message.message_id, "reply_to": message.reply_to}
        return change.model_copy(update={"fact": in_one(parts).model_copy(update=said), "parts": parts})

    def _parts(self, fact_id: FactId) -> list[Fact | None]:
        """What was said in the same breath after it; one that cannot be read is missing."""
        return [_read(row) for row in _PARTS.rows(self._db, id=fact_id)]

    def _last_form(self, part: Fact, change: StoredFact) -> Fact | None:
        """The message as it stands after that change; None where it was recalled."""
        row = _LAST.row(self._db, **_named(part), id=change.fact_id)
        last = stored_of(row).fact if row is not None else part
        return None if last.kind is FactKind.RECALL else last

    def _free(self, fact_id: FactId) -> None:
        """Its parts are inputs of their own."""
        _FREE.write(self._db, id=fact_id)


def _read(row: Row) -> Fact | None:
    try:
        return stored_of(row).fact
    except ValidationError:
        return None


def _named(fact: Fact) -> dict[str, Any]:
    return {"channel": fact.channel, "conversation": fact.conversation, "message_id": fact.message_id}
