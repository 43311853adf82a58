"""The wall between delegates: what one said is in no view that another's text is written from (RULES 1)."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.brain.prompt import prompt
from bot.render import JinjaRenderer
from core.concern import opening
from core.concern.inbound import Utterance, heard
from core.concern.model import Concern
from core.facts import Trigger
from core.hub.views import assess_view, compose_view, delegate_brief
from tests.unit.concern_desk import LI, MONDAY, OWNER, WANG, ZHANG, people, proposal, setting

SECRET = "李四说他要离职"
RENDERER = JinjaRenderer()


def concern() -> Concern:
    """张三 and 李四 are asked; 李四 has said something that is nobody else's business."""
    raised = opening.open_concern(proposal(people()[ZHANG], people()[LI]), setting()).concern
    later = setting(MONDAY + timedelta(hours=1))
    said = heard(raised, Utterance(LI, SECRET, "feishu", "m1", later.now), later, "c1").concern
    return heard(said, Utterance(ZHANG, "我看看，你找王五吧", "feishu", "m2", later.now), later, "c2").concern


@pytest.mark.parametrize("trigger", list(Trigger))
def test_assess_shows_only_the_delegate_whose_turn_it_is(trigger: Trigger) -> None:
    view = assess_view(concern(), ZHANG, trigger, people(), MONDAY, persona="清海")
    shown = view.model_dump_json()
    assert SECRET not in shown
    assert [s.person_id for s in view.standings] == [ZHANG]
    assert view.others_open
    # What they said meanwhile has a turn of its own.
    assert view.new == (() if trigger is Trigger.EVIDENCE else ("我看看，你找王五吧",))


def test_assess_names_of_the_directory_only_whom_the_delegate_named_and_as_they_did() -> None:
    known = {**people(), WANG: people()[WANG].model_copy(update={"aliases": ("五哥", "Wang Wu")})}
    view = assess_view(concern(), ZHANG, Trigger.REPLY, known, MONDAY, persona="清海")
    assert view.known_names == ("王五",)
    for unsaid in (WANG, "五哥", "Wang Wu"):
        assert unsaid not in view.model_dump_json()


def test_a_model_is_not_told_which_of_the_names_that_a_delegate_tries_are_known() -> None:
    view = assess_view(concern(), ZHANG, Trigger.REPLY, people(), MONDAY, persona="清海")
    ignorant = view.model_copy(update={"known_names": ()})
    assert without_marks(prompt(view, RENDERER)) == without_marks(prompt(ignorant, RENDERER))


def without_marks(texts: tuple[str, str]) -> list[str]:
    return [re.sub(r"data-[0-9a-f]{8}", "data", text) for text in texts]


@pytest.mark.parametrize(
    "occasion", ["first_contact", "follow_up", "ask_back", "decision", "correction", "deadline_check"]
)
def test_compose_shows_only_their_own_dialogue(occasion: str) -> None:
    view = compose_view(concern(), ZHANG, occasion, people(), MONDAY, persona="清海")  # type: ignore[arg-type]
    assert SECRET not in view.model_dump_json()
    assert [line.text for line in view.dialogue] == ["我看看，你找王五吧"]


def test_a_delegate_s_brief_holds_what_they_were_asked_and_nobody_s_name() -> None:
    brief = delegate_brief(concern(), ZHANG)
    assert SECRET not in brief.model_dump_json()
    assert brief.people == ()
    assert brief.standing == ""


def test_the_initiator_s_words_are_in_every_view() -> None:
    assert concern().initiator_id == OWNER
    assert assess_view(concern(), LI, Trigger.REPLY, people(), MONDAY, persona="清海").initiator_words
