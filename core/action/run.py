"""A run of an action: its stages and how far each step is. Kept as an `action_states` block from before it starts.

A stage is one transaction: its steps, their rows and "this stage is done" are written together or not at all. So a
crash leaves a run at the border between two stages, from where it goes on, and no step runs twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.action.model import ImmediateExecutableAction
from core.effects import Words


class StepState(StrEnum):
    """How far one step is."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class RunStep(BaseModel):
    """One step with its state, and in words why it failed."""

    model_config = ConfigDict(frozen=True)

    key: str
    parameters: dict[str, Any]
    state: StepState = StepState.PENDING
    problem: Words | None = None


class ActionRun(BaseModel):
    """The whole run. `errand` is the JSON of `core.hub.errand.Errand`."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    tendency: str
    errand: dict[str, Any]
    stages: dict[int, tuple[RunStep, ...]]
    started_at: datetime
    closed_at: datetime | None = None

    def steps(self, *states: StepState) -> tuple[RunStep, ...]:
        """The steps in these states, in the order of their stages."""
        return tuple(s for n in sorted(self.stages) for s in self.stages[n] if s.state in states)

    @property
    def state(self) -> Literal["running", "done", "failed"]:
        """A failed step ends the run: what comes after it is left undone."""
        if self.steps(StepState.FAILED):
            return "failed"
        return "running" if self.steps(StepState.PENDING, StepState.RUNNING) else "done"

    @property
    def next_stage(self) -> int | None:
        """The first stage that is not done; None when the run is over."""
        if self.state != "running":
            return None
        return min(n for n, steps in self.stages.items() if any(s.state is not StepState.DONE for s in steps))


def begun(action: ImmediateExecutableAction, run_id: str, errand: dict[str, Any], now: datetime) -> ActionRun:
    """A run with everything still to do."""
    stages = {
        n: tuple(RunStep(key=step.key, parameters=step.parameters) for step in steps)
        for n, steps in action.stages.items()
    }
    return ActionRun(run_id=run_id, tendency=action.tendency, errand=errand, stages=stages, started_at=now)


def started(run: ActionRun, stage: int) -> ActionRun:
    """The run as it stands when a stage is about to run."""
    steps = tuple(s.model_copy(update={"state": StepState.RUNNING}) for s in run.stages[stage])
    return run.model_copy(update={"stages": {**run.stages, stage: steps}})


def closed(run: ActionRun, stage: int, problems: Mapping[int, Words | None], now: datetime) -> ActionRun:
    """The run after a stage; `problems` has what went wrong with each step by its place, None where it is done."""
    steps = tuple(
        s.model_copy(
            update={"state": StepState.DONE if problems[i] is None else StepState.FAILED, "problem": problems[i]}
        )
        for i, s in enumerate(run.stages[stage])
    )
    run = run.model_copy(update={"stages": {**run.stages, stage: steps}})
    return run if run.state == "running" else run.model_copy(update={"closed_at": now})
