"""`parse_mode=HTML` as the Bot API documents it: a few tags, four named entities, everything else an error."""

from __future__ import annotations

import re
from typing import Any

from tests.wire.botapi.errors import bad_request

TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "code": "code", "pre": "pre",
    "blockquote": "blockquote", "tg-spoiler": "spoiler", "a": "text_link",
}  # fmt: skip
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\s[^<>]*)?)>")
_REFERENCE = re.compile(r"&(?:([a-zA-Z]+)|#([0-9]+)|#x([0-9a-fA-F]+));?")


def utf16_length(text: str) -> int:
    """In code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def parse_html(source: str) -> tuple[str, list[dict[str, Any]]]:
    """(text, entities). Raises 400 as the server does."""
    text: list[str] = []
    length = 0
    open_tags: list[tuple[str, int, dict[str, Any]]] = []
    entities: list[dict[str, Any]] = []
    position = 0
    while position < len(source):
        char = source[position]
        piece, step = char, 1
        if char == "<":
            match = _TAG.match(source, position)
            if not match:
                raise bad_request(f"can't parse entities: Unsupported start tag at byte offset {position}")
            piece, step = "", len(match.group())
            closing, name, rest = match.group(1), match.group(2).lower(), match.group(3)
            if name not in TAGS:
                raise bad_request(f'can\'t parse entities: Unsupported start tag "{name}" at byte offset {position}')
            if closing:
                if not open_tags or open_tags[-1][0] != name:
                    raise bad_request(f"can't parse entities: Unexpected end tag at byte offset {position}")
                _, start, extra = open_tags.pop()
                entities.append({"type": TAGS[name], "offset": start, "length": length - start, **extra})
            else:
                href = re.search(r'href="([^"]*)"', rest)
                open_tags.append((name, length, {"url": href.group(1)} if href else {}))
        elif char == "&" and (match := _REFERENCE.match(source, position)):
            name, decimal, hexadecimal = match.groups()
            if name is None or name in NAMED:
                piece = NAMED[name] if name else chr(int(decimal) if decimal else int(hexadecimal, 16))
                step = len(match.group())
        text.append(piece)
        length += utf16_length(piece)
        position += step
    if open_tags:
        raise bad_request(f"can't parse entities: Can't find end tag corresponding to start tag {open_tags[-1][0]}")
    return "".join(text), [entity for entity in entities if entity["length"]]
