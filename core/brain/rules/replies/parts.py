"""The clauses of a reply, each a statement on its own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.brain.rules.replies import reply
from core.brain.rules.words.signs import CONDITION, HEDGE
from core.brain.rules.words.text import CJK, any_of, clauses, fold, grams, sentences, squeezed
from core.patterns import lazy
from core.timetalk import parse


@dataclass(frozen=True)
class Part:
    """One clause with the sentence that it stands in, folded."""

    text: str
    own: str
    sentence: str
    first: bool


_BY_THE_WAY = lazy(
    r"^(?:那|请问)?(?:老板|领导)|^(?:顺便|顺带|对了|另外|还有)|^(?:is|does|will|would) the boss\b|^(?:also|by the way|btw)\b"
)


# "签啦" is "签了".
_ENDS_SOFTLY = lazy(r"啦$")


def parts_of(text: str) -> list[Part]:
    """The clauses of a text that state something: no questions, no complaints, no commands."""
    found: list[Part] = []
    for sentence in sentences(text):
        stated = clauses(sentence)
        if reply.asks(sentence) or sentence.endswith(("?", "？")):
            # "22 个，老板自己来不来？": an answer, and a question about somebody else behind it.
            stated = stated[:-1] if _BY_THE_WAY.search(fold(stated[-1])) and not reply.asks(stated[0]) else []
        folded = fold(sentence)
        for clause in stated:
            own = _ENDS_SOFTLY.sub("了", fold(clause))
            if reply.RESISTANT.search(own) or reply.INJECTION.search(own):
                continue
            found.append(Part(clause, own, folded, not found))
    return found


def is_shaky(part: Part) -> bool:
    return bool(HEDGE.search(part.sentence) or CONDITION.search(part.sentence))


BLANK = "\u2002"


def without_times(text: str, now: datetime) -> str:
    """The text with its times blanked: the 18 of "18 号" is no amount."""
    for time in reversed(parse(text, now)):
        text = text[: time.pos[0]] + BLANK + text[time.pos[1] :]
    return text


_PLAIN = any_of(
    r"""
    快(?=[要到有一两三四五六七八九十\d\u2002])|将近|整整|确实|真的|其实|现在|这个|那个|已经|的确|是啊|就是|不过|反正|[我你他她它们这那是的了就也都还很啊呀呢吧嘛哈嗯哦又再给在有被把和跟]
    """
)
_PLAIN_EN = grams("really indeed definitely sure well actually again already quite right great good oh")


def says_anew(part: Part, about: str, now: datetime) -> bool:
    """Whether a clause says anything beside a time that the question did not say already."""
    rest = fold(without_times(part.text, now))
    if not CJK.search(part.text):
        return bool(grams(rest) - grams(about) - _PLAIN_EN)
    return bool(set(squeezed(_PLAIN.sub("", rest))) - set(fold(about)))
