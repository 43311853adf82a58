"""The English grammar: words to pieces, pieces to bounds and ranges."""

import re
from dataclasses import replace
from datetime import date, datetime, time

from core.patterns import lazy

from .beside import between_bounds, blurred, moved, named_day
from .clocks import next_clock
from .dates import Ctx, resolve_fields, shift, week_of
from .en_clock import CLOCK_RULES
from .en_days import DAY_RULES
from .en_every import find_rules
from .en_hours import HOUR_RULES
from .en_length import LENGTH_RULES
from .en_periods import PERIOD_RULES
from .en_words import LASTS, word
from .lexing import LexRule, Tongue, at, counted, join, read, rule, with_bounds
from .model import Period, Piece
from .numerals import plain
from .ranges import link_ranges

_VAGUE_RULES: list[LexRule] = [
    # How often, but not when.
    rule(
        word(r"(?:twice|[a-z0-9]+ times) (?:an?|per|each|every) (?:day|week|month|quarter|year)"),
        lambda m, c: at(m, vague=True),
    ),
    rule(
        word(r"(?:hang on|hold on|wait|just|give me|gimme) an? (?:sec|second|min|minute|moment|bit)"),
        lambda m, c: at(m, vague=True),
    ),
    rule(
        word(
            r"soon(?:ish|er rather than later)?|sooner or later|asap|(?:(?:in|over|within|during)\s+)?(?:the\s+)?(?:coming|next few|following few|upcoming) (?:minutes|hours|days|weeks|months)"
            r"|(?:at|as) (?:your|his|her|their) earliest convenience|as time permits|time permitting|as soon as possible|shortly|later(?: on)?|sometime(?:s)?|some time|at some point|eventually"
            r"|one of these days|before long|down the (?:line|road)|in (?:the )?(?:near|not too distant) future|lately|(?:a while|ages) (?:ago|back)|for (?:a while|now|the time being)"
            r"|in a (?:bit|while|sec|second|moment|min|minute|few(?!\s+[a-z])|jiffy|minute or two|min or two)|when(?:ever)? (?:i|you|he|she|we|they) (?:can|gets?|ha(?:ve|s))(?: a (?:chance|minute|min|moment|sec))?|in due course|any (?:day|time) now|right away"
            r"|immediately|the other day|these days|recently|whenever"
        ),
        lambda m, c: at(m, vague=True),
    ),
    rule(word(r"now"), lambda m, c: at(m, exact=c.wall, weak=True)),
]
EN = Tongue(
    rules=[*DAY_RULES, *PERIOD_RULES, *CLOCK_RULES, *HOUR_RULES, *LENGTH_RULES, *_VAGUE_RULES],
    glue=lazy(
        r"[\s,(]*(?:(?:at|on|in|of|the|for|@|from|between|around|about|approximately)\b|@|-)?[\s,]*(?:the|around|about)?[\s)]*"
    ),
    to=lazy(r"\)?\s*,?\s*(?:to|till|til|until|through|thru|-+|~|/)\s*(?:the|on|around)?\s*"),
)
_WEEK_OF = lazy(
    r"(?<![a-z])(?<!\ba )(?:the\s+)?(?:week\s+(?:of|starting|beginning|commencing)|w/?c)\s+(?:on\s+)?(?:the\s+)?$"
)
_BESIDE = lazy(
    r"(?<![a-z])the\s+(?:(?P<unit>day|night|evening|morning)\s+(?P<side>before|after)|eve\s+of)\s+(?:the\s+)?$"
)
_AND = lazy(r"\s*,?\s*(?:and|&)?\s*")
_AND_LIMIT = lazy(r"\s*,?\s*(?:and|but)?\s*")
_SOMETIME = lazy(r"\s*(?:in|on|during|around)?\s*(?:the\s+)?")
_BETWEEN = lazy(r"(?<![a-z])between\s")
_GAP = lazy(r"[\s,]*")

