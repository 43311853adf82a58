"""English recurrences: "every weekday at 9", "2nd and last Friday of each month", "once a year on Dec 25".

Such a phrase is read as a whole: from the word that says it recurs, outwards over the words that can belong to it,
then each of these words in turn.
"""

import re
from dataclasses import dataclass, field

from core.patterns import lazy

from .en_words import FULL_WEEKDAY, MONTH, WEEKDAY, month_number, nth_number, weekday_number, word
from .lexing import MOST
from .model import Clock, Piece, Rule
from .numerals import EN_ORDINAL_WORD, en_number, en_ordinal
from .recur import nth_day

DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_UNIT = r"(?:second|sec|minute|min|hour|hr|day|week|wk|fortnight|month|quarter|year|weekday|weekend|morning|afternoon|evening|night)"
_ADVERB = {
    "hourly": ("HOURLY", 1),
    "daily": ("DAILY", 1),
    "everyday": ("DAILY", 1),
    "nightly": ("DAILY", 1),
    "weekly": ("WEEKLY", 1),
    "biweekly": ("WEEKLY", 2),
    "bi-weekly": ("WEEKLY", 2),
    "fortnightly": ("WEEKLY", 2),
    "monthly": ("MONTHLY", 1),
    "bimonthly": ("MONTHLY", 2),
    "quarterly": ("MONTHLY", 3),
    "yearly": ("YEARLY", 1),
    "annually": ("YEARLY", 1),
    "semiannually": ("MONTHLY", 6),
    "semi-annually": ("MONTHLY", 6),
    "annual": ("YEARLY", 1),
}
_FREQ = {
    "sec": ("SECONDLY", 1),
    "min": ("MINUTELY", 1),
    "hou": ("HOURLY", 1),
    "hr": ("HOURLY", 1),
    "day": ("DAILY", 1),
    "wee": ("WEEKLY", 1),
    "wk": ("WEEKLY", 1),
    "for": ("WEEKLY", 2),
    "mon": ("MONTHLY", 1),
    "qua": ("MONTHLY", 3),
    "yea": ("YEARLY", 1),
}
_PLURAL_DAY = rf"{FULL_WEEKDAY}s"
_WORKING_DAY = r"(?:work\s?day|(?:working|business)\s+day)"
# "Mon-Fri at 9" is every working day, where a lone clock stands behind it.
_WORKING_WEEK = (
    r"mon(?:day)?s?\s*(?:-|to|thru|through|till?|until)\s*fri(?:day)?s?"
    r"(?=\s*,?\s*(?:at\s+|@\s*)?(?:\d{1,2}(?::\d\d)?(?:\s?[ap]\.?m)?|noon)(?!\d|st|nd|rd|th|\s*[-/]|\s+[a-z]))"
)
_ADVERBS = "|".join(sorted(_ADVERB, key=len, reverse=True))
TRIGGER = lazy(
    word(
        rf"(?:every|each)(?=\s+(?:single\s+)?(?:other|second|alternate|half|couple|{_WORKING_DAY}|{EN_ORDINAL_WORD}|last|\d+(?:st|nd|rd|th)?|two|three|four|five|six|ten"
        rf"|twelve|fifteen|twenty|thirty|few|{_UNIT}s?|{WEEKDAY}s?|{MONTH})\b)"
        rf"|{_ADVERBS}|once\s+(?:an?|per|every|each)\s+(?:hour|day|week|fortnight|month|quarter|year)"
        rf"|{_WORKING_WEEK}|{_PLURAL_DAY}|weekdays|weekends|(?:on\s+)?(?:mornings|evenings|nights|afternoons)(?=\s+at\b)|(?:on\s+)?(?:tues|weds|thurs|fris|mons|sats|suns)(?=-|\s+(?:and|through|at)\b)"
    )
)
_WORDS = lazy(
    rf"(?:\d{{1,2}}:\d\d(?:\s?[ap]\.?\s?m?\.?)?|\d{{1,2}}\s?[ap]\.?\s?m?\.?|every|each|other|alternate|couple|single|once|per|an?|on|in|of|the"
    rf"|and|at|to|thru|through|from|by|before|or|{_ADVERBS}|{_UNIT}s?|{WEEKDAY}s?\.?|{MONTH}\.?|\d+(?:st|nd|rd|th)?"
    rf"|{EN_ORDINAL_WORD}|last|end|begin(?:ning)?|start|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    rf"|fifteen|twenty|thirty|noon|midnight|o'?clock|half|past|working|business|workday|close|eod|cob|eob)(?![a-z0-9])|[,\-&@]"
)
_LEAD = lazy(r"(?:[\s,\-&]|(?:in|of|and|to|from|by|or|until|through|an?)(?![a-z0-9]))+")
_TAIL = lazy(r"(?:[\s,\-&@]|(?<![a-z0-9])(?:on|in|of|the|and|at|to|from|by|before|or|an?|until|through|per))+$")
_AND = lazy(r"(?=.*(?:,|and|&))(?:[\s,&]|and|at|again|\d{1,2})+")
_DETERMINER = lazy(r"(?<![a-z])(?:the|our|my|your|his|her|their|this|that|last|next|[a-z]+'s)\s+$")
_NOUN = lazy(
    r"\s*(?:$|[.,!?])|\s+(?!(?:at|on|by|from|and|or|to|in|until|till|for|starting|please|so|if)(?![a-z]))[a-z]{3,}"
)
_COUNTED = lazy(r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|few|several|couple(?: of)?)\s+$")


