"""Fair between chats: neither chats with many messages nor a chat that is blocked hold up the others.

On a clock that only moves when somebody sleeps, with the real store, deliveries and pace.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from bot.app import build_app
from bot.channels.rate import Pace
from bot.channels.telegram import RATES
from bot.channels.virtual import VirtualChannel
from bot.sending.sender import AT_ONCE
from bot.settings import build_settings
from bot.system import SequenceIds
from core.brain.rules import RuleBrain
from core.effects import Outgoing, Purpose, Send, Words
from core.errors import TransientDeliveryError
from core.hub.commit import apply
from core.ids import ConversationId
from core.ports import ChannelMessage, Receipt
from tests.flow.office import PEOPLE, START
from tests.unit.test_telegram_rate import Time, busiest

GROUP, BLOCKED = "-7", "666"
LATENCY_S = 0.08
JOBS_AT_ONCE = 16
TALKATIVE = [str(1000 + number) for number in range(10)]
OTHERS = [str(3000 + number) for number in range(45)]


class PacedChannel(VirtualChannel):
    """Telegram's pace in virtual time; the blocked chat is refused with the wish to wait."""

    def __init__(self, time: Time) -> None:
        super().__init__("telegram", Clock(time))
        self.time = time
        self.pace = Pace(RATES, monotonic=time.monotonic, sleep=time.sleep)
        self.arrivals: list[tuple[str, float]] = []
        self.refused: list[float] = []
        self.inside = self.most_inside = 0

    async def send(self, message: ChannelMessage) -> Receipt:
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        try:
            async with self.pace.turn(message.chat, group=message.chat.startswith("-")):
                await self.time.sleep(LATENCY_S)
                if message.chat == BLOCKED:
                    self.refused.append(self.time.now)
                    self.pace.block(message.chat, 30)
                    raise TransientDeliveryError("too many messages", timedelta(seconds=30))
                self.arrivals.append((message.chat, self.time.now))
                return await super().send(message)
        finally:
            self.inside -= 1

    def remember(self, sent: object, blocked: object) -> None:
        """Nothing was before."""

    def only_while(self, allowed: object) -> None:
        """Always."""

    async def pause(self, chat: str) -> None:
        await self.pace.pause(chat, group=chat.startswith("-"))


class Clock:
    """The bot's clock runs with the virtual time."""

    def __init__(self, time: Time) -> None:
        self._time = time

    def now(self) -> datetime:
        return START + timedelta(seconds=self._time.now - 1000.0)


async def town(crowded: bool) -> tuple[PacedChannel, dict[str, float]]:
    """Everybody gets three messages, one each few seconds; how long each had to wait, by chat and number."""
    time = Time()
    channel = PacedChannel(time)
    app = await build_app(
        build_settings(PEOPLE, "the town"),
        clock=channel.clock,
        ids=SequenceIds(),
        brain=RuleBrain(),
        channels={"telegram": channel},
        database_url="sqlite:///:memory:",
        inline=True,
    )
    due: dict[str, float] = {}
    if crowded:
        for chat, count in ((GROUP, 100), (BLOCKED, 50), *((chat, 30) for chat in TALKATIVE)):
            for number in range(count):
                await put(app, chat, f"{chat}:{number}", 0.0)
    for turn in range(3):
        for number, chat in enumerate(OTHERS):
            at = 4.0 * turn + number / 15
            due[f"{chat}:{turn}"] = at
            await put(app, chat, f"{chat}:{turn}", at)
    await time.run(asyncio.create_task(work(app, time, 40.0)))
    waits, seen = {}, dict.fromkeys(OTHERS, 0)
    for chat, at in channel.arrivals:
        if chat in seen:
            waits[f"{chat}:{seen[chat]}"] = at - 1000.0 - due[f"{chat}:{seen[chat]}"]
            seen[chat] += 1
    assert len(waits) == 3 * len(OTHERS)
    await app.close()
    return channel, waits


async def put(app: object, chat: str, key: str, at: float) -> None:
    message = Outgoing(
        purpose=Purpose.REPLY, conversation=ConversationId(f"telegram:{chat}"), words=Words(text=key), answers=True
    )
    effect = Send(key=key, due=START + timedelta(seconds=at), message=message)
    await app.store.run(lambda repos: apply(repos, effect))  # type: ignore[attr-defined]


async def work(app: object, time: Time, until: float) -> None:
    """Takes jobs as the runtime does: as many at once, and looks again when one ends or a moment has passed."""
    running: set[asyncio.Task[None]] = set()
    runner, store, clock = app.runtime._runner, app.store, app.channels["telegram"].clock  # type: ignore[attr-defined]
    while time.now < 1000.0 + until:
        running = {task for task in running if not task.done()}
        free = JOBS_AT_ONCE - len(running)
        for claimed in await store.run(lambda repos, n=free: repos.jobs.claim(clock.now(), n) if n else []):
            running.add(asyncio.create_task(runner.run(claimed)))
        await time.sleep(0.05)
    await asyncio.gather(*running)


def p95(waits: dict[str, float]) -> float:
    return sorted(waits.values())[int(len(waits) * 0.95)]


async def test_a_crowd_and_a_blocked_chat_slow_the_others_by_a_tenth_at_most() -> None:
    _, alone = await town(crowded=False)
    channel, beside = await town(crowded=True)
    assert p95(beside) <= 1.1 * p95(alone)
    assert channel.most_inside <= AT_ONCE
    # What the crowd needs is kept to: its pace, and "nothing before".
    group = [at for chat, at in channel.arrivals if chat == GROUP]
    assert len(group) >= 20
    assert busiest(group, 60.0) <= 20
    assert busiest([at for _, at in channel.arrivals], 1.0) <= 30
    assert all(later - earlier >= 30 for earlier, later in zip(channel.refused, channel.refused[1:], strict=False))
    assert len(channel.refused) == 2
    texts = [d.text for d in channel.delivered if d.chat == GROUP]
    assert texts == [f"{GROUP}:{number}" for number in range(len(texts))], "a chat keeps its order"
