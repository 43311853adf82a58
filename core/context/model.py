"""What a context is assembled from: frozen views, one type for each reader, so that the wall stands in the types.

`HomeSnapshot` is what an owner, an admin or a member may see of how things are. `DelegateSnapshot` has no place for
another delegate, another matter, the directory or the agenda. All moments are told on the clock of `at`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from core.brain.questions import AwaitedEvent, ConcernBrief, Line, View, WaitingPoint
from core.people import PersonSlice


class Baseline(View):
    """The texts that stand in front of everything, in one language; `{persona}` and `{owner}` are put in."""

    safety: str = ""
    persona: str = ""
    """Its first paragraph alone says who the bot is."""

    def named(self, persona: str, owner: str) -> Baseline:
        """The same with the names of the bot and of its owner put in."""
        texts = (self.safety, self.persona)
        safety, said = (t.replace("{persona}", persona).replace("{owner}", owner).strip() for t in texts)
        return Baseline(safety=safety, persona=said)


class Hanging(View):
    """Something of the reader's that is under way in the workspace: to be confirmed, to be completed, lapsed, running.

    `missing` says what an intention lacks.
    """

    kind: Literal["confirmation", "intention", "awaiting", "amending", "lapsed", "refused", "run"]
    summary: str
    missing: Literal["who", "what", "when", "which"] | None = None
    until: datetime | None = None


class Decided(View):
    """Something that was decided lately."""

    at: datetime
    what: str
    why: str


class HomeSnapshot(View):
    """How things are for an owner, an admin or a member; a member sees what is their own."""

    at: datetime
    reader: str
    role: Literal["owner", "admin", "member"]
    waiting: tuple[WaitingPoint, ...] = ()
    hanging: tuple[Hanging, ...] = ()
    matters: tuple[ConcernBrief, ...] = ()
    """What matters now in front."""
    planned: tuple[ConcernBrief, ...] = ()
    people: tuple[PersonSlice, ...] = ()
    named: frozenset[str] = frozenset()
    """Ids of the people whom the message names: what is about them stays longest."""
    decisions: tuple[Decided, ...] = ()
    """The newest first."""
    dialogue: tuple[Line, ...] = ()
    """Of this chat, oldest first."""


class ReplyCandidate(View):
    """A matter in which the reader is asked: all that they may know of it."""

    concern_id: str
    title: str
    goal: str
    initiator: str
    initiator_words: tuple[str, ...] = ()
    asked: str = ""
    """The bot's last message to them about it."""


class DelegateSnapshot(View):
    """How things are for a delegate: what they are asked, and their own dialogue."""

    at: datetime
    reader: str
    candidates: tuple[ReplyCandidate, ...] = ()
    dialogue: tuple[Line, ...] = ()
    """Their own with the bot, oldest first."""


Snapshot = HomeSnapshot | DelegateSnapshot


class Injection(View):
    """What set this turn off. `who` is a name; `set_at` when what comes now was asked for."""

    kind: Literal["message", "edit", "prompt", "user_reminder", "task_completion"] = "message"
    who: str = ""
    set_at: datetime | None = None


class Content(View):
    """What the turn is about: the words, what they quote, and whose they were if they were forwarded."""

    text: str
    quoted: str | None = None
    forwarded_from: str | None = None


class Happening(View):
    """An event for the light context: what happened, about whom, and what is looked out for."""

    at: datetime
    text: str
    who: str = ""
    awaited: tuple[AwaitedEvent, ...] = ()