_OUT = lazy(r"\s*(?:from now|later|out|hence|from today|after)(?![a-z])|\s*'? time(?![a-z])")
# "three days before the deadline" counts from what a calendar does not know.
_AGO = lazy(r"\s*(?:ago|earlier|back|before(?!\s+[a-z]))(?![a-z])")
_AHEAD = lazy(r"\s*(?:ahead|in advance|beforehand|early)(?![a-z])(?! of)")
_RELATION = lazy(r"\s+(from|after|before)\s+(?:the\s+)?")
_IN = lazy(
    r"(?:in|after)\s+(?:about|around|approximately|approx\.?|roughly|like|maybe|only|just|~|another)?\s*(?:about|~)?\s*~?$"
)
_WITHIN = lazy(r"(?:within|in under|in less than)\s+(?:the\s+)?(?:next|coming)?\s*$")
_LAST = lazy(r"(?:the\s+)?(?:last|past|previous)\s+$")
_NEXT = lazy(r"(?:the\s+)?(?:next|coming|upcoming|following)\s+$")
_TIMER = lazy(r"(?:timer|alarm|reminder|countdown)\s+(?:for|of)\s+$")
_PLUS = lazy(r"now \+ ?$")

_BY = lazy(r"(?:by|due(?: on| by)?|no later than|not later than|until|till|through|latest(?: by)?)\s+(?:the\s+)?$")
_BEFORE = lazy(r"(?:before|prior to|ahead of|earlier than)\s+(?:the\s+)?$")
_ONWARD = lazy(
    r"(?:from|as (?:early as|of|from)|effective(?: from)?|starting(?: from| on| in)?|beginning)\s+(?:the\s+)?$"
)
_SINCE = lazy(r"since\s+(?:the\s+)?$")
_AFTER = lazy(r"(?:after|later than|past)\s+(?:the\s+)?$")
# "before 3 or after 5" are two limits.
_OWN = r"(?!\s+$|\s+(?:\d|the\s|noon|midnight|tomorrow|[a-z]+day))"
_OR_LATER = lazy(rf"\s*(?:or|and)\s+(?:later|after|greater|onwards?)(?![a-z]){_OWN}|\s+onwards?(?![a-z])")
# "before Q3 ends" is until its end.
_NOT_BEFORE = lazy(r"(?:no (?:earlier|sooner) than|not (?:before|earlier than|until|till))\s+(?:the\s+)?$")
_ENDS = lazy(r"\s+(?:ends?|is over|is out|closes?|finishes)(?![a-z])")
_MOVED = lazy(
    r"\b(?:mov(?:e|ed|ing)|push(?:ed|ing)?|shift(?:ed|ing)?|chang(?:e|ed|ing)|postpon(?:e|ed|ing)|reschedul(?:e|ed|ing)|bring|brought"
    r"|bump(?:ed)?|delay(?:ed)?|switch(?:ed)?|slip(?:s|ped)?)\b(?:\s+\S+){0,5}\s*$"
)
_TO_BEHIND = lazy(r"\s*(?:to|until|till)(?![a-z])")
_OR_BEFORE = lazy(rf"\s*(?:or|and)\s+(?:earlier|before)(?![a-z]){_OWN}|\s+(?:at the latest|latest)(?![a-z])")


def find_en(text: str, ctx: Ctx) -> list[Piece]:
    """The pieces of an English text in order, ranges and bounds put together."""
    words = plain(text)
    raw = read(words, EN, replace(ctx, raw=text))
    rules = find_rules(words, [p for p in raw if p.clock and not p.day and not p.fields])
    pieces = [p for p in raw if not any(r.start < p.end and p.start < r.end for r in rules)]
    pieces = _strong(join(_days_beside(pieces, words, ctx), words, EN.glue), words)
    pieces = _relations(_compounds([counted(p, words) for p in pieces], words), words, ctx)
    pieces = link_ranges(pieces, words, EN.to, _between, date_last=True, apart=_moved)
    pieces = [replace(p, past="said") if _over(p, ctx) else p for p in pieces]
    pieces = blurred(_dated_limits(with_bounds(pieces, words, _bound), words), words, _SOMETIME)
    pieces = between_bounds(pieces, words, _AND_LIMIT)
    return sorted([*pieces, *rules], key=lambda p: p.start)


def _moved(text: str, first: Piece, last: Piece) -> bool:
    """ "moved from 3 to 5": two times, no range."""
    return bool(_MOVED.search(text, max(0, first.start - 60), first.start)) and "to" in text[first.end : last.start]


def _over(piece: Piece, ctx: Ctx) -> bool:
    """Whether the words themselves name a day or period that has gone by: "yesterday", "last week"."""
    return bool(piece.day and piece.day < ctx.today) or bool(piece.period and piece.period.end <= ctx.today)


