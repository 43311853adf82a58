"""Pieces of a snapshot, and which of them go when there is no room.

What is cut first, from the top: lines of the dialogue but the last few, oldest first; recent decisions, oldest first;
runs of actions; people whom the message does not name; details of matters, the least important matter first;
schedules, expectations and watch items, the last first; matters that the message does not name; then, only in a context
that is far too small, the last lines of the dialogue, details of what is named, people and matters that are named, what
hangs, what waits for a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, auto

from core.context.text import tokens
from core.context.wording import Wording


class Cut(IntEnum):
    """When a piece goes: the lower the sooner."""

    OLD_LINE = auto()
    DECISION = auto()
    RUN = auto()
    OTHER_PERSON = auto()
    DETAIL = auto()
    PLANNED = auto()
    MATTER = auto()
    LAST_LINE = auto()
    NAMED_DETAIL = auto()
    NAMED_PERSON = auto()
    NAMED_MATTER = auto()
    HANGING = auto()
    WAITING = auto()


@dataclass(frozen=True)
class Piece:
    """A line (or an indented few). Of two with one `cut` the one with the lower `turn` goes first."""

    text: str
    cut: Cut
    turn: int = 0


@dataclass(frozen=True)
class Part:
    """A heading and what stands under it, between marks."""

    heading: str
    pieces: tuple[Piece, ...]
    oldest_first: bool = False
    """What was left out came before the rest, and that is where it says so."""


def written(parts: Sequence[Part], room: int, mark: str, words: Wording) -> tuple[str, bool]:
    """The parts as text of at most `room` tokens, and whether anything was cut.

    Weights are summed up piece by piece, which never gives less than the whole weighs.
    """
    kept = {id(piece): piece for part in parts for piece in part.pieces}
    order = sorted(kept.values(), key=lambda piece: (piece.cut, piece.turn))
    frames = {id(part): _weight(_framed(part, "", words("omitted", n=len(part.pieces)), mark)) for part in parts}
    left = {id(part): len(part.pieces) for part in parts}
    home = {id(piece): part for part in parts for piece in part.pieces}
    total = sum(frames.values()) + sum(_weight(piece.text) for piece in order)
    spare = _weight(words("left_out"))
    if total <= room:
        return _joined(parts, kept, mark, words, complete=True), False
    for piece in order:
        if total + spare <= room:
            break
        del kept[id(piece)]
        total -= _weight(piece.text)
        part = home[id(piece)]
        left[id(part)] -= 1
        if not left[id(part)]:
            total -= frames[id(part)]
    whole_kinds = all(left.values())
    return _joined(parts, kept, mark, words, complete=whole_kinds), True


def _weight(text: str) -> int:
    return tokens(text) + 1


def _joined(parts: Sequence[Part], kept: dict[int, Piece], mark: str, words: Wording, *, complete: bool) -> str:
    told: list[str] = []
    for part in parts:
        here = [piece.text for piece in part.pieces if id(piece) in kept]
        missing = len(part.pieces) - len(here)
        if here:
            told.append(_framed(part, "\n".join(here), words("omitted", n=missing) if missing else "", mark))
    if not complete:
        told.append(words("left_out"))
    return "\n".join(told)


def _framed(part: Part, body: str, remark: str, mark: str) -> str:
    told = (remark, body) if part.oldest_first else (body, remark)
    inside = "\n".join(line for line in told if line)
    return f"{part.heading}\n<{mark}>\n{inside}\n</{mark}>"
