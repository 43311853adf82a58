"""Does a message ask for something to be done, and for what? Goals, not steps."""

from __future__ import annotations

import re

from core.brain.questions import Extract, Tendencies
from core.brain.rules.owner.apart import beside_an_order, by_matter
from core.brain.rules.owner.asked import reach
from core.brain.rules.owner.intent import Intent, intent_of
from core.brain.rules.owner.mood import is_spoken_of
from core.brain.rules.owner.reaching import ZH_BEFORE, ZH_TOWARDS
from core.brain.rules.owner.wishes import EXPECT, REMIND_ME, STEPS, TRANSFORM
from core.brain.rules.words.names import PERSON
from core.brain.rules.words.text import any_of, fold, squeezed, without_quotes
from core.patterns import lazy
from core.timetalk import parse

# A new goal begins: said so, or with a number.
_ANOTHER = any_of(
    r"""
    [,，。;；\s]*(?:另外|还有(?=帮|你|提醒|问|一件)|再(?=帮我|提醒我|叫我|喊我)|顺[便带](?:也|再)?(?=帮|提醒|问|告诉|跟|通知|让|叫|催|找|转告)|然后(?=提醒|帮我)|同时(?=帮|提醒|问)|\balso,? (?=remind|ask|tell)|\band (?:also |then )?(?=remind me)|\band also (?=ask|tell)|\bplus,? (?=remind|ask|tell))
    (?:^|[,，。;；\s])(?=[1-9一二三四][、.)）:：]?\s*(?:问|找|提醒|跟|让|通知))
    """
)


def extract(q: Extract) -> Tendencies:
    """One tendency a goal; empty for talk, explanation, translation, opinion."""
    own = without_quotes(q.text)
    intent, found_in_all = intent_of(q.text, q.now, q.contacts, q.concerns)
    if intent is Intent.CHAT and is_spoken_of(found_in_all):
        return Tendencies()
    if TRANSFORM.search(fold(own)):  # behind the colon stands the text to be worked on
        own = re.split(r"[:：]", own, maxsplit=1)[0]
    if apart := beside_an_order(own, q.now, q.concerns, q.contacts):
        return Tendencies(tendencies=tuple(goal for part in apart for goal in _parts(part, q)))
    parts = (by_matter(own, q.now, q.concerns, q.contacts) if intent is Intent.AMEND else []) or _parts(own, q)
    found = [p for p in parts if intent_of(p, q.now, q.contacts, q.concerns)[0] is not Intent.CHAT]
    if len(parts) > 1 and found:
        return Tendencies(tendencies=tuple(found))
    if intent is Intent.CHAT and not STEPS.search(own):
        return Tendencies()
    return Tendencies(tendencies=(q.text.strip(),))


def _parts(own: str, q: Extract) -> list[str]:
    """The message cut where another goal begins. What is shared by all (a greeting, a count) goes with the first."""
    lines = _listed(own, q)
    if len(lines) > 1:
        return [part for line in lines for part in _parts(line, q)]
    timed = _by_clock(own, q)
    if len(timed) > 1:
        return [part for piece in timed for part in _parts(piece, q)]
    cut = [p.strip(" ,，。;；") for p in _ANOTHER.split(own) if p and p.strip(" ,，。;；")]
    if len(cut) > 1:
        wanted = [p for p in cut if _starts_a_goal(p, q)]
        if len(wanted) > 1:
            return wanted
    return _by_person(own, q)


def _listed(own: str, q: Extract) -> list[str]:
    """`问张三…；李四每天要发日报；三点提醒我开会`: a list of goals, where each of its lines is one."""
    lines = [line.strip(" ,，。;；") for line in re.split(r"[;；\n]+", own) if line.strip(" ,，。;；")]
    return lines if len(lines) > 1 and all(_starts_a_goal(line, q) for line in lines) else [own]


