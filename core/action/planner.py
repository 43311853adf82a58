"""ActionPlanner: an evaluated tendency becomes something that can run. Pure; never re-reads the intention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from core.action.meta_actions import REGISTRY, MetaAction
from core.action.model import (
    EvaluatorResult,
    ImmediateExecutableAction,
    PendingConfirmation,
    Plan,
    RefusedTendency,
    SchedulableExecutableAction,
)
from core.concern.schedule import PlannedStep
from core.errors import PlanRefused
from core.limits import Limits
from core.people import Role
from core.schedule import ScheduleTrigger, WhenError, is_past, read_when

Registry = Mapping[str, type[MetaAction]]
Stages = dict[int, tuple[PlannedStep, ...]]

_DEFAULTS = Limits()


def plan(
    tendency: str,
    result: EvaluatorResult,
    role: Role,
    *,
    now: datetime,
    timezone: str,
    confirmed: bool = False,
    limits: Limits = _DEFAULTS,
    registry: Registry = REGISTRY,
) -> Plan:
    """The plan for one tendency. A confirmed one is not asked about again. `timezone` is the sender's; `limits` say how
    often something may recur and what needs a yes.

    An unknown key, a cycle, a key that the role may not use, invalid parameters or a time that cannot be kept make a
    `RefusedTendency`.
    """
    if not result.ok:
        kind = result.refusal or "unclear"
        return RefusedTendency(tendency=tendency, kind=kind, reason=result.reason, missing=result.missing)
    try:
        stages = _stages(result, role, registry)
        trigger = _trigger(result, stages, registry, now, timezone, limits.schedule.min_interval)
    except PlanRefused as refused:
        if result.need_confirm and not confirmed and refused.problem == "parameters":
            # Somebody must be picked before the parameters can be whole.
            return PendingConfirmation(tendency=tendency, result=result)
        return _refused(tendency, refused)
    if trigger is None and (gone := _deadline_gone(stages, now, timezone)) is not None:
        return RefusedTendency(tendency=tendency, kind="past", reason=f"{gone} has gone by", missing="when")
    if trigger is not None and is_past(trigger, now):
        return RefusedTendency(tendency=tendency, kind="past", reason=f"{trigger.when} has gone by", missing="when")
    if not confirmed and (result.need_confirm or _asks_first(stages, registry, limits)):
        return PendingConfirmation(tendency=tendency, result=result)
    if trigger is not None:
        return SchedulableExecutableAction(tendency=tendency, stages=stages, trigger=trigger, reason=result.reason)
    return ImmediateExecutableAction(tendency=tendency, stages=stages, reason=result.reason)


def _refused(tendency: str, refused: PlanRefused) -> RefusedTendency:
    if refused.problem == "no_time":
        return RefusedTendency(tendency=tendency, kind="unclear", reason="a time is missing", missing="when")
    return RefusedTendency.model_validate(
        {
            "tendency": tendency,
            "kind": "invalid",
            "reason": str(refused),
            "problem": refused.problem,
            "detail": refused.detail,
        }
    )


def _stages(result: EvaluatorResult, role: Role, registry: Registry) -> Stages:
    chain = result.primary_action_chain
    # A key that stands in several stages runs once, in the first of them.
    wished = {key: stage for stage in sorted(chain, reverse=True) for key in chain[stage]}
    if not wished:
        raise PlanRefused("empty")
    for key in wished:
        if key not in registry or role not in registry[key].info.who_may:
            raise PlanRefused("unknown", key)
    placed = _place(wished, registry)
    steps = {key: PlannedStep(key=key, parameters=_parameters(key, result, registry)) for key in placed}
    numbers = sorted(set(placed.values()))
    return {
        n: tuple(steps[k] for k in sorted((k for k in placed if placed[k] == number), key=_order(registry)))
        for n, number in enumerate(numbers, start=1)
    }


def _place(wished: Mapping[str, int], registry: Registry) -> dict[str, int]:
    """The stage of each key, strict dependencies included: as wished, but after everything that goes before it."""
    wanted = _with_dependencies(wished, registry)
    placed: dict[str, int] = {}

    def put(key: str, trail: tuple[str, ...]) -> int:
        if key in trail:
            raise PlanRefused("cycle", " → ".join((*trail[trail.index(key) :], key)))
        if key not in placed:
            info = registry[key].info
            before = [put(k, (*trail, key)) for k in (*info.needs_first, *info.after) if k in wanted]
            placed[key] = max([wished.get(key, min(wished.values())), *(stage + 1 for stage in before)])
        return placed[key]

    for key in sorted(wanted):
        put(key, ())
    return placed


def _with_dependencies(wished: Iterable[str], registry: Registry) -> set[str]:
    """What is wished, and all that it strictly needs."""
    wanted: set[str] = set()
    left = list(wished)
    while left:
        key = left.pop()
        if key not in registry:
            raise PlanRefused("unknown", key)
        if key not in wanted:
            wanted.add(key)
            left.extend(registry[key].info.needs_first)
    return wanted


def _order(registry: Registry) -> Callable[[str], tuple[int, str]]:
    return lambda key: (registry[key].info.order, key)


def _parameters(key: str, result: EvaluatorResult, registry: Registry) -> dict[str, Any]:
    try:
        model = registry[key].info.parameters.model_validate(result.parameters.get(key, {}))
    except ValidationError as error:
        culprits = "、".join(dict.fromkeys(".".join(str(p) for p in e["loc"]) for e in error.errors()))
        too_long = all(e["type"] == "string_too_long" for e in error.errors())
        raise PlanRefused("too_long" if too_long else "parameters", f"{key} ({culprits})") from error
    return model.model_dump(mode="json", exclude_none=True)


def _trigger(
    result: EvaluatorResult,
    stages: Stages,
    registry: Registry,
    now: datetime,
    timezone: str,
    min_interval: timedelta,
) -> ScheduleTrigger | None:
    """When it is to run; None is now. Raises `PlanRefused` where a step's `later` says otherwise."""
    keys = [step.key for steps in stages.values() for step in steps]
    if result.type == "immediate":
        if any(registry[k].info.later == "must" for k in keys):
            raise PlanRefused("no_time")
        return None
    if not result.when:
        raise PlanRefused("no_time")
    never = [k for k in keys if registry[k].info.later == "never"]
    if never:
        raise PlanRefused("not_later", never[0])
    try:
        return read_when(result.when, timezone, now, working_days=result.working_days, min_interval=min_interval)
    except WhenError as error:
        raise PlanRefused("too_often" if error.problem == "too_often" else "when", result.when) from error


def _deadline_gone(stages: Stages, now: datetime, timezone: str) -> str | None:
    """A deadline that nobody can keep any more; None where there is none."""
    for step in (s for steps in stages.values() for s in steps):
        given = step.parameters.get("deadline")
        if given is not None:
            at = datetime.fromisoformat(given)
            if (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(timezone))) <= now:
                return str(given)
    return None


def _asks_first(stages: Stages, registry: Registry, limits: Limits) -> bool:
    """Whether a step's own confirm rule wants a yes."""
    steps = (step for some in stages.values() for step in some)
    return any(registry[step.key].needs_confirmation(step.parameters, limits) for step in steps)
