"""What the initiator added to a request: a question of its own, by when it is wanted, a word more about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.brain.rules.words.goal import core_of, divided
from core.brain.rules.words.polite import is_question
from core.brain.rules.words.text import fold, is_english, squeezed
from core.patterns import lazy

_LEAD = lazy(
    r"^(?:(?:另外|还有|对了|顺便|顺带|再|也|还|帮我|麻烦|请|替我|你|和|以及)[,，\s]*)*"
    r"(?P<asks>(?:问|确认|了解|打听|核实)(?:一?下|问|一问|一声)?|(?:想|要)知道)?(?:[他她](?:们)?|对方)?(?:那边|这边)?[,，\s]*"
)
_LEAD_EN = lazy(
    r"^(?:(?:and|also|plus|oh|please|then)[,\s]+)*(?P<asks>(?:ask|check with|find out from)\s+)?"
    r"(?:(?:him|her|them)\b\s*)?(?:also\s+)?(?:about\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Added:
    """One addition. `question` is to be answered too; `rest` is whatever else it says."""

    question: str = ""
    rest: str = ""


def additions_to(goal: str, name: str) -> tuple[Added, ...]:
    """What was added to a goal, oldest first. `name` is whose answer is wanted: to them they are no third person."""
    return tuple(_read(words, core_of(goal), name) for words in divided(goal)[1])


def questions_added(goal: str, name: str = "") -> tuple[str, ...]:
    """Those of the additions that are to be answered too."""
    return tuple(more.question for more in additions_to(goal, name) if more.question)


def _read(words: str, core: str, name: str) -> Added:
    plain = words.replace(name, "", 1) if name and name in words else words
    lead = (_LEAD_EN if is_english(plain) else _LEAD).match(plain)
    asked = bool(lead and lead["asks"])
    plain = plain[lead.end() :] if lead else plain
    said_again = squeezed(fold(core)) in squeezed(fold(plain))
    if said_again:
        return Added(rest=_without(plain, core))
    return Added(question=plain.strip(" ,，。.;；?？")) if asked or is_question(plain) else Added(rest=plain)


def _without(plain: str, core: str) -> str:
    """What stands beside the question that was put already."""
    before, _, behind = plain.partition(core)
    return f"{before} {behind}".strip(" ,，。.;；?？")
