"""What the planner makes of an evaluated tendency: an action to run now, one for later, a question, or a refusal."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from core.brain.questions import Ambiguity, EvaluatorResult

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


class PlannedStep(_Value):
    """One meta-action with parameters that its own model has accepted."""

    key: str
    parameters: dict[str, Any]


class ImmediateExecutableAction(_Value):
    """Stages in order; the steps of one stage belong together."""

    tendency: str
    stages: dict[int, tuple[PlannedStep, ...]]


class SchedulableExecutableAction(_Value):
    """The same, for a moment or a rule (ISO 8601 or RFC 5545)."""

    tendency: str
    stages: dict[int, tuple[PlannedStep, ...]]
    when: str


class PendingConfirmation(_Value):
    """It can be done, but the sender must say yes first, or say who is meant."""

    tendency: str
    result: EvaluatorResult


class RefusedTendency(_Value):
    """It will not be done; `kind` picks the words for the user, `reason` is for the record."""

    tendency: str
    kind: str
    reason: str


Plan = ImmediateExecutableAction | SchedulableExecutableAction | PendingConfirmation | RefusedTendency