def _days_beside(pieces: list[Piece], text: str, ctx: Ctx) -> list[Piece]:
    """ "the day before Christmas", "on the eve of the 15th", "the week of June 8": the day or week that is meant."""
    out = []
    for piece in pieces:
        week = _WEEK_OF.search(text, max(0, piece.start - 30), piece.start)
        if week and isinstance(day := named_day(piece, ctx), date):
            out.append(Piece(week.start(), piece.end, period=week_of(day)))
            continue
        m = _BESIDE.search(text, max(0, piece.start - 30), piece.start)
        there = m and moved(piece, m.start(), piece.end, 1 if m["side"] == "after" else -1, ctx)
        part = {"night": "evening", "day": None, None: None}.get(m["unit"], m["unit"]) if m else None
        out.append(replace(there, part=part) if there else piece)
    return out


def _between(text: str, a: Piece, b: Piece) -> int | None:
    """The end of "between A and B", else None: without "between", "and" makes two times."""
    joined = re.fullmatch(r"\s*,?\s*(?:and|&)\s*(?:the\s+)?", text[a.end : b.start])
    return b.end if joined and _BETWEEN.search(text, max(0, a.start - 16), a.end) else None


def _dated_limits(pieces: list[Piece], text: str) -> list[Piece]:
    """ "Thursday before 5pm": the day belongs to the limit behind it; "after 3pm on Monday": or before it."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if (
            last
            and piece.bound
            and _only_day(last)
            and _only_clock(piece)
            and _GAP.fullmatch(text, last.end, piece.start)
        ):
            out[-1] = replace(piece, start=last.start, day=last.day, fields=last.fields)
            continue
        out.append(piece)
    return out


def _only_day(piece: Piece) -> bool:
    named = piece.day or (piece.fields and piece.fields.names_day)
    return bool(named) and not (piece.clock or piece.part or piece.until or piece.bound or piece.rule)


def _only_clock(piece: Piece) -> bool:
    return bool(piece.clock) and not (piece.day or piece.fields or piece.until)


def _strong(pieces: list[Piece], words: str) -> list[Piece]:
    """The pieces that stand on their own; a weak one does only as the partner of a range or the whole of the text."""
    kept = []
    for i, piece in enumerate(pieces):
        if not piece.weak or (piece.nth and piece.nth.count) or _whole(piece, words) or _partner(pieces, i, words):
            kept.append(piece)
    return kept


def _whole(piece: Piece, words: str) -> bool:
    named = piece.fields is None or piece.fields.edge is None or piece.fields.names_day or bool(piece.fields.month)
    return named and not piece.nth and not piece.exact and piece.end - piece.start >= len(words.strip(" .!?"))


def _partner(pieces: list[Piece], i: int, words: str) -> bool:
    piece = pieces[i]
    for j in (i - 1, i + 1):
        if 0 <= j < len(pieces) and pieces[j].fields and piece.fields and not pieces[j].weak:
            first, last = (pieces[j], piece) if j < i else (piece, pieces[j])
            if EN.to.fullmatch(words, first.end, last.start) or _between(words, first, last):
                return True
    if piece.exact and i + 1 < len(pieces):
        follower = pieces[i + 1]
        return bool(EN.to.fullmatch(words, piece.end, follower.start) or _between(words, piece, follower))
    return False


def _compounds(pieces: list[Piece], text: str) -> list[Piece]:
    """ "1 hour and 30 minutes" as one length."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if last and last.length and piece.length and not piece.bound and _AND.fullmatch(text, last.end, piece.start):
            out[-1] = replace(last, end=piece.end, length=last.length + piece.length)
            continue
        out.append(piece)
    return out


