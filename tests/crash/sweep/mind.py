"""The brain of the sweep: rules, and for some sentences an answer that stands in the stories.

It remembers nothing, so that it is the same in every life; what fails for a while fails until a moment of the clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, cast

from bot.brain.budget import Call, purse
from core.brain.answers import Answer, Text
from core.brain.questions import (
    A,
    Converse,
    Evaluate,
    EvaluatorResult,
    Extract,
    Judge,
    Judgement,
    Question,
    Tendencies,
    Work,
    WorkStep,
)
from core.brain.rules import RuleBrain
from core.errors import BrainTimeout


class Now(Protocol):
    """What tells the time."""

    def now(self) -> datetime:
        """An aware moment."""
        ...


@dataclass(frozen=True)
class Fails:
    """Questions (of the kinds `asked`, or all) fail until then: by a fault of the brain, or (`ours`) of the program."""

    until: datetime
    ours: bool = False
    asked: tuple[str, ...] = ()

    def now(self, question: Question[Any], now: datetime) -> bool:
        """Whether this one fails."""
        return now < self.until and (not self.asked or question.name in self.asked)


@dataclass(frozen=True)
class Says:
    """Small talk that is answered with these words."""

    text: str


@dataclass(frozen=True)
class Works:
    """A deep task, and its steps."""

    steps: tuple[WorkStep, ...]


Wish = EvaluatorResult | Fails | Says | Works


class Mind:
    """Looks for a sentence of the stories in what it is asked."""

    name = "scripted"

    def __init__(self, wishes: Mapping[str, Wish], clock: Now) -> None:
        self._wishes = wishes
        self._clock = clock
        self._rules = RuleBrain()

    async def ask(self, question: Question[A]) -> A:
        """The answer of the stories, or the rules'."""
        said = _said(question)
        found = next((wish for text, wish in self._wishes.items() if text in said), None)
        if isinstance(found, Fails) and found.now(question, self._clock.now()):
            raise ZeroDivisionError("planted") if found.ours else BrainTimeout("the model did not answer in time")
        answer = _answer(question, said, found)
        if found is not None:  # so that there is an account to keep
            purse().calls.append(Call(question.name, 100, 10, 0.1, ok=answer is not None))
        return cast("A", answer) if answer is not None else await self._rules.ask(question)


def _said(question: Question[Any]) -> str:
    """What identifies a question: the words, the title of the matter or the goal of the task that it is about."""
    fields = ("text", "tendency", "title", "goal")
    return "\n".join(str(getattr(question, name)) for name in fields if hasattr(question, name))


def _answer(question: Question[Any], said: str, wish: Wish | None) -> Answer | None:
    match question, wish:
        case Judge(), Says():
            return Judgement(decision="converse")
        case Converse(), Says(text=text):
            return Text(text=text)
        case Judge(), EvaluatorResult() | Works():
            return Judgement(decision="raise")
        case Extract(), EvaluatorResult() | Works():
            return Tendencies(tendencies=(question.text,))
        case Evaluate(), EvaluatorResult():
            return wish
        case Evaluate(), Works():
            deep = {"deep_task": {"goal": question.tendency}}
            return EvaluatorResult(ok=True, primary_action_chain={1: ("deep_task",)}, parameters=deep)
        case Work(), Works(steps=steps):
            return steps[min(len(question.done), len(steps) - 1)]
    return None
