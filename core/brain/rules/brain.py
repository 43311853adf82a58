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


LONGEST = 6000
"""Characters of one text that are read; of a longer one its beginning and its end. Rules read it many times over, and
while they do, nobody else is answered."""


def _readable(question: Question[A]) -> Question[A]:
    """The question with overlong texts cut."""
    found = {field: getattr(question, field, None) for field in ("text", "tendency", "new")}
    cut: dict[str, Any] = {k: _cut(v) for k, v in found.items() if isinstance(v, str) and len(v) > LONGEST}
    if isinstance(new := found["new"], tuple) and any(len(text) > LONGEST for text in new):
        cut["new"] = tuple(_cut(text) for text in new)
    return question.model_copy(update=cut) if cut else question


def _cut(text: str) -> str:
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]}\n{text[-half:]}"


class RuleBrain:
    """Answers every question at once, from the question alone; never raises a `BrainError`."""

    name = "rules"

    async def ask(self, question: Question[A]) -> A:
        """The answer of the rule for this kind of question."""
        return cast(A, _RULES[type(question)](_readable(question)))
