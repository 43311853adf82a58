"""English times: "half past two", "tonight", "9 tomorrow"."""

import re
from dataclasses import replace

from .dates import Ctx, add_days
from .en_words import TOMORROW, word
from .lexing import LexRule, after_match, at, before_match, rule
from .model import Clock, Piece
from .numerals import EN_NUMBER, EN_WORDS, en_number

HOURS = "(?:" + "|".join(w for w, n in EN_WORDS.items() if 1 <= n <= 12 and " " not in w) + ")"
_MINUTES = "(?:" + "|".join(sorted((w for w, n in EN_WORDS.items() if 10 <= n <= 59), key=len, reverse=True)) + ")"
HALF = r"(?P<half>[ap]\.?\s?m\.?(?![a-z])|[ap]\.?(?![a-z])|(?:in the )[ap]m)"
PART_WORD = r"(?:morning|afternoon|arvo|evening|night)"
# What may follow a bare hour after "at" or "by"; anything else makes it a count or a place.
HOUR_STANDS = (
    rf"(?=\s*(?:$|[,.;!?)\-]|(?:sharp|on|in the|{TOMORROW}|today|tonight|this|next|for sure|latest|at the latest|at night|last night|works?|is|would|suits|sounds|still"
    r"|and|or|so|if|then|please|pls|every|each|monday|tuesday|wednesday|thursday|friday|saturday|sunday|instead"
    r"|to|until|till|daily|o'clock|ask|remind|tell|check|call|ping|text|message|let|get|have|chase|email|nudge|that|of (?:the|my|our|your|his|her|their|an?|it|that|this))\b))(?!\s*[.,]\d)"
)


# Hours stand in front of their day.
_DAY_BEHIND = (
    rf"(?:today|{TOMORROW}|tonight|(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this|that|last|next)\s+"
    + PART_WORD
    + r")\b"
)


DAY_BEFORE = (
    rf"(?:\b(?:today|{TOMORROW}|tonight|(?:mon|tues?|wed(?:s|nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?),?\s+)"
)
_ENDS = re.compile(r"\s*(?:$|[?.!,;)])")


def clock_piece(m: "re.Match[str]", hour: int, minute: int, half: str | None) -> Piece | None:
    """The time of a match, ``half`` being "am", "pm" or nothing."""
    if hour > 24 or minute > 59:
        return None
    half = re.sub(r"[^apm]", "", (half or "").replace("in the", ""))
    if half:
        if hour > 12:
            return at(m, clock=Clock(hour, minute, True))
        return at(m, clock=Clock(hour % 12 + (12 if half[0] == "p" else 0), minute, True))
    return at(m, clock=Clock(hour, minute, hour > 12 or hour == 0))


def _digital(m: "re.Match[str]", _: Ctx) -> Piece | None:
    piece = clock_piece(m, int(m["h"]), int(m["m"]), m["half"])
    if piece and piece.clock and not m["half"] and m["h"].startswith("0"):
        return at(m, clock=Clock(int(m["h"]), int(m["m"]), True))
    return piece


