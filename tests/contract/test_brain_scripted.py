"""The brain of rehearsals: a script in front of another brain, and faults in front of both."""

import asyncio
from datetime import UTC, date, datetime
from typing import Any

import pytest

from bot.brain.faulty import FaultyBrain
from bot.brain.scripted import ScriptedBrain
from core.brain.questions import A, Question
from core.errors import BrainError, BrainMalformed, BrainRefused, BrainTimeout, ConfigurationError
from tests.contract.questions import ASSESS, COMPOSE, EVALUATE, JUDGE, MATCH


class Plain:
    """Answers everything with the defaults, and says what it was asked."""

    name = "plain"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, question: Question[A]) -> A:
        self.asked.append(question.name)
        answer: Any = question.answers()
        return answer


async def test_answers_are_given_once_in_the_order_of_the_script() -> None:
    plain = Plain()
    brain = ScriptedBrain(plain)
    brain.queue("compose", {"text": "一"})
    brain.queue("compose", {"text": "二"})
    assert [(await brain.ask(COMPOSE)).text for _ in range(3)] == ["一", "二", ""]
    assert plain.asked == ["compose"]


async def test_what_is_not_in_the_script_goes_to_the_other_brain() -> None:
    plain = Plain()
    brain = ScriptedBrain(plain)
    brain.queue("compose", {"text": "一"})
    await brain.ask(JUDGE)
    assert plain.asked == ["judge"]
    assert (await brain.ask(COMPOSE)).text == "一"


async def test_absent_fields_are_null() -> None:
    brain = ScriptedBrain(Plain())
    brain.queue("assess", {})
    brain.queue("assess", {"goal_met": False, "owner_update": "…", "messages": None})
    assert (await brain.ask(ASSESS)).owner_update is None
    answer = await brain.ask(ASSESS)
    assert (answer.owner_update, answer.summary, answer.messages) == ("…", None, ())


async def test_bare_words_and_whole_numbers_are_taken_as_they_stand_in_a_file() -> None:
    brain = ScriptedBrain(Plain())
    brain.queue("assess", {"attitudes": {"p_zhangsan": "vague"}, "next_action": "1小时后再跟进"})
    brain.queue("evaluate", {"ok": True, "primary_action_chain": {0: ["raise_concern"]}})
    answer = await brain.ask(ASSESS)
    assert answer.attitudes["p_zhangsan"].attitude == "vague"
    assert answer.next_action is not None
    assert answer.next_action.what == "1小时后再跟进"
    assert (await brain.ask(EVALUATE)).primary_action_chain == {0: ("raise_concern",)}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-03-19T15:00", "2026-03-19T15:00:00+08:00"),
        (datetime(2026, 3, 19, 15), "2026-03-19T15:00:00+08:00"),  # noqa: DTZ001 - as a YAML reader gives it
        (datetime(2026, 3, 19, 7, tzinfo=UTC), "2026-03-19T15:00:00+08:00"),
        (date(2026, 3, 19), "2026-03-19T18:00:00+08:00"),
    ],
)
async def test_a_moment_is_read_on_the_clock_of_the_question(written: object, meant: str) -> None:
    brain = ScriptedBrain(Plain())
    brain.queue("assess", {"attitudes": {"p_zhangsan": {"attitude": "commitment", "promised_time": written}}})
    promised = (await brain.ask(ASSESS)).attitudes["p_zhangsan"].promised_time
    assert promised == datetime.fromisoformat(meant)


@pytest.mark.parametrize(
    ("name", "answer", "sentence"),
    [
        ("asses", {}, "no question 'asses'; did you mean 'assess'"),
        ("think", {}, "no question 'think'; there are judge"),
        ("assess", {"goal_mett": True}, "answer to assess has no field 'goal_mett'; did you mean 'goal_met'"),
        ("judge", {"decision": "raze"}, "answer to judge does not fit: decision"),
        ("assess", {"attitudes": {"p_1": "cross"}}, r"answer to assess does not fit: attitudes\.p_1\.attitude"),
        ("assess", {"next_action": {"when": "soon"}}, r"answer to assess does not fit: next_action\.when"),
        ("compose", {"text": ["a"]}, "answer to compose does not fit: text"),
    ],
)
def test_a_slip_in_the_script_is_named_when_it_is_read(name: str, answer: dict[str, Any], sentence: str) -> None:
    brain = ScriptedBrain(Plain())
    with pytest.raises(ConfigurationError, match=sentence):
        brain.queue(name, answer)
    assert brain.leftovers() == []


async def test_answers_that_nobody_took_are_left_over() -> None:
    brain = ScriptedBrain(Plain())
    brain.queue("judge", {"decision": "raise"})
    brain.queue("compose", {"text": "一"})
    brain.queue("compose", {"text": "二"})
    assert brain.leftovers() == [
        "1 queued answer to judge never asked for",
        "2 queued answers to compose never asked for",
    ]
    await brain.ask(JUDGE)
    await brain.ask(COMPOSE)
    assert brain.leftovers() == ["1 queued answer to compose never asked for"]
    await brain.ask(COMPOSE)
    assert brain.leftovers() == []


async def test_questions_side_by_side_take_one_answer_each() -> None:
    brain = ScriptedBrain(Plain())
    for number in range(5):
        brain.queue("compose", {"text": str(number)})
    answers = await asyncio.gather(*(brain.ask(COMPOSE) for _ in range(5)))
    assert sorted(answer.text for answer in answers) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("error", "kind"), [("timeout", BrainTimeout), ("malformed", BrainMalformed), ("refused", BrainRefused)]
)
async def test_a_fault_lasts_as_many_questions_as_it_was_told(error: str, kind: type[BrainError]) -> None:
    plain = Plain()
    brain = FaultyBrain(plain)
    brain.fail(error, times=2)
    for question in (MATCH, JUDGE):
        with pytest.raises(kind) as caught:
            await brain.ask(question)
        assert type(caught.value) is kind
    await brain.ask(MATCH)
    assert plain.asked == ["match_reply"]


async def test_faults_come_in_the_order_in_which_they_were_told() -> None:
    brain = FaultyBrain(Plain())
    brain.fail("timeout", times=1)
    brain.fail("refused", times=1)
    with pytest.raises(BrainTimeout):
        await brain.ask(MATCH)
    with pytest.raises(BrainRefused):
        await brain.ask(MATCH)


async def test_a_question_that_fails_takes_nothing_from_the_script() -> None:
    scripted = ScriptedBrain(Plain())
    scripted.queue("compose", {"text": "一"})
    brain = FaultyBrain(scripted)
    brain.fail("malformed", times=1)
    with pytest.raises(BrainMalformed):
        await brain.ask(COMPOSE)
    assert (await brain.ask(COMPOSE)).text == "一"
    assert brain.name == "scripted"


def test_a_fault_that_no_model_has_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'tired'; it can with timeout, malformed, refused"):
        FaultyBrain(Plain()).fail("tired", times=1)
