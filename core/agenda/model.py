"""The agenda: what the bot is pushing on the whole, and what it decided lately."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.ids import ConcernId, PersonId


class ConcernRef(BaseModel):
    """An open concern in the agenda; written, updated and removed in the transaction of the change itself."""

    model_config = ConfigDict(frozen=True)

    concern_id: ConcernId
    priority: str
    status: str
    agenda_role: Literal["active", "waiting_for_owner", "scheduled"] = "active"
    owner: PersonId | None = None
    """The initiator."""


class RecentDecision(BaseModel):
    """Something the hub or a concern decided, and why; kept 30 days."""

    model_config = ConfigDict(frozen=True)

    at: datetime
    what: Literal["raised", "resolved", "dropped", "refused", "lifted", "escalated"]
    why: str
    concern_id: ConcernId | None = None
    owner: PersonId | None = None
