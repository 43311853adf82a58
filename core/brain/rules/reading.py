"""One delegate's words, read against the goal: attitude, promise, and whether their part of the goal is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time

from core.brain.questions import AttitudeName, PersonBrief
from core.brain.rules import reply
from core.brain.rules.goal import CONDITION, HEDGE, NO, Want, is_done, is_yes_alone, satisfied, wants
from core.brain.rules.text import fold, is_empty, sentences, shared, squeezed
from core.timetalk import has_definite_time, is_vague, promised


@dataclass(frozen=True)
class Reading:
    """What the words amount to. `met`: what the goal wants of this delegate is there."""

    attitude: AttitudeName
    met: bool = False
    promised: datetime | None = None
    names_other: str | None = None
    questions: tuple[str, ...] = ()
    proposal: bool = False
    conditional: bool = False
    for_owner: bool = False
    commanded: bool = False
    words: str = ""


@dataclass(frozen=True)
class Scene:
    """What the words are read against."""

    goal: str
    asked: str
    now: datetime
    end_of_work: time
    names: tuple[PersonBrief, ...] = ()
    known: str = ""


def read(new: Sequence[str], scene: Scene) -> Reading:
    """All new messages together; what comes later corrects what came before."""
    text, commanded = reply.without_commands(reply.last_word(tuple(new)))
    if not text.strip():
        return Reading("unrelated" if commanded else "silent", commanded=commanded)
    want = wants(scene.goal, scene.asked)
    if reply.is_small_talk(text, scene.goal) and not (Want.CONFIRM in want and satisfied(Want.CONFIRM, text, scene.now, scene.asked)):
        return Reading("unrelated", commanded=commanded, words=text)
    first = _verdict(text, want, scene)
    return Reading(
        attitude=first.attitude,
        met=first.met,
        promised=_promise(text, first, want, scene),
        names_other=reply.pointed_to(text, scene.names) if first.attitude == "refused" else None,
        questions=tuple(reply.questions_in(text)),
        proposal=first.proposal,
        conditional=first.conditional,
        for_owner=bool(reply.NEEDS_BOSS.search(fold(text))),
        commanded=commanded,
        words=text,
    )


def _verdict(text: str, want: frozenset[Want], scene: Scene) -> Reading:
    own = fold(text)
    said = reply.statements_in(text)
    if reply.AWAY.search(own) and not is_done(own) and Want.INFO not in want:
        return Reading("away")
    if reply.PROPOSAL.search(own):
        return Reading("question", proposal=True)
    met = bool(said) and all(_one_met(w, said, scene) for w in want)
    if met and CONDITION.search(fold(said)) and not is_done(fold(said)):
        return Reading("answered", conditional=True)
    if met:
        committed = want <= {Want.CONFIRM, Want.CONSENT, Want.YESNO} and reply.PROMISE.search(own) and re.search(r"保证|will do|i'?ll\b|一定", own)
        return Reading("commitment" if committed else "answered", met=True)
    return _not_met(text, own, said, want, scene)


def _one_met(want: Want, said: str, scene: Scene) -> bool:
    """One want, over the whole and over each sentence: a hedge in one sentence leaves the others what they are."""
    if satisfied(want, said, scene.now, scene.asked):
        return True
    parts = sentences(said)
    return len(parts) > 1 and want is not Want.INFO and any(satisfied(want, p, scene.now, scene.asked) for p in parts) and not _hedged_end(parts)


def _hedged_end(parts: list[str]) -> bool:
    return bool(HEDGE.search(fold(parts[-1])) and not has_digit(parts[-1]))


def has_digit(text: str) -> bool:
    """A digit somewhere."""
    return any(c.isdigit() for c in text)


def _not_met(text: str, own: str, said: str, want: frozenset[Want], scene: Scene) -> Reading:
    asks = reply.questions_in(text)
    gives = want & {Want.THING, Want.DEED, Want.CONSENT}
    promises = _will(text, own, want, scene)
    if reply.REFUSED.search(own) and not promises and (gives or reply.pointed_to(text, scene.names) or re.search(r"不归|不关|不是我|问错|找错|wrong person|not my", own)):
        return Reading("refused")
    if asks and not promises and not reply.RESISTANT.search(own):
        return Reading("question")
    if promises and not reply.RESISTANT.search(own):
        return Reading("commitment")
    if reply.RESISTANT.search(own):
        return Reading("resistant")
    if gives and NO.search(own) and reply.REFUSED.search(own):
        return Reading("refused")
    if CONDITION.search(own) and not reply.VAGUE.search(own):
        return Reading("answered", conditional=True)
    if reply.VAGUE.search(own) or HEDGE.search(own) or is_vague(text, scene.now) or is_yes_alone(own):
        return Reading("vague")
    if asks:
        return Reading("question")
    if shared(said, f"{scene.goal} {scene.asked}") or NO.search(own) or len(squeezed(own)) >= 4 and is_done(own):
        return Reading("answered")
    return Reading("unrelated" if not shared(text, scene.goal) and len(squeezed(own)) > 3 and Want.TIME not in want else "vague")


def _will(text: str, own: str, want: frozenset[Want], scene: Scene) -> bool:
    """Promises the thing or the deed: a definite time with a verb of giving, or a plain promise."""
    if not want & {Want.THING, Want.DEED, Want.INFO, Want.CONSENT, Want.CONFIRM, Want.YESNO, Want.NUMBER, Want.TIME}:
        return False
    definite = has_definite_time(text, scene.now)
    promise = bool(reply.PROMISE.search(own))
    if want & {Want.THING, Want.DEED}:
        return (promise and (definite or not reply.VAGUE.search(own))) or (definite and not NO.search(own) and not re.search(r"争取|尽量|hopefully|maybe|try", own))
    return promise and definite and bool(re.search(r"给|发|交|报|告诉|回|弄|定|send|tell|let you know|get back|submit|have it", own))


def _promise(text: str, first: Reading, want: frozenset[Want], scene: Scene) -> datetime | None:
    if first.attitude == "away":
        return _back(text, scene)
    if first.attitude == "commitment" or (first.met and Want.TIME in want):
        return promised(text, scene.now, end_of_work=scene.end_of_work)
    return None


def _back(text: str, scene: Scene) -> datetime | None:
    """When they are back: the start of that day; the engine moves it to their opening."""
    until = promised(text, scene.now, end_of_work=scene.end_of_work)
    return until.replace(hour=9, minute=0, second=0, microsecond=0) if until else None


def is_nothing(text: str) -> bool:
    """No words at all."""
    return is_empty(text)
