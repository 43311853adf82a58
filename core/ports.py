"""What the floor above awaits: clock, identifiers, channels, texts, storage.

Storage is one call: `await store.run(work)` executes `work(repositories)` in one transaction and commits when it
returns, or rolls all of it back when it raises. `work` is synchronous and short, so no transaction can stay open while
a brain or a channel is awaited.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from core.agenda.model import ConcernRef, RecentDecision
from core.brain.port import Brain
from core.brain.questions import Line
from core.concern.model import Concern
from core.context.workspace import Block, BlockKind
from core.effects import Purpose
from core.facts import Fact, StoredFact
from core.ids import ConcernId, ConversationId, FactId, PersonId
from core.jobs import Job
from core.people import Person

__all__ = ["Brain", "Channel", "Clock", "Ids", "Renderer", "Repositories", "Store"]

T = TypeVar("T")


class Clock(Protocol):
    """The only source of the present."""

    def now(self) -> datetime:
        """An aware moment."""
        ...


class Ids(Protocol):
    """The only source of unguessable identifiers."""

    def token(self) -> str:
        """At least 60 bits, URL-safe, at most 16 characters."""
        ...


class Renderer(Protocol):
    """Turns a template and its values into words."""

    def render(self, template: str, language: str, *, now: datetime, timezone: str, **values: Any) -> str:
        """Text of `templates/{language}/{template}.j2`; raises on a missing template or value.

        Filters: `moment` (ISO string → as people say it, in `timezone`, relative to `now`), `date`, `duration`
        (seconds), `names` (list → "张三、李四和王五" / "A, B and C").
        """
        ...


class ChannelButton(BaseModel):
    """A button with its label in words."""

    model_config = ConfigDict(frozen=True)

    label: str
    data: str


class ChannelMessage(BaseModel):
    """One message, small enough for the channel (`Channel.parts`)."""

    model_config = ConfigDict(frozen=True)

    key: str
    """Same job and part give the same key: channels that know idempotence pass it on."""
    chat: str
    text: str
    buttons: tuple[tuple[ChannelButton, ...], ...] = ()
    quote: str | None = None
    silent: bool = False
    attachments: tuple[tuple[str, str], ...] = ()
    """(kind, ref) of attachments to hand on."""


class Receipt(BaseModel):
    """The channel took it."""

    model_config = ConfigDict(frozen=True)

    channel: str
    chat: str
    message_id: str


Emit = Callable[[Fact], Awaitable[bool]]
"""Stores a fact; true when it is new. Only after it returned may the channel acknowledge."""


class Channel(Protocol):
    """A way in and out. `run` ends when cancelled; `send` raises a `DeliveryError` of one of three kinds."""

    @property
    def name(self) -> str:
        """`telegram`, `feishu`, `console` …"""
        ...

    async def run(self, emit: Emit) -> None:
        """Take events in until cancelled."""
        ...

    async def send(self, message: ChannelMessage) -> Receipt:
        """Deliver one part. Raises `TransientDeliveryError`, `PermanentDeliveryError`, `UnknownDeliveryError`."""
        ...

    def parts(self, text: str) -> list[str]:
        """The text in pieces that the channel takes; joined they are the text."""
        ...

    async def settle_button(self, fact: Fact, note: str | None) -> None:
        """The press was handled: take the buttons off (or answer the press) so that it can't be pressed twice."""
        ...


class SentMessage(BaseModel):
    """What the bot sent: kept so that a quoted reply finds its matter, and limits can be counted."""

    model_config = ConfigDict(frozen=True)

    job_key: str
    part: int = 0
    channel: str
    chat: str
    message_id: str | None
    """None: it may have arrived (in doubt)."""
    purpose: Purpose
    to: PersonId | None
    concern_id: ConcernId | None
    decision_id: str | None = None
    block_id: str | None = None
    text: str
    at: datetime
    counted: bool = False
    """Counts towards the recipient's silence budget."""


class FactRepository(Protocol):
    """The inbox."""

    def add(self, fact: Fact, received_at: datetime) -> FactId | None:
        """Store it; None when `(channel, event_id)` is there already."""
        ...

    def get(self, fact_id: FactId) -> StoredFact | None: ...

    def handled(self, fact_id: FactId, decision: str, reason: str, brain: str, at: datetime) -> None:
        """Close it with the judgement that it got."""
        ...

    def by_message(self, channel: str, message_id: str, conversation: ConversationId) -> StoredFact | None:
        """The message that an edit, a recall or a quote names."""
        ...

    def dialogue(self, conversation: ConversationId, limit: int) -> tuple[Line, ...]:
        """The last lines of a chat in both directions, oldest first: inbound messages and what was sent there."""
        ...


