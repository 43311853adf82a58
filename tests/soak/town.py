"""A town of people who delegate, answer late, promise, keep silent and want to be reminded, for as long as is wanted.

Everything is drawn from one seed. What arrives is written to a ledger on disk, so that only the bot can grow in memory.
"""

from __future__ import annotations

import asyncio
import gc
import heapq
import random
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import psutil

from bot.app import App, build_app
from bot.channels.virtual import Counter, VirtualChannel
from bot.settings import build_settings
from bot.system import SequenceIds, VirtualClock
from core.brain.rules import RuleBrain
from core.calendar import DailyWindow
from core.concern.decision import calendar_of
from core.concern.model import Priority
from core.concern.together import parts_of
from core.effects import BOT_STARTED, Outgoing, Purpose
from core.facts import Fact, FactKind
from core.ids import ConversationId
from core.people import Person
from core.ports import ChannelMessage, Receipt

START = datetime.fromisoformat("2026-03-16T08:00:00+08:00")
HOURS = DailyWindow.parse("08:00-22:00")
FAMILY = "赵钱孙李周吴郑冯陈褚卫蒋沈韩杨朱秦尤许何"
GIVEN = "志强 晓梅 建国 雨桐 子涵 文博 思远".split()
THINGS = ("接口联调", "合同盖章", "测试报告", "发票", "评审材料", "设计稿")
URGENCY = ("", "", "", "", "", "", "", "，很急", "，不急，有空再说", "，今天下班前要", "，十万火急")
ANSWERS = ("周四能好", "明天上午能给", "已经好了，发你了", "今天下午三点", "下周一", "好了")
PROMISES = ("好的，明天给你", "周五之前给", "晚上给你")
EVASIONS = ("我看看", "嗯", "在做了", "别催了，已经在做了", "要哪个版本？", "这事不归我", "大概这两天")
ASKING = BOT_STARTED | {Purpose.ASK_BACK}
DELAYS = (2, 15, 45, 180, 420, 1500)
"""Minutes until somebody answers."""


@dataclass(frozen=True)
class Size:
    """How much of it."""

    days: int
    people: int
    concerns: int
    seed: int = 1


@dataclass(frozen=True)
class Evening:
    """The bot at the end of a day. `blocks`: pieces of memory that Python has given out; `bytes`: of the database."""

    day: int
    blocks: int
    resident: int
    bytes: int
    concerns: int
    arrived: int
    seconds: float = 0.0


@dataclass(order=True)
class Plan:
    """Somebody will do something."""

    at: datetime
    number: int
    act: Callable[[], Fact | None] = field(compare=False)


class Street(VirtualChannel):
    """A channel that tells the town what arrived, and forgets it."""

    town: Town

    async def send(self, message: ChannelMessage) -> Receipt:
        receipt = await super().send(message)
        self.delivered.clear()
        self._by_key.clear()
        self.town.arrived(self.name, message, receipt.message_id)
        return receipt


