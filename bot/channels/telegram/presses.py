"""Button presses: Telegram shows a spinning button until each press is answered, whatever becomes of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from telegram import Bot
from telegram.error import TelegramError

from core.facts import Fact

log = logging.getLogger(__name__)

_NOTE_AT_MOST = 200
_TIMEOUT_S = 5.0
_REMEMBERED = 1000


class Presses:
    """Answers every press: with the note of whoever handles it, or after `grace` seconds without one."""

    def __init__(self, bot: Bot, sleep: Callable[[float], Awaitable[None]], grace: float = 1.5) -> None:
        self._bot = bot
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
        tasks = [self._take_off(fact)]
        timer = self._timers.pop(fact.callback_id, None) if fact.callback_id else None
        if fact.callback_id and not (timer and timer.done()):
            if timer:
                timer.cancel()
            tasks.append(self._answer(fact.callback_id, note))
        await asyncio.gather(*tasks)

    async def close(self) -> None:
        """Answer at once what still waits."""
        waiting = [callback_id for callback_id, timer in self._timers.items() if timer.cancel()]
        self._timers.clear()
        await asyncio.gather(*(self._answer(callback_id, None) for callback_id in waiting))

    async def _answer_late(self, callback_id: str) -> None:
        await self._sleep(self._grace)
        await self._answer(callback_id, None)

    async def _answer(self, callback_id: str, note: str | None) -> None:
        try:
            await self._bot.answer_callback_query(
                callback_id, text=note[:_NOTE_AT_MOST] if note else None, read_timeout=_TIMEOUT_S
            )
        except TelegramError as error:
            log.info("a button press could not be answered: %s", error.message)

    async def _take_off(self, fact: Fact) -> None:
        if fact.message_id is None:
            return
        chat = fact.conversation.partition(":")[2]
        try:
            await self._bot.edit_message_reply_markup(chat, int(fact.message_id), read_timeout=_TIMEOUT_S)
        except TelegramError as error:
            log.info("the buttons of a message could not be taken off: %s", error.message)
