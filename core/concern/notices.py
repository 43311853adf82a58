"""What of a concern waits to be told to its initiator, and what they were told last (RULES 5)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from core.ids import PersonId


class NoticeKind(StrEnum):
    """Occasions of a mid-course report (RULES 5)."""

    CONTACTED = "contacted"
    TIMEOUT_RETRY = "timeout_retry"
    PARTIAL = "partial"
    ESCALATED = "escalated"
    DROPPED = "dropped"
    UNREACHABLE = "unreachable"
    NO_ANSWER = "no_answer"
    OWNER_UPDATE = "owner_update"
    NEEDS_DECISION = "needs_decision"
    DEADLINE = "deadline"
    AWAY = "away"
    DECLINED = "declined"
    SETBACK = "setback"
    TROUBLE = "trouble"


class Notice(BaseModel):
    """An occasion that waits to be reported.

    `text`: the brain's words for it; of a `trouble` the delegate's; of an `unreachable` why (`core.errors.Shut`).
    """

    model_config = ConfigDict(frozen=True)

    kind: NoticeKind
    at: datetime
    person_id: PersonId | None = None
    text: str | None = None
    decision_id: str | None = None
    """The point that it asks about: once that is settled there is nothing to tell."""


class Reports(BaseModel):
    """What the initiator was told and what waits. `last_text` keeps the gate from saying the same twice."""

    model_config = ConfigDict(frozen=True)

    waiting: tuple[Notice, ...] = ()
    last_at: datetime | None = None
    last_text: str | None = None
    last_said: str | None = None
    """What `last_text` was rendered from: the same again is no news."""
