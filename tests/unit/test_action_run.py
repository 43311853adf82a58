"""A run goes on from the border between two stages, and a failed step ends it."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from core.action.model import ImmediateExecutableAction
from core.action.run import ActionRun, StepState, begun, closed, started
from core.concern.schedule import PlannedStep
from core.effects import Words

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
LATER = NOW + timedelta(minutes=1)
BROKEN = Words(text="送不到")


def three() -> ActionRun:
    """One step, then two side by side, then one."""
    keys = {1: ("a",), 2: ("b", "c"), 3: ("d",)}
    stages = {n: tuple(PlannedStep(key=k, parameters={}) for k in ks) for n, ks in keys.items()}
    return begun(ImmediateExecutableAction(tendency="三步", stages=stages), "run:f1:0", {}, NOW)


def test_a_run_goes_through_its_stages_in_order() -> None:
    run = three()
    for stage in (1, 2, 3):
        assert (run.state, run.next_stage, run.closed_at) == ("running", stage, None)
        run = started(run, stage)
        assert run.next_stage == stage, "what was only begun is still to be done"
        run = closed(run, stage, dict.fromkeys(range(len(run.stages[stage]))), LATER)
    assert (run.state, run.next_stage, run.closed_at) == ("done", None, LATER)


def test_a_failed_step_ends_it_with_what_was_done_and_what_was_not() -> None:
    run = closed(three(), 1, {0: None}, NOW)
    run = closed(started(run, 2), 2, {0: None, 1: BROKEN}, LATER)
    assert (run.state, run.next_stage, run.closed_at) == ("failed", None, LATER)
    assert [s.key for s in run.steps(StepState.DONE)] == ["a", "b"]
    assert [(s.key, s.problem) for s in run.steps(StepState.FAILED)] == [("c", BROKEN)]
    assert [s.key for s in run.steps(StepState.PENDING)] == ["d"]


def test_it_is_the_same_after_being_kept_as_json() -> None:
    run = closed(started(three(), 1), 1, {0: BROKEN}, LATER)
    assert ActionRun.model_validate_json(run.model_dump_json()) == run
