"""Letting time pass: all work that falls due on the way is run, each piece at its own time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from core.errors import QinghaiError

MOST_MOMENTS = 20_000
"""A bot whose work falls due at more moments than this on the way runs in circles."""


class RehearsalError(QinghaiError):
    """A step cannot be played; the sentence says why."""


class Runs(Protocol):
    """The part of the app that time needs."""

    async def settle(self) -> None:
        """Run everything that is due now."""
        ...

    async def next_due(self) -> datetime | None:
        """The next moment at which anything falls due."""
        ...


async def run_until(app: Runs, set_clock: Callable[[datetime], None], target: datetime) -> None:
    """Run all work that falls due up to and including `target`; then it is `target`.

    Raises `RehearsalError` when work stays due however often it is run.
    """
    last: datetime | None = None
    for _ in range(MOST_MOMENTS):
        due = await app.next_due()
        if due is None or due > target:
            set_clock(target)
            await app.settle()
            return
        if last is not None and due <= last:
            raise RehearsalError(f"work that was due at {due.isoformat()} does not get done")
        set_clock(due)
        await app.settle()
        last = due
    raise RehearsalError(f"work falls due at more than {MOST_MOMENTS} moments before {target.isoformat()}")
