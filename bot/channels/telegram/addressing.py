"""Is a message meant for the bot, and what does it say without the bot's name?

Offsets of entities count UTF-16 units, so the work is done on UTF-16.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class BotName:
    """Who the bot is on Telegram."""

    username: str
    user_id: int


def without_name(text: str, entities: list[Json], bot: BotName) -> tuple[bool, str]:
    """(the bot is named, the text without its name).

    Named by `@username`, by a mention that carries its user id, or by a command that ends in `@username`; of the last
    the command stays.
    """
    raw = text.encode("utf-16-le")
    kept, position, named = bytearray(), 0, False
    for start, end in _name_spans(raw, entities, bot):
        named = True
        kept += raw[position:start]
        position = end
    if not named:
        return False, text
    kept += raw[position:]
    return True, kept.decode("utf-16-le", "replace").strip().lstrip(",，:：、").strip()


def _name_spans(raw: bytes, entities: list[Json], bot: BotName) -> Iterator[tuple[int, int]]:
    """Byte ranges to take out, in order."""
    handle = f"@{bot.username}".casefold()
    for entity in sorted(entities, key=lambda e: int(e["offset"])):
        start, end = 2 * int(entity["offset"]), 2 * (int(entity["offset"]) + int(entity["length"]))
        words = raw[start:end].decode("utf-16-le", "replace")
        match entity["type"]:
            case "mention" if words.casefold() == handle:
                yield start, _and_space(raw, end)
            case "text_mention" if entity["user"]["id"] == bot.user_id:
                yield start, _and_space(raw, end)
            case "bot_command" if words.casefold().endswith(handle):
                yield end - len(handle.encode("utf-16-le")), end


def _and_space(raw: bytes, end: int) -> int:
    """With one space after the name, so that none is doubled."""
    return end + 2 if raw[end : end + 2] == " ".encode("utf-16-le") else end
