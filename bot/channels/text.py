"""Cutting a text into parts that a channel takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

Measure = Callable[[str], int]
"""What one character costs."""

_CLUSTER_AT_MOST = 64
"""A run of joined characters longer than this is no letter that anyone reads: it may be cut anywhere."""

_FLAGS_AT_MOST = 400
"""So far back is counted where a flag begins."""

_SENTENCE_END = frozenset("。！？!?…；;")
_CLOSING = "”’」』）)》】\"'"
_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad")
_JOINER = "\u200d"
_VIRAMA = 9
"""Combining class of the signs that tie a consonant of an Indian script to the next."""


def utf16_units(char: str) -> int:
    """Telegram counts UTF-16 code units: two for what lies outside the basic plane."""
    return 2 if ord(char) > 0xFFFF else 1


def utf8_bytes(char: str) -> int:
    """Feishu counts bytes of UTF-8."""
    code = ord(char)
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def clean(text: str) -> str:
    """Without halves of surrogate pairs and NUL, which no database takes. The length in UTF-16 stays."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", "\ufffd")


def is_blank(text: str) -> bool:
    """Nothing in it that a reader would see: channels refuse such a message."""
    return all(char.isspace() or char in _ZERO_WIDTH for char in text)


def split(text: str, limit: int, measure: Measure = utf16_units, dearest: int = 4) -> list[str]:
    """Parts of at most `limit`, in order; joined they are exactly `text`, and none is empty.

    No character costs more than `dearest`.

    A cut falls after a paragraph, else a line, a sentence, a word, each only if it leaves the part at least half full;
    else between two characters as a reader sees them, so no surrogate pair, accent, flag or composed emoji is torn.
    White space stays at the end of the part before it. A part without a visible character appears only where the text
    leaves no choice: when it has (nearly) `limit` or more of white space on end, or none but white space.
    """
    parts: list[str] = []
    start = 0
    while start < len(text):
        end = _cut(text, start, limit, measure, dearest)
        parts.append(text[start:end])
        start = end
    return parts


def _cut(text: str, start: int, limit: int, measure: Measure, dearest: int) -> int:
    """Where the part that begins at `start` ends."""
    end = _reach(text, start, limit, measure, dearest)
    if end == len(text):
        return end
    for cut in _candidates(text, start, end):
        rest = text[cut : _reach(text, cut, limit, measure, dearest)]
        if not is_blank(text[start:cut]) and not is_blank(rest):
            return cut
    return _boundary(text, start, end)


def _reach(text: str, start: int, limit: int, measure: Measure, dearest: int) -> int:
    """The furthest end that keeps within `limit`; at least one character on."""
    if len(text) - start <= limit // dearest:
        return len(text)
    cost = 0
    for index in range(start, len(text)):
        cost += measure(text[index])
        if cost > limit:
            return max(index, start + 1)
    return len(text)


def _candidates(text: str, start: int, end: int) -> Iterator[int]:
    """Cuts from the best to the worst, all in `(start, end]`."""
    half = start + (end - start) // 2
    for fits in (_ends_paragraph, _ends_line, _ends_sentence, _ends_word):
        cut = next((i for i in range(end, half, -1) if fits(text, i)), None)
        if cut is not None:
            yield cut
    hard = _boundary(text, start, end)
    yield hard
    # White space is left over behind `hard`: give the next part something to show before it.
    last_visible = next((i for i in range(hard, start, -1) if not is_blank(text[i - 1])), start)
    for cut in range(last_visible - 1, max(start, last_visible - 2 * _CLUSTER_AT_MOST), -1):
        if not _joined(text, cut):
            yield cut
            return


def _after_space(text: str, cut: int) -> bool:
    """White space before the cut, none after it."""
    return text[cut - 1].isspace() and not text[cut : cut + 1].isspace()


def _ends_paragraph(text: str, cut: int) -> bool:
    return _after_space(text, cut) and text[max(cut - 2, 0) : cut] == "\n\n"


def _ends_line(text: str, cut: int) -> bool:
    return _after_space(text, cut) and text[cut - 1] == "\n"


def _ends_sentence(text: str, cut: int) -> bool:
    """Behind a full stop and its closing quotes; a stop that also stands in numbers needs a space after it."""
    following = text[cut : cut + 1]
    if following.isspace():
        return False
    seen = text[max(0, cut - 4) : cut]
    words = seen.rstrip()
    stop = words.rstrip(_CLOSING)[-1:]
    if words != seen:
        ends = stop in _SENTENCE_END or stop == "."
    else:
        ends = stop in _SENTENCE_END and following not in _SENTENCE_END and following not in _CLOSING
    return ends and not _joined(text, cut)


def _ends_word(text: str, cut: int) -> bool:
    return _after_space(text, cut) and not _joined(text, cut)


def _boundary(text: str, start: int, end: int) -> int:
    """The last place up to `end` that tears no character; `end` itself where there is none near."""
    for cut in range(end, max(start, end - _CLUSTER_AT_MOST), -1):
        if not _joined(text, cut):
            return cut
    return end


def _joined(text: str, cut: int) -> bool:
    """Do the characters around `cut` belong to one that a reader sees?"""
    if not 0 < cut < len(text):
        return False
    before, after = text[cut - 1], text[cut]
    if before == "\r" and after == "\n":
        return True
    if _JOINER in (before, after) or unicodedata.category(after) in ("Mn", "Mc", "Me"):
        return True
    if unicodedata.combining(before) == _VIRAMA:
        return True
    if 0x1F3FB <= ord(after) <= 0x1F3FF or 0xE0020 <= ord(after) <= 0xE007F or 0x1160 <= ord(after) <= 0x11FF:
        return True  # skin tones, tags of regional flags, the vowels and finals of composed Hangul
    if 0xD800 <= ord(before) <= 0xDBFF and 0xDC00 <= ord(after) <= 0xDFFF:
        return True
    return _is_regional(before) and _is_regional(after) and _odd_regionals(text, cut)


def _is_regional(char: str) -> bool:
    """Two of these make a flag."""
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _odd_regionals(text: str, cut: int) -> bool:
    count = 0
    while cut > count and count < _FLAGS_AT_MOST and _is_regional(text[cut - count - 1]):
        count += 1
    return count % 2 == 1
