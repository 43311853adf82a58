"""English lengths of time: "3 hours", "an hour and a half", "a couple of days", "3 business days"."""

import re

from .dates import Ctx
from .en_words import word
from .lexing import LexRule, after_match, at, before_match, rule
from .model import Length, Piece
from .numerals import EN_NUMBER, en_number

_UNIT_LENGTHS = {
    "s": Length(seconds=1, grain="second"),
    "m": Length(seconds=60, grain="minute"),
    "h": Length(seconds=3600, grain="minute"),
    "d": Length(days=1),
    "n": Length(days=1),
    "w": Length(days=7),
    "f": Length(days=14),
    "q": Length(months=3, grain="quarter"),
    "y": Length(years=1),
}
UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weekends?|weeks?|wks?|fortnights?|months?|quarters?|qtrs?|years?|yrs?)"
_COUNT = (
    rf"(?:{EN_NUMBER}|an?|another|the|full|couple|(?:a|the)\s+couple(?:\s+of)?|couple\s+of|(?:a\s+)?few|some|several)"
)
_EXTRA = r"(?:\s+(?:additional|more|full|whole|other|(?P<step>upcoming|next|coming|following|last|past|previous)))?(?P<biz>\s+(?:business|working))?"
_FRACTION = r"(?:a\s+)?half|(?:a\s+|one\s+|two\s+|three\s+)?quarters?"


def unit_length(text: str) -> Length:
    """The length that a unit word names."""
    if text.startswith("mo"):
        return Length(months=1)
    if text.startswith("weekend"):
        return Length(days=2)
    return _UNIT_LENGTHS[text[0]]


def _count(text: str) -> tuple[float | None, bool]:
    """The number, and whether it is a guess."""
    text = re.sub(r"^(?:a|the)\s+", "", text).removesuffix(" of")
    if text == "couple":
        return 2.0, True
    if text in ("few", "some", "several"):
        return 3.0, True
    if text in ("the", "full"):
        return 1.0, False
    return en_number(text), False


def _length(m: "re.Match[str]", _: Ctx) -> Piece | None:
    number, rough = _count(m["n"])
    if number is None:
        return None
    unit = unit_length(m["u"])
    tail = m.groupdict().get("tail")
    length = unit.times(number + _fraction(tail))
    if m.groupdict().get("biz"):
        length = Length(days=length.days, business=True)
    if m.groupdict().get("minutes"):
        length = length + Length(seconds=60 * (en_number(m["minutes"]) or 0), grain="minute")
    # "in a few days" is a guess; of hours people mean about three.
    blurred = rough and re.search("few|several", m["n"]) and not (m["u"].startswith("h") or m.groupdict().get("step"))
    step = m.groupdict().get("step")
    if step and not m["u"].endswith("s"):
        # "we will be 3 next week" counts no weeks.
        return None
    bound = None if not step else "last" if step in ("last", "past", "previous") else "next"
    return at(m, length=length, approximate=rough, bound=bound, vague=bool(blurred))


def _guess(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "2-3 days", "an hour or two": a guess, counted with its larger number."""
    number = en_number(m["n"])
    return at(m, length=unit_length(m["u"]).times(number), approximate=True, vague=True) if number else None


def _guess_behind(m: "re.Match[str]") -> Piece:
    """ "a day or two", "an hour or so"."""
    count = 2 if m["n"] == "two" else 1
    return at(m, length=unit_length(m["u"]).times(count), approximate=True, vague=count > 1)


def _fraction(text: str | None) -> float:
    if not text:
        return 0.0
    if "half" in text:
        return 0.5
    first = text.split()[0]
    number = 1.0 if first in ("a", "quarter") else en_number(first) or 1.0
    return 0.25 * number


def _half(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, length=unit_length(m["u"]).times(0.5))


def _quarters_of_an_hour(m: "re.Match[str]") -> Piece:
    return at(m, length=Length(seconds=2700 if m["n"] else 900, grain="minute"))


def _plain_length(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "the week" is a date, "the hour" and "full week" are lengths; "second" is also an ordinal."""
    if m["n"] == "the" and not re.search(r"(?:for|within|in)\s+$", before_match(m)):
        return None
    if m["u"] == "second" and m["n"] in ("a", "the", "another"):
        return None
    if m["u"].startswith("quarter") and re.match(r"\s+of\b", after_match(m)):
        # "a quarter of the budget"
        return None
    return _length(m, ctx)


LENGTH_RULES: list[LexRule] = [
    rule(
        word(
            rf"(?:{EN_NUMBER}|an?)\s?(?:-+|to|or)\s?(?P<n>{EN_NUMBER})[\s-]*(?:business |working |more )?(?P<u>{UNIT})"
        ),
        _guess,
    ),
    rule(word(rf"an?\s+(?P<u>{UNIT})\s+or\s+(?P<n>two|so)"), lambda m, c: _guess_behind(m)),
    rule(r"(?<![\d.a-z])\d+-(?P<n>\d+)\s?(?P<u>d|w|h|hr|hrs|mins?|m)(?![a-z0-9])", _guess),
    rule(
        word(r"(?:the\s+)?(?:next|coming)\s+(?P<u>hour|minute)"),
        lambda m, c: at(m, length=unit_length(m["u"]), bound="next"),
    ),
    rule(word(rf"(?P<n>{_COUNT}){_EXTRA}[\s-]*(?P<u>{UNIT})"), lambda m, c: _plain_length(m, c)),
    rule(word(rf"(?P<n>{_COUNT})\s+(?P<u>{UNIT})\s+and\s+(?P<tail>{_FRACTION})"), _length),
    rule(word(rf"(?P<n>{_COUNT})\s+and\s+(?P<tail>{_FRACTION})(?:\s+of)?(?:\s+an?)?\s+(?P<u>{UNIT})"), _length),
    rule(
        word(rf"(?P<n>{_COUNT})\s+(?P<u>hours?)\s+(?:and\s+)?(?P<minutes>{EN_NUMBER})(?!\s*(?:{UNIT}|:|[ap]m))"),
        _length,
    ),
    rule(word(r"half\s+(?:an?\s+)?(?P<u>hour|day|year|minute|month)"), _half),
    rule(word(r"(?:a\s+|(?P<n>three|3)\s+)?quarters? of an hour"), lambda m, c: _quarters_of_an_hour(m)),
    rule(
        r"(?<![\d.a-z])(?P<n>\d{1,2})\s?hr?s?\s?(?P<minutes>\d{1,2})\s?m(?:ins?)?(?![a-z0-9])",
        lambda m, c: at(m, length=Length(seconds=3600 * int(m["n"]) + 60 * int(m["minutes"]), grain="minute")),
    ),
    rule(word(r"half\s+(?:an?\s+)?hour"), lambda m, c: at(m, length=Length(seconds=1800, grain="minute"))),
    rule(r"(?<![\d.a-z])(?P<n>\d+(?:\.\d+)?)(?P<u>d|w|h|hr|hrs|mins?|m|s)(?![a-z0-9])", _length),
]
