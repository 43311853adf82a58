"""Each channel with its other side, as the contract suite sees them. A new channel adds one class and one line."""

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from bot.channels.console import ConsoleChannel
from bot.channels.telegram import TelegramChannel
from bot.channels.virtual import Fault as VirtualFault
from bot.channels.virtual import VirtualChannel
from bot.system import SequenceIds, SystemClock, VirtualClock
from core.facts import Fact, FactKind
from core.ids import conversation_id
from core.ports import Channel, Receipt
from tests.wire.botapi import BotApi, Fault
from tests.wire.botapi.harness import bot_api, channel_for

NOW = datetime(2026, 3, 16, 2, tzinfo=UTC)


class Side(Protocol):
    """A channel and what a person sees at its other end."""

    channel: Channel
    chat: str
    """Of somebody who can be written to."""

    def texts(self) -> list[str]:
        """What arrived in `chat`, oldest first; a line a paragraph where the channel shows more around it."""
        ...

    def labels(self) -> list[str]:
        """The buttons in `chat` that can still be pressed."""
        ...

    async def blocked(self) -> None:
        """The person blocks the bot."""
        ...

    async def away(self) -> None:
        """The channel cannot be reached."""
        ...

    async def busy(self, wait: timedelta) -> None:
        """The next message is refused for so long."""
        ...

    async def silent(self) -> None:
        """The next message is taken, but its answer is lost."""
        ...


def pressed(side: Side, receipt: Receipt, data: str) -> Fact:
    """The press of a button under a message that was sent."""
    return Fact(
        channel=side.channel.name,
        event_id="press:1",
        kind=FactKind.BUTTON,
        occurred_at=NOW,
        conversation=conversation_id(side.channel.name, side.chat),
        sender=side.chat,
        message_id=receipt.message_id,
        button=data,
        callback_id="1",
    )


class VirtualSide:
    """Rehearsals."""

    def __init__(self) -> None:
        self.virtual = VirtualChannel("telegram", VirtualClock(NOW))
        self.channel: Channel = self.virtual
        self.chat = "2001"

    def texts(self) -> list[str]:
        return [d.text for d in self.virtual.delivered]

    def labels(self) -> list[str]:
        return [button.label for d in self.virtual.delivered for row in d.buttons for button in row]

    async def blocked(self) -> None:
        self.virtual.fail(VirtualFault("forbidden"))

    async def away(self) -> None:
        self.virtual.fail(VirtualFault("unavailable"))

    async def busy(self, wait: timedelta) -> None:
        self.virtual.fail(VirtualFault("rate_limited", retry_after=wait))

    async def silent(self) -> None:
        self.virtual.fail(VirtualFault("unknown_outcome"))


class TelegramSide:
    """Telegram, against the server on loopback."""

    def __init__(self, server: BotApi, telegram: TelegramChannel) -> None:
        self.server = server
        self.channel: Channel = telegram
        self.chat = "2001"

    def texts(self) -> list[str]:
        return [sent.text for sent in self.server.sent_to(2001)]

    def labels(self) -> list[str]:
        return [label for sent in self.server.sent_to(2001) for label in sent.labels]

    async def blocked(self) -> None:
        self.server.world.users[2001].blocked = True

    async def away(self) -> None:
        await self.server.refuse()

    async def busy(self, wait: timedelta) -> None:
        self.server.faults.append(Fault("retry_after", seconds=int(wait.total_seconds())))

    async def silent(self) -> None:
        self.server.faults.append(Fault("drop", phase="after"))


class FeishuSide:
    """Feishu, against the server on loopback."""

    def __init__(self, server: Any, feishu: Channel) -> None:
        self.server = server
        self.channel: Channel = feishu
        self.chat = "ou_zhangsan"

    def texts(self) -> list[str]:
        return [sent.text for sent in self.server.sent_to(self.chat)]

    def labels(self) -> list[str]:
        return [label for sent in self.server.sent_to(self.chat) for label in sent.buttons]

    async def blocked(self) -> None:
        self.server.out_of_range.add(self.chat)

    async def away(self) -> None:
        await self.server.refuse()

    async def busy(self, wait: timedelta) -> None:
        from tests.wire.feishu_api import Fault

        headers = {"x-ogw-ratelimit-reset": str(int(wait.total_seconds()))}
        self.server.faults.append(Fault("code", code=99991400, status=429, headers=headers))

    async def silent(self) -> None:
        from tests.wire.feishu_api import Fault

        self.server.faults.append(Fault("drop", phase="after"))


class ConsoleSide:
    """The terminal, which takes everything."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.console = ConsoleChannel(SystemClock(), SequenceIds(), self.lines.append, "清海")
        self.channel: Channel = self.console
        self.chat = "p_zhangsan"

    def texts(self) -> list[str]:
        head = "清海 → p_zhangsan: "
        messages: list[str] = []
        for line in self.lines:
            if line.startswith(head):
                messages.append(line.removeprefix(head))
            elif not line.strip().startswith("["):
                messages[-1] += "\n" + line.removeprefix("    ")
        return messages

    def labels(self) -> list[str]:
        return list(self.console.labels())


@contextlib.asynccontextmanager
async def virtual() -> AsyncIterator[VirtualSide]:
    yield VirtualSide()


@contextlib.asynccontextmanager
async def telegram() -> AsyncIterator[TelegramSide]:
    async with bot_api() as server:
        channel = channel_for(server, answer_within=timedelta(seconds=2))
        yield TelegramSide(server, channel)
        await channel.close()


@contextlib.asynccontextmanager
async def feishu() -> AsyncIterator[FeishuSide]:
    # Takes seconds to import.
    from tests.wire.feishu_api.harness import channel_for as feishu_channel
    from tests.wire.feishu_api.harness import feishu_api

    async with feishu_api() as server:
        channel = feishu_channel(server, answer_within=timedelta(seconds=2))
        yield FeishuSide(server, channel)
        await channel.close()


@contextlib.asynccontextmanager
async def console() -> AsyncIterator[ConsoleSide]:
    yield ConsoleSide()


SIDES: dict[str, Callable[[], AbstractAsyncContextManager[object]]] = {
    "virtual": virtual,
    "telegram": telegram,
    "feishu": feishu,
    "console": console,
}
WIRE = {"telegram", "feishu"}
"""Those that need loopback."""
UNFAILING = {"console"}
"""Those that take everything."""
