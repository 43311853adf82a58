"""Regular expressions that are compiled when they are first used: hundreds at each start would cost half a second.

Python's own engine tries each alternative of a pattern at each place of a text, and there are hundreds. Here a pattern
is told with what its alternatives can begin, so that most places are passed over at a glance; what it finds stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce
from re import _parser  # type: ignore[attr-defined]  # nothing public takes a pattern apart
from typing import Any, cast

_Part = tuple[Any, Any]


class _Lazy:
    """Becomes its pattern at the first touch; each method that was asked for is kept, so later calls cost nothing."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self.flags_given = flags

    def __getattr__(self, name: str) -> Any:
        if name == "_compiled":
            self._compiled = re.compile(_guarded(self.pattern, self.flags_given), self.flags_given)
            return self._compiled
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern for its methods and attributes; not for the functions of `re`, which want the real thing."""
    return cast("re.Pattern[str]", _Lazy(source, flags))


def beginning(source: str, length: int) -> re.Pattern[str]:
    """A pattern that matches the first `length` characters of whatever `source`, which sets no flags, can match.

    It never fails on one of them. It is lenient beyond that: what stands around a match is left aside.
    """
    return re.compile(_row(_parser.parse(source), length)[0], re.DOTALL)


def _row(parts: Iterable[_Part], length: int) -> tuple[str, int]:
    """Parts in a row, no more of them than fill the length, and how much they take at least."""
    sources, least = list[str](), 0
    for part in parts:
        if least >= length:
            break
        source, width = _loose(part, length)
        sources.append(source)
        least += width
    return "".join(sources), least


def _loose(part: _Part, length: int) -> tuple[str, int]:
    """One part, each character of which may also be beyond the end of a text that was cut off."""
    name, argument = _named(part)
    match name:
        case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
            return f"(?:{_one(argument if name == 'IN' else (part,))}|\\Z)", 1
        case "ASSERT" | "ASSERT_NOT" | "AT":
            return "", 0
        case "GROUP":
            return _row(argument, length)
        case "BRANCH":
            ways = [_row(way, length) for way in argument]
            return f"(?:{'|'.join(dict.fromkeys(way for way, _ in ways))})", min(width for _, width in ways)
        case "REPEAT":
            least, most, repeated = argument
            source, width = _row(repeated, length)
            return f"(?:{source}){{{min(least, length)},{min(most, length)}}}", min(least, length) * width
    return ".*", 0


def _named(part: _Part) -> _Part:
    """A part by what it does; without a name where nothing is known of it, as of a group with flags of its own."""
    name, argument = str(part[0]), part[1]
    match name:
        case "SUBPATTERN":
            return ("", None) if argument[1] else ("GROUP", argument[3])
        case "ATOMIC_GROUP":
            return "GROUP", argument
        case "BRANCH":
            return name, argument[1]
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return "REPEAT", argument
    return name, argument


_CATEGORIES = {
    "DIGIT": r"\d", "NOT_DIGIT": r"\D", "SPACE": r"\s", "NOT_SPACE": r"\S", "WORD": r"\w", "NOT_WORD": r"\W",
}  # fmt: skip


def _one(members: Iterable[_Part]) -> str:
    """One character out of a set."""
    signs = list[str]()
    for kind, value in ((str(kind), value) for kind, value in members):
        match kind:
            case "NEGATE":
                signs.append("^")
            case "NOT_LITERAL":
                signs += ["^", re.escape(chr(value))]
            case "LITERAL":
                signs.append(re.escape(chr(value)))
            case "RANGE":
                signs.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
            case "CATEGORY":
                signs.append(_CATEGORIES[str(value).removeprefix("CATEGORY_")])
            case _:
                return "."
    return f"[{''.join(signs)}]"


_FEW = 3
_TOGETHER = 12
"""Alternatives behind one look at what begins them: more of them begin with too much, fewer need too many looks."""


def _guarded(source: str, flags: int) -> str:
    """The same pattern, which passes over the places where its alternatives can't begin without trying each of them."""
    ways = _alternatives(source)
    if len(ways) < _FEW or flags & re.VERBOSE:
        return source
    rows = list[tuple[frozenset[str] | None, list[str]]]()
    for way in ways:
        signs = _firsts_of(way, flags)
        last, together = rows[-1] if rows else (None, [])
        if signs is None or last is None or len(together) >= _TOGETHER:
            rows.append((signs, [way]))
        else:
            rows[-1] = (last | signs, [*together, way])
    return "|".join(
        "|".join(together) if signs is None else f"(?=[{''.join(sorted(signs))}])(?:{'|'.join(together)})"
        for signs, together in rows
    )


_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]|[^\\\[()|]+", re.DOTALL)


def _alternatives(source: str) -> list[str]:
    """What stands between the bars that are in no group and no set."""
    ways, depth = [""], 0
    for token in _TOKEN.findall(source):
        depth += (token == "(") - (token == ")")
        if token == "|" and not depth:
            ways.append("")
        else:
            ways[-1] += token
    return ways


def _firsts_of(way: str, flags: int) -> frozenset[str] | None:
    """The signs of the set of all characters with which an alternative begins; None where that is any, or nothing."""
    try:
        signs, empty = _firsts(_parser.parse(way, flags))
    except re.error:  # it speaks of a group of another alternative
        return None
    return None if empty or not signs else signs


def _firsts(parts: Iterable[_Part]) -> tuple[frozenset[str] | None, bool]:
    """The same of parts in a row, and whether they can be empty."""
    found = frozenset[str]()
    for part in parts:
        signs, empty = _first(part)
        if signs is None:
            return None, False
        found |= signs
        if not empty:
            return found, False
    return found, True


def _first(part: _Part) -> tuple[frozenset[str] | None, bool]:
    name, argument = _named(part)
    match name:
        case "LITERAL":
            return frozenset((re.escape(chr(argument)),)), False
        case "IN":
            among = _one(argument)
            return (None if among[:2] in (".", "[^") else frozenset((among[1:-1],))), False
        case "ASSERT" | "ASSERT_NOT" | "AT":
            return frozenset(), True
        case "GROUP":
            return _firsts(argument)
        case "BRANCH":
            return reduce(_either, [_firsts(way) for way in argument])
        case "REPEAT":
            signs, empty = _firsts(argument[2])
            return signs, empty or argument[0] == 0
    return None, False


def _either(
    one: tuple[frozenset[str] | None, bool], other: tuple[frozenset[str] | None, bool]
) -> tuple[frozenset[str] | None, bool]:
    signs = None if one[0] is None or other[0] is None else one[0] | other[0]
    return signs, one[1] or other[1]
