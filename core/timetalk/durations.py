"""Durations as configuration and scenario files write them."""

import re
from datetime import timedelta

_SECONDS = {"w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1}
_WHOLE = re.compile(r"(?:\d{1,9}(?:\.\d+)?[wdhms]\s*)+")
_PART = re.compile(r"(\d+(?:\.\d+)?)([wdhms])")


def parse_duration(text: str) -> timedelta:
    """ "30m", "4h", "1d", "90s", "1h30m" as a length of time. Raises ``ValueError`` with one sentence."""
    words = text.strip().lower()
    if not _WHOLE.fullmatch(words):
        raise ValueError(f"{text!r} is not a duration such as 30m, 4h, 1d or 1h30m.")
    seconds = sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(words))
    try:
        return timedelta(seconds=seconds)
    except OverflowError:
        raise ValueError(f"{text!r} is longer than a duration can be.") from None
