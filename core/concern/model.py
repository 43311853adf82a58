"""The concern: one matter that the bot keeps pushing until its goal is met or it is let go.

The JSON form (`Concern.to_json`) has the field names of the concern document, section 四; what follows them is ours.
A concern is a value: the engine returns a changed copy, the store keeps it whole. All times carry their offset.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.concern.notices import Reports
from core.facts import Event
from core.ids import ConcernId, ConversationId, PersonId

INITIATOR = "发起者"
DELEGATE = "当事人"


class ConcernType(StrEnum):
    """Where a concern comes from, and with it who is reported back to (RULES 5)."""

    DELEGATION = "delegation"
    SCHEDULE = "schedule"
    FOLLOWUP = "followup"
    ABSENCE_FOLLOWUP = "absence_followup"
    HEARTBEAT = "heartbeat"


class Status(StrEnum):
    """The main states; `resolved` and `dropped` are final."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    WAITING_REPLY = "waiting_reply"
    ESCALATED = "escalated"
    RESOLVED = "resolved"
    DROPPED = "dropped"

    @property
    def is_open(self) -> bool:
        """Neither resolved nor dropped."""
        return self not in (Status.RESOLVED, Status.DROPPED)


class Priority(StrEnum):
    """Decides sending hours, intervals and limits."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class CommStatus(StrEnum):
    """Where one delegate of a concern stands."""

    NOT_NEEDED = "not_needed"
    TO_CONTACT = "to_contact"
    WAITING_REPLY = "waiting_reply"
    REPLIED = "replied"
    DONE = "done"
    NO_ANSWER = "no_answer"
    UNREACHABLE = "unreachable"
    DECLINED = "declined"

    @property
    def is_owing(self) -> bool:
        """Something is still expected from them (or of the bot towards them)."""
        return self in (CommStatus.TO_CONTACT, CommStatus.WAITING_REPLY, CommStatus.REPLIED)


class Attitude(StrEnum):
    """What a delegate's words amount to (RULES 4)."""

    ANSWERED = "answered"
    COMMITMENT = "commitment"
    VAGUE = "vague"
    RESISTANT = "resistant"
    REFUSED = "refused"
    QUESTION = "question"
    AWAY = "away"
    UNRELATED = "unrelated"
    SILENT = "silent"


class Relay(StrEnum):
    """A matter that only passes words on: who has been told has done their part."""

    TOLD = "told"
    REMINDED = "reminded"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class ConcernPerson(_Part):
    """A person in this concern: who, in which role, where it stands. Nothing else about them is kept here."""

    person_id: PersonId
    display_name: str
    role_in_concern: str
    comm_status: CommStatus = CommStatus.NOT_NEEDED
    last_channel: str | None = None


class SourceInitiator(_Part):
    """Who wants it, and in which chat they asked."""

    name: str
    channel: str
    channel_user_id: str
    person_id: PersonId | None = None


class Source(_Part):
    """What raised the concern: `detail` holds the initiator's own words (edits replace, amendments add a line)."""

    type: str
    detail: str
    initiator: SourceInitiator | None = None


class TimelineEntry(_Part):
    """One thing done or judged; `type` is a `machine.Event` or a word of the engine (`discovered`, `action_send` …)."""

    ts: datetime
    type: str
    detail: str


class LogEntry(_Part):
    """One message between the bot and a person about this concern, in either direction."""

    person_name: str
    person_id: PersonId
    direction: Literal["outbound", "inbound"]
    text: str
    channel: str
    ts: datetime
    message_id: str | None = None
    purpose: str | None = None
    said_with: str | None = None
    """The message that it was said in one breath with: whoever changes that changes both."""
    forwarded: bool = False
    """Somebody else's words, that they passed on."""
    withdrawn: bool = False
    """Edited or recalled by its writer since: kept, but no longer part of the dialogue."""


