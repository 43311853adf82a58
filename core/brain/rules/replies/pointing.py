"""Whom a delegate's words point to, where the matter is not theirs."""

from __future__ import annotations

import re

from core.brain.questions import PersonBrief
from core.brain.rules.words.names import mentions, unknown_name
from core.brain.rules.words.text import fold
from core.patterns import lazy

# Whom to turn to instead. What belongs to somebody or is somebody's is told by a name alone ("是不可能的事" names nobody).
_TURN_TO = lazy(
    r"(?P<ask>找|问|联系|去找)(?:一下)?\s?|(?:不)?(?P<of>归|由|是|交给|转给)"
    r"|\b(?:[Aa]sk|[Tt]ry|[Tt]alk to|[Ss]peak (?:to|with)|[Cc]ontact|[Cc]heck with|[Pp]ing|[Hh]anded (?:it |over |that )*to|[Bb]elongs to)\s+"
    r"(?P<en>(?:(?:Mr|Mrs|Ms|Dr)\.? )?[A-Z]\w+)"
)
# "Hannah does the badges": whose it is.
_HOLDS = lazy(
    r"(?:^|[,.;!] |\b(?:but|and|since|as|because) )(?P<who>(?!I\b|We\b|You\b|He\b|She\b|They\b|It\b|That\b|This\b|Who\b|Nobody\b|Somebody\b)[A-Z]\w+)"
    r" (?:does|handles|owns|runs|manages|looks after|deals with|takes care of|took over|has taken over|is in charge of|is responsible for)\b"
)
_OF_A_TEAM = lazy(r"(?:[\u4e00-\u9fff]{2,6}的)(?=[\u4e00-\u9fff]{2})")
_CALLED = lazy(r"(?P<who>[\u4e00-\u9fff]{2,4}?)(?=吧|去|要|拿|负责|管|在弄|[,，。!！?？\s]|$)")
_NOBODY = lazy(
    r"^(?:[你我他她咱它这那哪谁]|别人|其他|老板|自己|什么|一[下声]|不|没|过|到|清|问|找|人)|(?:的|了|着|是)$"
)


def _named_after(text: str, at: int, asked: bool) -> str | None:
    """Who is named at a place of a text, without the team they are of: `采购的段蕾`; the fuller of two: `小徐 徐婧`."""
    team = _OF_A_TEAM.match(text, at)
    at = team.end() if team else at
    name = unknown_name(text[at:])
    if name:
        fuller = re.match(r"[\s(（]+", text[at + len(name) :])
        full = unknown_name(text[at + len(name) + fuller.end() :]) if fuller else ""
        return full if full and set(full) & set(name) else name
    called = _CALLED.match(text, at) if asked else None
    return called.group("who") if called and not _NOBODY.search(called.group("who")) else None


def pointed_to(text: str, names: tuple[str, ...]) -> str | None:
    """Whom a refusal points to: `找李四`, `ask Wei`; a name of the directory, else what looks like a name."""
    own = fold(text)
    found = mentions(text, [PersonBrief(person_id=name, name=name) for name in names])
    after = [
        m
        for m in found
        if re.search(
            r"(?:找|问|联系|归|由|是|换|交给|给|转|ask|try|to|with|contact|ping|that's|it's|see)(?:一下|你)?\s*(?:小|老)?.{0,4}$",
            own[: m.start],
        )
    ]
    if after:
        return after[-1].name
    if found and re.search(r"负责|管|在弄|的事|handles|owns|does that|'s (?:job|call|area)", own[found[0].end :]):
        return found[0].name
    if hit := _HOLDS.search(text):
        return hit.group("who")
    for hit in _TURN_TO.finditer(text):
        who = hit.group("en") or _named_after(text, hit.end(), bool(hit.group("ask")))
        if who:
            return who
    return None
