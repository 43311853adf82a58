"""Reads pieces of what a platform brought. An id is read strictly: a chat that is guessed at is somebody else's.

What has not the shape that it must have raises a `TypeError` or a `ValueError`; the channel sets the whole aside.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.channels.text import clean

_BEYOND = 2**53
"""Whole numbers up to here are the same in every reader of JSON; no platform has longer ids."""
_LONGEST = 512
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=1)
"""Clocks that are further apart than this do not tell the same time."""


def number(value: Any) -> int:
    """An id that is a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("no whole number")
    if abs(value) >= _BEYOND:
        raise ValueError("a number beyond all ids")
    return value


def token(value: Any) -> str:
    """An id that is a word of letters, digits and signs."""
    if not isinstance(value, str):
        raise TypeError("no word")
    if not (value.isascii() and value.isprintable()) or " " in value or not 0 < len(value) <= _LONGEST:
        raise ValueError("no id")
    return value


def token_or_none(value: Any) -> str | None:
    """The same where it may be missing, or empty."""
    return None if value in (None, "") else token(value)


def words(value: Any) -> str:
    """What somebody wrote, or is called."""
    if not isinstance(value, str):
        raise TypeError("no text")
    return clean(value)


def moment(seconds: float, now: datetime) -> datetime:
    """When something happened, in Unix seconds. Nothing happens long after now, or happened before there were chats."""
    at = datetime.fromtimestamp(seconds, UTC)
    if at < _EARLIEST:
        raise ValueError("long before our time")
    return now if at - now > _AHEAD else at


def told(value: Any) -> str:
    """An id for the log, where something is set aside; what is none may hold what people wrote."""
    try:
        return str(number(value)) if isinstance(value, int) else token(value)
    except (TypeError, ValueError):
        return "without an id"
