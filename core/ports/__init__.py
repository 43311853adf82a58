"""What the floor above awaits: clock, identifiers, channels, texts, storage.

Storage is one call: `await store.run(work)` executes `work(repositories)` in one transaction and commits when it
returns, or rolls all of it back when it raises. `work` is synchronous and short, so no transaction can stay open while
a brain or a channel is awaited.
"""

from __future__ import annotations

from core.brain.port import Brain
from core.ports.records import (
    AgendaRepository,
    BlockRepository,
    CallbackRepository,
    ConcernRepository,
    DeedRepository,
    InviteRepository,
    PeopleRepository,
)
from core.ports.storage import Repositories, Store
from core.ports.traffic import FactRepository, JobRepository, ReceiptRepository, SentMessage
from core.ports.world import (
    Archive,
    Channel,
    ChannelButton,
    ChannelMessage,
    Clock,
    Consulting,
    Emit,
    Ids,
    Inviting,
    Pacing,
    Receipt,
    Renderer,
    Repeating,
)

__all__ = [
    "AgendaRepository",
    "Archive",
    "BlockRepository",
    "Brain",
    "CallbackRepository",
    "Channel",
    "ChannelButton",
    "ChannelMessage",
    "Clock",
    "ConcernRepository",
    "Consulting",
    "DeedRepository",
    "Emit",
    "FactRepository",
    "Ids",
    "InviteRepository",
    "Inviting",
    "JobRepository",
    "Pacing",
    "PeopleRepository",
    "Receipt",
    "ReceiptRepository",
    "Renderer",
    "Repeating",
    "Repositories",
    "SentMessage",
    "Store",
]
