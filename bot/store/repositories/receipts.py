"""Receipts: what was sent, to whom, and under which id the channel knows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache

from peewee import EXCLUDED, Database, Select, fn

from bot.store.columns import moment
from bot.store.statement import Row, Statement, given, insertion
from bot.store.tables import ReceiptRow
from core.effects import Purpose
from core.ids import ConversationId, PersonId, conversation_id
from core.ports import SentMessage


def _sent() -> Select:
    return ReceiptRow.select(ReceiptRow.body)


_NEWEST = (ReceiptRow.at.desc(), ReceiptRow.id.desc())
# A message is one to its reader, in however many parts it goes out.
_MESSAGES_TO = (ReceiptRow.person_id == given("person_id")) & (ReceiptRow.at >= given("since")) & (ReceiptRow.part == 0)

_ADD = Statement(
    insertion(ReceiptRow).on_conflict(
        conflict_target=[ReceiptRow.job_key, ReceiptRow.part],
        preserve=[ReceiptRow.conversation, ReceiptRow.message_id, ReceiptRow.at, ReceiptRow.body],
        where=ReceiptRow.message_id.is_null() & EXCLUDED.message_id.is_null(False),
    )
)
_BY_MESSAGE = Statement(
    _sent().where((ReceiptRow.conversation == given("conversation")) & (ReceiptRow.message_id == given("message_id")))
)
_COUNTED_SINCE = Statement(ReceiptRow.select(fn.COUNT(ReceiptRow.id)).where(_MESSAGES_TO & ReceiptRow.counted))
_LAST_IN = Statement(
    _sent()
    .where((ReceiptRow.conversation == given("conversation")) & (ReceiptRow.purpose == given("purpose")))
    .order_by(*_NEWEST)
    .limit(1)
)
_OF_JOB = Statement(_sent().where(ReceiptRow.job_key == given("job_key")).order_by(ReceiptRow.part))
_SINCE = Statement(
    ReceiptRow.select(ReceiptRow.conversation, ReceiptRow.at, ReceiptRow.body)
    .where(ReceiptRow.at > given("since"))
    .order_by(ReceiptRow.at, ReceiptRow.id)
)
_IN_DOUBT = Statement(_sent().where(ReceiptRow.message_id.is_null()).order_by(*_NEWEST).limit(given("limit")))


@cache
def _to_person(purposes: frozenset[Purpose]) -> Statement:
    query = _sent().where(_MESSAGES_TO & ReceiptRow.purpose.in_(sorted(purposes)))
    return Statement(query.order_by(ReceiptRow.at, ReceiptRow.id))


class ReceiptTable:
    """`core.ports.ReceiptRepository`, and what is in doubt."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, sent: SentMessage) -> None:
        """Keep it. Of one part of one job the first receipt stands, unless it was in doubt and this one is not."""
        _ADD.write(
            self._db,
            job_key=sent.job_key,
            part=sent.part,
            conversation=conversation_id(sent.channel, sent.chat),
            message_id=sent.message_id,
            purpose=sent.purpose,
            person_id=sent.to,
            concern_id=sent.concern_id,
            at=sent.at,
            counted=sent.counted,
            body=sent.model_dump_json(),
        )

    def by_message(self, channel: str, chat: str, message_id: str) -> SentMessage | None:
        """What the channel knows under this id."""
        there = conversation_id(channel, chat)
        return _first(_BY_MESSAGE.rows(self._db, conversation=there, message_id=message_id))

    def to_person(self, person_id: PersonId, purposes: Sequence[Purpose], since: datetime) -> tuple[SentMessage, ...]:
        """Oldest first; first parts only."""
        statement = _to_person(frozenset(purposes))
        return _all(statement.rows(self._db, person_id=person_id, since=since))

    def counted_since(self, person_id: PersonId, since: datetime) -> int:
        """How many notifications of the silence budget went to this person since then."""
        return int(_COUNTED_SINCE.value(self._db, person_id=person_id, since=since))

    def last_in(self, conversation: ConversationId, purpose: Purpose) -> SentMessage | None:
        """The last message of this purpose in a chat."""
        return _first(_LAST_IN.rows(self._db, conversation=conversation, purpose=purpose))

    def of_job(self, key: str) -> tuple[SentMessage, ...]:
        """The parts of a message that are out, or perhaps, in their order."""
        return _all(_OF_JOB.rows(self._db, job_key=key))

    def since(self, at: datetime) -> tuple[tuple[ConversationId, datetime], ...]:
        """Where and when anything was sent after `at`, oldest first; each request by itself."""
        return tuple(
            (ConversationId(where), moment(when))
            for where, when, body in _SINCE.rows(self._db, since=at)
            for _ in range(SentMessage.model_validate_json(body).requests)
        )

    def in_doubt(self, limit: int) -> tuple[SentMessage, ...]:
        """The last ones that may or may not have arrived, newest first."""
        return _all(_IN_DOUBT.rows(self._db, limit=limit))


def _first(rows: Iterable[Row]) -> SentMessage | None:
    return next(iter(_all(rows)), None)


def _all(rows: Iterable[Row]) -> tuple[SentMessage, ...]:
    return tuple(SentMessage.model_validate_json(body) for (body,) in rows)
