"""What of a brain's evaluation may stand, whatever brain it is."""

from __future__ import annotations

from typing import Any

import pytest

from core.action.evaluator import ActionEvaluator, clamped, meddles
from core.action.extractor import ActionExtractor
from core.action.meta_actions import available_meta_actions
from core.brain.questions import Evaluate, EvaluatorResult, Extract, Tendencies
from core.people import Role
from tests.unit.rules_desk import CONTACTS, LI, MONDAY, REPORT, TESTING, WANG, ZHANG

ASK = {"title": "提测", "goal": "提测时间", "priority": "medium"}


def question(text: str, **more: Any) -> Evaluate:
    given: dict[str, Any] = {
        "tendency": text,
        "text": text,
        "now": MONDAY,
        "sender_id": "p_owner",
        "contacts": CONTACTS,
        "concerns": (TESTING, REPORT),
        "available_meta_actions": available_meta_actions(Role.OWNER),
    }
    return Evaluate(**given | more)


def result(**parameters: dict[str, Any]) -> EvaluatorResult:
    return EvaluatorResult(ok=True, primary_action_chain={1: tuple(parameters)}, parameters=parameters)


@pytest.mark.parametrize(
    ("text", "people", "confirm"),
    [
        ("问张三什么时候能提测", [ZHANG.person_id], False),
        ("问张三什么时候能提测", [ZHANG.person_id, LI.person_id], True),
        ("再问问他", [ZHANG.person_id], False),
        ("再问一遍", [ZHANG.person_id], False),
        ("再问问张三，提测还没好吗", [ZHANG.person_id], False),
        ("再问问张三，提测还没好吗", [ZHANG.person_id, LI.person_id], True),
        ("ask 张三 again, is it ready too", [LI.person_id], True),
        ("告诉张三李四说明天放假", [ZHANG.person_id, LI.person_id], True),
        ("问张三李四说了什么", [ZHANG.person_id, LI.person_id], True),
        ("tell 张三 李四 said it is off", [ZHANG.person_id, LI.person_id], True),
        ("告诉张三李四说明天放假", [ZHANG.person_id], False),
        ("跟张三李四明天放假说一声", [ZHANG.person_id, LI.person_id], False),
        ("跟张三和李四说明天放假", [ZHANG.person_id, LI.person_id], False),
        ("跟张三说李四明天来", [ZHANG.person_id], False),
        ("大家都问一遍", [ZHANG.person_id, LI.person_id], False),
        ("ask him when it is ready", [ZHANG.person_id], False),
        ("when is it ready", [ZHANG.person_id], True),
        ("让张三把定金打给房东", [ZHANG.person_id], True),
        ("问张三定金打了没有", [ZHANG.person_id], False),
    ],
)
def test_nobody_is_reached_unnamed_and_no_money_moves_without_a_yes(
    text: str, people: list[str], confirm: bool
) -> None:
    stands = clamped(result(raise_concern={**ASK, "people": people}), question(text))
    assert stands.need_confirm is confirm
    assert stands.parameters["raise_concern"]["people"] == people


def test_whom_nobody_knows_is_asked_about_and_the_sender_is_not_asked() -> None:
    strange = clamped(
        result(raise_concern={**ASK, "people": [ZHANG.person_id, "p_nobody", "p_owner", ZHANG.person_id]}),
        question("问张三什么时候能提测"),
    )
    assert strange.parameters["raise_concern"]["people"] == [ZHANG.person_id]
    assert (strange.need_confirm, strange.unknown_people) == (True, ("p_nobody",))
    card = clamped(result(look_up_person={"person": "p_nobody"}), question("查一下赵六"))
    assert "person" not in card.parameters["look_up_person"]
    assert card.unknown_people == ("p_nobody",)


def test_an_ability_that_is_not_at_hand_is_refused() -> None:
    member = available_meta_actions(Role.MEMBER)
    asked = question("给张三发邀请", available_meta_actions=member)
    assert clamped(result(invite_person={"person": ZHANG.person_id}), asked).refusal == "no_ability"


@pytest.mark.parametrize(
    ("text", "change", "wrong"),
    [
        ("告诉李四明天的会改到三点", {"deadline": "2026-03-17T15:00:00+08:00"}, True),
        ("提测那个改成急的", {"priority": "high"}, False),
        ("张三那个改成急的", {"priority": "high"}, False),
        ("提测那件再加上王五", {"add_people": [WANG.person_id]}, False),
        ("别找张三了换李四问", {"add_people": [LI.person_id], "remove_people": [ZHANG.person_id]}, False),
    ],
)
def test_words_for_others_change_no_matter(text: str, change: dict[str, Any], wrong: bool) -> None:
    made = result(update_concern={"concern_ids": [TESTING.concern_id], "words": text, **change})
    assert meddles(made, question(text)) is wrong


class Meddler:
    """A model that takes everything for a change of the first open matter, until there is none."""

    name = "model"

    async def ask(self, asked: Evaluate) -> EvaluatorResult:
        if asked.concerns:
            return result(advance_concern={"concern_ids": [asked.concerns[0].concern_id], "message": asked.text})
        return result(send_message={"people": [LI.person_id], "text": "会改到三点"})


async def test_they_are_evaluated_again_as_though_nothing_were_open() -> None:
    made = await ActionEvaluator().evaluate(Meddler(), question("告诉李四会改到三点"))  # type: ignore[arg-type]
    assert made.parameters == {"send_message": {"people": [LI.person_id], "text": "会改到三点"}}


class Finding:
    """Finds these goals, whatever the message."""

    name = "scripted"

    def __init__(self, *tendencies: str) -> None:
        self.tendencies = tendencies

    async def ask(self, question: Any) -> Any:
        return Tendencies(tendencies=self.tendencies)


async def test_goals_are_found_in_order_each_once_and_none_is_empty() -> None:
    brain = Finding("问李四报价", " ", "问张三提测时间", "问李四报价 ", "")
    found = await ActionExtractor().extract(brain, Extract(text="问李四报价，再问张三提测时间", now=MONDAY))
    assert found == ("问李四报价", "问张三提测时间")
