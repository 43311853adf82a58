"""What a model was told is for nobody to read: words of its answers that repeat it are left out.

A model can be talked into saying its instructions. Nothing of anybody else stands in what it reads for a delegate, so
there is no secret in them; yet to whom they are sent they are noise at best. What other texts may be written from is
settled by the views (`core/hub/views.py`), not here: whoever has a model put it differently gets it past this.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, TypeVar

from core.brain.questions import Answer
from core.brain.rules.words.text import squeezed

A = TypeVar("A", bound=Answer)

RUN = 16
"""Characters in a row, without blanks and punctuation, that nobody writes by chance as they stand in a prompt."""

WORDS = frozenset({"text", "remark", "result", "summary", "key_information", "owner_update"})
"""Fields that people read."""

_MARK = re.compile(r"data-[0-9a-f]{8}")


def without_echoes(answer: A, system: str, user: str) -> A:
    """The answer with the words left empty that repeat its instructions (`system`), or that hold a mark which fences
    in what people said (`user`). What people wrote themselves may be said again, though it reads like an instruction.
    """
    told = _runs(squeezed(system)) - _runs(squeezed(user))
    marks = frozenset(_MARK.findall(user))
    values = answer.model_dump()
    return type(answer).model_validate(values) if _emptied(values, told, marks) else answer


def _emptied(value: Any, told: frozenset[str], marks: frozenset[str]) -> bool:
    """Empties such words in place, however deep; whether there were any."""
    if isinstance(value, dict):
        echoed = [k for k, v in value.items() if k in WORDS and isinstance(v, str) and _repeats(v, told, marks)]
        value.update(dict.fromkeys(echoed, ""))
        within = [_emptied(v, told, marks) for v in value.values()]
        return bool(echoed) or any(within)
    within = [_emptied(v, told, marks) for v in value] if isinstance(value, list | tuple) else []
    return any(within)


def _repeats(text: str, told: frozenset[str], marks: frozenset[str]) -> bool:
    return not marks.isdisjoint(_MARK.findall(text)) or not told.isdisjoint(_runs(squeezed(text)))


@lru_cache(maxsize=32)
def _runs(text: str) -> frozenset[str]:
    return frozenset(text[n : n + RUN] for n in range(len(text) - RUN + 1))
