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


class Presses:
    """Answers every press: with the note of whoever handles it, or after `grace` seconds without one."""

    def __init__(self, api: Api, sleep: Callable[[float], Awaitable[None]], grace: float = 1.0) -> None:
        self._api = api
        self._sleep = sleep
        self._grace = grace
        self._timers: dict[str, asyncio.Task[None]] = {}

    def expect(self, callback_id: str) -> None:
        """A press was stored; from now on its time runs."""
        if len(self._timers) >= _REMEMBERED:
            self._timers = {i: timer for i, timer in self._timers.items() if not timer.done()}
        if callback_id not in self._timers:
            self._timers[callback_id] = asyncio.create_task(self._answer_late(callback_id))

    async def settle(self, fact: Fact, note: str | None) -> None:
        """Answer the press, if it was not answered yet, and take the buttons off its message. Raises nothing."""
        timer = self._timers.pop(fact.callback_id, None) if fact.callback_id else None
        if fact.callback_id and not (timer and timer.done()):
            if timer:
                timer.cancel()
            await self._answer(fact.callback_id, note)
        await self._take_off(fact)

    async def close(self) -> None:
        """Answer at once what still waits, as far as that takes no more than a moment."""
        waiting = [callback_id for callback_id, timer in self._timers.items() if timer.cancel()]
        self._timers.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_S):
                await asyncio.gather(*(self._answer(callback_id, None) for callback_id in waiting))

    async def _answer_late(self, callback_id: str) -> None:
        await self._sleep(self._grace)
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
