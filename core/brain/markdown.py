"""Markdown that a model wrote, as plain text. Chats show texts as they stand, so its signs would be noise there.

Only what is certainly markup goes: `2 * 3`, `snake_case`, `#1` and `__init__` stay. Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})[^`]*")
_RULE = re.compile(r"\s{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})")
_HEADING = re.compile(r"\s{0,3}#{1,6}[ \t]+(?P<words>.*?)(?:[ \t]+#+)?[ \t]*")
_QUOTED = re.compile(r"\s{0,3}(?:>[ \t]?)+")
_BULLET = re.compile(r"(?P<indent>[ \t]*)[-*+•][ \t]+(?:\[(?P<box>[ xX])\][ \t]+)?")
_TABLE_RULE = re.compile(r"\s*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?\s*")
_CODE = re.compile(r"``(?P<doubly>[^\n]{1,500}?)``|`(?P<simply>[^`\n]{1,500})`")
_LINK = re.compile(r"!?\[(?P<words>[^\[\]\n]{0,300})\]\((?P<to>[^()\s]{1,500})(?:[ \t]+\"[^\"\n]{0,200}\")?\)")
_BARE_LINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,500})>")
_STRONG = re.compile(r"(\*{2,3})(?=[^\s*])([^*\n]{1,1000}?)(?<=[^\s*])\1")
_STRUCK = re.compile(r"~~(?=[^\s~])([^~\n]{1,1000}?)(?<=[^\s~])~~")
# The signs of emphasis stand also in names and sums: what they hold must be words, and what is around them must not.
_UNDERLINED = re.compile(
    r"(?<![A-Za-z0-9_])__(?=\S)([^_\n]{0,500}[^A-Za-z0-9_\n][^_\n]{0,500})(?<=\S)__(?![A-Za-z0-9_])"
)
_EMPHASIS = re.compile(r"(?<![A-Za-z0-9*\\])\*(?=[^\s*])([^*\n]{1,1000}?)(?<=[^\s*\\])\*(?![A-Za-z0-9*])")
_SLANTED = re.compile(r"(?<![A-Za-z0-9_\\/.:=&?-])_(?=[^\s_])([^_\n]{1,1000}?)(?<=[^\s_\\])_(?![A-Za-z0-9_/])")
_ESCAPED = re.compile(r"\\([*_`~#\[\]|>])")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")


def plain(text: str) -> str:
    """The words without the signs of Markdown: lists keep their points, tables their rows, links their addresses."""
    if not re.search(r"[*_`~#>|\[<\\=+-]", text):
        return text
    lines = list(_lines(_BREAK.sub("\n", text).split("\n")))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _lines(lines: list[str]) -> Iterator[str]:
    fence = ""
    for number, line in enumerate(lines):
        opened = _FENCE.fullmatch(line)
        if fence:
            if opened and opened[1].startswith(fence):
                fence = ""
            else:
                yield line
        elif opened:
            fence = opened[1]
        elif _is_table_rule(line, lines[number - 1] if number else ""):
            continue
        elif _RULE.fullmatch(line):
            yield ""
        else:
            yield _line(line)


def _is_table_rule(line: str, above: str) -> bool:
    """The line under the heads of a table's columns."""
    return "|" in above and "-" in line and "|" in line and bool(_TABLE_RULE.fullmatch(line))


def _line(line: str) -> str:
    line = _QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line
    if heading := _HEADING.fullmatch(line):
        return _words(heading["words"])
    if (bullet := _BULLET.match(line)) and line[bullet.end() :].strip():
        mark = "✓" if (bullet["box"] or " ") in "xX" else "·"
        return f"{bullet['indent']}{mark} {_words(line[bullet.end() :])}"
    stripped = line.strip()
    if len(stripped) > 2 and stripped.startswith("|") and stripped.endswith("|"):
        return " · ".join(cell for part in stripped.split("|") if part.strip() and (cell := _words(part.strip())))
    return _words(line)


def _words(line: str) -> str:
    """A line without emphasis and the like; what stands in code is left as it is."""
    parts: list[str] = []
    end = 0
    for code in _CODE.finditer(line):
        parts += [_unmarked(line[end : code.start()]), (code["doubly"] or code["simply"]).strip()]
        end = code.end()
    parts.append(_unmarked(line[end:]))
    return _STRONG.sub(r"\2", "".join(parts)) if end else parts[0]


def _unmarked(line: str) -> str:
    line = _BARE_LINK.sub(r"\1", _LINK.sub(_link, line))
    for sign, words in (
        (_STRONG, r"\2"),
        (_STRUCK, r"\1"),
        (_UNDERLINED, r"\1"),
        (_EMPHASIS, r"\1"),
        (_SLANTED, r"\1"),
    ):
        line = sign.sub(words, line)
    return _ESCAPED.sub(r"\1", line)


def _link(found: re.Match[str]) -> str:
    words, to = found["words"].strip(), found["to"]
    if not words or words == to:
        return to
    return f"{words}（{to}）" if _HAN.search(words) else f"{words} ({to})"
