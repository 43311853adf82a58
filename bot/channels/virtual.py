"""A channel in memory, for rehearsals and tests. What was delivered can be looked at; faults are scripted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from bot.channels.keys import repeat_key
from core.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError
from core.facts import Fact
from core.ports import ChannelButton, ChannelMessage, Clock, Emit, Receipt

FaultKind = Literal["forbidden", "rate_limited", "unavailable", "unknown_outcome"]
DEFAULT_RETRY_AFTER = timedelta(seconds=30)


@dataclass(frozen=True)
class Delivered:
    """One message as it lies in a chat. `buttons` are rows; they go when a press was settled."""

    channel: str
    chat: str
    text: str
    message_id: str
    at: datetime
    number: int
    """Counts over all channels of a world, in the order of arrival."""
    buttons: tuple[tuple[ChannelButton, ...], ...] = ()
    quote: str | None = None
    silent: bool = False


@dataclass
class Fault:
    """The next `times` sends (to `chat`, or to anyone) fail like this."""

    kind: FaultKind
    chat: str | None = None
    times: int = 1
    retry_after: timedelta = DEFAULT_RETRY_AFTER

    def error(self) -> DeliveryError:
        """What the bot sees."""
        if self.kind == "forbidden":
            return PermanentDeliveryError("the recipient does not take messages from the bot")
        if self.kind == "rate_limited":
            return TransientDeliveryError("too many messages", retry_after=self.retry_after)
        if self.kind == "unavailable":
            return TransientDeliveryError("the channel cannot be reached")
        return UnknownDeliveryError("the request was written and no answer came")


@dataclass
class Counter:
    """Numbers in a row, shared by the channels of one world."""

    last: int = 0

    def next(self) -> int:
        """The next one."""
        self.last += 1
        return self.last


@dataclass
class VirtualChannel:
    """Implements `core.ports.Channel`. Like Feishu (and unlike Telegram) the one named `feishu` knows repeated keys."""

    name: str
    clock: Clock
    counter: Counter = field(default_factory=Counter)
    delivered: list[Delivered] = field(default_factory=list)
    attempts: int = 0
    _faults: list[Fault] = field(default_factory=list)
    _by_key: dict[str, str] = field(default_factory=dict)

    @property
    def idempotent(self) -> bool:
        """Whether a send with a key that was seen before is the same message."""
        return self.name == "feishu"

    @property
    def idempotent_for(self) -> timedelta:
        """How long after the first attempt the last one may be."""
        return timedelta(minutes=55) if self.idempotent else timedelta()

    def fail(self, fault: Fault) -> None:
        """Script a fault; faults are used up in the order in which they were scripted."""
        self._faults.append(fault)

    def heal(self) -> None:
        """Forget all faults that are still to come."""
        self._faults.clear()

    def next_message_id(self) -> str:
        """An id for a message, inbound or outbound; unique over the world."""
        return f"m{self.counter.next()}"

    async def run(self, emit: Emit) -> None:
        """Nothing comes in by itself; ends when cancelled."""
        await asyncio.Event().wait()

    async def send(self, message: ChannelMessage) -> Receipt:
        """Deliver one part, or fail as scripted."""
        self.attempts += 1
        fault = self._take_fault(message.chat)
        if fault and fault.kind != "unknown_outcome":
            raise fault.error()
        message_id = self._by_key.get(repeat_key(message.key)) if self.idempotent else None
        if message_id is None:
            message_id = self._deliver(message)
        if fault:
            raise fault.error()
        return Receipt(channel=self.name, chat=message.chat, message_id=message_id)

    def _deliver(self, message: ChannelMessage) -> str:
        number = self.counter.next()
        self._by_key[repeat_key(message.key)] = f"m{number}"
        self.delivered.append(
            Delivered(
                channel=self.name,
                chat=message.chat,
                text=message.text,
                message_id=f"m{number}",
                at=self.clock.now(),
                number=number,
                buttons=message.buttons,
                quote=message.quote,
                silent=message.silent,
            )
        )
        return f"m{number}"

    def _take_fault(self, chat: str) -> Fault | None:
        fault = next((f for f in self._faults if f.times > 0 and f.chat in (None, chat)), None)
        if fault:
            fault.times -= 1
        return fault

    def parts(self, text: str) -> list[str]:
        """No message is too long here."""
        return [text]

    def invite_link(self, code: str) -> str | None:
        """A link as Telegram has them, on the channel that stands for it."""
        return f"https://t.me/qinghai_bot?start={code}" if self.name == "telegram" else None

    async def settle_button(self, fact: Fact, note: str | None) -> None:
        """Takes the buttons off the message that was pressed."""
        self.delivered = [replace(d, buttons=()) if d.message_id == fact.message_id else d for d in self.delivered]
