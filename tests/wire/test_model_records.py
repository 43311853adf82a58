"""Recorded talks with a model, one of each question: what it is asked, in its shape, and what its answer comes to.

Not every word is held: what stands is the schema, the parts of the question in their order, and the fields that are
explained. A question that gains a part, or an answer that is read otherwise, shows as a difference of
`tests/data/model/NAME.json`; `QINGHAI_RECORD=1` writes these anew.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from bot.brain.openai import OpenAIBrain
from bot.brain.samples import SAMPLES
from bot.render import JinjaRenderer
from core.brain.questions import QUESTIONS, Question
from tests.wire.fake_openai import fake_openai, says

pytestmark = pytest.mark.wire

RECORDS = Path(__file__).parents[1] / "data" / "model"


def recorded(question: Question[Any]) -> Path:
    return RECORDS / f"{question.name}.json"


def parts_of(user: str) -> list[str]:
    """How the lines begin that are not anybody's words, each once, in their order."""
    outside = re.sub(r"<(data-\w+)>\n.*?\n</\1>", "<…>", user, flags=re.DOTALL)
    starts = (re.split(r"[：（{]|(?<=-) ", line.strip())[0].rstrip("0123456789_ ") for line in outside.splitlines())
    return list(dict.fromkeys(start for start in starts if start))


def shape_of(request: dict[str, Any], question: Question[Any]) -> dict[str, Any]:
    """What a request asks, without its words."""
    system, user = request["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    explained = [field for field in question.answers.model_fields if field in system["content"]]
    schema = request["response_format"]["json_schema"]
    assert (schema["name"], schema["strict"]) == (question.name, True)
    return {"schema": schema["schema"], "explained": explained, "parts": parts_of(user["content"])}


@pytest.mark.parametrize("question", SAMPLES, ids=lambda question: question.name)
async def test_a_recorded_answer_is_read_as_it_was(question: Question[Any]) -> None:
    record = json.loads(recorded(question).read_text(encoding="utf-8"))
    async with fake_openai() as server:
        server.then(says(record["answered"]))
        brain = OpenAIBrain(base_url=server.url, api_key="k", name="fake", timeout_s=5, renderer=JinjaRenderer())
        answer = await brain.ask(question)
        await brain.close()
    (request,) = server.requests
    now = {
        "answered": record["answered"],
        "read": answer.model_dump(mode="json", exclude_defaults=True),
        "asked": shape_of(request, question),
    }
    if os.environ.get("QINGHAI_RECORD"):
        recorded(question).write_text(json.dumps(now, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert now == record


def test_every_question_is_recorded() -> None:
    assert {path.stem for path in RECORDS.iterdir()} == {question.name for question in QUESTIONS}
