"""The model's brain against a server that has a bad day: every end is an error of ours, in one sentence, in time."""

import asyncio
import json
import logging
import random
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.brain.budget import EXTRA_CALLS, Call, new_turn
from bot.brain.openai import OpenAIBrain
from bot.render import JinjaRenderer
from core.brain.questions import Judgement
from core.errors import BrainError, BrainMalformed, BrainRefused, BrainTimeout
from tests.contract.questions import JUDGE, MATCH, SAMPLES
from tests.wire.fake_openai import (
    Behaviour,
    FakeOpenAI,
    completion,
    drips,
    fails,
    fake_openai,
    obeys,
    says,
    sends,
    stalls,
)

pytestmark = pytest.mark.wire
KEY = "sk-planted-9c1d7e"
MATCHED = {"concern_ids": ["con_20260316_001"], "unclear": False}
HTML = "<!doctype html><html><body>Welcome</body></html>"

Make = Callable[..., OpenAIBrain]


@pytest.fixture
async def server() -> AsyncIterator[FakeOpenAI]:
    async with fake_openai() as fake:
        yield fake


@pytest.fixture
async def make(server: FakeOpenAI) -> AsyncIterator[Make]:
    made: list[OpenAIBrain] = []

    def build(timeout_s: float = 5, **others: object) -> OpenAIBrain:
        arguments = {"base_url": server.url, "api_key": KEY, "name": "fake", "renderer": JinjaRenderer(), **others}
        made.append(OpenAIBrain(timeout_s=timeout_s, **arguments))
        return made[-1]

    yield build
    for brain in made:
        await brain.close()


@pytest.mark.parametrize("behaviour", [stalls(), drips()], ids=["silent", "dripping"])
async def test_the_deadline_is_a_deadline(server: FakeOpenAI, make: Make, behaviour: Behaviour) -> None:
    server.then(behaviour)
    clock = asyncio.get_running_loop().time
    started = clock()
    with pytest.raises(BrainTimeout, match=r"127\.0\.0\.1 did not answer"):
        await make(timeout_s=0.3).ask(MATCH)
    assert clock() - started < 1.0
    assert len(server.requests) == 1


async def test_after_a_timeout_the_next_question_is_answered(server: FakeOpenAI, make: Make) -> None:
    server.then(stalls())
    brain = make(timeout_s=0.3)
    with pytest.raises(BrainTimeout):
        await brain.ask(MATCH)
    await brain.ask(MATCH)


async def test_patience_that_is_asked_for_is_given(server: FakeOpenAI, make: Make) -> None:
    server.then(fails(429, "rate_limit_exceeded", Retry_After="0.2"))
    clock = asyncio.get_running_loop().time
    started = clock()
    await make().ask(MATCH)
    assert clock() - started >= 0.2
    assert len(server.requests) == 2


