"""Ranges: "周一到周三", "下午两点到五点", "12 to 15 October". The second half takes from the first what it leaves out."""

import re
from collections.abc import Callable
from dataclasses import replace

from .model import Piece

Between = Callable[[str, Piece, Piece], int | None]


def link_ranges(
    pieces: list[Piece], text: str, to: "re.Pattern[str]", between: Between, date_last: bool = False
) -> list[Piece]:
    """Pairs of pieces with a word of range between them as one piece with ``until``.

    ``date_last``: a date behind both times belongs to both ("9 to 11 on Thursday").
    """
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if last and _rangeable(last) and _rangeable(piece) and not last.until:
            end = between(text, last, piece)
            if end is not None:
                # "2015年和2018年之间" ends where the second begins.
                piece = replace(piece, bound="between")
            elif to.fullmatch(text, last.end, piece.start):
                end = piece.end
            if end is not None and (linked := _link(last, piece, date_last)):
                out[-1] = replace(linked, end=end)
                continue
            piece = replace(piece, bound=None)
        out.append(piece)
    return out


def _rangeable(piece: Piece) -> bool:
    return not (piece.length or piece.vague or piece.rule or piece.bound)


def _link(a: Piece, b: Piece, date_last: bool) -> Piece | None:
    first, last = _share_date(a, b)
    if date_last and first.clock and last.clock and not (first.day or first.fields):
        first, last = replace(first, day=last.day, fields=last.fields), replace(last, day=None, fields=None)
    first, last = _share_half(first, last)
    if bool(first.clock) != bool(last.clock) and not (first.exact or last.exact):
        return None
    return replace(first, end=b.end, until=last, weak=False)


def _share_date(a: Piece, b: Piece) -> tuple[Piece, Piece]:
    if a.fields and b.fields:
        if a.fields.day and not a.fields.month and b.fields.month:
            # "12 to 15 October", "from 13th to the 15 of July"
            a = replace(a, fields=replace(a.fields, month=b.fields.month, year=a.fields.year or b.fields.year))
        elif b.fields.day and not b.fields.month and a.fields.month:
            b = replace(b, fields=replace(b.fields, month=a.fields.month, year=b.fields.year or a.fields.year))
        elif a.fields.year and not b.fields.year and (b.fields.month or b.fields.quarter):
            b = replace(b, fields=replace(b.fields, year=a.fields.year))
        elif b.fields.year and not a.fields.year and a.fields.month and b.fields.month:
            # "Aug 10 - Nov 12, 2013", "Nov-Feb 2017"
            year = b.fields.year - (a.fields.month > b.fields.month)
            a = replace(a, fields=replace(a.fields, year=year))
    return a, b


def _share_half(a: Piece, b: Piece) -> tuple[Piece, Piece]:
    """ "下午两点到五点", "5 to 6 pm": one half of the day said for both."""
    if not (a.clock and b.clock):
        return a, b
    if a.part and not b.part and not b.clock.fixed and (b.day is None or b.day == a.day):
        same_half = b.clock.hour >= a.clock.hour or a.clock.hour == 12
        b = replace(b, part=a.part) if same_half or a.part != "morning" else replace(b, part="afternoon")
    elif b.clock.fixed and b.clock.hour > 12 and not a.clock.fixed and not a.part:
        if (a.clock.hour % 12 + 12, a.clock.minute) < (b.clock.hour, b.clock.minute):
            a = replace(a, clock=replace(a.clock, hour=a.clock.hour % 12 + 12, fixed=True))
        else:
            a = replace(a, clock=replace(a.clock, fixed=True))
    elif b.part and not a.part and not a.clock.fixed and a.clock.hour <= b.clock.hour:
        a = replace(a, part=b.part)
    elif a.clock.fixed and not b.clock.fixed and not b.part and a.clock.hour >= 12 and b.clock.hour < 12:
        b = replace(b, clock=replace(b.clock, hour=b.clock.hour + 12, fixed=True))
    return a, b
