"""Where a result names people, holds words, and says when: which parameters of which ability these are.

One table for whatever changes a result from outside: a change that the sender wants, the person they pick. All
functions are pure and give a new result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from core.brain.answers import EvaluatorResult

PEOPLE = {"raise_concern": "people", "send_message": "people", "remind": "people", "update_concern": "add_people"}
"""Abilities that reach a list of people, and where it stands."""
PERSON = {"expect": "person", "watch": "person", "invite_person": "person", "look_up_person": "person"}
"""Abilities that are about one person."""
WORDS = {
    "raise_concern": ("title", "message", "goal"),
    "send_message": ("text", "title"),
    "remind": ("text",),
    "schedule": ("text",),
    "expect": ("what",),
    "watch": ("what",),
    "update_concern": ("words", "title", "goal"),
    "advance_concern": ("message",),
    "deep_task": ("goal",),
    "look_up_facts": ("words",),
}
"""What people read or what is done, in words."""
MOMENTS = {
    "raise_concern": ("deadline",),
    "expect": ("due",),
    "watch": ("until",),
    "update_concern": ("deadline", "when"),
    "look_up_facts": ("since", "until"),
}
"""Times of the matter itself, written like `EvaluatorResult.when`."""


def keys_of(result: EvaluatorResult) -> tuple[str, ...]:
    """The abilities of the chain, in order."""
    return tuple(key for stage in sorted(result.primary_action_chain) for key in result.primary_action_chain[stage])


def people_of(result: EvaluatorResult) -> tuple[str, ...]:
    """Ids of all whom it reaches or is about, each once."""
    found: list[str] = []
    for key, parameters in result.parameters.items():
        if key in PEOPLE:
            found += [str(p) for p in parameters.get(PEOPLE[key]) or ()]
        elif key in PERSON and parameters.get(PERSON[key]):
            found.append(str(parameters[PERSON[key]]))
    return tuple(dict.fromkeys(found))


def with_people(result: EvaluatorResult, people: Sequence[str]) -> EvaluatorResult:
    """The same for these people. What is about one person is about the first of them."""
    parameters = {key: dict(values) for key, values in result.parameters.items()}
    for key in keys_of(result):
        values = parameters.setdefault(key, {})
        if key in PEOPLE:
            values[PEOPLE[key]] = list(people)
        elif key in PERSON and people:
            values[PERSON[key]] = people[0]
    return result.model_copy(update={"parameters": parameters})


def names_people(result: EvaluatorResult) -> bool:
    """Whether any of its abilities reaches people or is about one."""
    return any(key in PEOPLE or key in PERSON for key in keys_of(result))


def words_of(result: EvaluatorResult, *, goals: bool = True) -> Iterator[str]:
    """All its words; without `goals` only those that somebody reads."""
    for key, parameters in result.parameters.items():
        for field in WORDS.get(key, ()):
            if parameters.get(field) and (goals or field != "goal"):
                yield str(parameters[field])


def moments_of(result: EvaluatorResult) -> Iterator[str]:
    """All times of the matter itself."""
    for key, parameters in result.parameters.items():
        for field in MOMENTS.get(key, ()):
            if parameters.get(field):
                yield str(parameters[field])


def with_moments(result: EvaluatorResult, change: Callable[[str], str]) -> EvaluatorResult:
    """The same with each time of the matter changed."""
    parameters = {key: dict(values) for key, values in result.parameters.items()}
    for key, values in parameters.items():
        for field in MOMENTS.get(key, ()):
            if values.get(field):
                values[field] = change(str(values[field]))
    return result.model_copy(update={"parameters": parameters})


def with_value(result: EvaluatorResult, keys: Sequence[str], field: str, value: Any) -> EvaluatorResult:
    """The same with `field` set for those of `keys` that stand in the chain."""
    parameters = {key: dict(values) for key, values in result.parameters.items()}
    for key in keys_of(result):
        if key in keys:
            parameters.setdefault(key, {})[field] = value
    return result.model_copy(update={"parameters": parameters})