class Said(_Part):
    """One of several messages that somebody wrote in one breath."""

    text: str
    message_id: str | None
    at: datetime
    forwarded: bool = False


class NextAction(_Part):
    """What happens next, with whom, and the earliest moment that anybody in the concern needs."""

    what: str
    who_person_id: PersonId | None
    when: datetime | None


class DelegateState(_Part):
    """How the matter stands with one delegate: the counters and moments that the follow-up rules read."""

    follow_ups: int = 0
    """Follow-ups sent; a vague answer does not reset it."""
    attitude: Attitude | None = None
    last_outbound: datetime | None = None
    last_inbound: datetime | None = None
    not_before: datetime | None = None
    """No follow-up before: a promised time, or the end of an absence."""
    promised: bool = False
    """`not_before` is their own word (a commitment): when it passes, the trigger is `due`, not `timeout`."""
    doubled: bool = False
    """They were annoyed: the interval is doubled, the tone softer."""
    asked_back: bool = False
    """The one ask-back that goes outside the cadence has been used since their last full answer."""
    key_information: str | None = None
    """Their core answer in their own words, dates added."""
    answered_at: datetime | None = None
    escalated: bool = False
    """Their limit ran out and somebody else was asked; their late answer still counts."""
    deadline_checked: bool = False
    assessed_inbound: int = 0
    """How many of their messages the loop has assessed; the rest is new."""
    silent: int = 0
    """Follow-ups sent since their last word."""
    fired_at: datetime | None = None
    """When their interval last ran out and the loop took it up: the next one runs from here, whatever became of it."""
    overdue_since: datetime | None = None
    """When it first ran out of those times of which nothing has come yet: no word of theirs, none to them."""
    once: bool = False
    """They are asked once, and not again."""
    stands_in_for: PersonId | None = None
    """The delegate in whose place they were asked: an answer of either of the two settles the part."""


class DecisionPoint(_Part):
    """A point that waits for the initiator (RULES 4, waiting for a decision)."""

    decision_id: str
    question: str
    about: PersonId | None = None
    kind: Literal["open", "refused", "away", "question", "edit", "recall", "addition", "no_answer"] = "open"
    suggested: PersonId | None = None
    """`找李四`: the person the delegate pointed to, if known."""
    asked_at: datetime
    times_asked: int = 1
    ask_again_at: datetime | None = None
    """None: asked often enough; it stays in the agenda."""
    text: str | None = None
    """The question in the brain's words for the initiator; without them a template asks."""


class Evidence(_Part):
    """Something that happened outside and bears on the matter: as its source told it, nobody's words."""

    key: str
    """Of the loop's turn that weighs it."""
    at: datetime
    event: Event
    about: PersonId | None = None
    """Whose part it bears on; None where that can't be told, and then nobody weighs it."""
    met: bool = False
    """It showed that part, or all of it, to be done."""


class Stood(_Part):
    """How one delegate's part stood before something was added to the matter."""

    person_id: PersonId
    comm_status: CommStatus
    answered_at: datetime | None
    asked_back: bool


class Addition(_Part):
    """What a later message of the initiator's added to the matter, and what stood before: it may be taken out again."""

    key: str
    message_id: str
    """The message (in the chat `conversation`), which an edit or a recall names."""
    conversation: ConversationId
    at: datetime
    line: str
    """As it stands among the initiator's words; empty: they hold no line of it."""
    said: str
    """What those who were asked already hear of it; empty: nothing."""
    sent_before: int
    """Messages of the matter that had gone to delegates by then."""
    corrections: tuple[str, ...] = ()
    """The keys of the messages that tell of it."""
    priority: tuple[Priority, Priority] | None = None
    """What it was and what it became, where that changed."""
    deadline: tuple[datetime | None, datetime | None] | None = None
    title: tuple[str, str] | None = None
    goal: tuple[str, str] | None = None
    stood: tuple[Stood, ...] = ()
    recalled: bool = False
    """Its words are taken back, though delegates have heard of it: the initiator is asked."""