# "daily standup at 9:30", "weekly sync on Tuesdays": what recurs stands between.
_THING = lazy(
    r"(?<=daily)\s+(?:[a-z]+\s+){1,2}(?=(?:at|@)\s+\d)|(?<=ly)(?<!daily)\s+(?:[a-z0-9:]+\s+){1,2}(?=(?:on|every|each)\s)"
)


@dataclass
class _Parts:
    """What the words of a phrase have said so far."""

    freq: str | None = None
    interval: int = 1
    ordinals: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    weekdays: list[str] = field(default_factory=list)
    monthdays: list[int] = field(default_factory=list)
    months: list[int] = field(default_factory=list)
    part: str | None = None
    hours: list[int] = field(default_factory=list)
    more: list[int] = field(default_factory=list)
    """Numbers behind "and": of hours or of days, as what stands before them tells."""
    setpos: int | None = None


def find_rules(text: str, clocks: list[Piece]) -> list[Piece]:
    """The recurrences of a text in plain letters. ``clocks`` are the times of day found in it."""
    pieces: list[Piece] = []
    position = 0
    while len(pieces) < MOST and (trigger := TRIGGER.search(text, position)):
        if (trigger[0].endswith("s") and _COUNTED.search(text, 0, trigger.start())) or _names(text, trigger):
            # "three weekends", "2 Sundays from now"
            position = trigger.end()
            continue
        start, end = _extent(text, trigger, position)
        position = max(end, trigger.end())
        inside = [c for c in clocks if start <= c.start and c.end <= end]
        piece = _read(text, start, end, inside)
        if piece:
            pieces.append(piece)
    return pieces


def _names(text: str, trigger: "re.Match[str]") -> bool:
    """ "the weekly report": which one it is, not that something is to recur."""
    start, end = trigger.span()
    return trigger[0] in _ADVERB and bool(
        _DETERMINER.search(text, max(0, start - 12), start) and _NOUN.match(text, end)
    )


def _extent(text: str, trigger: "re.Match[str]", floor: int) -> tuple[int, int]:
    start, end = trigger.start(), trigger.end()
    if trigger[0] in _ADVERB and (thing := _THING.match(text, end)):
        end = thing.end()
    while match := _WORDS.match(text, _skip_blank(text, end)):
        end = match.end()
    words = list(_WORDS.finditer(text, floor, start))
    for found in reversed(words):
        if text[found.end() : start].strip() or (found[0].isalnum() and text[: found.start()][-1:].isalnum()):
            break
        start = found.start()
    return _trim(text, start, end)


def _skip_blank(text: str, position: int) -> int:
    while position < len(text) and text[position] == " ":
        position += 1
    return position


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    if tail := _TAIL.search(text, start, end):
        end = tail.start()
    if lead := _LEAD.match(text, start, end):
        start = lead.end()
    return start, end


