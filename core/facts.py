"""Facts: everything that happens to the bot, in one shape, stored before it is acknowledged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.ids import ConcernId, ConversationId, FactId, PersonId


class FactKind(StrEnum):
    """What kind of thing happened."""

    MESSAGE = "message"
    EDIT = "edit"
    RECALL = "recall"
    BUTTON = "button"
    TIMER = "timer"
    EVENT = "event"
    ABSENCE = "absence"
    """Something that was expected by a moment, or looked out for until one: the hub looks whether it came."""
    PROMPT = "prompt"
    """Words that somebody kept for a time: they re-enter the conversation with that person's authority."""
    CALLBACK = "callback"
    """A callback is due: its record (`item_id`) re-enters the conversation of its chat."""
    STUCK = "stuck"
    """A concern (`concern_id`) whose moment has passed without anything coming of it."""
    BRIEF = "brief"
    """Somebody's hour of the morning brief (`person_id`) has come."""


class Trigger(StrEnum):
    """Why a concern enters its agent loop (RULES 4)."""

    CREATED = "created"
    REPLY = "reply"
    TIMEOUT = "timeout"
    DUE = "due"
    EVIDENCE = "evidence"
    DECISION = "decision"
    SCHEDULE = "schedule"


class Attachment(BaseModel):
    """A photo, voice, video or document that came with a message; named, never opened."""

    model_config = ConfigDict(frozen=True)

    kind: str
    """`photo`, `voice`, `audio`, `video`, `document`, `sticker`, `location`, `contact`, `other`."""
    name: str | None = None
    ref: str
    """The channel's own handle for it (Telegram: file_id), enough to hand it on in the same channel."""


class SignalKind(StrEnum):
    """What the hub lifts from facts (RULES 2)."""

    RISK = "risk"
    """Something may go wrong."""
    BLOCKER = "blocker"
    """Something cannot go on."""
    COMMITMENT = "commitment"
    """Somebody promised something in passing."""
    ABSENCE = "absence"
    """Something expected did not come, or somebody is away."""
    EVIDENCE = "evidence"
    """Something happened that bears on an open matter."""


class Signal(BaseModel):
    """What was lifted from a fact; kept with the judgement of that fact."""

    model_config = ConfigDict(frozen=True)

    kind: SignalKind
    what: str
    """In the words of the fact, or of the expectation that was missed."""
    person_id: PersonId | None = None
    """Whose promise, absence, risk it is."""
    when: datetime | None = None
    """commitment: by when; absence of a person: until when."""
    concern_id: ConcernId | None = None
    """The matter that it bears on."""


class Event(BaseModel):
    """What a source outside tells of something that happened there: data, never a command (RULES 1, 2)."""

    model_config = ConfigDict(frozen=True)

    source: str
    """`gitlab`, `github`, or what the poster calls itself."""
    kind: str
    """`push`, `merge_request`, `issue`, `pipeline`, or the poster's own word."""
    action: str = ""
    """`opened`, `merged`, `closed`, `reopened`, `failed`, `success`, …; empty where the kind says all."""
    subject: str
    """The title of the request or issue, the head line of the push."""
    project: str = ""
    """`group/name`."""
    branch: str = ""
    """The branch that it is about: of a merge or pull request the one that it comes from."""
    target: str = ""
    """Of a merge or pull request the branch that it goes into."""
    actor: str = ""
    """The name of whoever did it, as the source knows them."""
    accounts: tuple[str, ...] = ()
    """The actor's accounts as `Person.accounts` has them: `gitlab:zhangsan`, `email:zs@example.com`."""
    text: str = ""
    """More words: a description, the commit messages; cut by whoever made it."""
    url: str = ""

    @property
    def line(self) -> str:
        """What happened, in the source's own words, on one line."""
        what = " ".join(part for part in (self.kind, self.action) if part)
        where = ", ".join(part for part in (self.project, " → ".join(filter(None, (self.branch, self.target)))) if part)
        said = f"{what}: {self.subject}" if what else self.subject
        return " ".join((f"{said} ({where})" if where else said).split())

    @property
    def came_to(self) -> Literal["done", "failed", "open"] | None:
        """What its action says of the thing: done, failed, or neither (opened, closed without a merge, a draft).

        None: the action says nothing, the words must tell.
        """
        if self.action in _FAILED:
            return "failed"
        if self.subject.lstrip().casefold().startswith(_NOT_FOR_GOOD):
            return "open"
        if self.action in _DONE or (self.action == "closed" and self.kind == "issue"):
            return "done"
        return "open" if self.action else None


_DONE = frozenset(
    "merged success succeeded passed fixed deployed released published completed done resolved delivered".split()
)
_FAILED = frozenset("failed failure error errored timed_out broken".split())
_NOT_FOR_GOOD = ("draft:", "wip:", "[draft]", "[wip]", "revert ")
"""How a title begins of what is not ready yet, or takes back what was done."""


class Fact(BaseModel):
    """One thing that happened, as the channel (or the timer) told it. Never changed once stored.

    `(channel, event_id)` is unique: a second copy of the same event is the same fact.
    """

    model_config = ConfigDict(frozen=True)

    channel: str
    event_id: str
    kind: FactKind
    occurred_at: datetime
    conversation: ConversationId
    """The lane: facts of one conversation are handled one after another."""
    sender: str = ""
    """The channel's user id of whoever did it; empty for timers."""
    sender_name: str | None = None
    text: str = ""
    message_id: str | None = None
    """The channel's id of the message, which an edit, a recall or a quote names."""
    reply_to: str | None = None
    """The channel's id of the quoted message."""
    button: str | None = None
    """The payload of the pressed button."""
    callback_id: str | None = None
    """The channel's handle for answering this press, where it wants one."""
    attachments: tuple[Attachment, ...] = ()
    forwarded_from: str | None = None
    """Whose words these are when they were forwarded: then they are data, never a command."""
    group: bool = False
    trigger: Trigger | None = None
    """Timers only: why the concern is due."""
    concern_id: ConcernId | None = None
    person_id: PersonId | None = None
    """Timers and events: the concern and the person that it is about. Prompts: whose words they are."""
    item_id: str | None = None
    """Absences: the expectation (`e3`) or the watch item (`w3`). Callbacks: the record."""
    event: Event | None = None
    """Events: what the source said, in parts; `text` says it in a line."""


class Judged(BaseModel):
    """What became of a fact: the hub's judgement, kept with it."""

    model_config = ConfigDict(frozen=True)

    decision: str
    """A word of RULES 2, or `command`, `failed`."""
    reason: str = ""
    brain: str = ""
    """Who judged: `rules`, `model`, `scripted`; empty where nothing had to be asked."""
    milliseconds: int = 0
    """From its taking up to its end, by the bot's clock."""
    signals: tuple[Signal, ...] = ()


class StoredFact(BaseModel):
    """A fact with its place in the inbox."""

    model_config = ConfigDict(frozen=True)

    fact_id: FactId
    fact: Fact
    attempts: int = 0
    parts: tuple[Fact, ...] = ()
    """Where it was said in several messages in one breath: each of them, the first one first. `fact` is all of it."""


def in_one(parts: Sequence[Fact]) -> Fact:
    """What was said in one breath as one message: the first, with the words of all, a line each, and their files."""
    words = "\n".join(part.text for part in parts if part.text.strip())
    files = tuple(attachment for part in parts for attachment in part.attachments)
    return parts[0].model_copy(update={"text": words, "attachments": files})
