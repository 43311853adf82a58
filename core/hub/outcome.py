"""What the hub makes of a fact: the judgement, and the writing that goes with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from core.facts import Signal
from core.ids import ConcernId
from core.ports import Repositories


def nothing(_: Repositories) -> None:
    """Nothing to write."""


@dataclass(frozen=True)
class Outcome:
    """A judgement (a word of RULES 2), its reason, and `keep`, which runs in the transaction that closes the fact."""

    decision: str
    reason: str
    keep: Callable[[Repositories], None] = nothing
    concerns: tuple[ConcernId, ...] = ()
    brain: str = ""
    """Who judged, once it was judged."""
    signals: tuple[Signal, ...] = ()
    """What was lifted from the fact."""
    asked: bool = False
    """Nothing is done yet: it asks back."""

    def and_then(self, more: Callable[[Repositories], None]) -> Outcome:
        """The same judgement with more to write."""
        first = self.keep

        def both(repos: Repositories) -> None:
            first(repos)
            more(repos)

        return replace(self, keep=both)

    def lifting(self, *signals: Signal) -> Outcome:
        """The same judgement with these signals lifted from the fact."""
        return replace(self, signals=(*self.signals, *signals))
