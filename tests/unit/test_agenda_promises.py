"""Promises in passing: when one is said again, who may close it, and what is asked once its day has gone by."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.agenda.model import WatchItem
from core.agenda.watch import awaited, may_show, promise_again
from core.concern.decision import Setting
from core.concern.model import CommStatus, ConcernType, Priority
from core.concern.promised import UNRAISED, ask, is_promise
from core.effects import Purpose, Send
from core.ids import ConversationId, PersonId
from core.limits import Limits
from core.people import Identity, Person, Role

MONDAY = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
WEDNESDAY = MONDAY.replace(day=18, hour=18)
OWNER = Person(
    person_id=PersonId("p_owner"),
    name="老板",
    role=Role.OWNER,
    identities=(Identity(channel="telegram", user_id="1"),),
)
ZHANG = Person(person_id=PersonId("p_zhang"), name="张三", identities=(Identity(channel="feishu", user_id="ou_zhang"),))
LI = ZHANG.model_copy(update={"person_id": PersonId("p_li"), "name": "李四"})


def promised(what: str = "把合同发过去", **more: Any) -> WatchItem:
    values: dict[str, Any] = {
        "watch_id": "w1",
        "owner": OWNER.person_id,
        "conversation": ConversationId("feishu:ou_zhang"),
        "person_id": ZHANG.person_id,
        "what": what,
        "words": f"我周三{what}",
        "created_at": MONDAY,
        "expires_at": WEDNESDAY,
        "kind": "promise",
        "promised": WEDNESDAY,
    }
    return WatchItem(**(values | more))


@pytest.mark.parametrize(
    ("what", "same"), [("把合同发过去", True), ("合同发过去", True), ("把发票发过去", False), ("给客户答复", False)]
)
def test_the_same_promise_again(what: str, same: bool) -> None:
    assert (promise_again([promised()], ZHANG.person_id, what) is not None) is same
    assert promise_again([promised()], LI.person_id, what) is None
    assert promise_again([promised(kind="news")], ZHANG.person_id, what) is None


@pytest.mark.parametrize(
    ("about", "happened", "promise", "news"),
    [
        (ZHANG, False, True, True),
        (OWNER, False, True, False),  # who is to know says that it came; nobody is told what they say themselves
        (LI, False, False, True),
        (None, True, True, True),
        (OWNER, True, True, True),
    ],
)
def test_whose_words_and_deeds_show_it(about: Person | None, happened: bool, promise: bool, news: bool) -> None:
    assert may_show(promised(), about, happened=happened) is promise
    assert may_show(promised(kind="news"), about, happened=happened) is news


def test_a_promise_must_have_been_kept_of_news_any_word_will_do() -> None:
    assert awaited(promised(), "张三").kind == "expectation"
    assert awaited(promised(kind="news"), "张三").kind == "watch"


def asked(item: WatchItem, person: Person = ZHANG, waits: Person | None = OWNER) -> Any:
    people = {p.person_id: p for p in (OWNER, ZHANG, LI)}
    setting = Setting(now=WEDNESDAY, people=people, limits=Limits(), persona="清海")
    return ask(item, person, waits, UNRAISED, setting, "f7")


def test_whoever_made_it_is_asked_once_they_may_be_written_to() -> None:
    decision = asked(promised())
    concern, (send,) = decision.concern, decision.effects
    assert (concern.type, concern.initiator_id, concern.priority) == (ConcernType.HEARTBEAT, None, Priority.MEDIUM)
    assert (concern.title, concern.goal, concern.cause) == ("把合同发过去", "张三办好：把合同发过去", "f7")
    assert is_promise(concern)
    assert isinstance(send, Send)
    # 18:00 is closed
    assert send.due == WEDNESDAY.replace(day=19, hour=9)
    assert (send.message.purpose, send.message.to) == (Purpose.FIRST_CONTACT, ZHANG.person_id)
    assert send.message.words.values["initiator"] == "老板"


def test_urgent_words_make_it_high_and_what_one_owes_oneself_is_recalled_gently() -> None:
    assert asked(promised(urgent=True)).concern.priority is Priority.HIGH
    own = asked(promised(person_id=OWNER.person_id, urgent=True), OWNER)
    assert own.concern.priority is Priority.LOW
    assert own.effects[0].message.words.values["initiator"] is None


def test_it_is_put_in_the_language_of_the_promise() -> None:
    assert asked(promised("send the contract")).concern.goal == "Done by 张三: send the contract"


def test_it_says_why_it_was_lifted() -> None:
    (lifted,) = asked(promised()).recent
    assert (lifted.what, lifted.why, lifted.owner) == ("lifted", "张三：我周三把合同发过去", OWNER.person_id)
    assert [p.comm_status for p in asked(promised()).concern.delegates] == [CommStatus.TO_CONTACT]