_TOKEN = lazy(
    rf"(?P<every>(?:every|each)\s+(?P<other>other|couple(?:\s+of)?|alternate|second(?!\s+(?:{WEEKDAY}|of))|\d+(?:st|nd|rd|th)?|{EN_ORDINAL_WORD}|two|three|four|five|six|ten|twelve|fifteen|twenty|thirty)"
    rf"\s+(?P<unit>{_UNIT}s?)(?![a-z])(?!\s+of))"
    rf"|(?P<alternate>(?:every|each)\s+(?:other|alternate|second(?=\s+{WEEKDAY}))(?![a-z])(?!\s+{WEEKDAY}s?\s+(?:of|in)(?![a-z]))|alternate(?=\s+{WEEKDAY}))"
    rf"|(?P<half>(?:every|each)\s+half\s+(?:an?\s+)?hour(?![a-z]))"
    rf"|(?P<working>(?:every|each)\s+(?:single\s+)?{_WORKING_DAY}(?![a-z]))"
    rf"|(?P<plain>(?:every|each|once\s+(?:an?|per|every|each))\s+(?:single\s+)?(?P<punit>{_UNIT}s?)(?![a-z]))"
    rf"|(?P<adverb>(?:{_ADVERBS})(?![a-z]))"
    rf"|(?P<setpos>(?:(?P<setn>\d+(?:st|nd|rd|th)|{EN_ORDINAL_WORD}|last)\s+)(?:(?:working|business|work)\s+day|workday|weekday)(?![a-z]))"
    rf"|(?P<nlast>(?:\d+(?:st|nd|rd|th)|{EN_ORDINAL_WORD})\s+to(?:\s+the)?\s+last(?![a-z]))"
    rf"|(?P<range>(?P<from>{WEEKDAY})s?\s*(?:-|to|thru|through)\s*(?P<to>{WEEKDAY})s?(?![a-z]))"
    rf"|(?P<weekdays>weekdays?(?![a-z]))|(?P<weekends>weekends?(?![a-z]))"
    rf"|(?P<weekday>{WEEKDAY})s?(?![a-z])\.?"
    rf"|(?P<month>{MONTH})(?![a-z])\.?"
    rf"|(?P<last>last(?![a-z]))|(?P<end>end(?![a-z]))|(?P<start>(?:begin(?:ning)?|start)(?![a-z]))"
    rf"|(?P<ord>\d+(?:st|nd|rd|th)|{EN_ORDINAL_WORD})(?![a-z])"
    rf"|(?P<dayword>day(?![a-z]))"
    rf"|(?P<part>(?:morning|afternoon|evening|night)s?(?![a-z]))"
    rf"|(?:at|by|@|and|,)\s*(?P<hour>\d{{1,2}})(?![a-z\d:.])"
    rf"|(?P<num>\d{{1,2}})(?![a-z\d:])"
)


def _read(text: str, start: int, end: int, clocks: list[Piece]) -> Piece | None:
    body = list(text[start:end])
    for said in clocks:
        body[said.start - start : said.end - start] = " " * (said.end - said.start)
    parts = _Parts()
    for token in _TOKEN.finditer("".join(body)):
        _take(parts, token)
    _close_ordinals(parts)
    rule = _rule(parts)
    if rule is None:
        return None
    clock, part, further = _hours(text, parts, clocks)
    return Piece(start, end, rule=rule, clock=clock, further=further, part=parts.part or part)


_Further = tuple[tuple[Clock, str | None], ...]


def _hours(text: str, parts: _Parts, clocks: list[Piece]) -> tuple[Clock | None, str | None, _Further]:
    """The time of the phrase, with those that "and" puts beside it in the same minute."""
    said = [c for i, c in enumerate(clocks) if not i or _AND.fullmatch(text, clocks[i - 1].end, c.start)]
    bare = parts.hours + (parts.more if (said or parts.hours) and not parts.months else [])
    times = [(c.clock, c.part) for c in said if c.clock] + [(Clock(h), None) for h in bare if 1 <= h <= 23]
    if not times:
        return None, clocks[0].part if clocks else None, ()
    first, part = times[0]
    return first, part, tuple(t for t in times[1:] if t[0].minute == first.minute)


