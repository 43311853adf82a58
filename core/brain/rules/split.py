"""One reply that answers several matters: what of it belongs to which, in its own words.

By the numbers of the list that they answer, by a word that says "all of them", or clause by clause by what each is
about. A clause about nothing in particular goes with the one before it; a part that they numbered themselves stands
alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from core.brain.questions import MatchReply
from core.brain.rules.words.text import CJK, any_of, clauses, fold
from core.patterns import lazy

Best = Callable[[str, MatchReply], tuple[str, ...]]

_DIGITS = {c: n for n, c in enumerate("一二三四五六七八九", 1)} | {str(n): n for n in range(1, 10)}
_DIGITS |= {w: n for n, w in enumerate(("first", "second", "third", "fourth", "fifth"), 1)}

# "1. ", "2、", "第一个", "#2", "the second one": where a new part begins.
_MARK = lazy(
    r"(?:^|(?<=[\s,，;；。.、!！]))(?:"
    r"[(（#]?(?P<plain>[1-9])(?:[.．、:：)）](?!\d)|\s(?=\S))"
    r"|第(?P<zh>[一二三四五六七八九1-9])(?:个|件|条|项)?(?:事儿?|问题)?(?:的话)?[，,:：是呢]?"
    r"|(?:for |on )?(?:the )?(?P<en>first|second|third|fourth|fifth)(?: one| item| question)?\b(?: is| was)?[,:]?"
    r")[ \t]*",
    re.IGNORECASE,
)
_ALL = any_of(
    r"""
    ^(?:这|那)?(?:[两三四五几][个件样]|全部)?(?:事儿?|问题)?(?:我)?(?:都|全都?|均)(?!在|不知道|可能)
    ^(?:for |they're |they are |they |it's )?(?:both|all)\b(?! day| week| morning| afternoon| i\b)|\b(?:both|all) of (?:them|these|those)\b|\bsame for (?:both|all)\b
    """
)
_BOTH = any_of(r"^(?:这|那)?[两俩二][个件样]?(?:事儿?)?(?:都|全)|^(?:for )?both\b|\bboth of (?:them|these|those)\b")
_EACH = any_of(r"[和跟与及].{0,12}(?:都|全|一起)|\band\b.{0,24}\b(?:both|all)\b|\bboth\b.{0,24}\band\b")
_OTHER = any_of(r"(?:另外?|剩下)(?:一)?(?:的|个|件|那)|\bthe (?:other|rest)\b(?: one)?")


def for_all(q: MatchReply) -> dict[str, str]:
    """Parts when the words are for all that was listed, or for both of two: the same words for each; else empty."""
    text, ids = q.text.strip(), tuple(c.concern_id for c in q.candidates)
    listed = tuple(i for i in q.listed if i in ids)
    if len(listed) > 1 and (hit := _ALL.search(fold(text))):
        meant = listed
    elif len(ids) == 2 and (hit := _BOTH.search(fold(text))):
        meant = ids
    else:
        return {}
    rest = text[hit.end() :].strip(" ,，:：是") if hit.start() == 0 else ""
    return dict.fromkeys(meant, rest or text)


def by_number(q: MatchReply) -> dict[str, str]:
    """Parts by the numbers of the list that was sent; empty where a number names nothing that is open with them."""
    marks = list(_MARK.finditer(q.text))
    if not marks or not q.listed or q.text[: marks[0].start()].strip(" \n,，。.:："):
        return {}
    ends = [*(m.start() for m in marks[1:]), len(q.text)]
    open_ids, parts = {c.concern_id for c in q.candidates}, dict[str, str]()
    for mark, end in zip(marks, ends, strict=True):
        number = _DIGITS[(mark["plain"] or mark["zh"] or mark["en"]).lower()]
        words = q.text[mark.end() : end].strip(" \t\n,，;；")
        where = q.listed[number - 1] if number <= len(q.listed) else None
        if not words or where not in open_ids or where in parts:
            return {}
        parts[where] = words
    return parts


def is_numbered(text: str) -> bool:
    """Whether it counts its own parts."""
    return len(list(_MARK.finditer(text))) > 1


def by_topic(q: MatchReply, best: Best, named: Best) -> dict[str, str]:
    """Parts by what each clause is about; `best` gives the ids of those that share most with a text, `named` those that
    do so clearly: a clause behind another goes with that one else. Empty where they numbered their parts and one of
    them is about nothing in particular: its number meant something.
    """
    if is_numbered(q.text):
        return _numbered_topics(q, best)
    found: list[tuple[tuple[str, ...], str]] = []
    for clause in clauses(q.text):
        winners = (named if any(where for where, _ in found) else best)(clause, q)
        found.append((winners if len(winners) == 1 or _EACH.search(fold(clause)) else (), clause))
    seen = {i for where, _ in found for i in where}
    left = [c.concern_id for c in q.candidates if seen and c.concern_id not in seen]
    parts = dict[str, list[str]]()
    here = next((where for where, _ in found if where), ())
    for where, clause in found:
        if not where and len(left) == 1 and _OTHER.search(fold(clause)):
            where = (left[0],)
        here = where or here
        for one in here:
            parts.setdefault(one, []).append(clause.rstrip("；;"))
    comma = "，" if CJK.search(q.text) else ", "
    return {where: comma.join(words) for where, words in parts.items()}


def _numbered_topics(q: MatchReply, best: Best) -> dict[str, str]:
    marks = list(_MARK.finditer(q.text))
    ends = [*(m.start() for m in marks[1:]), len(q.text)]
    parts = dict[str, str]()
    for mark, end in zip(marks, ends, strict=True):
        words = q.text[mark.end() : end].strip(" \t\n,，;；")
        winners = best(words, q)
        if len(winners) != 1 or winners[0] in parts:
            return {}
        parts[winners[0]] = words
    return parts
