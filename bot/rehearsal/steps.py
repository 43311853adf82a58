"""The steps of a scenario file (CONTRACT 5): one model each, and the table of their names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, RootModel, field_validator

from bot.brain.scripted import ScriptedBrain
from bot.channels.virtual import FaultKind
from core.brain.rules import RuleBrain
from core.errors import ConfigurationError
from core.limits import Duration


class Body(BaseModel):
    """What stands behind a step's name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _texts(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it is not a regular expression ({error})") from None
    return text


Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]


class Say(Body):
    """A person writes. `id` names the message for `edit`, `recall` and `reply_to`."""

    who: str
    text: str
    channel: str | None = None
    id: str | None = None
    reply_to: str | None = None
    forwarded_from: str | None = None


class Edit(Body):
    """A person changes what they wrote (ours)."""

    who: str
    id: str
    text: str


class Recall(Body):
    """A person takes back what they wrote (ours)."""

    who: str
    id: str


class Expect(Body):
    """What the messages to a person since the last look hold."""

    to: str
    contains: Texts = ()
    lacks: Texts = ()
    matches: Annotated[str, AfterValidator(_pattern)] | None = None
    count: int | None = Field(default=None, ge=0)
    channel: str | None = None
    as_: str | None = Field(default=None, alias="as")


class Silent(Body):
    """Nothing to them since the last look; `anyone` for all."""

    to: str


class Advance(RootModel[Annotated[Duration, Field(le=timedelta(days=3660))]]):
    """Let time pass."""


class Until(RootModel[datetime]):
    """Let time pass up to a moment."""


class ConcernStep(BaseModel):
    """Fields of a concern's JSON form, dotted; `which` is `last`, an id, or part of a title."""

    model_config = ConfigDict(frozen=True, extra="allow")

    which: str = "last"

    @property
    def fields(self) -> dict[str, Any]:
        """What it shall hold."""
        return self.model_extra or {}


class Press(Body):
    """A person presses a button of a message to them: the latest one with this label, or the one named by `as`."""

    who: str
    label: str
    as_: str | None = Field(default=None, alias="as")


class EventStep(Body):
    """Something happens outside: a merge, a pipeline."""

    source: str
    kind: str
    subject: str
    person: str | None = None
    text: str | None = None
    id: str | None = None
    data: dict[str, Any] = {}


class ChannelFails(Body):
    """The next sends fail."""

    channel: str
    to: str | None = None
    error: FaultKind
    times: int = Field(default=1, ge=1)
    retry_after: Duration | None = None


class ModelFails(Body):
    """The next questions to the brain fail."""

    error: Literal["timeout", "malformed", "refused"]
    times: int = Field(default=1, ge=1)


class ModelStep(RootModel[dict[str, dict[str, Any]]]):
    """The next answers to questions, by question name (scripted brain)."""

    @field_validator("root")
    @classmethod
    def _fits(cls, value: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        script = ScriptedBrain(RuleBrain())
        for name, answer in value.items():
            try:
                script.queue(name, answer)
            except ConfigurationError as error:
                raise ValueError(str(error)) from None
        return value


class Restart(Body):
    """The process dies here and starts again on the same database, `down` later."""

    down: Duration | None = None


AnyBody = (
    Say | Edit | Recall | Expect | Silent | Advance | Until | ConcernStep | Press | EventStep | ChannelFails
    | ModelFails | ModelStep | Restart
)  # fmt: skip

STEPS: dict[str, type[BaseModel]] = {
    "say": Say,
    "edit": Edit,
    "recall": Recall,
    "expect": Expect,
    "silent": Silent,
    "advance": Advance,
    "until": Until,
    "concern": ConcernStep,
    "press": Press,
    "event": EventStep,
    "channel_fails": ChannelFails,
    "model_fails": ModelFails,
    "model": ModelStep,
    "restart": Restart,
}


@dataclass(frozen=True)
class Step:
    """A step with its number, counted from 1."""

    number: int
    kind: str
    body: Any
    """One of `AnyBody`."""
