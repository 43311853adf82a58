"""Schedules under bad luck: the process dies anywhere around a run, rights change, words come back for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from core.concern.model import Concern, ConcernType, Status
from core.facts import Fact, FactKind, Trigger
from core.ids import ConversationId, PersonId
from core.people import Role
from tests.flow.office import Office

ORDERS = {
    "remind": "每天早上九点提醒我吃药",
    "ask": "每天上午九点问张三昨天的产量是多少",
    "relay": "明天上午十点告诉张三会议室换到三楼",
    "say": "每天早上9点告诉我还有什么没办完",
}
MOST_POINTS = 14
"""Commits and sends of one run, and some more."""


@pytest.fixture
def office() -> Iterator[Office]:
    it = Office()
    yield it
    it.close()


def arrived(office: Office) -> Counter[tuple[str, str]]:
    return Counter((office.chat_of(a.chat).person_id, a.text) for a in office.ledger)


def schedule(office: Office) -> Concern:
    (found,) = [c for c in office.concerns() if c.type is ConcernType.SCHEDULE]
    return found


def ordered(order: str) -> Office:
    office = Office()
    office.say("p_owner", ORDERS[order])
    assert schedule(office).status is Status.PENDING
    return office


@pytest.mark.parametrize("order", ORDERS)
def test_killed_anywhere_around_a_run_nothing_is_lost_and_nothing_is_done_twice(order: str) -> None:
    calm = ordered(order)
    calm.advance(timedelta(days=1, hours=1))
    wanted, runs = arrived(calm), schedule(calm).executions
    calm.close()
    assert len(wanted) > 1
    deaths = 0
    for point in range(1, MOST_POINTS):
        office = ordered(order)
        office.die_in(point)
        office.advance(timedelta(days=1, hours=1))
        office.restart()
        assert arrived(office) == wanted, f"killed at point {point}"
        assert schedule(office).executions == runs
        deaths += office.deaths
        office.close()
    assert deaths >= 5


def test_killed_anywhere_around_a_condition_it_fires_once() -> None:
    deaths = 0
    for point in range(1, MOST_POINTS):
        office = Office()
        office.say("p_owner", "每次部署完提醒我发公告")
        assert schedule(office).due_at is None
        office.die_in(point)
        office.happens(due(schedule(office), office.clock.now()))
        office.restart()
        assert sum(text == "提醒你：发公告" for _, text in arrived(office).elements()) == 1, f"killed at point {point}"
        assert len(schedule(office).executions or ()) == 1
        deaths += office.deaths
        office.close()
    assert deaths >= 5


def test_one_moment_that_two_scans_found_runs_once(office: Office) -> None:
    office.say("p_owner", ORDERS["remind"])
    concern = schedule(office)
    office.advance(timedelta(hours=23))
    office.happens(due(concern, office.clock.now()))
    assert sum("吃药" in text and text.startswith("提醒你") for _, text in arrived(office).elements()) == 1
    assert len(schedule(office).executions or ()) == 1


def test_what_its_owner_may_no_longer_ask_for_is_not_done_and_ends(office: Office) -> None:
    office.say("p_wang", ORDERS["ask"])
    assert schedule(office).initiator_id == "p_wang"

    def demote(repos: object) -> None:
        people = repos.people  # type: ignore[attr-defined]
        people.save(people.get(PersonId("p_wang")).model_copy(update={"role": Role.DELEGATE}))

    office.look(demote)
    office.advance(timedelta(days=2))
    assert schedule(office).status is Status.DROPPED
    assert not [text for who, text in arrived(office) if who == "p_zhangsan"]
    assert any("没有这个权限" in text for who, text in arrived(office) if who == "p_wang")


def test_words_that_were_kept_are_not_kept_once_more(office: Office) -> None:
    office.say("p_owner", ORDERS["say"])
    kept = schedule(office)
    now = office.clock.now()
    for n, text in enumerate((ORDERS["say"], ORDERS["remind"])):
        office.happens(prompt(n, text, now))
    assert schedule(office).concern_id == kept.concern_id
    assert any(text == "提醒你：吃药" for _, text in arrived(office))


def test_words_that_were_kept_answer_nothing_that_waits(office: Office) -> None:
    office.say("p_owner", "问张三和新来的小赵，周五能不能加班")
    waiting = office.look(lambda repos: repos.blocks.of(PersonId("p_owner")))
    assert [b for b in waiting if b.kind == "actions_need_confirmation"]
    office.happens(prompt(1, "确认", office.clock.now()))
    assert not [text for who, text in arrived(office) if who == "p_zhangsan"]


def due(concern: Concern, now: datetime) -> Fact:
    """What a scan, or a condition that is met, makes of a schedule."""
    return Fact(
        channel="timer",
        event_id="another",
        kind=FactKind.TIMER,
        occurred_at=now,
        conversation=ConversationId(f"concern:{concern.concern_id}"),
        trigger=Trigger.SCHEDULE,
        concern_id=concern.concern_id,
    )


def prompt(n: int, text: str, now: datetime) -> Fact:
    """Words that come in by themselves, as a schedule's run brings them."""
    return Fact(
        channel="telegram",
        event_id=f"prompt:{n}",
        kind=FactKind.PROMPT,
        occurred_at=now,
        conversation=ConversationId("telegram:1"),
        sender="1",
        text=text,
    )


LATE_WORDS = [
    ("一小时后提醒我收衣服", timedelta(minutes=50), "10:10"),
    ("明天十一点提醒我交报表", timedelta(hours=11), "3月16日周一 11:00"),
    ("一分钟后提醒我收衣服", timedelta(minutes=1), "10:01"),
    ("一分钟后提醒我收衣服", timedelta(minutes=50), "已经过去"),
]


@pytest.mark.parametrize(("text", "ago", "told"), LATE_WORDS)
def test_what_comes_late_counts_from_when_it_was_written(text: str, ago: timedelta, told: str) -> None:
    office = Office()
    try:
        office.say("p_owner", text, ago=ago)
        assert told in office.ledger[-1].text
    finally:
        office.close()
