"""Whoever gives the orders tells that somebody else is away, or back: 「张三明天请假」, "Tom is on leave until Wednesday"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.brain.questions import PersonBrief
from core.brain.rules.owner.reaching import LIST
from core.brain.rules.replies.away import Absence, absence, is_back
from core.brain.rules.words.names import PERSON, Masked, masked
from core.brain.rules.words.text import CJK, any_of, fold, squeezed, without_quotes
from core.patterns import lazy


@dataclass(frozen=True)
class ToldAway:
    """`absence` None: they are there again."""

    people: tuple[str, ...]
    absence: Absence | None


@dataclass(frozen=True)
class Absences:
    """What a message tells at its beginning, and what else it says; a word not to chase them meanwhile says nothing else."""

    told: tuple[ToldAway, ...] = ()
    rest: str = ""


_BETWEEN = lazy(r"(?<=[,，。;；!！\n])|(?<=[a-z]\.)(?=\s)")
_OPENS = lazy(
    r"\s*(?:(?:对了|另外|还有|顺便说一?[下声句]|跟你说一?[下声]|告诉你一?[下声]|提醒你一?下|哦|嗯)[,\s]*|(?:fyi|btw|by the way|heads up|just so you know|note that|oh)[,:\s]+)*"
)
_SUBJECT = lazy(
    rf"(?P<who>{LIST})(?P<says>(?:那边|他们?|她们?|都|也|刚|跟我|和我|给我|说|讲|告诉我|发消息|的话)*)"
    r"(?P<be>\s*(?:are|is|'s|'re|will be|says? (?:he|she|they)(?:'s|'re| is| are|'ll be| will be)|told me (?:he|she|they)(?:'s|'re| is| are|'ll be| will be))\b)?"
)
_RETURN = lazy(r"回来|上班|回(?:公司|岗)|返岗|\bback\b|\breturn")
_NOT_GOING = any_of(
    r"""
    ^(?:[今明后]天|这周|下周|周[一二三四五六日天])?(?:又)?不(?:请假|休假|出差|走|休)了|取消(?:了)?(?:请假|休假|出差|行程)
    \bno longer (?:on leave|away|off)\b|\bnot (?:on leave|away|off)(?: any ?more| after all)\b
    """
)
# Until then they are left alone anyway.
_HOLD = any_of(
    r"""
    (?:那|就|所以)?(?:这几天|这两天|那天|明天|这期间|期间|到时候?|先|暂时)*(?:都|也)?(?:别|不要|不用|不必)(?:再|先|去)?(?:催|问|找|联系|打扰|跟)(?:他|她)?们?(?:了|吧)?
    (?:他|她)们?(?:的事|那边|手上的|那些)?(?:先|都|暂时|就)*(?:放一?放|放放|等等|等一等|别催|不用催|不急|缓一?缓|搁着|停一停)(?:了|吧)?
    (?:等)(?:他|她)们?回来再(?:说|问|催|跟)(?:吧)?|知道一下|知会你一声|先记着?|记一下
    (?:so |please )*(?:don'?t|do not|no need to) (?:chase|ask|bother|contact|ping|remind) (?:him|her|them)(?: until then| meanwhile| for now)?|(?:his|her|their) (?:things|matters|stuff) can wait|leave (?:him|her|them) alone(?: until then)?
    """
)


def absences_told(text: str, now: datetime, people: Sequence[PersonBrief]) -> Absences:
    """The absences that stand at the beginning, each of somebody who is named there and nobody else could be meant."""
    own = masked(without_quotes(text), people)
    pieces = [piece for piece in _BETWEEN.split(own.raw) if piece.strip()]
    told = list[ToldAway]()
    while pieces:
        taken = _taken(own, pieces, now)
        if taken is None:
            break
        told.append(taken[0])
        pieces = pieces[taken[1] :]
    rest = [p for p in pieces if not (told and _says_to_wait(p))]
    if len(rest) < len(pieces):
        told = [replace(t, absence=replace(t.absence, since=None)) if t.absence else t for t in told]
    return Absences(tuple(told), own.unmask("".join(rest)).strip())


def _says_to_wait(piece: str) -> bool:
    """They are not to be chased: then they are left alone from now on, whenever they go."""
    return bool(_HOLD.fullmatch(squeezed(piece) if CJK.search(piece) else fold(piece).strip(" ,.!")))


def _taken(own: Masked, pieces: list[str], now: datetime) -> tuple[ToldAway, int] | None:
    """What the first piece tells, together with the one behind it where that tells of the return; and how many it took."""
    first = pieces[0]
    opening = _OPENS.match(fold(first))
    subject = _SUBJECT.match(fold(first), opening.end() if opening else 0)
    if subject is None:
        return None
    mentions = [own.mention(mark) for mark in re.findall(PERSON, subject["who"])]
    if any(len(m.ids) != 1 for m in mentions):
        return None
    who = tuple(dict.fromkeys(m.ids[0] for m in mentions))
    said = ("I'm " if subject["be"] else "我") + first[subject.end() :].strip()
    if re.search(PERSON, said):
        return None
    if _NOT_GOING.search(fold(said).removeprefix("我")) or is_back(said):
        return ToldAway(who, None), 1
    more = [1] if len(pieces) == 1 or not _RETURN.search(fold(pieces[1])) or re.search(PERSON, pieces[1]) else [2, 1]
    for count in more:
        if (gone := absence("".join((said, *pieces[1:count])).strip(" ,，。;；!！\n"), now)) is not None:
            return ToldAway(who, gone), count
    return None
