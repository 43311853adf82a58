"""Long lists in pages: `concerns all 2`, with buttons to turn them."""

from __future__ import annotations

from bot.commands.request import ButtonRow, press
from core.effects import Words

PAGE = 8
"""Lines of a page."""


def page_of(words: str) -> tuple[str, int]:
    """The words without the number of a page after them."""
    head, _, last = words.rpartition(" ")
    if last.isdecimal() and 1 <= len(last) <= 4:
        return head, max(1, int(last))
    return words, 1


def pages_of(total: int, lines: int = PAGE) -> int:
    """How many pages so many lines make; an empty list has one."""
    return max(1, -(-total // lines))


def turners(line: str, page: int, pages: int) -> tuple[ButtonRow, ...]:
    """Back and on."""
    back = press(f"{line} {page - 1}", Words(template="buttons/page_back")) if page > 1 else ()
    on = press(f"{line} {page + 1}", Words(template="buttons/page_on")) if page < pages else ()
    return (back + on,) if back or on else ()
