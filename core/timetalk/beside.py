"""What stands beside a piece and changes it: days counted from a named day, a second time of a recurrence, a limit."""

import re
from dataclasses import replace
from datetime import date

from .dates import Ctx, add_business_days, add_days, resolve_fields
from .model import Piece


def named_day(piece: Piece, ctx: Ctx) -> object:
    """The day that a piece names, without a time of its own; None where it names none."""
    if piece.bound or piece.until or piece.clock or piece.exact or piece.rule:
        return None
    return piece.day or (resolve_fields(piece.fields, ctx.today) if piece.fields and piece.fields.names_day else None)


def moved(piece: Piece, start: int, end: int, days: int, ctx: Ctx, *, working: bool = False) -> Piece | None:
    """The day that lies `days` from the one that a piece names ("五一前一天"), counted in working days where it is said
    so; None where it names none."""
    day = named_day(piece, ctx)
    there = (add_business_days if working else add_days)(day, days) if isinstance(day, date) else None
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


def between_bounds(pieces: list[Piece], text: str, gap: "re.Pattern[str]") -> list[Piece]:
    """ "三点以后五点之前", "after 3 and before 5" as one range."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        opens = last and last.bound in ("after", "onward") and not last.length
        if (
            last
            and opens
            and piece.bound in ("before", "by")
            and not piece.length
            and gap.fullmatch(text, last.end, piece.start)
        ):
            end = replace(piece, bound="between" if piece.bound == "before" else None)
            out[-1] = replace(last, end=piece.end, bound=None, until=end)
            continue
        out.append(piece)
    return out


def blurred(pieces: list[Piece], text: str, gap: "re.Pattern[str]") -> list[Piece]:
    """ "sometime next week", "下周找个时间": a period that a vague word stands beside is no definite time."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        whole = (piece.period or (piece.fields and not piece.fields.names_day)) and not (
            piece.bound or piece.until or piece.nth
        )
        if last and whole and last.vague and not last.length and gap.fullmatch(text, last.end, piece.start):
            out[-1] = replace(last, end=piece.end)
            continue
        out.append(piece)
    return out


def without_a_day(pieces: list[Piece], text: str, behind: "re.Pattern[str]") -> list[Piece]:
    """ "下周找个时间": a period behind which the day is left open is no definite time."""
    return [replace(p, vague=True) if _whole_period(p) and behind.match(text, p.end) else p for p in pieces]


def _whole_period(piece: Piece) -> bool:
    named = piece.period or (piece.fields and not piece.fields.names_day and not piece.rule)
    return bool(named) and not (piece.bound or piece.until or piece.nth or piece.clock or piece.part)


def _may_go_on(last: Piece, piece: Piece) -> bool:
    if not (last.rule and last.clock and piece.clock) or last.clock.minute != piece.clock.minute:
        return False
    return not (piece.fields or piece.day or piece.period or piece.bound or piece.nth or piece.exact or piece.rule)
