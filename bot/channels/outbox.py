"""Sending, as it is alike on every channel: one `ChannelMessage` as one request or a few, paced, with errors in our own
words. A channel says how its requests are made.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from bot.channels.rate import Pace
from core.errors import DeliveryError, Paced, TransientDeliveryError
from core.ports import ChannelMessage, Clock, Receipt

log = logging.getLogger(__name__)

Call = Callable[[], Awaitable[str]]
"""A request; its answer is the new message's id."""

_EXTRA_TRIES = 3
_EXTRA_WAIT = timedelta(seconds=60)
_MOMENT = timedelta(seconds=1)


class Outbox(ABC):
    """Turns messages into requests."""

    channel: str
    tried_again: tuple[type[DeliveryError], ...] = (TransientDeliveryError,)
    """After which failures something that follows the words is tried once more."""

    def __init__(self, pace: Pace, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._pace = pace
        self._sleep = sleep
        self._may_send: Callable[[], bool] = lambda: True

    @abstractmethod
    def requests(self, message: ChannelMessage) -> list[Call]:
        """What makes it, in its order, one request at least."""

    @abstractmethod
    def is_group(self, chat: str) -> bool:
        """Whether several people read that chat."""

    @abstractmethod
    def delivery_error(self, error: Exception) -> DeliveryError:
        """What went wrong, in our own words."""

    def only_while(self, allowed: Callable[[], bool]) -> None:
        """Ask before each request, and refuse it when it may not leave."""
        self._may_send = allowed

    def remember(self, sent: Iterable[tuple[str, timedelta]], blocked: Iterable[tuple[str, timedelta]]) -> None:
        """What was sent to whom so long ago, the oldest first, and who wants nothing for how long."""
        for chat, ago in sent:
            self._pace.remember(chat, ago.total_seconds(), group=self.is_group(chat))
        for chat, wait in blocked:
            self._pace.block(chat, wait.total_seconds(), group=self.is_group(chat))

    async def pause(self, chat: str) -> None:
        """Until the chat's next turn may come. Raises `Paced` when that takes long."""
        await self._pace.pause(chat, group=self.is_group(chat))

    async def send(self, message: ChannelMessage) -> Receipt:
        """Deliver it.

        What cannot be told in the first request (further attachments) follows. Once the first arrived the message
        counts as delivered: a failure after that is tried a few times more and then only logged, for raising it would
        send the text a second time.
        """
        first, *others = self.requests(message)
        message_id = await self._request(message.chat, first)
        for other in others:
            await self._extra(message.chat, other)
        return Receipt(channel=self.channel, chat=message.chat, message_id=message_id)

    async def _request(self, chat: str, call: Call) -> str:
        async with self._pace.turn(chat, group=self.is_group(chat)):
            if not self._may_send():
                raise Paced("another process sends now", _MOMENT)
            try:
                return await call()
            except Exception as error:
                failure = self.delivery_error(error)
                if isinstance(failure, TransientDeliveryError) and failure.retry_after:
                    self._pace.block(chat, failure.retry_after.total_seconds(), group=self.is_group(chat))
                raise failure from error

    async def _extra(self, chat: str, call: Call) -> None:
        for attempt in range(1, _EXTRA_TRIES + 1):
            try:
                await self._request(chat, call)
                return
            except DeliveryError as error:
                wait = getattr(error, "retry_after", None) or timedelta(seconds=attempt)
                over = attempt == _EXTRA_TRIES or wait > _EXTRA_WAIT
                if over or not isinstance(error, self.tried_again):
                    log.warning("an attachment was perhaps not handed on: %s", error)
                    return
                await self._sleep(wait.total_seconds())


class PacedChannel:
    """The part of a channel that keeps to its outbox's pace. Implements `core.ports.Pacing`."""

    def __init__(self, outbox: Outbox, clock: Clock) -> None:
        self._outbox = outbox
        self._clock = clock

    def remember(self, sent: Iterable[tuple[str, datetime]], blocked: Iterable[tuple[str, datetime]]) -> None:
        """Keep the pace of before the start."""
        now = self._clock.now()
        self._outbox.remember(((chat, now - at) for chat, at in sent), ((chat, until - now) for chat, until in blocked))

    def only_while(self, allowed: Callable[[], bool]) -> None:
        """Nothing is sent but while `allowed()`."""
        self._outbox.only_while(allowed)

    async def pause(self, chat: str) -> None:
        """Until a message to this chat may leave. Raises `Paced` when that takes long."""
        await self._outbox.pause(chat)
