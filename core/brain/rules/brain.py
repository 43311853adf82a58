"""The rule brain: every question answered by rules, offline, in Chinese and plain English."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from core.brain.questions import (
    A,
    Answer,
    Assess,
    Compose,
    Converse,
    Evaluate,
    Extract,
    Fulfil,
    Judge,
    MatchEvent,
    MatchReply,
    Question,
    Work,
)
from core.brain.rules.assess import assess
from core.brain.rules.compose import compose
from core.brain.rules.converse import converse
from core.brain.rules.evaluate import evaluate
from core.brain.rules.extract import extract
from core.brain.rules.fulfil import fulfil
from core.brain.rules.judge import judge
from core.brain.rules.match import match
from core.brain.rules.match_event import match_event
from core.brain.rules.work import work

_RULES: dict[type[Question[Any]], Callable[[Any], Answer]] = {
    Judge: judge,
    MatchReply: match,
    MatchEvent: match_event,
    Extract: extract,
    Evaluate: evaluate,
    Assess: assess,
    Compose: compose,
    Converse: converse,
    Work: work,
    Fulfil: fulfil,
}


class RuleBrain:
    """Answers every question at once, from the question alone; never raises a `BrainError`."""

    name = "rules"

    async def ask(self, question: Question[A]) -> A:
        """The answer of the rule for this kind of question."""
        return cast(A, _RULES[type(question)](question))
