"""Labelled messages of owners put to the rule brain, as the hub does it: judged, taken apart, evaluated."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from core.brain.questions import (
    ConcernBrief,
    Evaluate,
    EvaluatorResult,
    Extract,
    Judge,
    Judgement,
    PendingAction,
    PersonBrief,
    WaitingPoint,
)
from tests.unit.rules_desk import ACTIONS, ask

CASES = Path(__file__).parents[1] / "data" / "judgement"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


@dataclass(frozen=True)
class Read:
    """What became of a message: the judgement, the goals found in it, and what each amounts to."""

    judged: Judgement
    concerns: tuple[ConcernBrief, ...] = ()
    tendencies: tuple[str, ...] = ()
    results: tuple[EvaluatorResult, ...] = ()

    @property
    def decision(self) -> str:
        """A raise that holds no goal is talk."""
        return "converse" if self.judged.decision == "raise" and not self.tendencies else self.judged.decision

    @property
    def action(self) -> str:
        """The ability of the first goal, or why there is none."""
        if not self.results:
            return self.decision
        first = self.results[0]
        return next(iter(first.parameters), "") if first.ok else str(first.refusal)

    @property
    def contacted(self) -> set[str]:
        """Whom it reaches without asking first."""
        return {p for r in self.results if not r.need_confirm for p in _reached(r, self.concerns)}

    @property
    def whens(self) -> tuple[str, ...]:
        """Every time that is kept, written as a moment, a rule or a condition."""
        return tuple(_whens(self.results))


def read(case: dict[str, Any]) -> Read:
    """The message as the hub would take it. What supplements or cancels is evaluated too, to see its parameters."""
    now = datetime.fromisoformat(case["now"])
    people = tuple(
        PersonBrief(person_id=c["id"], name=c["name"], aliases=tuple(c["aliases"])) for c in case["contacts"]
    )
    concerns = tuple(_concern(c, {p.person_id: p for p in people}) for c in case["open_concerns"])
    waiting = tuple(
        WaitingPoint(concern_id=c.concern_id, title=c.title, question=c.title)
        for c in concerns
        if any(mark in c.title for mark in ("等老板定", "等老闆決定", "waits for the owner"))
    )
    pending = (PendingAction(block_id="b", summary=case["pending"]),) if case["pending"] else ()
    judged = ask(Judge(text=case["text"], role="owner", now=now, concerns=concerns, waiting=waiting, pending=pending))
    if judged.decision not in ("raise", "supplement", "cancel"):
        return Read(judged, concerns)
    found = ask(Extract(text=case["text"], now=now, contacts=people, concerns=concerns)).tendencies
    results = tuple(
        ask(
            Evaluate(
                tendency=tendency,
                text=case["text"],
                now=now,
                contacts=people,
                concerns=concerns,
                available_meta_actions=ACTIONS,
            )
        )
        for tendency in found
    )
    return Read(judged, concerns, found, results)


def _concern(c: dict[str, Any], by_id: dict[str, PersonBrief]) -> ConcernBrief:
    return ConcernBrief(
        concern_id=c["id"],
        kind=c.get("kind", "delegation"),
        title=c["title"],
        goal=c["title"],
        people=tuple(by_id[p] for p in c["people"] if p in by_id),
    )


def _reached(result: EvaluatorResult, concerns: tuple[ConcernBrief, ...]) -> Iterator[str]:
    for key, values in result.parameters.items():
        if key in ("raise_concern", "send_message", "remind"):
            yield from values.get("people", ())
        elif key == "advance_concern":
            yield from (p.person_id for c in concerns if c.concern_id in values["concern_ids"] for p in c.people)
        elif key == "update_concern":
            yield from values.get("add_people") or ()
        elif key == "expect" and values["on_missed"] != "tell" and values.get("person"):
            yield values["person"]


def _whens(results: tuple[EvaluatorResult, ...]) -> Iterator[str]:
    for result in results:
        if result.when:
            yield result.when
        for values in result.parameters.values():
            yield from (values[k] for k in ("deadline", "due", "when") if values.get(k))


def same_time(label: dict[str, str] | None, whens: tuple[str, ...], intent: str) -> bool:
    """Whether the times that are kept are the labelled one. Of a rule's condition only that there is one."""
    if label is None or label["kind"] == "vague":
        return not whens
    if not whens:
        return False
    value, got = label["value"], whens[0]
    if value.startswith("EVENT="):
        return got.startswith("EVENT=")
    if label["kind"] == "recurrence":
        return set(value.split(";")) == set(got.split(";"))
    if "=" in got:
        return False
    wanted, at = datetime.fromisoformat(value), datetime.fromisoformat(got)
    # A reminder of something that is due comes before it, on that day.
    return at == wanted or (
        intent == "remind" and label["kind"] == "deadline" and at < wanted and at.date() == wanted.date()
    )
