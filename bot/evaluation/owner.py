"""An owner's message on its way through judge, extractor, evaluator and planner: what would be done about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot.evaluation.cases import OwnerCase
from bot.evaluation.desk import OWNER, Desk
from core.action.model import PendingConfirmation, RefusedTendency
from core.action.planner import plan
from core.brain.port import Brain
from core.brain.questions import EvaluatorResult
from core.brain.rules.words.urgency import priority_of
from core.people import Role

_INTENTS = {
    "raise_concern": "delegate",
    "send_message": "delegate",
    "advance_concern": "delegate",
    "remind": "remind",
    "schedule": "schedule",
    "expect": "expect",
    "watch": "expect",
    "cancel_concern": "cancel",
    "update_concern": "amend",
    "check_concerns": "status",
    "look_up_person": "lookup",
    "look_up_facts": "lookup",
    "invite_person": "invite",
    "deep_task": "task",
}
"""What the labels call an ability."""

_REFUSED = {"no_action": "chat", "no_ability": "chat", "covered": "status"}
"""A refusal that the conversation answers is talk; one of what is under way already says where that stands."""


@dataclass(frozen=True)
class Reading:
    """What would be done. `at_once` are those who would be contacted without a question to the owner before.

    Of a change, `people` are those whom the message names or adds; `already` were to be contacted all along, and
    `told` are those who hear of it because they are asked in the matter.
    """

    intent: str
    people: frozenset[str] = frozenset()
    at_once: frozenset[str] = frozenset()
    already: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    when: str | None = None
    working_days: bool = False
    asks_first: bool = False
    priority: str = "medium"

    def joined(self, other: Reading) -> Reading:
        """Two goals of one message: the first that is more than talk names the deed, each adds whom it reaches."""
        return replace(
            other if self.intent == "chat" else self,
            people=self.people | other.people,
            at_once=self.at_once | other.at_once,
            told=self.told | other.told,
            unknown=self.unknown | other.unknown,
            asks_first=self.asks_first or other.asks_first,
        )


async def read_owner(case: OwnerCase, brain: Brain) -> Reading:
    """What would be done about a message. Raises a `BrainError` where the brain gave no usable answer."""
    desk = Desk(case, brain)
    judged = await desk.judged()
    match judged.decision:
        case "confirm" | "deny" | "amend" if case.pending:
            reading = await _settled(desk, judged.decision, case.pending)
        case "supplement" if not desk.is_for_others(judged.targets):
            reading = await _changed(desk, judged.targets)
        case "raise" | "watch" | "supplement":
            reading = await _entered(desk)
        case "decide":
            reading = Reading("decide", people=desk.named(_asked(desk, judged.targets)))
        case "cancel":
            unclear = judged.unclear or (not judged.targets and len(desk.concerns) > 1)
            reading = Reading("cancel", asks_first=unclear)
        case _:
            reading = Reading("chat")
    if reading.intent == "chat" and judged.decision != "ignore" and await desk.speaks_of_a_matter():
        return Reading("status")
    return reading


async def _entered(desk: Desk) -> Reading:
    """Through the action system; without a goal that can be pursued it is talk."""
    reading = Reading("chat")
    tendencies = await desk.tendencies()
    for tendency in tendencies:
        result = await desk.evaluated(tendency, desk.case.text)
        words = desk.case.text if len(tendencies) == 1 else tendency
        reading = reading.joined(_planned(desk, tendency, result, words))
    return reading


async def _settled(desk: Desk, decision: str, summary: str) -> Reading:
    """A yes, a no or a change of what waits."""
    if decision != "amend":
        return Reading(decision)
    tendency = _in_their_words(summary)
    waiting = await desk.evaluated(tendency, tendency)
    changed = await desk.evaluated(tendency, desk.case.text, pending=waiting)
    before, after = _planned(desk, tendency, waiting, tendency), _planned(desk, tendency, changed, desk.case.text)
    return replace(
        _amended(desk, after, before.people),
        when=after.when if after.when != before.when else None,
        priority=after.priority if after.priority != before.priority else Reading.priority,
    )


_ASKS_BACK = re.compile(r"(?<=[。.!！?？])[^。.!！?？]{1,24}[?？]\s*$")


def _in_their_words(summary: str) -> str:
    """What waits as the owner asked for it. The cases have it as the bot shows it: it says you, and asks at the end."""
    asked = _ASKS_BACK.sub("", summary).replace("您", "我")
    return re.sub(r"\byour\b", "my", re.sub(r"\byou\b", "me", asked))


async def _changed(desk: Desk, targets: tuple[str, ...]) -> Reading:
    """A change of open matters; where the evaluator sees none, the words themselves are passed on to them."""
    meant = tuple(c for c in desk.concerns if c.concern_id in targets) or desk.concerns
    result = await desk.evaluated(desk.case.text, desk.case.text, concerns=meant)
    after = _planned(desk, desk.case.text, result, desk.case.text)
    asked = frozenset(p.person_id for c in meant for p in c.people)
    return _amended(desk, after, asked) if result.ok else Reading("amend", told=asked)


def _amended(desk: Desk, after: Reading, before: frozenset[str]) -> Reading:
    """What the message itself is about: of those whom the action reaches now, whom it names or adds."""
    touched = desk.named(after.people) | (after.people - before)
    return replace(after, intent="amend", people=touched, at_once=after.at_once & touched, already=before)


def _planned(desk: Desk, tendency: str, result: EvaluatorResult, words: str) -> Reading:
    """What the planner makes of a result, in the words of the labels."""
    made = plan(tendency, result, Role.OWNER, now=desk.case.now, timezone=OWNER.timezone)
    keys = [key for stage in sorted(result.primary_action_chain) for key in result.primary_action_chain[stage]]
    if isinstance(made, RefusedTendency):
        # A question back leaves open what will be done; where the evaluator knows it, its chain says so.
        asked_back = made.kind in ("unclear", "past")
        intent = _REFUSED.get(made.kind) or (_intent(keys, result) if keys else made.kind)
        return Reading(intent, asks_first=asked_back)
    people = frozenset(p for key in keys for p in _reached(desk, key, result.parameters.get(key, {})))
    asks = isinstance(made, PendingConfirmation)
    return Reading(
        intent=_intent(keys, result),
        people=people,
        at_once=frozenset() if asks else people,
        told=frozenset() if asks else _told(desk, result),
        unknown=frozenset(result.unknown_people),
        when=_when(result),
        working_days=_works(result),
        asks_first=asks,
        priority=_priority(result, words, desk.case.now),
    )


def _intent(keys: list[str], result: EvaluatorResult) -> str:
    intents = [_INTENTS.get(key, key) for key in keys]
    first = next(iter(intents), "chat")
    return "schedule" if first == "delegate" and result.type == "planned" else first


def _reached(desk: Desk, key: str, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Whom an ability contacts."""
    match key:
        case "raise_concern" | "send_message" | "remind":
            return tuple(parameters.get("people") or ())
        case "update_concern":
            return tuple(parameters.get("add_people") or ())
        case "advance_concern":
            return tuple(_asked(desk, parameters.get("concern_ids") or ()))
        case "expect" if parameters.get("person") and parameters.get("on_missed", "ask") != "tell":
            return (parameters["person"],)
        case _:
            return ()


