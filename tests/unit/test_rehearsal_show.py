"""How a dialogue is shown."""

from datetime import UTC, datetime, timedelta
from typing import Any

import yaml

from bot.rehearsal.player import Outcome, Unmet
from bot.rehearsal.scenario import parse_scenario
from bot.rehearsal.show import as_json, show, width
from bot.rehearsal.world import Line

MONDAY = datetime(2026, 3, 16, 2, tzinfo=UTC)
HEAD = """
title: 问一句
now: "2026-03-16T10:00:00+08:00"
people: [{id: p_owner, name: 老板, role: owner, telegram: "1001"}, {id: p_bob, name: Bob, telegram: "2"}]
steps: []
"""


def outcome(*lines: Line, head: str = HEAD, **more: Any) -> Outcome:
    return Outcome(parse_scenario(yaml.safe_load(head), "a.yaml"), "rules", list(lines), **more)


def test_a_chinese_character_takes_two_columns() -> None:
    assert (width("清海 → Bob"), width("a"), width("，")) == (10, 1, 2)


def test_names_and_texts_stand_under_each_other_and_days_are_set_apart() -> None:
    shown = show(
        outcome(
            Line(MONDAY, "老板", None, "帮我问 Bob", "telegram"),
            Line(MONDAY, None, "Bob", "你好：\n在吗？", "telegram", buttons=(("在", "不在"), ("再说",))),
            Line(MONDAY + timedelta(days=1, hours=3), "Bob", None, "在", "telegram", kind="press"),
            expectations=2,
        )
    )
    assert shown.splitlines() == [
        "问一句",
        "",
        "── 3月16日 周一 " + "─" * (64 - width("── 3月16日 周一 ")),
        "10:00  老板 → 清海   帮我问 Bob",
        "10:00  清海 → Bob    你好：",
        "                     在吗？",
        "                     [在] [不在]",
        "                     [再说]",
        "",
        "── 3月17日 周二 " + "─" * (64 - width("── 3月17日 周二 ")),
        "13:00  Bob → 清海    ☞ 在",
        "",
        "✓ a.yaml: 0 steps, 2 expectations, all met.",
    ]


def test_days_are_english_where_the_scenario_is() -> None:
    shown = show(outcome(Line(MONDAY, "Bob", None, "hi", "telegram"), head=HEAD + "locale: en\n"))
    assert "── Mon 16 Mar 2026 ──" in shown


def test_what_was_seen_instead_is_shown_with_each_unmet_expectation() -> None:
    unmet = [Unmet(3, "expect", "to Bob: wanted a message with 'x'", ("[telegram] 一\n二",)), Unmet(4, "expect", "no")]
    shown = show(outcome(unmet=unmet))
    assert (
        "✗ step 3 (expect): to Bob: wanted a message with 'x'\n    saw:\n      - [telegram] 一\n        二\n" in shown
    )
    assert "✗ step 4 (expect): no\n    saw: nothing\n" in shown
    assert shown.endswith("✗ a.yaml: 0 steps, 0 expectations, 2 unmet.\n")


def test_json_holds_the_same() -> None:
    told = as_json(
        outcome(Line(MONDAY, None, "Bob", "在吗", "telegram", buttons=(("在",),)), unmet=[Unmet(1, "silent", "no")])
    )
    assert (told["ok"], told["brain"], told["file"]) == (False, "rules", "a.yaml")
    assert told["unmet"] == [{"step": 1, "kind": "silent", "problem": "no", "saw": []}]
    (line,) = told["dialogue"]
    assert (line["from"], line["to"], line["text"], line["buttons"]) == ("清海", "Bob", "在吗", [["在"]])
