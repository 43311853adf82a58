"""How a message looks on Feishu: plain text, or a card where there are buttons. Nothing in it is read as markup."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

from core.ports import ChannelButton

Json = dict[str, Any]

PART_LIMIT = 20_000
"""Bytes of a part, counted as they go over the wire. Any part may be the last one and become a card, and a card with
all that is around its words may have 30 KB."""

_MARKUP = re.compile(r"</?(?:at|a|b|i|u|s)\b|\]\(|\*\*|~~|__", re.IGNORECASE)
"""What a text message would not show as it stands: names called out, emphasis, links."""

_HEADING_AT_MOST = 80
LINE_BYTES = 45
"""What a new line costs where each line is an object of its own; no character costs more."""


@functools.lru_cache(maxsize=10_000)
def wire_bytes(char: str) -> int:
    """What a character of a text costs: it is written as JSON inside JSON, and a line may be an object of its own."""
    if char == "\n":
        return LINE_BYTES
    return len(json.dumps(json.dumps(char, ensure_ascii=False), ensure_ascii=False).encode("utf-8", "replace")) - 6


def message_body(text: str, buttons: tuple[tuple[ChannelButton, ...], ...], chat: str) -> Json:
    """`msg_type` and `content` of a message."""
    if buttons:
        return {"msg_type": "interactive", "content": _dumped(card(text, buttons, chat))}
    if _MARKUP.search(text):  # in rich text, words are words
        lines = [[{"tag": "text", "text": line}] for line in text.split("\n")]
        return {"msg_type": "post", "content": _dumped({"zh_cn": {"content": lines}})}
    return {"msg_type": "text", "content": _dumped({"text": text})}


def card(text: str, buttons: tuple[tuple[ChannelButton, ...], ...], chat: str) -> Json:
    """A card that may be changed later, and is not passed on. A heading (as "[回流] …") stands at its top.

    A button carries its payload and the chat that it was sent to.
    """
    heading, newline, rest = text.partition("\n")
    headed = heading.startswith("[") and newline == "\n" and rest.strip() != "" and len(heading) <= _HEADING_AT_MOST
    elements: list[Json] = [{"tag": "div", "text": _plain(rest if headed else text)}]
    for row in buttons:
        elements.append({"tag": "action", "actions": [_button(button, chat) for button in row]})
    made: Json = {
        "config": {"update_multi": True, "enable_forward": False, "wide_screen_mode": True},
        "elements": elements,
    }
    return {**made, "header": {"template": "blue", "title": _plain(heading)}} if headed else made


def settled(text: str) -> str:
    """The content of the same card once it was pressed: nothing is left to press."""
    return _dumped(card(text, (), ""))


def _button(button: ChannelButton, chat: str) -> Json:
    value = {"data": button.data, "chat": chat}
    return {"tag": "button", "type": "default", "text": _plain(button.label), "value": value}


def _plain(text: str) -> Json:
    return {"tag": "plain_text", "content": text}


def _dumped(content: Json) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
