"""Words that all of the English grammar uses: months, weekdays, "next" and "last", ordinals, spoken years."""

import re

from core.patterns import lazy

from .numerals import EN_ORDINAL_WORD, en_number, en_ordinal

MONTHS = {m: i for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
MONTH = (
    r"(?:jan(?:uary)?|feb(?:r?uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
# With the letters that thumbs swap.
WEEKDAYS = {d: i for i, d in enumerate("mon tue wed thu fri sat sun".split())} | {
    "tus": 1,
    "teu": 1,
    "wen": 2,
    "thr": 3,
    "thi": 3,
    "fir": 4,
}
FULL_WEEKDAY = (
    r"(?:monday|tuesday|tusday|tuseday|teusday|wedn?e?sday|wensday|wendsday|wendesday|thursday|thrusday|thirsday"
    r"|friday|firday|sat[ue]rday|sunday)"
)
SHORT_WEEKDAY = r"(?:mon|tues?|weds?|thurs?|thu|fri|sat|sun)"
TOMORROW = r"(?:tomm?orr?r?ow|tmrr?o?w|tmr|tmw|tomoz|2moro|2morrow|2mrw)"
# Short for "week" and the like.
WEEK = r"(?:week|wk)"
WEEKDAY = rf"(?:{FULL_WEEKDAY}|{SHORT_WEEKDAY})"
YEAR4 = r"(?:1[89]|20|21)\d\d"
WORD_YEAR = r"(?:two thousand(?: and)?(?: [a-z]+)?|nineteen (?:[a-z]+ty|[a-z]+teen)(?:[ -][a-z]+)?|twenty (?:ten|[a-z]+teen|twenty)(?: [a-z]+)?)"
STEP = {
    "this": 0,
    "current": 0,
    "the current": 0,
    "this coming": 1,
    "next": 1,
    "nxt": 1,
    "coming": 1,
    "the coming": 1,
    "following": 1,
    "the following": 1,
    "upcoming": 1,
    "last": -1,
    "past": -1,
    "previous": -1,
    "the previous": -1,
    "the next": 1,
    "the last": -1,
}
STEPS = "(?:" + "|".join(sorted(STEP, key=len, reverse=True)) + ")"
# Behind these "last" is a verb: "the course will last three days".
LASTS = lazy(
    r"\b(?:will|would|should|shall|can|could|may|might|must|to|does|doesn't|did|didn't|not|won't|can't)\s+$|'ll\s+$"
)
ORD = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{EN_ORDINAL_WORD})"


def month_number(word: str) -> int:
    """1 to 12 for the name of a month, short or long."""
    return MONTHS[word[:3]]


def weekday_number(word: str) -> int:
    """0 (Monday) to 6 for the name of a weekday, short or long."""
    return WEEKDAYS[word[:3]]


def word(pattern: str) -> str:
    """The pattern between word edges; Chinese characters beside it do not count as letters."""
    return rf"(?<![a-z0-9_])(?:{pattern})(?![a-z0-9_])"


def year_number(text: str | None) -> int | None:
    """A year in two or four digits or in words ("nineteen eighty six"), or None."""
    if not text:
        return None
    text = text.strip(" ,'")
    if text.isdecimal():
        number = int(text)
        return number if number > 99 else number + (1900 if number > 50 else 2000)
    return spoken_year(text)


def spoken_year(text: str) -> int | None:
    """A year in words, or None."""
    if m := re.fullmatch(r"two thousand(?: and)?(?: (.+))?", text):
        rest = en_number(m[1]) if m[1] else 0
        return 2000 + int(rest) if rest is not None else None
    century, _, rest_words = text.partition(" ")
    base = {"nineteen": 1900, "twenty": 2000}.get(century)
    tail = rest_words.replace("-", " ")
    number = en_number(tail)
    if number is None and (m := re.fullmatch(r"(sixty|seventy|eighty|ninety)(?: ([a-z]+))?", tail)):
        ones = en_number(m[2]) if m[2] else 0
        number = {"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}[m[1]] + (ones or 0)
    return base + int(number) if base and number is not None else None


def nth_number(text: str) -> int | None:
    """ "third" as 3, "last" as -1, "2nd to last" as -2."""
    text = text.strip()
    if text in ("last", "final"):
        return -1
    if m := re.fullmatch(r"(\S+)\s+to(?:\s+the)?\s+last", text):
        number = en_ordinal(m[1])
        return -number if number else None
    return en_ordinal(text)
