"""`run.py evaluate --brain model` against a model server on loopback."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import run
from tests.wire.fake_openai import FakeOpenAI, fails, fake_openai, says

pytestmark = pytest.mark.wire

CASE: dict[str, Any] = {
    "id": "z1", "lang": "zh", "now": "2026-03-16T10:00:00+08:00",
    "contacts": [{"id": "p_zhang", "name": "张三", "aliases": []}, {"id": "p_li", "name": "李四", "aliases": []}],
    "open_concerns": [], "text": "去问问张三，v2.0 什么时候能提测", "intent": "delegate", "people": ["p_zhang"],
    "unknown_people": [], "goal": None, "when": None, "priority": "medium", "needs_confirmation": False,
    "pending": None, "note": "",
}  # fmt: skip


@pytest.fixture(autouse=True)
def home(empty_home: Path) -> Path:
    (empty_home / "cases.jsonl").write_text(json.dumps(CASE, ensure_ascii=False), encoding="utf-8")
    return empty_home


async def evaluated(
    server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    """What the command prints; it runs beside the server, in a thread of its own."""
    monkeypatch.setenv("QINGHAI_MODEL__BASE_URL", server.url)
    monkeypatch.setenv("QINGHAI_MODEL__NAME", "fake")
    monkeypatch.setenv("QINGHAI_MODEL__API_KEY", "sk-none")
    argv = ["evaluate", "cases.jsonl", "--brain", "model", "--json", "--misses"]
    assert await asyncio.to_thread(run.main, argv) == 0
    out = capsys.readouterr().out
    assert "sk-none" not in out
    found: dict[str, Any] = json.loads(out)
    return found


async def test_a_models_answers_are_measured_with_the_rules_behind_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The planner's check of parameters and the evaluator's clamps hold for a model too: p_nobody is in no directory."""
    raised = {"title": "提测", "goal": "提测时间", "people": ["p_zhang", "p_nobody"], "priority": "medium"}
    result = {"ok": True, "primary_action_chain": {"1": ["raise_concern"]}, "parameters": {"raise_concern": raised}}
    async with fake_openai() as server:
        server.then(says({"decision": "raise"}), says({"tendencies": [CASE["text"]]}), says(result))
        found = await evaluated(server, monkeypatch, capsys)
        assert len(server.requests) == 3
    (miss,) = found["misses"]
    assert set(miss["fields"]) == {"unknown_people", "needs_confirmation"}
    assert found["fields"]["intent"]["agreed"] == found["fields"]["people"]["agreed"] == 1
    assert found["alarms"]["contacted who should not be"]["count"] == 0


async def test_a_server_that_fails_costs_the_case_not_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with fake_openai() as server:
        server.otherwise = fails(500)
        found = await evaluated(server, monkeypatch, capsys)
    assert [case["id"] for case in found["failed"]] == ["z1"]
    assert found["confusion"] == {"delegate": {"no answer": 1}}
