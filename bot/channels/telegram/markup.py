"""How a message looks on Telegram: escaped text, one bold line at most, buttons."""

from __future__ import annotations

import html
from typing import Any

from core.ports import ChannelButton

CAPTION_LIMIT = 1024
TEXT_LIMIT = 4096
"""UTF-16 units, counted by Telegram after the tags are taken out."""


def to_html(text: str) -> str:
    """The text for `parse_mode=HTML`. A heading (a first line that begins with `[`, as "[回流] …") is bold, no more."""
    heading, newline, rest = text.partition("\n")
    escaped = html.escape(heading, quote=False)
    if heading.startswith("["):
        escaped = f"<b>{escaped}</b>"
    return escaped + newline + html.escape(rest, quote=False)


def keyboard(rows: tuple[tuple[ChannelButton, ...], ...]) -> dict[str, Any] | None:
    """Buttons under a message, as `reply_markup`."""
    if not rows:
        return None
    return {"inline_keyboard": [[{"text": b.label, "callback_data": b.data} for b in row] for row in rows]}
