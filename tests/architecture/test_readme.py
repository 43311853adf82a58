"""README tells the truth: the state diagram is the table's, and what it names is there."""

import asyncio
import re
from pathlib import Path

from bot.rehearsal.brains import Play
from bot.rehearsal.player import play
from bot.rehearsal.scenario import read_scenario
from bot.rehearsal.show import show
from core.concern.machine import mermaid

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BEGIN, END = "<!-- state diagram: generated, do not edit by hand -->", "<!-- /state diagram -->"


def test_the_state_diagram_is_the_one_of_the_table() -> None:
    shown = README.split(BEGIN)[1].split(END)[0].strip()
    assert shown == f"```mermaid\n{mermaid().strip()}\n```"


def dialogue() -> str:
    """The worked example as `make demo` prints it, without its headings."""
    scenario = read_scenario(ROOT / "data" / "scenarios" / "worked-example.yaml")
    printed = show(asyncio.run(play(scenario, Play(scenario.brain))))
    lines = [line.rstrip() for line in printed.splitlines()]
    first = next(n for n, line in enumerate(lines) if line.startswith("──")) + 1
    last = next(n for n, line in enumerate(lines) if line.startswith("✓"))
    return "\n".join(lines[first:last]).strip("\n")


def test_the_dialogue_is_the_one_that_the_demo_prints() -> None:
    shown = README.split("do not edit by hand -->\n")[1].split("<!-- /dialogue -->")[0].strip()
    assert shown == f"```text\n{dialogue()}\n```"


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
