"""The longest-match reader that both grammars share."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from core.patterns import beginning, lazy

from .dates import Ctx, add_days, edge_of
from .model import Length, Piece, Rule

_NEAR = 60
# Nobody's message looks like a time at thousands of places; what stands behind so many is not read.
MOST = 5000
Bounder = Callable[[Piece, str, str], Piece]
Builder = Callable[["re.Match[str]", Ctx], Piece | None]
LexRule = tuple["re.Pattern[str]", Builder]

# A run of digits and Latin letters that no rule took is skipped whole: the end of "v2.0" or of a telephone number is
# not a time.
_RUN = re.compile(r"[a-z]+(?![a-z])|\d+(?:[.\-:/]\d+)*|[零〇一二三四五六七八九十百千万]+")
_FEW = 3
"""Of so many characters it is known which rules they can begin."""
_BEGINNINGS = 8192


@dataclass(frozen=True)
class Tongue:
    """A language: its rules, and the gaps that join neighbouring pieces."""

    rules: Sequence[LexRule]
    glue: "re.Pattern[str]"
    to: "re.Pattern[str]"

    @cached_property
    def beginning(self) -> Callable[[str], tuple[LexRule, ...]]:
        """The rules, in their order, that can read something which begins with these few characters: mostly none."""
        known = {rule: beginning(rule[0].pattern, _FEW) for rule in self.rules}

        @lru_cache(maxsize=_BEGINNINGS)
        def fitting(few: str) -> tuple[LexRule, ...]:
            among = fitting(few[:-1]) if len(few) > 1 else self.rules
            return tuple(rule for rule in among if known[rule].match(few))

        return fitting


def rule(pattern: str, build: Builder) -> LexRule:
    """One word or phrase of a grammar."""
    return lazy(pattern), build


def at(match: "re.Match[str]", **values: object) -> Piece:
    """A piece that stands where the match stands, without the blanks around it."""
    blanks = len(match[0]) - len(match[0].lstrip())
    start, end = match.start() + blanks, match.start() + len(match[0].rstrip())
    return Piece(start, end, **values)  # type: ignore[arg-type]


def before_match(match: "re.Match[str]") -> str:
    """The last words before a match; what stands farther off does not bear on it."""
    return match.string[max(0, match.start() - _NEAR) : match.start()]


def after_match(match: "re.Match[str]") -> str:
    """The first words behind a match."""
    return match.string[match.end() : match.end() + _NEAR]


def read(text: str, tongue: Tongue, ctx: Ctx) -> list[Piece]:
    """The pieces of a text in order, at each place the longest that a rule takes."""
    pieces: list[Piece] = []
    position = 0
    tries = 0
    while tries < MOST and position < len(text):
        rules = tongue.beginning(text[position : position + _FEW])
        fits, best = _longest(rules, text, position, ctx) if rules else (False, None)
        tries += fits
        if best:
            pieces.append(best)
            position = best.end
        else:
            run = _RUN.match(text, position)
            position = run.end() if run else position + 1
    return pieces


def _longest(rules: Sequence[LexRule], text: str, position: int, ctx: Ctx) -> tuple[bool, Piece | None]:
    """Whether a rule fits there, and the longest piece that one made of it."""
    fits, best = False, None
    for pattern, build in rules:
        match = pattern.match(text, position)
        if match and match.end() > (best.end if best else position):
            fits, best = True, build(match, ctx) or best
    return fits, best


# "前两天" is the other day.
_THE_OTHER_DAY = lazy(r"前两[天日]")
_NTH_LENGTHS = {
    "day": Length(days=1),
    "workday": Length(days=1, business=True),
    "week": Length(days=7),
    "month": Length(months=1),
    "quarter": Length(months=3, grain="quarter"),
}


def counted(piece: Piece, text: str) -> Piece:
    """ "前3天", "后1年", "last 3 months" that no period took: a length before or after now."""
    nth, said = piece.nth, text[piece.start : piece.end]
    if not (nth and nth.count) or piece.fields or piece.period or piece.rule or "最" in said or "first" in said:
        return piece
    if _THE_OTHER_DAY.fullmatch(said):
        return replace(piece, nth=None, weak=False, vague=True)
    unit = _NTH_LENGTHS[nth.unit]
    return replace(
        piece,
        nth=None,
        weak=False,
        length=unit.times(nth.count),
        bound="last" if nth.n > 0 or "last" in said else "next",
    )


def join(pieces: list[Piece], text: str, glue: "re.Pattern[str]") -> list[Piece]:
    """Neighbours that belong together as one piece each."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and glue.fullmatch(text, joined[-1].end, piece.start):
            both = merge(joined[-1], piece)
            if both:
                joined[-1] = both
                continue
        joined.append(piece)
    return joined


