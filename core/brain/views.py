"""Views: frozen plain data made for one question and one reader; what is not in a view cannot leak."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

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


class Line(View):
    """One line of a dialogue. `who` is a name."""

    who: str
    text: str
    at: datetime
    ours: bool = False
    """Written by the bot."""


class PartBrief(View):
    """How a matter stands with one who is asked, with their own words about it. Never shown to another delegate."""

    name: str
    pronoun: str | None = None
    owes: bool = True
    """Something is still expected of them."""
    words: tuple[Line, ...] = ()
    """What they said about it, oldest first."""


class ConcernBrief(View):
    """An open concern in a line or two, for its initiator's eyes (or, with `asked` only, for one of its delegates)."""

    concern_id: str
    """Of a schedule too; of an expectation (`e3`), a watch item (`w3`) or a deep task, which are called off alike."""
    kind: Literal["delegation", "schedule", "expectation", "watch", "task"] = "delegation"
    title: str
    goal: str
    status: str = "waiting_reply"
    priority: str = "medium"
    people: tuple[PersonBrief, ...] = ()
    standing: str = ""
    """Where it stands, one sentence."""
    asked: str = ""
    """The bot's last message to the reader."""
    initiator: str = ""
    """Whose it is, by name; empty for the reader's own."""
    next_at: datetime | None = None
    """When the bot turns to it next: a schedule's next run, a promised time, the next follow-up."""
    when: str | None = None
    """Of a schedule or an expectation: its moment, rule or condition, as in `EvaluatorResult.when`."""
    deadline: datetime | None = None
    parts: tuple[PartBrief, ...] = ()
    """How it stands with each who is asked. For the initiator's eyes alone."""


class WaitingPoint(View):
    """A decision that waits for the initiator."""

    concern_id: str
    title: str
    question: str


class PendingAction(View):
    """An action that waits for a confirmation."""

    block_id: str
    summary: str


class MetaActionBrief(View):
    """An ability that the caller may use: its key, what it does, its parameters as a JSON schema."""

    key: str
    description: str
    parameters: dict[str, Any]
    later: Literal["never", "may", "must"] = "may"
    """Whether it may, must or can never be kept for a later time."""


class AwaitedEvent(View):
    """Something that is looked out for, in words: a condition of a schedule, a watch item, an expectation, a goal."""

    item_id: str
    what: str
    who: str = ""
    """Whom it is about, by name; empty when nobody in particular."""
    kind: Literal["expectation", "condition", "watch"] = "condition"
    """Whether it must have happened (expectation, condition), or any word of it is worth knowing (watch)."""


class ToolUse(View):
    """One step of a deep task that was taken: which tool, with what, and what it gave."""

    tool: str
    parameters: dict[str, Any] = {}
    result: str
    ok: bool = True
    """False: the tool could not be taken; `result` says why."""


class DelegateStanding(View):
    """How it stands with one delegate: status only, no words of theirs."""

    person_id: str
    name: str
    pronoun: str | None = None
    comm_status: str
    attitude: str | None = None
    follow_ups: int = 0
