"""Names for the kinds of identifiers, so that mypy tells one from another."""

from __future__ import annotations

from typing import NewType

PersonId = NewType("PersonId", str)
"""`p_zhangsan`: chosen by whoever writes the people file; stable for ever."""

ConcernId = NewType("ConcernId", str)
"""`con_20260316_001`: counted per day in the owner's time zone (RULES 3)."""

FactId = NewType("FactId", int)
"""Row number of a stored fact; grows in the order of arrival."""

ConversationId = NewType("ConversationId", str)
"""`telegram:2001`: channel and chat. One conversation is one lane."""


def conversation_id(channel: str, chat: str) -> ConversationId:
    """The conversation of a chat on a channel."""
    return ConversationId(f"{channel}:{chat}")


def concern_id(day: str, number: int) -> ConcernId:
    """`day` is YYYYMMDD, `number` counts from 1; three digits at least."""
    return ConcernId(f"con_{day}_{number:03d}")
