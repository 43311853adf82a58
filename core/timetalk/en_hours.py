"""English times that what stands beside them makes certain: "tomorrow 9", "Friday pm", "3 or 4pm", "at 0900"."""

import re

from .dates import Ctx, add_days
from .en_clock import DAY_BEFORE, HALF, HOUR_STANDS, HOURS, PART_WORD, bare, clock_piece
from .en_words import TOMORROW, WEEKDAY, weekday_number, word
from .lexing import LexRule, at, before_match, rule
from .model import Clock, Length, Piece
from .numerals import en_number

_EITHER = rf"(?:{HOURS}|\d{{1,2}})"


def _half_day(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "Friday am": a half of the day that stands before it; "am" before "I" is the verb."""
    part = "morning" if m[0][0] == "a" else "afternoon"
    return at(m, part=part) if re.search(rf"{DAY_BEFORE}$", before_match(m)) else None


def _after_day(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "tomorrow 9", "Monday morning 9": an hour right behind a day, unless the number is the date of that day."""
    hour, weekday = en_number(m["h"]), re.search(rf"({WEEKDAY}),?\s+$", before_match(m))
    if weekday and hour and m["h"].isdecimal():
        days = [add_days(ctx.today, n) for n in range(-7, 60)]
        if any(d and d.day == hour and d.weekday() == weekday_number(weekday[1]) for d in days):
            return None
    return bare(m, ctx) if re.search(rf"(?:{DAY_BEFORE}|\b{PART_WORD}\s+)$", before_match(m)) else None


def _or_hour(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """The first of "3 or 4pm", in the half of the day that is said with the second."""
    hour, last = en_number(m["h"]), en_number(m["h2"])
    if not hour or not last or hour > 12 or last > 12:
        return None
    half = m["half"] or ""
    crossed = half.startswith("p") and last == 12
    return clock_piece(m, int(hour), int(m["m"] or 0), "a" if crossed else half)


def _or_hour_behind(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """The second of "at 3 or 4"."""
    return bare(m, ctx) if re.search(rf"(?:\bat|@|\bby)\s*{_EITHER}\s*or\s+$", before_match(m)) else None


def _minutes_away(m: "re.Match[str]", _: Ctx) -> Piece | None:
    soon = re.search(
        r"\b(?:back|there|here|ready|done|home|free|online|starting|starts?|leaving|call|ping|you|brb|meet\w*)\s+in $",
        before_match(m),
    )
    return at(m, length=Length(seconds=60 * (en_number(m["n"]) or 0), grain="minute")) if soon else None


def _military(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "at 0900", "1430 hrs": four digits are a time after "at" or a day, and before "hrs"."""
    said = m["hrs"] or re.search(
        rf"(?:\b(?:at|from|till?|until|by|before|after)\s+|@\s?|{DAY_BEFORE})$", before_match(m)
    )
    year = m["h"] in ("19", "20", "21") and not (m["hrs"] or re.search(r"(?:\bat\s|@\s?)$", before_match(m)))
    return at(m, clock=Clock(int(m["h"]), int(m["m"]), True)) if said and not year else None


def _same_time(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "this time tomorrow", "same time next week": what the clock shows now."""
    clock = Clock(ctx.wall.hour, ctx.wall.minute, True)
    if not m["w"]:
        return at(m, clock=clock)
    day = add_days(ctx.today, 7)
    return at(m, clock=clock, day=day) if day else None


HOUR_RULES: list[LexRule] = [
    rule(word(r"[ap]m") + r"(?!\s+(?:i|me|you|not)\b|\s+[a-z]+ing\b)", _half_day),
    rule(
        rf"(?:(?<=[a-z] )|(?<=[a-z], ))(?P<h>{HOURS}|1[0-2]|[1-9])(?=\s*(?:$|[,.;!?)]|(?:works?|is|would|ok|okay|please|pls|sharp|instead|then|for|if|so|or|and)\b))(?!\s*[.,]\d)",
        _after_day,
    ),
    rule(
        rf"(?<![\d.:\-/a-z$])(?P<h>{HOURS}|1[0-2]|[1-9])(?::(?P<m>[0-5]\d))?(?=\s*(?:or|/)\s*(?P<h2>{HOURS}|1[0-2]|[1-9])(?::[0-5]\d)?\s*{HALF})",
        _or_hour,
    ),
    rule(
        rf"(?:^|(?<=do )|(?<=about )|(?<=for )|(?<=to ))(?P<h>{HOURS}|1[0-2]|[1-9])(?=\s+on\s+{WEEKDAY}\b\s*(?:$|[,.!?;]|(?:then|work|suit|be|please|pls)))",
        bare,
    ),
    rule(rf"(?<![\d.:\-/a-z$])(?P<h>{HOURS}|1[0-2]|[1-9]|1\d|2[0-3])(?=\s+(?:sharp|o'clock)\b)", bare),
    rule(
        # "back in ten": minutes are what people count without a word.
        r"(?<=in )(?P<n>5|10|15|20|25|30|40|45|five|ten|fifteen|twenty|thirty)(?=\s*(?:$|[,.;!?)]))",
        _minutes_away,
    ),
    rule(rf"(?<=or )(?P<h>{HOURS}|[01]?\d|2[0-4])" + HOUR_STANDS, _or_hour_behind),
    rule(
        rf"(?<![\d.:\-/a-z$])(?P<h>{HOURS}|1[0-2]|[1-9])(?=\s*or\s*(?:{HOURS}|1[0-2]|[1-9])\s+(?:today|tonight|{TOMORROW})\b)",
        bare,
    ),
    rule(rf"(?<![\d.:\-/+#])(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)(?P<hrs>\s?(?:hrs|hours|h)\b)?{HOUR_STANDS}", _military),
    rule(
        word(
            r"(?:at\s+)?(?:the\s+)?(?:same|this) time (?P<w>next week)|(?P<w2>(?:at\s+)?(?:the\s+)?(?:same|this) time)(?=\s+(?:on\s+)?(?:next\s+)?(?:[a-z]+day|today|tomorrow|tmrw))"
        ),
        _same_time,
    ),
]