async def test_more_patience_than_there_is_time_ends_at_once(server: FakeOpenAI, make: Make) -> None:
    server.then(fails(429, "rate_limit_exceeded", Retry_After="60"))
    clock = asyncio.get_running_loop().time
    started = clock()
    with pytest.raises(BrainError, match="status 429"):
        await make(timeout_s=3).ask(MATCH)
    assert clock() - started < 1
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 502, 503, 504, 529])
async def test_a_passing_fault_is_tried_once_more(server: FakeOpenAI, make: Make, status: int) -> None:
    server.then(fails(status, Retry_After="0"))
    await make().ask(MATCH)
    server.then(fails(status, Retry_After="0"), fails(status, Retry_After="0"))
    with pytest.raises(BrainError, match=f"status {status}"):
        await make().ask(MATCH)
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("behaviour", "error", "sentence"),
    [
        (fails(401, "invalid_api_key"), BrainError, "QINGHAI_MODEL__API_KEY"),
        (fails(403, "forbidden"), BrainError, "QINGHAI_MODEL__API_KEY"),
        (fails(404, "model_not_found"), BrainError, "QINGHAI_MODEL__NAME"),
        (fails(429, "insufficient_quota"), BrainError, "no credit left"),
        (fails(402, "payment"), BrainError, "no credit left"),
        (fails(400, "context_length_exceeded"), BrainError, "too long"),
        (fails(400, "content_filter"), BrainRefused, "declined"),
        (says(None, refusal="I can't help with that."), BrainRefused, "declined"),
        (says("", finish_reason="content_filter"), BrainRefused, "declined"),
        (sends(HTML, "text/html"), BrainError, "QINGHAI_MODEL__BASE_URL"),
        (sends(HTML), BrainError, "QINGHAI_MODEL__BASE_URL"),
        (sends("plain words", "text/plain"), BrainError, "QINGHAI_MODEL__BASE_URL"),
        (sends([1, 2]), BrainError, "QINGHAI_MODEL__BASE_URL"),
        (sends({"error": {"message": "no", "code": "insufficient_quota"}}), BrainError, "no credit left"),
        (sends({"error": {"message": "no", "code": 401}}), BrainError, "QINGHAI_MODEL__API_KEY"),
    ],
)
async def test_what_trying_again_cannot_mend_ends_at_once(
    server: FakeOpenAI, make: Make, behaviour: Behaviour, error: type[BrainError], sentence: str
) -> None:
    server.then(behaviour)
    with pytest.raises(error, match=sentence) as caught:
        await make().ask(MATCH)
    assert type(caught.value) is error
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "behaviour",
    [
        fails(500),
        sends({"error": "response_format is not supported"}),
        sends({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}),
        sends({"choices": "none"}),
        sends({"choices": [{"message": {"content": 7}}]}),
        sends({}),
        sends("null"),
        sends("[" * 100_000),
        says("嗯"),
    ],
)
async def test_a_server_that_never_gets_well_costs_few_calls(
    server: FakeOpenAI, make: Make, behaviour: Behaviour
) -> None:
    server.otherwise = behaviour
    with pytest.raises(BrainError):
        await make().ask(MATCH)
    assert len(server.requests) <= 1 + EXTRA_CALLS


async def test_a_prompt_that_cannot_be_written_is_an_error_of_the_brain(
    server: FakeOpenAI, make: Make, tmp_path: Path
) -> None:
    with pytest.raises(BrainError, match=r"match_reply cannot be put to the model: .*match_reply\.j2"):
        await make(renderer=JinjaRenderer(tmp_path)).ask(MATCH)
    assert server.requests == []


