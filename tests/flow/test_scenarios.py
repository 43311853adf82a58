"""Every scenario file holds: one test a file."""

import asyncio
from pathlib import Path

import pytest

from bot.rehearsal.brains import Play
from bot.rehearsal.player import play
from bot.rehearsal.scenario import read_scenario
from bot.rehearsal.show import show

ROOT = Path(__file__).parents[2]
WEEK = ROOT / "tests" / "scenarios" / "week"
"""Has a test of its own, `test_week`."""
FILES = sorted(
    file
    for folder in (ROOT / "tests" / "scenarios", ROOT / "data" / "scenarios")
    for file in folder.rglob("*.yaml")
    if file.parent != WEEK
)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.relative_to(ROOT).as_posix())
def test_scenario(file: Path) -> None:
    scenario = read_scenario(file)
    outcome = asyncio.run(play(scenario, Play(scenario.brain)))
    assert outcome.ok, "\n" + show(outcome)


def test_there_are_scenarios() -> None:
    assert len(FILES) >= 3
