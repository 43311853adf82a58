"""What both languages share: what is told of others' words is no word of the bot's own."""

from __future__ import annotations

import re
from collections.abc import Callable


def without_reported(own: str, said: re.Pattern[str], ours: Callable[[str], bool]) -> str:
    """The sentence up to where it tells what somebody else said; the whole where the bot itself is the speaker."""
    for hit in said.finditer(own):
        if not ours(own[: hit.start()]):
            return own[: hit.start()]
    return own
