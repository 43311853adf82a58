"""Button presses: Telegram shows a spinning button until each press is answered, whatever becomes of it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from telegram.error import TelegramError

from bot.channels.telegram.api import Api
from bot.channels.text import split
from core.facts import Fact

log = logging.getLogger(__name__)

_NOTE_AT_MOST = 200
_TIMEOUT_S = 5.0
_LAST_S = 2.0
_REMEMBERED = 1000
"""Presses that are known to be answered; a copy of one comes within moments of it."""


class Presses:
    """Answers every press once: with the note of whoever handles it, or after `grace` seconds without one."""

    def __init__(self, api: Api, sleep: Callable[[float], Awaitable[None]], grace: float = 1.0) -> None:
        self._api = api
        self._sleep = sleep
        self._grace = grace
        self._timers: dict[str, asyncio.Task[None]] = {}
        self._taken: dict[str, None] = {}
        """Presses whose answer has been sent or is on its way, the latest of them in order."""

    def expect(self, callback_id: str) -> None:
        """A press was stored; from now on its time runs. It may have been settled meanwhile."""
        if callback_id in self._timers or callback_id in self._taken:
            return
        timer = self._timers[callback_id] = asyncio.create_task(self._answer_late(callback_id))
        timer.add_done_callback(lambda _: self._timers.pop(callback_id, None))

    async def settle(self, fact: Fact, note: str | None) -> None:
        """Answer the press, if nobody has begun to, and take the buttons off its message. Raises nothing."""
        if fact.callback_id and self._takes(fact.callback_id):
            if timer := self._timers.get(fact.callback_id):
                timer.cancel()
            await self._answer(fact.callback_id, note)
        await self._take_off(fact)

    async def close(self) -> None:
        """Answer at once what still waits, as far as that takes no more than a moment."""
        timers = dict(self._timers)
        waiting = [callback_id for callback_id in timers if self._takes(callback_id)]
        for callback_id in waiting:
            timers.pop(callback_id).cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_S):
                await asyncio.gather(*timers.values(), *(self._answer(callback_id, None) for callback_id in waiting))

    def _takes(self, callback_id: str) -> bool:
        """Whether the caller is the first who answers this press: then nobody else will."""
        if callback_id in self._taken:
            return False
        self._taken[callback_id] = None
        if len(self._taken) > _REMEMBERED:
            del self._taken[next(iter(self._taken))]
        return True

    async def _answer_late(self, callback_id: str) -> None:
        await self._sleep(self._grace)
        if self._takes(callback_id):
            await self._answer(callback_id, None)

    async def _answer(self, callback_id: str, note: str | None) -> None:
        try:
            text = split(note, _NOTE_AT_MOST)[0] if note else None
            await self._api.call(
                "answerCallbackQuery", {"callback_query_id": callback_id, "text": text}, wait=_TIMEOUT_S
            )
        except TelegramError as error:
            log.info("a button press could not be answered: %s", error.message)

    async def _take_off(self, fact: Fact) -> None:
        if fact.message_id is None:
            return
        chat = fact.conversation.partition(":")[2]
        try:
            bare = {"chat_id": chat, "message_id": fact.message_id, "reply_markup": {"inline_keyboard": []}}
            await self._api.call("editMessageReplyMarkup", bare, wait=_TIMEOUT_S)
        except TelegramError as error:
            log.info("the buttons of a message could not be taken off: %s", error.message)
