"""Whether somebody's words are about what the bot asked of its own accord, and nobody waits for (RULES 2, heartbeats).

Whatever else they say has its own place: an order, a remark, another promise, a word to be passed on. What nobody
waits for must not swallow it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, time

from core.brain.answers import SignalOf
from core.brain.rules.replies.reading import is_brief, read
from core.brain.rules.replies.scene import Scene
from core.brain.rules.signals.lifting import signals_of
from core.brain.rules.signals.promises import deed_of, is_promise_alone, promises_in
from core.brain.rules.words.text import fold, grams, is_english, likeness, shared, without_quotes
from core.patterns import lazy

_ALIKE = 0.5
"""Share of the words of a promise that makes it one of the deed that was asked about."""


def bears_on(text: str, deed: str, goal: str, now: datetime, end_of_work: time) -> bool:
    """Whether the words may be about the deed: they name it, do it, put it off, or are too short to be about anything
    else. `now` carries the speaker's zone.
    """
    signals = signals_of(text, now, end_of_work)
    if any(_is_another(signal, deed, now) for signal in signals):
        return False
    if shared(text, deed) or any(signal.kind == "commitment" for signal in signals):
        return True
    reading = read([text], Scene(goal=goal, asked=deed, now=now, end_of_work=end_of_work))
    return reading.met or (is_brief(text) and reading.attitude != "unrelated")


# To whom it is handed: not to who hears it, nor to who asks.
_HANDED_ZH = lazy(r"(?:给|交到|送到|寄到)(?!你|您|咱|我|老板|领导)(?P<to>[a-z\u4e00-\u9fff]{1,8})")
_HANDED_EN = lazy(r"\bto (?:(?:the|my|our|his|her|their) )?(?!you\b|the boss\b)(?P<to>[a-z][\w-]*)")


def is_about_another(text: str, matters: Sequence[str], askers: Collection[str], now: datetime) -> bool:
    """Whether the words are nothing but the promise of a deed for somebody else, with no word of what was asked: an
    answer to it they hardly are, and it would be wrong to wait for it till then. `matters`: all that is known of each;
    `askers`: the names of who wants to know.
    """
    own = without_quotes(text)
    deeds = [p.deed for p in promises_in(own, now)]
    return bool(deeds) and is_promise_alone(own, now) and all(_is_for_others(d, matters, askers) for d in deeds)


def _is_for_others(deed: str, matters: Sequence[str], askers: Collection[str]) -> bool:
    handed = (_HANDED_EN if is_english(deed) else _HANDED_ZH).search(fold(deed))
    if handed is None or any(fold(name).startswith(handed["to"]) or fold(name) in handed["to"] for name in askers):
        return False
    return not any(shared(deed, matter) for matter in matters)


def _is_another(signal: SignalOf, deed: str, now: datetime) -> bool:
    """A promise of something else, or a trouble with it."""
    said = deed_of(signal.what, now) if signal.kind == "commitment" else signal.what
    return len(grams(said)) > 1 and likeness(said, deed) < _ALIKE
