"""Events as Feishu brings them."""

from __future__ import annotations

import itertools
import json
from typing import Any

Json = dict[str, Any]

BOT = "ou_bot"
APP_ID = "cli_test"
TOKEN = "verify"
_numbers = itertools.count(1)


def envelope(event_type: str, event: Json, *, event_id: str | None = None, token: str = TOKEN) -> Json:
    """An event in its second form."""
    number = next(_numbers)
    header = {
        "event_id": event_id or f"ev_{number}",
        "event_type": event_type,
        "create_time": "1773626400000",
        "token": token,
        "app_id": APP_ID,
        "tenant_key": "tenant",
    }
    return {"schema": "2.0", "header": header, "event": event}


def person(open_id: str) -> Json:
    """The ids of a person."""
    return {"open_id": open_id, "union_id": open_id.replace("ou_", "on_"), "user_id": open_id.removeprefix("ou_")}


def message(
    who: str,
    content: str | Json,
    *,
    kind: str = "text",
    chat: str | None = None,
    message_id: str | None = None,
    at: int = 1773626400000,
    edited: int | None = None,
    event_id: str | None = None,
    mentions: list[tuple[str, str, str]] | None = None,
    sender_type: str = "user",
    **more: Any,
) -> Json:
    """Somebody writes: to the bot, or in the group `chat`. `mentions`: key, open_id and name of each."""
    body = {"text": content} if isinstance(content, str) else content
    inner = {
        "message_id": message_id or f"om_{next(_numbers)}",
        "create_time": str(at),
        "update_time": str(edited or at),
        "chat_id": chat or f"oc_p2p_{who}",
        "chat_type": "group" if chat else "p2p",
        "message_type": kind,
        "content": json.dumps(body, ensure_ascii=False),
        **more,
    }
    if mentions:
        inner["mentions"] = [
            {"key": key, "id": person(open_id), "name": name, "tenant_key": "tenant"} for key, open_id, name in mentions
        ]
    sender = {"sender_id": person(who), "sender_type": sender_type, "tenant_key": "tenant"}
    return envelope("im.message.receive_v1", {"sender": sender, "message": inner}, event_id=event_id)


def recall(message_id: str, chat: str, *, by: str = "message_owner") -> Json:
    """A message was taken back."""
    body = {"message_id": message_id, "chat_id": chat, "recall_time": "1773626460000", "recall_type": by}
    return envelope("im.message.recalled_v1", body)


def press(who: str, message_id: str, value: Any, *, event_id: str | None = None, chat: str = "oc_p2p") -> Json:
    """A button of a card was pressed."""
    body = {
        "operator": {**person(who), "tenant_key": "tenant"},
        "token": "c-token",
        "action": {"value": value, "tag": "button"},
        "host": "im_message",
        "context": {"open_message_id": message_id, "open_chat_id": chat},
    }
    return envelope("card.action.trigger", body, event_id=event_id)


def menu(who: str, key: str) -> Json:
    """An entry of the bot's menu was chosen."""
    body = {
        "operator": {"operator_name": "张三", "operator_id": person(who)},
        "event_key": key,
        "timestamp": 1773626400,
    }
    return envelope("application.bot.menu_v6", body)
