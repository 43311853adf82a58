"""Whether a clause tells the number that was asked for."""

from __future__ import annotations

import re
from datetime import datetime

from core.brain.rules.replies.parts import Part, without_times
from core.brain.rules.replies.put_off import gives_no_answer
from core.brain.rules.replies.told_time import foreign
from core.brain.rules.words.signs import APPROXIMATE, CONDITION, HEDGE, NUMERAL
from core.brain.rules.words.text import CJK, any_of, fold, shared
from core.patterns import lazy


def is_number(part: Part, about: str, now: datetime) -> bool:
    """A definite number: at the head of the answer, or with a word of the question in its clause, or with a unit of money or %."""
    if _LACKS_NONE.fullmatch(part.own) and re.search(r"[缺差少]", fold(about)):
        return True
    lasting = re.search(
        r"多少(?:个)?(?:小时|天|分钟|周|月|年)|\bhow many (?:hours|days|weeks|minutes|months)", fold(about)
    )
    if (
        not NUMERAL.search(fold(part.text if lasting else without_times(part.text, now)))
        or APPROXIMATE.search(part.own)
        or HEDGE.search(part.own)
        or CONDITION.search(part.sentence)
        or gives_no_answer(part.own)
        or _of_another(part.own, about)
        or _REST_UNKNOWN.search(part.sentence)
    ):
        return False
    if not CJK.search(part.text):
        near = part.first or bool(shared(part.own, about)) or bool(re.search(r"\d$", part.own))
        return bool(re.search(r"\d ?%|[$€£]|\b(?:usd|eur|ex vat|cash|percent)\b", part.own)) or (
            near and _bare_number(part.own, about)
        )
    return True


# Nothing is lacking, which is a number too.
_LACKS_NONE = lazy(r"(?:暂时|目前|现在|我们?|这边|都|已经|人|,)*(?:不缺|不差|没缺|够|足够)(?:人|了|的|用|手|啊|呀)*")
_OTHER_MEASURE = any_of(
    r"""
    比[^,。]{1,8}(?:多|少|高|低|长|短)|目标|指标|上个?(?:月|周|季度?|年|学期|次)|去年|往年|前年|昨天|前天|原来|以前|别人|其他人|昨晚
    \b(?:target|goal|quota|last (?:week|month|year|quarter|time)|used to|more than|less than|fewer than|in total|usually|normally)\b
    """
)


_REST_UNKNOWN = re.compile(r"说不[准好]|没准|不一定|不清楚|不知道|不晓得|没统计|\bdon'?t know\b|\bnot sure\b")


def _of_another(own: str, about: str) -> bool:
    """The number is that of a target, of an earlier time, a mere comparison, where the question is not about such."""
    named = re.match(r"([一-龥]{2,4})[是为就](?=[\d一二三四五六七八九十百千万两])", own)
    if named and len(foreign(named.group(1))) > 1 and not shared(named.group(1), about):
        return True
    return any(hit.group() not in fold(about) for hit in _OTHER_MEASURE.finditer(own))


def _bare_number(own: str, about: str) -> bool:
    """A number in English whose noun, if it has one, is that of the question (not `two nurses off sick`)."""
    did = re.search(r"\b(?:i|we|they|he|she) (?:have |had |only )?(?!need\b)(\w+ed)\b", own)
    if did and not shared(did.group(1), f"{about} counted"):
        return False
    if len(own.split()) <= 4 and re.match(r"(?:it'?s |so |yeah )?\W*(?:\d|[a-z-]+$)", own):
        return True
    return (
        bool(shared(own, about))
        or bool(re.search(r"\d(?:[\d,.]*\d)?(?:$|[.,;!]| (?:if|not|so|because|actually|in|for|at|on)\b)", own))
        or bool(
            re.search(
                r"\b(?:its|it's|there'?s|there are|like|got|have|yeah|counted|total)\b.*(?:\d|teen|ty\b|twenty)", own
            )
        )
    )
