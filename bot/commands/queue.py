"""What /jobs, /sent and /resend read and change beyond `core.ports`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.jobs import Job, QueueSection
from core.ports import JobRepository, ReceiptRepository, SentMessage


class Numbered(Protocol):
    """A job and its number."""

    @property
    def id(self) -> int: ...
    @property
    def job(self) -> Job: ...


class Queue(Protocol):
    """The queue as people look at it."""

    def count(self, section: QueueSection) -> int:
        """How many there are."""
        ...

    def page(self, section: QueueSection, limit: int, offset: int = 0) -> Sequence[Numbered]:
        """Some of them, what matters first."""
        ...

    def get(self, number: int) -> Numbered | None:
        """The job of this number."""
        ...

    def settle(self, key: str) -> bool:
        """One in doubt counts as sent for good."""
        ...

    def hasten(self, lane: str, due: datetime) -> int:
        """All that waits in a lane is taken up at `due`, if it was to wait longer."""
        ...


class JobChanges(JobRepository, Protocol):
    """Jobs that can be put back into the queue."""

    def requeue(self, key: str, due: datetime, attempts: int, reason: str) -> bool:
        """One in doubt goes back to the queue."""
        ...

    def rewrite(self, key: str, payload: str) -> None:
        """Change what is kept of a job."""
        ...


class ReceiptSearch(ReceiptRepository, Protocol):
    """Receipts by the job that made them."""

    def of_job(self, key: str) -> tuple[SentMessage, ...]:
        """The parts that are out, or perhaps."""
        ...
