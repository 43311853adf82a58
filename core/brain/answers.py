"""Answers of a brain. Each field has a default, so that a scripted or a modest model may leave out what it has nothing
to say about; `null` means just that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationInfo, field_validator, model_validator

from core.brain.markdown import plain
from core.brain.views import View

IN_MARKDOWN: Final = {"markdown": True}
"""The context in which an answer is validated whose words may be Markdown, as those of a model are."""


def _written(value: str, info: ValidationInfo) -> str:
    return plain(value) if info.context == IN_MARKDOWN else value


Written = Annotated[str, AfterValidator(_written)]
"""Words of a brain that people read: plain text, whatever a model wrote. Parameters of actions stay as said."""


class Answer(BaseModel):
    """Root of all answers: frozen; unknown fields are dropped, `null` for a list or a dict counts as empty."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, value: Any) -> Any:
        return {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value


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


class SignalOf(Answer):
    """A risk, a blocker or a promise made in passing, as the words tell it. `when`: the promised time."""

    kind: Literal["risk", "blocker", "commitment"]
    what: Written
    when: datetime | None = None


class Judgement(Answer):
    """What a message means. `targets` are concern ids (supplement, decide, cancel) or block ids (confirm, deny, amend).

    `relay`: a delegate's unasked word for the owner. `stop`: a delegate wants no more messages. `unclear` asks the
    sender which of `targets` is meant. A cancel without a target while several are open is unclear.
    """

    decision: Decision = "converse"
    targets: tuple[str, ...] = ()
    unclear: bool = False
    reason: str = ""
    signals: tuple[SignalOf, ...] = ()
    """What the words tell beside what they ask for; an answer to an open matter is no signal, be it a promise."""


class Match(Answer):
    """Which open concerns a delegate's reply is about; `unclear` when it can't be told and must be asked."""

    concern_ids: tuple[str, ...] = ()
    unclear: bool = False
    parts: dict[str, str] = {}
    """Where one message answers several, what of it belongs to each, in its own words; else empty."""


class Tendencies(Answer):
    """Goals that the sender wants done, each in words; not steps. Empty: nothing is to be done."""

    tendencies: tuple[Written, ...] = ()


class Ambiguity(View):
    """A name that several people answer to."""

    name: str
    candidates: tuple[str, ...]


class EvaluatorResult(Answer):
    """Whether and how one tendency can be done (RULES 6).

    `parameters` has an entry for each key in `primary_action_chain`. `unknown_people` are names that nobody in the
    directory has, `ambiguous` those that several have; either makes `need_confirm` true.

    `when` of a planned one is an ISO 8601 moment, an RFC 5545 rule (with `DTSTART=…;` in front where it begins on a
    certain day; hours and minutes are wall clock of the sender), or `EVENT=` and the condition in words. With
    `working_days` a rule's runs on days that are not worked are left out.
    """

    ok: bool = False
    need_confirm: bool = False
    type: Literal["immediate", "planned"] = "immediate"
    when: str | None = None
    working_days: bool = False
    primary_action_chain: dict[int, tuple[str, ...]] = {}
    parameters: dict[str, dict[str, Any]] = {}
    refusal: Literal["no_action", "no_ability", "unclear", "covered", "past"] | None = None
    """`past`: the time that was named has gone by."""
    missing: Literal["who", "what", "when", "which"] | None = None
    """unclear: what must be said to make it clear; the question back asks for it."""
    reason: str = ""
    unknown_people: tuple[str, ...] = ()
    ambiguous: tuple[Ambiguity, ...] = ()


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
    text: Written


class Next(Answer):
    """What the brain would do next."""

    what: str = ""
    who: str | None = None
    when: datetime | None = None


class Assessment(Answer):
    """The output of the agent loop (RULES 4). `key_information` is the own words of the delegate whose turn it is."""

    goal_met: bool = False
    summary: Written | None = None
    key_information: Written | None = None
    attitudes: dict[str, AttitudeOf] = {}
    messages: tuple[MessageTo, ...] = ()
    next_action: Next | None = None
    escalate_to: str | None = None
    owner_update: Written | None = None
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


class WorkStep(Answer):
    """The next step of a deep task: a tool with its parameters, or the result in words; the result ends it."""

    tool: str | None = None
    parameters: dict[str, Any] = {}
    result: Written | None = None


class Awaited(Answer):
    """Which of the awaited things an event shows to have happened; empty when none."""

    item_ids: tuple[str, ...] = ()


class Remark(Answer):
    """A sentence to stand after what somebody is owed; empty: there is nothing to add."""

    remark: Written = ""


class Text(Answer):
    """Words to send."""

    text: Written = ""
