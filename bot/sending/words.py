"""From `Words` to text, when the message leaves: in the reader's language and on the reader's clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.effects import Button, Words
from core.people import Person
from core.ports import ChannelButton, Renderer


class Writer:
    """Renders for one reader at one moment."""

    def __init__(self, renderer: Renderer, reader: Person | None, now: datetime, locale: str, timezone: str) -> None:
        self._renderer = renderer
        self._now = now
        self._language = reader.language if reader else locale
        self._timezone = reader.timezone if reader else timezone

    def text(self, words: Words) -> str:
        """The whole text; empty lines of parts that had nothing to say are left out."""
        parts = [self._first(words), *(self.text(line) for line in words.lines)]
        return "\n".join(part for part in parts if part)

    def _first(self, words: Words) -> str:
        if words.text is not None:
            return words.text
        if words.template is None:
            return ""
        return self._renderer.render(
            words.template, self._language, now=self._now, timezone=self._timezone, **words.values
        )

    def buttons(self, rows: tuple[tuple[Button, ...], ...]) -> tuple[tuple[ChannelButton, ...], ...]:
        """The buttons with their labels in words."""
        return tuple(tuple(ChannelButton(label=self.text(b.label), data=b.data) for b in row) for row in rows)


@dataclass(frozen=True)
class Voice:
    """How texts are made for somebody who is not in the directory."""

    renderer: Renderer
    locale: str
    timezone: str

    def to(self, reader: Person | None, now: datetime) -> Writer:
        """Who writes for this reader."""
        return Writer(self.renderer, reader, now, self.locale, self.timezone)
