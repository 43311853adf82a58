"""Button presses: the card under which one was pressed is shown again without its buttons."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot.channels.feishu.api import Api
from bot.channels.feishu.cards import settled
from bot.channels.feishu.errors import NoAnswer, NotWritten, Refused, delivery_error
from core.errors import PermanentDeliveryError
from core.facts import Fact

log = logging.getLogger(__name__)

_TRIES = 3
_REMEMBERED = 1000


class Presses:
    """Takes the buttons off. Feishu wants the whole card anew for that, so the words of cards are kept in mind."""

    def __init__(self, api: Api, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._api = api
        self._sleep = sleep
        self._words: dict[tuple[str, str], str] = {}

    def shown(self, chat: str, message_id: str, text: str) -> None:
        """A card went out with these words."""
        self._words[chat, message_id] = text
        if len(self._words) > _REMEMBERED:
            del self._words[next(iter(self._words))]

    async def settle(self, fact: Fact, kept: Callable[[str, str], Awaitable[str | None]]) -> None:
        """Take the buttons off the message of a press. Raises nothing.

        `kept(chat, message_id)`: the words of a card of an earlier life. Where none are known for the chat of the press
        the card stays as it is: it is another's, or a second press has no effect all the same.
        """
        if fact.message_id is None:
            return
        card = (fact.conversation.partition(":")[2], fact.message_id)
        try:
            text = self._words.get(card) or await kept(*card)
            if text is not None:
                await self._take_off(fact.message_id, text)
        except Exception as error:
            log.info("the buttons of a card could not be taken off: %s", delivery_error(error))

    async def _take_off(self, message_id: str, text: str) -> None:
        for attempt in range(1, _TRIES + 1):
            try:
                await self._api.call("PATCH", f"/open-apis/im/v1/messages/{message_id}", {"content": settled(text)})
                return
            except (Refused, NoAnswer, NotWritten) as error:
                if attempt == _TRIES or isinstance(delivery_error(error), PermanentDeliveryError):
                    raise
                await self._sleep(float(attempt))
