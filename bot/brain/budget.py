"""Calls of the model beyond the plan: a second form, a retry, a repair. They are limited per turn, not per question.

A turn (one fact, one job) may ask several questions, each of which plans one call. What the server's faults cost on top
is taken from one purse, so that a bad moment of the server does not multiply.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

EXTRA_CALLS = 3


@dataclass
class Purse:
    """What is left of the extra calls."""

    left: int = EXTRA_CALLS


_purse: ContextVar[Purse | None] = ContextVar("extra calls of this turn", default=None)


def new_turn() -> None:
    """A turn begins in this task: its questions share a full purse."""
    _purse.set(Purse())


def purse() -> Purse:
    """The purse of the turn; a question outside any turn has one of its own."""
    return _purse.get() or Purse()
