"""When a yes is wanted first (RULES 6): nobody or several answer to a name, more are reached than were named, money
moves, or the words bind the owner."""

from __future__ import annotations

from typing import Any

from core.brain.questions import Ambiguity
from core.brain.rules.evaluating.goals import HAS_DONE, TELLS, verb_of
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.mood import is_wished
from core.brain.rules.owner.titles import Topic
from core.brain.rules.words.risk import ASKS_ONLY, BINDS, moves_money
from core.brain.rules.words.text import fold


def doubts(words: str, topic: Topic, found: Reach) -> dict[str, Any]:
    """The fields of an `EvaluatorResult` that say whether, and why, a yes is wanted first."""
    own = fold(words)
    asks_only = bool(ASKS_ONLY.search(topic.text))
    wished = is_wished(found) or found.addressed
    risky = moves_money(own, asks_only) or bool(BINDS.search(own) and not _merely_asks(asks_only, found))
    ambiguous = tuple(Ambiguity(name=n, candidates=ids) for n, ids in found.ambiguous.items())
    return {
        "need_confirm": bool(found.unknown or ambiguous or found.everyone or risky or wished),
        "reason": _why(found, risky, wished),
        "unknown_people": tuple(found.unknown),
        "ambiguous": ambiguous,
    }


def _merely_asks(asks_only: bool, found: Reach) -> bool:
    """Whether something was done is asked; nobody is told or made to do it."""
    return asks_only and verb_of(found) not in (*TELLS, *HAS_DONE)


def _why(found: Reach, risky: bool, wished: bool) -> str:
    if found.unknown:
        return f"nobody is known as {', '.join(found.unknown)}"
    if found.ambiguous:
        return f"several people answer to {', '.join(found.ambiguous)}"
    if found.everyone:
        return "more people would be reached than were named"
    if risky:
        return "moves money or commits the owner"
    return "it may be thinking aloud" if wished else "a plain request"
