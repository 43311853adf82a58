"""How the model's brain gets JSON out of servers that can do less than others."""

import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from bot.brain.openai import OpenAIBrain
from bot.render import JinjaRenderer
from core.errors import BrainError, BrainMalformed
from tests.contract.questions import ASSESS, COMPOSE, EVALUATE, EXTRACT, JUDGE, MATCH, MATCH_EVENT, WORK
from tests.wire.fake_openai import FakeOpenAI, fails, fake_openai, obeys, says, sends

pytestmark = pytest.mark.wire
MATCHED = {"concern_ids": ["con_20260316_001"], "unclear": False}


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAI]:
    async with fake_openai() as fake:
        yield fake


@pytest.fixture
async def brain(server: FakeOpenAI) -> AsyncIterator[OpenAIBrain]:
    model = OpenAIBrain(base_url=server.url, api_key="k", name="fake", timeout_s=5, renderer=JinjaRenderer())
    yield model
    await model.close()


async def test_a_server_with_schemas_is_asked_with_a_strict_one(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says(MATCHED))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    (request,) = server.requests
    assert request["model"] == "fake"
    assert request["response_format"]["json_schema"] == {
        "name": "match_reply",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {
                "concern_ids": {"type": "array", "items": {"type": "string"}},
                "unclear": {"type": "boolean"},
                "parts": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"key": {"type": "string"}, "value": {"type": "string"}},
                        "required": ["key", "value"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["concern_ids", "unclear", "parts"],
            "additionalProperties": False,
        },
    }


def assert_strict(schema: object) -> None:
    """No open maps, no references, every field required: what strict servers ask of a schema."""
    if isinstance(schema, list):
        for item in schema:
            assert_strict(item)
    if isinstance(schema, dict):
        assert "$ref" not in schema
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
        for item in schema.values():
            assert_strict(item)


@pytest.mark.parametrize(
    "question", [JUDGE, EVALUATE, ASSESS, COMPOSE, MATCH_EVENT, WORK], ids=lambda question: question.name
)
async def test_every_schema_is_strict_all_the_way_down(server: FakeOpenAI, brain: OpenAIBrain, question) -> None:
    await brain.ask(question)
    assert_strict(server.requests[0]["response_format"]["json_schema"]["schema"])


