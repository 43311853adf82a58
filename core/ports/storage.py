"""Storage: the repositories, and one transaction around them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from core.agenda.model import ConcernRef, Expectation, RecentDecision, WatchItem
from core.brain.questions import Line
from core.callbacks import Callback
from core.concern.model import Concern
from core.context.workspace import Block, BlockKind
from core.effects import Purpose
from core.facts import Fact, StoredFact
from core.ids import ConcernId, ConversationId, FactId, PersonId
from core.jobs import Job
from core.people import Invite, Person

T = TypeVar("T")


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

    def about(self, person: Person | None, since: datetime, until: datetime, limit: int) -> tuple[StoredFact, ...]:
        """Messages of a person and events about them that occurred in [since, until), oldest first.

        Without a person: all events of that time. A message that was recalled since is left out.
        """
        ...

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
        ...

    def busy(self, conversation: ConversationId, now: datetime) -> bool:
        """Whether its people are being served: a fact of the chat is in work or due, or a stage of an action runs.

        Callbacks themselves do not count.
        """
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

    def list(
        self, *, open_only: bool, limit: int, offset: int = 0, initiator: PersonId | None = None
    ) -> tuple[Concern, ...]:
        """Newest first; what `initiator` started, if given."""
        ...

    def schedules(self, initiator: PersonId | None = None) -> tuple[Concern, ...]:
        """Open ones of type `schedule`, of this initiator if given, oldest first."""
        ...

    def schedules_due(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open schedules, not paused, `due_at <= now`."""
        ...

    def timed_out(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open, not paused, `timeout_at <= now`."""
        ...

    def due(self, now: datetime, limit: int) -> tuple[Concern, ...]:
        """Open, not paused, `due_at <= now`, no schedules."""
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

    def next_id(self, letter: Literal["e", "w"]) -> str:
        """The next free id: `e1`, `w1`, …"""
        ...

    def put_expectation(self, expectation: Expectation) -> None:
        """Add or replace."""
        ...

    def expectation(self, expectation_id: str) -> Expectation | None: ...

    def expectations(self, owner: PersonId | None = None) -> tuple[Expectation, ...]:
        """Those that are not over, of this owner if given, oldest first."""
        ...

    def expectations_due(self, now: datetime, limit: int) -> tuple[Expectation, ...]:
        """`next_due <= now`, the earliest first."""
        ...

    def put_watch(self, item: WatchItem) -> None:
        """Add or replace."""
        ...

    def watch(self, watch_id: str) -> WatchItem | None: ...

    def watches(self, owner: PersonId | None = None) -> tuple[WatchItem, ...]:
        """All, of this owner if given, oldest first."""
        ...

    def watches_due(self, now: datetime, limit: int) -> tuple[WatchItem, ...]:
        """`expires_at <= now`, the earliest first."""
        ...

    def take(self, item_id: str) -> bool:
        """End an expectation or a watch item; false when it was over already."""
        ...

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` at which an expectation or a watch item falls due."""
        ...


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

    def put(self, block: Block) -> None:
        """Add it, or replace the one with its id."""
        ...

    def get(self, block_id: str) -> Block | None: ...
    def of(self, owner: PersonId, kind: BlockKind | None = None) -> tuple[Block, ...]: ...

    def take(self, block_id: str) -> Block | None:
        """Take it up: the block, once; None when somebody was quicker or it has lapsed."""
        ...

    def sweep(self, before: datetime) -> int:
        """Clear away what expired before then and nobody waits for (action states, deep tasks, hints to the
        conversation, intentions); how many there were.
        """
        ...


class CallbackRepository(Protocol):
    """What somebody is owed, until it was delivered."""

    def add(self, record: Callback) -> bool:
        """False when the id is there already: the same cause twice is one record."""
        ...

    def get(self, callback_id: str) -> Callback | None: ...

    def of_chat(self, chat_id: ConversationId) -> tuple[Callback, ...]:
        """All that wait for a chat, the first due first."""
        ...

    def list(self, person_id: PersonId | None = None, limit: int = 100) -> tuple[Callback, ...]:
        """All that wait (for a person, if given), the first due first."""
        ...

    def soonest(self, limit: int, besides: Collection[ConversationId] = ()) -> tuple[Callback, ...]:
        """Those that were not taken up yet, the first due first; none of the chats `besides`."""
        ...

    def hold(self, callback_id: str) -> bool:
        """Whether it still waits; nobody else changes or removes it until this transaction ends."""
        ...

    def fire(self, callback_id: str) -> bool:
        """It is taken up: `soonest` does not give it again. False when it is gone, or was taken up before."""
        ...

    def remove(self, callback_id: str) -> bool:
        """It is delivered, or not wanted any more. False when somebody was quicker."""
        ...

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` at which one that was not taken up falls due."""
        ...


class InviteRepository(Protocol):
    """One-time invites, and wrong tries to redeem one."""

    def add(self, invite: Invite) -> None: ...

    def pending(self, person_id: PersonId, now: datetime) -> tuple[Invite, ...]:
        """Those of a person that can still be redeemed, oldest first."""
        ...

    def take(self, digest: str, now: datetime) -> Invite | None:
        """Redeem it: the invite, once; None when there is none, or it was used or has lapsed."""
        ...

    def drop(self, digest: str) -> None:
        """Make it worthless."""
        ...

    def failed(self, channel: str, user_id: str, now: datetime) -> None:
        """A wrong code was tried."""
        ...

    def failures(self, channel: str, user_id: str, since: datetime) -> int:
        """How many wrong codes this user has tried since then."""
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
    @property
    def callbacks(self) -> CallbackRepository: ...
    @property
    def invites(self) -> InviteRepository: ...


class Store(Protocol):
    """The unit of work."""

    async def run(self, work: Callable[[Repositories], T], *, at: str = "read") -> T:
        """One transaction around `work`: all of it is kept, or nothing. `at` names the place, for tests of crashes."""
        ...
