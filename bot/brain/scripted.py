"""A brain that answers from a script, for rehearsals and tests; what is not in the script goes to another brain."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, cast

from bot.brain.prompt import now_of
from bot.brain.shape import decode
from core.brain.port import Brain
from core.brain.questions import QUESTIONS, A, Answer, Question
from core.errors import ConfigurationError

_ANSWERS: dict[str, type[Answer]] = {question.name: question.answers for question in QUESTIONS}


class ScriptedBrain:
    """Gives the queued answers, each once, in the order in which they were queued for that kind of question."""

    name = "scripted"

    def __init__(self, fallback: Brain) -> None:
        self._fallback = fallback
        self._queues: dict[str, deque[dict[str, Any]]] = {}

    def queue(self, name: str, answer: Mapping[str, Any]) -> None:
        """The next answer to questions called `name` (`assess`); absent fields are null.

        Raises `ConfigurationError` naming the question and the field when the answer does not fit.
        """
        if name not in _ANSWERS:
            raise ConfigurationError(f"there is no question {name!r}{_meant(name, _ANSWERS)}")
        known = _ANSWERS[name].model_fields
        for field in answer:
            if field not in known:
                raise ConfigurationError(f"the answer to {name} has no field {field!r}{_meant(str(field), known)}")
        self._read(name, dict(answer), None)
        self._queues.setdefault(name, deque()).append(dict(answer))

    async def ask(self, question: Question[A]) -> A:
        """The oldest queued answer to this kind of question, else what the other brain says."""
        waiting = self._queues.get(question.name)
        if not waiting:
            return await self._fallback.ask(question)
        return cast(A, self._read(question.name, waiting.popleft(), question))

    def leftovers(self) -> list[str]:
        """One sentence per kind of question whose answers nobody took."""
        return [
            f"{len(waiting)} queued answer{'s' if len(waiting) > 1 else ''} to {name} never asked for"
            for name, waiting in self._queues.items()
            if waiting
        ]

    def _read(self, name: str, answer: dict[str, Any], question: Question[Any] | None) -> Answer:
        if not answer:
            return _ANSWERS[name]()
        try:
            return decode(_ANSWERS[name], answer, now_of(question).tzinfo if question is not None else None)
        except ValueError as error:
            raise ConfigurationError(f"the queued answer to {name} does not fit: {error}") from None


def _meant(name: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"
