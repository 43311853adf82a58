"""Whatever has a moment of its own: never early, late by at most a scan and a second, and told of after a week down.

The owner lives where clocks are changed, and each story begins on the day before. When something is due is worked out
here by hand; the bot is looked at a second before, and at a scan's distance after.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.action.task import DeepTaskState
from core.callbacks import USER_REMINDER, Callback
from core.hub.abilities.tasks import keep_task, queue_step
from core.hub.errand import Errand
from core.ids import ConversationId, PersonId
from core.jobs import JobState
from tests.flow.office import Office
from tests.sampling import WHOLE

SEEDS = 30 if WHOLE else 2
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
EVES = (
    ("Europe/Berlin", datetime(2026, 3, 28)),  # noqa: DTZ001
    ("Europe/Berlin", datetime(2026, 10, 24)),  # noqa: DTZ001
    ("America/New_York", datetime(2026, 3, 7)),  # noqa: DTZ001
    ("America/New_York", datetime(2026, 10, 31)),  # noqa: DTZ001
    ("Asia/Shanghai", datetime(2026, 3, 16)),  # noqa: DTZ001
)
HOME = ConversationId("telegram:1")
OWNER = PersonId("p_owner")


def shown(zone: str, day: datetime, hour: int, minute: int = 0) -> datetime:
    """When clocks there show this: a time that is skipped is the first after the gap, of a double one the first."""
    wall = datetime.combine(day.date(), time(hour, minute))
    while True:
        at = wall.replace(tzinfo=ZoneInfo(zone))
        if at.astimezone(UTC).astimezone(at.tzinfo).replace(tzinfo=None) == wall:
            return at.astimezone(UTC)
        wall += timedelta(minutes=1)


@dataclass(frozen=True)
class Due:
    """Something that comes to somebody at a moment: a message that holds these words."""

    at: datetime
    who: str
    words: str


class Story:
    """An owner and delegates who are always at work, so that nothing but its own moment holds anything back."""

    def __init__(self, zone: str, eve: datetime, die: random.Random) -> None:
        self.zone, self.die, self.eve = zone, die, eve
        always = {"timezone": zone, "working_hours": "00:00-24:00", "working_days": "daily"}
        names = {"p_zhangsan": "张三", "p_lisi": "李四", "p_zhaoliu": "赵六", "p_qianqi": "钱七"}
        others = [{"id": p, "name": n, "telegram": str(k), **always} for k, (p, n) in enumerate(names.items(), 2)]
        self.start = shown(zone, eve, 10, die.randrange(60)).replace(second=die.randrange(60))
        people = {"owner": {"id": OWNER, "name": "老板", "telegram": "1", **always}, "people": others}
        self.office = Office(people=people, start=self.start)

    def say(self, text: str, who: str = OWNER) -> datetime:
        self.office.say(who, text)
        return self.office.clock.now()

    def texts(self, who: str, words: str) -> list[datetime]:
        office = self.office
        return [a.at for a in office.ledger if office.chat_of(a.chat).person_id == who and words in a.text]

    def day(self, days: int) -> datetime:
        return self.eve + days * DAY


# --- what has a moment: each says what it is due, from what was said ---------------------------------------------------


def a_reminder_in_minutes(story: Story) -> list[Due]:
    minutes = story.die.randrange(5, 1500)
    return [Due(story.say(f"{minutes}分钟后提醒我浇花") + timedelta(minutes=minutes), OWNER, "提醒你：浇花")]


def a_reminder_at_a_time(story: Story) -> list[Due]:
    hour, minute = story.die.choice(((1, 30), (2, 0), (2, 30), (3, 0), (7, 15)))
    day = story.day(1)
    story.say(f"{day.month}月{day.day}日凌晨{hour}点{minute}分提醒我吃药")
    return [Due(shown(story.zone, day, hour, minute), OWNER, "提醒你：吃药")]


def a_reminder_every_day(story: Story) -> list[Due]:
    hour, minute = story.die.choice(((1, 30), (2, 30), (6, 45)))
    story.say(f"每天早上{hour}点{minute}分提醒我喝水")
    return [Due(shown(story.zone, story.day(n), hour, minute), OWNER, "提醒你：喝水") for n in (1, 2, 3)]


def a_callback(story: Story) -> list[Due]:
    at = story.office.clock.now() + timedelta(seconds=story.die.randrange(1, 100_000))
    record = Callback(
        id="cb:test",
        chat_id=HOME,
        content="给车加油",
        trigger_source=USER_REMINDER,
        created_at=story.office.clock.now(),
        fire_at=at,
        person_id=OWNER,
    )
    story.office.look(lambda repos: repos.callbacks.add(record))
    return [Due(at, OWNER, "给车加油")]


def a_confirmation(story: Story) -> list[Due]:
    return [Due(story.say("让钱七给供应商付五万块") + timedelta(minutes=30), OWNER, "一直没等到确认")]


def a_delegation(story: Story) -> list[Due]:
    asked = story.say("帮我问一下张三，合同到哪一步了")
    return [Due(asked + 4 * HOUR, "p_zhangsan", "合同到哪一步了")]


def a_decision(story: Story) -> list[Due]:
    story.say("帮我问一下赵六，发票开了没有")
    asked = story.say("这事不归我，你找别人吧", "p_zhaoliu")
    return [Due(asked + 4 * HOUR, OWNER, "还在等你决定")]


def an_expectation(story: Story) -> list[Due]:
    story.say("李四每天下午五点前要发日报，没发就催他")
    return [Due(shown(story.zone, story.day(0), 17), "p_lisi", "发日报")]


def a_watch(story: Story) -> list[Due]:
    return [Due(story.say("留意一下有没有人提到服务器宕机") + 14 * DAY, OWNER, "先不盯了")]


def a_deep_task(story: Story) -> list[Due]:
    """One whose time runs out before its next step."""
    errand = Errand(
        person_id=OWNER, conversation=HOME, channel="telegram", channel_user_id="1", cause="f1", words="理一遍"
    )
    now = story.office.clock.now()
    step = now + timedelta(minutes=story.die.randrange(10, 1000))
    state = DeepTaskState(
        task_id="task:f1",
        goal="把手上的事理一遍",
        errand=errand.model_dump(mode="json"),
        steps=3,
        started_at=now,
        expires_at=step - SECOND,
    )

    def keep(repos: Any) -> None:
        keep_task(repos, state)
        queue_step(repos, state, step)

    story.office.look(keep)
    return [Due(step, OWNER, "把手上的事理一遍")]


KINDS: tuple[Callable[[Story], list[Due]], ...] = (
    a_reminder_in_minutes,
    a_reminder_at_a_time,
    a_reminder_every_day,
    a_callback,
    a_confirmation,
    a_delegation,
    a_decision,
    an_expectation,
    a_watch,
    a_deep_task,
)


def stories() -> Iterator[tuple[str, datetime, random.Random]]:
    for seed in range(SEEDS):
        for zone, eve in EVES:
            yield zone, eve, random.Random(f"{seed}{zone}{eve}")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_never_early_and_late_by_at_most_a_scan_and_a_second(kind: Callable[[Story], list[Due]]) -> None:
    for zone, eve, die in stories():
        story = Story(zone, eve, die)
        try:
            expected = kind(story)
            assert expected
            for due in expected:
                before = len(story.texts(due.who, due.words))
                story.office.jump(due.at - timedelta(milliseconds=1))
                assert len(story.texts(due.who, due.words)) == before, f"early: {due}"
                for n in (0, 1, 2):  # scans, the first anywhere in the second after
                    story.office.jump(due.at + timedelta(microseconds=die.randrange(1_000_000)) / 3 + n * SECOND)
                (at,) = story.texts(due.who, due.words)[before:]
                assert at - due.at <= 2 * SECOND, f"late: {due}, {at}"
        finally:
            story.office.close()


def test_after_a_week_down_all_fires_or_is_told_of_once() -> None:
    """Everything at once, and the process dies on the way up."""
    for zone, eve, die in stories():
        story = Story(zone, eve, die)
        try:
            dues = {kind.__name__: kind(story) for kind in die.sample(KINDS, len(KINDS))}
            story.office.jump(story.start + die.choice((0, 1, 5, 20)) * HOUR)
            down_from = story.office.clock.now()
            # Later in a day than whatever comes every day: else that is not late, or comes again.
            up = shown(zone, story.day(8), die.randrange(9, 16), die.randrange(60))
            before = len(story.office.ledger)
            story.office.clock.set(up)
            if die.random() < 0.7:
                story.office.die_in(die.randrange(1, 60))
            story.office.restart()
            for n in range(1, 13):
                story.office.jump(up + n * timedelta(seconds=10))
            _all_was_told_of(story, dues, down_from, before)
            _nothing_is_left_behind(story)
        finally:
            story.office.close()


def _all_was_told_of(story: Story, dues: dict[str, list[Due]], down_from: datetime, before: int) -> None:
    office = story.office
    told = [(office.chat_of(a.chat).person_id, a.text) for a in office.ledger[before:]]
    for name, expected in dues.items():
        missed = [d for d in expected if down_from < d.at <= office.clock.now()]
        if not missed:
            continue
        found = [text for who, text in told if who == missed[0].who and missed[0].words in text]
        assert found, f"{name} passed in silence: {missed}, {told}"
        assert len(found) == 1, f"{name} came {len(found)} times: {found}"
        if "reminder" in name:
            assert "晚了" in found[0], found


def _nothing_is_left_behind(story: Story) -> None:
    now = story.office.clock.now()

    def look(repos: Any) -> list[Any]:
        return [
            repos.facts.unhandled_count(),
            [j for j in repos.jobs.list((JobState.PENDING, JobState.RUNNING, JobState.SENDING), 1000) if j.due <= now],
            list(repos.agenda.expectations_due(now, 100)),
            list(repos.agenda.watches_due(now, 100)),
            [c for c in repos.callbacks.list() if c.due_at <= now],
            [c.concern_id for c in (*repos.concerns.timed_out(now, 100), *repos.concerns.due(now, 100))],
            [c.concern_id for c in repos.concerns.schedules_due(now, 100)],
        ]

    left = story.office.look(look)
    assert not any(left), left
