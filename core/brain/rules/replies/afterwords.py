"""What a later message makes of the one before it: it completes it, puts another in its place, takes it back, or hangs
it on a condition. People answer in pieces: 「周四」, and half a minute later 「下午三点」 or 「不对，周五」.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from core.brain.rules.replies.parts import without_times
from core.brain.rules.replies.put_off import gives_no_answer
from core.brain.rules.words.signs import CONDITION, IGNORANT
from core.brain.rules.words.text import CJK, any_of, fold, made_of, squeezed
from core.patterns import lazy
from core.timetalk import has_definite_time, parse

ONE_ANSWER = timedelta(minutes=5)
"""A bare time that comes within this is the rest of the answer before it; later it stands for itself."""

Kind = Literal["completes", "corrects", "takes_back", "qualifies"]


@dataclass(frozen=True)
class Afterword:
    """`words`: what is said in it beside the sign that it belongs to what came before."""

    kind: Kind
    words: str


# Says that what stands before it is wrong; what is right follows, or nothing does.
_WRONG = lazy(
    r"(?:啊|哦|噢|额|呃|诶|哎|抱歉|不好意思|对不起|sorry|oh|ah|oops|ops|hmm|[,.!。，！\s])*"
    r"(?:不对(?:不对)?|不是|等等|等一?下|慢着|(?:刚才?|上面|前面)?(?:我)?(?:说|打|发|看|记|写|搞|弄)(?:错|岔|漏)了?(?:一?[个点])?|口误|笔误|手误|更正(?:一?下)?|纠正(?:一?下)?|改口"
    r"|不(?=[,，。\s])|no,? wait|wait,? no|wait|hold on|scratch that|correction|strike that|my (?:bad|mistake)|i meant(?: to say)?|i mean|make (?:it|that)|actually|rather|no(?=[,.\s]))"
    r"(?:了|啊|呀|哈|的)?[\s,，。:：.!！]*(?:应该|其实|我)?(?:是(?=.))?[\s,，:：]*",
    re.IGNORECASE,
)
# The same by a verb of change: what is new follows.
_CHANGED = lazy(
    r"(?:那|还是|要不|算了|,|，|\s)*(?:改(?:成|到|为|在|个)?|换(?:成|到)?|推(?:到|迟到)|延(?:到|期到)|提前到|挪到)(?=.)"
    r"|(?:let'?s |please )?(?:change|move|push) (?:it|that) to ",
    re.IGNORECASE,
)
# No longer sure of what was said, with nothing in its place.
_UNSURE = any_of(
    r"""
    (?:^|[,。\s])(?:我们?|让我)?(?:再|先|去|得|要)+(?:去)?(?:确认|核实|核对|看|问|查|想|算)(?:一?下|[看问查想核]|清楚)?(?:再说|再回|先|吧|哈|了)*$|先别(?:报|说|告诉|记|定|算)|先不(?:定|算|说)
    (?:可能|也许|恐怕)(?:会|要|还)?(?:有)?(?:变|改|调整|不行|来不及|赶不上)|(?:不一定|说不准|不作数|不算数|没定|还没最后定|待定)$|当我没说|撤回|别当真
    ^(?:let me|i'?ll|i need to|i have to) (?:just |first )?(?:double[- ]?check|check|confirm|verify)|\bmight (?:change|slip|move)\b|\bnot (?:sure|final|certain)(?: yet)?\W*$|\bdon'?t (?:quote|hold) me\b|\bignore that\b|\bnever ?mind(?: that)?\W*$
    """
)
_QUALIFIER = lazy(
    r"(?:不过|但是?|当然|就是|but|though|,|，|\s)*(?:前提|除非|如果|要是|只要|得看|要看|看(?=[^,。]{1,8}(?:情况|而定|吧|再))|provided|unless|if |as long as|assuming|depends|subject to|pending )",
    re.IGNORECASE,
)
_BESIDE_A_TIME = any_of(
    r"大概|左右|之?前|以前|最晚|那就|就|吧|哈|啊|呀|的|了|嗯|在|at|by|before|around|about|sharp|ish"
)


def afterword(before: str, said: str, now: datetime) -> Afterword | None:
    """What `said` makes of the words before it; None where it stands for itself."""
    text = said.strip()
    if not before.strip() or not text:
        return None
    if hit := _WRONG.match(text):
        rest = text[hit.end() :].strip()
        if not rest or is_unsure(rest):
            return Afterword("takes_back", rest)
        return Afterword("corrects", rest) if _stands(rest, hit) else None
    if (hit := _CHANGED.match(text)) and has_definite_time(text[hit.end() :], now):
        return Afterword("corrects", text[hit.end() :].strip())
    if is_unsure(text):
        return Afterword("takes_back", text)
    if _QUALIFIER.match(text) and CONDITION.search(fold(text)) and not has_definite_time(text, now):
        return Afterword("qualifies", text)
    return Afterword("completes", text) if _is_rest_of(before, text, now) else None


def _stands(rest: str, opening: re.Match[str]) -> bool:
    """What follows is an answer. After a mere "wait" or "actually" only where it does not put the answer off."""
    own = fold(rest)
    return not (gives_no_answer(own) or IGNORANT.search(own)) or bool(
        re.search(r"错|不对|meant|correction", opening[0])
    )


def is_unsure(text: str) -> bool:
    """Nothing but that it is not sure yet."""
    return len(squeezed(text)) <= 60 and bool(_UNSURE.search(fold(text).rstrip(" ,，.。!！~")))


def _is_rest_of(before: str, text: str, now: datetime) -> bool:
    """A bare hour, where a day was named and no hour."""
    days, hours = parse(before, now), parse(text, now)
    if not hours or not days or not has_definite_time(before, now):
        return False
    fine = all(t.grain in ("minute", "part") for t in hours) and days[-1].grain == "day"
    rest = squeezed(without_times(text, now))
    return fine and not _NAMES_A_DAY.search(fold(text)) and (not rest or made_of(rest, _BESIDE_A_TIME))


_NAMES_A_DAY = lazy(
    r"[今明后昨]|周|星期|礼拜|号|日|月|\b(?:today|tomorrow|tonight|mon|tue|wed|thu|fri|sat|sun)|\d+(?:st|nd|rd|th)\b"
)


# Changed their mind within one message: "明天发，不对明天我出差，后天发".
_MIDWAY = lazy(r"(?<=[,，。;；.!！\s])(?=(?:啊|哦|噢)?(?:不对|说错了))")


@dataclass(frozen=True)
class Answer:
    """Messages read as one answer. `words`: what stands in the end; `open`: they took it back and said nothing else."""

    words: tuple[str, ...]
    open: bool = False


def as_one(messages: Sequence[str], now: datetime) -> Answer:
    """The messages of one answer, each put where it belongs: a correction in the place of what it corrects."""
    kept, unsure = list[str](), False
    for said in (piece for message in messages for piece in _MIDWAY.split(message) if piece.strip()):
        after = afterword(kept[-1], said, now) if kept else None
        unsure = after is not None and after.kind == "takes_back"
        match after:
            case None:
                kept.append(said)
            case Afterword(kind="corrects"):
                kept[-1] = after.words
            case Afterword(kind="takes_back"):
                kept.append(said)
            case _:
                kept[-1] = joined(kept[-1], after)
    return Answer(tuple(kept), unsure)


def joined(before: str, after: Afterword) -> str:
    """Both in one sentence: 「周四」 and 「下午三点」 are 「周四下午三点」."""
    head = before.rstrip(" ,，.。!！~")
    if after.kind == "completes":
        return f"{head}{after.words}" if CJK.search(head) else f"{head} {after.words}"
    return f"{head}，{after.words}" if CJK.search(head) else f"{head}, {after.words}"
