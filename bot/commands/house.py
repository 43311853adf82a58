"""What /status and /usage read beyond the matters: the database, the processes, the account of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from core.ids import ConcernId


@dataclass(frozen=True)
class ChannelState:
    """A channel of this process: whether it works, how it goes in one sentence for engineers, and in a word of the
    templates what is wrong (`starting`, `token`, `another`, `slow`, `storage`, `down`, `fault`).
    """

    name: str
    ready: bool
    said: str
    trouble: str | None = None


class House(Protocol):
    """The process that answers."""

    @property
    def version(self) -> str: ...

    @property
    def model(self) -> str | None:
        """The name of the model; None where the rules work alone."""
        ...

    @property
    def started_at(self) -> datetime: ...

    def channels(self) -> Sequence[ChannelState]:
        """How the channels are, as far as this process knows: only the one that speaks does."""
        ...


class Waiting(Protocol):
    """What waits; the moments are those at which the oldest that is due fell due."""

    @property
    def pending(self) -> int: ...
    @property
    def due(self) -> int: ...
    @property
    def oldest_due(self) -> datetime | None: ...
    @property
    def dead(self) -> int: ...
    @property
    def in_doubt(self) -> int: ...
    @property
    def facts(self) -> int: ...


class Health(Protocol):
    """The database and what waits in it."""

    def queue(self, now: datetime) -> Waiting: ...

    def database(self) -> tuple[str, str]:
        """Its kind and its name."""
        ...

    def size(self) -> int:
        """In bytes."""
        ...


class Leases(Protocol):
    """Who lives, and who plays which part."""

    def living(self) -> frozenset[str]: ...
    def speaker(self) -> str | None: ...
    def clocks(self) -> Mapping[str, timedelta]:
        """The living processes whose clocks go wrong, by how far they are ahead of the database's."""
        ...


class Spending(Protocol):
    """Calls of the model, those that brought no answer, tokens read and written, milliseconds."""

    @property
    def calls(self) -> int: ...
    @property
    def failures(self) -> int: ...
    @property
    def tokens_in(self) -> int: ...
    @property
    def tokens_out(self) -> int: ...
    @property
    def milliseconds(self) -> int: ...


class Account(Protocol):
    """What the model was asked; days of the owner's, YYYY-MM-DD."""

    def since(self, day: str) -> Spending:
        """From that day on."""
        ...

    def top(self, day: str, limit: int) -> Sequence[tuple[ConcernId, Spending]]:
        """The concerns that cost most from that day on, the dearest first."""
        ...
