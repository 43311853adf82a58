"""How a rehearsal is shown: the dialogue as people like to read it, then what was not as expected; or JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from bot.rehearsal.player import Outcome, Unmet
from bot.rehearsal.world import Line

_WEEKDAYS = {"zh-CN": "一二三四五六日", "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")}
_SIGNS = {"message": "", "edit": "✎ ", "recall": "⌫ ", "press": "☞ ", "event": "◆ ", "fault": "⚡ ", "restart": "⟳ "}
_RULE = 64


def width(text: str) -> int:
    """Columns on a terminal: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def padded(text: str, columns: int) -> str:
    """`text` filled up with spaces."""
    return text + " " * (columns - width(text))


def show(outcome: Outcome) -> str:
    """The dialogue, then each unmet expectation, then one line that sums it up."""
    lines = [outcome.scenario.title, *_dialogue(outcome), ""]
    for unmet in outcome.unmet:
        lines += _unmet(unmet)
    sign = "✓" if outcome.ok else "✗"
    said = "all met" if outcome.ok else f"{len(outcome.unmet)} unmet"
    lines.append(
        f"{sign} {outcome.scenario.file}: {len(outcome.scenario.steps)} steps, "
        f"{outcome.expectations} expectations, {said}."
    )
    return "\n".join(lines) + "\n"


def dialogue(outcome: Outcome) -> str:
    """What was said and done alone, by day and hour."""
    return "\n".join(_dialogue(outcome)).strip("\n")


def _dialogue(outcome: Outcome) -> Iterator[str]:
    settings = outcome.scenario.settings
    bot = settings.persona.name
    heads = [_head(line, bot) for line in outcome.lines]
    columns = max((width(h) for h in heads), default=0)
    day: date | None = None
    for line, head in zip(outcome.lines, heads, strict=True):
        at = line.at.astimezone(outcome.scenario.now.tzinfo)
        if at.date() != day:
            day = at.date()
            yield from ("", _day(day, settings.locale))
        first, *more = [*line.text.splitlines(), *(_buttons(row) for row in line.buttons)] or [""]
        yield f"{at:%H:%M}  {padded(head, columns)}   {_SIGNS[line.kind]}{first}".rstrip()
        indent = " " * (5 + 2 + columns + 3)
        yield from ((indent + text).rstrip() for text in more)


def _head(line: Line, bot: str) -> str:
    if line.kind == "event":
        return f"{line.who} → {bot}"
    if line.kind == "fault":
        return f"{line.channel} ↛ {line.to}"
    if line.kind == "restart":
        return bot
    return f"{line.who or bot} → {line.to or bot}"


def _day(day: date, locale: str) -> str:
    weekday = _WEEKDAYS[locale][day.weekday()]
    title = f"{day.month}月{day.day}日 周{weekday}" if locale == "zh-CN" else f"{weekday} {day:%d %b %Y}"
    return f"── {title} ".ljust(_RULE - (width(title) - len(title)), "─")


def _buttons(row: Sequence[str]) -> str:
    return " ".join(f"[{label}]" for label in row)


def _unmet(unmet: Unmet) -> Iterator[str]:
    yield f"✗ step {unmet.step} ({unmet.kind}): {unmet.problem}"
    if unmet.saw:
        yield "    saw:"
        for text in unmet.saw:
            first, *more = text.splitlines() or [""]
            yield f"      - {first}"
            yield from (f"        {line}" for line in more)
    elif unmet.kind == "expect":
        yield "    saw: nothing"


def as_json(outcome: Outcome) -> dict[str, Any]:
    """The same as one JSON object."""
    return {
        "file": outcome.scenario.file,
        "title": outcome.scenario.title,
        "ok": outcome.ok,
        "brain": outcome.brain,
        "steps": len(outcome.scenario.steps),
        "expectations": outcome.expectations,
        "unmet": [{"step": u.step, "kind": u.kind, "problem": u.problem, "saw": list(u.saw)} for u in outcome.unmet],
        "dialogue": [_json_line(line, outcome.scenario.settings.persona.name) for line in outcome.lines],
    }


def _json_line(line: Line, bot: str) -> dict[str, Any]:
    return {
        "at": line.at.isoformat(),
        "kind": line.kind,
        "from": line.who or bot,
        "to": line.to or bot,
        "channel": line.channel,
        "text": line.text,
        "buttons": [list(row) for row in line.buttons],
    }
