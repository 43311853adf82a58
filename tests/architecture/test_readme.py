"""README tells the truth: the state diagram is the table's, and what it names is there."""

import re
from pathlib import Path

from core.concern.machine import mermaid

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BEGIN, END = "<!-- state diagram: generated, do not edit by hand -->", "<!-- /state diagram -->"


def test_the_state_diagram_is_the_one_of_the_table() -> None:
    shown = README.split(BEGIN)[1].split(END)[0].strip()
    assert shown == f"```mermaid\n{mermaid().strip()}\n```"


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
