"""The planner: whatever is asked for, the stages hold every dependency, or the plan is refused with a sentence."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from core.action.meta_actions import REGISTRY, MetaAction, MetaActionInfo, available_meta_actions
from core.action.model import (
    EvaluatorResult,
    ImmediateExecutableAction,
    PendingConfirmation,
    RefusedTendency,
    SchedulableExecutableAction,
)
from core.action.planner import plan as planned
from core.limits import Limits, ScheduleLimits, TaskLimits
from core.people import STARTERS, Role

MONDAY = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
RAISE: dict[str, Any] = {"title": "提测时间", "goal": "拿到具体时间", "people": ["p_zhangsan", "p_zhangsan"]}

plan = partial(planned, now=MONDAY, timezone="Asia/Shanghai")
WEEKLY = "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9"


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
    ("more", "kind", "problem"),
    [
        ({"ok": False, "refusal": "covered"}, "covered", None),
        ({"ok": False}, "unclear", None),
        ({"primary_action_chain": {}}, "invalid", "empty"),
        ({"primary_action_chain": {1: ["launch_rocket"]}}, "invalid", "unknown"),
        ({"parameters": {"raise_concern": {"title": "x"}}}, "invalid", "parameters"),
        ({"parameters": {}}, "invalid", "parameters"),
        ({"type": "planned"}, "unclear", None),
        ({"type": "planned", "when": "soon"}, "invalid", "when"),
        ({"type": "planned", "when": "FREQ=MINUTELY"}, "invalid", "too_often"),
        ({"type": "planned", "when": "2026-03-16T09:00:00+08:00"}, "past", None),
        (
            {"primary_action_chain": {1: ["remind"]}, "parameters": {"remind": {"text": "开会"}}},
            "unclear",
            None,
        ),
        (
            {
                "type": "planned",
                "when": WEEKLY,
                "primary_action_chain": {1: ["cancel_concern"]},
                "parameters": {"cancel_concern": {"concern_ids": ["con_20260316_001"]}},
            },
            "invalid",
            "not_later",
        ),
    ],
)
def test_what_cannot_run_is_refused(more: dict[str, Any], kind: str, problem: str | None) -> None:
    made = plan("问张三", result(**more), Role.OWNER)
    assert isinstance(made, RefusedTendency)
    assert (made.kind, made.problem) == (kind, problem)
    if kind in ("invalid", "past"):
        assert made.reason


@pytest.mark.parametrize("type_", ["immediate", "planned"])
def test_a_time_that_is_missing_is_asked_for(type_: str) -> None:
    more = {"type": type_, "primary_action_chain": {1: ["remind"]}, "parameters": {"remind": {"text": "开会"}}}
    made = plan("提醒我开会", result(**more), Role.OWNER)
    assert isinstance(made, RefusedTendency)
    assert made.missing == "when"


@pytest.mark.parametrize("role", [Role.DELEGATE, Role.STRANGER])
def test_a_role_that_may_not_is_refused_and_offered_nothing(role: Role) -> None:
    assert isinstance(plan("问张三", result(), role), RefusedTendency)
    offered = {a.key for a in available_meta_actions(role)}
    assert offered == ({"advance_concern"} if role is Role.DELEGATE else set())


def test_a_member_is_offered_less_than_the_owner_and_nobody_a_model_that_is_not_there() -> None:
    owner, member = ({a.key for a in available_meta_actions(role)} for role in (Role.OWNER, Role.MEMBER))
    assert owner == set(REGISTRY)
    assert owner - member == {"look_up_person", "invite_person"}
    assert owner - {a.key for a in available_meta_actions(Role.OWNER, with_model=False)} == {"deep_task"}


def test_a_step_may_want_a_yes_of_its_own() -> None:
    def task(steps: int) -> EvaluatorResult:
        more = {"primary_action_chain": {1: ["deep_task"]}, "parameters": {"deep_task": {"goal": "x", "steps": steps}}}
        return result(**more)

    free = Limits().task.steps
    assert isinstance(plan("x", task(free), Role.OWNER), ImmediateExecutableAction)
    assert isinstance(plan("x", task(free + 1), Role.OWNER), PendingConfirmation)
    assert isinstance(plan("x", task(free + 1), Role.OWNER, confirmed=True), ImmediateExecutableAction)
    fewer = Limits(task=TaskLimits(steps=2))
    assert isinstance(plan("x", task(2), Role.OWNER, limits=fewer), ImmediateExecutableAction)
    assert isinstance(plan("x", task(3), Role.OWNER, limits=fewer), PendingConfirmation)


def test_what_must_not_come_first_comes_after_what_it_goes_with() -> None:
    """In one stage as wished: first the old matter is called off, then the new one is raised, then both are looked at."""
    more = {
        "primary_action_chain": {1: ["check_concerns", "raise_concern", "cancel_concern"]},
        "parameters": {"raise_concern": RAISE, "cancel_concern": {"concern_ids": ["con_20260316_001"]}},
    }
    made = plan("换李四问", result(**more), Role.OWNER)
    assert isinstance(made, ImmediateExecutableAction)
    order = [step.key for n in sorted(made.stages) for step in made.stages[n]]
    assert order == ["cancel_concern", "raise_concern", "check_concerns"]


def test_a_doubt_is_asked_about_once() -> None:
    doubtful = result(need_confirm=True)
    assert isinstance(plan("问张三", doubtful, Role.OWNER), PendingConfirmation)
    assert isinstance(plan("问张三", doubtful, Role.OWNER, confirmed=True), ImmediateExecutableAction)


@pytest.mark.parametrize(
    ("when", "kind"), [("2026-03-17T09:00:00+08:00", "once"), (WEEKLY, "recurring"), ("EVENT=张三回了", "event")]
)
def test_with_a_time_a_period_or_a_condition_it_is_for_the_scheduler(when: str, kind: str) -> None:
    made = plan("问张三", result(type="planned", when=when), Role.OWNER)
    assert isinstance(made, SchedulableExecutableAction)
    assert made.trigger.kind == kind


class Nothing(BaseModel):
    """No parameters."""


Needs = dict[str, tuple[str, ...]]


def registry(needs: Needs, after: Needs | None = None) -> dict[str, type[MetaAction]]:
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
                    after=(after or {}).get(key, ()),
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


@given(graphs, graphs, chains)
def test_any_chain_over_any_dependencies(needs: Needs, after: Needs, chain: dict[int, list[str]]) -> None:
    asked = EvaluatorResult(ok=True, primary_action_chain={n: tuple(keys) for n, keys in chain.items()})
    turned = EvaluatorResult(
        ok=True, primary_action_chain={n: tuple(chain[n][::-1]) for n in sorted(chain, reverse=True)}
    )
    made, again = (plan("x", given, Role.OWNER, registry=registry(needs, after)) for given in (asked, turned))
    assert made == again or isinstance(made, RefusedTendency)
    wanted = _closure(needs, [k for keys in chain.values() for k in keys])
    before = {key: {*needs[key], *(wanted & set(after[key]))} for key in wanted}
    if isinstance(made, RefusedTendency):
        assert made.problem == "cycle"
        assert _has_cycle(before)
        return
    assert isinstance(made, ImmediateExecutableAction)
    stage = {step.key: n for n, steps in made.stages.items() for step in steps}
    assert sum(len(steps) for steps in made.stages.values()) == len(stage)
    assert set(stage) == wanted
    assert sorted(made.stages) == list(range(1, len(made.stages) + 1))
    for key, n in stage.items():
        assert all(stage[first] < n for first in before[key])
    wished = {key: n for n, keys in sorted(chain.items(), reverse=True) for key in keys}
    free = [key for key in sorted(wished, key=lambda k: wished[k]) if not before[key]]
    # What need not wait for anything stands as it was wished: side by side, or one after the other.
    assert all((stage[a] < stage[b]) == (wished[a] < wished[b]) for a, b in pairwise(free))
    if wanted == set(wished) and all(wished[first] < wished[key] for key in wanted for first in before[key]):
        numbers = sorted(set(wished.values()))
        assert stage == {key: numbers.index(n) + 1 for key, n in wished.items()}


def test_within_a_stage_the_order_of_the_abilities_holds() -> None:
    side_by_side = result(
        primary_action_chain={1: ["expect", "look_up_facts"]},
        parameters={"expect": {"what": "发日报", "due": "2026-03-16T18:00"}, "look_up_facts": {"words": "日报"}},
    )
    made = plan("查日报，再盯着", side_by_side, Role.OWNER)
    assert isinstance(made, ImmediateExecutableAction)
    assert [step.key for step in made.stages[1]] == ["look_up_facts", "expect"]


def _closure(needs: Needs, keys: list[str]) -> set[str]:
    found: set[str] = set()
    while keys:
        key = keys.pop()
        if key not in found:
            found.add(key)
            keys.extend(needs[key])
    return found


def _has_cycle(before: dict[str, set[str]]) -> bool:
    def visit(key: str, trail: tuple[str, ...]) -> bool:
        return key in trail or any(visit(first, (*trail, key)) for first in before[key])

    return any(visit(key, ()) for key in before)


def test_how_often_something_may_recur_is_the_callers_to_say() -> None:
    often, hourly = (
        result(type="planned", when="EVERY 30m"),
        Limits(schedule=ScheduleLimits(min_interval=timedelta(hours=1))),
    )
    assert isinstance(plan("问张三", often, Role.OWNER), SchedulableExecutableAction)
    refused = plan("问张三", often, Role.OWNER, limits=hourly)
    assert isinstance(refused, RefusedTendency)
    assert refused.problem == "too_often"


@pytest.mark.parametrize("deadline", ["2026-03-16T08:00:00+08:00", "2026-03-16T09:59:00", "2026-03-16T10:00:00+08:00"])
def test_a_deadline_that_has_gone_by_is_asked_about(deadline: str) -> None:
    made = plan("问张三", result(parameters={"raise_concern": {**RAISE, "deadline": deadline}}), Role.OWNER)
    assert isinstance(made, RefusedTendency)
    assert (made.kind, made.missing) == ("past", "when")


def test_a_deadline_to_come_stands() -> None:
    made = plan(
        "问张三", result(parameters={"raise_concern": {**RAISE, "deadline": "2026-03-16T11:00:00"}}), Role.OWNER
    )
    assert isinstance(made, ImmediateExecutableAction)
