"""What every brain keeps, whichever it is."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.brain.openai import OpenAIBrain
from bot.brain.scripted import ScriptedBrain
from bot.render import JinjaRenderer
from core.brain.port import Brain
from core.brain.questions import QUESTIONS, Question
from core.brain.rules import RuleBrain
from core.errors import BrainError
from tests.contract.questions import ASSESS, SAMPLES
from tests.wire.fake_openai import fails, fake_openai

ABOUT = ASSESS.about
KINDS = ["rules", pytest.param("model", marks=pytest.mark.wire), "scripted"]
SCRIPT = {
    "judge": {"decision": "decide", "targets": ["con_20260316_001"]},
    "match_reply": {"concern_ids": ["con_20260316_001"]},
    "match_event": {"item_ids": ["w1"]},
    "work": {"result": "张三：周四能提测"},
    "fulfil": {"remark": "张三刚回了，说周四能提测。"},
    "extract": {"tendencies": ["问张三提测时间"]},
    "evaluate": {"ok": True, "primary_action_chain": {0: ["raise_concern"]}, "parameters": {"raise_concern": {}}},
    "assess": {
        "attitudes": {ABOUT: {"attitude": "commitment", "promised_time": "2026-03-17T18:00"}},
        "next_action": "等张三",
    },
    "compose": {"text": "张三，提测时间定了吗？"},
    "converse": {"text": "张三还没定。"},
}


@pytest.fixture(params=KINDS)
async def brain(request: pytest.FixtureRequest) -> AsyncIterator[Brain]:
    """Each brain, in a state in which it can answer every question several times."""
    if request.param == "model":
        async with fake_openai() as server:
            model = OpenAIBrain(base_url=server.url, api_key="k", name="fake", timeout_s=5, renderer=JinjaRenderer())
            yield model
            await model.close()
    elif request.param == "scripted":
        scripted = ScriptedBrain(RuleBrain())
        for name, answer in SCRIPT.items():
            for _ in range(3):
                scripted.queue(name, answer)
        yield scripted
    else:
        yield RuleBrain()


def test_there_is_a_sample_of_every_question() -> None:
    assert {type(question) for question in SAMPLES} == set(QUESTIONS)


@pytest.mark.parametrize("question", SAMPLES, ids=lambda question: question.name)
async def test_a_question_gets_its_own_kind_of_answer(brain: Brain, question: Question) -> None:
    answer = await brain.ask(question)
    assert type(answer) is question.answers
    assert type(answer).model_validate(answer.model_dump()) == answer


@pytest.mark.parametrize("question", SAMPLES, ids=lambda question: question.name)
async def test_the_same_question_again_gets_the_same_answer(brain: Brain, question: Question) -> None:
    assert await brain.ask(question) == await brain.ask(question)


async def test_questions_side_by_side_get_each_their_own(brain: Brain) -> None:
    answers = await asyncio.gather(*(brain.ask(question) for question in (*SAMPLES, *SAMPLES)))
    assert [type(answer) for answer in answers] == [question.answers for question in (*SAMPLES, *SAMPLES)]


async def test_a_question_is_not_changed_by_asking_it(brain: Brain) -> None:
    before = [question.model_dump() for question in SAMPLES]
    for question in SAMPLES:
        await brain.ask(question)
    assert [question.model_dump() for question in SAMPLES] == before


async def test_moments_in_an_answer_carry_their_offset(brain: Brain) -> None:
    answer = await brain.ask(ASSESS.model_copy(update={"new": ("明天给你",), "dialogue": ()}))
    moments = [attitude.promised_time for attitude in answer.attitudes.values()]
    moments += [answer.next_action.when] if answer.next_action else []
    assert all(moment.utcoffset() is not None for moment in moments if moment is not None)


async def test_a_brain_has_the_name_that_it_goes_by(brain: Brain) -> None:
    assert brain.name in {"rules", "model", "scripted"}


@pytest.mark.wire
@pytest.mark.parametrize("question", SAMPLES, ids=lambda question: question.name)
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
async def test_whatever_fails_is_a_brain_error(question: Question, status: int) -> None:
    async with fake_openai() as server:
        server.otherwise = fails(status, Retry_After="0")
        model = OpenAIBrain(base_url=server.url, api_key="k", name="fake", timeout_s=5, renderer=JinjaRenderer())
        with pytest.raises(BrainError):
            await model.ask(question)
        await model.close()
        assert len(server.requests) <= 4
