"""README tells the truth: the state diagram is the table's, and what it names is there."""

import asyncio
import re
from pathlib import Path

import pytest

from bot.commands.table import COMMANDS
from bot.rehearsal.brains import Play
from bot.rehearsal.player import play
from bot.rehearsal.scenario import read_scenario
from bot.rehearsal.show import show
from core.concern.machine import mermaid

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DIALOGUE = re.compile(r"<!-- dialogue (\S+): .*? -->\n(.*?)\n<!-- /dialogue -->", re.DOTALL)
BEGIN, END = "<!-- state diagram: generated, do not edit by hand -->", "<!-- /state diagram -->"


def test_the_state_diagram_is_the_one_of_the_table() -> None:
    shown = README.split(BEGIN)[1].split(END)[0].strip()
    assert shown == f"```mermaid\n{mermaid().strip()}\n```"


def dialogue(file: str) -> str:
    """A rehearsal as `run.py rehearse` prints it, without its headings."""
    scenario = read_scenario(ROOT / file)
    printed = show(asyncio.run(play(scenario, Play(scenario.brain))))
    lines = [line.rstrip() for line in printed.splitlines()]
    first = next(n for n, line in enumerate(lines) if line.startswith("──")) + 1
    last = next(n for n, line in enumerate(lines) if line.startswith(("✓", "✗")))
    return "\n".join(lines[first:last]).strip("\n")


SHOWN = dict(DIALOGUE.findall(README))
"""The rehearsals that README shows, by file."""


def test_readme_shows_the_main_job_and_the_actions_in_both_languages() -> None:
    assert len(SHOWN) == len(DIALOGUE.findall(README)) == README.count("<!-- /dialogue -->") == 3


@pytest.mark.parametrize("file", SHOWN)
def test_a_dialogue_is_the_one_that_the_rehearsal_prints(file: str) -> None:
    assert SHOWN[file] == f"```text\n{dialogue(file)}\n```"


def test_every_command_that_is_named_exists() -> None:
    named = set(re.findall(r"`(/[a-z]+)", README))
    assert named
    assert named <= {f"/{name}" for name in COMMANDS}


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)`", README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert named
    assert named <= targets


def test_every_file_that_is_named_exists() -> None:
    text = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {n for n in re.findall(r"`((?:core|bot|tests|templates|data|docs)/[\w/.-]+)`", text) if "NAME" not in n}
    missing = sorted(n for n in named if not (ROOT / n).exists())
    assert named
    assert not missing
