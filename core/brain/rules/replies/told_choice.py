"""Whether a clause names the one that was asked for with which."""

from __future__ import annotations

import re
from datetime import datetime

from core.brain.rules.replies.parts import Part, says_anew
from core.brain.rules.words.text import CJK, any_of, fold, squeezed
from core.patterns import lazy
from core.timetalk import parse

_WHICH = any_of(
    r"""
    哪一?(?:个|家|种|款|辆|本|条|支|套|版|台|张|门|座|份|项|间|类|方)|[一-龥]还是[一-龥]
    \bwhich\b(?! (?:day|date|time|week|month|is|are|was|has|have|means)\b)
    """
)
_OR = lazy(
    r"(?:选|用|是|去|要|走|买|做|改|订|装|请)*(?P<one>[^,，。?？:：「」\s]{1,12}?)还是(?:选|用|是|去|要)*(?P<other>[^,，。?？」\s]{1,12})"
)
# "A 方案": how Latin letters are set among Chinese ones.
_GAP = lazy(r"(?<=[一-龥])\s+(?=[a-z0-9])|(?<=[a-z0-9])\s+(?=[一-龥])")
# Speaks of all of them, of several or of none in particular.
_NOT_ONE = any_of(
    r"""
    你们?(?:来|看着|自己)?[选挑定]|都|各|[两三几][个家种款者]|好几|随便|无所谓|多得|太多|反正
    ^you\b|\byour (?:pick|choice|call)\b|\b(?:both|either|neither|any|all|every|each|several|many|few|two|three|them|whichever|whatever)\b
    """
)
# How it is or how it was, beside the point of which.
_JUDGES = any_of(
    r"""
    (?:挺|很|太|真|蛮|特别|越来越)[一-龥]|上次|以前|去年|原来
    \b(?:pretty|really|very|quite|too|so) \w+|\blast (?:time|year)\b|\balways\b
    """
)
_PICKS = any_of(
    r"""
    [用选去请装要走找订买拿换定]|就|是|推荐|建议|更|最|那[个家款种张间]|(?:吧|就行|就好|即可|算了)$
    \b(?:go(?:ing)? (?:with|for)|went (?:with|for)|pick(?:ed)?|choose|chose|take|took|prefer|recommend|use|let'?s|best|better|cheaper|cheapest|latest|newest|wins?|that one|it is)\b
    ^(?:it'?s|that'?s|it is|i'd|we'd|i vote|my vote)\b|\bthe (?:\w+ )?one\b|\bwould be\b
    """
)
# "B114", "BA 2731", "Rosa's": a code or a name alone.
_LABEL = lazy(r"^(?:the |room |flight )?(?:[A-Z]{1,3}[- ]?\d\w*\b|[A-Z][\w&]+(?:'s)?(?: [A-Z][\w&]+(?:'s)?)*\W*$)")
# A clause with a verb of its own tells of something; without one it names something.
_FINITE = any_of(
    r"""
    \b(?:i|you|we|they|he|she|there|it|is|are|was|were|has|have|had|do|does|did|will|can|could|should|would|may|might|needs?|still|already|works?|costs?|looks?|starts?|comes?|goes|arrives?|closes?|opens?|seems?|came|went|got|\w+ed)\b|'(?:s|re|ve|ll|d|m)\b
    """
)


def asks_which(about: str) -> bool:
    """Whether one of several was asked for."""
    return bool(_WHICH.search(fold(about)))


def is_choice(part: Part, about: str, now: datetime) -> bool:
    """Names one thing: one of the two of the question, else something that the question did not hold."""
    two = _OR.search(_GAP.sub("", fold(about)))
    if two:
        return _one_of(part.own, two.group("one"), two.group("other"))
    if _NOT_ONE.search(part.own) or not says_anew(part, about, now):
        return False
    picks = bool(_PICKS.search(part.own))
    if not CJK.search(part.text):
        return (
            picks
            or bool(_LABEL.search(part.text))
            or (part.first and not _FINITE.search(part.own) and not parse(part.text, now))
        )
    if _JUDGES.search(part.own) or re.search(r"[不没]", part.own):
        return False
    return picks or (len(squeezed(part.own)) <= 8 and not part.own.endswith("了"))


def _one_of(own: str, one: str, other: str) -> bool:
    """Whether a clause holds what sets one of the two apart, and nothing of the other's."""
    # `含税的还是不含税的`: the no tells them apart.
    if other[0] in "不没非" and one.endswith(other[1:]):
        return bool(set(own) & set(other[1:]) or re.fullmatch(r"[不没非]\S{0,3}", squeezed(own)))
    mine, theirs = set(one) - set(other), set(other) - set(one)
    return bool(mine & set(own)) != bool(theirs & set(own))
