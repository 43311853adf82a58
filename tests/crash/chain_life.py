"""One life of a bot in a process of its own: it takes what was written to it, works it off, and may kill itself.

What its channels deliver is appended to a file that outlives it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.app import build_app
from bot.channels.virtual import VirtualChannel
from bot.settings import build_settings
from bot.system import SequenceIds, VirtualClock
from core.facts import Fact, FactKind
from core.ids import ConversationId
from core.ports import ChannelMessage, Receipt
from tests.flow.chains import ChainBrain
from tests.flow.office import PEOPLE, START

DATABASE = "bot.db"
LEDGER = "ledger"


@dataclass
class Death:
    """Comes at the `left`-th point of work: a commit, before or after it, or a message that went out."""

    left: int | None

    def point(self, _: str = "") -> None:
        """Here it may come; nothing is cleaned up."""
        if self.left is None:
            return
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class FileChannel(VirtualChannel):
    """What was delivered is on the disk before anything else happens."""

    ledger: Path
    death: Death

    async def send(self, message: ChannelMessage) -> Receipt:
        receipt = await super().send(message)
        line = json.dumps([self.name, message.chat, message.key, message.text], ensure_ascii=False)
        with self.ledger.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.death.point()
        return receipt


def live(folder: str, messages: tuple[str, ...], dies_at: int | None) -> None:
    """Receive the owner's messages (those of an earlier life come again), and work until nothing is left to do."""
    asyncio.run(_live(Path(folder), messages, Death(dies_at)))


async def _live(folder: Path, messages: tuple[str, ...], death: Death) -> None:
    clock = VirtualClock(START)
    channels: dict[str, Any] = {}
    for name in ("telegram", "feishu"):
        channels[name] = channel = FileChannel(name, clock)
        channel.ledger, channel.death = folder / LEDGER, death
    app = await build_app(
        build_settings(PEOPLE, "the test"),
        clock=clock,
        ids=SequenceIds(),
        brain=ChainBrain(),
        channels=channels,
        database_url=f"sqlite:///{folder / DATABASE}",
        inline=True,
        failpoint=death.point,
    )
    for number, text in enumerate(messages):
        await app.accept(
            Fact(
                channel="telegram",
                event_id=f"e{number}",
                kind=FactKind.MESSAGE,
                occurred_at=START,
                conversation=ConversationId("telegram:1"),
                sender="1",
                message_id=f"in{number}",
                text=text,
            )
        )
        await app.settle()
    await app.close()
