"""Effects: what a decision wants to happen in the world. They are data; committed as rows together with the state."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.callbacks import Callback
from core.facts import Trigger
from core.ids import ConcernId, ConversationId, PersonId


class Purpose(StrEnum):
    """Why a message goes out; decides what is checked at the moment of sending."""

    FIRST_CONTACT = "first_contact"
    FOLLOW_UP = "follow_up"
    ASK_BACK = "ask_back"
    ANSWER = "answer"
    """The answer to a delegate's question, or a decision passed on."""
    CORRECTION = "correction"
    SETTLED = "settled"
    """"This is settled": told to those who were already asked."""
    DEADLINE_CHECK = "deadline_check"
    REPORT = "report"
    REPORT_BACK = "report_back"
    REPLY = "reply"
    """The bot's part of a conversation that the recipient started."""
    CALLBACK = "callback"
    """What somebody is owed (a reminder, the result of a task): it passes freely, at whatever hour."""
    NOTICE = "notice"
    """A line to the owner or an initiator that is nobody's mid-course report (a relayed word, a late reply)."""


BOT_STARTED = frozenset({Purpose.FIRST_CONTACT, Purpose.FOLLOW_UP, Purpose.DEADLINE_CHECK})
"""What counts towards the limits across concerns for one delegate, and keeps the sending hours."""

TO_DELEGATES = BOT_STARTED | {Purpose.ASK_BACK, Purpose.ANSWER, Purpose.CORRECTION, Purpose.SETTLED}
"""What goes to people who are asked something."""


TO_INITIATORS = frozenset({Purpose.REPORT, Purpose.REPORT_BACK, Purpose.NOTICE})
"""What tells an initiator how a matter of theirs goes."""


OWED = TO_INITIATORS | {Purpose.CALLBACK}
"""What somebody is owed: it is kept through any outage of a channel."""


class Words(BaseModel):
    """What to say: a template with its values, or text that a person or a brain wrote. Exactly one of the two.

    Rendered when the message leaves, in the recipient's language and time zone. Moments among the values are ISO 8601
    strings (filter `moment`), durations are seconds (filter `duration`), lists of names take the filter `names`.
    """

    model_config = ConfigDict(frozen=True)

    template: str | None = None
    values: dict[str, Any] = {}
    """JSON values only."""
    text: str | None = None
    lines: tuple[Words, ...] = ()
    """More of the kind, each on a line of its own after the first."""


COMMAND = "cmd:"
"""A button whose data begins so gives the slash command that follows, without its slash."""


class Button(BaseModel):
    """A button under a message. `data` comes back as `Fact.button`; at most 64 bytes (Telegram's limit)."""

    model_config = ConfigDict(frozen=True)

    label: Words
    data: str


class Outgoing(BaseModel):
    """One message to go out. Addressed to a person (whose channels are tried in order) or to a conversation."""

    model_config = ConfigDict(frozen=True)

    purpose: Purpose
    to: PersonId | None = None
    conversation: ConversationId | None = None
    """Answer in this very chat; without it the person's channels decide."""
    words: Words
    concern_id: ConcernId | None = None
    buttons: tuple[tuple[Button, ...], ...] = ()
    """Rows of buttons."""
    quote: str | None = None
    """Message id to quote, in `conversation`'s channel."""
    avoid_channel: str | None = None
    """Try another channel than this one first, if the person has one (RULES 4, third follow-up)."""
    follow_up_number: int | None = None
    revision: int | None = None
    """A first contact: the revision of its concern for which it was written; None where that is not known."""
    decision_id: str | None = None
    """The decision point that an answer to this message (quote or button) decides."""
    block_id: str | None = None
    """The block of the context workspace that an answer to this message takes up."""
    callback_id: str | None = None
    """The callback that this message delivers: the record is cleared when it is out."""
    again: int = 0
    """How many times somebody has asked for it to be sent once more, as it may not have arrived."""
    counted: bool = False
    """Counts towards the recipient's silence budget."""
    attachments: tuple[tuple[str, str, str], ...] = ()
    """(channel, kind, ref) of attachments to hand on; named in words where the channel differs."""
    hidden: tuple[str, ...] = ()
    """Words that are good once (the code of an invite): they go out, and are not kept with what was sent."""
    sounds: bool = False
    """Comes with sound in quiet hours too: the recipient chose the hour."""
    until: datetime | None = None
    """From then on it is of no use to anybody, and does not go out."""
    answers: bool = False
    """Passes freely: it answers the recipient's own message (RULES 5)."""
    also: tuple[Outgoing, ...] = ()
    """The messages that this one says together, of several concerns; their words are for the logs."""


class Send(BaseModel):
    """Deliver a message, not before `due`. `key` derives from the cause."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["send"] = "send"
    key: str
    due: datetime
    message: Outgoing


class Report(BaseModel):
    """Something of a concern waits to be told; the concern's `reports` says what. One job a concern."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["report"] = "report"
    concern_id: ConcernId
    due: datetime
    to: PersonId | None = None
    """Who will read it: reports to one person leave one after another, so that each sees how many there were."""


class Advance(BaseModel):
    """Run the agent loop of a concern."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["advance"] = "advance"
    key: str
    due: datetime
    concern_id: ConcernId
    trigger: Trigger
    person_id: PersonId | None = None
    question: str | None = None
    """decision: the question that was answered."""
    evidence: str | None = None
    """evidence: what happened, in words."""


class Withdraw(BaseModel):
    """Take back what has not gone out yet: messages to `person_id` (None: to anyone), of these purposes (None: any)."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["withdraw"] = "withdraw"
    concern_id: ConcernId
    person_id: PersonId | None = None
    purposes: tuple[Purpose, ...] | None = None
    keys: tuple[str, ...] | None = None
    """These messages alone."""
    reports: bool = False


class Expire(BaseModel):
    """Let a block of the context workspace lapse at `due`."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["expire"] = "expire"
    key: str
    due: datetime
    block_id: str


class Act(BaseModel):
    """Run the next stage of an action, which is kept as an `action_states` block."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["act"] = "act"
    key: str
    due: datetime
    run_id: str
    stage: int
    conversation: ConversationId
    """Its lane: what else the owner says there waits its turn."""


class Task(BaseModel):
    """Take the next step of a deep task."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["task"] = "task"
    key: str
    due: datetime
    task_id: str
    step: int = 0
    """How many steps were taken before: a step that is stored already is not taken again."""


class CallBack(BaseModel):
    """Keep a callback; it is delivered when it is due."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["callback"] = "callback"
    record: Callback


class Hasten(BaseModel):
    """Pull a waiting job forward to `due`, if it still waits; with `concern_id` all messages of it that wait longer."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["hasten"] = "hasten"
    key: str = ""
    due: datetime
    concern_id: ConcernId | None = None


Effect = Send | Report | Advance | Withdraw | Expire | Hasten | Act | Task | CallBack
