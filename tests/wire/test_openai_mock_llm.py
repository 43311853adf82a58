"""The model's brain against a mock server that somebody else wrote: npm's @dwmkerr/mock-llm."""

import asyncio
import json
import os
import shutil
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.brain.openai import OpenAIBrain
from bot.render import JinjaRenderer
from core.errors import BrainError, BrainMalformed
from tests.contract.questions import COMPOSE, JUDGE, MATCH

MOCK = Path(__file__).parents[2] / ".node" / "node_modules" / "@dwmkerr" / "mock-llm" / "dist" / "main.js"

pytestmark = [
    pytest.mark.npm,
    pytest.mark.skipif(not (shutil.which("node") and MOCK.is_file()), reason="node or the mock is missing: make node"),
]

COMPLETIONS = "/v1/chat/completions"


def answer(**message: Any) -> str:
    """A body as the mock's own documentation shows it: no id, no usage."""
    return json.dumps({"choices": [{"message": {"role": "assistant", **message}, "finish_reason": "stop"}]})


def rule(match: str, status: int, content: str) -> dict[str, Any]:
    return {"path": COMPLETIONS, "match": match, "response": {"status": status, "content": content}}


# Of the rules that match the last one counts.
RULES = [
    rule("body.response_format.json_schema.name == 'match_reply'", 200, answer(content='{"concern_ids": ["con_1"]}')),
    rule("body.response_format.json_schema.name == 'judge'", 400, '{"error": {"message": "no json_schema here"}}'),
    rule(
        "body.tool_choice.function.name == 'judge'",
        200,
        answer(content=None, tool_calls=[{"function": {"name": "judge", "arguments": '{"decision": "decide"}'}}]),
    ),
    rule("body.response_format.json_schema.name == 'compose'", 200, answer(content="好的，已经写好了。")),
    rule(
        "body.model == 'locked'",
        401,
        '{"error": {"message": "Incorrect API key provided.", "code": "invalid_api_key"}}',
    ),
]


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """The base URL of a fresh mock with RULES."""
    (tmp_path / "rules.yaml").write_text(json.dumps({"rules": RULES}), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        "node",
        str(MOCK),
        "--config",
        str(tmp_path / "rules.yaml"),
        env={"PATH": os.environ["PATH"], "HOST": "127.0.0.1", "PORT": str(port)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(20):
            while line := await process.stdout.readline():
                if b"server running" in line:
                    break
        assert line, "the mock ended before it was ready"
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        await process.communicate()


def brain(url: str, name: str = "mock") -> OpenAIBrain:
    return OpenAIBrain(base_url=url, api_key="k", name=name, timeout_s=10, renderer=JinjaRenderer())


async def test_it_answers_by_schema_by_tool_and_not_at_all(url: str) -> None:
    model = brain(url)
    assert (await model.ask(MATCH)).concern_ids == ("con_1",)
    assert (await model.ask(JUDGE)).decision == "decide"
    with pytest.raises(BrainMalformed, match="compose"):
        await model.ask(COMPOSE)
    assert model.usage.calls == 5
    await model.close()


async def test_its_refusal_of_a_key_is_understood(url: str) -> None:
    model = brain(url, name="locked")
    with pytest.raises(BrainError, match="QINGHAI_MODEL__API_KEY"):
        await model.ask(MATCH)
    await model.close()
