"""A bot with rules alone in a chat room in memory, on whatever database: people talk, time passes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from bot.app import App, build_app
from bot.channels.virtual import VirtualChannel
from bot.settings import Settings, build_settings
from bot.system import SequenceIds, VirtualClock
from core.brain.rules import RuleBrain
from core.facts import Fact, FactKind
from core.ids import ConversationId

MORNING = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
OWNER, MEMBER, ZHANGSAN, LISI = "700001001", "700001003", "700002001", "700002002"
PEOPLE: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": OWNER},
    "people": [
        {"id": "p_member", "name": "小周", "telegram": MEMBER, "role": "member"},
        {
            "id": "p_zhangsan",
            "name": "张三",
            "pronoun": "他",
            "aliases": ["三哥", "Zhang"],
            "telegram": ZHANGSAN,
            "gitlab": "zs-backend",
        },
        {"id": "p_lisi", "name": "李四", "pronoun": "她", "telegram": LISI, "escalation_to": "p_zhangsan"},
    ],
}


def settings_for(url: str, **more: Any) -> Settings:
    """The configuration of the parlour on this database."""
    return build_settings({**PEOPLE, "database_url": url, **more}, "qinghai.toml")


class Parlour:
    """Every verb runs the bot until nothing is due."""

    def __init__(self, settings: Settings, start: datetime = MORNING) -> None:
        self.settings = settings
        self.clock = VirtualClock(start)
        self.channel = VirtualChannel("telegram", self.clock)
        self.brain = RuleBrain()
        self._ids = SequenceIds()
        self._app: App | None = None
        self._events = 0

    @property
    def app(self) -> App:
        """The bot as it runs now."""
        assert self._app is not None
        return self._app

    async def open(self) -> None:
        """The bot starts."""
        self._app = await build_app(
            self.settings, clock=self.clock, ids=self._ids, brain=self.brain,
            channels={"telegram": self.channel}, inline=True,
        )  # fmt: skip
        await self._app.settle()

    async def close(self) -> None:
        """The bot ends."""
        await self.app.close()

    async def say(self, who: str, text: str, **more: Any) -> str:
        """Somebody writes; the message id."""
        message_id = more.pop("message_id", None) or self.channel.next_message_id()
        await self.happens(self.fact(who, text, message_id=message_id, **more))
        return str(message_id)

    def fact(self, who: str, text: str = "", **more: Any) -> Fact:
        """What the channel would bring of it."""
        self._events += 1
        values: dict[str, Any] = {
            "channel": "telegram",
            "event_id": f"u{self._events}",
            "kind": FactKind.MESSAGE,
            "occurred_at": self.clock.now(),
            "conversation": ConversationId(f"telegram:{who}"),
            "sender": who,
            "sender_name": {ZHANGSAN: "Zhang San"}.get(who),
            "text": text,
        }
        return Fact(**{**values, **more})

    async def happens(self, fact: Fact) -> bool:
        """Whatever the channel may bring; whether it is news."""
        new = await self.app.accept(fact)
        await self.app.settle()
        return new

    async def advance(self, span: timedelta) -> None:
        """Time passes; each piece of work runs at its own time."""
        target = self.clock.now() + span
        while True:
            due = await self.app.next_due()
            if due is None or due > target:
                break
            self.clock.set(due)
            await self.app.settle()
        self.clock.set(target)
        await self.app.settle()

    def heard(self, who: str) -> list[str]:
        """All that is in somebody's chat from the bot."""
        return [message.text for message in self.channel.delivered if message.chat == who]
