"""Whether a model can answer: a question of each kind is put to it, and its answer must fit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.brain.budget import new_turn
from bot.brain.samples import SAMPLES
from core.brain.port import Brain
from core.brain.questions import Question
from core.errors import BrainError, BrainMalformed, BrainRefused, BrainTimeout

MOST_S = 120.0
"""So long all questions together may take; what is left then is not asked."""


@dataclass(frozen=True)
class Trial:
    """One question: how long it took and what it cost, and why it was not answered, None where it was."""

    question: str
    seconds: float
    tokens: int
    problem: BrainError | None = None


async def tried(brain: Brain, questions: Sequence[Question[Any]] = SAMPLES, most_s: float = MOST_S) -> list[Trial]:
    """Each question in turn. Raises `BrainError` where the server cannot be asked at all."""
    clock = asyncio.get_running_loop().time
    until = clock() + most_s
    trials = []
    for question in questions:
        purse, began = new_turn(), clock()
        problem: BrainError | None = None
        try:
            async with asyncio.timeout_at(until):
                await brain.ask(question)
        except TimeoutError:
            problem = BrainTimeout(f"there was no time left for it: {most_s:g} s were over")
        except (BrainMalformed, BrainRefused, BrainTimeout) as error:
            problem = error
        tokens = sum(call.tokens_in + call.tokens_out for call in purse.calls)
        trials.append(Trial(question.name, clock() - began, tokens, problem))
    return trials


def cure(problem: BrainError) -> str:
    """What helps a model over it."""
    if isinstance(problem, BrainTimeout):
        return "set QINGHAI_MODEL__TIMEOUT_S higher, or take a faster model"
    if isinstance(problem, BrainRefused):
        return "take a model that does not decline it"
    return "take a larger model, give it more context, or take a server that holds it to a JSON schema"
