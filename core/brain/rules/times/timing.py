"""What the time of an errand amounts to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

Span = tuple[int, int]


@dataclass(frozen=True)
class Timing:
    """When an errand is run. `when` None: a time was named, but no usable one.

    `due` is the same for an expectation: by when it must have happened. `spans`: where the words of it stand.
    """

    when: str | None
    due: str | None = None
    at: datetime | None = None
    """A single moment."""
    working_days: bool = False
    past: bool = False
    limit: bool = False
    """It is a time by which, or one that has begun: what is not a reminder may as well be done now."""
    spans: tuple[Span, ...] = ()

    @property
    def is_event(self) -> bool:
        """Whether it hangs on a condition."""
        return bool(self.when and self.when.startswith("EVENT="))

    @property
    def condition(self) -> str:
        """Its condition in words; empty where it hangs on none."""
        return self.when.removeprefix("EVENT=") if self.when and self.is_event else ""