_AT_A_TIME = lazy(
    r"[,，;；。]\s*(?:(?:and|then|also|plus|然后|再|还有|另外)\s*)*|\s+(?:and|then|and then)\s+(?=(?:in|at|on|tomorrow|tonight|every|next)\b)",
    re.IGNORECASE,
)
_DAY_SAID = lazy(
    r"[今明后](?:天|[早晚])|大后天|(?:下下?|这)?(?:周|星期|礼拜)[一二三四五六日天]|\d{1,2}月\d{1,2}[日号]"
    r"|\b(?:tomorrow|tonight|(?:on |next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_SAYS_NOTHING = lazy(r"[也再又]|一[次遍下声]|\b(?:again|too|as well|once more)\b|\W", re.IGNORECASE)


def _by_clock(own: str, q: Extract) -> list[str]:
    """`10分钟后提醒我喝水，20分钟后提醒我开会`, `remind me at 5 to call mum, at 6 to eat`: each clause that begins with a time
    and says what is to be done then. A clock without a day is of the day said first."""
    cuts = list(_AT_A_TIME.finditer(own))
    if not cuts or not (REMIND_ME.search(fold(own)) or reach(own, q.contacts).anybody) or EXPECT.search(fold(own)):
        return [own]
    pieces = [own[: cuts[0].start()]]
    for cut, end in zip(cuts, [*(c.start() for c in cuts[1:]), len(own)], strict=True):
        clause = own[cut.end() : end]
        goal = _timed_goal(clause, pieces[0], q)
        # A time that is taken back ("Wednesday, no wait, Thursday") is not there in the whole, which takes long to read.
        if goal and any(e.pos[1] <= cut.start() for e in parse(own[:end], q.now)) and parse(pieces[0], q.now):
            pieces.append(goal)
        else:
            pieces[-1] += own[cut.start() : end]
    return pieces if _starts_a_goal(pieces[0], q) else [own]


def _timed_goal(clause: str, first: str, q: Extract) -> str:
    """The clause as a goal that stands by itself; empty where it is none."""
    said = parse(clause, q.now)
    if not said or not re.fullmatch(r"(?:(?:at|on|in)\s+)?", fold(clause[: said[0].pos[0]])):
        return ""
    day = _DAY_SAID.search(first)
    if day and said[0].grain == "minute" and said[0].start and not _DAY_SAID.search(clause) and _CLOCK.match(clause):
        clause = f"{day[0]} {clause}" if day[0].isascii() else f"{day[0]}{clause}"
        said = parse(clause, q.now)
    rest = clause[said[0].pos[1] :]
    if (verb := REMIND_ME.search(fold(rest))) and verb.start() <= 4:
        return clause if squeezed(_SAYS_NOTHING.sub("", rest[verb.end() :])) else ""
    if re.match(r"\s+to [a-z]", rest) and REMIND_ME.search(fold(first)):
        return f"remind me {clause}"
    return clause if reach(clause, q.contacts).anybody and _starts_a_goal(clause, q) else ""


_CLOCK = lazy(r"(?:at )?[\d一二两三四五六七八九十]", re.IGNORECASE)


def _starts_a_goal(part: str, q: Extract) -> bool:
    if REMIND_ME.search(fold(part)):
        return True
    intent, found = intent_of(part, q.now, q.contacts, q.concerns)
    return found.anybody or (intent is Intent.EXPECT and bool(found.masked.found))


# In English the next goal begins with its verb, at the head of a clause: "…, and have Mary wire it".
_NEXT_EN = lazy(
    rf"(?P<lead>^\s*|[,;.!?]\s*(?:(?:and|then|also|plus|but|please|can you|could you)\s+)*|\b(?:and|then)\s+(?:(?:then|also|please)\s+)*)"
    rf"(?:ask|tell|remind|chase|ping|email|text|message|call|notify|inform|check with|find out from|let|have|get|give|thank|invite)\s+{PERSON}"
)


def _by_person(own: str, q: Extract) -> list[str]:
    """`问秀英不良率，再问强子仓库还有多少空位`: each person with a question of their own is a goal of its own."""
    found = reach(own, q.contacts)
    raw = found.masked.raw
    starts = [
        m.start()
        for m in re.finditer(rf"{ZH_BEFORE.pattern}|{ZH_TOWARDS.pattern}".replace("?P<who>", "?:"), found.masked.folded)
    ]
    starts = [s for s in starts if any(s <= a < s + 14 for a, _ in found.spans)]
    starts += [m.end("lead") for m in _NEXT_EN.finditer(found.masked.folded)]
    # "remind Tom to call Ann": what follows is his deed.
    starts = sorted({s for s in starts if not re.search(r"\bto\s+$", found.masked.folded[:s])})
    if len(starts) < 2 or len(found.ids) < 2:
        return [own]
    pieces = [raw[a:b] for a, b in zip([0, *starts[1:]], [*starts[1:], len(raw)], strict=True)]
    whole = [
        found.masked.unmask(
            re.sub(
                r"(?:再|然后|并且?|和|顺便|同时|还有|另外|\d[、.]?|[,;]?\s*\b(?:and|then|also|plus|but)\b)\s*$", "", p
            )
        ).strip(" ,，。;；")
        for p in pieces
    ]
    return whole if all(len(p) >= 4 for p in whole) else [own]
