"""The planner: whatever is asked for, the stages hold every dependency, or the plan is refused with a sentence."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from core.action.meta_actions import STARTERS, MetaAction, MetaActionInfo, available_meta_actions
from core.action.model import (
    EvaluatorResult,
    ImmediateExecutableAction,
    PendingConfirmation,
    RefusedTendency,
    SchedulableExecutableAction,
)
from core.action.planner import plan
from core.people import Role

RAISE: dict[str, Any] = {"title": "提测时间", "goal": "拿到具体时间", "people": ["p_zhangsan", "p_zhangsan"]}


def result(**more: Any) -> EvaluatorResult:
    values: dict[str, Any] = {
        "ok": True,
        "primary_action_chain": {1: ["raise_concern"]},
        "parameters": {"raise_concern": RAISE},
        **more,
    }
    return EvaluatorResult.model_validate(values)


def test_a_plain_request_runs_at_once_and_names_each_person_once() -> None:
    made = plan("问张三", result(), Role.OWNER)
    assert isinstance(made, ImmediateExecutableAction)
    assert made.stages[1][0].parameters["people"] == ["p_zhangsan"]


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"ok": False, "refusal": "covered"}, "covered"),
        ({"ok": False}, "unclear"),
        ({"primary_action_chain": {}}, "invalid"),
        ({"primary_action_chain": {1: ["launch_rocket"]}}, "invalid"),
        ({"parameters": {"raise_concern": {"title": "x"}}}, "invalid"),
        ({"parameters": {}}, "invalid"),
        ({"type": "planned"}, "invalid"),
    ],
)
def test_what_cannot_run_is_refused(more: dict[str, Any], kind: str) -> None:
    made = plan("问张三", result(**more), Role.OWNER)
    assert isinstance(made, RefusedTendency)
    assert made.kind == kind


@pytest.mark.parametrize("role", [Role.DELEGATE, Role.STRANGER])
def test_a_role_that_may_not_is_refused_and_offered_nothing(role: Role) -> None:
    assert isinstance(plan("问张三", result(), role), RefusedTendency)
    assert available_meta_actions(role) == ()


def test_a_doubt_is_asked_about_once() -> None:
    doubtful = result(need_confirm=True)
    assert isinstance(plan("问张三", doubtful, Role.OWNER), PendingConfirmation)
    assert isinstance(plan("问张三", doubtful, Role.OWNER, confirmed=True), ImmediateExecutableAction)


def test_with_a_time_it_is_for_the_scheduler() -> None:
    made = plan("问张三", result(type="planned", when="2026-03-17T09:00:00+08:00"), Role.OWNER)
    assert isinstance(made, SchedulableExecutableAction)


class Nothing(BaseModel):
    """No parameters."""


def registry(needs: dict[str, tuple[str, ...]]) -> dict[str, type[MetaAction]]:
    """Made-up actions with these dependencies."""
    return {
        key: type(
            key,
            (MetaAction,),
            {
                "info": MetaActionInfo(
                    key=key,
                    description=key,
                    parameters=Nothing,
                    outside_effect=False,
                    who_may=STARTERS,
                    needs_first=first,
                )
            },
        )
        for key, first in needs.items()
    }


KEYS = ("a", "b", "c", "d", "e")
graphs = st.fixed_dictionaries(
    {key: st.lists(st.sampled_from(KEYS), max_size=2, unique=True).map(tuple) for key in KEYS}
)
chains = st.dictionaries(
    st.integers(1, 4), st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True), min_size=1, max_size=4
)


@given(graphs, chains)
def test_any_chain_over_any_dependencies(needs: dict[str, tuple[str, ...]], chain: dict[int, list[str]]) -> None:
    asked = EvaluatorResult(ok=True, primary_action_chain={n: tuple(keys) for n, keys in chain.items()})
    made, again = (plan("x", asked, Role.OWNER, registry=registry(needs)) for _ in range(2))
    assert made == again
    if isinstance(made, RefusedTendency):
        assert _has_cycle(needs, [k for keys in chain.values() for k in keys])
        return
    assert isinstance(made, ImmediateExecutableAction)
    stage = {step.key: n for n, steps in made.stages.items() for step in steps}
    assert sum(len(steps) for steps in made.stages.values()) == len(stage)
    assert {k for keys in chain.values() for k in keys} <= set(stage)
    assert sorted(made.stages) == list(range(1, len(made.stages) + 1))
    for key, n in stage.items():
        assert all(stage[first] < n for first in needs[key])
    wished = {key: n for n, keys in sorted(chain.items(), reverse=True) for key in keys}
    free = [key for key in sorted(wished, key=lambda k: wished[k]) if not needs[key]]
    assert all(stage[a] <= stage[b] for a, b in pairwise(free))


def _has_cycle(needs: dict[str, tuple[str, ...]], start: list[str]) -> bool:
    def visit(key: str, trail: tuple[str, ...]) -> bool:
        return key in trail or any(visit(first, (*trail, key)) for first in needs[key])

    return any(visit(key, ()) for key in start)
