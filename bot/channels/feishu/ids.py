"""What an id on Feishu tells by its looks."""

from __future__ import annotations

CHANNEL = "feishu"

_KINDS = {"ou_": "open_id", "on_": "union_id", "oc_": "chat_id"}


def receive_id_type(chat: str) -> str:
    """The `receive_id_type` under which a message for `chat` is sent; what looks like nothing is a `user_id`."""
    if "@" in chat:
        return "email"
    return _KINDS.get(chat[:3], "user_id")


def is_group(chat: str) -> bool:
    """A group is met by its chat's id, a person by their own: so what they write and what they get share a lane."""
    return chat.startswith("oc_")


def is_message(message_id: str | None) -> bool:
    """Whether this is the id of a message on Feishu, and not one of another channel."""
    return message_id is not None and message_id.startswith("om_")
