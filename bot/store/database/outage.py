"""A database that is away: said once when it goes, and once when it has been back for a while."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

QUIET_S = 10.0
"""On a full disk reading works while nothing can be written: it is back when nothing has failed for so long."""


class Outage:
    """Whether the database answers, as its unit of work saw it last."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._failed_at: float | None = None

    def failed(self, error: Exception) -> None:
        """It did not answer, or could not write."""
        if self._failed_at is None:
            log.error("the database fails, and what is to be done waits until it is back: %s", error)
        self._failed_at = self._monotonic()

    def well(self) -> None:
        """It did."""
        if self._failed_at is not None and self._monotonic() - self._failed_at >= QUIET_S:
            log.warning("the database is back")
            self._failed_at = None
