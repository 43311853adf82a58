"""ActionPlanner: an evaluated tendency becomes something that can run. Pure; never re-reads the intention."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import ValidationError

from core.action.meta_actions import REGISTRY, MetaAction
from core.action.model import (
    EvaluatorResult,
    ImmediateExecutableAction,
    PendingConfirmation,
    Plan,
    PlannedStep,
    RefusedTendency,
    SchedulableExecutableAction,
)
from core.errors import PlanRefused
from core.people import Role


def plan(
    tendency: str,
    result: EvaluatorResult,
    role: Role,
    *,
    confirmed: bool = False,
    registry: Mapping[str, type[MetaAction]] = REGISTRY,
) -> Plan:
    """The plan for one tendency. A confirmed one is not asked about again.

    An unknown key, a cycle, a key that the role may not use, or invalid parameters make a `RefusedTendency`.
    """
    if not result.ok:
        return RefusedTendency(tendency=tendency, kind=result.refusal or "unclear", reason=result.reason)
    try:
        stages = _stages(result, role, registry)
    except PlanRefused as refused:
        if result.need_confirm and not confirmed:  # somebody must be picked before the parameters can be whole
            return PendingConfirmation(tendency=tendency, result=result)
        return RefusedTendency(tendency=tendency, kind="invalid", reason=str(refused))
    if result.need_confirm and not confirmed:
        return PendingConfirmation(tendency=tendency, result=result)
    if result.type == "planned":
        if not result.when:
            return RefusedTendency(tendency=tendency, kind="invalid", reason="没有说明什么时候做。")
        return SchedulableExecutableAction(tendency=tendency, stages=stages, when=result.when)
    return ImmediateExecutableAction(tendency=tendency, stages=stages)


def _stages(
    result: EvaluatorResult, role: Role, registry: Mapping[str, type[MetaAction]]
) -> dict[int, tuple[PlannedStep, ...]]:
    wished = [key for stage in sorted(result.primary_action_chain) for key in result.primary_action_chain[stage]]
    if not wished:
        raise PlanRefused("没有可以执行的步骤。")
    # A key that stands in several stages runs once, in the first of them.
    stages = sorted(result.primary_action_chain, reverse=True)
    stage_of = {key: stage for stage in stages for key in result.primary_action_chain[stage]}
    for key in wished:
        if key not in registry or role not in registry[key].info.who_may:
            raise PlanRefused(f"没有「{key}」这个能力。")
    placed = _place(dict.fromkeys(wished), stage_of, registry)
    steps = {key: PlannedStep(key=key, parameters=_parameters(key, result, registry)) for key in placed}
    numbers = sorted(set(placed.values()))
    return {
        n: tuple(steps[k] for k in sorted((k for k in placed if placed[k] == number), key=_order(registry)))
        for n, number in enumerate(numbers, start=1)
    }


def _place(
    wished: Mapping[str, None], stage_of: Mapping[str, int], registry: Mapping[str, type[MetaAction]]
) -> dict[str, int]:
    """The stage of each key: as wished, but after everything that it needs first."""
    placed: dict[str, int] = {}

    def put(key: str, trail: tuple[str, ...]) -> int:
        if key in trail:
            raise PlanRefused("这些步骤互相等待，排不出先后。")
        if key not in registry:
            raise PlanRefused(f"没有「{key}」这个能力。")
        if key not in placed:
            before = [put(need, (*trail, key)) for need in registry[key].info.needs_first]
            placed[key] = max([stage_of.get(key, 1), *(stage + 1 for stage in before)])
        return placed[key]

    for key in wished:
        put(key, ())
    return placed


def _order(registry: Mapping[str, type[MetaAction]]) -> Callable[[str], tuple[int, str]]:
    return lambda key: (registry[key].info.order, key)


def _parameters(key: str, result: EvaluatorResult, registry: Mapping[str, type[MetaAction]]) -> dict[str, object]:
    try:
        model = registry[key].info.parameters.model_validate(result.parameters.get(key, {}))
    except ValidationError as error:
        missing = "、".join(".".join(str(p) for p in e["loc"]) for e in error.errors())
        raise PlanRefused(f"「{key}」缺少或写错了：{missing}。") from error
    return model.model_dump(mode="json", exclude_none=True)
