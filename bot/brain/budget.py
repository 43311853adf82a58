"""What a turn spends on the model: its calls, and how many of them may go beyond the plan (a second form, a retry, a
repair). The latter are limited per turn, not per question.

A turn (one fact, one job) may ask several questions, each of which plans one call. What the server's faults cost on top
is taken from one purse, so that a bad moment of the server does not multiply.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field

EXTRA_CALLS = 3


@dataclass(frozen=True)
class Call:
    """One call of the server: for which question, tokens read and written, seconds, and whether an answer came.

    `estimated`: the server did not count the tokens of its answer, so they were guessed from the texts.
    """

    question: str
    tokens_in: int
    tokens_out: int
    seconds: float
    ok: bool
    estimated: bool = False


@dataclass
class Purse:
    """What is left of the extra calls, and every call that was made."""

    left: int = EXTRA_CALLS
    calls: list[Call] = field(default_factory=list)


_purse: ContextVar[Purse | None] = ContextVar("extra calls of this turn", default=None)


def new_turn() -> Purse:
    """A turn begins in this task: its questions share a full purse."""
    opened = Purse()
    _purse.set(opened)
    return opened


def tokens_spent() -> int:
    """What the questions of this turn have read and written so far."""
    return sum(call.tokens_in + call.tokens_out for call in purse().calls)


def purse() -> Purse:
    """The purse of the turn; a question outside any turn has one of its own."""
    return _purse.get() or Purse()
