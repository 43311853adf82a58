"""The answers of all fillers: one action, now or planned, or a refusal with its reason."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from core.brain.questions import Evaluate, EvaluatorResult, PersonBrief
from core.brain.rules.times.timing import Timing

Refusal = Literal["no_action", "no_ability", "unclear", "covered", "past"]
Missing = Literal["who", "what", "when", "which"]


def refused(kind: Refusal, reason: str, missing: Missing | None = None) -> EvaluatorResult:
    """A refusal; `missing` is what would make it clear."""
    return EvaluatorResult(ok=False, refusal=kind, reason=reason, missing=missing)


def one(key: str, parameters: dict[str, Any], **more: Any) -> EvaluatorResult:
    """One ability with its parameters; what is None is left out."""
    filled = {name: value for name, value in parameters.items() if value is not None}
    return EvaluatorResult(ok=True, primary_action_chain={1: (key,)}, parameters={key: filled}, **more)


def planned(result: EvaluatorResult, timing: Timing) -> EvaluatorResult:
    """The same at its time; a refusal where that has gone by or none was said that can be kept."""
    if not result.ok:
        return result
    if timing.past:
        return refused("past", "the time that was named has gone by", "when")
    if timing.when is None:
        return refused("unclear", "no usable time is named", "when")
    return result.model_copy(update={"type": "planned", "when": timing.when, "working_days": timing.working_days})


def local_now(q: Evaluate) -> datetime:
    """The present in the sender's own time zone."""
    return q.now.astimezone(ZoneInfo(q.timezone))


def known_people(q: Evaluate) -> tuple[PersonBrief, ...]:
    """The directory and whoever has part in an open matter."""
    return tuple({p.person_id: p for p in (*q.contacts, *(x for c in q.concerns for x in c.people))}.values())
