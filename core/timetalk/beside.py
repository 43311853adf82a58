"""What stands beside a piece and changes it: days counted from a named day, a second time of a recurrence."""

import re
from dataclasses import replace

from .dates import Ctx, add_days, resolve_fields
from .model import Piece


def named_day(piece: Piece, ctx: Ctx) -> object:
    """The day that a piece names, without a time of its own; None where it names none."""
    if piece.bound or piece.until or piece.clock or piece.exact or piece.rule:
        return None
    return piece.day or (resolve_fields(piece.fields, ctx.today) if piece.fields and piece.fields.names_day else None)


def moved(piece: Piece, start: int, end: int, days: int, ctx: Ctx) -> Piece | None:
    """The day that lies `days` from the one that a piece names ("五一前一天"); None where it names none."""
    day = named_day(piece, ctx)
    there = add_days(day, days) if hasattr(day, "toordinal") else None  # type: ignore[arg-type]
    return Piece(start, end, day=there, part=piece.part) if there else None


def with_further_hours(pieces: list[Piece], text: str, gap: "re.Pattern[str]") -> list[Piece]:
    """ "每天九点和下午五点", "every day at 9 and 5" as one recurrence, where the minute is the same: a rule holds no
    two times that differ in it."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if last and _may_go_on(last, piece) and gap.fullmatch(text, last.end, piece.start) and piece.clock:
            out[-1] = replace(last, end=piece.end, further=(*last.further, (piece.clock, piece.part), *piece.further))
            continue
        out.append(piece)
    return out


def _may_go_on(last: Piece, piece: Piece) -> bool:
    if not (last.rule and last.clock and piece.clock) or last.clock.minute != piece.clock.minute:
        return False
    return not (piece.fields or piece.day or piece.period or piece.bound or piece.nth or piece.exact or piece.rule)
