"""Regular expressions that are compiled when they are first used: hundreds at each start would cost half a second."""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Becomes its pattern at the first touch; each method that was asked for is kept, so later calls cost nothing."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name == "_compiled":
            self._compiled = re.compile(self._source, self._flags)
            return self._compiled
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern for its methods and attributes; not for the functions of `re`, which want the real thing."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
