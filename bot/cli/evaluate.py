"""`evaluate`: puts labelled cases to a brain and prints how far it agrees."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.evaluation.cases import Cases, read_cases
from bot.evaluation.evaluate import ALARMS, evaluate
from bot.evaluation.show import as_json, show
from bot.evaluation.tally import Tally
from bot.parts import close_brain, model_brain
from bot.settings import Settings
from core.brain.port import Brain
from core.brain.rules import RuleBrain


def evaluate_files(files: Sequence[Path], brain: str, settings: Settings, *, misses: bool, form: str) -> None:
    """All files in turn; `brain` is `rules` or `model`, `form` is `text` or `json`.

    All files are read before the first is put to the brain. Raises `ConfigurationError`.
    """
    read = [(str(file), read_cases(file)) for file in files]
    asyncio.run(_evaluate(read, model_brain(settings) if brain == "model" else RuleBrain(), misses, form))


async def _evaluate(files: Sequence[tuple[str, Cases]], brain: Brain, misses: bool, form: str) -> None:
    try:
        for number, (name, cases) in enumerate(files):
            tally = Tally(await evaluate(cases, brain), ALARMS[type(cases[0])])
            if form == "json":
                print(json.dumps(as_json(tally, name, brain.name, misses=misses), ensure_ascii=False), flush=True)
            else:
                sys.stdout.write(("\n" if number else "") + show(tally, name, brain.name, misses=misses))
                sys.stdout.flush()
    finally:
        await close_brain(brain)
