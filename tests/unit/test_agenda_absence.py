"""Which run of an expectation is judged, what shows that it came, and when the next one is."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.agenda.absence import evidence, judged, occasion, unsettled
from core.agenda.model import Expectation, WatchItem
from core.agenda.watch import expiry, may_bear_on
from core.facts import Attachment, Fact, FactKind
from core.ids import ConversationId, PersonId
from core.people import Identity, Person, Role
from core.schedule import read_when

ZONE = ZoneInfo("Asia/Shanghai")
MONDAY = datetime(2026, 3, 16, 10, 0, tzinfo=ZONE)
OWNER = Person(person_id=PersonId("p_owner"), name="老板", role=Role.OWNER)
ZHANG = Person(person_id=PersonId("p_zhang"), name="张三", identities=(Identity(channel="feishu", user_id="ou_zhang"),))
DAILY = "FREQ=DAILY;BYHOUR=18;BYMINUTE=30"


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


def expected(what: str = "发日报", due: str = DAILY, **more: Any) -> Expectation:
    values: dict[str, Any] = {
        "expectation_id": "e1",
        "owner": OWNER.person_id,
        "conversation": ConversationId("telegram:1001"),
        "person_id": ZHANG.person_id,
        "who": "张三",
        "what": what,
        "words": "张三每天 18:30 前发日报",
        "due": read_when(due, "Asia/Shanghai", MONDAY),
        "created_at": MONDAY,
        "since": MONDAY,
        "next_due": at(16, 18, 30),
        **more,
    }
    return Expectation(**values)


def message(text: str = "", *files: tuple[str, str | None]) -> Fact:
    return Fact(
        channel="feishu",
        event_id=f"m:{text}",
        kind=FactKind.MESSAGE,
        occurred_at=at(16, 17),
        conversation=ConversationId("feishu:ou_zhang"),
        sender="ou_zhang",
        text=text,
        attachments=tuple(Attachment(kind=kind, name=name, ref="r") for kind, name in files),
    )


def event(text: str, person: str | None = None) -> Fact:
    return Fact(
        channel="gitlab",
        event_id=f"e:{text}",
        kind=FactKind.EVENT,
        occurred_at=at(16, 17),
        conversation=ConversationId("gitlab:mr"),
        text=text,
        person_id=PersonId(person) if person else None,
    )


# --- which run ---


def test_nothing_is_judged_before_its_moment() -> None:
    assert occasion(expected(), at(16, 18, 29), OWNER) is None
    assert occasion(expected(next_due=None), at(20, 0), OWNER) is None


def test_the_run_that_is_due_is_judged_by_what_happened_since_the_last_one() -> None:
    run = occasion(expected(), at(16, 18, 30), OWNER)
    assert run is not None
    assert (run.since, run.due, run.skipped) == (MONDAY, at(16, 18, 30), 0)


def test_after_a_downtime_only_the_latest_run_is_judged_by_its_own_window() -> None:
    run = occasion(expected(), at(19, 9), OWNER)
    assert run is not None
    assert (run.since, run.due, run.skipped) == (at(17, 18, 30), at(18, 18, 30), 2)


@pytest.mark.parametrize("met", [True, False])
def test_a_run_is_counted_and_the_next_one_follows(met: bool) -> None:
    run = occasion(expected(), at(16, 18, 31), OWNER)
    assert run is not None
    after = judged(expected(), run, met, at(16, 18, 31), OWNER)
    assert (after.met, after.missed) == (int(met), int(not met))
    assert after.next_due == at(17, 18, 30)
    assert after.since == at(16, 18, 31)


def test_what_is_expected_once_is_over_after_it() -> None:
    once = expected(due=at(16, 18, 30).isoformat())
    run = occasion(once, at(16, 18, 30), OWNER)
    assert run is not None
    assert judged(once, run, True, at(16, 18, 30), OWNER).next_due is None


# --- what shows it ---


@pytest.mark.parametrize(
    "fact",
    [
        message("日报发群里了"),
        message("", ("document", "日报0316.docx")),
        message("", ("document", "20260316.xlsx")),
        message("", ("photo", None)),
        event("doc: 张三 的日报 已提交"),
        event("doc: 日报 已提交", "p_zhang"),
    ],
)
def test_it_came(fact: Fact) -> None:
    assert evidence(expected(), ZHANG, [fact], []) is not None


@pytest.mark.parametrize(
    "fact",
    [
        message("日报晚点发"),
        message("今天请假"),
        message("", ("document", "差旅报销单.xlsx")),
        message("", ("sticker", None)),
        message("", ("location", None)),
        event("doc: 日报 已提交", "p_li"),
        event("pipeline: 日报 失败", "p_zhang"),
        event("merge_request: v2.0", "p_zhang"),
    ],
)
def test_it_did_not(fact: Fact) -> None:
    assert evidence(expected(), ZHANG, [fact], []) is None


def test_a_file_is_nothing_where_a_deed_is_expected() -> None:
    assert evidence(expected("到岗打卡"), ZHANG, [message("", ("document", "方案.docx"))], []) is None
    assert evidence(expected("到岗打卡"), ZHANG, [message("已打卡")], []) is not None


def test_the_one_who_waits_may_say_so() -> None:
    assert evidence(expected(), ZHANG, [], [message("张三的日报收到了")]) is not None
    assert evidence(expected(), ZHANG, [], [message("张三的日报呢？")]) is None


def test_of_somebody_outside_only_events_that_name_them_count() -> None:
    outside = expected("送样品", person_id=None, who="供应商")
    assert evidence(outside, None, [event("delivery: 供应商 样品 12 箱入库")], []) is not None
    assert evidence(outside, None, [event("delivery: 样品 12 箱入库")], []) is None


def test_a_mind_is_shown_words_and_events_apart() -> None:
    facts = [message("今天的东西我传上去了"), message("", ("photo", None)), event("push: docs"), event("push", "p_li")]
    assert [f.text for f in unsettled(ZHANG, facts, events=False)] == ["今天的东西我传上去了"]
    assert [f.text for f in unsettled(ZHANG, facts, events=True)] == ["push: docs"]


# --- watch items ---


def test_a_watch_without_a_date_lasts_two_weeks_and_none_lies_in_the_past() -> None:
    assert expiry(None, MONDAY) == MONDAY + timedelta(days=14)
    assert expiry(at(18, 18), MONDAY) == at(18, 18)
    assert expiry(at(16, 10), MONDAY) is None


def test_a_watch_over_a_person_is_looked_at_when_they_speak_or_are_named() -> None:
    item = WatchItem(
        watch_id="w1",
        owner=OWNER.person_id,
        conversation=ConversationId("telegram:1001"),
        person_id=ZHANG.person_id,
        what="有没有消息",
        words="留意张三",
        created_at=MONDAY,
        expires_at=at(30, 10),
    )
    li = Person(person_id=PersonId("p_li"), name="李四")
    assert may_bear_on(item, "张三", ZHANG, "我回来了")
    assert may_bear_on(item, "张三", li, "张三回来了")
    assert not may_bear_on(item, "张三", li, "我回来了")
    assert may_bear_on(item.model_copy(update={"person_id": None}), "", li, "我回来了")
