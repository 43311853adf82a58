"""What is said while something waits for a yes, taken apart: an answer to it, and an order of its own.

Words with a verb of contact, a person and something of their own to say or ask are an order, whatever words of change
they hold; a change says only what is to be otherwise, so all that it holds stands in what waits, or is a time, a
manner, a person. What may be either is doubtful and is to be asked about: told wrongly, words for one would reach another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.brain.questions import PersonBrief
from core.brain.rules.owner.asked import Reach, reach
from core.brain.rules.owner.intent import Intent, intent_of
from core.brain.rules.words.names import PERSON, masked
from core.brain.rules.words.text import CJK, any_of, fold, grams, without_quotes
from core.patterns import lazy
from core.timetalk import parse

Kind = Literal["change", "bare", "order", "doubtful"]
"""Of one piece: a change to what waits; no more than whom to reach, without a word of change; an order; either."""

_CUT = lazy(
    r"(?:[，。;；!！?？\n]|(?<!\d)[,.]|[,.](?!\d))+\s*|(?<!\band)(?<!\bbut)(?<!\bthen)\s+(?=(?:and|but|then|also|plus)\b)|(?<=[一-龥])\s+"
    r"|(?<=[^,，。\s])(?=(?:另外|顺[便带]|再帮我|再麻烦|再提醒我)(?!一?[个位下]))"
)
_NEW = lazy(
    r"^[,，\s]*(?:还有|对了|另外|顺[便带]|再?帮我|再?麻烦)|^(?:and |but |then |plus |also )*(?:(?:can|could) you|by the way|separately|also)\b"
)
_ANEW = lazy(r"另外|帮我|\bseparately\b|\bby the way\b")
_SWAP = lazy(r"换|改(?!天|日)|不是|而?是\s*$|应该|\bmeant\b|\b(?:switch|change)\b|\bnot\b")
_SWAP_AFTER = lazy(rf"^\s*(?:才对|instead|rather than (?:the )?{PERSON})|\binstead\W*$")
_ONLY = lazy(r"[只光仅]|(?<![一-龥])就(?!是|说)|\bonly\b|\bjust\b")
_ONLY_AFTER = lazy(r"^\s*(?:[一两二三几]?个?人?就(?:行|好|可以|够)|only\b|alone\b)")
_ALSO = lazy(r"也|再|加|带上|还|一[起块]|\balso\b|\badd\b|\binclude\b|\bplus\b")
_ALSO_AFTER = lazy(r"^\s*(?:也|一[起块])|(?:一[起块]|\btoo|\bas well)\W*$")
_ONCE_MORE = lazy(r"催|追|\b(?:chase|nudge|ping|poke)\b")
_NOT = lazy(
    r"(?:不用|不要|不必|别|甭|\b(?:don'?t|do not|no need to|not))\s*(?:再|去|先)*(?:问|告诉|通知|找|提醒|跟|让|叫|联系|ask|tell)?\s*$"
)
_PRONOUN = lazy(
    r"(?:跟|对|和|问|告诉|让|叫|提醒|请|催)(?:一?[下声])?[他她]们?|\b(?:ask|tell|remind|have|let|get) (?:him|her|them)\b"
)
# What says whom, how and that it is to be done; nothing of what is asked or said. First what no other word is part of.
_FRAME = any_of(
    r"""
    问一?[下声句]|问问|问清楚|告诉|通知|告知|转告|知会|提醒我?|联系|发给|说一?[下声句]|打听|一[下声句遍份]|一起|一块儿?
    换(?:成|到|个)|改(?:成|到|为|做|在|一下|个|由)|不是|而是|应该|只(?:要|用|需)|就(?:行|好|可以|够)|另外|顺[便带]|加上|带上|帮我|麻烦|替我|那边|这个|同样的?|一样的?
    语气|口气|客气|委婉|礼貌|温和|别太|不要|不用|不必|好了|即可|[他她它]们
    (?:所有|每个|其他|其余|剩下的?|别的?)人|大家|全体|全员|\b(?:everyone|everybody|the others?|nobody else|no one else|all of them)\b
    """
)
_FRILL = any_of(
    r"""
    [问发找跟和给对向让叫请约催说讲换改是只就光也还再都先加去来那这软硬短长别了吧的呢啊呀哈呗嘛行好他她它件]|事儿?|正式|简单|[一有]?[点些]儿?
    \b(?:from|in|at) (?:the )?[a-z]+$|\b(?:ask|tell|let|have|get|make|sure|know|remind|inform|notify|message|email|text|call|contact|send|say|do|change|switch|add|include|use|try)\b
    \b(?:it|that|this|the|same|thing|one|him|her|them|he|she|they|to|for|with|about|of|an?|is|be|can|could|will|would|if|whether|you|and|or|but|then|also|too|as|well|instead|rather|than|only|just|not|please|pls|first|now|so|nicer?|polite(?:ly)?|softer|shorter|ok|okay|i|meant)\b
    """
)
_TEAM = lazy(
    rf"[一-龥]{{1,6}}(?:[部组处科]的?|的)(?={PERSON})|(?<={PERSON})[,，\s]*(?:那个)?(?:负责|管|做|搞)[一-龥]{{1,6}}的(?:那[个位])?"
)
_ITS_OWN = lazy(
    r"(?<!能)(?<!是)(?<!好)不(?![用必])|别(?!人|的)|\b(?:not|never|no longer)\b|n't\b|什么时候|什么|谁|哪|怎么|为什么|多少|几(?=[个点号天件次])|\b(?:when|who|whom|what|where|why|how (?:much|many|long)|how|which)\b"
)
_TELLS = lazy(r"告诉|通知|转告|知会|说|讲|\b(?:tell|inform|notify)\b|\bknow\b")
_NUMBER = lazy(
    r"[$€£¥]?\d[\d.,]*\s*[万千百亿k%]?[元块]?|[零一二两三四五六七八九十百千万半]{2,}[元块]?|[一二两三四五六七八九十半]+[元块]"
)
_ALONE = frozenset({Intent.REMIND, Intent.TASK, Intent.INVITE, Intent.LOOK_UP_PERSON, Intent.LOOK_UP_FACTS})
"""Orders that need nobody to be reached; of an expectation somebody must be named."""


@dataclass(frozen=True)
class Parted:
    """A message beside what waits. `answer`: the words about what waits; `order`: those of an order of its own.

    `changes`: the answer is a change by its persons, whatever else it looks like. `doubtful`: it may be either, and
    nothing is to be done before that is known. `anew`: the order says itself that it is another one.
    """

    answer: str = ""
    order: str = ""
    changes: bool = False
    doubtful: bool = False
    anew: bool = False


@dataclass(frozen=True)
class _Piece:
    """Clauses that belong together: once somebody is reached, what follows is what they are told."""

    text: str
    kind: Kind | None
    """None: nobody is reached by it and nothing is ordered."""


@dataclass(frozen=True)
class _Scene:
    waits: str
    """Folded, without the people in it."""
    words: frozenset[str]
    now: datetime
    people: Sequence[PersonBrief]
    self_id: str


def parted(text: str, waits: str, now: datetime, people: Sequence[PersonBrief] = (), self_id: str = "") -> Parted:
    """The message taken apart. `waits`: what waits for a yes, in words (of several, one after the other)."""
    own = without_quotes(text).strip()
    plain = re.sub(PERSON, " ", masked(waits, people).folded)
    scene = _Scene(plain, grams(plain), now, people, self_id)
    pieces = _pieces(own, scene)
    kinds = [p.kind for p in pieces]
    if "doubtful" in kinds:
        return Parted(answer=own, doubtful=True)
    if "order" not in kinds:
        return Parted(order=own) if _looks(own, scene) else Parted(answer=own, changes="change" in kinds)
    first = kinds.index("order")
    answer = [p.text for p in pieces[:first]] + [p.text for p in pieces[first:] if p.kind == "change"]
    order = [p.text for p in pieces[first:] if p.kind != "change"]
    said = "".join(answer).strip(" ,，。.;；!！")
    return Parted(
        answer=said,
        order="".join(order).strip(" ,，;；") if said else own,
        changes="change" in kinds,
        anew=bool(_ANEW.search(fold(order[0]))),
    )


def _looks(own: str, scene: _Scene) -> bool:
    """A question where it stands with somebody, in nothing about what waits."""
    intent, found = intent_of(own, scene.now, scene.people, (), scene.self_id)
    return intent is Intent.STATUS and bool(found.masked.found) and not _split(found.masked.folded, scene)[1]


def _pieces(own: str, scene: _Scene) -> list[_Piece]:
    whole = masked(own, scene.people)
    ends = [m.end() for m in _CUT.finditer(whole.folded) if 0 < m.end() < len(whole.raw)]
    groups: list[tuple[list[str], Reach | None]] = []
    for a, b in zip([0, *ends], [*ends, len(whole.raw)], strict=True):
        clause = whole.unmask(whole.raw[a:b])
        found = _head(clause, scene)
        if found is not None or not groups:
            groups.append(([clause], found))
        else:
            groups[-1][0].append(clause)
    return [_Piece("".join(g), _kind("".join(g), found, scene) if found else None) for g, found in groups]


def _head(clause: str, scene: _Scene) -> Reach | None:
    """Whom a clause reaches, if it is one with which an order may begin."""
    found = reach(clause, scene.people, scene.self_id)
    if found.anybody and not found.weak:
        return None if found.spans and _NOT.search(found.masked.folded[: found.spans[0][0]]) else found
    intent, _ = intent_of(clause, scene.now, scene.people, (), scene.self_id)
    ordered = intent in _ALONE or (intent is Intent.EXPECT and bool(found.masked.found))
    return found if ordered and not _PRONOUN.search(fold(clause)) else None


# --- what a piece is ----------------------------------------------------------------------------------------------


def _kind(text: str, found: Reach, scene: _Scene) -> Kind | None:
    swaps, only, also = _marks(text, found)
    light = _light(text, found, scene)
    numbers = {n.strip() for n in _NUMBER.findall(light)}
    light = _NUMBER.sub(" ", light)
    own, common = _split(light, scene)
    if not own and not common and not re.search(r"\w", _FRILL.sub("", light)) and not numbers:
        return "change" if swaps or only or also else "bare"
    if not own:
        return _nothing_new(text, numbers, bool(common), (swaps or only, also), scene)
    if not found.spans and common:
        return None
    if swaps or (only and not common):
        return "doubtful"
    if only:
        return "change"
    same = [g for g in common & scene.words if len(g) > 1]  # a lone character in common says little
    return "doubtful" if len(same) > len(own) and not _NEW.search(fold(text)) else "order"


def _nothing_new(text: str, numbers: set[str], common: bool, marks: tuple[bool, bool], scene: _Scene) -> Kind | None:
    """A piece all of whose words stand in what waits, or that has hardly any."""
    if not marks[0] and any(n not in scene.waits for n in numbers):
        return "doubtful"
    own = fold(text)
    # Another question about the same, the contrary of it, or what was to be asked is told.
    if set(_ITS_OWN.findall(own)) - set(_ITS_OWN.findall(scene.waits)):
        return "doubtful"
    if common and not any(marks) and bool(_TELLS.search(own)) != bool(_TELLS.search(scene.waits)):
        return "doubtful"
    if _ONCE_MORE.search(own):
        return "bare"
    if common or any(marks):
        return "change"
    return "order"


def _marks(text: str, found: Reach) -> tuple[bool, bool, bool]:
    """Whether somebody is put in another's place, is all that is left, or comes to the others: told beside the name."""
    own = masked_again(text, found)
    start, end = found.spans[0] if found.spans else (len(own), len(own))
    before, after = own[:start], own[end:]
    return (
        bool(_SWAP.search(before) or _SWAP_AFTER.search(after)),
        bool(_ONLY.search(before) or _ONLY_AFTER.search(after)),
        bool(_ALSO.search(before) or _ALSO_AFTER.search(after)),
    )


def masked_again(text: str, found: Reach) -> str:
    """The piece with its first clause masked as it was when it was looked at."""
    first = len(found.masked.unmask(found.masked.raw))
    return found.masked.folded + fold(text.strip()[first:])


def _light(text: str, found: Reach, scene: _Scene) -> str:
    """The words of a piece without names, teams and times."""
    plain = text
    for time in sorted(parse(plain, scene.now), key=lambda t: t.pos[0], reverse=True):
        plain = plain[: time.pos[0]] + " " * (time.pos[1] - time.pos[0]) + plain[time.pos[1] :]
    for name in found.unknown:
        plain = plain.replace(name, " ")
    own = _TEAM.sub(" ", masked(plain, scene.people).folded)
    return _FRAME.sub(" ", re.sub(PERSON, " ", own))


def _split(light: str, scene: _Scene) -> tuple[frozenset[str], frozenset[str]]:
    """Its words that are its own, and those that stand in what waits; without what says only how or whom."""
    said = frozenset(g for g in grams(light) if re.search(r"\w", _FRILL.sub("", g)))
    common = frozenset(g for g in said if g in scene.words or (CJK.search(g) and set(g) <= set(scene.waits)))
    return said - common, common
