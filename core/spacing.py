"""A blank between Chinese words of ours and a Latin value that stands in them: 我来联系 Tom，有进展及时告诉你.

Nobody's own words are changed: a blank comes only where a value and the text around it meet.
"""

from __future__ import annotations

import re

_EDGE = "\ufdd0"
"""Stands at an edge until the whole text is there. No character is meant by it, so no text has it."""

_MEETS = re.compile(f"(?<=[\u3400-\u9fff]){_EDGE}|{_EDGE}(?=[\u3400-\u9fff])")


def edged(value: str) -> str:
    """The value with its Latin edges marked: a letter at its beginning, a letter or digit at its end. A digit at the
    beginning is that of a date, before which no blank is usual.
    """
    before = _EDGE if value[:1].isascii() and value[:1].isalpha() else ""
    after = _EDGE if value[-1:].isascii() and value[-1:].isalnum() else ""
    return f"{before}{value}{after}"


def settled(text: str) -> str:
    """The text with a blank at each marked edge that meets a Chinese character, and without marks."""
    return _MEETS.sub(" ", text).replace(_EDGE, "") if _EDGE in text else text


def put(text: str, **values: str) -> str:
    """`text.format(**values)`, with those blanks."""
    return settled(text.format(**{name: edged(value) for name, value in values.items()}))
