"""`rehearse`: plays scenario files and prints what came of them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.rehearsal.brains import Play
from bot.rehearsal.player import play
from bot.rehearsal.scenario import BrainName, read_scenario
from bot.rehearsal.show import as_json, show
from bot.settings import Settings


def rehearse(files: Sequence[Path], brain: BrainName | None, settings: Settings, *, form: str) -> bool:
    """Play all files; true when every expectation was met. `form` is `text` or `json`.

    All files are read before the first is played. Raises `ConfigurationError`.
    """
    scenarios = [read_scenario(file) for file in files]
    ok = True
    for number, scenario in enumerate(scenarios):
        outcome = asyncio.run(play(scenario, Play(brain or scenario.brain, settings)))
        ok = ok and outcome.ok
        if form == "json":
            print(json.dumps(as_json(outcome), ensure_ascii=False), flush=True)
        else:
            sys.stdout.write(("\n\n" if number else "") + show(outcome))
            sys.stdout.flush()
    return ok
