"""What the planner makes of an evaluated tendency: an action to run now, one for later, a question, or a refusal."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from core.brain.questions import Ambiguity, EvaluatorResult
from core.concern.schedule import PlannedStep
from core.schedule import ScheduleTrigger

__all__ = [
    "Ambiguity",
    "EvaluatorResult",
    "ImmediateExecutableAction",
    "PendingConfirmation",
    "Plan",
    "PlannedStep",
    "RefusedTendency",
    "SchedulableExecutableAction",
]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True)


class ImmediateExecutableAction(_Value):
    """Stages in order; the steps of one stage belong together. `reason`: why it was judged so, for the record."""

    tendency: str
    stages: dict[int, tuple[PlannedStep, ...]]
    reason: str = ""


class SchedulableExecutableAction(_Value):
    """The same, for when its trigger fires."""

    tendency: str
    stages: dict[int, tuple[PlannedStep, ...]]
    trigger: ScheduleTrigger
    reason: str = ""


class PendingConfirmation(_Value):
    """It can be done, but the sender must say yes first, or say who is meant."""

    tendency: str
    result: EvaluatorResult


RefusalKind = Literal["no_action", "no_ability", "unclear", "covered", "past", "invalid"]


class RefusedTendency(_Value):
    """It will not be done. `kind` picks the words for the user, `reason` is for the record.

    `missing` (unclear): what the sender must say. `problem` (invalid): what is wrong with the plan, with `detail`
    naming the culprit.
    """

    tendency: str
    kind: RefusalKind
    reason: str
    missing: Literal["who", "what", "when", "which"] | None = None
    problem: (
        Literal["empty", "unknown", "cycle", "parameters", "too_long", "not_later", "when", "too_often", "too_many"]
        | None
    ) = None
    detail: str = ""


Plan = ImmediateExecutableAction | SchedulableExecutableAction | PendingConfirmation | RefusedTendency
