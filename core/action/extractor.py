"""ActionExtractor: does this input hold something to be done? Finds goals, binds no ability."""

from __future__ import annotations

from core.action.grounding import own_tendencies
from core.brain.port import MODEL, Brain
from core.brain.questions import Extract


class ActionExtractor:
    """From input and context to tendencies."""

    async def extract(self, brain: Brain, question: Extract) -> tuple[str, ...]:
        """The tendencies in order, each once, without empty ones and those that are not the sender's.

        Empty when nothing is to be done.
        """
        answer = await brain.ask(question)
        wanted = dict.fromkeys(t.strip() for t in answer.tendencies)
        found = tuple(t for t in wanted if t)
        return own_tendencies(found, question) if brain.name == MODEL else found
