"""Storage of what is known: people, concerns, the agenda, the workspace, what is owed, invites."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, Protocol

from core.agenda.model import ConcernRef, Expectation, MorningBrief, RecentDecision, WatchItem
from core.callbacks import Callback
from core.concern.model import Concern
from core.context.workspace import Block, BlockKind
from core.deeds import Deed
from core.ids import ConcernId, ConversationId, PersonId
from core.people import Invite, Person


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

    def open_by_initiator(self, person_id: PersonId, limit: int | None = None) -> tuple[Concern, ...]:
        """Open ones that this person started, oldest first; of more than `limit` those in front on the agenda."""
        ...

    def open_of_nobody(self, limit: int) -> tuple[Concern, ...]:
        """Open ones that nobody started: the bot did, by itself. Oldest first."""
        ...

    def open_by_delegate(self, person_id: PersonId, limit: int | None = None) -> tuple[Concern, ...]:
        """Open ones in which this person is asked, oldest first; of more than `limit` the newest."""
        ...

    def speaking_of(self, terms: Sequence[str], limit: int) -> tuple[Concern, ...]:
        """Open ones that hold any of these words, those with the most in front; a word that very many hold leads
        nowhere.
        """
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

    def awaiting(self, initiator: PersonId | None = None) -> tuple[Concern, ...]:
        """Those of the open schedules that have no time: they wait for something to happen. Paused ones as well."""
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

    def put(self, ref: ConcernRef) -> None:
        """Add the reference or replace it: this alone sets its place."""
        ...

    def remove(self, concern_id: ConcernId) -> None: ...
    def ref(self, concern_id: ConcernId) -> ConcernRef | None: ...
    def refs(self) -> tuple[ConcernRef, ...]: ...

    def focus(
        self, limit: int, owner: PersonId | None = None, offset: int = 0, besides: PersonId | None = None
    ) -> tuple[ConcernRef, ...]:
        """What matters now comes first; what this owner started, if given; without points that wait for `besides`."""
        ...

    def count(self, owner: PersonId | None = None) -> int:
        """How many there are, of this owner if given."""
        ...

    def asked(self, owner: PersonId, limit: int) -> tuple[ConcernRef, ...]:
        """Those with a point that waits for this owner, the longest waiting first."""
        ...

    def asked_count(self, owner: PersonId) -> int:
        """How many of those there are."""
        ...

    def stuck(self, now: datetime, limit: int) -> tuple[ConcernRef, ...]:
        """`stuck_at <= now`, the earliest first; of one that was let be until then, that moment."""
        ...

    def let_be(self, concern_id: ConcernId, until: datetime | None = None) -> None:
        """`stuck` does not give it again before `until` (None: ever, as it was asked about) or its next change."""
        ...

    def record(self, decision: RecentDecision) -> None: ...

    def recent(self, limit: int, owner: PersonId | None = None) -> tuple[RecentDecision, ...]:
        """The last decisions, newest first; of this owner's, if given."""
        ...

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

    def put_brief(self, brief: MorningBrief) -> None:
        """Add or replace: one for each owner."""
        ...

    def brief(self, owner: PersonId) -> MorningBrief | None: ...

    def briefs_due(self, now: datetime, limit: int) -> tuple[MorningBrief, ...]:
        """`next_at <= now`, the earliest first."""
        ...

    def take(self, item_id: str) -> bool:
        """End an expectation, a watch item or a brief; false when it was over already."""
        ...

    def next_at(self, after: datetime) -> datetime | None:
        """The earliest moment after `after` at which an item falls due, or a concern counts as stuck."""
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

    def due(self, now: datetime, limit: int, besides: Collection[ConversationId] = ()) -> tuple[Callback, ...]:
        """Those that may be due and were not taken up yet, the first due first; none of the chats `besides`."""
        ...

    def hold(self, callback_id: str) -> bool:
        """Whether it still waits; nobody else changes or removes it until this transaction ends."""
        ...

    def fire(self, callback_id: str) -> bool:
        """It is taken up: `due` does not give it again. False when it is gone, or was taken up before."""
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


class DeedRepository(Protocol):
    """Who did what."""

    def add(self, deed: Deed) -> None: ...

    def latest(self, limit: int, offset: int = 0, of: PersonId | None = None) -> tuple[Deed, ...]:
        """Newest first; what this person did, or what was done to them, if given."""
        ...
