"""Who is named in somebody's words: by name or alias, as a whole word where the script has such."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.ids import PersonId
from core.people import Person


def named_in(text: str, people: Iterable[Person]) -> tuple[PersonId, ...]:
    """The people of `people` whose name or alias stands in `text`; Tom is not in "Tomorrow"."""
    return tuple(p.person_id for p in people if any(_stands(name, text) for name in (p.name, *p.aliases)))


def _stands(name: str, text: str) -> bool:
    if not name.isascii():
        return name in text
    return re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text) is not None
