"""What the inlet asks of the bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Gauge:
    """A number as it is now."""

    name: str
    about: str
    value: float


class House(Protocol):
    """The bot behind the inlet."""

    async def problems(self) -> Sequence[str]:
        """What keeps it from working, in a sentence each; nothing when it is ready. Raises nothing."""
        ...

    async def gauges(self) -> Sequence[Gauge]:
        """What is read at the moment of asking. Raises `StorageFailed` when the database does not answer."""
        ...
