"""What a goal that is refused comes to: what the sender reads, what is recorded, and that nothing is done.

The brain of this file finds one goal in whatever is said and evaluates it as the test says; the rest goes by the rules.
"""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.render import LANGUAGES, JinjaRenderer
from core.agenda.model import RecentDecision
from core.brain.questions import (
    A,
    Converse,
    Evaluate,
    EvaluatorResult,
    Extract,
    Judge,
    Judgement,
    Question,
    Tendencies,
    Text,
)
from core.brain.rules import RuleBrain
from tests.flow.office import START, Office

ASKED = "把机房的门禁换成新的"
ANSWER = "门禁归物业管。"
RAISE: dict[str, Any] = {"people": ["p_zhangsan"], "title": "门禁", "goal": "换好"}


class Evaluating:
    """Takes `ASKED` for a goal, and evaluates it as `result`."""

    name = "scripted"

    def __init__(self, result: EvaluatorResult) -> None:
        self._result, self._rules = result, RuleBrain()

    async def ask(self, question: Question[A]) -> A:
        if isinstance(question, Judge) and question.text == ASKED:
            return cast(A, Judgement(decision="raise"))
        if isinstance(question, Extract):
            return cast(A, Tendencies(tendencies=(ASKED,)))
        if isinstance(question, Evaluate):
            return cast(A, self._result)
        if isinstance(question, Converse):
            return cast(A, Text(text=ANSWER))
        return await self._rules.ask(question)


def chain(*keys: str, **more: Any) -> EvaluatorResult:
    parameters = {"raise_concern": RAISE, "update_concern": {"concern_ids": ["con_1"], "words": "换"}}
    known = {key: parameters.get(key, {}) for key in keys}
    return EvaluatorResult.model_validate({"ok": True, "primary_action_chain": {1: keys}, "parameters": known, **more})


@pytest.mark.parametrize(
    ("result", "kind", "told"),
    [
        (EvaluatorResult(ok=False, refusal="no_action"), "no_action", ANSWER),
        (EvaluatorResult(ok=False, refusal="no_ability"), "no_ability", "还做不到"),
        (EvaluatorResult(ok=False, refusal="unclear"), "unclear", "没听明白"),
        (EvaluatorResult(ok=False, refusal="covered"), "covered", "已经在办了"),
        (chain("launch_rocket"), "no_ability", "还做不到"),
        (chain("raise_concern", "launch_rocket"), "invalid", "还做不到"),
        (chain("raise_concern", parameters={"raise_concern": {"title": "门禁"}}), "invalid", "还差一点信息"),
        (chain("update_concern", type="planned", when="2026-03-17T10:00:00+08:00"), "invalid", "只能当场办"),
        (chain("raise_concern", type="planned", when="等风来的时候吧 FREQ=??"), "invalid", "没看懂"),
        (chain("raise_concern", type="planned", when="EVERY 5m"), "invalid", "太密"),
        (chain("raise_concern", type="planned", when="2026-03-15T10:00:00+08:00"), "past", "已经过去"),
        (chain("raise_concern", type="planned"), "unclear", "什么时候"),
    ],
)
def test_what_is_refused_is_told_recorded_and_not_done(result: EvaluatorResult, kind: str, told: str) -> None:
    office = Office(brain=Evaluating(result))
    try:
        office.say("p_owner", ASKED)
        (said,) = office.ledger
        assert told in said.text
        assert office.chat_of(said.chat).person_id == "p_owner"
        assert office.concerns() == ()
        decisions: tuple[RecentDecision, ...] = office.look(lambda repos: repos.agenda.recent(5))
        assert [(d.what, d.refusal, d.why) for d in decisions] == [("refused", kind, ASKED)]
    finally:
        office.close()


@pytest.mark.parametrize("asked", ["5分钟后提醒我", "告诉张三："])
def test_what_is_too_long_to_carry_is_said_to_be_so_and_not_read_back(asked: str) -> None:
    office = Office()
    try:
        office.say("p_owner", asked + "这句话特别长。" * 400)
        (said,) = office.ledger
        assert "太长" in said.text
        assert len(said.text) < 150
    finally:
        office.close()


CURES = ("unknown", "parameters", "too_long", "not_later", "when", "too_often", "too_many")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_refusal_has_words_of_its_own(language: str) -> None:
    def words(kind: str, problem: str | None = None) -> str:
        values = {"kind": kind, "problem": problem, "tendency": "XYZ", "least": 900.0}
        return JinjaRenderer().render("chat/refused", language, now=START, timezone="Asia/Shanghai", **values)

    invalid = [words("invalid", problem) for problem in CURES]
    assert len(set(invalid)) == len(CURES)
    assert all("XYZ" in text for text in invalid)
    assert words("no_ability") == words("invalid", "unknown")
    others = {words(kind) for kind in ("no_action", "no_ability", "unclear", "covered")}
    assert len(others) == 4
    for text in (*invalid, *others):
        assert not any(inside in text for inside in ("None", "raise_concern", "parameters", "p_"))
