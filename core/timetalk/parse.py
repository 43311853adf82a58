"""From a text to its time expressions."""

from dataclasses import replace
from datetime import datetime, tzinfo
from functools import lru_cache

from .dates import Ctx
from .en import find_en
from .gone import gone_by
from .model import Piece, TimeExpr
from .numerals import plain
from .settle import Reading, settle
from .standing import standing
from .zh import find_zh
from .zones import said_zone


def readings(text: str, now: datetime, lang: str | None = None) -> list[Reading]:
    """Like ``parse``, with how each expression was said."""
    if now.tzinfo is None:
        raise ValueError("now must carry a time zone.")
    read = _readings if _is_hashable(now.tzinfo) else _readings.__wrapped__
    found = read(text, now.replace(tzinfo=None), now.fold, now.tzinfo, lang)
    clocked = any(r.expr.grain == "minute" for r in found)
    said = said_zone(text, now.tzinfo) if clocked else None
    if said is None or said.zone is None:
        return list(found)
    there = now.astimezone(said.zone)
    return [_seen_from(r, text, now) for r in read(said.text, there.replace(tzinfo=None), there.fold, said.zone, lang)]


def _is_hashable(zone: tzinfo) -> bool:
    """Zones of other makers need not be."""
    try:
        hash(zone)
    except TypeError:
        return False
    return True


def _seen_from(reading: Reading, text: str, now: datetime) -> Reading:
    """What was read in another zone, in that of ``now``: a clock is moved; a day is a day everywhere, and begins here."""
    expr = replace(reading.expr, text=text[slice(*reading.expr.pos)])
    if expr.grain in ("minute", "second"):
        start, end = expr.start and expr.start.astimezone(now.tzinfo), expr.end and expr.end.astimezone(now.tzinfo)
        day = start.date() if start and reading.day else reading.day
        return replace(reading, expr=replace(expr, start=start, end=end), day=day)
    start, end = expr.start and expr.start.replace(tzinfo=now.tzinfo), expr.end and expr.end.replace(tzinfo=now.tzinfo)
    return replace(reading, expr=replace(expr, start=start, end=end))


@lru_cache(maxsize=256)
def _readings(text: str, wall: datetime, fold: int, tz: tzinfo, lang: str | None) -> tuple[Reading, ...]:
    """One message is judged in several ways at one instant: it is read once.

    The zone stands beside the wall-clock time, since the same instant in two zones counts as equal.
    """
    ctx = Ctx(wall.replace(tzinfo=tz, fold=fold))
    words = plain(text)
    found = find_zh(text, ctx) if lang == "zh" or (lang is None and _has_han(text)) else []
    if lang == "en" or (lang is None and _has_latin(words)):
        found = _side_by_side(found, find_en(text, ctx))
    return tuple(standing(settle(gone_by(found, words), text, ctx), text, words))


def _side_by_side(first: list[Piece], second: list[Piece]) -> list[Piece]:
    """Both in order; where they overlap, the longer one, and of equals the one from ``first``."""
    if not first or not second:
        return first or second
    kept: list[Piece] = []
    for piece in sorted([*first, *second], key=lambda p: p.start):
        last = kept[-1] if kept else None
        if last is None or last.end <= piece.start:
            kept.append(piece)
        elif last.end - last.start < piece.end - piece.start:
            kept[-1] = piece
    return kept


def parse(text: str, now: datetime, lang: str | None = None) -> list[TimeExpr]:
    """The time expressions of a text in order of position, none overlapping another.

    ``now`` must carry a time zone; results carry the same. ``lang`` is "zh", "en" or None, which reads by script.
    """
    return [r.expr for r in readings(text, now, lang)]


def _has_han(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" for c in text)


def _has_latin(text: str) -> bool:
    return any(c.isascii() and c.isalnum() for c in text)
