"""A brain that fails on demand, in front of any other: for rehearsals of a bad day."""

from __future__ import annotations

from collections import deque

from core.brain.port import Brain
from core.brain.questions import A, Question
from core.errors import BrainError, BrainMalformed, BrainRefused, BrainTimeout, ConfigurationError

FAULTS: dict[str, BrainError] = {
    "timeout": BrainTimeout("the model did not answer in time (rehearsed)"),
    "malformed": BrainMalformed("the model's answer does not fit its schema (rehearsed)"),
    "refused": BrainRefused("the model declined to answer (rehearsed)"),
}


class FaultyBrain:
    """Passes questions on, save for as many as were told to fail; those never reach the brain behind."""

    def __init__(self, inner: Brain) -> None:
        self._inner = inner
        self._due: deque[str] = deque()

    @property
    def name(self) -> str:
        """That of the brain behind."""
        return self._inner.name

    def fail(self, error: str, times: int = 1) -> None:
        """`times` more questions end in `error`: `timeout`, `malformed` or `refused`."""
        if error not in FAULTS:
            raise ConfigurationError(f"a model cannot fail with {error!r}; it can with {', '.join(FAULTS)}")
        self._due.extend([error] * times)

    async def ask(self, question: Question[A]) -> A:
        """The answer of the brain behind, or the fault that is due."""
        if self._due:
            fault = FAULTS[self._due.popleft()]
            raise type(fault)(str(fault))
        return await self._inner.ask(question)
