"""Callbacks: what somebody is owed at a time, kept until it was delivered (RULES 7).

A record re-enters the conversation of its chat with the full context and passes freely: it is a promise that is kept,
not a decision to speak. Many may wait for one chat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from core.ids import ConversationId, PersonId

TASK_COMPLETION = "task_completion"
"""A background task has come to its end."""
USER_REMINDER = "user_reminder"
"""Somebody asked to be reminded."""

CHANNEL = "callback"
"""The channel of the facts that due records become; their event is the record's id."""


class Callback(BaseModel):
    """One record. `trigger_source` says who wrote it; other producers may follow."""

    model_config = ConfigDict(frozen=True)

    id: str
    """Derived from the cause: the same cause twice is one record."""
    chat_id: ConversationId
    """Where it is delivered."""
    content: str
    """What is put into the context when it is delivered."""
    trigger_source: str
    created_at: datetime
    fire_at: datetime | None = None
    """None: at once."""
    person_id: PersonId
    """Who is owed it."""
    title: str = ""
    """What it is about in a line, for lists; empty: the content says it."""
    set_at: datetime | None = None
    """When it was asked for, where that was earlier."""
    origin: str = ""
    """Id of the schedule or the task that it comes of."""
    message_id: str | None = None
    """The message in `chat_id` that asked for it, which an edit or a recall names; None where a schedule did."""
    meant_for: datetime | None = None
    """When it should have been delivered, where the bot was down then."""
    outcome: str = ""
    """How what it tells of ended, in a word of its producer (`done`, `cut_off`)."""

    @property
    def due_at(self) -> datetime:
        """From when on it may be delivered."""
        return self.fire_at or self.created_at


def due_callbacks(records: Iterable[Callback], now: datetime) -> tuple[Callback, ...]:
    """Those that are due at `now`: no `fire_at`, or one that has come. In the order in which they fell due."""
    due = (record for record in records if record.fire_at is None or record.fire_at <= now)
    return tuple(sorted(due, key=lambda record: (record.due_at, record.id)))


def record_id(cause: str) -> str:
    """The id of what `cause` owes: the same whenever the cause is, and short enough for a button."""
    return "cb_" + hashlib.sha256(cause.encode()).hexdigest()[:16]


def job_key(callback_id: str) -> str:
    """The key of the job that delivers it: one job a record, for ever."""
    return f"callback:{callback_id}"
