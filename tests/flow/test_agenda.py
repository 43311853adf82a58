"""The order of the agenda in a living office: timers never touch it, words do, and every end leaves it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from bot.system import VirtualClock
from core.agenda.model import ConcernRef
from core.agenda.ranking import focus_at
from core.brain.questions import A, Question
from core.brain.rules import RuleBrain
from core.concern.refs import ref_of
from core.ids import PersonId
from tests.flow.office import Office

MEMBER = PersonId("p_wang")


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office()
    yield made
    made.close()


def queue(office: Office, owner: PersonId | None = None) -> list[ConcernRef]:
    return list(office.look(lambda repos: repos.agenda.focus(100, owner)))


def titles(office: Office) -> list[str]:
    by_id: dict[str, Any] = {c.concern_id: c for c in office.concerns()}
    return [by_id[ref.concern_id].title for ref in queue(office)]


def busy(office: Office) -> None:
    office.say("p_owner", "不急，有空问一下赵六，团建去哪里")
    office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
    office.say("p_wang", "帮我问一下李四，合同到哪一步了")
    office.say("p_owner", "很急，帮我问一下张三，补丁发了没有")
    office.say("p_owner", "每天早上九点提醒我吃药")


def test_the_scheduler_never_touches_the_order(office: Office) -> None:
    busy(office)
    before = [(r.concern_id, focus_at(r)) for r in queue(office)]
    office.advance(timedelta(hours=30))
    followed_up = [c for c in office.concerns() if any(e.purpose == "follow_up" for e in c.conversation_log)]
    assert len(followed_up) == 4
    still_open = {r.concern_id for r in queue(office)}
    active = [entry for entry in before if entry[0] in still_open][:-1]  # the schedule moves on to its next run
    assert [(r.concern_id, focus_at(r)) for r in queue(office)][:-1] == active


def test_a_word_moves_a_matter_back_and_a_question_to_the_owner_forward(office: Office) -> None:
    busy(office)
    office.advance(timedelta(hours=1))
    assert titles(office)[:3] == ["补丁发了没有", "v2.0 什么时候能提测", "合同到哪一步了"]
    office.say("p_lisi", "这事不归我")
    assert titles(office)[:2] == ["合同到哪一步了", "补丁发了没有"]
    office.say("p_wang", "不用问了")
    assert "合同到哪一步了" not in titles(office)


def test_the_queue_of_a_member_holds_their_own(office: Office) -> None:
    busy(office)
    assert {r.owner for r in queue(office, MEMBER)} == {MEMBER}
    assert len(queue(office, MEMBER)) == 1


def test_every_matter_knows_its_cause(office: Office) -> None:
    busy(office)
    office.advance(timedelta(days=1))
    for concern in office.concerns():
        assert concern.cause is not None
        fact_id = int(concern.cause[1:])
        judged = office.look(lambda repos, number=fact_id: repos.facts.judged(number))
        assert (judged.decision, judged.brain) == ("raise", "rules")
        assert judged.reason


def test_the_references_tell_what_the_concerns_are(office: Office) -> None:
    busy(office)
    office.advance(timedelta(hours=5))
    assert {r.concern_id: r for r in queue(office)} == {
        c.concern_id: ref_of(c) for c in office.concerns() if c.status.is_open
    }


class SlowRules(RuleBrain):
    """Takes a while over every judgement."""

    clock: VirtualClock

    async def ask(self, question: Question[A]) -> A:
        if question.name == "judge":
            self.clock.set(self.clock.now() + timedelta(milliseconds=250))
        return await super().ask(question)


def test_how_long_a_judgement_took_is_kept() -> None:
    brain = SlowRules()
    office = Office(brain=brain)
    brain.clock = office.clock
    try:
        office.say("p_owner", "帮我问一下张三，v2.0 什么时候能提测")
        cause = office.concerns()[0].cause
        assert cause is not None
        judged = office.look(lambda repos: repos.facts.judged(int(cause.removeprefix("f"))))
        assert judged is not None
        assert judged.milliseconds >= 250
    finally:
        office.close()
