"""Which of the times of a text still stand: a rejected or corrected one goes, alternatives are told as such."""

import re
from dataclasses import replace

from core.patterns import lazy

from .cues import CLAUSE
from .model import TimeKind
from .settle import Reading

_NEAR = 40
# What a proposal is turned down with. Being busy or away is a fact about a time, which stands.
_REFUSED = lazy(
    r"\s*(?:那天|那个时间|的话|我|他|她|你|们|这边|可能|恐怕|肯定|实在|估计|就|也|都|是|有点|真的){0,3}\s?"
    r"(?:不行|不太行|不成|不可以|不合适|不太合适|不方便|不太方便|来不及|赶不上|赶不及|赶不出来|够呛|没戏|太早|太晚|太赶|不ok)(?!\s*[吗么?？])"
    r"|\s*(?:is\s+|'s\s+)?(?:no good|a no[ -]go|no[ -]go)\b|\s*(?:really\s+|just\s+)?(?:(?:does|do|did|wo|ca|is|are)n't|will not|does not|is not|cannot|is|'s)\s+(?:really\s+|gonna\s+|going to\s+)?"
    r"(?:work|suit|possible|doable|good|do|happen|no good|not possible|not going to work|too (?:early|late|soon|tight))\b(?!\s*(?:for\s+\w+\s*)?\?)",
    re.A,
)
_RULED_OUT = lazy(
    r"(?:(?<!是)不是|(?<!要)(?<!能)不要|(?<![特分个区级类])别)(?:在|约|定|安排在|放在)?\s?$"
    r"|(?<![a-z'])(?:(?<!why )(?<!if )not|instead of|rather than|(?:can't|cannot|won't) (?:do|make(?: it)?|manage)(?: it)?)\s+(?:on\s+|at\s+|by\s+)?$"
)
_IN_PLACE = lazy(r"(?:而不是|而非)(?:在)?\s?$|(?<![a-z])(?:instead of|rather than)\s+(?:on\s+|at\s+|by\s+)?$")
_INSTEAD = lazy(
    r"\s*[,，、;；.。…—-]*\s*(?:而?是|改|要|得|换|but\b|rather\b|make it\b|let's\b|on\b|at\b|it's\b|it is\b)?.{0,6}$",
    re.S,
)
_RATHER = lazy(r"\s*(?:了|而?是|改成?|得|换成?)+(?:在|到)?\s*")
_EITHER_WAY = lazy(r"\s*[,，]?\s*就是|\s*[吗么嘛?？]")
_CORRECTED = lazy(
    r"[\s,，.。…!！(—-]*(?:哦|噢|啊|呃|额|嗯|哎)?\s?(?:不对(?!劲)|不是|说错了?|打错了?|写错了?|记错了?|错了|更正(?:一下)?|哦不|啊不|不不|不(?=[,，\s]))"
    r"[\s,，.。!！:：—-]*(?:应该)?(?:是|改)?\s?"
    r"|[\s,.!(—-]*(?:(?:no|wait|oh|ah|oops|hmm|sorry|er+|um+|argh|ugh)[\s,.!—-]+){0,3}(?:no,? wait|wait,? no|sorry,? (?:i meant|no)|scratch that|strike that|i mean|i meant|my bad|correction|make that|oops|no,|actually,?|sorry,?(?= ))"
    r"[\s,.:!—-]*(?:i meant|make it|make that|it's|actually)?[\s,:]*(?:on\s+|at\s+|the\s+|by\s+)?"
)
_OR = lazy(
    r"\s*[,，、]?\s*(?:或者?(?:是|说)?|还是(?:说)?|要么|要不(?:然|就)?|不然就?|就是)\s?(?:在)?\s*|\s*/\s*"
    r"|\s*,?\s*or\s+(?:else\s+|maybe\s+|even\s+|perhaps\s+|possibly\s+)?(?:on\s+|at\s+|in\s+|by\s+)?(?:the\s+)?"
)
_LISTED = lazy(r"\s*[,，、]\s*(?:在|on\s+|at\s+)?(?:the\s+)?")


def standing(readings: list[Reading], text: str, words: str) -> list[Reading]:
    """The readings without those that the text takes back ("周三不行，周四吧", "Monday, no wait, Tuesday"), as long as
    one stands; a slip of the tongue is part of what takes its place. Those between which the text leaves the choice
    ("明天或后天") are marked ``either``. ``words``: the text in plain letters."""
    timed = [r for r in readings if r.expr.kind != TimeKind.vague]
    if len(timed) < 2:
        return readings
    readings = _with_slips(readings, text, words)
    timed = [r for r in readings if r.expr.kind != TimeKind.vague]
    gone = {r.expr.pos for r, after in zip(timed, [*timed[1:], None], strict=True) if _taken_back(r, after, words)}
    if len(gone) < len(timed):
        readings = [r for r in readings if r.expr.pos not in gone]
    return _alternatives(readings, words)


def _with_slips(readings: list[Reading], text: str, words: str) -> list[Reading]:
    """ "周三，不对，周四" as one expression, which means its last."""
    out: list[Reading] = []
    for reading in readings:
        last = out[-1] if out else None
        timed = last and TimeKind.vague not in (last.expr.kind, reading.expr.kind)
        if last and timed and _CORRECTED.fullmatch(words, last.expr.pos[1], reading.expr.pos[0]):
            reading = replace(reading, expr=replace(reading.expr, pos=(out.pop().expr.pos[0], reading.expr.pos[1])))
        out.append(reading)
    return [_in_full(r, text) for r in out]


def _in_full(reading: Reading, text: str) -> Reading:
    start, end = reading.expr.pos
    whole = len(reading.expr.text) == end - start
    return reading if whole else replace(reading, expr=replace(reading.expr, text=text[start:end]))


def _taken_back(reading: Reading, after: Reading | None, words: str) -> bool:
    start, end = reading.expr.pos
    before = words[max(0, start - _NEAR) : start]
    if _IN_PLACE.search(before) or _REFUSED.match(words, end):
        return True
    if after is None or not _RULED_OUT.search(before):
        return False
    gap = words[end : after.expr.pos[0]]
    mark = None if _EITHER_WAY.match(gap) else CLAUSE.search(gap)
    if mark is None:
        # "不是明天是后天"
        return bool(_RATHER.fullmatch(gap))
    return bool(_INSTEAD.match(gap, mark.start()))


def _alternatives(readings: list[Reading], words: str) -> list[Reading]:
    """ "A或B", "A, B or C": marked from the last pair back."""
    chosen: set[int] = set()
    for i in range(len(readings) - 2, -1, -1):
        a, b = readings[i], readings[i + 1]
        if TimeKind.vague in (a.expr.kind, b.expr.kind):
            continue
        start, end = a.expr.pos[1], b.expr.pos[0]
        if _OR.fullmatch(words, start, end) or (i + 1 in chosen and _LISTED.fullmatch(words, start, end)):
            chosen |= {i, i + 1}
    return [replace(r, expr=replace(r.expr, either=True)) if i in chosen else r for i, r in enumerate(readings)]
