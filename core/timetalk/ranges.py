"""Ranges: "周一到周三", "下午两点到五点", "12 to 15 October". The second half takes from the first what it leaves out."""

import re
from collections.abc import Callable
from dataclasses import replace

from core.patterns import lazy

from .model import Clock, Piece

Between = Callable[[str, Piece, Piece], int | None]
Apart = Callable[[str, Piece, Piece], bool]


def link_ranges(
    pieces: list[Piece],
    text: str,
    to: "re.Pattern[str]",
    between: Between,
    date_last: bool = False,
    apart: Apart = lambda text, a, b: False,
) -> list[Piece]:
    """Pairs of pieces with a word of range between them as one piece with ``until``.

    ``date_last``: a date behind both times belongs to both ("9 to 11 on Thursday"). ``apart`` tells that two are none.
    """
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if last and _rangeable(last) and (_rangeable(piece) or _counts_on(last, piece, text)) and not last.until:
            end = between(text, last, piece)
            if end is not None:
                # "2015年和2018年之间" ends where the second begins.
                piece = replace(piece, bound="between")
            elif to.fullmatch(text, last.end, piece.start) and not apart(text, last, piece):
                later = _LATER.match(text, piece.end) if piece.length else None
                end = later.end() if later else piece.end
            if end is not None and (linked := _link(last, piece, date_last)):
                out[-1] = replace(linked, end=end)
                continue
            piece = piece if piece.length else replace(piece, bound=None)
        out.append(piece)
    return out


def _rangeable(piece: Piece) -> bool:
    return not (piece.length or piece.vague or piece.rule or piece.bound)


_LATER = lazy(r"\s*(?:以后|之后|后|later\b|from now\b)")


def _counts_on(first: Piece, last: Piece, text: str) -> bool:
    """ "from now until ten minutes later", "现在到三小时后"."""
    return bool(first.exact and last.length and not (last.bound or last.vague) and _LATER.match(text, last.end))


def _link(a: Piece, b: Piece, date_last: bool) -> Piece | None:
    a, b = _share_date(a, b)
    if date_last and a.clock and b.clock and not (a.day or a.fields):
        a, b = replace(a, day=b.day, fields=b.fields), replace(b, day=None, fields=None)
    if a.clock and b.clock:
        a, b = _share_half(a, b, a.clock, b.clock)
    elif bool(a.clock) != bool(b.clock) and not (a.exact or b.exact):
        return None
    return replace(a, end=b.end, until=b, weak=False)


def _share_date(a: Piece, b: Piece) -> tuple[Piece, Piece]:
    if not (a.fields and b.fields):
        return a, b
    first, last = a.fields, b.fields
    if first.day and not first.month and last.month:
        # "12 to 15 October", "from 13th to the 15 of July"
        first = replace(first, month=last.month, year=first.year or last.year)
    elif last.day and not last.month and first.month:
        last = replace(last, month=first.month, year=last.year or first.year)
    elif first.year and not last.year and (last.month or last.quarter):
        last = replace(last, year=first.year)
    elif last.year and not first.year and first.month and last.month:
        # "Aug 10 - Nov 12, 2013", "Nov-Feb 2017"
        first = replace(first, year=last.year - (first.month > last.month))
    return replace(a, fields=first), replace(b, fields=last)


def _share_half(a: Piece, b: Piece, first: Clock, last: Clock) -> tuple[Piece, Piece]:
    """ "下午两点到五点", "5 to 6 pm": one half of the day said for both."""
    if a.part and not b.part and not last.fixed and (b.day is None or b.day == a.day):
        same_half = last.hour >= first.hour or first.hour == 12 or a.part != "morning"
        return a, replace(b, part=a.part if same_half else "afternoon")
    if last.fixed and last.hour <= 12 and not first.fixed and not a.part and first.hour <= last.hour:
        return replace(a, clock=replace(first, fixed=True)), b
    if last.fixed and last.hour > 12 and not first.fixed and not a.part:
        later = (first.hour % 12 + 12, first.minute)
        hour = later[0] if later < (last.hour, last.minute) else first.hour
        return replace(a, clock=replace(first, hour=hour, fixed=True)), b
    if b.part and not a.part and not first.fixed and first.hour <= last.hour:
        return replace(a, part=b.part), b
    if not (first.fixed or last.fixed or a.part or b.part) and 7 <= first.hour <= 12 and last.hour < first.hour:
        # "9 to 5", "11 to 1" run over noon.
        return replace(a, clock=replace(first, fixed=True)), replace(
            b, clock=replace(last, hour=last.hour + 12, fixed=True)
        )
    if first.fixed and not last.fixed and not b.part and first.hour >= 12 > last.hour:
        return a, replace(b, clock=replace(last, hour=last.hour + 12, fixed=True))
    return a, b
