"""The brain is a port with one method: a typed question in, its typed answer out."""

from __future__ import annotations

from typing import Protocol

from core.brain.questions import A, Question

MODEL = "model"
"""The name of a brain that reads words of others beside what it is asked about, and may take an order in them for the
sender's. Rules and scripts do not.
"""


class Brain(Protocol):
    """Answers questions. Three brains keep one contract: rules, an OpenAI-compatible model, a script.

    Raises `BrainTimeout`, `BrainMalformed` (after one repair), `BrainRefused`.
    """

    @property
    def name(self) -> str:
        """Told in judgements and `/usage`: `rules`, `model`, `scripted`."""
        ...

    async def ask(self, question: Question[A]) -> A:
        """The answer, valid by its schema. The brain proposes; pure rules dispose."""
        ...
