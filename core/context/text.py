"""How other people's words stand in a text that a model reads: seen whole, cut to a size, between marks they cannot
contain. And how much a text weighs.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from core.patterns import lazy

MAX_TEXT = 4_000
"""Characters of one text; what is longer is cut in its middle, and says so."""
WEEKDAYS = "一二三四五六日"

# Not in the category Cf, and just as invisible: fillers, joiners, variation selectors.
_UNSEEN = lazy("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_DROPPED = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
# Han, kana, hangul, their punctuation, full-width forms.
_WIDE = lazy("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]")


@lru_cache(maxsize=4096)
def visible(text: str) -> str:
    """The text without characters that cannot be seen: format and control characters, private use, fillers."""
    if text.isascii() and text.isprintable():
        return text
    text = _UNSEEN.sub("", text.replace("\r\n", "\n"))
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in _DROPPED)


def tokens(text: str) -> int:
    """What a text weighs: a CJK character 1, of any other text 4 characters 1. An estimate, on the safe side for most
    models; the pieces of a text never weigh less than the whole.
    """
    wide = len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // 4)


def cut_middle(text: str, most: int = MAX_TEXT) -> str:
    """At most about `most` characters of a text: its beginning and its end, and how much is missing between."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n（中间略去 {len(text) - 2 * half} 字）\n{text[-half:]}"


def cut_to_weight(text: str, most: int) -> str:
    """The same by weight: the longest such cut of at most `most` tokens (at least a few characters)."""
    if tokens(text) <= most:
        return text
    low, high = 2, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens(cut_middle(text, middle)) <= most:
            low = middle
        else:
            high = middle - 1
    return cut_middle(text, low)


def one_line(text: str) -> str:
    """Names, titles, goals: on one line, so that they cannot pass for a part of what stands around them."""
    # Cutting says so on a line of its own.
    return " ".join(cut_middle(" ".join(visible(text).split())).split())


def short(text: str, most: int) -> str:
    """On one line of at most `most` characters."""
    line = " ".join(visible(text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def fence(text: str, mark: str) -> str:
    """Words of a person, between marks."""
    return f"<{mark}>\n{cut_middle(visible(text).strip())}\n</{mark}>"


def absent_mark(texts: Iterable[str]) -> str:
    """A mark that occurs nowhere in what can be seen of `texts`; the same texts give the same mark."""
    joined = "\0".join(visible(text) for text in texts)
    number = 0
    while True:
        mark = "data-" + hashlib.sha256(f"{number}\0{joined}".encode()).hexdigest()[:8]
        if mark not in joined:
            return mark
        number += 1


def texts_in(value: Any) -> Iterator[str]:
    """All texts in a view or a question, however deep, from front to back."""
    # A stack of its own: generators within generators would pass each text up through every level.
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, BaseModel):
            left.extend(reversed(item.__dict__.values()))
        elif isinstance(item, dict):
            left.extend(part for pair in reversed(item.items()) for part in reversed(pair))
        elif isinstance(item, list | tuple):
            left.extend(reversed(item))
        elif isinstance(item, frozenset):
            # A set has no order of its own, and the same texts are to give the same mark.
            left.extend(sorted(item, key=str, reverse=True))


def moment(at: datetime) -> str:
    """`2026-03-16T10:00+08:00（周一）`, on the clock that `at` carries."""
    return f"{at.isoformat(timespec='minutes')}（周{WEEKDAYS[at.weekday()]}）"


def stamp(at: datetime) -> str:
    """`03-16 周一 10:00`: how a line of a dialogue begins."""
    return f"{at:%m-%d} 周{WEEKDAYS[at.weekday()]} {at:%H:%M}"
