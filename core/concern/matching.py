"""Which open concern a delegate's message, or an event outside, may be about: what can be told without a brain.

An event is held against the words of a matter. Both are cut into terms by the same function, so the store can keep
those of open matters and find them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import IntEnum

from core.brain.rules.words.goal import core_of
from core.brain.rules.words.text import grams, stands_in
from core.concern.changes import owing, was_contacted
from core.concern.model import CommStatus, Concern, ConcernType
from core.facts import Event
from core.ids import PersonId

_OUT = (CommStatus.NOT_NEEDED,)

MOST_TERMS = 40
"""So many words of a text lead to matters, those of its head line first."""

_ANYBODY_S = frozenset("main master trunk develop dev test testing staging release prod production head".split())
"""Branches that every project has: they tell no matter from another."""


def contacted(concerns: Iterable[Concern], person_id: PersonId) -> tuple[Concern, ...]:
    """Open concerns in which this person was written to, so that their words may be a reply; order kept."""
    return tuple(c for c in concerns if c.status.is_open and _is_asked(c, person_id) and was_contacted(c, person_id))


JUST_NOW = timedelta(minutes=10)
"""A question as fresh as this is what words that name nothing are taken to answer."""

LONG_AGO = timedelta(hours=1)
"""Whatever was put to them so long before is no rival to it; nor is what is `TIMES_OLDER` as old, and not of the same
moment.
"""

TIMES_OLDER = 3
SAME_MOMENT = timedelta(minutes=3)


def just_asked(
    concerns: Sequence[Concern], person_id: PersonId, at: datetime, said_last: datetime | None
) -> Concern | None:
    """The one that was put to them last, where it stands out: a moment before `at`, the others long before it, and they
    have said nothing since (`said_last`: when they spoke before, in whatever matter).
    """
    asked = sorted(((_asked_at(c, person_id), c) for c in concerns), key=lambda pair: pair[0], reverse=True)
    if len(asked) < 2:
        return None
    (last, concern), (before, _) = asked[:2]
    spoken = [e.ts for c in concerns for e in c.dialogue_with(person_id) if e.direction == "inbound" and e.ts < at]
    if said_last is not None:
        spoken.append(said_last)
    ago, earlier = at - last, at - before
    fresh = timedelta() <= ago <= JUST_NOW and all(said <= last for said in spoken)
    older = earlier > LONG_AGO or (earlier >= TIMES_OLDER * ago and earlier - ago >= SAME_MOMENT)
    return concern if fresh and older else None


def _asked_at(concern: Concern, person_id: PersonId) -> datetime:
    sent = [e.ts for e in concern.dialogue_with(person_id) if e.direction == "outbound"]
    return sent[-1] if sent else concern.created_at


def _is_asked(concern: Concern, person_id: PersonId) -> bool:
    return any(p.person_id == person_id and p.comm_status not in _OUT for p in concern.delegates)


# --- events ---------------------------------------------------------------------------------------------------------


class Fit(IntEnum):
    """How well an event fits a matter."""

    NOT = 0
    SPEAKS = 1
    """It has a word of it."""
    CLEAR = 2
    """It has what tells the matter from others: its numbers and versions, and most of its other words."""
    NAMED = 3
    """The matter names the very project or branch."""


def terms_of(concern: Concern) -> frozenset[str]:
    """The words by which an open matter is found; a closed one has none."""
    return grams(_words(concern)) if concern.status.is_open else frozenset()


def terms_in(event: Event) -> tuple[str, ...]:
    """The words of an event that lead to matters, those of its head line, branch and project first."""
    return leading(_head(event), event.text)


def leading(*texts: str) -> tuple[str, ...]:
    """The words of these texts that lead to matters; those of the first text first, in each the telling ones."""
    found: dict[str, None] = {}
    for text in texts:
        # A word with a figure in it (v2.0) or a long one is the rarer.
        found.update(dict.fromkeys(sorted(grams(text), key=lambda t: (not _has_figure(t), -len(t), t))))
    return tuple(found)[:MOST_TERMS]


def fit(event: Event, concern: Concern) -> Fit:
    """How well they fit, by words alone."""
    if not _may_be_met(concern):
        return Fit.NOT
    names = [event.project] + ([event.branch] if event.branch.casefold() not in _ANYBODY_S else [])
    if any(stands_in(name, _words(concern)) for name in names):
        return Fit.NAMED
    said = grams(_head(event))
    topic = grams(concern.title) or grams(core_of(concern.goal))
    if topic and _is_clear(topic, said):
        return Fit.CLEAR
    more = said | grams(event.text)
    return Fit.SPEAKS if (topic | grams(core_of(concern.goal))) & more else Fit.NOT


def _is_clear(topic: frozenset[str], said: frozenset[str]) -> bool:
    figures = {t for t in topic if _has_figure(t)}
    return figures <= said and len(topic & said) * 3 >= len(topic) * 2


def best_fitting(event: Event, who: PersonId | None, concerns: Iterable[Concern]) -> tuple[Concern, ...]:
    """Those that it fits best; `who` is the person that it comes from or is about.

    A matter in which they are not asked it must fit clearly, as it must where it is about nobody known. One in which
    they are asked goes before another that it fits as well.
    """
    ranked: dict[tuple[Fit, bool], list[Concern]] = {}
    for concern in concerns:
        how, theirs = fit(event, concern), who is not None and _is_asked(concern, who)
        if how >= (Fit.SPEAKS if theirs else Fit.CLEAR):
            ranked.setdefault((how, theirs), []).append(concern)
    return tuple(ranked[max(ranked)]) if ranked else ()


def part_shown(concern: Concern, who: PersonId | None) -> PersonId | None:
    """Whose part an event bears on: of whom it is about, if they are asked; else of the only one who owes an answer."""
    if who is not None and _is_asked(concern, who):
        return who
    left = owing(concern)
    return left[0].person_id if len(left) == 1 else None


def _may_be_met(concern: Concern) -> bool:
    asks = concern.type is not ConcernType.SCHEDULE and concern.relay is None
    return asks and concern.status.is_open and bool(concern.delegates)


def _head(event: Event) -> str:
    return f"{event.subject} {event.branch} {event.project}"


def _words(concern: Concern) -> str:
    return f"{concern.title}\n{core_of(concern.goal)}\n{concern.source.detail}"


def _has_figure(term: str) -> bool:
    return any(c.isdigit() for c in term)