class Town:
    """The people and the bot among them. `wrongs`: what ought not to have happened, as sentences."""

    def __init__(self, size: Size, folder: Path) -> None:
        self.size = size
        self.wrongs: list[str] = []
        self.answers = 0
        self.evenings: list[Evening] = []
        self.clock = VirtualClock(START)
        self.file = folder / "town.db"
        self._ledger = sqlite3.connect(folder / "ledger.db", isolation_level=None)
        self._ledger.executescript(
            "PRAGMA synchronous=off; CREATE TABLE arrived (key TEXT PRIMARY KEY, chat TEXT, at TEXT) WITHOUT ROWID"
        )
        self._random = random.Random(size.seed)
        self._numbers = Counter()
        self._events = Counter()
        self._plans: list[Plan] = []
        self._asleep = False
        self.settings = build_settings(_people(size.people), "the town")
        self.people = {p.person_id: p for p in self.settings.people}
        self._by_chat = {i.user_id: p for p in self.people.values() for i in p.identities}
        self._delegates = [p for p in self.people.values() if p.role == "delegate"]
        self._initiators = [p for p in self.people.values() if p.role != "delegate"]
        self.channels = {name: Street(name, self.clock, self._numbers) for name in ("telegram", "feishu")}
        for street in self.channels.values():
            street.town = self
        self._app: App | None = None

    @property
    def app(self) -> App:
        """The bot."""
        assert self._app is not None
        return self._app

    async def open(self) -> None:
        """The bot begins its work."""
        self._app = await build_app(
            self.settings,
            clock=self.clock,
            ids=SequenceIds(),
            brain=RuleBrain(),
            channels=self.channels,
            database_url=f"sqlite:///{self.file}",
            inline=True,
        )

    async def close(self) -> None:
        """It ends."""
        await self.app.close()
        self._ledger.close()

    def look(self, work: Callable[[Any], Any]) -> Any:
        """Read the database."""
        return self.app.store.run_now(work)

    # --- time ---------------------------------------------------------------------------------------------------------

    async def live(self) -> None:
        """All days, each with its share of what people want."""
        shares = _shares(self.size)
        for day, share in enumerate(shares, 1):
            morning = START + timedelta(days=day - 1)
            for _ in range(share):
                self._plan(morning + timedelta(minutes=self._random.uniform(30, 660)), self._want)
            await self._until(morning + timedelta(days=1))
            self.evenings.append(self._evening(day))

    async def sleep(self, days: int) -> None:
        """Nobody wants anything new or answers any more; what is open comes to its end."""
        self._asleep = True
        self._plans.clear()
        for concern in self.look(lambda repos: repos.concerns.list(open_only=True, limit=100_000)):
            lasting = concern.type == "schedule" or concern.priority is Priority.CRITICAL or concern.paused_until
            if lasting:
                await self._happens(
                    self._said(self.people[concern.initiator_id or "p_1"], f"/drop {concern.concern_id}")
                )
        await self._until(self.clock.now() + timedelta(days=days))

    async def _until(self, end: datetime) -> None:
        while True:
            # Nothing here ever waits, and a loop that gets no turn keeps the timers that were called off.
            await asyncio.sleep(0)
            due = await self.app.next_due()
            planned = self._plans[0].at if self._plans else None
            soonest = min((at for at in (due, planned) if at is not None), default=end)
            if soonest >= end:
                self.clock.set(end)
                await self.app.settle()
                return
            self.clock.set(soonest)
            if planned is not None and planned <= self.clock.now():
                await self._happens(heapq.heappop(self._plans).act())
            else:
                await self.app.settle()

    async def _happens(self, fact: Fact | None) -> None:
        if fact is not None:
            await self.app.accept(fact)
            await self.app.settle()

    def _plan(self, at: datetime, act: Callable[[], Fact | None]) -> None:
        heapq.heappush(self._plans, Plan(at, self._events.next(), act))

    def _evening(self, day: int) -> Evening:
        _empty_caches()
        gc.collect()
        files = [self.file, self.file.with_name("town.db-wal")]
        return Evening(
            day=day,
            blocks=sys.getallocatedblocks(),
            resident=psutil.Process().memory_info().rss,
            bytes=sum(f.stat().st_size for f in files if f.exists()),
            concerns=self.look(lambda repos: repos.concerns.count(open_only=False)),
            arrived=self._ledger.execute("SELECT count(*) FROM arrived").fetchone()[0],
            seconds=psutil.Process().cpu_times().user,
        )

    # --- what people want ---------------------------------------------------------------------------------------------

    def _want(self) -> Fact | None:
        who, dice, n = self._random.choice(self._initiators), self._random.random(), self._events.next()
        if dice < 0.80:
            return self._said(who, self._errand(n))
        if dice < 0.94:
            when = self._random.choice(("明天下午三点", "两小时后", "后天上午十点", "下周一早上九点"))
            return self._said(who, f"{when}提醒我看一下{n}号单子")
        if dice < 0.95:
            return self._said(who, f"每天早上九点提醒我看{n}号报表")
        return self._steer(who)

    def _errand(self, n: int) -> str:
        names = [p.name for p in self._random.sample(self._delegates, self._random.choice((1, 1, 1, 1, 2, 3)))]
        thing, urgency = self._random.choice(THINGS), self._random.choice(URGENCY)
        return f"帮我问一下{'、'.join(names)}，{n}号项目的{thing}什么时候能好{urgency}"

    def _steer(self, who: Person) -> Fact | None:
        mine = self.look(lambda repos: repos.concerns.open_by_initiator(who.person_id))
        if not mine:
            return None
        verb = self._random.choice(("drop", "drop", "nudge", "pause", "resume"))
        return self._said(who, f"/{verb} {self._random.choice(mine).concern_id}")

    # --- what comes of it ---------------------------------------------------------------------------------------------

    def arrived(self, channel: str, message: ChannelMessage, message_id: str) -> None:
        """Somebody got a message."""
        now = self.clock.now()
        try:
            self._ledger.execute("INSERT INTO arrived VALUES (?, ?, ?)", (message.key, message.chat, now.isoformat()))
        except sqlite3.IntegrityError:
            self.wrongs.append(f"twice: {message}")
        who = self._by_chat[message.chat]
        job = self.look(lambda repos: repos.jobs.get(message.key.rpartition("#")[0]))
        if job is None:
            self.wrongs.append(f"without a cause: {message}")
            return
        told = Outgoing.model_validate_json(job.payload) if job.kind == "deliver" else None
        if told is not None:
            for part in parts_of(told):
                self._check_hours(part, who, message)
        if self._asleep:
            return
        later = now + timedelta(minutes=self._random.choice(DELAYS))
        if message.buttons and self._random.random() < 0.5:
            data = self._random.choice([b.data for row in message.buttons for b in row])
            self._plan(later, lambda: self._fact(who, channel, FactKind.BUTTON, button=data, message_id=message_id))
        elif told is not None and told.purpose in ASKING and self._random.random() < 0.7:
            self._plan(later, lambda: self._answer(who, channel, message_id))

    def _answer(self, who: Person, channel: str, quoted: str) -> Fact:
        self.answers += 1
        text = self._random.choice(self._random.choice((ANSWERS, ANSWERS, PROMISES, EVASIONS)))
        reply_to = quoted if self._random.random() < 0.8 else None
        return self._said(who, text, channel, reply_to)

    def _check_hours(self, message: Outgoing, who: Person, arrived: ChannelMessage) -> None:
        if message.purpose not in BOT_STARTED or message.concern_id is None:
            return
        concern = self.look(lambda repos: repos.concerns.get(message.concern_id))
        pressed = message.purpose is Purpose.FIRST_CONTACT and any(e.type == "send_now" for e in concern.timeline)
        if concern.priority is Priority.CRITICAL or pressed:
            return
        calendar, now = calendar_of(who), self.clock.now()
        is_open = HOURS.contains(now, calendar.tz) if concern.priority is Priority.HIGH else calendar.is_open(now)
        if not is_open:
            self.wrongs.append(f"outside hours at {now}: {arrived}")

    def _said(self, who: Person, text: str, channel: str | None = None, reply_to: str | None = None) -> Fact:
        return self._fact(who, channel, FactKind.MESSAGE, text=text, reply_to=reply_to)

    def _fact(self, who: Person, channel: str | None, kind: FactKind, **fields: Any) -> Fact:
        identity = next(i for i in who.identities if channel in (None, i.channel))
        number = self._events.next()
        fields.setdefault("message_id", f"in{number}")
        return Fact(
            channel=identity.channel,
            event_id=f"e{number}",
            kind=kind,
            occurred_at=self.clock.now(),
            conversation=ConversationId(f"{identity.channel}:{identity.user_id}"),
            sender=identity.user_id,
            **fields,
        )


