"""A goal that names several things: which of them have words been said about?"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from core.brain.rules.replies.parts import without_times
from core.brain.rules.replies.put_off import gives_no_answer
from core.brain.rules.words.goal import Want, core_of, framed
from core.brain.rules.words.signs import IGNORANT, NUMERAL
from core.brain.rules.words.text import clauses, fold, grams
from core.patterns import lazy
from core.timetalk import parse

_BETWEEN = lazy(r"[、；;]|(?<=[\u4e00-\u9fff])[和与及](?=[\u4e00-\u9fff])|,?\s+and\s+|,\s+", re.IGNORECASE)
_TAIL = lazy(
    r"(?:分别|各自|都|各)?(?:是|在|要|定在)?(?:什么时候|哪一?天|几号|几点|多少|怎么样|如何|什么|哪里|谁)?[?？。]?$"
)

# Asked of several things at once, which may have come to different ends: `A 和 B 都发了没`, `whether A and B went out`.
_OF_ALL = lazy(
    r"[和与及、].{1,16}都[^,，。]{1,12}了(?:没有?|吗|么)[?？]?$|^(?:whether|if) [^,]{3,40} and [^,]{3,40} (?:went|are|were|have|got)\b"
)
_ENDS_YESNO = lazy(r"都[^,，。]{1,12}了(?:没有?|吗|么)[?？]?$|^(?:whether|if) | (?:went|are|were|have|got)\b.*$")


@lru_cache(maxsize=256)
def pieces_of(goal: str) -> dict[str, frozenset[str]]:
    """The things named, each with the words that are its alone; empty where they cannot be told apart by words."""
    frame = framed(goal)[0]
    if frame in (Want.DEED, Want.CONFIRM) or (frame is Want.YESNO and not _OF_ALL.search(fold(core_of(goal)))):
        return {}
    named = [_TAIL.sub("", p).strip() for p in _BETWEEN.split(_things(goal)) if p.strip()]
    words = {p: grams(p) for p in named}
    own = {p: w - frozenset().union(*(x for q, x in words.items() if q != p)) for p, w in words.items()}
    return own if len(own) > 1 and all(own.values()) else {}


def _things(goal: str) -> str:
    """What the goal names, without what is asked of it all."""
    core = core_of(goal)
    return _ENDS_YESNO.sub("", core) if framed(goal)[0] is Want.YESNO else core


def left_open(goal: str, said: str, now: datetime) -> tuple[str, ...]:
    """The things not spoken of, where others are; nothing where no word tells which is meant, or where there is a time
    or a number for each."""
    pieces = pieces_of(goal)
    told = [c for c in clauses(said) if not gives_no_answer(fold(c)) and not IGNORANT.search(fold(c))]
    spoken = grams(" ".join(told))
    values = len(parse(said, now)) + len(NUMERAL.findall(re.sub(r"\d[\d.,]*", "1", fold(without_times(said, now)))))
    named = [p for p, own in pieces.items() if own & spoken]
    return tuple(p for p in pieces if p not in named) if named and values < len(pieces) else ()
