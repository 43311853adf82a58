"""A brain for one turn of chat: when the model fails, the rules step in and the turn remembers to say so (RULES 4)."""

from __future__ import annotations

from core.brain.port import Brain
from core.brain.questions import A, Question
from core.effects import Words
from core.errors import BrainError


class TurnBrain:
    """Asks `brain`; after its first failure the whole turn goes on with `simple`."""

    def __init__(self, brain: Brain, simple: Brain) -> None:
        self._brain = brain
        self._simple = simple
        self.simple_mode = False

    @property
    def name(self) -> str:
        """The brain that is answering now."""
        return self._simple.name if self.simple_mode else self._brain.name

    async def ask(self, question: Question[A]) -> A:
        """Always an answer: the rules do not fail."""
        if not self.simple_mode:
            try:
                return await self._brain.ask(question)
            except BrainError:
                self.simple_mode = True
        return await self._simple.ask(question)

    def note(self) -> tuple[Words, ...]:
        """The line that says so, where it must be said."""
        return (Words(template="chat/simple_mode"),) if self.simple_mode else ()
