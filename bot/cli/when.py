"""`when`: what the time parser makes of a text."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.errors import ConfigurationError
from core.timetalk import answer_line


def when_text(words: Sequence[str], lang: str | None, now: datetime) -> str:
    """The times in a text, one JSON object a line; an empty string when there is none."""
    answer = answer_line({"id": None, "text": " ".join(words), "lang": lang, "reference_time": now.isoformat()})
    return "\n".join(json.dumps(found, ensure_ascii=False) for found in answer["found"])


def when_lines(lang: str | None, now: datetime) -> None:
    """JSON lines in, JSON lines out; `lang` and `now` stand in for what a line lacks. Raises `ConfigurationError`."""
    for number, raw in enumerate(sys.stdin, 1):
        if raw.strip():
            line = _read(raw, number)
            asked = {
                "lang": lang,
                "reference_time": now.isoformat(),
                **{k: v for k, v in line.items() if v is not None},
            }
            try:
                answer = answer_line(asked)
            except (KeyError, ValueError, TypeError) as error:
                raise ConfigurationError(
                    f"standard input, line {number}: {_missing(error)}; a line is "
                    '{"id": …, "text": "…", "lang": "zh", "reference_time": "2026-03-16T10:00:00"}.'
                ) from None
            print(json.dumps({**answer, "id": line.get("id")}, ensure_ascii=False), flush=True)


def _read(raw: str, number: int) -> dict[str, Any]:
    try:
        line = json.loads(raw)
    except ValueError:
        line = None
    if not isinstance(line, dict):
        raise ConfigurationError(f"standard input, line {number}: is not a JSON object.")
    return line


def _missing(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
