"""Facts: everything that happens to the bot, in one shape, stored before it is acknowledged."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from core.ids import ConcernId, ConversationId, FactId, PersonId


class FactKind(StrEnum):
    """What kind of thing happened."""

    MESSAGE = "message"
    EDIT = "edit"
    RECALL = "recall"
    BUTTON = "button"
    TIMER = "timer"
    EVENT = "event"
    ABSENCE = "absence"
    """Something that was expected by a moment, or looked out for until one: the hub looks whether it came."""
    PROMPT = "prompt"
    """Words that somebody kept for a time: they re-enter the conversation with that person's authority."""
    CALLBACK = "callback"
    """A callback is due: its record (`item_id`) re-enters the conversation of its chat."""


class Trigger(StrEnum):
    """Why a concern enters its agent loop (RULES 4)."""

    CREATED = "created"
    REPLY = "reply"
    TIMEOUT = "timeout"
    DUE = "due"
    EVIDENCE = "evidence"
    DECISION = "decision"
    SCHEDULE = "schedule"


class Attachment(BaseModel):
    """A photo, voice, video or document that came with a message; named, never opened."""

    model_config = ConfigDict(frozen=True)

    kind: str
    """`photo`, `voice`, `audio`, `video`, `document`, `sticker`, `location`, `contact`, `other`."""
    name: str | None = None
    ref: str
    """The channel's own handle for it (Telegram: file_id), enough to hand it on in the same channel."""


class Fact(BaseModel):
    """One thing that happened, as the channel (or the timer) told it. Never changed once stored.

    `(channel, event_id)` is unique: a second copy of the same event is the same fact.
    """

    model_config = ConfigDict(frozen=True)

    channel: str
    event_id: str
    kind: FactKind
    occurred_at: datetime
    conversation: ConversationId
    """The lane: facts of one conversation are handled one after another."""
    sender: str = ""
    """The channel's user id of whoever did it; empty for timers."""
    sender_name: str | None = None
    text: str = ""
    message_id: str | None = None
    """The channel's id of the message, which an edit, a recall or a quote names."""
    reply_to: str | None = None
    """The channel's id of the quoted message."""
    button: str | None = None
    """The payload of the pressed button."""
    callback_id: str | None = None
    """The channel's handle for answering this press, where it wants one."""
    attachments: tuple[Attachment, ...] = ()
    forwarded_from: str | None = None
    """Whose words these are when they were forwarded: then they are data, never a command."""
    group: bool = False
    trigger: Trigger | None = None
    """Timers only: why the concern is due."""
    concern_id: ConcernId | None = None
    person_id: PersonId | None = None
    """Timers and events: the concern and the person that it is about. Prompts: whose words they are."""
    item_id: str | None = None
    """Absences: the expectation (`e3`) or the watch item (`w3`). Callbacks: the record."""


class StoredFact(BaseModel):
    """A fact with its place in the inbox."""

    model_config = ConfigDict(frozen=True)

    fact_id: FactId
    fact: Fact
    attempts: int = 0
