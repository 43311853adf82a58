"""Agreement with labelled messages and replies (tests/data/judgement, a third of the labelled cases).

Floors, not exact figures: a rule that helps one sentence at the cost of others shows here. Contacting somebody wrongly
and closing a matter wrongly have no floor but a ceiling.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from core.brain.questions import (
    Assess,
    ConcernBrief,
    DelegateStanding,
    Evaluate,
    Extract,
    Judge,
    Line,
    PendingAction,
    PersonBrief,
    WaitingPoint,
)
from tests.unit.rules_desk import ACTIONS, ask

CASES = Path(__file__).parents[1] / "data" / "judgement"
EXPECTED = {
    "delegate": "raise", "remind": "raise", "schedule": "raise", "expect": "raise", "status": "raise", "chat": "converse",
    "cancel": "cancel", "confirm": "confirm", "deny": "deny", "decide": "decide",
}  # fmt: skip


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def decided(case: dict[str, Any]) -> tuple[str, list[str]]:
    """The decision, with a raise that holds no goal taken as talk; and whom it would contact without asking first."""
    now = datetime.fromisoformat(case["now"])
    people = tuple(
        PersonBrief(person_id=c["id"], name=c["name"], aliases=tuple(c["aliases"])) for c in case["contacts"]
    )
    by_id = {p.person_id: p for p in people}
    concerns = tuple(
        ConcernBrief(
            concern_id=c["id"],
            title=c["title"],
            goal=c["title"],
            people=tuple(by_id[p] for p in c["people"] if p in by_id),
        )
        for c in case["open_concerns"]
    )
    waiting = tuple(
        WaitingPoint(concern_id=c.concern_id, title=c.title, question=c.title)
        for c in concerns
        if any(mark in c.title for mark in ("等老板定", "等老闆決定", "waits for the owner"))
    )
    pending = (PendingAction(block_id="b", summary=case["pending"]),) if case["pending"] else ()
    judged = ask(Judge(text=case["text"], role="owner", now=now, concerns=concerns, waiting=waiting, pending=pending))
    if judged.decision != "raise":
        return judged.decision, []
    found = ask(Extract(text=case["text"], now=now, contacts=people, concerns=concerns)).tendencies
    contacted = []
    for tendency in found:
        result = ask(
            Evaluate(
                tendency=tendency,
                text=case["text"],
                now=now,
                contacts=people,
                concerns=concerns,
                available_meta_actions=ACTIONS,
            )
        )
        if not result.need_confirm:
            contacted += result.parameters.get("raise_concern", {}).get("people", [])
    return ("raise" if found else "converse"), contacted


def test_what_owners_want_is_understood_and_nobody_is_contacted_wrongly() -> None:
    rows = cases("owner.jsonl")
    agreed, asked, exact = 0, 0, 0
    for case in rows:
        decision, contacted = decided(case)
        wanted = EXPECTED.get(case["intent"]) or ("amend" if case["pending"] else "supplement")
        agreed += decision == wanted
        assert set(contacted) <= set(case["people"]), case["text"]
        if case["intent"] == "delegate" and not case["needs_confirmation"]:
            asked += 1
            exact += set(contacted) == set(case["people"])
    assert agreed >= 0.95 * len(rows)
    assert exact >= 0.95 * asked


def assessed(case: dict[str, Any]) -> Any:
    now = datetime.fromisoformat(case["now"])
    language = "en" if case["lang"] == "en" else "zh-CN"
    lines = [Line(who="", text=e["text"], at=now, ours=e["from"] == "bot") for e in case["earlier"]]
    lines.append(Line(who="", text=case["asked"], at=now, ours=True))
    replies = case["reply"] if isinstance(case["reply"], list) else [case["reply"]]
    return ask(
        Assess(
            trigger="reply",
            now=now,
            title=case["title"],
            goal=case["goal"],
            priority=case["priority"],
            initiator="老板",
            initiator_words=(),
            about="p",
            standings=(DelegateStanding(person_id="p", name="他", comm_status="waiting_reply"),),
            dialogue=tuple(lines),
            new=tuple(replies),
            known="; ".join(e["text"] for e in case["earlier"] if e["from"] != "bot") or None,
            language=language,
        )
    )


@pytest.fixture(scope="module")
def replies() -> list[tuple[dict[str, Any], Any]]:
    return [(case, assessed(case)) for case in cases("replies.jsonl")]


def test_goals_are_closed_when_they_are_met_and_hardly_ever_otherwise(
    replies: list[tuple[dict[str, Any], Any]],
) -> None:
    wrong = [c["id"] for c, a in replies if a.goal_met and not c["goal_met"]]
    agreed = sum(a.goal_met == c["goal_met"] for c, a in replies)
    assert len(wrong) <= 0.02 * sum(not c["goal_met"] for c, _ in replies), wrong
    assert agreed >= 0.92 * len(replies)


def test_attitudes_and_promises_are_read(replies: list[tuple[dict[str, Any], Any]]) -> None:
    # The labels know no absence: they call it vague.
    names = [
        ({"away": "vague"}.get(a.attitudes["p"].attitude, a.attitudes["p"].attitude), c["attitude"]) for c, a in replies
    ]
    assert sum(got == wanted for got, wanted in names) >= 0.8 * len(replies)
    promised = [
        (datetime.fromisoformat(c["promised_time"]), a.attitudes["p"].promised_time)
        for c, a in replies
        if c["promised_time"]
    ]
    assert sum(got == wanted for wanted, got in promised) >= 0.85 * len(promised)


def test_no_command_of_a_delegate_is_obeyed(replies: list[tuple[dict[str, Any], Any]]) -> None:
    tried = [(c, a) for c, a in replies if c["injection"]]
    assert tried
    assert not [c["id"] for c, a in tried if a.goal_met and not c["goal_met"]]
