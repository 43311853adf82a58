"""A brain for one turn of chat: when the model fails, the rules step in and the turn remembers to say so (RULES 4)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

from core.brain.port import Brain
from core.brain.questions import A, Converse, Evaluate, Extract, Question
from core.effects import Words
from core.errors import BrainError


class TurnBrain:
    """Asks `brain`; after its first failure the whole turn goes on with `simple`.

    With `reading`, a model's questions about the message go with the context of the turn; rules read their fields.
    """

    def __init__(self, brain: Brain, simple: Brain) -> None:
        self._brain = brain
        self._simple = simple
        self._context: Callable[[str], Awaitable[str]] | None = None
        self._contexts: dict[str, str] = {}
        self.simple_mode = False

    def reading(self, context: Callable[[str], Awaitable[str]]) -> None:
        """From now on `context(text)` says how things are: it is read once for each text that is asked about."""
        self._context = context

    @property
    def name(self) -> str:
        """The brain that is answering now."""
        return self._simple.name if self.simple_mode else self._brain.name

    async def ask(self, question: Question[A]) -> A:
        """Always an answer: the rules do not fail."""
        if not self.simple_mode:
            try:
                return await self._brain.ask(await self._with_context(question))
            except BrainError:
                self.simple_mode = True
        return await self._simple.ask(question)

    async def _with_context(self, question: Question[A]) -> Question[A]:
        rules = self._brain.name == self._simple.name
        if rules or self._context is None or not isinstance(question, Extract | Evaluate | Converse):
            return question
        text = question.text
        if text not in self._contexts:
            self._contexts[text] = await self._context(text)
        return cast("Question[A]", question.model_copy(update={"context": self._contexts[text]}))

    def note(self) -> tuple[Words, ...]:
        """The line that says so, where it must be said."""
        return (Words(template="chat/simple_mode"),) if self.simple_mode else ()
