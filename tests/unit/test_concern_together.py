"""Several chases of one delegate as one message."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.concern.model import Concern, Priority
from core.concern.opening import open_concern
from core.concern.together import as_one, may_share, parts_of
from core.effects import Outgoing, Purpose, Words
from core.ids import ConcernId, PersonId
from tests.unit.concern_desk import LI, MONDAY, RENDERER, ZHANG, people, proposal, setting


def concern(number: int, title: str, **more: object) -> Concern:
    asked = proposal(people()[ZHANG], concern_id=ConcernId(f"con_20260316_00{number}"), title=title, **more)
    return open_concern(asked, setting()).concern


def chase(of: Concern, purpose: Purpose = Purpose.FOLLOW_UP, to: PersonId = ZHANG, **more: object) -> Outgoing:
    return Outgoing(purpose=purpose, to=to, words=Words(text=f"{of.title}？"), concern_id=of.concern_id, **more)  # type: ignore[arg-type]


def text(message: Outgoing, language: str = "zh-CN") -> str:
    template, values = message.words.template, message.words.values
    assert template is not None
    return RENDERER.render(template, language, now=MONDAY, timezone="Asia/Shanghai", **values)


TESTS, CONTRACT = concern(1, "v2.0 提测"), concern(2, "合同", deadline=MONDAY + timedelta(hours=6))
BOTH = {c.concern_id: c for c in (TESTS, CONTRACT)}


def test_one_alone_stays_as_it_is() -> None:
    assert as_one([chase(TESTS)], BOTH) == chase(TESTS)
    assert parts_of(chase(TESTS)) == (chase(TESTS),)


def test_several_become_one_that_belongs_to_no_concern_and_keeps_their_own_words() -> None:
    whole = as_one([chase(TESTS), chase(CONTRACT)], BOTH)
    assert (whole.to, whole.concern_id, whole.purpose) == (ZHANG, None, Purpose.FOLLOW_UP)
    assert [p.words.text for p in parts_of(whole)] == ["v2.0 提测？", "合同？"]


@pytest.mark.parametrize(("language", "due"), [("zh-CN", "今天 16:00 前要"), ("en", "due today 16:00")])
def test_the_text_lists_them_with_who_asks_and_until_when(language: str, due: str) -> None:
    said = text(as_one([chase(TESTS), chase(CONTRACT)], BOTH), language)
    first, *items = said.splitlines()
    assert "老板" in first
    assert [line[:3] for line in items] == ["1. ", "2. "]
    assert "v2.0 提测" in items[0]
    assert "合同" in items[1]
    assert items[1].endswith(due)


def test_each_is_told_apart_by_who_asks_where_that_differs() -> None:
    other = concern(3, "发票", initiator=people()[LI])
    said = text(as_one([chase(TESTS), chase(other)], {**BOTH, other.concern_id: other}))
    assert "v2.0 提测（老板）" in said
    assert "发票（李四）" in said


def test_a_channel_to_avoid_is_avoided_for_all() -> None:
    assert as_one([chase(TESTS), chase(CONTRACT, avoid_channel="feishu")], BOTH).avoid_channel == "feishu"


@pytest.mark.parametrize("purpose", list(Purpose))
def test_only_chases_share(purpose: Purpose) -> None:
    assert may_share(TESTS, chase(TESTS, purpose)) is (purpose in (Purpose.FOLLOW_UP, Purpose.DEADLINE_CHECK))


def test_what_is_critical_goes_alone() -> None:
    urgent = TESTS.model_copy(update={"priority": Priority.CRITICAL})
    assert not may_share(urgent, chase(urgent))
