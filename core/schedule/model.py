"""A trigger and a run of it: plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict


class WhenError(ValueError):
    """A `when` that cannot be kept; the sentence names the culprit and, where there is one, the cure.

    `problem`: `unreadable`, `never` (no run will ever come), or `too_often`.
    """

    def __init__(self, message: str, problem: Literal["unreadable", "never", "too_often"] = "unreadable") -> None:
        super().__init__(message)
        self.problem = problem


class Mode(StrEnum):
    """What a schedule does when it fires (RULES 8)."""

    DIRECT = "direct"
    """Its text is sent."""
    SESSION = "session"
    """Its text re-enters the conversation."""
    AGENT = "agent"
    """Its action runs, and what that raises is handled by the loop on its own."""


class ScheduleTrigger(BaseModel):
    """When. `when` is an ISO 8601 moment (once), an RFC 5545 rule (recurring) or a condition in words (event).

    A rule's hours and minutes are wall clock in `timezone`; it may begin with `DTSTART=YYYYMMDDTHHMMSS…;`, else it
    begins at `start`.
    """

    model_config = ConfigDict(frozen=True)

    kind: Literal["once", "recurring", "event"]
    when: str
    timezone: str = "Asia/Shanghai"
    start: datetime | None = None
    """recurring: no run before; an `INTERVAL` counts from here."""
    working_days: bool = False
    """recurring: runs on days that the owner does not work are left out (holidays and swapped days included)."""


@dataclass(frozen=True)
class Run:
    """One run that is due: when it was to be, and how many earlier ones were missed and are not made up for."""

    at: datetime
    missed: int = 0
