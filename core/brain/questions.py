"""The questions that a brain is asked. Their views and answers are named here too: this is the door to all three.

The wall between delegates (RULES 1) stands here: `Assess` and `Compose` carry one delegate's own dialogue, never
another's words.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

from core.brain.answers import (
    Ambiguity,
    Answer,
    Assessment,
    AttitudeName,
    AttitudeOf,
    Awaited,
    Decision,
    EvaluatorResult,
    Judgement,
    Match,
    MessageTo,
    Next,
    Remark,
    Tendencies,
    Text,
    WorkStep,
)
from core.brain.views import (
    AwaitedEvent,
    ConcernBrief,
    DelegateStanding,
    Line,
    MetaActionBrief,
    PartBrief,
    PendingAction,
    PersonBrief,
    ToolUse,
    View,
    WaitingPoint,
)
from core.facts import Event

__all__ = [
    "QUESTIONS",
    "A",
    "Ambiguity",
    "Answer",
    "Assess",
    "Assessment",
    "AttitudeName",
    "AttitudeOf",
    "Awaited",
    "AwaitedEvent",
    "Compose",
    "ConcernBrief",
    "Converse",
    "Decision",
    "DelegateStanding",
    "Evaluate",
    "EvaluatorResult",
    "Extract",
    "Fulfil",
    "Judge",
    "Judgement",
    "Line",
    "Match",
    "MatchEvent",
    "MatchReply",
    "MessageTo",
    "MetaActionBrief",
    "Next",
    "PartBrief",
    "PendingAction",
    "PersonBrief",
    "Question",
    "Remark",
    "Tendencies",
    "Text",
    "ToolUse",
    "View",
    "WaitingPoint",
    "Work",
    "WorkStep",
]

A = TypeVar("A", bound=Answer)


class Question(View, Generic[A]):
    """A question; `name` is the key in scripts and the name of the prompt template, `answers` the answer's type."""

    name: ClassVar[str]
    answers: ClassVar[type[Answer]]


class Judge(Question[Judgement]):
    """What does this message mean? For the owner's, a member's and a delegate's messages."""

    name: ClassVar[str] = "judge"
    answers: ClassVar[type[Answer]] = Judgement

    text: str
    role: Literal["owner", "admin", "member", "delegate"]
    now: datetime
    concerns: tuple[ConcernBrief, ...] = ()
    """The sender's own open concerns (initiator), or those in which they are asked (delegate)."""
    waiting: tuple[WaitingPoint, ...] = ()
    pending: tuple[PendingAction, ...] = ()
    contacts: tuple[PersonBrief, ...] = ()
    """Whom the sender may name: with a name an order is told from a change to what waits."""
    quoted: str | None = None
    recent: tuple[Line, ...] = ()
    """The last lines of this chat, oldest first."""


class MatchReply(Question[Match]):
    """Several matters are open with this delegate: which one do they answer?"""

    name: ClassVar[str] = "match_reply"
    answers: ClassVar[type[Answer]] = Match

    text: str
    now: datetime
    candidates: tuple[ConcernBrief, ...]
    listed: tuple[str, ...] = ()
    """Ids in the order in which a message to them numbered them."""
    just_asked: str = ""
    """The one put to them a moment ago, where the others were long before and they were silent since; else empty."""


class Extract(Question[Tendencies]):
    """Does this input ask for something to be done, and for what?"""

    name: ClassVar[str] = "extract"
    answers: ClassVar[type[Answer]] = Tendencies

    text: str
    now: datetime
    role: str = "owner"
    recent: tuple[Line, ...] = ()
    contacts: tuple[PersonBrief, ...] = ()
    concerns: tuple[ConcernBrief, ...] = ()
    context: str = ""
    """`assemble_context()` as text, for a model; the other fields say the same to rules."""


class Evaluate(Question[EvaluatorResult]):
    """Can this tendency be done with these abilities?

    With `pending`, `tendency` waits for a confirmation as evaluated there and `text` changes it: the answer is the
    whole result after the change. `need_confirm` stays true only for what the change leaves in doubt.
    """

    name: ClassVar[str] = "evaluate"
    answers: ClassVar[type[Answer]] = EvaluatorResult

    tendency: str
    text: str
    """The whole message that it comes from."""
    now: datetime
    role: str = "owner"
    sender_id: str = ""
    contacts: tuple[PersonBrief, ...] = ()
    concerns: tuple[ConcernBrief, ...] = ()
    available_meta_actions: tuple[MetaActionBrief, ...] = ()
    recent: tuple[Line, ...] = ()
    pending: EvaluatorResult | None = None
    timezone: str = "Asia/Shanghai"
    """The sender's: what they say of times is meant there."""
    end_of_work: str = "18:00"
    """The sender's, wall clock: "before the end of work"."""
    context: str = ""
    """`assemble_context()` as text, for a model; the other fields say the same to rules."""


