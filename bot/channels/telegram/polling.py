"""The poll loop. An update is acknowledged by the next `getUpdates`, so the offset rises only after the fact is stored.

At the start no offset is sent: the server still has what was not acknowledged. The library's own loop is not used, for
it acknowledges what lies in memory, and one update that it cannot parse holds up all others.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.channels.given import number
from bot.channels.telegram.addressing import BotName
from bot.channels.telegram.api import Api
from bot.channels.telegram.errors import wish
from bot.channels.telegram.inbound import ALLOWED_UPDATES
from bot.channels.telegram.webhook import LOOKED_AT_EVERY, NotDelivered, Webhook, announce, look_after
from core.errors import ConfigurationError

log = logging.getLogger(__name__)

T = TypeVar("T")

Take = Callable[[dict[str, Any]], Awaitable[None]]
"""Stores what is in an update; when it raises, the update is not acknowledged."""

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
_DOUBLED_AT_MOST = 6
CONFLICT_PAUSE = 5.0
_REFUSALS = 3
"""A token that worked is given up only when it was refused this many times on end."""
_QUIET_AFTER = 3
"""Trouble that comes back before this many good answers is still the same, and not logged again."""

BAD_TOKEN = "Telegram refuses the bot's token: check QINGHAI_TELEGRAM__TOKEN against what @BotFather shows"


class NotStored(Exception):
    """The fact of an update could not be stored; its cause says why."""


class NoNumber(Exception):
    """What came in cannot be acknowledged: it has no number."""


_TROUBLES: dict[type[Exception], str] = {
    InvalidToken: "token",
    Conflict: "another",
    RetryAfter: "slow",
    NotStored: "storage",
    NotDelivered: "webhook",
}


async def who_am_i(api: Api) -> BotName:
    """The bot's own name and id."""
    me = await api.call("getMe")
    return BotName(str(me["username"]), int(me["id"]))


class Poller:
    """Takes updates in, one after another, until cancelled."""

    def __init__(
        self,
        api: Api,
        *,
        poll: timedelta,
        patience: timedelta,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._api = api
        self._poll = int(poll.total_seconds())
        self._patience = patience.total_seconds()
        self._sleep = sleep
        self._offset: int | None = None
        self._failures = 0
        self._refusals = 0
        self._trouble: type[Exception] | None = None
        self._logged: type[Exception] | None = None
        self._quiet_rounds = 0
        self.me: BotName | None = None
        """The bot itself, once Telegram has told."""
        self.status = "not started"

    @property
    def ready(self) -> bool:
        """Connected, and the last request went well."""
        return self.me is not None and self._trouble is None

    @property
    def trouble(self) -> str | None:
        """What `status` says, in a word of the templates; None when it is well."""
        if self._trouble is None:
            return None if self.me is not None else "starting"
        other = "down" if issubclass(self._trouble, TelegramError) else "fault"
        return _TROUBLES.get(self._trouble, other)

    async def run(self, take: Take) -> None:
        """Raises `ConfigurationError` when the server knows no such bot."""
        await self._connect()
        await self._insist(lambda: self._api.call("deleteWebhook"))
        while True:
            await self._insist(lambda: self._round(take))

    async def listen(self, webhook: Webhook) -> None:
        """Webhook mode: have updates posted, and see to it that they are. Raises `ConfigurationError` as `run`, and
        where the address is refused.
        """
        await self._connect()
        await self._insist(lambda: announce(self._api, webhook))
        over = 0
        while True:
            await self._sleep(LOOKED_AT_EVERY.total_seconds())
            over = await self._insist(partial(look_after, self._api, webhook, over))

    async def bot(self) -> BotName:
        """The bot itself, also where another process does the asking. Raises `TelegramError`."""
        if self.me is None:
            self.me = await who_am_i(self._api)
        return self.me

    async def _connect(self) -> None:
        self.status = "connecting to Telegram"
        self.me = await self._insist(lambda: who_am_i(self._api))

    async def _insist(self, step: Callable[[], Awaitable[T]]) -> T:
        """The outcome of `step`, tried for as long as it takes."""
        while True:
            try:
                outcome = await step()
            except Exception as error:
                self._failures += 1
                self._refusals = self._refusals + 1 if isinstance(error, InvalidToken) else 0
                await self._sleep(self._pause_after(error))
            else:
                self._recovered()
                return outcome

    async def _round(self, take: Take) -> None:
        # After trouble the first poll does not wait, so that its end is seen at once. About another poller it tells
        # nothing.
        seconds = self._poll if self._trouble in (None, Conflict) else 0
        updates = await self._api.call(
            "getUpdates",
            {"offset": self._offset, "timeout": seconds, "allowed_updates": list(ALLOWED_UPDATES)},
            wait=seconds + self._patience,
        )
        last = False
        for update in updates:
            last = await self._take(update, take)
        if updates and not last:
            # Only one that comes after them carries the offset past those at the end: until then they come at once.
            raise NoNumber

    async def _take(self, update: Any, take: Take) -> bool:
        """Whether it had a number, by which it is acknowledged; without one it is none of ours."""
        try:
            ours = number(update["update_id"])
        except (KeyError, TypeError, ValueError):
            return False
        if ours <= 0:  # as an offset it would mean something else
            return False
        await take(update)
        self._offset = ours + 1
        return True

    def _pause_after(self, error: Exception) -> float:
        # In an outage of days there are thousands of failures: a power of that is no number any more.
        pause: float = min(FIRST_PAUSE * 2 ** min(self._failures - 1, _DOUBLED_AT_MOST), LONGEST_PAUSE)
        match error:
            case ConfigurationError():
                raise error
            case InvalidToken():
                if self.me is None or self._refusals >= _REFUSALS:
                    self._trouble, self.status = type(error), BAD_TOKEN
                    raise ConfigurationError(BAD_TOKEN) from None
                sentence = BAD_TOKEN
            case Conflict():
                pause = CONFLICT_PAUSE
                sentence = "another process polls Telegram with the same token: stop one of the two"
            case RetryAfter():
                pause = max(pause, wish(error).total_seconds())
                sentence = "Telegram wants fewer requests"
            case NotStored():
                sentence = "what came in could not be stored; it stays with Telegram until it can"
            case NotDelivered():
                sentence = f"Telegram cannot post to the webhook: {error}"
            case NoNumber():
                pause = FIRST_PAUSE  # the server is well: who writes behind it need not wait for longer
                sentence = "Telegram brings what has no number; it is passed over with what comes after it"
            case TelegramError():
                sentence = f"Telegram cannot be reached: {error.message}"
            case _:
                sentence = "Telegram's answer makes no sense"
        self._in_trouble(error, sentence)
        return pause

    def _in_trouble(self, error: Exception, sentence: str) -> None:
        """Logged when it begins; how it goes on is in `status`."""
        if type(error) is not self._logged:
            log.warning(
                "%s; trying again", sentence, exc_info=None if isinstance(error, TelegramError | NoNumber) else error
            )
        self._trouble = self._logged = type(error)
        self._quiet_rounds = 0
        self.status = sentence

    def _recovered(self) -> None:
        self._trouble, self._failures, self._refusals = None, 0, 0
        self._quiet_rounds += 1
        if self._quiet_rounds == _QUIET_AFTER and self._logged is not None:
            self._logged = None
            log.info("Telegram works again")
        self.status = "connected to Telegram"
