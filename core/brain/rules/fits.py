"""Which open matter words fit by their kind, where they name none: a time, a yes, a thing that was sent, a put-off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from core.brain.questions import ConcernBrief
from core.brain.rules.replies import reply
from core.brain.rules.replies.evidence import satisfied
from core.brain.rules.replies.put_off import ASKS_IN_RETURN, PUTS_OFF, gives_no_answer
from core.brain.rules.words.added import questions_added
from core.brain.rules.words.goal import Want, wants
from core.brain.rules.words.signs import is_done, is_no, is_yes_alone
from core.brain.rules.words.text import clauses, fold, shared
from core.timetalk import has_definite_time, is_vague

_REQUESTS = frozenset({Want.THING, Want.DEED})


def answers(text: str, now: datetime, concern: ConcernBrief) -> bool:
    """Whether a text as it stands gives what the matter wants."""
    asked = concern.asked or concern.title
    about = f"{concern.goal} {asked}"
    wished = (wants(concern.goal, asked), *(wants(one, one) for one in questions_added(concern.goal)))
    return any(all(satisfied(want, text, now, about) for want in each) for each in wished)


def fits_kind(text: str, now: datetime, concern: ConcernBrief) -> bool:
    """A time answers a when-question, a number a how-many, a thing sent a request for it."""
    want = _wanted(concern)
    timed = has_definite_time(text, now) or is_vague(text, now)
    if Want.TIME in want:
        return timed
    if Want.NUMBER in want:
        return not timed and any(c.isdigit() for c in text)
    return bool(want & _REQUESTS) and is_done(fold(text))


def for_last(
    text: str, now: datetime, last: ConcernBrief, others: Sequence[ConcernBrief]
) -> Literal["last", "either", "other"]:
    """Whether words that name none of them are for `last`, the one that was put just now.

    They are where they answer it or are what is said to a request, and give no other what it wants in a form of its
    own. That it is looked into, or comes later, fits any question, so it goes to the one that was just put.
    """
    requested = bool(_wanted(last) & _REQUESTS)
    if says_nothing_yet(text):
        own = [fold(c) for c in clauses(text)]
        to_come = any(map(reply.GIVES.search, own)) and not any(map(gives_no_answer, own))
        return "either" if to_come and not requested and any(map(_is_request, others)) else "last"
    rivals = [c for c in others if _gives(text, now, c)]
    if requested and _takes_a_request(text, now):
        timed = has_definite_time(text, now) and not reply.GIVES.search(fold(text))
        return "either" if timed and any(Want.TIME in _wanted(c) for c in rivals) else "last"
    if answers(text, now, last):
        return "last"
    return "other" if rivals else "last"


def goes_on(text: str, over: ConcernBrief, still: Sequence[ConcernBrief]) -> bool:
    """Whether words said right after those that closed a request only say once more that it is done (`发了，你看下`), and
    take up no word of any open one, nor may be what is said to another request.
    """
    if not (_is_request(over) and is_done(fold(text))):
        return False
    return not any(shared(text, f"{c.title} {c.goal}") or _is_request(c) for c in still)


def says_nothing_yet(text: str) -> bool:
    """Whether it agrees, puts off, or tells that it is being looked into, and answers no question."""
    own = [fold(c) for c in clauses(text)]
    if not own or reply.asks(text):
        return False
    if any(gives_no_answer(c) and not ASKS_IN_RETURN.search(c) for c in own):
        return True
    put_off = [c for c in own if not is_yes_alone(c)]
    return bool(put_off) and all(PUTS_OFF.search(c) and not is_done(c) for c in put_off)


def _takes_a_request(text: str, now: datetime) -> bool:
    """What is said to somebody who wants a thing or a deed: it is done, it will be, by when, or that it won't."""
    own = fold(text)
    timed = has_definite_time(text, now) or is_vague(text, now)
    return timed or is_done(own) or is_yes_alone(own) or reply.promises(own) or is_no(own)


def _gives(text: str, now: datetime, concern: ConcernBrief) -> bool:
    """Whether it gives what a matter wants in a form of its own; a bare yes or receipt gives it to nobody."""
    if is_yes_alone(fold(text)) or Want.CONFIRM in _wanted(concern):
        return False
    return fits_kind(text, now, concern) or answers(text, now, concern)


def _wanted(concern: ConcernBrief) -> frozenset[Want]:
    return wants(concern.goal, concern.asked or concern.title)


def _is_request(concern: ConcernBrief) -> bool:
    return bool(_wanted(concern) & _REQUESTS)
