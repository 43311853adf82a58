"""A concern as plain values: what comes next, what stays inside, in which words its reasons are told."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.commands.lookup import find_person, handle_of
from bot.commands.views import INNER, concern_values, line_values, next_step
from bot.commands.why import reason_values
from core.concern.model import (
    DELEGATE,
    INITIATOR,
    CommStatus,
    Concern,
    ConcernPerson,
    ConcernType,
    DecisionPoint,
    NextAction,
    Priority,
    Source,
    SourceInitiator,
    Status,
    TimelineEntry,
)
from core.concern.planning import FOREVER
from core.ids import PersonId, concern_id
from core.people import Person

NOW = datetime.fromisoformat("2026-03-16T12:00:00+08:00")
SOON = NOW + timedelta(hours=2)
ROOT = Path(__file__).parents[2]
OWNER = PersonId("p_owner")


def concern(number: int = 1, *, comm: tuple[CommStatus, ...] = (CommStatus.WAITING_REPLY,), **more: Any) -> Concern:
    names = ("张三", "李四", "王五")
    asked = [
        ConcernPerson(person_id=PersonId(f"p_{n}"), display_name=name, role_in_concern=DELEGATE, comm_status=status)
        for n, (name, status) in enumerate(zip(names, comm, strict=False))
    ]
    initiator = SourceInitiator(name="老板", channel="telegram", channel_user_id="1001", person_id=OWNER)
    values: dict[str, Any] = {
        "concern_id": concern_id("20260316", number),
        "type": ConcernType.DELEGATION,
        "status": Status.WAITING_REPLY,
        "priority": Priority.MEDIUM,
        "title": f"第{number}件",
        "goal": "拿到时间",
        "source": Source(type="delegation", detail="问", initiator=initiator),
        "people": (ConcernPerson(person_id=OWNER, display_name="老板", role_in_concern=INITIATOR), *asked),
        "created_at": NOW,
        "next_action": NextAction(what="等待回复", who_person_id=None, when=SOON),
    }
    return Concern(**{**values, **more})


POINT = DecisionPoint(decision_id="d1", question="换下午吗", asked_at=NOW)


@pytest.mark.parametrize(
    ("more", "kind", "names", "when"),
    [
        ({}, "reply", ["张三"], SOON),
        ({"comm": (CommStatus.REPLIED, CommStatus.DONE, CommStatus.WAITING_REPLY)}, "reply", ["张三", "王五"], SOON),
        ({"comm": (CommStatus.WAITING_REPLY, CommStatus.TO_CONTACT)}, "contact", ["李四"], SOON),
        ({"comm": (CommStatus.DONE,)}, "work", [], SOON),
        ({"decision": POINT}, "decision", ["老板"], SOON),
        ({"paused_until": NOW + timedelta(days=1), "decision": POINT}, "paused", [], NOW + timedelta(days=1)),
        ({"paused_until": FOREVER}, "paused", [], None),
        ({"paused_until": NOW - timedelta(days=1)}, "reply", ["张三"], SOON),
        ({"status": Status.DROPPED, "closed_at": NOW, "next_action": None}, "closed", [], NOW),
        ({"next_action": None}, "reply", ["张三"], None),
    ],
)
def test_the_next_step_is_told_from_the_state(
    more: dict[str, Any], kind: str, names: list[str], when: datetime | None
) -> None:
    step = next_step(concern(**more), NOW)
    assert (step["kind"], step["names"]) == (kind, names)
    assert step["when"] == (when.isoformat() if when else None)
    assert step["late"] == (when is not None and when <= NOW)


def test_the_question_is_told_in_the_words_made_for_the_initiator() -> None:
    point = POINT.model_copy(update={"text": "张三想换到下午，可以吗？"})
    assert concern_values(concern(decision=point), NOW, "20260316", OWNER)["question"] == "张三想换到下午，可以吗？"


def test_what_the_machine_did_inside_is_not_shown() -> None:
    told = [TimelineEntry(ts=NOW, type=t, detail="张三") for t in ("discovered", *sorted(INNER), "action_send")]
    values = concern_values(concern(timeline=tuple(told)), NOW, "20260316", OWNER, shown=1)
    assert [e["type"] for e in values["timeline"]] == ["action_send"]
    assert values["timeline"][0]["names"] == ["张三"]
    assert values["timeline_left"] == 1


def test_whoever_was_still_awaited_when_it_ended_was_left() -> None:
    comm = (CommStatus.WAITING_REPLY, CommStatus.DONE)
    ended = concern(comm=comm, status=Status.DROPPED, closed_at=NOW)
    assert [p["status"] for p in concern_values(ended, NOW, "20260316", OWNER)["people"]] == ["left", "done"]


def test_values_are_plain_and_hold_no_ids() -> None:
    values = concern_values(concern(decision=POINT), NOW, "20260316", PersonId("p_admin"))
    text = json.dumps(values, ensure_ascii=False)
    assert "p_0" not in text
    assert "con_" not in text
    assert values["by"] == "老板"
    assert line_values(concern(), NOW, "20260316", OWNER)["by"] is None


def test_the_handle_is_short_on_the_day_itself() -> None:
    assert handle_of(concern(7), "20260316") == "007"
    assert handle_of(concern(7), "20260317") == "20260316_007"


def test_a_person_is_found_by_id_name_or_alias_unless_two_are_called_so() -> None:
    def called(person_id: str, name: str, *aliases: str) -> Person:
        return Person(person_id=PersonId(person_id), name=name, aliases=aliases)

    people = (called("p_1", "张三", "Zhang San"), called("p_2", "张伟"), called("p_3", "张伟", "小张"))
    found = {word: find_person(people, word) for word in ("张三", "zhang san", "P_2", "小张", "张伟", "张", "")}
    ids = {word: person.person_id if person else None for word, person in found.items()}
    assert ids == {
        "张三": "p_1", "zhang san": "p_1", "P_2": "p_2", "小张": "p_3", "张伟": None, "张": None, "": None
    }  # fmt: skip


KINDS = re.compile(r'noted\((?:[^"()]|\([^()]*\))*?"(?P<kind>[a-z_]+)"')
IN_WORDS = {"discovered", "joined", "no_answer", "deadline"}
"""Kinds whose detail the Chinese template shows as it is; English has words of its own for them."""


def test_every_kind_of_timeline_entry_is_put_into_words_or_stays_inside() -> None:
    engine = "\n".join(p.read_text(encoding="utf-8") for p in sorted((ROOT / "core/concern").glob("*.py")))
    kinds = {found["kind"] for found in KINDS.finditer(engine)}
    assert len(kinds) > 8
    for language in ("zh-CN", "en"):
        words = (ROOT / f"templates/{language}/commands/words.j2").read_text(encoding="utf-8")
        known = set(re.findall(r"e\.type == '([a-z_]+)'", words)) | (IN_WORDS if language == "zh-CN" else set())
        assert kinds - INNER - known == set()


# --- reasons ---

RECORDED = re.compile(r'(?:drop|ended|cancelled)\((?:concern|run|fresh), f?"(?P<why>[^"]+)"')
PLAIN_RULES = re.compile(r'return f?"(?P<why>[^"]+)"|else "(?P<other>[^"]+)"')


def test_every_reason_of_the_program_for_an_end_has_its_word() -> None:
    said = [
        found["why"]
        for path in sorted((ROOT / "core").rglob("*.py"))
        for found in RECORDED.finditer(path.read_text(encoding="utf-8"))
    ]
    assert len(said) >= 6
    filled = [re.sub(r"\{[^{}]*\}", "张三", why) for why in said]
    assert [why for why in filled if reason_values(why)["word"] is None] == []


def test_every_reason_of_the_rules_for_a_request_has_its_word() -> None:
    source = (ROOT / "core/brain/rules/evaluating/doubts.py").read_text(encoding="utf-8")
    said = [found["why"] or found["other"] for found in PLAIN_RULES.finditer(source[source.index("def _why") :])]
    assert len(said) == 6
    filled = [re.sub(r"\{[^{}]*\}", "张三", why) for why in said]
    assert [why for why in filled if reason_values(why)["word"] is None] == []


RAISED = re.compile(r'Outcome\(\s*"raise", "(?P<why>[^"]+)"|reason = "(?P<other>[^"]+)"\n +return Outcome\("raise"')


def test_every_reason_of_the_hub_for_a_matter_of_its_own_has_its_word() -> None:
    said = [
        found["why"] or found["other"]
        for path in sorted((ROOT / "core/hub/turns").glob("*.py"))
        for found in RAISED.finditer(path.read_text(encoding="utf-8"))
    ]
    assert len(said) >= 3
    assert [why for why in said if reason_values(why)["word"] is None] == []


def test_a_reason_of_a_model_is_shown_as_it_is_on_one_line() -> None:
    shown = reason_values("The owner wants\na date.")
    assert (shown["word"], shown["text"]) == (None, "The owner wants a date.")
    assert reason_values("nobody is known as 老王, 小刘")["rest"] == "老王, 小刘"