def _told(desk: Desk, result: EvaluatorResult) -> frozenset[str]:
    """Those asked in the matters that an action changes."""
    changes = result.parameters.get("update_concern") or {}
    return _asked(desk, changes.get("concern_ids") or ())


def _asked(desk: Desk, concern_ids: tuple[str, ...]) -> frozenset[str]:
    return frozenset(p.person_id for c in desk.concerns if c.concern_id in concern_ids for p in c.people)


def _when(result: EvaluatorResult) -> str | None:
    """The time of the action; where it happens at once, what it is wanted by."""
    parameters = result.parameters.values()
    return next(
        (
            str(value)
            for value in (result.when, *(p.get(name) for p in parameters for name in ("due", "when", "deadline")))
            if value
        ),
        None,
    )


def _works(result: EvaluatorResult) -> bool:
    return result.working_days or any(p.get("working_days") for p in result.parameters.values())


def _priority(result: EvaluatorResult, words: str, now: datetime) -> str:
    """As it would be kept: a matter that states none takes it from the words."""
    for key in ("raise_concern", "update_concern", "send_message"):
        if key in result.parameters:
            stated = result.parameters[key].get("priority")
            deadline = result.parameters[key].get("deadline")
            due = datetime.fromisoformat(deadline) if isinstance(deadline, str) else deadline
            if stated or key != "raise_concern":
                return str(stated or "medium")
            return priority_of(words, due, now)
    return "medium"
