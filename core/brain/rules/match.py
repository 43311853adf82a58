"""Several matters are open with one delegate: which one does a reply belong to?"""

from __future__ import annotations

from core.brain.questions import ConcernBrief, Match, MatchReply
from core.brain.rules.replies.evidence import satisfied
from core.brain.rules.words.goal import Want, wants
from core.brain.rules.words.signs import is_done, is_yes_alone
from core.brain.rules.words.text import any_of, clauses, fold, made_of, shared, squeezed
from core.timetalk import has_definite_time, is_vague

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
        if len(told) == 1:
            return Match(concern_ids=told)
    by_part = [_best(part, q) for part in clauses(q.text)]
    named = tuple(dict.fromkeys(i for winners in by_part if len(winners) == 1 for i in winners))
    if named:
        return Match(concern_ids=named)
    whole = _best(q.text, q)
    if len(whole) == 1:
        return Match(concern_ids=whole)
    answered = _answered(q)
    if len(answered) == 1:
        return Match(concern_ids=answered)
    by_kind = _by_kind(q, [c for c in q.candidates if not whole or c.concern_id in whole])
    if len(by_kind) == 1:
        return Match(concern_ids=by_kind)
    return Match(concern_ids=tuple(c.concern_id for c in q.candidates), unclear=True)


def _best(text: str, q: MatchReply) -> tuple[str, ...]:
    """Those that share most words with the text; empty when none shares any."""
    points = {c.concern_id: shared(text, f"{c.title} {c.goal} {c.asked}") for c in q.candidates}
    most = max(points.values())
    return tuple(i for i, p in points.items() if p == most) if most else ()


def _answered(q: MatchReply) -> tuple[str, ...]:
    """Those whose question the reply answers as it stands: `做好了` to `做好了吗`, `去杭州` to `去哪`. A bare yes fits any."""
    if is_yes_alone(fold(q.text)):
        return ()
    return tuple(c.concern_id for c in q.candidates if _answers(q, c))


def _answers(q: MatchReply, concern: ConcernBrief) -> bool:
    asked = concern.asked or concern.title
    about = f"{concern.goal} {asked}"
    return all(satisfied(want, q.text, q.now, about) for want in wants(concern.goal, asked))


def _by_kind(q: MatchReply, candidates: list[ConcernBrief]) -> tuple[str, ...]:
    """A time answers a when-question, a number a how-many, a thing sent a request for it."""
    return tuple(c.concern_id for c in candidates if _fits(q, wants(c.goal, c.asked or c.title)))


def _fits(q: MatchReply, want: frozenset[Want]) -> bool:
    timed = has_definite_time(q.text, q.now) or is_vague(q.text, q.now)
    if Want.TIME in want:
        return timed
    if Want.NUMBER in want:
        return not timed and any(c.isdigit() for c in q.text)
    return bool(want & {Want.THING, Want.DEED}) and is_done(fold(q.text))
