"""From a text to its time expressions."""

from datetime import datetime, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from .dates import Ctx
from .en import find_en
from .model import Piece, TimeExpr
from .settle import Reading, settle
from .zh import find_zh


def readings(text: str, now: datetime, lang: str | None = None) -> list[Reading]:
    """Like ``parse``, with how each expression was said."""
    if now.tzinfo is None:
        raise ValueError("now must carry a time zone.")
    # Zones of other makers need not be hashable.
    read = _readings if isinstance(now.tzinfo, (ZoneInfo, timezone)) else _readings.__wrapped__
    return list(read(text, now.replace(tzinfo=None), now.fold, now.tzinfo, lang))


@lru_cache(maxsize=256)
def _readings(text: str, wall: datetime, fold: int, tz: tzinfo, lang: str | None) -> tuple[Reading, ...]:
    """One message is judged in several ways at one instant: it is read once.

    The zone stands beside the wall-clock time, since the same instant in two zones counts as equal.
    """
    ctx = Ctx(wall.replace(tzinfo=tz, fold=fold))
    found = find_zh(text, ctx) if lang == "zh" or (lang is None and _has_han(text)) else []
    if lang == "en" or (lang is None and _has_latin(text)):
        found = _side_by_side(found, find_en(text, ctx))
    return tuple(settle(found, text, ctx))


def _side_by_side(first: list[Piece], second: list[Piece]) -> list[Piece]:
    """Both in order; where they overlap, the longer one, and of equals the one from ``first``."""
    kept = list(first)
    for piece in second:
        rivals = [p for p in kept if p.start < piece.end and piece.start < p.end]
        if all(p.end - p.start < piece.end - piece.start for p in rivals):
            kept = [p for p in kept if p not in rivals] + [piece]
    return sorted(kept, key=lambda p: p.start)


def parse(text: str, now: datetime, lang: str | None = None) -> list[TimeExpr]:
    """The time expressions of a text in order of position, none overlapping another.

    ``now`` must carry a time zone; results carry the same. ``lang`` is "zh", "en" or None, which reads by script.
    """
    return [r.expr for r in readings(text, now, lang)]


def _has_han(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" for c in text)


def _has_latin(text: str) -> bool:
    return any(c.isascii() and c.isalnum() for c in text)
