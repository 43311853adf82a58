"""Whether somebody's words are about what the bot asked of its own accord, and nobody waits for (RULES 2, heartbeats).

Whatever else they say has its own place: an order, a remark, another promise, a word to be passed on. What nobody
waits for must not swallow it.
"""

from __future__ import annotations

from datetime import datetime, time

from core.brain.answers import SignalOf
from core.brain.rules.replies.reading import Scene, is_brief, read
from core.brain.rules.signals.lifting import signals_of
from core.brain.rules.signals.promises import deed_of
from core.brain.rules.words.text import grams, likeness, shared

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


def _is_another(signal: SignalOf, deed: str, now: datetime) -> bool:
    """A promise of something else, or a trouble with it."""
    said = deed_of(signal.what, now) if signal.kind == "commitment" else signal.what
    return len(grams(said)) > 1 and likeness(said, deed) < _ALIKE
