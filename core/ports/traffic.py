"""Storage of what comes in and what goes out: facts, jobs, receipts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from core.brain.questions import Line
from core.effects import Purpose
from core.facts import Fact, Judged, Signal, StoredFact
from core.ids import ConcernId, ConversationId, FactId, PersonId
from core.jobs import Job
from core.people import Person


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
    concerns: tuple[ConcernId, ...] = ()
    """The concerns that it lists under numbers, in their order, where it belongs to no single one."""
    requests: int = 1
    """At most so many times a channel was written to for it: for its pace."""


class FactRepository(Protocol):
    """The inbox."""

    def add(self, fact: Fact, received_at: datetime) -> FactId | None:
        """Store it; None when `(channel, event_id)` is there already."""
        ...

    def get(self, fact_id: FactId) -> StoredFact | None: ...

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
        """Close it with the judgement that it got."""
        ...

    def judged(self, fact_id: FactId) -> Judged | None:
        """The judgement of a fact; None while it waits, or where it is gone."""
        ...

    def by_message(self, channel: str, message_id: str, conversation: ConversationId) -> StoredFact | None:
        """The message that an edit, a recall or a quote names."""
        ...

    def whole(self, change: StoredFact) -> StoredFact:
        """An edit or a recall of one of several messages that were said in one breath, as an edit of all of it.

        It names the first of them; `parts` holds what stands then, each as it was last. Nothing left: a recall. Any
        other fact is given back as it is.
        """
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

    def outpaced(self, stored: StoredFact, since: datetime, most: int) -> bool:
        """Whether its sender had written `most` messages in (since, its moment] before this one."""
        ...

    def busy(self, conversation: ConversationId, now: datetime) -> bool:
        """Whether its people are being served: a fact of the chat is in work or due, or a stage of an action runs.

        Callbacks themselves do not count.
        """
        ...

    def delivering(self, conversation: ConversationId, now: datetime) -> bool:
        """Whether a callback of the chat is in work or due: the next one comes after it."""
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
        """True when it was pending; one that is being sent, or may be out, is not called back."""
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
