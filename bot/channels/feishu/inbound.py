"""From an event of Feishu, as raw JSON, to a `Fact`. Pure."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from bot.channels.feishu.content import Json, content_of
from bot.channels.feishu.ids import CHANNEL
from bot.channels.given import moment, token, token_or_none, words
from core.facts import Fact, FactKind
from core.ids import conversation_id

_MENU_KEY = re.compile(r"/?[a-z_]{1,32}( [^\n]{1,64})?")
_BUTTON_BYTES = 64


def to_fact(event: Json, bot_open_id: str | None, now: datetime) -> Fact | None:
    """The fact in an event, or None where it holds nothing for the bot.

    A message is one fact however often and under whatever event id it is brought, so the key of its fact is the
    message's. In groups nothing is for the bot as long as its own id (`bot_open_id`) is not known. A recall tells
    neither who wrote the message nor which person's chat it was in: `completed` adds that. `now` is the moment of what
    carries none. What does not have the documented shape raises whatever Python raises.
    """
    header, body = event.get("header") or {}, event.get("event") or {}
    match header.get("event_type"):
        case "im.message.receive_v1":
            return _message(body["sender"], body["message"], bot_open_id, now)
        case "im.message.updated_v1":
            # Where the message does not say when it was changed, the event does.
            changed = int(header["create_time"])
            return _message(body["sender"], body["message"], bot_open_id, now, changed)
        case "im.message.recalled_v1":
            return _recall(body, now)
        case "card.action.trigger":
            return _press(token(header["event_id"]), body, now)
        case "application.bot.menu_v6":
            return _menu(token(header["event_id"]), body, now)
    return None


def completed(recall: Fact, message: Fact) -> Fact:
    """A recall as the act of whoever wrote the message, in its chat."""
    known = {"conversation": message.conversation, "sender": message.sender, "group": message.group}
    return recall.model_copy(update={**known, "sender_name": message.sender_name})


def _message(
    sender: Json, message: Json, bot_open_id: str | None, now: datetime, changed: int | None = None
) -> Fact | None:
    if sender.get("sender_type") != "user":
        return None
    who, message_id = token(sender["sender_id"]["open_id"]), token(message["message_id"])
    group = message.get("chat_type") != "p2p"
    content = content_of(message, bot_open_id)
    if group and not content.named:
        return None
    if not content.text and not content.attachments and not content.named:
        return None
    created, updated = int(message["create_time"]), int(message.get("update_time") or 0)
    if changed is not None and updated <= created:
        updated = changed
    edited = changed is not None or updated > created
    return Fact(
        channel=CHANNEL,
        event_id=f"edit:{message_id}:{updated}" if edited else f"message:{message_id}",
        kind=FactKind.EDIT if edited else FactKind.MESSAGE,
        occurred_at=_moment(updated if edited else created, now),
        conversation=conversation_id(CHANNEL, token(message["chat_id"]) if group else who),
        sender=who,
        text=content.text,
        message_id=message_id,
        reply_to=token_or_none(message.get("parent_id") or message.get("root_id")),
        attachments=content.attachments,
        group=group,
    )


def _recall(body: Json, now: datetime) -> Fact | None:
    if body.get("recall_type", "message_owner") != "message_owner":
        return None  # a group's manager cleared up: its writer has taken nothing back
    message_id = token(body["message_id"])
    return Fact(
        channel=CHANNEL,
        event_id=f"recall:{message_id}",
        kind=FactKind.RECALL,
        occurred_at=_moment(int(body.get("recall_time") or 0), now),
        conversation=conversation_id(CHANNEL, token(body["chat_id"])),
        message_id=message_id,
    )


def _press(event_id: str, body: Json, now: datetime) -> Fact | None:
    value: Any = body["action"].get("value")
    if not isinstance(value, dict) or not isinstance(value.get("data"), str):
        return None  # under a card that is not ours
    who, data = token(body["operator"]["open_id"]), words(value["data"])
    if len(data.encode()) > _BUTTON_BYTES:
        return None
    # The card says where it was sent: of a chat the event tells but an id that says nothing of the person.
    group = value["chat"] if str(value.get("chat", "")).startswith("oc_") else None
    return Fact(
        channel=CHANNEL,
        event_id=f"press:{event_id}",
        kind=FactKind.BUTTON,
        occurred_at=now,
        conversation=conversation_id(CHANNEL, token(group or who)),
        sender=who,
        message_id=token(body["context"]["open_message_id"]),
        button=data,
        group=group is not None,
    )


def _menu(event_id: str, body: Json, now: datetime) -> Fact | None:
    """An entry of the bot's menu is the slash command that it is named after."""
    key = str(body.get("event_key", ""))
    if not _MENU_KEY.fullmatch(key):
        return None
    who = token(body["operator"]["operator_id"]["open_id"])
    return Fact(
        channel=CHANNEL,
        event_id=f"menu:{event_id}",
        kind=FactKind.MESSAGE,
        occurred_at=now,
        conversation=conversation_id(CHANNEL, who),
        sender=who,
        sender_name=words(body["operator"].get("operator_name") or ""),
        text="/" + key.removeprefix("/"),
    )


def _moment(milliseconds: int, now: datetime) -> datetime:
    return moment(milliseconds / 1000, now) if milliseconds else now
