"""ActionExtractor: does this input hold something to be done? Finds goals, binds no ability."""

from __future__ import annotations

from core.brain.port import Brain
from core.brain.questions import Extract

MOST_TENDENCIES = 5
"""More goals than this in one message is a list to talk about, not to run."""


class ActionExtractor:
    """From input and context to tendencies."""

    async def extract(self, brain: Brain, question: Extract) -> tuple[str, ...]:
        """The tendencies in order, each once, without empty ones; empty when nothing is to be done."""
        answer = await brain.ask(question)
        wanted = dict.fromkeys(t.strip() for t in answer.tendencies)
        return tuple(t for t in wanted if t)[:MOST_TENDENCIES]
