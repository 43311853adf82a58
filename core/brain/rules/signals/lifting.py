"""The signals of a message, and what of a brain's signals stands (RULES 2)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time

from core.brain.answers import SignalOf
from core.brain.rules.signals.promises import is_deed_done, is_promise_alone, promises_in
from core.brain.rules.signals.troubles import is_trouble_alone, troubles_in
from core.brain.rules.words.text import any_of, fold, is_empty, made_of, squeezed, without_quotes
from core.patterns import lazy
from core.timetalk import parse, promised

MOST = 3
"""More than these nobody tells in one message."""

_SIX = time(18, 0)


def signals_of(text: str, now: datetime, end_of_work: time = _SIX) -> tuple[SignalOf, ...]:
    """Promises, risks and blockers in the speaker's own words. `now` carries the speaker's zone."""
    own = without_quotes(text)
    promises = promises_in(own, now, end_of_work)
    made = (SignalOf(kind="commitment", what=p.said, when=p.when) for p in promises)
    for promise in promises:
        own = own.replace(promise.said, "", 1)
    told = (SignalOf(kind=t.kind, what=t.what) for t in troubles_in(own))
    return (*made, *told)[:MOST]


def is_plain_yes(text: str) -> bool:
    """A yes to "shall I follow it up?", and nothing else: with a name or a thing in it, it may be another order."""
    return made_of(squeezed(text), _YES) or (is_empty(text) and bool(_NOD.search(text)))


def says_follow_up(text: str) -> bool:
    """Whether a plain yes names what it is for, so that it is for nothing else that was said meanwhile."""
    return is_plain_yes(text) and bool(_FOLLOW_UP.search(fold(text)))


_FOLLOW_UP = lazy("跟进|跟一?下|follow")
_NOD = lazy("👍|👌|✅|🆗")
_YES = any_of(
    r"""
    没问题|收到|可以|麻烦|帮我|跟进|跟一?下|问一?下|问问|催一?下|当然|需要|嗯|好|行|对|是|要|嘞|滴|的|吧|啊|那|就|你|去|跟|一下|替我
    gladly|goahead|followup|followit|please|okay|ok|yes|yep|yeah|sure|fine|doit|dothat|do
    """
)


def tells_own_deed(text: str, now: datetime) -> bool:
    """Whether the words only tell of what the speaker will do or has done: they order nothing, whomever they name."""
    own = without_quotes(text)
    return is_promise_alone(own, now) or is_deed_done(own, now)


def tells_trouble(text: str) -> bool:
    """Whether the words only tell of a risk or of what stands still, and order nothing about it."""
    return is_trouble_alone(without_quotes(text))


def clamped(signals: Iterable[SignalOf], text: str, now: datetime, end_of_work: time = _SIX) -> tuple[SignalOf, ...]:
    """The brain proposes: what is kept is told in words of the message, each once, and a promise has a day to come.

    Where the words name a time, the day is what they promise by it; where they name none (the brain knew it from
    elsewhere), it is the brain's.
    """
    said, kept = squeezed(text), list[SignalOf]()
    for signal in signals:
        if not signal.what.strip() or squeezed(signal.what) not in said or any(k.what == signal.what for k in kept):
            continue
        if signal.kind == "commitment":
            when = _day(signal, text, now, end_of_work)
            if when is None or when <= now:
                continue
            kept.append(signal.model_copy(update={"when": when}))
        else:
            kept.append(signal.model_copy(update={"when": None}))
    return tuple(kept[:MOST])


def _day(signal: SignalOf, text: str, now: datetime, end_of_work: time) -> datetime | None:
    words = signal.what if parse(signal.what, now) else text
    if parse(words, now):
        return promised(words, now, end_of_work=end_of_work)
    if signal.when is None:
        return None
    return signal.when.replace(tzinfo=now.tzinfo) if signal.when.tzinfo is None else signal.when