def _people(count: int) -> dict[str, Any]:
    """An owner, some members, and delegates; a third of them on two channels, a third with somebody above them."""
    names = [family + given for given in GIVEN for family in FAMILY][: count - 1]
    people: list[dict[str, Any]] = []
    for n, name in enumerate(names, 2):
        one: dict[str, Any] = {"id": f"p_{n}", "name": name, "telegram": str(n)}
        if n <= max(3, count // 5):
            one["role"] = "member"
        elif n % 3 == 0:
            one["feishu"] = f"ou_{n}"
        elif n % 3 == 1:
            one["escalation_to"] = f"p_{n - 1}"
        people.append(one)
    return {"owner": {"id": "p_1", "name": "老板", "telegram": "1"}, "people": people}


def _empty_caches() -> None:
    """What they hold has a bound, but at a few hundred texts a day it takes weeks until that is reached."""
    for cache in gc.get_objects():
        if isinstance(cache, _lru_cache_wrapper) and str(cache.__module__).partition(".")[0] in ("bot", "core"):
            cache.cache_clear()


def _shares(size: Size) -> list[int]:
    """How many wishes a day: four of five make a concern or a reminder, half as many at a weekend."""
    weights = [1.0 if (START + timedelta(days=d)).weekday() < 5 else 0.4 for d in range(size.days)]
    return [round(size.concerns * 1.05 * w / sum(weights)) for w in weights]
