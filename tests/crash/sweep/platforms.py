"""Where a run is played: people, their server, and what a life of the bot needs to reach it.

People are numbers, groups negative ones; each platform has its own ids for them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from tests.crash.sweep.stories import BOT
from tests.wire import botapi, feishu_api
from tests.wire.botapi import BotApi
from tests.wire.feishu_api import FeishuApi, events

NAMES = ("telegram", "feishu")
_FEISHU_FOUND_OUT = timedelta(seconds=10)
"""So long an event waits for its acknowledgement; one whose bot died is brought again at once."""


@dataclass(frozen=True)
class Heard:
    """A message that the server accepted."""

    chat: int
    conversation: str
    message_id: str
    text: str
    labels: tuple[str, ...]


class Platform(Protocol):
    """People on a server, which is the ledger of what was really sent."""

    name: str
    written: list[str]
    """Event ids of what people did, as facts bear them."""

    @property
    def reached_by(self) -> tuple[str, str]:
        """Its address, and what the bot is let in by."""

    @property
    def comings(self) -> int:
        """How often a bot came for what people did."""

    @property
    def waits(self) -> bool:
        """Something that people did is not acknowledged yet."""

    @property
    def sent(self) -> list[Heard]:
        """Every message that was accepted, also those of whose acceptance the bot never heard."""

    async def start(self) -> None:
        """Listen on loopback."""

    async def stop(self) -> None:
        """End."""

    def add_user(self, user: int) -> None:
        """There is somebody."""

    def add_group(self, chat: int) -> None:
        """There is a group with the bot in it."""

    def says(self, user: int, text: str, chat: int | None) -> None:
        """Write to the bot, or in a group."""

    def edits(self, user: int, text: str) -> None:
        """Change one's last message."""

    def presses(self, user: int, label: str, shown: Heard) -> None:
        """Press a button of a message."""

    def goes_wrong(self, kind: Any, chat: int, words: str, **more: Any) -> None:
        """The next message with these words into that chat meets a fault."""

    def goes_well(self) -> None:
        """No fault is left."""

    def blocks(self, user: int) -> None:
        """The bot may not write there any more."""

    def moves(self, group: int, new_id: int) -> None:
        """The group becomes another chat."""


@dataclass
class _TelegramMisfortune(botapi.Fault):
    words: str = ""

    def fits(self, method: str, params: dict[str, Any]) -> bool:
        return super().fits(method, params) and self.words in str(params.get("text", ""))


class OnTelegram:
    """A Bot API server."""

    name = "telegram"

    def __init__(self) -> None:
        self._server = BotApi()
        self._last: dict[int, int] = {}
        self.written: list[str] = []
        self.start, self.stop = self._server.start, self._server.stop
        self.add_group, self.moves = self._server.add_group, self._server.migrate

    @property
    def reached_by(self) -> tuple[str, str]:
        return self._server.base_url, self._server.token

    @property
    def comings(self) -> int:
        return sum(method == "getUpdates" for method, _ in self._server.calls)

    @property
    def waits(self) -> bool:
        return bool(self._server.world.updates)

    @property
    def sent(self) -> list[Heard]:
        return [
            Heard(one.chat, f"telegram:{one.chat}", str(one.message_id), one.text, tuple(one.labels))
            for one in self._server.sent
        ]

    def add_user(self, user: int) -> None:
        self._server.add_user(user, f"user {user}")

    def says(self, user: int, text: str, chat: int | None) -> None:
        self._last[user] = self._server.user_says(user, text, chat=chat)
        self._note()

    def edits(self, user: int, text: str) -> None:
        self._server.user_edits(user, self._last[user], text)
        self._note()

    def presses(self, user: int, label: str, shown: Heard) -> None:
        self._server.user_presses(user, int(shown.message_id), label)
        self._note()

    def goes_wrong(self, kind: Any, chat: int, words: str, **more: Any) -> None:
        self._server.faults.append(_TelegramMisfortune(kind, chat=chat, words=words, **more))

    def goes_well(self) -> None:
        self._server.faults.clear()

    def blocks(self, user: int) -> None:
        self._server.world.user(user).blocked = True

    def _note(self) -> None:
        self.written.append(f"update:{self._server.world.updates[-1]['update_id']}")


