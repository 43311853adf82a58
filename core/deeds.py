"""Who did what: one entry for each thing that somebody changed. It holds ids and words of ours, nobody's own words."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.ids import ConcernId, PersonId

How = Literal["command", "button", "words", "shell"]
"""By a slash command, by pressing a button, in words that answered a question, or on the bot's own machine."""


class Deed(BaseModel):
    """Something that was done. `by` is None for whoever sits at the machine."""

    model_config = ConfigDict(frozen=True)

    at: datetime
    by: PersonId | None
    how: How
    what: str
    """The name of the command, or the hub's decision (`confirm`, `deny`, `decide` …)."""
    person_id: PersonId | None = None
    """To whom it was done, where it is about somebody."""
    concern_id: ConcernId | None = None
    outcome: str = ""
    """What came of it, in a word of the templates or a plain value (a role, a priority, a time); empty: it is done."""
