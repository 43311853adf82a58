"""The brain of a rehearsal: any of the three, with failures and answers that steps ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.brain.faulty import FaultyBrain
from bot.brain.scripted import ScriptedBrain
from bot.parts import close_brain, model_brain
from bot.rehearsal.scenario import BrainName
from bot.settings import Settings
from core.brain.port import Brain
from core.brain.rules import RuleBrain


class Play(FaultyBrain):
    """A brain that steps can make fail, and feed where it is the scripted one."""

    def __init__(self, kind: BrainName, settings: Settings | None = None) -> None:
        """`settings` are needed for the model. Raises `ConfigurationError` when none is configured."""
        self.kind = kind
        self._script = ScriptedBrain(RuleBrain()) if kind == "scripted" else None
        self._behind = self._script or _unscripted(kind, settings or Settings())
        super().__init__(self._behind)

    def queue(self, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """The next answers by question name; another brain than the scripted one answers for itself."""
        if self._script:
            for name, answer in answers.items():
                self._script.queue(name, answer)

    def leftovers(self) -> list[str]:
        """One sentence for each kind of question whose queued answers nobody took."""
        return self._script.leftovers() if self._script else []

    async def close(self) -> None:
        """Let go of connections."""
        await close_brain(self._behind)


def _unscripted(kind: BrainName, settings: Settings) -> Brain:
    return model_brain(settings) if kind == "model" else RuleBrain()
