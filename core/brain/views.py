"""Views: frozen plain data made for one question and one reader; what is not in a view cannot leak."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict


class View(BaseModel):
    """Root of all views and questions: frozen."""

    model_config = ConfigDict(frozen=True)


class PersonBrief(View):
    """Enough to find a person by what they are called."""

    person_id: str
    name: str
    aliases: tuple[str, ...] = ()
    pronoun: str | None = None
    reachable: bool = True


class ConcernBrief(View):
    """An open concern in a line or two, for its initiator's eyes (or, with `asked` only, for one of its delegates)."""

    concern_id: str
    title: str
    goal: str
    status: str = "waiting_reply"
    priority: str = "medium"
    people: tuple[PersonBrief, ...] = ()
    standing: str = ""
    """Where it stands, one sentence."""
    asked: str = ""
    """The bot's last message to the reader."""


class WaitingPoint(View):
    """A decision that waits for the initiator."""

    concern_id: str
    title: str
    question: str


class PendingAction(View):
    """An action that waits for a confirmation."""

    block_id: str
    summary: str


class Line(View):
    """One line of a dialogue. `who` is a name."""

    who: str
    text: str
    at: datetime
    ours: bool = False
    """Written by the bot."""


class MetaActionBrief(View):
    """An ability that the caller may use: its key, what it does, its parameters as a JSON schema."""

    key: str
    description: str
    parameters: dict[str, Any]


class DelegateStanding(View):
    """How it stands with one delegate: status only, no words of theirs."""

    person_id: str
    name: str
    pronoun: str | None = None
    comm_status: str
    attitude: str | None = None
    follow_ups: int = 0