def _relations(pieces: list[Piece], text: str, ctx: Ctx) -> list[Piece]:
    """ "two days after tomorrow", "15 minutes from 1pm" as the day or moment that they mean."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        if last and last.length and (m := _RELATION.fullmatch(text, last.end, piece.start)):
            moved = _related(last, piece, -1 if m[1] == "before" else 1, ctx)
            if moved:
                out[-1] = moved
                continue
        if last and (span := _lasting(last, piece, text, ctx)):
            out[-1] = span
            continue
        out.append(piece)
    return out


def _lasting(a: Piece, b: Piece, text: str, ctx: Ctx) -> Piece | None:
    """ "Dec 18th for 10 days", "a week starting tomorrow" as the days that they cover."""
    gap = text[a.end : b.start]
    if b.length and re.fullmatch(r"\s+for\s+", gap):
        start, length = a, b.length
    elif a.length and re.fullmatch(r",?\s+(?:starting|beginning|from)(?:\s+(?:on|from))?\s+|,\s+from\s+", gap):
        start, length = b, a.length
    else:
        return None
    day: object = start.day or (resolve_fields(start.fields, ctx.today) if start.fields else None)
    if not isinstance(day, date) or start.clock or length.seconds:
        return None
    end = shift(ctx.aware(datetime.combine(day, time(12))), length, 1)
    return Piece(a.start, b.end, period=Period(day, end.date(), "day")) if end else None


def _related(length: Piece, origin: Piece, sign: int, ctx: Ctx) -> Piece | None:
    if length.vague and not origin.vague:
        # "a few days before Christmas"
        return Piece(length.start, origin.end, vague=True)
    if length.length is None or origin.bound or origin.until:
        return None
    day: object = origin.day or (resolve_fields(origin.fields, ctx.today) if origin.fields else None)
    if isinstance(day, date) and not (origin.clock and length.length.seconds):
        there = shift(ctx.aware(datetime.combine(day, time(12))), length.length, sign)
        return replace(origin, start=length.start, fields=None, feast=False, day=there.date()) if there else None
    wall = next_clock(origin.clock, origin.part, ctx) if origin.clock and not origin.day else origin.exact
    if wall is None:
        return None
    there = shift(ctx.aware(wall), length.length, sign)
    return Piece(length.start, origin.end, exact=there.replace(tzinfo=None)) if there else None


def _bound(piece: Piece, before: str, after: str) -> Piece:
    """The piece with the words around it that make it a limit: "by", "before", "since", "within"."""
    if piece.rule or (piece.vague and not piece.length):
        return piece
    if piece.length:
        done = piece if piece.bound else _bound_length(piece, before, after)
        # "the past few days" are over, however many they were.
        return replace(done, vague=piece.vague and done.bound != "last")
    if piece.until or (piece.period and piece.period.unit == "day"):
        return piece
    if m := _OR_LATER.match(after):
        onward = _ONWARD.search(before)
        return replace(
            piece,
            start=piece.start - len(onward[0]) if onward else piece.start,
            end=piece.end + m.end(),
            bound="onward",
        )
    for pattern, bound in (
        (_NOT_BEFORE, "onward"),
        (_BY, "by"),
        (_BEFORE, "before"),
        (_SINCE, "since"),
        (_ONWARD, "onward"),
        (_AFTER, "after"),
    ):
        if m := pattern.search(before):
            if m.start() and before[m.start() - 1].isalnum():
                continue
            if bound == "onward" and m[0].startswith("from") and (_TO_BEHIND.match(after) or piece.past):
                # "moved from 3 to 5", "the notes from yesterday"
                return piece
            if bound == "before" and (piece.period or piece.fields) and (ends := _ENDS.match(after)):
                return replace(piece, start=piece.start - len(m[0]), end=piece.end + ends.end(), bound="by")
            return replace(piece, start=piece.start - len(m[0]), bound=bound)
    if m := _OR_BEFORE.match(after):
        return replace(piece, end=piece.end + m.end(), bound="by")
    return piece


def _bound_length(piece: Piece, before: str, after: str) -> Piece:
    if m := _AGO.match(after):
        return replace(piece, end=piece.end + m.end(), bound="ago")
    if m := _AHEAD.match(after):
        return replace(piece, end=piece.end + m.end(), bound="lead")
    for pattern, bound in (
        (_WITHIN, "within"),
        (_PLUS, "out"),
        (_TIMER, "out"),
        (_IN, "out"),
        (_LAST, "last"),
        (_NEXT, "next"),
    ):
        if m := pattern.search(before):
            if m.start() and before[m.start() - 1].isalnum():
                continue
            if bound == "last" and LASTS.search(before, 0, m.start()):
                continue
            end = piece.end
            if bound == "out" and (tail := _OUT.match(after)):
                end += tail.end()
            return replace(piece, start=piece.start - len(m[0]), end=end, bound=bound)
    if m := _OUT.match(after):
        return replace(piece, end=piece.end + m.end(), bound="out")
    return piece
