"""Whether words tell who, where, why or what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.brain.rules import reply
from core.brain.rules.names import SURNAMES
from core.brain.rules.parts import Part, is_shaky
from core.brain.rules.put_off import gives_no_answer, is_hearsay
from core.brain.rules.signs import ASSERTS, IGNORANT, is_done, is_no, is_yes_alone
from core.brain.rules.text import CJK, any_of, fold, shared, squeezed
from core.patterns import lazy

# What an answer to who and where must hold.
_PERSON = any_of(
    rf"""
    [我他她]|[小老阿大][一-龥]|[{SURNAMES}][一-龥]{{1,2}}|都|没人|[一-龥]{{2,4}}(?:负责|来|管|去|做|没|经办)
    (?:给|归|是|由)[一-龥]{{2,}}|公司|集团|部门?$|^[一-龥]{{1,3}}[^\W了呢吗吧呀]$
    \b[A-Z][a-z]+|\b(?:me|i|he|she|we|they)\b
    """
)
_PLACE = any_of(
    r"""
    \d
    去[一-龥]{2,}|在|放|左|右|层|楼|室|柜|抽屉|[里上下旁]|边|库|号|路|店|厅|桌
    \b(?:at|in|on|under|behind|next|near|room|street|shelf|drawer|floor|office)\b|[A-Z]\d
    """
)


# Something that comes by a time to come: `今天下班前发出来`.
_TELLS_OF_LATER = lazy(
    r"[今明后]天|今晚|明早|下班前|[上下]午|晚上|稍后|马上|\b(?:tonight|tomorrow|today|by|later|after)\b"
)
# A cause is something that happened, is wrong or is so; in Chinese no form tells that.
_WHY = lazy(r"\bwhy\b|\breason\b|\bcause\b")
_CAUSE = any_of(
    r"""
    \b(?:was|were|is|are|had|has|have|not|no|out|because|since|due|down|ran|broke|went|got|found|lost|left|came|made|fell|took|forgot|\w+ed|\w+n'?t|too|still)\b|\b(?:freeze|failure|error|bug|full|fault|change|wrong|late|strike|snow|leak)\b
    """
)
_AHEAD = lazy(r"明天|后天|今晚|明早|下周|下个?月|\b(?:tomorrow|tonight|next week)\b")
# A question whose answer can be told by its form.
_WHO = lazy(r"谁|\bwho\b")
_WHERE = lazy(r"哪里|哪儿|[在去到]哪(?![一-龥]天)|\bwhere\b")


def is_told(parts: Sequence[Part], about: str, complained: bool) -> bool:
    """One of the clauses tells it. Where the answer has no form of its own, a put-off beside it says that it is none."""
    asked = fold(about)
    formed = _WHO.search(asked) or _WHERE.search(asked)
    if _WHO_CAN.search(asked) and any(_SELF.search(p.own) and not is_shaky(p) for p in parts):
        return True
    if _WHO.search(asked) and any(_ME.search(p.own) and not is_shaky(p) for p in parts):
        return True
    if not formed and any(gives_no_answer(p.own) or _brings_later(p.own) for p in parts):
        return False
    return any(_is_information(p, about) and (not complained or shared(p.own, about)) for p in parts)


# What they or the asker do about it, where neither is what was asked about.
_ON_THEMSELVES = lazy(r"^(?:我(?!们?(?:这边|家)|看是|觉得|认为)|你|i\b|you\b)(?!.*(?:因为|because))")
_EN_PERSON = lazy(
    r"^(?:it'?s |that'?s |that would be |probably )?(?:(?:[A-Z][a-z]+ ){0,2}[A-Z][a-z]+|me|I)(?:\W*$| (?:and|does|is|was|will|has|can|did|from|who|in|took|takes|handles|\w+s\b))"
    r"|\b(?:by|ask|with|to|it'?s|be|is|was|and|had|from|given) (?:[A-Z][a-z]+|me|him|her)\b|\b(?:I|he|she|they|we) \w+"
)


# "谁有空来": each says it for themselves.
_WHO_CAN = lazy(
    r"谁[^,。]{0,4}(?:有空|有时间|能|可以|愿意|想|会|来|去|参加)|\bwho (?:can|could|is free|is able|wants|will)"
)
_SELF = lazy(
    r"^(?:我|那天|[上下]午|晚上)*(?:有空|没空|有时间|没时间|可以|能(?!不能)|不能|行|不行|来|去|不来|不去|有事|参加|愿意|不了)"
    r"|^(?:i can|i can'?t|i'm (?:free|busy|in|not|out)|count me|not me|yes|no)\b"
)
_ME = lazy(
    r"^(?:是)?我(?:们)?(?:吧|来|去|值|负责|管|跟|和[一-龥]{2,3}|、[一-龥]{2,3})*$|^(?:me|i do|i am|i will|it'?s me)\W*$"
)


def _names_somebody(part: Part, about: str) -> bool:
    """A person, and nothing about them but what was asked: `小丁去`, not `小丁明天请假`."""
    if not CJK.search(part.text):
        return bool(_EN_PERSON.search(part.text))
    if not _PERSON.search(re.sub(r"[上下本这]?周[一二三四五六日天末]?", " ", part.text)):
        return False
    return not _NOT_THERE.search(part.own) or bool(shared(part.own, about))


_NOT_THERE = lazy(r"请假|不在|出差|休[年产婚病事]?假|离职|没空|忙|病")


def _brings_later(own: str) -> bool:
    return bool(_TELLS_OF_LATER.search(own)) and bool(reply.GIVES.search(own)) and not is_done(own)


def _is_information(part: Part, about: str) -> bool:
    """States something that can answer the question: for who a person, for where a place, else a plain assertion."""
    own = part.own
    if is_shaky(part) or reply.VAGUE.search(own) or IGNORANT.search(own) or reply.REFUSED.search(own):
        return False
    if is_yes_alone(own) or reply.is_pleasantry(own) or (reply.promises(own) and reply.has_later(own)):
        return False
    if gives_no_answer(own) or is_hearsay(own) or _brings_later(own):
        return False
    if _ON_THEMSELVES.search(own) and not shared(own, about) and not re.search(r"你|\byou", fold(about)):
        return False
    asked = fold(about)
    if _AHEAD.search(own) and not shared(own, about):
        return False
    if not CJK.search(own) and _WHY.search(asked) and not _CAUSE.search(own) and not shared(own, about):
        return False
    if _WHO.search(asked) and not _names_somebody(part, about):
        return False
    if _WHERE.search(asked) and not _PLACE.search(part.text):
        return False
    words = len(own.split()) if not CJK.search(own) else len(squeezed(own)) / 2
    return (
        bool(shared(own, about))
        or (words >= 1 and bool(ASSERTS.search(own)))
        or (part.first and 1 <= words <= 12 and not is_no(own))
    )
