"""`run.py serve` as somebody runs it who looks after it: its log, its metrics, its health, /status and /usage."""

from __future__ import annotations

import json
import signal
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import bot_api
from tests.wire.fake_openai import FakeOpenAI, fails, fake_openai, says
from tests.wire.house import LISI, OWNER, PEOPLE, ZHANGSAN, mind
from tests.wire.process import served

pytestmark = pytest.mark.wire

KEY, HOOK = "sk-planted-4711-key", "planted-0815-hook"
ANY_HOUR = {"working_hours": "00:00-24:00", "working_days": "daily"}
ALWAYS_THERE: dict[str, Any] = {
    "owner": PEOPLE["owner"],
    "people": [{**person, **ANY_HOUR} for person in PEOPLE["people"]],
}
SAID = ("榴莲蛋糕", "紫水晶", "翡翠湖", "孔雀石")
"""Words that somebody writes, or that the model writes: of whose messages nothing may be in a log."""


@pytest.fixture
async def server() -> AsyncIterator[BotApi]:
    async with bot_api() as running:
        running.add_user(LISI, "李四")
        yield running


@pytest.fixture
async def answers() -> AsyncIterator[FakeOpenAI]:
    async with fake_openai() as running:
        yield running


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def environment(answers: FakeOpenAI, port: int, level: str = "INFO") -> dict[str, str]:
    return {
        "QINGHAI_MODEL__BASE_URL": answers.url,
        "QINGHAI_MODEL__API_KEY": KEY,
        "QINGHAI_MODEL__NAME": "planted-model",
        "QINGHAI_HTTP__PORT": str(port),
        "QINGHAI_HTTP__TOKEN": HOOK,
        "QINGHAI_LOG_LEVEL": level,
        "QINGHAI_LOG_FORMAT": "json",
    }


async def a_busy_morning(server: BotApi, answers: FakeOpenAI) -> None:
    """People write, the model answers well, badly and not at all, Telegram has its moods."""
    answers.otherwise = mind({"converse": {"text": f"{SAID[1]}很好看"}})
    answers.then(says(f"{SAID[2]}: no JSON"), says({"decision": SAID[2]}), fails(500, "server_error", SAID[2]))
    server.faults.append(Fault("drop", chat=ZHANGSAN))
    server.user_says(OWNER, f"帮我问一下张三李四，{SAID[0]}什么时候能到")
    server.user_says(OWNER, f"{SAID[0]}好吃吗")
    await server.until(lambda: server.sent_to(LISI) and len(server.sent_to(OWNER)) >= 2, 30)
    server.user_says(LISI, f"{SAID[3]}后面那家周四送到")
    server.user_says(OWNER, "/usage")
    await server.until(lambda: any("planted-model" in sent.text for sent in server.sent_to(OWNER)), 30)
    server.user_says(OWNER, "/status")
    await server.until(lambda: any("SQLite" in sent.text for sent in server.sent_to(OWNER)), 30)


async def pages(port: int) -> dict[str, httpx.Response]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        return {path: await client.get(path) for path in ("/healthz", "/readyz", "/metrics", "/facts")}


def counted(page: str) -> dict[str, float]:
    """Each number by its name, over all labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


@pytest.mark.parametrize("level", ["INFO", "DEBUG"])
async def test_secrets_reach_neither_log_nor_metrics_nor_prompts_and_words_no_log_at_info(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path, level: str
) -> None:
    port = free_port()
    async with served(server, tmp_path, ALWAYS_THERE, **environment(answers, port, level)) as it:
        await it.start()
        await a_busy_morning(server, answers)
        shown = await pages(port)
        began = time.monotonic()
        assert await it.end(signal.SIGTERM) == 0
        assert time.monotonic() - began < 10
    log = it.log.read_text(encoding="utf-8")
    told = "\n".join(page.text for page in shown.values())
    prompts = json.dumps(answers.requests, ensure_ascii=False)
    assert SAID[0] in prompts
    for secret in (server.token, server.token.partition(":")[2], KEY, HOOK):
        assert secret not in log
        assert secret not in told
        assert secret not in prompts
    assert not [word for word in SAID if word in told]
    if level == "INFO":
        assert not [word for word in SAID if word in log]
    _lines_name_what_they_belong_to(log)
    _numbers_add_up(shown, counted(shown["/metrics"].text))


def _lines_name_what_they_belong_to(log: str) -> None:
    lines = [json.loads(line) for line in log.splitlines()]
    judged = [line for line in lines if line["message"].startswith("fact ")]
    assert judged
    assert all(line["message"].startswith(f"fact {line['fact']}") for line in judged)
    assert any(line.get("concern", "").startswith("con_") for line in judged)


def _numbers_add_up(shown: dict[str, httpx.Response], numbers: dict[str, float]) -> None:
    assert {path: page.status_code for path, page in shown.items()} == {
        "/healthz": 200,
        "/readyz": 200,
        "/metrics": 200,
        "/facts": 405,
    }
    assert numbers["qinghai_facts_total"] == 5
    assert numbers["qinghai_judgement_seconds_count"] >= 3
    assert numbers["qinghai_sends_total"] >= 5
    assert numbers["qinghai_model_call_seconds_count"] >= 4
    assert numbers["qinghai_model_tokens_total"] > 100
    assert numbers["qinghai_facts_unhandled"] == 0
    assert 'qinghai_sends_total{channel="telegram",outcome="in_doubt"} 1.0' in shown["/metrics"].text


async def test_readiness_tells_that_the_channel_is_gone(server: BotApi, answers: FakeOpenAI, tmp_path: Path) -> None:
    port = free_port()
    async with served(server, tmp_path, ALWAYS_THERE, **environment(answers, port)) as it:
        await it.start()
        await server.refuse()
        await server.until(lambda: "cannot be reached" in it.log.read_text(encoding="utf-8"), 60)
        ready = (await pages(port))["/readyz"]
        assert (ready.status_code, ready.text.count("\n")) == (503, 1)
        assert ready.text.startswith("telegram: Telegram cannot be reached")
        await server.listen()
        assert await it.end(signal.SIGTERM) == 0


async def test_a_port_that_is_taken_ends_the_start_with_one_sentence(
    server: BotApi, answers: FakeOpenAI, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with served(server, tmp_path, ALWAYS_THERE, **environment(answers, port)) as it:
            with pytest.raises(AssertionError):
                await it.start()
            log = it.log.read_text(encoding="utf-8")
    assert f"http.port = {port} on 127.0.0.1 cannot be had" in log
    assert "Traceback" not in log
