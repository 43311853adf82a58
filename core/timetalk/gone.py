"""Whether the words around a time say that it has gone by: "刚才十点", "it started at three"."""

from dataclasses import replace

from core.patterns import lazy

from .cues import clause_around
from .model import Piece

_NEAR, _FAR = 12, 80
_BEFORE_ZH = lazy(r"(?:刚才|刚刚|方才|当时)(?:是|在|到)?\s?$")
_AFTER_ZH = lazy(r"\s?(?:左右|多)?(?:的时候)?(?:那会儿?|那阵)(?!.{0,6}(?:再|能|可以|要))")
# "八点就到了", "三点已经有会了" may be said of what comes.
_DONE_ZH = lazy(r"\s?(?:(?:就|才)[^，。,.!?！？；;]{1,5}了(?![吗么嘛])|(?:就|都)?已经|的时候.{0,2}还?没)")
# A verb that tells of something finished; one that reports words ("said Friday") tells nothing of their time.
_DONE_EN = lazy(
    r"\b(?:was|were|did|had|sent|got|left|came|went|began|broke|met|saw|ran|paid|spoke|lost|found|wrote"
    r"|(?:start|finish|end|arriv|call|email|post|upload|deliver|shipp|push|merg|deploy|happen|crash|fail|repli|sign|submitt|land"
    r"|join|open|clos|talk|return|releas|launch|pass|hand|walk|work|check)ed)\b(?:\s+\S+){0,5}\s*$"
)
_OPEN_EN = lazy(
    r"\b(?:will|would|shall|should|can|could|may|might|must|to|need|needs|want|wants|if|unless|once|when|until|till|get|gets|have|has"
    r"|having|please|pls|let|make|be|being|is|are|am|expect|like|by|before|due)\b|'ll\b|\?"
)
_PURPOSE = lazy(r"\bfor\s+(?:the\s+)?$")


def gone_by(pieces: list[Piece], words: str) -> list[Piece]:
    """The pieces, with ``past`` set where a time is said of what has happened. ``words``: the text in plain letters."""
    return [replace(p, past=past) if _movable(p) and (past := _past(p, words)) else p for p in pieces]


def _movable(piece: Piece) -> bool:
    """A time that leaves open which of several is meant: "ten", "Friday"."""
    if piece.length or piece.rule or piece.vague or piece.exact or piece.bound in ("before", "by", "within"):
        return False
    fields = piece.fields
    bare_weekday = bool(fields and fields.weekday is not None and fields.day is None and not fields.month)
    return bare_weekday or bool(piece.clock and not (piece.day or piece.fields or piece.period))


def _past(piece: Piece, words: str) -> str | None:
    if _BEFORE_ZH.search(words, max(0, piece.start - _NEAR), piece.start) or _AFTER_ZH.match(words, piece.end):
        return "said"
    if piece.clock and _DONE_ZH.match(words, piece.end):
        return "near"
    if _PURPOSE.search(words, max(0, piece.start - _NEAR), piece.start):
        # "I got tickets for Friday"
        return None
    if not _DONE_EN.search(words, max(0, piece.start - _FAR), piece.start):
        return None
    first, last = clause_around(words, piece.start, piece.end)
    done = _DONE_EN.search(words[first : piece.start]) and not _OPEN_EN.search(words[first:last])
    return "said" if done else None
