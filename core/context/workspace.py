"""The context workspace: short-lived blocks that a later message takes up, such as an action waiting for a yes."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from core.ids import ConversationId, PersonId


class BlockKind(StrEnum):
    """What a block is for."""

    ACTIONS_NEED_CONFIRMATION = "actions_need_confirmation"
    WHICH_CONCERN = "which_concern"
    """A delegate was asked which of several matters their message is about; content: fact_id, concern_ids."""


class Block(BaseModel):
    """One block: whose it is, in which chat, since when and until when. Taken up once, then gone."""

    model_config = ConfigDict(frozen=True)

    block_id: str
    kind: BlockKind
    owner: PersonId
    conversation: ConversationId
    content: dict[str, Any]
    """JSON; the kind's own fields."""
    summary: str = ""
    """One line for people."""
    created_at: datetime
    expires_at: datetime
