"""Jobs: whatever happens later or must not be lost is a row, unique by a key that derives from its cause."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from zlib import crc32

from pydantic import BaseModel, ConfigDict

from core.ids import ConcernId, PersonId


class JobKind(StrEnum):
    """Each kind has one handler in `bot/runtime/runner.py`."""

    DELIVER = "deliver"
    """Send one message (payload: `core.effects.Outgoing`)."""
    REPORT = "report"
    """Tell the initiator of a concern what waits to be told; rendered when it leaves."""
    ADVANCE = "advance"
    """Run the agent loop of a concern (payload: `core.effects.Advance`)."""
    EXPIRE = "expire"
    """Let a pending confirmation lapse, and say so."""
    ACT = "act"
    """Run the next stage of an action (payload: `core.effects.Act`)."""
    TASK = "task"
    """Take the next step of a deep task (payload: `core.effects.Task`)."""


class JobState(StrEnum):
    """`sending` is written before the channel is called: what is found in it after a crash may have arrived."""

    PENDING = "pending"
    RUNNING = "running"
    SENDING = "sending"
    DONE = "done"
    DEAD = "dead"
    CANCELLED = "cancelled"
    IN_DOUBT = "in_doubt"


class QueueSection(StrEnum):
    """What is worth knowing of the queue, in the order in which it matters."""

    DOUBT = "doubt"
    """May or may not have arrived; somebody may decide."""
    FAILING = "failing"
    """Failed before, and will be tried again."""
    DEAD = "dead"
    """Given up."""
    RUNNING = "running"
    NEXT = "next"
    """Waits for its time."""


class Job(BaseModel):
    """One row of work. `payload` is the JSON of the kind's own model."""

    model_config = ConfigDict(frozen=True)

    key: str
    """Unique for ever; the same cause gives the same key, so a repeated decision adds nothing."""
    kind: JobKind
    lane: str
    """Jobs of one lane run one after another."""
    due: datetime
    payload: str = "{}"
    concern_id: ConcernId | None = None
    person_id: PersonId | None = None
    state: JobState = JobState.PENDING
    attempts: int = 0
    reason: str | None = None
    """Why it is dead, cancelled or in doubt."""


class RetryPolicy(BaseModel):
    """When to try again: `delays[n]` after failure n+1, the last repeated; dead after `most` failures (or never).

    `jitter` is the share by which a wait may be longer, so that what failed together does not come back together.
    """

    model_config = ConfigDict(frozen=True)

    delays: tuple[timedelta, ...]
    most: int | None
    jitter: float = 0.0

    def after(self, failures: int, key: str = "") -> timedelta | None:
        """The wait after the `failures`-th failure (from 1) of the job `key`, or None when it is dead.

        The same failure of the same job always waits equally long.
        """
        if self.most is not None and failures >= self.most:
            return None
        delay = self.delays[min(failures, len(self.delays)) - 1]
        return delay * (1 + self.jitter * crc32(f"{key}#{failures}".encode()) / 2**32)


MODEL_RETRIES = RetryPolicy(
    delays=(timedelta(seconds=30), timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30)), most=None
)
"""RULES 4: a failed question is asked again after these waits and is never given up."""

TASK_RETRIES = MODEL_RETRIES.model_copy(update={"most": 5})
"""A deep task that gets no answer ends with what it found so far, rather than hang on for days."""

SEND_RETRIES = RetryPolicy(
    delays=(
        timedelta(seconds=2),
        timedelta(seconds=10),
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=30),
    ),
    most=40,
    jitter=0.2,
)
"""A temporary failure of a channel: quickly at first, then patiently for most of a day."""

OUTAGE_RETRIES = RetryPolicy(
    delays=(timedelta(seconds=2), timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=4)),
    most=None,
    jitter=0.2,
)
"""A channel that is out of reach altogether says nothing about a message: it waits for as long as that lasts."""
