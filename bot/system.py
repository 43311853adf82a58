"""The world's time and chance: the only wall clock and the only source of identifiers of the program."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta


class SystemClock:
    """The present, in UTC. It may run faster than the wall clock (`scale`) and ahead of it (`ahead`).

    `scale` is how many seconds pass here in one real second (`QINGHAI_TIME_SCALE`).
    """

    def __init__(self, scale: float = 1.0, ahead: timedelta = timedelta()) -> None:
        self._started = datetime.now(UTC)
        self._scale = scale
        self._ahead = ahead

    def now(self) -> datetime:
        """An aware moment."""
        return self._started + (datetime.now(UTC) - self._started) * self._scale + self._ahead

    def set(self, moment: datetime) -> None:
        """Jump to `moment`; one that has passed changes nothing."""
        self._ahead += max(moment - self.now(), timedelta())

    @property
    def ahead(self) -> timedelta:
        """How far this clock is ahead of the wall clock now."""
        return self.now() - datetime.now(UTC)


class VirtualClock:
    """A clock that stands still until it is moved: rehearsals and tests."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """An aware moment."""
        return self._now

    def set(self, moment: datetime) -> None:
        """Jump to `moment`; one that has passed changes nothing."""
        self._now = max(self._now, moment.astimezone(self._now.tzinfo))

    def advance(self, span: timedelta) -> None:
        """Move on by `span`."""
        self._now += span


class SystemIds:
    """Unguessable identifiers."""

    def token(self) -> str:
        """96 bits, URL-safe, 16 characters."""
        return secrets.token_urlsafe(12)


class SequenceIds:
    """Identifiers in a row, `t0001`, `t0002` …: rehearsals and tests, where every run shall be the same."""

    def __init__(self, prefix: str = "t") -> None:
        self._prefix = prefix
        self._last = 0

    def token(self) -> str:
        """The next one."""
        self._last += 1
        return f"{self._prefix}{self._last:04d}"