@dataclass
class _FeishuMisfortune(feishu_api.Fault):
    chat: str = ""
    words: str = ""

    def fits(self, path: str, body: Any) -> bool:
        return super().fits(path, body) and self.chat == body.get("receive_id") and self.words in body["content"]


class OnFeishu:
    """An open API server, which knows a repeated message for an hour of the run's clock.

    What somebody does comes after what they did before was acknowledged, and is brought until it is; what several
    people do comes at the same time.
    """

    name = "feishu"

    def __init__(self, seconds: Callable[[], float]) -> None:
        """`seconds` of the run's clock."""
        self._server = FeishuApi()
        self._server.now = seconds
        self._brought: dict[int, deque[events.Json]] = {}
        self._bringing: dict[int, asyncio.Task[None]] = {}
        self._last: dict[int, tuple[str, int]] = {}
        self.written: list[str] = []
        self.start = self._server.start

    async def stop(self) -> None:
        for task in self._bringing.values():
            task.cancel()
        await self._server.stop()

    @property
    def reached_by(self) -> tuple[str, str]:
        return self._server.domain, self._server.app_secret

    @property
    def comings(self) -> int:
        return self._server.connected_times

    @property
    def waits(self) -> bool:
        return any(self._brought.values())

    @property
    def sent(self) -> list[Heard]:
        return [
            Heard(_number(one.chat), f"feishu:{one.chat}", one.message_id, one.text, tuple(one.buttons))
            for one in self._server.sent
        ]

    def add_user(self, user: int) -> None:
        """Whoever is named by an id is there."""

    def add_group(self, chat: int) -> None:
        """So is a group."""

    def says(self, user: int, text: str, chat: int | None) -> None:
        named = [("@_user_1", events.BOT, "清海")] if chat is not None else None
        there = _id(chat) if chat is not None else None
        event = events.message(_id(user), text.replace(f"@{BOT}", "@_user_1"), chat=there, mentions=named)
        message = event["event"]["message"]
        self._last[user] = (message["message_id"], int(message["create_time"]))
        self._bring(user, event, f"message:{message['message_id']}")

    def edits(self, user: int, text: str) -> None:
        message_id, at = self._last[user]
        event = events.message(_id(user), text, message_id=message_id, edited=at + 60_000)
        self._bring(user, event, f"edit:{message_id}:{at + 60_000}")

    def presses(self, user: int, label: str, shown: Heard) -> None:
        card = next(one for one in self._server.sent if one.message_id == shown.message_id)
        event = events.press(_id(user), card.message_id, card.buttons[label])
        self._bring(user, event, f"press:{event['header']['event_id']}")

    def goes_wrong(self, kind: Any, chat: int, words: str, **more: Any) -> None:
        if kind == "retry_after":
            more = {"code": 230020, "headers": {"x-ogw-ratelimit-reset": str(more["seconds"])}}
            kind = "code"
        self._server.faults.append(_FeishuMisfortune(kind, chat=_id(chat), words=words, **more))

    def goes_well(self) -> None:
        self._server.faults.clear()

    def blocks(self, user: int) -> None:
        self._server.out_of_range.add(_id(user))

    def moves(self, group: int, new_id: int) -> None:
        raise NotImplementedError("a chat keeps its id")

    def _bring(self, user: int, event: events.Json, event_id: str) -> None:
        self.written.append(event_id)
        self._brought.setdefault(user, deque()).append(event)
        if user not in self._bringing or self._bringing[user].done():
            self._bringing[user] = asyncio.create_task(self._deliver(self._brought[user]))

    async def _deliver(self, queue: deque[events.Json]) -> None:
        while queue:
            try:
                ack = await self._server.push(queue[0], timeout=_FEISHU_FOUND_OUT.total_seconds())
            except (TimeoutError, ConnectionError):  # whoever was to acknowledge it is dead
                continue
            if ack.code == 200:
                queue.popleft()


def _id(number: int) -> str:
    return f"ou_{number}" if number >= 0 else f"oc_{-number}"


def _number(chat: str) -> int:
    return int(chat[3:]) if chat.startswith("ou_") else -int(chat[3:])


def platform(name: str, seconds: Callable[[], float]) -> Platform:
    """By its name; `seconds` of the run's clock."""
    return OnFeishu(seconds) if name == "feishu" else OnTelegram()