def _take(parts: _Parts, token: "re.Match[str]") -> None:
    kind = token.lastgroup or ""
    if token["every"]:
        count = (
            {"other": 2, "alternate": 2, "second": 2, "couple": 2, "couple of": 2}.get(token["other"])
            or en_ordinal(token["other"])
            or int(en_number(token["other"]) or 1)
        )
        _take_unit(parts, token["unit"], count)
    elif token["plain"]:
        _take_unit(parts, token["punit"], 1)
    elif token["alternate"]:
        parts.interval = 2
    elif token["half"]:
        parts.freq, parts.interval = "MINUTELY", 30
    elif token["working"]:
        _take_unit(parts, "weekday", 1)
    elif token["adverb"]:
        parts.freq, parts.interval = _ADVERB[token["adverb"]]
        parts.part = "evening" if token["adverb"] == "nightly" else parts.part
    elif token["setpos"]:
        parts.setpos = nth_number(token["setn"])
    elif token["nlast"] or token["last"] or token["ord"]:
        parts.ordinals.append(nth_number(token[0]) or 1)
    elif token["end"] or token["start"]:
        parts.monthdays.append(-1 if token["end"] else 1)
    elif token["range"]:
        parts.weekdays += _span(weekday_number(token["from"]), weekday_number(token["to"]))
    elif token["weekdays"] or token["weekends"]:
        parts.weekdays += DAYS[:5] if token["weekdays"] else DAYS[5:]
    elif token["weekday"]:
        _take_weekday(parts, DAYS[weekday_number(token["weekday"])])
    elif token["month"]:
        parts.months.append(month_number(token["month"]))
    elif token["part"]:
        parts.part = {"night": "evening"}.get(token["part"].rstrip("s"), token["part"].rstrip("s"))
        parts.freq = parts.freq or "DAILY"
    elif token["hour"]:
        (parts.more if token[0].startswith(("and", ",")) else parts.hours).append(int(token["hour"]))
    elif token["num"] and kind:
        parts.numbers.append(int(token["num"]))


def _take_unit(parts: _Parts, unit: str, count: int) -> None:
    parts.interval = count
    if unit.startswith(("weekday", "weekend")):
        parts.freq = "WEEKLY"
        parts.weekdays += DAYS[:5] if unit.startswith("weekday") else DAYS[5:]
    elif unit.rstrip("s") in ("morning", "afternoon", "evening", "night"):
        parts.freq = "DAILY"
        parts.part = "evening" if unit.startswith("night") else unit.rstrip("s")
    else:
        key = unit[:2] if unit.startswith(("hr", "wk")) else unit[:3]
        parts.freq, size = _FREQ[key]
        parts.interval = count * size


def _take_weekday(parts: _Parts, name: str) -> None:
    if parts.ordinals:
        parts.weekdays += [f"{n}{name}" for n in parts.ordinals]
        parts.ordinals = []
    else:
        parts.weekdays.append(name)


def _span(first: int, last: int) -> list[str]:
    if first == last:
        return [DAYS[first]]
    return [DAYS[d % 7] for d in range(first, last + 1 if last > first else last + 8)]


def _close_ordinals(parts: _Parts) -> None:
    """Ordinals without a weekday behind them are days of the month; so are bare numbers beside a month."""
    parts.monthdays += parts.ordinals
    if parts.months:
        parts.monthdays += [n for n in (*parts.numbers, *parts.more) if 1 <= n <= 31]


def _rule(parts: _Parts) -> Rule | None:
    freq = parts.freq
    if freq is None:
        if parts.months:
            freq = "YEARLY"
        elif parts.monthdays or any(d[0] in "-123456789" for d in parts.weekdays):
            freq = "MONTHLY"
        elif parts.weekdays:
            freq = "WEEKLY"
        else:
            return None
    if parts.setpos and freq in ("WEEKLY", "MONTHLY", "YEARLY"):
        return Rule(freq, parts.interval, byday=DAYS[:5], bymonth=tuple(parts.months), bysetpos=parts.setpos)
    if freq == "DAILY" and parts.weekdays and parts.interval == 1:
        freq = "WEEKLY"
    if freq == "MONTHLY" and parts.interval == 3 and parts.monthdays in ([1], [-1]):
        return nth_day(Rule(freq, 3), parts.monthdays[0])
    if freq == "WEEKLY" and parts.monthdays:
        days = [DAYS[n - 1] for n in parts.monthdays if 1 <= n <= 7]
        return Rule(freq, parts.interval, byday=tuple(days))
    return Rule(
        freq,
        parts.interval,
        byday=tuple(dict.fromkeys(parts.weekdays)),
        bymonthday=tuple(dict.fromkeys(parts.monthdays)),
        bymonth=tuple(dict.fromkeys(parts.months)),
    )