async def test_maps_come_back_from_lists_of_key_and_value(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    people = {"key": "people", "value": ["p_zhangsan"]}
    server.then(
        says(
            {
                "ok": True,
                "primary_action_chain": [{"key": "0", "value": ["raise_concern"]}],
                "parameters": [
                    {"key": "raise_concern", "value": [people, {"key": "deadline", "value": "2026-03-19T18:00"}]}
                ],
            }
        )
    )
    result = await brain.ask(EVALUATE)
    assert result.primary_action_chain == {0: ("raise_concern",)}
    assert result.parameters == {"raise_concern": {"people": ["p_zhangsan"], "deadline": "2026-03-19T18:00:00+08:00"}}


async def test_the_next_step_of_a_task_is_a_tool_or_a_result(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    words = {"key": "words", "value": "提测"}
    server.then(
        says({"tool": "look_up_facts", "parameters": [words, {"key": "since", "value": "2026-03-10"}], "result": None})
    )
    step = await brain.ask(WORK)
    assert (step.tool, step.result) == ("look_up_facts", None)
    assert step.parameters == {"words": "提测", "since": "2026-03-10"}
    server.then(says({"tool": None, "parameters": [], "result": "张三：周四能提测。"}))
    assert (await brain.ask(WORK)).result == "张三：周四能提测。"


async def test_which_awaited_things_have_happened_may_be_none(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says({"item_ids": ["w1"]}), says({"item_ids": []}))
    assert (await brain.ask(MATCH_EVENT)).item_ids == ("w1",)
    assert (await brain.ask(MATCH_EVENT)).item_ids == ()


@pytest.mark.parametrize("status", [400, 422, 500])
async def test_a_server_without_schemas_gets_a_tool_and_is_remembered(
    server: FakeOpenAI, brain: OpenAIBrain, status: int
) -> None:
    server.lacks = {"json_schema": status}
    for _ in range(3):
        await brain.ask(JUDGE)
    # A server error may pass; a plain no is taken at its word.
    assert server.forms == (
        ["json_schema", "tool", "tool", "tool"]
        if status < 500
        else ["json_schema", "tool", "json_schema", "tool", "tool"]
    )
    await brain.ask(MATCH)
    assert server.forms[-1] == "tool"


async def test_a_server_without_tools_gets_the_schema_in_the_prompt(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.lacks = {"json_schema": 400, "tool": 400}
    server.then(says(MATCHED), says(MATCHED))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    assert server.forms == ["json_schema", "tool", "json_object", "json_object"]
    system = server.requests[-1]["messages"][0]["content"]
    assert '"concern_ids"' in system
    assert '"concern_ids"' not in server.requests[0]["messages"][0]["content"]
    assert "JSON" in system


async def test_a_server_that_can_nothing_is_asked_in_words(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.lacks = {"json_schema": 400, "tool": 400, "json_object": 400}
    server.then(says("好的：\n```json\n" + json.dumps(MATCHED) + "\n```\n"), says(json.dumps(MATCHED)))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    assert server.forms == ["json_schema", "tool", "json_object", "plain", "plain"]


async def test_what_a_server_cannot_do_is_learnt_even_from_a_poor_answer(
    server: FakeOpenAI, brain: OpenAIBrain
) -> None:
    server.lacks = {"json_schema": 400, "tool": 400, "json_object": 400}
    server.then(says("第一件"), says("第一件"), says(MATCHED))
    with pytest.raises(BrainMalformed):
        await brain.ask(MATCH)
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    assert server.forms == ["json_schema", "tool", "json_object", "plain", "plain", "plain"]


async def test_a_request_that_is_refused_in_every_form_is_not_repeated(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.otherwise = fails(400)
    with pytest.raises(BrainError, match="status 400"):
        await brain.ask(MATCH)
    assert server.forms == ["json_schema", "tool", "json_object", "plain"]


async def test_a_form_that_has_worked_is_left_for_one_question_alone(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    await brain.ask(MATCH)
    server.then(fails(400))
    await brain.ask(EVALUATE)
    await brain.ask(EVALUATE)
    await brain.ask(MATCH)
    assert server.forms == ["json_schema", "json_schema", "tool", "tool", "json_schema"]


async def test_a_bad_moment_does_not_cost_a_form_that_has_worked(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    for _ in range(3):
        await brain.ask(MATCH)
        server.then(fails(500))
        await brain.ask(MATCH)
    assert set(server.forms) == {"json_schema"}


async def test_a_server_error_in_every_form_teaches_nothing(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    for _ in range(3):
        server.then(*[fails(500)] * 4)
        with pytest.raises(BrainError, match="status 500"):
            await brain.ask(MATCH)
    await brain.ask(MATCH)
    assert server.forms[-1] == "json_schema"


@pytest.mark.parametrize(
    "content",
    [
        "```json\n{answer}\n```",
        "```\n{answer}\n```",
        "当然可以！{answer} 还有别的事吗？",
        '<think>是 {{"concern_ids": []}} 吗？</think>{answer}',
        '{{"match_reply": {answer}}}',
        "  {answer}\n",
    ],
    ids=["fenced", "fence without a name", "prose around", "thoughts before", "wrapped in its name", "blanks around"],
)
async def test_json_is_found_in_what_the_model_wrote(server: FakeOpenAI, brain: OpenAIBrain, content: str) -> None:
    server.then(says(content.format(answer=json.dumps(MATCHED))))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    assert len(server.requests) == 1


async def test_thoughts_beside_the_answer_are_passed_over(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says(MATCHED, reasoning_content='也许 {"concern_ids": ["con_20260316_002"]}'))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)


async def test_an_answer_among_the_thoughts_is_found(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says(None, reasoning_content="想好了 " + json.dumps(MATCHED)))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)


async def test_a_tool_whose_arguments_are_no_text_is_read(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "match_reply", "arguments": MATCHED}}
    server.then(says(None, tool_calls=[call]))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)


@pytest.mark.parametrize(
    "bad",
    [
        "我觉得是第一件。",
        "[" * 5_000,
        '{"a":' * 5_000,
        '{"concern_ids": ["con_',
        "[]",
        '{"ids": [1], "sure": 1}',
        '{"unclear": "也许"}',
    ],
)
async def test_a_malformed_answer_is_sent_back_once_with_what_is_wrong(
    server: FakeOpenAI, brain: OpenAIBrain, bad: str
) -> None:
    server.then(says(bad), says(MATCHED))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    first, second = server.requests
    assert second["messages"][1] == first["messages"][1]
    assert second["messages"][2] == {"role": "assistant", "content": bad}
    assert "不合要求" in second["messages"][3]["content"]
    assert '"concern_ids"' in second["messages"][0]["content"]


async def test_twice_malformed_is_the_end(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says("嗯"), says({"unclear": "也许"}))
    with pytest.raises(BrainMalformed, match=r"match_reply.*unclear"):
        await brain.ask(MATCH)
    assert len(server.requests) == 2


async def test_a_server_that_forgets_the_schema_is_told_it_in_the_prompt(
    server: FakeOpenAI, brain: OpenAIBrain
) -> None:
    for _ in range(2):
        server.then(says("第一件"), says(MATCHED))
        await brain.ask(MATCH)
    server.then(obeys())
    await brain.ask(MATCH)
    assert server.forms == ["json_schema"] * 4 + ["tool"]


@pytest.mark.parametrize(
    "body", [{"choices": []}, {"choices": [{"index": 0, "finish_reason": "stop", "message": None}]}]
)
async def test_a_completion_without_words_is_asked_for_again(
    server: FakeOpenAI, brain: OpenAIBrain, body: dict
) -> None:
    server.then(sends({"id": "1", "object": "chat.completion", "created": 1, "model": "m", **body}), says(MATCHED))
    assert (await brain.ask(MATCH)).concern_ids == ("con_20260316_001",)
    assert [message["role"] for message in server.requests[1]["messages"]] == ["system", "user"]


async def test_an_answer_cut_off_is_asked_for_again_shorter(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says('{"text": "张三你好，', finish_reason="length"), says({"text": "张三，定了吗？"}))
    assert (await brain.ask(COMPOSE)).text == "张三，定了吗？"
    assert "太长" in server.requests[1]["messages"][3]["content"]


async def test_an_answer_cut_off_twice_says_so(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(*[says('{"text": "张三你好，', finish_reason="length")] * 2)
    with pytest.raises(BrainMalformed, match="cut off"):
        await brain.ask(COMPOSE)


async def test_no_words_to_send_are_no_answer(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says({"text": "  "}), says({"text": "张三，定了吗？"}))
    assert (await brain.ask(COMPOSE)).text == "张三，定了吗？"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-03-19T15:00:00", "2026-03-19T15:00:00+08:00"),
        ("2026-03-19 15:00", "2026-03-19T15:00:00+08:00"),
        ("2026-03-19", "2026-03-19T18:00:00+08:00"),
        ("2026-03-19T07:00:00Z", "2026-03-19T15:00:00+08:00"),
        ("2026-03-19T15:00:00+08:00", "2026-03-19T15:00:00+08:00"),
    ],
)
async def test_a_moment_without_offset_is_read_on_the_clock_of_the_question(
    server: FakeOpenAI, brain: OpenAIBrain, written: str, meant: str
) -> None:
    attitude = {"attitude": "commitment", "promised_time": written, "names_other": None}
    server.then(says({"attitudes": [{"key": "p_zhangsan", "value": attitude}], "next_action": {"when": written}}))
    answer = await brain.ask(ASSESS)
    assert answer.next_action is not None
    for moment in (answer.attitudes["p_zhangsan"].promised_time, answer.next_action.when):
        assert moment == datetime.fromisoformat(meant)
        assert moment is not None
        assert moment.utcoffset() in (timedelta(hours=8), timedelta(0))


async def test_a_moment_that_is_none_is_sent_back(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    bad = {"attitudes": {"p_zhangsan": {"attitude": "commitment", "promised_time": "后天下午"}}}
    good = {"attitudes": {"p_zhangsan": {"attitude": "commitment", "promised_time": "2026-03-18T18:00"}}}
    server.then(says(bad), says(good))
    answer = await brain.ask(ASSESS)
    assert answer.attitudes["p_zhangsan"].promised_time == datetime.fromisoformat("2026-03-18T18:00+08:00")
    assert "promised_time" in server.requests[1]["messages"][3]["content"]


async def test_characters_that_nothing_can_send_are_dropped(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says('{"text": "张三\\u0000，\\ud800定了吗？\\n急 👨\u200d👩"}'))
    assert (await brain.ask(COMPOSE)).text == "张三，定了吗？\n急 👨\u200d👩"


async def test_null_and_absent_fields_are_what_an_answer_leaves_out(server: FakeOpenAI, brain: OpenAIBrain) -> None:
    server.then(says({"tendencies": None}))
    assert (await brain.ask(EXTRACT)).tendencies == ()
