"""What is in a message: its words, its attachments, and whether it names the bot. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.channels.given import token, words
from core.facts import Attachment

Json = dict[str, Any]

_MENTION = re.compile(r"@_user_\d+")
_FILES = {
    "image": "photo",
    "file": "document",
    "folder": "document",
    "audio": "voice",
    "media": "video",
    "sticker": "sticker",
    "location": "location",
    "share_user": "contact",
}
"""Kinds of attachments by `message_type`; whatever else comes is `other`."""

_NAMES = ("file_name", "name", "topic", "title")
_BETWEEN = " ,，:：、"


@dataclass(frozen=True)
class Content:
    """A message as the bot reads it."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    named: bool = False
    """The bot is mentioned."""


@dataclass
class _Reader:
    """Reads the parts of one message; `mentions` are its entries by key."""

    message_id: str
    mentions: dict[str, Json]
    bot: str | None
    named: bool = False
    images: list[str] = field(default_factory=list)

    def words(self, text: str) -> str:
        """With names for the keys of mentions, and without the bot's own."""
        return _MENTION.sub(lambda key: self._name(key[0]), text).replace("@_all", "@all")

    def _name(self, key: str) -> str:
        mention = self.mentions.get(key)
        if mention is None:
            return key
        if self.bot is not None and _open_id(mention) == self.bot:
            self.named = True
            return ""
        return words(mention.get("name", key))

    def line(self, parts: list[Json]) -> str:
        """A paragraph of rich text."""
        return "".join(self._part(part) for part in parts)

    def _part(self, part: Json) -> str:
        match part["tag"]:
            case "at":
                key = words(part.get("user_id", ""))
                return self.words(key) if _MENTION.fullmatch(key) else words(part.get("user_name", "@all"))
            case "a":
                return f"{words(part.get('text', ''))} {words(part.get('href', ''))}".strip()
            case "img":
                self.images.append(token(part["image_key"]))
                return ""
            case "emotion":
                return f"[{words(part.get('emoji_type', ''))}]"
            case _:
                return self.words(words(part.get("text", "")))


def content_of(message: Json, bot_open_id: str | None) -> Content:
    """Of the `message` in an event. Raises whatever Python raises where it has not the documented shape."""
    mentions = {words(m["key"]): m for m in message.get("mentions") or ()}
    reader = _Reader(token(message["message_id"]), mentions, bot_open_id)
    body = json.loads(message["content"]) if message.get("content", "").startswith("{") else {}
    kind = message["message_type"]
    found: tuple[Attachment, ...] = ()
    if kind == "text":
        text = reader.words(body["text"])
    elif kind == "post":
        text = "\n".join(_paragraphs(body, reader))
        found = tuple(Attachment(kind="photo", ref=f"{reader.message_id}:{key}") for key in reader.images)
    else:
        text, found = "", (_whole(kind, body, reader.message_id),)
    text = words(text)
    if reader.named:
        text = text.strip().lstrip(_BETWEEN).strip()
    return Content(text, found, reader.named)


def _paragraphs(body: Json, reader: _Reader) -> Iterator[str]:
    # Some clients put the languages that it is written in around it.
    post = body if "content" in body else next(iter(body.values()), {})
    if post.get("title"):
        yield reader.words(post["title"])
    for parts in post["content"]:
        line = reader.line(parts).removesuffix("\n")
        if line or not parts:  # nothing is left of a line with a picture alone
            yield line


def _whole(kind: str, body: Json, message_id: str) -> Attachment:
    """Without words of its own: the message itself is handed on."""
    name = next((body[key] for key in _NAMES if body.get(key)), None)
    return Attachment(kind=_FILES.get(kind, "other"), name=words(name) if name else None, ref=message_id)


def _open_id(mention: Json) -> str | None:
    who = mention.get("id")
    return who.get("open_id") if isinstance(who, dict) else who
