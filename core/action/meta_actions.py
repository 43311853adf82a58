"""The registry of meta-actions: what the bot can do for somebody, one class each.

To add one: a class with `info`, an entry in `REGISTRY`, and its execution in `core/hub/executor.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.brain.questions import MetaActionBrief
from core.people import Role

STARTERS = frozenset({Role.OWNER, Role.ADMIN, Role.MEMBER})


class _Parameters(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class RaiseConcernParameters(_Parameters):
    """Whom to ask, and what counts as done."""

    title: str = Field(min_length=1, max_length=200)
    goal: str = Field(min_length=1, max_length=1000)
    people: tuple[str, ...] = Field(min_length=1, max_length=50)
    priority: Literal["critical", "high", "medium", "low"] | None = None
    """None: taken from the words (RULES 3)."""
    deadline: datetime | None = None
    message: str | None = None
    """The question in the initiator's words, where it differs from the whole message."""

    @field_validator("people")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value))


class CancelConcernParameters(_Parameters):
    """Which open concerns to let go."""

    concern_ids: tuple[str, ...] = Field(min_length=1)


class CheckConcernsParameters(_Parameters):
    """Which open concerns to look at: those with a person, those named, or all."""

    person: str | None = None
    concern_ids: tuple[str, ...] = ()


class MetaActionInfo(BaseModel):
    """What the planner and a model must know of a meta-action."""

    model_config = ConfigDict(frozen=True)

    key: str
    description: str
    parameters: type[BaseModel]
    outside_effect: bool
    """It reaches a third person."""
    who_may: frozenset[Role]
    needs_first: tuple[str, ...] = ()
    """Keys that must have run in an earlier stage."""
    order: int = 0
    """Among actions without dependencies the lower one goes first."""


class MetaAction:
    """An ability. Subclasses only state their `info`; the executor does the work."""

    info: MetaActionInfo


class RaiseConcern(MetaAction):
    """Ask people something on the caller's behalf and follow it until the goal is met."""

    info = MetaActionInfo(
        key="raise_concern",
        description="联系一个或几个人，问到结果为止：发出问题、跟进、汇报、回流。goal 写什么时候算办完。",
        parameters=RaiseConcernParameters,
        outside_effect=True,
        who_may=STARTERS,
        order=10,
    )


class CancelConcern(MetaAction):
    """Let an open concern go."""

    info = MetaActionInfo(
        key="cancel_concern",
        description="放下还没办完的事项，告诉已经问过的人不用回了。",
        parameters=CancelConcernParameters,
        outside_effect=True,
        who_may=STARTERS,
        order=0,
    )


class CheckConcerns(MetaAction):
    """Say where open concerns stand."""

    info = MetaActionInfo(
        key="check_concerns",
        description="查看还在跟进的事项到哪一步了，可以只看某个人的。",
        parameters=CheckConcernsParameters,
        outside_effect=False,
        who_may=STARTERS,
        order=20,
    )


REGISTRY: dict[str, type[MetaAction]] = {a.info.key: a for a in (RaiseConcern, CancelConcern, CheckConcerns)}


def _brief(info: MetaActionInfo) -> MetaActionBrief:
    schema: dict[str, Any] = info.parameters.model_json_schema()
    return MetaActionBrief(key=info.key, description=info.description, parameters=schema)


_BRIEFS = {key: _brief(action.info) for key, action in REGISTRY.items()}


def available_meta_actions(role: Role) -> tuple[MetaActionBrief, ...]:
    """What a caller of this role may use; the rest does not exist for them."""
    return tuple(_BRIEFS[key] for key, action in REGISTRY.items() if role in action.info.who_may)
