"""One life of the bot: put together as `serve` does it, with the failpoint that it is to die at."""

from __future__ import annotations

import asyncio
import json
import logging
import mmap
import signal
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import bot.app
import bot.runtime.presence
import bot.runtime.runner
import bot.runtime.runtime
from bot.app import build_app
from bot.channels.feishu.channel import FeishuChannel
from bot.channels.rate import Rate, Rates
from bot.channels.telegram import TelegramChannel
from bot.failpoints import VARIABLE, failpoint_of
from bot.runtime.presence import OneOfMany
from bot.runtime.ticker import Ticker
from bot.settings import build_settings
from bot.store.database.connection import takes_several
from bot.system import SystemIds
from tests.crash.sweep.mind import Mind
from tests.crash.sweep.stories import HANGS, Cast, office, stories
from tests.wire.feishu_api.events import APP_ID

TICK_S = 0.03
"""The clock jumps, so nobody waits for the next whole second."""
HANGS_S = 4.0
SPAN = timedelta(seconds=30)
"""How long a lease runs that is not renewed: no machine is so busy that one lapses in a life."""
BEAT_S = 0.2
TICKS_A_CLEARING = 4
"""Every life comes to one, however short it is."""
NO_LIMITS = Rates(chat=Rate(10_000, 1.0), group=None, overall=Rate(10_000, 1.0))


class SharedClock:
    """A moment in a file: it goes on through all lives of the bot, and whoever has the file moves it."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 8)

    @staticmethod
    def create(path: Path, moment: datetime) -> SharedClock:
        """A new file that says `moment`."""
        path.write_bytes(bytes(8))
        clock = SharedClock(path)
        clock.set(moment)
        return clock

    def now(self) -> datetime:
        """An aware moment."""
        return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=self._number())

    def set(self, moment: datetime) -> None:
        """Jump there."""
        self._memory[:] = struct.pack("q", round((moment - datetime.fromtimestamp(0, UTC)) / timedelta(microseconds=1)))

    def seconds(self) -> float:
        """As a steady clock tells them."""
        return self._number() / 1e6

    def _number(self) -> int:
        return int(struct.unpack("q", self._memory[:])[0])


@dataclass(frozen=True)
class Fate:
    """Where and how a life is led. `dies_at` is `POINT:n`, or empty; `sabotage` names a planted fault."""

    folder: str
    database_url: str
    platform: str
    address: str
    secret: str
    """What the bot is let in by."""
    stories: tuple[str, ...]
    number: int
    dies_at: str = ""
    sabotage: str = ""
    passes: Counter[str] = field(default_factory=Counter)

    @property
    def counted(self) -> Path:
        """Where the passes of a life that ended well are kept."""
        return Path(self.folder) / f"passes-{self.number}.json"


class Heir(OneOfMany):
    """Buries the dead from its second beat on: the town has ended their leases before this life began."""

    async def _beat(self, changed: Callable[[], None]) -> None:
        self._alive_since -= SPAN.total_seconds()
        await super()._beat(changed)


WRITES = "a unit of work that writes goes by the name of a read"


@dataclass
class Watch:
    """Sees to it that whatever is called a read is one: else there would be commits at which nobody dies."""

    passes: Counter[str]
    connection: Any = None
    changes: int = 0

    def at(self, point: str) -> None:
        """A failpoint was passed; only SQLite tells how many rows were changed."""
        if self.connection is None:
            return
        changes = self.connection.total_changes
        if point == "read.before_commit" and changes != self.changes:
            self.passes[WRITES] += 1
        self.changes = changes


def live(fate: Fate) -> None:
    """Until SIGTERM, or death."""
    if fate.sabotage:
        from tests.crash.sweep.sabotage import SABOTAGES

        SABOTAGES[fate.sabotage]()
    logging.disable(logging.CRITICAL)
    asyncio.run(_live(fate))
    fate.counted.write_text(json.dumps(fate.passes))


async def _live(fate: Fate) -> None:
    die, watch = failpoint_of({VARIABLE: fate.dies_at}), Watch(fate.passes)

    def here(point: str) -> None:
        fate.passes[point] += 1
        watch.at(point)
        die(point)

    if HANGS in fate.stories:
        bot.runtime.runner.HANGS_S = HANGS_S
    ticker: Any = partial(Ticker, every_s=TICK_S)
    bot.runtime.runtime.Ticker = ticker  # type: ignore[misc]
    bot.runtime.runtime.TICKS_A_CLEARING = TICKS_A_CLEARING
    bot.runtime.presence.BEAT_S = BEAT_S
    bot.app.OneOfMany = partial(Heir, span=SPAN)  # type: ignore[misc, assignment]
    clock = SharedClock(Path(fate.folder) / "clock")
    cast = stories(fate.stories)
    channel = _channel(fate, clock, here)
    app = await build_app(
        build_settings({**office(cast, fate.platform), "limits": {}}, "the sweep"),
        clock=clock,
        ids=SystemIds(),
        brain=Mind(_merged(cast), clock),
        channels={channel.name: channel},
        database_url=fate.database_url,
        failpoint=here,
        me=SystemIds().token() if takes_several(fate.database_url) else None,
    )
    if fate.database_url.startswith("sqlite"):
        watch.connection = app.store._db.connection()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, app.stop)
    await app.run()
    await app.close()
    await channel.close()


def _channel(fate: Fate, clock: Any, here: Any) -> TelegramChannel | FeishuChannel:
    if fate.platform == "feishu":
        return FeishuChannel(
            APP_ID,
            fate.secret,
            clock,
            domain=fate.address,
            rates=NO_LIMITS,
            answer_within=timedelta(seconds=HANGS_S + 1),
            arrival_time=True,
            monotonic=clock.seconds,
            failpoint=here,
        )
    return TelegramChannel(
        fate.secret,
        clock,
        base_url=fate.address,
        rates=NO_LIMITS,
        poll=timedelta(seconds=20),
        answer_within=timedelta(seconds=20),
        arrival_time=True,
        monotonic=clock.seconds,
        failpoint=here,
    )


def _merged(cast: tuple[Cast, ...]) -> dict[str, Any]:
    return {text: wish for one in cast for text, wish in one.story.wishes(one).items()}
