"""An answer to "which one?": by number, or by nothing but the name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.brain.questions import PersonBrief
from core.brain.rules.amending.people import partly_named
from core.brain.rules.words.names import PERSON, masked, unknown_name
from core.brain.rules.words.text import any_of, fold, made_of, squeezed, without_quotes
from core.patterns import lazy

_ORDINALS = {
    **{word: n for n, word in enumerate("一二三四五六七八九", 1)},
    **{word: n for n, word in enumerate(("first", "second", "third", "fourth", "fifth"), 1)},
    "两": 2,
}
_NUMBER = lazy(
    r"^(?:就|选|要|是|那|问)*(?:第)?(?P<n>\d{1,2}|[一二两三四五六七八九])(?:个|位|件|条|号|项)?(?:吧|的|那个)?[.。!！]?$|"
    r"^(?:the )?(?P<en>first|second|third|fourth|fifth|last)(?: one)?(?: please)?[.!]?$|"
    r"^(?:就|选|要|是)*(?P<last>最后)(?:一个|一位|一件|一条|那个)[吧.。!！]*$"
)
_ALL = lazy(
    r"^(?:就|那|算了|,|\s)*(?:都|全部?|[两三四五](?:个|件|位|条)都)(?:是|要|问|说|告诉|通知|发|转告|提醒|叫|讲|找|选|一声|一下|改|办|可以|行|好|确认|取消|不用|不要|算了)*(?:了|的|吧)*[.。!！]?$|"
    r"^(?:yes,? )?(?:both|all)(?: of (?:them|it))?(?: please)?[.!]?$"
)
_OF_ALL = lazy(
    r"^(?:[这那]|就|把|,|\s)*(?:(?P<n>[两三四五])(?:个|件|条)事?(?:都|全|一起)|(?:都|全部?都?)(?=[改换推延放挪提往晚早]))"
)
_OF_ALL_EN = lazy(
    r"\b(?P<n>both)\b(?: of (?:them|these|those))?|\b(?:them )?all (?:of (?:them|these|those)|three|four)\b|\bthem (?:all|(?P<m>both))\b"
    r"|(?<=^change )them\b|(?<=^make )them\b|(?<=^move )them\b"
)
_ANOTHER = lazy(
    r"(?:是|就)?(?:另外?(?:的)?(?:一?[件个条](?:事儿?)?)?|别的(?:事儿?)?|新的?(?:事儿?|一件)?)(?:的|吧|啊)?$|(?:its?)?(?:a)?(?:nother|new|different|separate)(?:one|matter|order|thing)?$"
)
_THIS = lazy(
    r"(?:是|就)?(?:要)?改?(?:的)?(?:是)?[这那]一?[件个条](?:事儿?)?(?:的|吧|啊)?$|(?:是|就)?改(?:的)?(?:吧)?$|(?:change)?(?:it|this|that)(?:one)?$"
)
_AROUND_NAMES = any_of(
    r"""
    我(?:说|指)的|应该|就|是|问|找|选|要|发给|给|那个|那位|这个|这位|一下|的|吧|呀|啊|哈|呗|叫|和|跟|与|那边|好了|嗯|哦|对|换成|换|改成|改问|那|[他她]们?
    imeant|imean|its|ask|tell|please|the|one|from|guy|girl|and|yes|ok|a|for
    """
)


def number_of(text: str, count: int) -> tuple[int, ...]:
    """The places (from 0) of the choice that a message names and says nothing else; empty when it is no such answer."""
    own = fold(text).strip()
    if _ALL.match(own):
        return tuple(range(count))
    hit = _NUMBER.match(own)
    if hit is None:
        return ()
    if hit.group("last") or hit.group("en") == "last":
        return (count - 1,)
    word = hit.group("n") or hit.group("en")
    number = int(word) if word.isdigit() else _ORDINALS[word]
    return (number - 1,) if 0 < number <= count else ()


def means_all(text: str, count: int) -> bool:
    """Whether what is said is said of all `count`: by that alone, or with more behind it: `两个都改成明天`."""
    own = fold(text).strip()
    if len(number_of(own, count)) == count:
        return True
    hit = _OF_ALL.match(own) or _OF_ALL_EN.search(own)
    if hit is None:
        return False
    said = hit.groupdict()
    word = said.get("n") or said.get("m")
    return word is None or {**_ORDINALS, "both": 2}[word] == count


_SUM = lazy(r"[$€£¥]?\d[\d.,]*\s*(?:[万千百亿元块折%]|[km]\b)|[$€£¥]\d|[一二两三四五六七八九十百千万]+[万千百亿元块折]")


def both_name_a_sum(text: str, summary: str) -> bool:
    """Whether a change to a sum ("改成六万") may be one of this: it holds a sum too."""
    return bool(_SUM.search(fold(text))) and bool(_SUM.search(fold(summary)))


def of_each(text: str) -> str:
    """What is said of all, as it is said of one: `两个都改成明天` → `改成明天`."""
    own = fold(text)
    if hit := _OF_ALL.match(own):
        return text[hit.end() :]
    hit = _OF_ALL_EN.search(own)
    return f"{text[: hit.start()]}it{text[hit.end() :]}" if hit else text


def means_another(text: str) -> bool:
    """The answer to "this one, or another?": another."""
    return bool(_ANOTHER.match(squeezed(text)))


def means_this(text: str) -> bool:
    """The answer to "this one, or another?": this one."""
    return bool(_THIS.match(squeezed(text)))


def names_in(text: str, people: Sequence[PersonBrief]) -> tuple[str, ...] | None:
    """The names in a message that is nothing but names, as they are written; None when it is more, or none.

    A name of nobody in the directory counts where it is all there is.
    """
    own = masked(without_quotes(text).strip(), [partly_named(p) for p in people])
    if own.found:
        rest = squeezed(re.sub(PERSON, " ", own.raw))
        return tuple(m.name for m in own.found) if not rest or made_of(rest, _AROUND_NAMES) else None
    plain = re.sub(r"^(?:是|问|找|ask |tell )|[吧呀啊哈.。!！\s]+$", "", own.raw)
    name = unknown_name(plain)
    return (name,) if name and name == plain else None


def chosen(text: str, candidates: Sequence[PersonBrief]) -> tuple[int, ...]:
    """The places of the candidates that a message names, by number or by name, and says nothing else."""
    if places := number_of(text, len(candidates)):
        return places
    own = masked(without_quotes(text).strip(), [partly_named(p) for p in candidates])
    ids = [m.ids[0] for m in own.found if len(m.ids) == 1]
    if not ids or names_in(text, candidates) is None:
        return ()
    return tuple(n for n, p in enumerate(candidates) if p.person_id in ids)