def with_bounds(pieces: list[Piece], text: str, bound: Bounder) -> list[Piece]:
    """The pieces with the words before and behind them taken in, no farther than to their neighbours.

    A vague word may be part of such words ("no later than"): it then is no piece of its own.
    """
    ceilings, ceiling = [], len(text)
    for piece in reversed(pieces):
        ceilings.append(ceiling)
        ceiling = ceiling if piece.vague else piece.start
    out: list[Piece] = []
    floor = 0
    for piece, stop in zip(pieces, reversed(ceilings), strict=True):
        done = bound(piece, text[max(floor, piece.start - _NEAR) : piece.start], text[piece.end : stop])
        while out and out[-1].vague and out[-1].end > done.start:
            out.pop()
        if not (done.vague and floor > done.start):
            out.append(done)
        floor = floor if done.vague else done.end
    return out


def merge(a: Piece, b: Piece) -> Piece | None:
    """Two neighbouring pieces as one, or None where they do not belong together."""
    if a.rule and b.rule:
        return _one_rule(a, b)
    if a.vague or b.vague or a.length or b.length or a.bound or b.bound or (a.feast and b.feast) or _clash(a, b):
        return None
    fields = a.fields or b.fields
    if a.fields and b.fields:
        fields = a.fields.union(b.fields)
        if fields is None:
            return None
    first = {name: getattr(a, name) or getattr(b, name) for name in ("period", "clock", "rule", "nth", "day")}
    both = Piece(
        a.start,
        b.end,
        fields=fields,
        # A clock keeps the part it was said with: "8pm in the evening".
        part=a.part or b.part,
        weak=a.weak and b.weak,
        feast=(a.feast or b.feast) and not (a.clock or b.clock or a.part or b.part),
        approximate=a.approximate or b.approximate,
        further=a.further or b.further,
        **first,
    )
    return _one_date(both)


def _one_rule(a: Piece, b: Piece) -> Piece | None:
    """ "周一到周五每天9点": the weekdays are what "every day" means."""
    for days, daily in ((a, b), (b, a)):
        if daily.rule == Rule("DAILY") and days.rule and days.rule.byday and not (a.clock and b.clock):
            return replace(
                days,
                start=a.start,
                end=b.end,
                clock=a.clock or b.clock,
                part=a.part or b.part,
                further=a.further or b.further,
            )
    return None


def _clash(a: Piece, b: Piece) -> bool:
    for name in ("period", "clock", "rule", "nth", "exact", "until"):
        if getattr(a, name) is not None and getattr(b, name) is not None:
            return True
    if a.exact or b.exact or a.until or b.until:
        return True
    if a.part and b.part and a.part != b.part and (a.rule or not (a.clock or b.clock)):
        return True
    return bool(a.day and b.day and a.day != b.day)


def _one_date(piece: Piece) -> Piece | None:
    """Leaves one date in a piece that names a day or a week and further fields."""
    fields, day, period = piece.fields, piece.day, piece.period
    if fields and day:
        # "tomorrow, Thursday", "this Friday, June 15": said twice; a date with its number is the surer one.
        if not fields.names_day or (fields.day is None and fields.weekday != day.weekday()):
            return None
        return replace(piece, fields=None) if fields.day is None else replace(piece, day=None)
    if fields and period:
        if fields.edge and period.unit == "week" and not fields.names_day:
            return replace(piece, fields=None, period=edge_of(period, fields.edge))
        if fields.weekday is not None and fields.day is None and period.unit == "week":
            return replace(piece, fields=None, period=None, day=add_days(period.start, fields.weekday))
        return None
    if piece.rule and (day or period):
        return None
    if (day or (fields and fields.names_day)) and piece.nth:
        return None
    if period and (piece.clock or piece.part):
        return None
    return piece
