"""`run.py doctor` against model servers of all kinds: which questions the model can answer, and what helps."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import run
from bot.brain.openai import OpenAIBrain
from bot.brain.samples import SAMPLES
from bot.brain.shape import strict_schema
from bot.brain.trial import tried
from bot.render import JinjaRenderer
from core.brain.questions import QUESTIONS
from core.errors import BrainTimeout
from tests.wire.fake_openai import FakeOpenAI, completion, fails, fake_openai, form_of, sample, stalls
from tests.wire.house import asked_in

pytestmark = [pytest.mark.wire, pytest.mark.usefixtures("empty_home")]

Examined = Callable[[FakeOpenAI], Awaitable[tuple[int, list[str]]]]


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Examined:
    """The exit status, and what the command says of the model; it runs beside the server, in a thread of its own."""

    async def examine(server: FakeOpenAI) -> tuple[int, list[str]]:
        monkeypatch.setenv("QINGHAI_MODEL__BASE_URL", server.url)
        monkeypatch.setenv("QINGHAI_MODEL__NAME", "fake")
        monkeypatch.setenv("QINGHAI_MODEL__API_KEY", "sk-none")
        status = await asyncio.to_thread(run.main, ["doctor"])
        return status, [line for line in capsys.readouterr().out.splitlines() if line[2:].startswith("model")]

    return examine


def test_there_is_a_sample_of_every_question() -> None:
    assert [type(question) for question in SAMPLES] == list(QUESTIONS)


async def test_a_model_that_can_all_of_it(examined: Examined) -> None:
    async with fake_openai() as server:
        status, (line,) = await examined(server)
    assert status == 0
    assert line.startswith(f"✓ model: fake answers {len(QUESTIONS)} of {len(QUESTIONS)} questions, in ")
    assert line.endswith(f"with {len(QUESTIONS) * 110:,} tokens")
    assert [asked_in(body) for body in server.requests] == [question.name for question in QUESTIONS]


def obstinate(*unable: str) -> Callable[[FakeOpenAI, web.Request], Awaitable[web.StreamResponse]]:
    """Takes no schema, writes its JSON into a fence, and never answers some questions as they are asked."""

    async def behave(server: FakeOpenAI, _: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = server.requests[-1]
        name = asked_in(body)
        question = next(q for q in SAMPLES if q.name == name)
        schema = strict_schema(question.answers)
        words = "我看目标达成了。" if name in unable else json.dumps(sample(schema), ensure_ascii=False)
        return web.json_response(completion({"content": f"好的：\n```json\n{words}\n```"}))

    return behave


async def test_a_server_without_schemas_whose_model_cannot_assess(examined: Examined) -> None:
    async with fake_openai() as server:
        server.lacks = {"json_schema": 400, "tool": 400}
        server.otherwise = obstinate("assess")
        status, (line, wrong) = await examined(server)
    assert status == 1
    assert line.startswith(f"✓ model: fake answers {len(QUESTIONS) - 1} of {len(QUESTIONS)} questions")
    assert wrong.startswith("✗ model, assess: the model's answer to assess does not fit: ")
    assert "take a larger model" in wrong
    assert {form_of(body) for body in server.requests[-3:]} == {"json_object"}
    assert len(server.requests) <= 2 * len(QUESTIONS)


async def test_a_server_that_lets_nobody_in_is_said_once(examined: Examined) -> None:
    async with fake_openai() as server:
        server.otherwise = fails(401, "invalid_api_key")
        status, lines = await examined(server)
    assert status == 1
    assert len(lines) == len(server.requests) == 1
    assert "QINGHAI_MODEL__API_KEY" in lines[0]


async def test_a_slow_model_is_told_how_to_get_more_time(examined: Examined, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QINGHAI_MODEL__TIMEOUT_S", "0.2")
    async with fake_openai() as server:
        server.otherwise = stalls()
        status, (line, *wrong) = await examined(server)
    assert status == 1
    assert line.startswith("✗ model: fake answers 0 of ")
    assert len(wrong) == len(QUESTIONS)
    assert all("QINGHAI_MODEL__TIMEOUT_S" in one for one in wrong)


async def test_all_questions_together_end_in_time() -> None:
    async with fake_openai() as server:
        server.otherwise = stalls()
        brain = OpenAIBrain(base_url=server.url, api_key="k", name="fake", timeout_s=30, renderer=JinjaRenderer())
        trials = await tried(brain, most_s=0.3)
        await brain.close()
    assert [type(trial.problem) for trial in trials] == [BrainTimeout] * len(QUESTIONS)
    assert sum(trial.seconds for trial in trials) < 5
    assert len(server.requests) == 1


def test_without_a_model_nobody_is_asked(capsys: pytest.CaptureFixture[str], empty_home: Path) -> None:
    assert run.main(["doctor"]) == 0
    assert "✓ model: none is configured, the rules work alone" in capsys.readouterr().out
