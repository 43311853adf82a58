"""Lanes: the facts and jobs of one conversation run one after another, different conversations side by side."""

from __future__ import annotations


class Lanes:
    """Which lanes are busy. Busy is a property of the lane, whoever works in it."""

    def __init__(self) -> None:
        self._busy: set[str] = set()

    @property
    def busy(self) -> frozenset[str]:
        """The lanes in which somebody works now."""
        return frozenset(self._busy)

    def enter(self, lane: str) -> None:
        """Work begins in a lane; it must be free."""
        if lane in self._busy:
            raise RuntimeError(f"two at once in lane {lane}")
        self._busy.add(lane)

    def leave(self, lane: str) -> None:
        """Work in it has ended."""
        self._busy.discard(lane)
