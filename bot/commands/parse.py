"""From a message or a press to a command: its name and the words after it. Forwarded words are never one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.effects import COMMAND
from core.facts import Fact, FactKind

PRESS = COMMAND
"""Buttons of the commands carry a command line after this, without the slash."""

_LINE = re.compile(r"\s*[/／](?P<name>[A-Za-z][A-Za-z0-9_]*)(?:@\w+)?(?:\s+(?P<words>.*))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Call:
    """A command as it was typed: the name in small letters, the words after it with single spaces."""

    name: str
    words: str = ""


def parse(fact: Fact) -> Call | None:
    """The command that a fact holds, or None. A text such as `/etc/hosts 打不开` is none."""
    if fact.forwarded_from is not None:
        return None
    if fact.kind is FactKind.BUTTON:
        data = fact.button or ""
        return _read("/" + data.removeprefix(PRESS)) if data.startswith(PRESS) else None
    return _read(fact.text) if fact.kind in (FactKind.MESSAGE, FactKind.EDIT) else None


def _read(line: str) -> Call | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    return Call(found["name"].lower(), " ".join((found["words"] or "").split()))
