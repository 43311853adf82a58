"""The questions that a brain is asked, the views that they carry, and the answers.

A view is frozen plain data made for one question and one reader; what is not in it cannot leak. The wall between
delegates (RULES 1) stands here: `Assess` and `Compose` carry one delegate's own dialogue, never another's words.
Every answer has defaults for all its fields, so that a scripted or a modest model may leave out what it has nothing to
say about; `None` means just that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator


class View(BaseModel):
    """Root of all views and questions: frozen."""

    model_config = ConfigDict(frozen=True)


class Answer(BaseModel):
    """Root of all answers: frozen; unknown fields are dropped, `null` for a list or a dict counts as empty."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, value: Any) -> Any:
        return {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value


A = TypeVar("A", bound=Answer)


class Question(View, Generic[A]):
    """A question; `name` is the key in scripts and the name of the prompt template, `answers` the answer's type."""

    name: ClassVar[str]
    answers: ClassVar[type[Answer]]


# --- what several views share -------------------------------------------------------------------------------------


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


# --- what does a fact mean ----------------------------------------------------------------------------------------

Decision = Literal[
    "ignore",
    "converse",
    "watch",
    "raise",
    "supplement",
    "confirm",
    "deny",
    "amend",
    "decide",
    "cancel",
    "relay",
    "stop",
]


class Judgement(Answer):
    """What a message means. `targets` are concern ids (supplement, decide, cancel) or block ids (confirm, deny, amend).

    `relay`: a delegate's unasked word for the owner. `stop`: a delegate wants no more messages. `unclear` asks the
    sender which of `targets` is meant. A cancel without a target while several are open is unclear.
    """

    decision: Decision = "converse"
    targets: tuple[str, ...] = ()
    unclear: bool = False
    reason: str = ""


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
    quoted: str | None = None
    recent: tuple[Line, ...] = ()
    """The last lines of this chat, oldest first."""


class Match(Answer):
    """Which open concerns a delegate's reply is about; `unclear` when it can't be told and must be asked."""

    concern_ids: tuple[str, ...] = ()
    unclear: bool = False


class MatchReply(Question[Match]):
    """Several matters are open with this delegate: which one do they answer?"""

    name: ClassVar[str] = "match_reply"
    answers: ClassVar[type[Answer]] = Match

    text: str
    now: datetime
    candidates: tuple[ConcernBrief, ...]


# --- from words to actions ----------------------------------------------------------------------------------------


class Tendencies(Answer):
    """Goals that the sender wants done, each in words; not steps. Empty: nothing is to be done."""

    tendencies: tuple[str, ...] = ()


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


class MetaActionBrief(View):
    """An ability that the caller may use: its key, what it does, its parameters as a JSON schema."""

    key: str
    description: str
    parameters: dict[str, Any]


class Ambiguity(View):
    """A name that several people answer to."""

    name: str
    candidates: tuple[str, ...]


class EvaluatorResult(Answer):
    """Whether and how one tendency can be done (RULES 6).

    `parameters` has an entry for each key in `primary_action_chain`. `unknown_people` are names that nobody in the
    directory has, `ambiguous` those that several have; either makes `need_confirm` true.
    """

    ok: bool = False
    need_confirm: bool = False
    type: Literal["immediate", "planned"] = "immediate"
    when: str | None = None
    """For planned: ISO 8601 moment, or an RFC 5545 rule."""
    primary_action_chain: dict[int, tuple[str, ...]] = {}
    parameters: dict[str, dict[str, Any]] = {}
    refusal: Literal["no_action", "no_ability", "unclear", "covered"] | None = None
    reason: str = ""
    unknown_people: tuple[str, ...] = ()
    ambiguous: tuple[Ambiguity, ...] = ()


class Evaluate(Question[EvaluatorResult]):
    """Can this tendency be done with these abilities?"""

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


# --- the agent loop -----------------------------------------------------------------------------------------------

AttitudeName = Literal[
    "answered", "commitment", "vague", "resistant", "refused", "question", "away", "unrelated", "silent"
]


class AttitudeOf(Answer):
    """A delegate's attitude. In scripts and by models it may also be written as the bare word."""

    attitude: AttitudeName
    promised_time: datetime | None = None
    """commitment: when; away: until when."""
    names_other: str | None = None
    """refused: the person they point to, by name."""


class MessageTo(Answer):
    """Words for one person, by person id."""

    to: str
    text: str


class Next(Answer):
    """What the brain would do next."""

    what: str = ""
    who: str | None = None
    when: datetime | None = None


class Assessment(Answer):
    """The output of the agent loop (RULES 4). `key_information` is the own words of the delegate whose turn it is."""

    goal_met: bool = False
    summary: str | None = None
    key_information: str | None = None
    attitudes: dict[str, AttitudeOf] = {}
    messages: tuple[MessageTo, ...] = ()
    next_action: Next | None = None
    escalate_to: str | None = None
    owner_update: str | None = None
    needs_decision: bool = False

    @field_validator("attitudes", mode="before")
    @classmethod
    def _bare_words(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return {k: {"attitude": v} if isinstance(v, str) else v for k, v in value.items()}
        return value

    @field_validator("next_action", mode="before")
    @classmethod
    def _bare_next(cls, value: Any) -> Any:
        return {"what": value} if isinstance(value, str) else value


class DelegateStanding(View):
    """How it stands with one delegate: status only, no words of theirs."""

    person_id: str
    name: str
    pronoun: str | None = None
    comm_status: str
    attitude: str | None = None
    follow_ups: int = 0


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
    evidence: tuple[str, ...] = ()
    deadline: datetime | None = None
    end_of_work: str = "18:00"
    """That delegate's end of work, wall clock: a promised day ends there if it is before 18:00."""
    language: str = "zh-CN"
    """The delegate's language, for `messages`."""
    initiator_language: str = "zh-CN"
    """For `owner_update`."""
    known_names: tuple[PersonBrief, ...] = ()
    """People whose names stand in `new`, so that "找李四" can be told from a common word."""


class Text(Answer):
    """Words to send."""

    text: str = ""


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
    """What to say when nothing is to be done. `snapshot` is the assembled context as text."""

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
    snapshot: str = ""
    contacts: tuple[PersonBrief, ...] = Field(default=())


QUESTIONS: tuple[type[Question[Any]], ...] = (Judge, MatchReply, Extract, Evaluate, Assess, Compose, Converse)
