"""Words taken apart: the pieces of what is asked or said, and one or more of them left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.brain.rules.words.text import fold, grams, shared
from core.patterns import lazy

Change = Callable[[str], str]
"""Makes new words of old ones."""

_IN = r"(?:[^,，.。;；!！?？]|(?<=\d)[.,](?=\d))"
"""A character inside a phrase; the comma of 5,000 and the point of 2.5 are."""


def phrases(source: str) -> re.Pattern[str]:
    """A pattern in which `~` is a character inside a phrase."""
    return lazy(source.replace("~", _IN))


_CUT = (
    phrases(
        r"(?:删掉|删去|去掉|拿掉|(?:就|先)?(?:不要|别|不用|不必|甭)(?:提|说|写|问|带)(?:到|了)?|不[提说写问])"
        r"(?P<x>~{1,30})"
    ),
    phrases(
        r"(?:^|[,，。;])(?:把)?(?P<x>~{1,30}?)(?:那|这)?(?:一?[句段条点项部件]分?|的?事儿?|一个)?(?:就|都|给|先|也)*"
        r"(?:删|去掉|拿掉|(?:不要|别|不用|不必|甭)(?:提|说|写|问)?(?:了)?(?:[,，。]|$)|免了|不[提说写问])"
    ),
    phrases(r"\bleave\s+(?P<x>~{1,60}?)\s+out\b"),
    phrases(
        r"\b(?:take out|leave out|remove|drop|cut|skip|delete|without|no need to (?:mention|ask about)|"
        r"(?:don'?t|do not) (?:mention|say|ask about|ask|include|bring up))\s+(?P<x>~{1,60}?)(?=\s+and\b|\s+then\b|[,.;!?]|$)"
    ),
)
_FRAME = lazy(
    r"^(?:the |that |this |those |any )*(?:bit|part|sentence|line|words?|question|thing|one|mention)s?\s+(?:about|on|with|of)\s+"
    r"|^(?:the |that |this |about |anything about )+|\s+(?:one|bit|part|question|thing)s?$|^(?:那|这)?(?:一?[句段条点个])?(?:关于)?|"
    r"(?:的|那|这)?(?:一?[句段条点项个]|部分|的事儿?|的话|问题)?$"
)
_ORDINAL = lazy(
    r"第?(?P<first>前|后|最后|末尾?|头)?(?P<n>[一二两三四五六七八九\d])?(?:个|条|项|句|点|个?问题)|(?P<last>最后)|"
    r"\b(?:the )?(?P<en>first|second|third|fourth|fifth|last)(?: (?P<many>two|three|four))?\b"
)
_DIGITS = {**dict(zip("一二三四五六七八九", range(1, 10), strict=True)), "两": 2}
_EN_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "two": 2, "three": 3, "four": 4}
_KEEPS = lazy(r"只|就|光|仅|\bonly\b|\bjust\b|\bkeep\b")
_CUTS = lazy(r"别|不(?:用|要|问)|去掉|删|\b(?:skip|drop|remove|leave|without|take out|cut)\b")
_MARKER = re.compile(r"(?:(?<=^)|(?<=[\s、,，;；]))(?:\(?\d{1,2}[)）、.](?!\d)|[①-⑨])\s*")
_SEPARATOR = re.compile(
    r"\s*(?:[，。;；!！?？\n、]|(?<!\d),|,(?!\d{3}(?!\d))|\.(?=\s))+\s*|\s+(?:or else|or|and|but|otherwise|because|so)\s+|(?<=[一-龥])(?:不然|否则)(?=[一-龥])"
)


def cut(own: str, there: Sequence[str]) -> Change | None:
    """The change that leaves out what the (folded) text names, by its place or its words; None where nothing of it is there."""
    if change := _by_number(own, there):
        return change
    for pattern in _CUT:
        for hit in pattern.finditer(own):
            what = _FRAME.sub("", hit.group("x").strip()).strip()
            if len(what) > 1 and any(_parts_about(w, what) for w in there):
                return lambda words, x=what: _without(words, x)  # type: ignore[misc]
    return None


def _parts_about(words: str, what: str) -> list[tuple[int, int]]:
    return [(a, b) for a, b in _parts(words) if _about(words[a:b], what)]


def _about(part: str, what: str) -> bool:
    return what in fold(part) or bool(shared(part, what)) or bool(grams(what) and grams(what) <= grams(part))


def _parts(words: str) -> list[tuple[int, int]]:
    """The pieces between separators, or between the numbers of a list."""
    marks = [m.start() for m in _MARKER.finditer(words)]
    if len(marks) > 1:
        return list(zip(marks, [*marks[1:], len(words)], strict=True))
    ends = [m.span() for m in _SEPARATOR.finditer(words)]
    starts = [0, *(b for _, b in ends)]
    return [(a, b) for a, b in zip(starts, [*(a for a, _ in ends), len(words)], strict=True) if b > a]


def _without(words: str, what: str) -> str:
    """The words without the pieces about `what`; if nothing else were left, without the phrase alone."""
    parts, gone = _parts(words), _parts_about(words, what)
    if not gone:
        return words
    if len(gone) == len(parts):
        return put(words, what, "").strip(" ,，、")
    return _keep(words, [p for p in parts if p not in gone])


def _keep(words: str, kept: Sequence[tuple[int, int]]) -> str:
    """Only these pieces, each with the separator that stands before it, save the first."""
    parts, text = _parts(words), words[: _parts(words)[0][0]]
    for n, (a, b) in enumerate(kept):
        at = parts.index((a, b))
        gap = words[parts[at - 1][1] : a] if n and at else ""
        text += gap + words[a:b]
    return text.strip(" ,，、;；")


def _by_number(own: str, there: Sequence[str]) -> Change | None:
    """`只问前两个`, `skip the last question`: parts of a list by their place in it."""
    lists = [w for w in there if len(_parts(w)) > 1]
    hit = next((h for h in _ORDINAL.finditer(own) if any(h.groupdict().values())), None)
    if hit is None or not lists:
        return None
    clause = next(c for c in re.split(r"[,，;；。]", own) if hit.group() in c)
    cuts = bool(_CUTS.search(clause))
    keeps = not cuts and bool(_KEEPS.search(own))
    if not (keeps or cuts):
        return None

    def change(words: str) -> str:
        parts = _parts(words)
        if words not in lists:
            return words
        named = _numbered(hit, len(parts))
        wanted = [p for n, p in enumerate(parts, 1) if (n in named) == keeps]
        return _keep(words, wanted) if 0 < len(wanted) < len(parts) else words

    return change


def _numbered(hit: re.Match[str], count: int) -> set[int]:
    """Which places in a list of `count` an ordinal names."""
    said = hit.groupdict()
    if said["en"]:
        many = _EN_ORDINALS.get(said["many"] or "", 1)
        if said["en"] == "last":
            return set(range(count - many + 1, count + 1))
        first = _EN_ORDINALS[said["en"]]
        return set(range(first, first + many))
    digit = said["n"] or ""
    number = int(digit) if digit.isdigit() else _DIGITS.get(digit, 1)
    if said["last"] or said["first"] in ("后", "最后", "末", "末尾"):
        return set(range(count - number + 1, count + 1))
    return set(range(1, number + 1)) if said["first"] in ("前", "头") else {number}


def put(words: str, old: str, new: str) -> str:
    """The words with `new` where `old` stands first; unchanged where it does not stand there."""
    at = fold(words).find(fold(old))
    if at < 0:
        return words
    rest = words[at + len(old) :]
    first, _, more = new.partition(" ")
    if more and rest.lstrip().startswith(more):  # "15 boxes, not 10": what follows stands there already
        new = first
    return words[:at] + new + rest
