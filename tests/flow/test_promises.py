"""A promise on its day: what shows that it was kept, and what it is not asked after for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from core.agenda.model import WatchItem
from core.brain.questions import A, MatchEvent, Question
from core.brain.rules import RuleBrain
from core.concern.model import ConcernType, Priority
from core.facts import Attachment, FactKind
from tests.flow.office import START, Office

A_DAY = timedelta(days=1)
AN_HOUR = timedelta(hours=1)
ZHANG = "ou_2"
WEDNESDAY = START.replace(day=18, hour=18)


class Reader(RuleBrain):
    """A mind that reads out of anything that what is awaited has come, once it is let; `meanwhile` happens before."""

    name = "model"

    def __init__(self) -> None:
        super().__init__()
        self.reads = False
        self.meanwhile: Callable[[], object] = lambda: None

    async def ask(self, question: Question[A]) -> A:
        answer = await super().ask(question)
        if not isinstance(question, MatchEvent):
            return answer
        self.meanwhile()
        return type(answer).model_validate({"item_ids": [a.item_id for a in question.awaited if self.reads]})


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office(brain=Reader())
    yield made
    made.close()


def mind(office: Office) -> Any:
    brain: Any = office.brain
    return brain._inner


def watched(office: Office) -> tuple[WatchItem, ...]:
    return office.look(lambda repos: repos.agenda.watches())


def was_asked(office: Office, chat: str = ZHANG) -> bool:
    return any("后来怎么样了" in a.text for a in office.ledger if a.chat == chat)


def test_without_a_word_it_is_asked_after(office: Office) -> None:
    office.say("p_zhangsan", "我明天把合同发过去")
    office.advance(3 * A_DAY)
    assert was_asked(office)


def test_a_file_that_is_what_was_promised_shows_it(office: Office) -> None:
    office.say("p_zhangsan", "我明天把合同发过去")
    office.advance(AN_HOUR)
    scan = (Attachment(kind="document", name="合同.pdf", ref="r1"),)
    office._happens("p_zhangsan", kind=FactKind.MESSAGE, attachments=scan)
    assert len(watched(office)) == 1
    office.advance(3 * A_DAY)
    assert (was_asked(office), watched(office)) == (False, ())


def test_what_a_mind_reads_out_of_later_words_shows_it(office: Office) -> None:
    office.say("p_zhangsan", "我明天把合同发过去")
    office.advance(AN_HOUR)
    office.say("p_zhangsan", "那边的人挺满意的")
    mind(office).reads = True
    office.advance(3 * A_DAY)
    assert (was_asked(office), watched(office)) == (False, ())


@pytest.mark.parametrize("edited", [False, True])
def test_out_of_the_words_of_the_promise_itself_nothing_is_read(office: Office, edited: bool) -> None:
    mind(office).reads = True
    message = office.say("p_zhangsan", "我明天把合同发过去")
    if edited:
        office.edit("p_zhangsan", message, "我明天一定把合同发过去")
    office.advance(3 * A_DAY)
    assert was_asked(office)


def test_said_again_while_it_is_looked_at_it_is_asked_after_on_its_new_day(office: Office) -> None:
    office.say("p_owner", "我周三给客户答复")
    office.jump(WEDNESDAY + timedelta(hours=16))  # down over its hour: what was sent meanwhile comes first
    office.say("p_owner", "我周五给客户答复")
    office.advance(A_DAY)
    assert (was_asked(office, "1"), len(watched(office))) == (False, 1)
    office.advance(5 * A_DAY)
    assert was_asked(office, "1")


@pytest.mark.parametrize("when", ["明天", "明天下午三点"], ids=["out of hours", "in hours"])
def test_one_that_is_ended_while_it_is_weighed_is_not_asked_after(office: Office, when: str) -> None:
    office.say("p_zhangsan", f"我{when}把合同发过去")
    office.advance(AN_HOUR)
    office.say("p_zhangsan", "那边的人挺满意的")
    mind(office).meanwhile = lambda: office.look(lambda repos: repos.agenda.take("w1"))
    office.advance(3 * A_DAY)
    assert (was_asked(office), office.concerns()) == (False, ())


@pytest.mark.parametrize("who", ["p_owner", "p_zhangsan"])
def test_one_that_comes_after_its_hour_is_not_noted(office: Office, who: str) -> None:
    office.advance(7 * AN_HOUR)
    office.say(who, "我今天下午三点把合同发过去", ago=5 * AN_HOUR)
    office.advance(A_DAY)
    assert watched(office) == ()
    assert not any("记下了" in a.text or "后来怎么样了" in a.text for a in office.ledger)


@pytest.mark.parametrize(("initiator", "noted"), [("p_owner", 1), ("p_wang", 0)])
def test_what_is_promised_to_anothers_matter_the_owner_does_not_learn(
    office: Office, initiator: str, noted: int
) -> None:
    office.say(initiator, "帮我问一下张三，发票什么时候能开")
    office.say("p_zhangsan", "周五能开")
    office.advance(AN_HOUR)
    office.say("p_zhangsan", "我明天把发票送过去")
    assert [w.owner for w in watched(office)] == ["p_owner"] * noted
    told = [a for a in office.ledger if "把发票送过去" in a.text]
    assert {office.chat_of(a.chat).person_id for a in told} == {initiator}


@pytest.mark.parametrize(
    ("words", "priority"),
    [("我明天把合同发过去，这个很急", Priority.HIGH), ("我明天把合同发过去", Priority.MEDIUM)],
)
def test_urgent_words_make_it_urgent(office: Office, words: str, priority: Priority) -> None:
    office.say("p_zhangsan", words)
    office.advance(3 * A_DAY)
    assert [(c.type, c.priority) for c in office.concerns()] == [(ConcernType.HEARTBEAT, priority)]