class Assess(Question[Assessment]):
    """How does the matter stand, and what is to be done? Asked for the turn of one delegate (`about`).

    `dialogue` is that delegate's own, `standings` holds that delegate alone; of the others there is only whether any of
    them still owes an answer. So whatever the answer says to `about` can hold nothing of another delegate.
    """

    name: ClassVar[str] = "assess"
    answers: ClassVar[type[Answer]] = Assessment

    trigger: str
    now: datetime
    title: str
    goal: str
    priority: str
    initiator: str
    """Name of the initiator as this delegate knows them."""
    initiator_words: tuple[str, ...]
    """What the initiator said about it, oldest first: the request, amendments, decisions."""
    about: str
    standings: tuple[DelegateStanding, ...]
    others_open: bool = False
    """Another delegate still owes an answer. The engine, not the brain, keeps the concern open for them."""
    dialogue: tuple[Line, ...]
    new: tuple[str, ...] = ()
    """Their messages since the last assessment; empty for a time-out."""
    known: str | None = None
    """Their core answer as far as it was understood before."""
    decided: str | None = None
    """decision: the initiator's words."""
    decision_question: str | None = None
    evidence: tuple[Event, ...] = ()
    """evidence: what happened outside, as its source tells it."""
    deadline: datetime | None = None
    end_of_work: str = "18:00"
    """That delegate's end of work, wall clock: a promised day ends there if it is before 18:00."""
    language: str = "zh-CN"
    """The delegate's language, for `messages`."""
    initiator_language: str = "zh-CN"
    """For `owner_update`."""
    known_names: tuple[str, ...] = ()
    """Names of the directory that stand in `new`, so that "找李四" can be told from a common word. Nothing else of it,
    and for rules alone: what a model is not shown of who is known it cannot tell the delegate.
    """


class Compose(Question[Text]):
    """The words of one message to one delegate, from a view that holds only what they may know (RULES 1)."""

    name: ClassVar[str] = "compose"
    answers: ClassVar[type[Answer]] = Text

    occasion: Literal["first_contact", "follow_up", "ask_back", "decision", "correction", "deadline_check"]
    language: str
    now: datetime
    to: str
    """The delegate's name."""
    initiator: str
    title: str
    goal: str
    initiator_words: tuple[str, ...]
    dialogue: tuple[Line, ...] = ()
    decided: str | None = None
    number: int = 0
    """follow_up: which one it is."""
    softer: bool = False
    deadline: datetime | None = None


class Converse(Question[Text]):
    """What to say when nothing is to be done."""

    name: ClassVar[str] = "converse"
    answers: ClassVar[type[Answer]] = Text

    text: str
    role: str
    language: str
    now: datetime
    persona: str = "清海"
    owner: str = "老板"
    recent: tuple[Line, ...] = ()
    concerns: tuple[ConcernBrief, ...] = ()
    """The sender's own, with `parts`: matters, schedules, expectations, watch items."""
    waiting: tuple[WaitingPoint, ...] = ()
    """What waits for the sender's decision."""
    pending: tuple[PendingAction, ...] = ()
    """What waits for the sender's yes, or for a word that is missing."""
    timezone: str = "Asia/Shanghai"
    """The sender's: "now" and "tomorrow" are meant there."""
    context: str = ""
    """`assemble_context()` as text, for a model; the other fields say the same to rules."""
    contacts: tuple[PersonBrief, ...] = ()
    noted: bool = False
    """A promise or a trouble in these words is noted or asked about beside the answer."""


class Fulfil(Question[Remark]):
    """A reminder or a result goes out now, word for word: is there news that they should hear with it?"""

    name: ClassVar[str] = "fulfil"
    answers: ClassVar[type[Answer]] = Remark

    content: str
    source: str
    """Who wrote it: `user_reminder`, `task_completion`, or another producer's word."""
    now: datetime
    language: str = "zh-CN"
    context: str = ""
    """`assemble_context()` as text: with the trigger and this content."""


class MatchEvent(Question[Awaited]):
    """Something happened outside, or was said: does it show that one of the awaited things has happened?"""

    name: ClassVar[str] = "match_event"
    answers: ClassVar[type[Answer]] = Awaited

    text: str
    who: str = ""
    """The name of whom it comes from or is about; empty when nobody in particular."""
    happened: bool = False
    """An event from outside: it did happen, whatever the tense of its words."""
    now: datetime
    awaited: tuple[AwaitedEvent, ...]
    context: str = ""
    """`assemble_light_context()` as text."""


class Work(Question[WorkStep]):
    """The next step of a deep task: take a read-only tool, or give the result. `tools` are all that may be taken."""

    name: ClassVar[str] = "work"
    answers: ClassVar[type[Answer]] = WorkStep

    goal: str
    now: datetime
    language: str = "zh-CN"
    context: str = ""
    tools: tuple[MetaActionBrief, ...] = ()
    done: tuple[ToolUse, ...] = ()
    steps_left: int = 8
    """With 0 the result must be given now."""


QUESTIONS: tuple[type[Question[Any]], ...] = (
    Judge,
    MatchReply,
    MatchEvent,
    Extract,
    Evaluate,
    Assess,
    Compose,
    Converse,
    Work,
    Fulfil,
)