def _hour_half(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour = en_number(m["h"])
    return clock_piece(m, int(hour), int(m["m"] or 0), m["half"]) if hour is not None and hour <= 12 else None


def _spoken(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour, minute = en_number(m["h"]), en_number(m["m"])
    if hour is None or minute is None:
        return None
    piece = clock_piece(m, int(hour), int(minute), m["half"])
    before = before_match(m)
    said = m["half"] or re.search(
        r"(?:at|by|around|about|until|till|before|after|tonight|tomorrow|say|make it)\s+$", before
    )
    alone = len(m[0]) == len(m.string.strip())
    return piece if said or alone else None


def _past(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour = {"midnight": 0.0, "noon": 12.0}.get(m["h"]) if m["h"] in ("midnight", "noon") else en_number(m["h"])
    minute = {"half": 30, "quarter": 15, "a quarter": 15}.get(m["n"]) or en_number(m["n"])
    if hour is None or minute is None or hour > 12 or minute > 59:
        return None
    counted = m["mins"] or m["n"].endswith(("half", "quarter"))
    if m["dir"] != "past" and not counted and not _ten_to(m, minute):
        return None
    if m["dir"] in ("to", "before", "til", "till"):
        piece = clock_piece(m, int(hour) - 1 or 12, 60 - int(minute), None)
        return replace(piece, clock=replace(piece.clock, towards=True)) if piece and piece.clock else None
    return clock_piece(m, int(hour), int(minute), None)


def _ten_to(m: "re.Match[str]", minute: float) -> bool:
    """Whether "N to H" is a time: "it's ten to nine" is, "two to four" and "five to seven" are ranges and counts."""
    said = re.search(r"(?:at|by|it's|its|until|till)\s+$", before_match(m))
    # Nobody counts twenty to nine of anything.
    sure = minute in (20, 25) and m["dir"] == "to" and not (m["n"].isdecimal() or m["h"].isdecimal())
    return minute % 5 == 0 and (bool(said) or sure) and m["dir"] not in ("before", "after")


def _half_hour(m: "re.Match[str]", _: Ctx) -> Piece | None:
    hour = en_number(m["h"])
    return clock_piece(m, int(hour), 30, None) if hour is not None else None


def bare(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """The hour of a match, which half of the day it is in being open."""
    hour = en_number(m["h"])
    return clock_piece(m, int(hour), 0, None) if hour is not None and hour == int(hour) and hour <= 24 else None


def _run_together(m: "re.Match[str]", _: Ctx) -> Piece | None:
    return clock_piece(m, int(m["h"]), int(m["m"]), m.groupdict().get("half"))


def _closing(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, clock=Clock(18, 0, fixed=True, closing=True))


def _part_name(text: str) -> str:
    if "arvo" in text:
        return "afternoon"
    for name in ("morning", "afternoon", "evening", "night"):
        if name in text:
            return "evening" if name == "night" and "late" not in text else name
    return "evening"


def _part(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, part=_part_name(m[0]))


def _weak_part(m: "re.Match[str]", _: Ctx) -> Piece:
    return at(m, part=_part_name(m[0]), weak=True)


def _day_part(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    step = {"next": 1, "last": -1}.get(m[1].split()[0], 0)
    day = add_days(ctx.today, step)
    return at(m, day=day, part=_part_name(m[0])) if day else None


def _tonight(m: "re.Match[str]", ctx: Ctx) -> Piece:
    return at(m, day=ctx.today, part="night" if "late" in m[0] else "evening")


CLOCK_RULES: list[LexRule] = [
    rule(rf"(?<![\d.:\-/])(?P<h>\d{{1,2}}):(?P<m>[0-5]\d)(?::[0-5]\d)?(?:\s*{HALF})?(?![\d:])", _digital),
    rule(rf"(?<=[\d/][-/.])(?P<h>\d{{1,2}}):(?P<m>[0-5]\d)(?::[0-5]\d)?(?:\s*{HALF})?(?![\d:])", _digital),
    rule(rf"(?<![\d.:\-a-z/])(?P<h>\d{{1,2}})(?:[.](?P<m>[0-5]\d))?\s*{HALF}", _hour_half),
    rule(rf"(?<=-)(?P<h>\d{{1,2}})(?P<m>)\s*{HALF}", _hour_half),
    rule(rf"(?<![\d.:\-a-z])(?P<h>1[0-2]|[1-9])(?P<m>[0-5]\d)\s*{HALF}", _run_together),
    rule(word(rf"(?P<h>{HOURS})(?P<m>)\s+(?P<half>[ap]\.?\s?m\.?)"), _hour_half),
    rule(r"(?<![\d.:])(?P<h>[01]?\d|2[0-4])h(?P<m>[0-5]\d)(?P<half>)(?![\da-z])", _digital),
    rule(r"(?<![\d.:])(?P<h>[01]?\d|2[0-4])h(?![\da-z])", lambda m, c: _hour_h(m, c)),
    rule(word(rf"(?P<h>{HOURS}|\d{{1,2}})(?P<m>)\s*o'?\s?clock(?:\s*(?P<half>[ap]\.?\s?m))?"), lambda m, c: _oclock(m)),
    rule(word(rf"(?P<h>{HOURS})[\s-]+(?P<m>{_MINUTES})(?:\s+(?P<half>[ap]\.?\s?m\.?)|(?P<min>\s+minutes))?"), _spoken),
    rule(
        word(rf"(?P<h>{HOURS})[\s-]+(?:oh?|zero)[\s-]+(?P<m>[a-z]+)(?:\s+(?P<half>[ap]\.?\s?m\.?))?"),
        lambda m, c: _oh(m),
    ),
    rule(
        word(
            rf"(?P<n>half|a quarter|quarter|{EN_NUMBER})(?P<mins>\s+min(?:ute)?s?)?\s+(?P<dir>past|after|to|before|til|till)\s+"
            rf"(?P<h>{HOURS}|\d{{1,2}}|midnight|noon)(?:\s+o'?\s?clock)?"
        ),
        _past,
    ),
    rule(word(rf"half\s+(?P<h>{HOURS})"), _half_hour),
    rule(rf"(?<![a-z])half\s+(?P<h>1[0-2]|[1-9]){HOUR_STANDS}", _half_hour),
    rule(
        rf"(?<=\bat )(?:about |around )?(?P<h>{HOURS}|[01]?\d|2[0-4])" + HOUR_STANDS,
        bare,
    ),
    rule(rf"(?:(?<=\bby )|(?<=@ )|(?<=@))(?P<h>{HOURS}|[01]?\d|2[0-4])" + HOUR_STANDS, bare),
    rule(
        rf"(?:(?<=\bsay )|(?<=\bhow about )|(?<=\bwhat about )|(?<=\blet's do )|(?<=\bbefore )|(?<=\bafter )|(?<=\buntil )|(?<=\btill )|(?<=\baround )|(?<=\bpast )|(?<=\bthan )|(?<=\bit )|(?<=\bfor )|(?<=\blatest )|(?<=\balmost )|(?<=\bnearly ))"
        rf"(?P<h>{HOURS}|[01]?\d|2[0-4])" + HOUR_STANDS,
        lambda m, c: _bare_after(m, c),
    ),
    rule(
        word(
            rf"(?P<h>{HOURS}|\d{{1,2}})(?=\s+(?:{TOMORROW}|tonight|tonite|this {PART_WORD}|in the {PART_WORD}|at night|in the am|in the pm|(?:at the )?latest)\b)"
        ),
        bare,
    ),
    rule(
        rf"(?:(?<=\bfrom )|(?<=\bbetween ))(?P<h>{HOURS}|\d{{1,2}})(?=\s*(?:to|and|-|till|until)\s*(?:{HOURS}|\d))",
        lambda m, c: _range_bare(m, c),
    ),
    rule(
        rf"(?<![\d.:\-/a-z$])(?P<h>{HOURS}|\d{{1,2}})(?=\s*(?:to|-)\s*(?:{HOURS}|\d{{1,2}})(?::\d\d)?\s*(?:[ap]\.?\s?m|in the|{_DAY_BEHIND}))",
        bare,
    ),
    rule(
        rf"(?<=\s)(?P<h>{HOURS}|\d{{1,2}})(?=\s*(?:to|-)\s*(?:{HOURS}|\d{{1,2}})(?::[0-5]\d)?\s*(?:$|[?.!,;)]))",
        lambda m, c: _behind_day(m, c),
    ),
    rule(
        # A message of nothing but two numbers answers "when".
        rf"^\s*(?P<h>{HOURS}|\d{{1,2}})(?=\s*(?:to|-|till|until)\s*(?:{HOURS}|\d{{1,2}})(?::[0-5]\d)?\s*[.!?]?\s*$)",
        bare,
    ),
    rule(
        rf"(?:(?<=\bto )|(?<=\band )|(?<=- )|(?<=-)|(?<=\btill )|(?<=\buntil ))(?P<h>{HOURS}|\d{{1,2}})(?![\d:/]|st|nd|rd|th|%|\s+(?!on|at|in|today|tomorrow|tonight|this|that|last|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day)[a-z])",
        lambda m, c: _range_end(m, c),
    ),
    rule(
        r"(?:(?<=\bat )|(?<=\baround )|(?<=\babout )|(?<=\btonight )|(?<=\btomorrow ))(?P<h>1[0-2]|[1-9])[\s]?(?P<m>[0-5]\d)(?!\d|\s?[a-z%](?!n\b|s\b))",
        _run_together,
    ),
    rule(word(rf"(?P<h>\d{{1,2}}|{HOURS})(?::(?P<m>[0-5]\d))?\s?-?ish(?:\s*(?P<half>[ap]m))?"), lambda m, c: _ish(m)),
    rule(
        word(r"(?:at\s+)?(?:the\s+)?(?:noon|midday|mid day|mid-day)(?:[\s-]?ish)?"),
        lambda m, c: at(m, clock=Clock(12, 0, True)),
    ),
    rule(word(r"(?:at\s+)?lunch(?:\s?time)?"), lambda m, c: _lunch(m)),
    rule(
        word(r"mid\s?-?night") + r"(?!\s+(?:blue|snack|oil|special|run|sun|mass|black|green|theme|mode))",
        lambda m, c: at(m, clock=Clock(0, 0, True)),
    ),
    rule(word(r"mid-?\s?morning"), lambda m, c: at(m, clock=Clock(10, 0, True))),
    rule(word(r"mid-?\s?afternoon"), lambda m, c: at(m, clock=Clock(14, 0, True))),
    rule(
        word(
            r"eob?d|eob|cob|(?:the\s+)?(?:end|close) of (?:the\s+)?(?:business(?: day)?|work(?:ing day|day)?|play|day)"
        ),
        _closing,
    ),
    rule(word(r"(?:late |early )?(?:to-?night|tonite)"), _tonight),
    rule(word(rf"(this|that|next|last)\s+(?:early |late )?{PART_WORD}"), _day_part),
    rule(word(rf"(?:in|during|by|of|on) the (?:early[\s-]|late[\s-])?{PART_WORD}"), _part),
    rule(
        word(r"at night|by evening|first thing(?: in the morning)?"),
        lambda m, c: at(m, part="morning" if "first" in m[0] else "evening"),
    ),
    rule(word(rf"(?:early[\s-]|late[\s-])?{PART_WORD}"), _weak_part),
]


def _hour_h(m: "re.Match[str]", _: Ctx) -> Piece | None:
    """ "15h" is a time, "2h" a length: the hours after noon and those after "at" are times."""
    hour = int(m["h"])
    before = before_match(m)
    if re.search(
        r"(?:in|within|for|every|next|last|past|take|takes|took|a|the)\s+(?:under\s+|about\s+|another\s+)?$", before
    ):
        # "within 24h" is a length.
        return None
    said = re.search(r"(?:at|@|by|-|to|2014)\s*$", before)
    return at(m, clock=Clock(hour, 0, hour > 12)) if hour > 12 or said else None


def _oclock(m: "re.Match[str]") -> Piece | None:
    hour = en_number(m["h"])
    return clock_piece(m, int(hour), 0, m["half"]) if hour is not None and hour <= 12 else None


def _oh(m: "re.Match[str]") -> Piece | None:
    hour, minute = en_number(m["h"]), en_number(m["m"])
    return clock_piece(m, int(hour), int(minute), m["half"]) if hour and minute and minute < 10 else None


def _bare_after(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    before = before_match(m)
    if re.search(r"(?:it|for) $", before) and not re.search(
        r"(?:make it|(?:satur|sun|mon|tues|wednes|thurs|fri)day for) $", before
    ):
        return None
    return bare(m, ctx)


_CHANGED = re.compile(
    r"\b(?:(?:go|goes|going|went|gone|is|was|are|were) (?:up|down)|rose|rises?|risen|grew|grow\w*|increas\w+|decreas\w+|dropp?\w*|fell|cut|reduc\w+|rais\w+|price|rate|score)\b"
    r"(?:\s+\w+){0,3}\s+(?:from|between)\s"
)


def _behind_day(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "Thu 3-4?" is of hours."""
    return bare(m, ctx) if re.search(rf"{DAY_BEFORE}$", before_match(m)) else None


def _range_bare(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    """ "from 7 to 9" is of hours when nothing names a month behind it, and nothing before it a change of numbers."""
    if _CHANGED.search(before_match(m)):
        return None
    rest = m.string[m.end() : m.end() + 40]
    if re.match(
        r"\s*(?:to|and|-|till|until)\s*(?:the\s+)?\S+\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|percent|people|miles)",
        rest,
    ):
        return None
    return bare(m, ctx)


def _range_end(m: "re.Match[str]", ctx: Ctx) -> Piece | None:
    before = before_match(m)
    hour = rf"(?:{HOURS}|\d{{1,2}}(?::\d\d)?)"
    lone = bool(re.fullmatch(rf"\s*{hour}\s*(?:to|-+|till|until)\s*", m.string[: m.start()]))
    lone = lone and bool(re.fullmatch(r"\s*[.!?]?\s*", after_match(m)))
    pair = rf"{hour}\s*(?:to|-+)\s*$"
    behind = re.search(rf"{DAY_BEFORE}{pair}", before) and _ENDS.match(after_match(m))
    ahead = re.search(rf"(?<![\w.:/$-]){pair}", before) and re.match(rf"\s*{_DAY_BEHIND}", after_match(m))
    linked = re.search(rf"(?:(?:from|between)\s+{hour}|[ap]\.?m\.?|\d:\d\d)\s*(?:to|and|-+|till|until)\s*$", before)
    if not (lone or behind or ahead or linked) or _CHANGED.search(before):
        return None
    return bare(m, ctx)


def _ish(m: "re.Match[str]") -> Piece | None:
    return clock_piece(m, int(en_number(m["h"]) or 0), int(m["m"] or 0), m["half"])


def _lunch(m: "re.Match[str]") -> Piece | None:
    """Lunch is a time after "at", "before" or "after" and in "lunchtime"; else it is a meal."""
    before = before_match(m)
    if re.search(r"\b(?:over|during)\s+$", before):
        return at(m, part="noon")
    if re.search(r"\bafter\s+$", before):
        return at(m, clock=Clock(13, 0, True))
    said = m[0].startswith("at") or "time" in m[0] or re.search(r"\b(?:before|by|around|until|till)\s+$", before)
    return at(m, clock=Clock(12, 0, True)) if said else None
