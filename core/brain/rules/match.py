"""Several matters are open with one delegate: which one does a reply belong to?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from core.brain.questions import ConcernBrief, Match, MatchReply
from core.brain.rules.fits import answers, fits_kind, for_last, says_nothing_yet
from core.brain.rules.replies.parts import without_times
from core.brain.rules.split import Best, by_number, by_topic, for_all, is_numbered
from core.brain.rules.words.goal import Want, wants
from core.brain.rules.words.signs import is_yes_alone
from core.brain.rules.words.text import any_of, fold, grams, made_of, shared, squeezed

# A bare receipt answers a message that was passed on, and no question.
_RECEIPT = any_of(
    """
    收到|知道|明白|了解|好的?|嗯|了|啦|哦|哈|谢谢|多谢|gotit|noted|understood|ok(?:ay)?|thankyou|thanks?|thx
    """
)


def match(q: MatchReply) -> Match:
    """One id, several where the reply answers several, or unclear."""
    if len(q.candidates) <= 1:
        return Match(concern_ids=tuple(c.concern_id for c in q.candidates))
    if made_of(squeezed(fold(q.text)), _RECEIPT):
        told = tuple(c.concern_id for c in q.candidates if Want.CONFIRM in wants(c.goal, c.asked or c.title))
        if len(told) == 1 and q.just_asked in ("", *told):
            return Match(concern_ids=told)
    if numbered := by_number(q):
        return _apart(numbered)
    if headed := _headed(q):
        return Match(concern_ids=headed)
    topics = by_topic(q, _foremost(_best), _foremost(_named))
    if len(topics) > 1 or (topics and not is_numbered(q.text)):
        return _apart(topics)
    if everything := for_all(q):
        return _apart(everything)
    if is_numbered(q.text):
        return _unclear(q)
    whole = _best(q.text, q)
    if len(whole) == 1:
        return Match(concern_ids=whole)
    if (by_last := _by_last(q, whole)) is not None:
        return by_last
    answered = _answered(q)
    if len(answered) == 1:
        return Match(concern_ids=answered)
    by_kind = _by_kind(q, [c for c in q.candidates if not whole or c.concern_id in whole])
    if len(by_kind) == 1:
        return Match(concern_ids=by_kind)
    return _unclear(q)


def _unclear(q: MatchReply) -> Match:
    return Match(concern_ids=tuple(c.concern_id for c in q.candidates), unclear=True)


def _apart(parts: dict[str, str]) -> Match:
    return Match(concern_ids=tuple(parts), parts=parts if len(parts) > 1 else {})


def _best(text: str, q: MatchReply) -> tuple[str, ...]:
    """Those that share most words with the text; empty when none shares any."""
    points = {c.concern_id: shared(text, f"{c.title} {c.goal} {c.asked}") for c in q.candidates}
    most = max(points.values())
    return tuple(i for i, p in points.items() if p == most) if most else ()


def _named(text: str, q: MatchReply) -> tuple[str, ...]:
    """The same without what one does with anything: `发你邮箱了` says nothing of 发日报."""
    return _best(" ".join(sorted(grams(text) - _DOING)), q)


_DOING = frozenset("发给交传寄送拿弄搞做写办看说回改还问")


def _foremost(best: Best) -> Best:
    """Of several that share equally much with a clause, the one that it speaks of first: the contract is signed."""

    def about(clause: str, q: MatchReply) -> tuple[str, ...]:
        alike = best(clause, q)
        if len(alike) < 2:
            return alike
        texts = {c.concern_id: f"{c.title} {c.goal} {c.asked}" for c in q.candidates if c.concern_id in alike}
        words = clause.split(" ")
        openings = (" ".join(words[:end]) for end in range(1, len(words)))
        first = (tuple(i for i in alike if shared(opening, texts[i])) for opening in openings)
        return next((named for named in first if named), alike)

    return about


_HEAD = re.compile(r"\s*(?P<head>[^:：,，。;；\n]{1,16})[:：]\s*(?=\S)")


def _headed(q: MatchReply) -> tuple[str, ...]:
    """`今天日报：1. … 2. …`: what stands under a heading is one thing, and of the matter that the heading names."""
    hit = _HEAD.match(q.text)
    if hit is None or _HEAD.search(q.text, hit.end()):
        return ()
    found = _best(without_times(hit["head"], q.now), q)
    return found if len(found) == 1 else ()


def _answered(q: MatchReply) -> tuple[str, ...]:
    """Those whose question the reply answers as it stands: `做好了` to `做好了吗`, `去杭州` to `去哪`. A bare yes fits any."""
    if is_yes_alone(fold(q.text)) or says_nothing_yet(q.text):
        return ()
    return tuple(c.concern_id for c in q.candidates if answers(q.text, q.now, c))


def speaks_of_what_is_over(text: str, now: datetime, over: ConcernBrief, still: Sequence[ConcernBrief]) -> bool:
    """Whether words take up those of a closed matter, and neither those nor the question of any that is open."""

    def alike(concern: ConcernBrief) -> int:
        return shared(text, f"{concern.title} {concern.goal} {concern.asked}")

    return shared(text, over.title) >= _CLEARLY and not any(alike(c) or answers(text, now, c) for c in still)


_CLEARLY = 2


def _by_kind(q: MatchReply, candidates: list[ConcernBrief]) -> tuple[str, ...]:
    return tuple(c.concern_id for c in candidates if fits_kind(q.text, q.now, c))


def _by_last(q: MatchReply, alike: tuple[str, ...]) -> Match | None:
    """By what was put to them just now; `alike`: those that share as many words with the reply, where any do."""
    last = next((c for c in q.candidates if c.concern_id == q.just_asked), None)
    if last is None or (alike and last.concern_id not in alike):
        return None
    others = [c for c in q.candidates if c is not last and (not alike or c.concern_id in alike)]
    match for_last(q.text, q.now, last, others):
        case "last":
            return Match(concern_ids=(last.concern_id,))
        case "either":
            return _unclear(q)
        case _:
            return None
