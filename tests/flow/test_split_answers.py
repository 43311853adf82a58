"""One message that answers matters of several people, with a file: nobody gets what may be another's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from core.brain.questions import A, MatchReply, Question
from core.brain.rules import RuleBrain
from core.facts import Attachment, FactKind
from tests.flow.office import Office

SCAN = (Attachment(kind="document", name="扫描件.pdf", ref="r1"),)


@pytest.fixture
def office() -> Iterator[Office]:
    made = Office()
    made.say("p_owner", "帮我问一下张三，报价什么时候给")
    made.say("p_wang", "帮我问一下张三，合同签了没有")
    made.advance(timedelta(hours=1))
    yield made
    made.close()


def answer(office: Office, text: str) -> None:
    now = office.clock.now()
    office._happens("p_zhangsan", text=text, kind=FactKind.MESSAGE, occurred_at=now, attachments=SCAN)
    office.advance(timedelta(minutes=1))


def test_a_file_with_words_for_two_people_waits_until_it_is_said_whose_it_is(office: Office) -> None:
    before = len(office.ledger)
    answer(office, "报价周四给，合同已经签了")
    (asked,) = office.ledger[before:]
    assert office.chat_of(asked.chat).person_id == "p_zhangsan"
    assert "哪一件" in asked.text
    office.say("p_zhangsan", "2")
    got = {office.chat_of(a.chat).person_id for a in office.ledger[before + 1 :] if "扫描件" in a.text}
    assert got == {"p_wang"}


def test_without_a_file_each_gets_their_own_part(office: Office) -> None:
    before = len(office.ledger)
    office.say("p_zhangsan", "报价周四给，合同已经签了")
    office.advance(timedelta(minutes=1))
    texts = {office.chat_of(a.chat).person_id: a.text for a in office.ledger[before:]}
    assert "周四" in texts["p_owner"]
    assert "签" not in texts["p_owner"]
    assert "签" in texts["p_wang"]
    assert "周四" not in texts["p_wang"]


# --- what a model makes of it -----------------------------------------------------------------------------------------

QUOTE, CONTRACT = "con_20260316_001", "con_20260316_002"


class Splitter(RuleBrain):
    """A mind that finds both matters meant, and cuts the words as it likes."""

    name = "model"

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[str, str] = {}

    async def ask(self, question: Question[A]) -> A:
        answer = await super().ask(question)
        if not isinstance(question, MatchReply):
            return answer
        return type(answer).model_validate({"concern_ids": [QUOTE, CONTRACT], "parts": self.parts})


def split(text: str, parts: dict[str, str]) -> dict[str, str]:
    """What each of the two initiators reads of such an answer, by person; of 张三 what they are asked."""
    brain = Splitter()
    office = Office(brain=brain)
    office.say("p_owner", "帮我问一下张三，报价什么时候给")
    office.say("p_wang", "帮我问一下张三，合同签了没有")
    office.advance(timedelta(hours=1))
    brain.parts = parts
    before = len(office.ledger)
    office.say("p_zhangsan", text)
    office.advance(timedelta(minutes=1))
    read: dict[str, Any] = {}
    for arrived in office.ledger[before:]:
        read.setdefault(office.chat_of(arrived.chat).person_id, []).append(arrived.text)
    office.close()
    return {who: "\n".join(texts) for who, texts in read.items()}


def test_the_parts_that_a_model_cuts_are_handed_on() -> None:
    read = split("周四给，已经签了", {QUOTE: "周四给", CONTRACT: "已经签了"})
    assert ("周四" in read["p_owner"], "签" in read["p_owner"].replace("签了没有", "")) == (True, False)
    assert ("签" in read["p_wang"], "周四" in read["p_wang"]) == (True, False)


@pytest.mark.parametrize(
    "parts",
    [
        {QUOTE: "报价周四给", CONTRACT: "合同还没签，对方不同意"},  # words that nobody said
        {QUOTE: "报价周四给"},  # a matter that is left out
        {},
    ],
    ids=["invented", "incomplete", "none"],
)
def test_what_a_model_cuts_wrong_is_cut_by_the_rules(parts: dict[str, str]) -> None:
    read = split("报价周四给，合同已经签了", parts)
    assert ("周四" in read["p_owner"], "签" in read["p_owner"]) == (True, False)
    assert ("已经签了" in read["p_wang"], "周四" in read["p_wang"]) == (True, False)
    assert "不同意" not in read["p_wang"]


@pytest.mark.parametrize("parts", [{}, {QUOTE: "周四给"}, {QUOTE: "周四给", CONTRACT: "对方不同意"}])
def test_what_nobody_can_cut_goes_to_neither_before_it_is_said_whose_it_is(parts: dict[str, str]) -> None:
    read = split("周四给，那边说没问题", parts)
    assert set(read) == {"p_zhangsan"}
    assert "哪一件" in read["p_zhangsan"]