class PeopleRepository(Protocol):
    """The only home of people."""

    def get(self, person_id: PersonId) -> Person | None: ...
    def by_identity(self, channel: str, user_id: str) -> Person | None: ...
    def all(self) -> tuple[Person, ...]: ...
    def save(self, person: Person) -> None: ...
    def owner(self) -> Person | None: ...


class ConcernRepository(Protocol):
    """Concerns, each with a version."""

    def next_id(self, day: str) -> ConcernId:
        """The next free id of `day` (YYYYMMDD)."""
        ...

    def add(self, concern: Concern) -> None: ...

    def save(self, concern: Concern) -> Concern:
        """Write it with `version + 1`. Raises `StaleVersion` when the stored version is not `concern.version`."""
        ...

    def get(self, concern_id: ConcernId) -> Concern | None: ...

    def open_by_initiator(self, person_id: PersonId) -> tuple[Concern, ...]:
        """Open ones that this person started, oldest first."""
        ...

    def open_by_delegate(self, person_id: PersonId) -> tuple[Concern, ...]:
        """Open ones in which this person is asked, oldest first."""
        ...

    def last_closed_by_delegate(self, person_id: PersonId) -> Concern | None:
        """The most recently closed one in which this person was asked."""
        ...

    def by_origin(self, channel: str, message_id: str, initiator: PersonId) -> tuple[Concern, ...]:
        """Those that this message of the initiator raised."""
        ...

    def list(self, *, open_only: bool, limit: int, offset: int = 0) -> tuple[Concern, ...]:
        """Newest first."""
        ...

    def timed_out(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open, not paused, `timeout_at <= now`."""
        ...

    def due(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open, not paused, `due_at <= now`."""
        ...

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest `timeout_at` or `due_at` after `after` of an open concern (`paused_until` pushes it back)."""
        ...


class AgendaRepository(Protocol):
    """Concern references and recent decisions."""

    def put(self, ref: ConcernRef) -> None: ...
    def remove(self, concern_id: ConcernId) -> None: ...
    def refs(self) -> tuple[ConcernRef, ...]: ...
    def record(self, decision: RecentDecision) -> None: ...
    def recent(self, limit: int) -> tuple[RecentDecision, ...]: ...


class JobRepository(Protocol):
    """Work to come."""

    def add(self, job: Job) -> bool:
        """False when the key is there already: the same cause twice is one job."""
        ...

    def get(self, key: str) -> Job | None: ...

    def waiting(self, concern_id: ConcernId) -> tuple[Job, ...]:
        """Pending jobs of a concern."""
        ...

    def sending_to(self, person_id: PersonId) -> tuple[Job, ...]:
        """Jobs for a person that are with a channel right now: they may have arrived, and be answered, already."""
        ...

    def cancel(self, key: str, reason: str) -> bool:
        """True when it was pending; one that is being sent is not called back."""
        ...

    def reschedule(self, key: str, due: datetime) -> bool:
        """Move a pending job; false when it isn't pending any more."""
        ...


class ReceiptRepository(Protocol):
    """What was sent."""

    def add(self, sent: SentMessage) -> None: ...

    def by_message(self, channel: str, chat: str, message_id: str) -> SentMessage | None: ...

    def to_person(self, person_id: PersonId, purposes: Sequence[Purpose], since: datetime) -> tuple[SentMessage, ...]:
        """Oldest first; first parts only."""
        ...

    def counted_since(self, person_id: PersonId, since: datetime) -> int:
        """How many notifications of the silence budget went to this person since then."""
        ...

    def last_in(self, conversation: ConversationId, purpose: Purpose) -> SentMessage | None:
        """The last message of this purpose in a chat."""
        ...


class BlockRepository(Protocol):
    """The context workspace."""

    def add(self, block: Block) -> None: ...
    def get(self, block_id: str) -> Block | None: ...
    def of(self, owner: PersonId, kind: BlockKind | None = None) -> tuple[Block, ...]: ...

    def take(self, block_id: str) -> Block | None:
        """Take it up: the block, once; None when somebody was quicker or it has lapsed."""
        ...


class Repositories(Protocol):
    """All of them, inside one transaction."""

    @property
    def facts(self) -> FactRepository: ...
    @property
    def people(self) -> PeopleRepository: ...
    @property
    def concerns(self) -> ConcernRepository: ...
    @property
    def agenda(self) -> AgendaRepository: ...
    @property
    def jobs(self) -> JobRepository: ...
    @property
    def receipts(self) -> ReceiptRepository: ...
    @property
    def blocks(self) -> BlockRepository: ...


class Store(Protocol):
    """The unit of work."""

    async def run(self, work: Callable[[Repositories], T]) -> T:
        """One transaction around `work`: all of it is kept, or nothing."""
        ...