async def test_no_choices_twice_is_malformed(server: FakeOpenAI, make: Make) -> None:
    server.otherwise = sends({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": []})
    with pytest.raises(BrainMalformed):
        await make().ask(MATCH)


async def test_nobody_at_the_address(make: Make) -> None:
    with pytest.raises(BrainError, match=r"127\.0\.0\.1 cannot be reached"):
        await make(base_url="http://127.0.0.1:1/v1").ask(MATCH)


async def test_questions_side_by_side_do_not_share_a_fault(server: FakeOpenAI, make: Make) -> None:
    server.then(fails(401), *[obeys()] * (len(SAMPLES) - 1))
    outcomes = await asyncio.gather(*(make().ask(question) for question in SAMPLES), return_exceptions=True)
    assert sum(isinstance(outcome, BrainError) for outcome in outcomes) == 1
    assert sum(not isinstance(outcome, BaseException) for outcome in outcomes) == len(SAMPLES) - 1


async def test_of_calls_that_fail_one_in_three_few_questions_suffer(server: FakeOpenAI, make: Make) -> None:
    dice = random.Random(20)
    faults = [
        fails(429, Retry_After="0"),
        fails(503, Retry_After="0"),
        says("嗯"),
        says({"x": 1}),
        sends({"choices": []}),
    ]
    brain = make()
    await brain.ask(MATCH)
    answered = 0
    for _ in range(100):
        before = len(server.requests)
        server.then(*(dice.choice(faults) if dice.random() < 0.3 else obeys() for _ in range(1 + EXTRA_CALLS)))
        with suppress(BrainError):
            answered += isinstance(await brain.ask(JUDGE), Judgement)
        assert len(server.requests) - before <= 3
        server.forget()
    assert answered >= 85
    assert set(server.forms) == {"json_schema"}


async def test_cancelling_a_question_is_no_fault_of_the_model(server: FakeOpenAI, make: Make) -> None:
    server.then(stalls())
    asking = asyncio.create_task(make().ask(MATCH))
    await server.asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_calls_tokens_and_seconds_are_counted(server: FakeOpenAI, make: Make) -> None:
    calls: list[Call] = []
    brain = make(on_call=calls.append)
    server.then(fails(503, Retry_After="0"), says(MATCHED))
    await brain.ask(MATCH)
    assert [(call.question, call.tokens_in, call.tokens_out, call.ok) for call in calls] == [
        ("match_reply", 0, 0, False),
        ("match_reply", 100, 10, True),
    ]
    assert (brain.usage.calls, brain.usage.failures) == (2, 1)
    assert (brain.usage.tokens_in, brain.usage.tokens_out) == (100, 10)
    assert brain.usage.seconds == pytest.approx(sum(call.seconds for call in calls))
    assert brain.usage.seconds > 0


@pytest.mark.parametrize(
    "usage",
    [None, {"prompt_tokens": -5, "completion_tokens": 10**12, "total_tokens": 0}],
    ids=["none", "numbers that no call can have"],
)
async def test_tokens_that_the_server_does_not_count_are_estimated_and_said_to_be(
    server: FakeOpenAI, make: Make, usage: dict[str, int] | None
) -> None:
    calls: list[Call] = []
    brain = make(on_call=calls.append)
    body = {**completion({"content": json.dumps(MATCHED)}), "usage": usage}
    server.then(sends(body))
    await brain.ask(MATCH)
    server.then(fails(400), sends(body))
    await brain.ask(MATCH)
    counted, refused, again = calls
    assert counted.estimated
    assert counted.tokens_in > 50
    assert 3 <= counted.tokens_out <= len(json.dumps(MATCHED))
    assert (refused.estimated, refused.tokens_in, refused.tokens_out) == (False, 0, 0)
    assert again.estimated


async def test_a_call_that_ran_into_the_deadline_is_counted(server: FakeOpenAI, make: Make) -> None:
    server.then(stalls())
    brain = make(timeout_s=0.2)
    with pytest.raises(BrainTimeout):
        await brain.ask(MATCH)
    assert (brain.usage.calls, brain.usage.failures) == (1, 1)


async def test_an_error_says_what_is_wrong_and_what_to_do(server: FakeOpenAI, make: Make) -> None:
    server.otherwise = fails(401, "invalid_api_key")
    with pytest.raises(BrainError) as caught:
        await make().ask(MATCH)
    assert "QINGHAI_MODEL__API_KEY" in str(caught.value)
    assert "\n" not in str(caught.value)


ECHOES = [
    fails(401, "invalid_api_key", f"Incorrect API key provided: {KEY}"),
    fails(500, KEY, KEY),
    fails(429, "rate_limit_exceeded", KEY, Retry_After="0", X_Echo=KEY),
    sends(f"<html>{KEY}</html>", "text/html"),
    sends({"error": {"message": KEY, "code": KEY, "type": KEY}}),
    says(f'{{"unclear": "{KEY}"}}'),
    says(KEY),
    says(None, refusal=KEY),
    stalls(),
]


@pytest.mark.parametrize("behaviour", ECHOES)
async def test_the_key_is_in_no_log_and_no_error(
    server: FakeOpenAI, make: Make, behaviour: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.otherwise = behaviour
    with pytest.raises(BrainError) as caught:
        await make(timeout_s=1.2).ask(MATCH)
    assert server.keys[0] == f"Bearer {KEY}"
    logged = "".join(f"{record.getMessage()}{record.exc_text}" for record in caplog.records)
    assert KEY not in logged
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert MATCH.text not in logged


async def test_a_key_that_no_header_can_carry_is_not_told(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(BrainError) as caught:
        await make(api_key=f"{KEY}\nX: 清海").ask(MATCH)
    assert KEY not in "".join(traceback.format_exception(caught.value)) + caplog.text


async def test_a_key_in_another_script_is_named_as_the_culprit(make: Make) -> None:
    with pytest.raises(BrainError) as caught:
        await make(api_key="钥匙").ask(MATCH)
    assert str(caught.value) == "the model's key holds characters that no key has: check QINGHAI_MODEL__API_KEY"


async def test_the_questions_of_one_turn_share_what_faults_may_cost(server: FakeOpenAI, make: Make) -> None:
    new_turn()
    server.otherwise = fails(500)
    brain = make()
    for _ in range(4):
        with pytest.raises(BrainError):
            await brain.ask(MATCH)
    assert len(server.requests) <= 4 + EXTRA_CALLS
