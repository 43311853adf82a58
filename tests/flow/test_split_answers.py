"""One message that answers matters of several people, with a file: nobody gets what may be another's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

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
