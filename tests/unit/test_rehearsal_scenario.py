"""Scenario files: what is read from them, and how a slip in one is named."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.rehearsal.scenario import Scenario, parse_scenario, read_scenario
from core.errors import ConfigurationError
from core.people import Role

HEAD = """
title: 问一句
now: "2026-03-16T10:00:00+08:00"
brain: scripted
people:
  - {id: p_owner, name: 老板, role: owner, telegram: "1001"}
  - {id: p_zhangsan, name: 张三, aliases: [三哥], feishu: ou_zhangsan, telegram: "2001"}
  - {id: p_x, name: 路人, role: stranger, telegram: "9001"}
"""


def scenario(steps: str, head: str = HEAD) -> Scenario:
    return parse_scenario(yaml.safe_load(f"{head}\nsteps:\n{steps}"), "a.yaml")


def complaint(steps: str, head: str = HEAD) -> str:
    with pytest.raises(ConfigurationError) as caught:
        scenario(steps, head)
    text = str(caught.value)
    assert "\n" not in text
    return text


def body(steps: str) -> Any:
    return scenario(steps).steps[0].body


def test_the_head_becomes_settings() -> None:
    read = scenario(
        "  - advance: 4h\n", HEAD + "locale: en\ntimezone: Europe/Berlin\nlimits: {followup: {medium_max: 1}}\n"
    )
    assert read.title == "问一句"
    assert read.now.isoformat() == "2026-03-16T03:00:00+01:00"
    assert [p.role for p in read.people] == [Role.OWNER, Role.DELEGATE, Role.STRANGER]
    assert {p.timezone for p in read.people} == {"Europe/Berlin"}
    assert [p.name for p in read.settings.people] == ["老板", "张三"]
    assert read.settings.limits.followup.medium_max == 1
    assert read.channels == ("telegram", "feishu")


def test_a_moment_without_offset_is_in_the_scenario_s_zone() -> None:
    read = scenario("  - until: 2026-03-16T12:00\n", HEAD.replace("+08:00", ""))
    assert read.now.isoformat() == "2026-03-16T10:00:00+08:00"
    assert read.steps[0].body.root.isoformat() == "2026-03-16T12:00:00+08:00"


@pytest.mark.parametrize("who", ["p_zhangsan", "张三", "三哥"])
def test_persons_are_named_by_id_name_or_alias(who: str) -> None:
    assert body(f"  - say: {{who: {who}, text: 好}}\n").who == "p_zhangsan"


def test_durations_and_lists_are_read() -> None:
    assert body("  - advance: 90m\n").root == timedelta(minutes=90)
    assert body("  - restart: {down: 3h}\n").down == timedelta(hours=3)
    assert body("  - restart:\n").down is None
    assert body("  - expect: {to: p_owner, contains: 张三}\n").contains == ("张三",)
    assert body("  - expect: {to: p_owner, lacks: [a, b]}\n").lacks == ("a", "b")
    assert body("  - concern: {status: dropped, people.1.comm_status: done}\n").fields == {
        "status": "dropped",
        "people.1.comm_status": "done",
    }


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ("  - expct: {to: p_owner}\n", ["step 1", "'expct'", "'expect'"]),
        ("  - advance: 1h\n  - expect: {to: p_owner, contain: x}\n", ["step 2 (expect)", "'contain'", "'contains'"]),
        ("  - say: {who: p_owner}\n", ["step 1 (say)", "text", "missing"]),
        ("  - say: {who: p_zhangsam, text: 好}\n", ["step 1", "'p_zhangsam'", "'p_zhangsan'"]),
        ("  - silent: {to: anybody}\n", ["'anybody'"]),
        ("  - advance: 4x\n", ["step 1 (advance)", "'4x'", "30m"]),
        ("  - until: tomorrow\n", ["step 1 (until)", "'tomorrow'"]),
        ("  - expect: {to: p_owner, matches: '('}\n", ["step 1", "regular expression"]),
        ("  - expect: {to: p_owner, count: -1}\n", ["step 1", "count"]),
        ("  - expect: {to: p_owner, channel: feishuu}\n", ["'feishuu'", "'feishu'"]),
        ("  - channel_fails: {channel: feishu, error: forbiden}\n", ["'forbiden'", "'forbidden'"]),
        ("  - model_fails: {error: slow}\n", ["'slow'", "'timeout'"]),
        ("  - model: {asses: {goal_met: true}}\n", ["step 1 (model)", "'asses'", "'assess'"]),
        ("  - model: {assess: {goal_mett: true}}\n", ["step 1 (model)", "'goal_mett'", "'goal_met'"]),
        ("  - say: {who: p_owner, text: 好, reply_to: ack}\n", ["step 1", "'ack'", "as:"]),
        ("  - say: {who: p_owner, text: 好}\n    silent: {to: anyone}\n", ["step 1", "one key"]),
        ("  - 好\n", ["step 1", "one key"]),
    ],
)  # fmt: skip
def test_a_slip_is_one_sentence_with_file_step_and_cure(steps: str, parts: list[str]) -> None:
    text = complaint(steps)
    assert text.startswith("a.yaml: ")
    assert [p for p in parts if p not in text] == []


@pytest.mark.parametrize(
    ("head", "parts"),
    [
        (HEAD.replace("brain: scripted", "brain: scriptd"), ["brain", "'scripted'"]),
        (HEAD.replace("now:", "know:"), ["'know'", "'now'"]),
        (HEAD.replace("feishu:", "feisu:"), ["people[1].feisu", "'feishu'"]),
        (HEAD + "limits: {followup: {meduim: [4h]}}\n", ["limits.followup.meduim", "'medium'"]),
    ],
)
def test_a_slip_in_the_head_is_named_too(head: str, parts: list[str]) -> None:
    text = complaint("  - advance: 1h\n", head)
    assert [p for p in parts if p not in text] == []


def test_queued_answers_need_the_scripted_brain() -> None:
    assert "scripted" in complaint("  - model: {assess: {}}\n", HEAD.replace("brain: scripted", "brain: rules"))


@pytest.mark.parametrize(
    ("text", "part"),
    [("title: [", "line 1"), ("just words", "begins with title:"), ("title: a\n  b: c: d\n", "line 2")],
)
def test_a_file_that_is_no_scenario_says_where(tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"a\.yaml") as caught:
        read_scenario(file)
    assert part in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml: there is no such file"):
        read_scenario(tmp_path / "nowhere.yaml")