class Delegation(_Part):
    """What a delegation adds: until when a reply is wanted, who is reported to, how each delegate stands."""

    reply_deadline: datetime | None = None
    report_to: PersonId | None = None
    delegates: dict[PersonId, DelegateState] = {}


class Execution(_Part):
    """One run of a schedule."""

    at: datetime
    ok: bool
    detail: str


class Concern(_Part):
    """The whole of one matter. Change it with `model_copy(update=…)`; status only through `machine.transition`."""

    concern_id: ConcernId
    type: ConcernType
    status: Status
    priority: Priority
    title: str
    goal: str
    source: Source
    people: tuple[ConcernPerson, ...]
    timeline: tuple[TimelineEntry, ...] = ()
    conversation_log: tuple[LogEntry, ...] = ()
    next_action: NextAction | None = None
    delegation: Delegation | None = None
    trigger: dict[str, Any] | None = None
    executions: tuple[Execution, ...] | None = None
    # ours:
    created_at: datetime
    closed_at: datetime | None = None
    deadline: datetime | None = None
    deadline_told: bool = False
    paused_until: datetime | None = None
    decision: DecisionPoint | None = None
    later_points: tuple[DecisionPoint, ...] = ()
    """Points that came up while another one waited; each is asked when the one before it is settled."""
    relay: Relay | None = None
    """Nobody has to answer; None: an answer is wanted."""
    any_hour: bool = False
    """The initiator wants the first contacts out now, whatever the hour."""
    revision: int = 0
    """Grows when first contacts are to be written anew, and with it the keys of their jobs."""
    reports: Reports = Reports()
    timeout_at: datetime | None = None
    """When `scan_timeouts` takes it up: a delegate's interval runs out."""
    due_at: datetime | None = None
    """When `scan_due_concerns` takes it up, for any other reason."""
    stuck_at: datetime | None = None
    """From when on it counts as stuck (`core.agenda.standstill`); None where it cannot be."""
    origin_message_id: str | None = None
    """The initiator's message (in the source channel), which an edit or a recall names."""
    origin_conversation: ConversationId | None = None
    """The chat of that message."""
    summary: str | None = None
    outcome: str | None = None
    version: int = 0
    """Grows with each save; the store refuses a save over a newer one."""
    cause: str | None = None
    """Why it exists: `f12`, the fact whose judgement raised it."""
    evidence: tuple[Evidence, ...] = ()
    """What happened outside that bears on it, oldest first."""
    additions: tuple[Addition, ...] = ()
    """What later messages of the initiator's added, oldest first."""

    @property
    def delegates(self) -> tuple[ConcernPerson, ...]:
        """The people who are asked, in the order in which they were named."""
        return tuple(p for p in self.people if p.role_in_concern == DELEGATE)

    @property
    def initiator_id(self) -> PersonId | None:
        """Whose matter it is."""
        return next((p.person_id for p in self.people if p.role_in_concern == INITIATOR), None)

    def person(self, person_id: PersonId) -> ConcernPerson | None:
        """The entry of a person, or None."""
        return next((p for p in self.people if p.person_id == person_id), None)

    def state_of(self, person_id: PersonId) -> DelegateState:
        """A delegate's state; a fresh one for somebody new."""
        states = self.delegation.delegates if self.delegation else {}
        return states.get(person_id, DelegateState())

    def dialogue_with(self, person_id: PersonId) -> tuple[LogEntry, ...]:
        """That person's own dialogue as it stands, oldest first; what they took back is left out."""
        return tuple(e for e in self.conversation_log if e.person_id == person_id and not e.withdrawn)

    def to_json(self) -> dict[str, Any]:
        """The JSON form of the concern document; `delegation`, `trigger`, `executions` only where they apply."""
        data = self.model_dump(mode="json")
        for name in ("delegation", "trigger", "executions"):
            if data[name] is None:
                del data[name]
        return data
