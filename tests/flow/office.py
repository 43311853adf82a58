"""An office for property tests: an owner, a member, three delegates, channels that fail, a process that dies.

The channels keep a ledger of everything that arrived, with the key it was sent under; the process dies where it is told
to, between any two commits or right after a message went out.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from bot.app import App, build_app
from bot.brain.faulty import FaultyBrain
from bot.channels.virtual import Counter, VirtualChannel
from bot.runtime.breath import AT_ONCE
from bot.settings import build_settings
from bot.system import SequenceIds, VirtualClock
from core.brain.port import Brain
from core.brain.rules import RuleBrain
from core.concern.model import Concern
from core.facts import Fact, FactKind
from core.ids import ConversationId, PersonId
from core.limits import DebounceLimits
from core.people import Person
from core.ports import ChannelMessage, Receipt

T = TypeVar("T")
START = datetime.fromisoformat("2026-03-16T10:00:00+08:00")

PEOPLE: dict[str, Any] = {
    "owner": {"id": "p_owner", "name": "老板", "telegram": "1", "feishu": "ou_1"},
    "people": [
        {"id": "p_wang", "name": "王五", "telegram": "5", "role": "member"},
        {
            "id": "p_zhangsan",
            "name": "张三",
            "pronoun": "他",
            "feishu": "ou_2",
            "telegram": "2",
            "escalation_to": "p_lisi",
        },
        {"id": "p_lisi", "name": "李四", "telegram": "3", "working_hours": "10:00-19:00", "working_days": "daily"},
        {"id": "p_zhaoliu", "name": "赵六", "feishu": "ou_4", "working_hours": "08:00-17:00"},
    ],
}


class Killed(BaseException):
    """The process died here."""


@dataclass(frozen=True)
class Arrived:
    """One message in somebody's chat."""

    channel: str
    chat: str
    key: str
    text: str
    at: datetime
    message_id: str


class LedgerChannel(VirtualChannel):
    """A virtual channel that keeps what arrived with its key, and may see the process die right after a send."""

    ledger: list[Arrived]
    dies: Callable[[str], None]

    async def send(self, message: ChannelMessage) -> Receipt:
        before = len(self.delivered)
        try:
            receipt = await super().send(message)
        finally:
            for arrived in self.delivered[before:]:
                self.ledger.append(
                    Arrived(self.name, message.chat, message.key, message.text, self.clock.now(), arrived.message_id)
                )
        self.dies("after_send")
        return receipt


class Office:
    """The world and the bot in it. Every verb runs the bot until nothing is due."""

    def __init__(
        self,
        *,
        limits: dict[str, Any] | None = None,
        brain: Brain | None = None,
        people: dict[str, Any] = PEOPLE,
        start: datetime = START,
        debounce: DebounceLimits = AT_ONCE,
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self._folder = tempfile.TemporaryDirectory(prefix="office-")
        self._url = f"sqlite:///{Path(self._folder.name) / 'office.db'}"
        self.settings = build_settings({**people, "limits": limits or {}}, "the office")
        self.clock = VirtualClock(start)
        self._debounce = debounce
        self.brain = FaultyBrain(brain or RuleBrain())
        self.ledger: list[Arrived] = []
        self._ids = SequenceIds()
        self._events = Counter()
        self._die_in: int | None = None
        self._mortal = False
        self._only: str | None = None
        self.deaths = 0
        numbers = Counter()
        self.channels: dict[str, LedgerChannel] = {}
        for name in ("telegram", "feishu"):
            channel = LedgerChannel(name, self.clock, numbers)
            channel.ledger, channel.dies = self.ledger, self._maybe_die
            self.channels[name] = channel
        self.people: dict[PersonId, Person] = {p.person_id: p for p in self.settings.people}
        self._app: App | None = None
        self._survive(self._started)

    # --- the bot ----------------------------------------------------------------------------------------------------

    async def _started(self) -> None:
        if self._app is None:
            self._app = await build_app(
                self.settings,
                clock=self.clock,
                ids=self._ids,
                brain=self.brain,
                channels=self.channels,
                database_url=self._url,
                inline=True,
                failpoint=self._maybe_die,
                debounce=self._debounce,
            )
        await self._app.settle()

    @property
    def app(self) -> App:
        """The bot as it runs now."""
        assert self._app is not None
        return self._app

    def die_in(self, points: int) -> None:
        """The process dies at the `points`-th commit or send from now."""
        self._die_in, self._only = points, None

    def die_after_sends(self, sends: int) -> None:
        """The process dies right after the `sends`-th message went out."""
        self._die_in, self._only = sends, "after_send"

    def _maybe_die(self, point: str) -> None:
        if self._die_in is not None and self._mortal and self._only in (None, point):
            self._die_in -= 1
            if self._die_in <= 0:
                self._die_in, self._mortal = None, False
                raise Killed

    def _survive(self, work: Callable[[], Any]) -> Any:
        """Run; when the process dies, start it again on the same database and let it go on."""
        self._mortal = True
        try:
            return self._loop.run_until_complete(work())
        except Killed:
            self.deaths += 1
            self.restart()
            return None
        finally:
            self._mortal = False

    def restart(self) -> None:
        """End without a word and start again."""
        if self._app is not None:
            self._loop.run_until_complete(self._app.close())
        self._app = None
        self._survive(self._started)

    def look(self, work: Callable[[Any], T]) -> T:
        """Read the database."""
        assert self._app is not None
        return self._app.store.run_now(work)

    def concerns(self) -> tuple[Concern, ...]:
        """All of them, newest first."""
        return self.look(lambda repos: repos.concerns.list(open_only=False, limit=10_000))

    def close(self) -> None:
        """Pull it down."""
        if self._app is not None:
            self._loop.run_until_complete(self._app.close())
        self._loop.close()
        self._folder.cleanup()

    # --- what people do -----------------------------------------------------------------------------------------------

    def say(
        self,
        who: str,
        text: str,
        *,
        channel: str | None = None,
        reply_to: str | None = None,
        ago: timedelta = timedelta(),
    ) -> str:
        """Write to the bot; the message id. It was written so long `ago` and comes only now."""
        at = self.clock.now() - ago
        return self._happens(who, text=text, channel=channel, reply_to=reply_to, kind=FactKind.MESSAGE, occurred_at=at)

    def press(self, who: str, data: str, channel: str, message_id: str) -> None:
        """Press a button."""
        self._happens(who, channel=channel, kind=FactKind.BUTTON, button=data, message_id=message_id)

    def edit(self, who: str, message_id: str, text: str) -> None:
        """Change an earlier message."""
        self._happens(who, text=text, kind=FactKind.EDIT, message_id=message_id)

    def recall(self, who: str, message_id: str) -> None:
        """Take an earlier message back."""
        self._happens(who, kind=FactKind.RECALL, message_id=message_id)

    def _happens(self, who: str, *, channel: str | None = None, message_id: str | None = None, **fields: Any) -> str:
        person = self.people[PersonId(who)]
        identity = next(i for i in person.identities if channel in (None, i.channel))
        number = self._events.next()
        message_id = message_id or f"in{number}"
        fact = Fact(
            channel=identity.channel,
            event_id=f"e{number}",
            occurred_at=fields.pop("occurred_at", self.clock.now()),
            conversation=ConversationId(f"{identity.channel}:{identity.user_id}"),
            sender=identity.user_id,
            message_id=message_id,
            **fields,
        )

        self.happens(fact)
        return message_id

    def happens(self, fact: Fact) -> None:
        """Whatever a channel may bring."""

        async def happen() -> None:
            assert self._app is not None
            await self._app.accept(fact)
            await self._app.settle()

        self._survive(happen)
        # A channel that got no acknowledgement brings its event again.
        self._survive(happen)

    def advance(self, span: timedelta) -> None:
        """Let time pass; each piece of work runs at its own time."""
        target = self.clock.now() + span
        while True:
            assert self._app is not None
            due = self._loop.run_until_complete(self._app.next_due())
            if due is None or due > target:
                break
            self.clock.set(due)
            self._survive(self._started)
        self.clock.set(target)
        self._survive(self._started)

    def jump(self, moment: datetime) -> None:
        """The clock shows this; whatever has fallen due on the way is found only now."""
        self.clock.set(moment)
        self._survive(self._started)

    def chat_of(self, chat: str) -> Person:
        """Whose chat it is."""
        return next(p for p in self.people.values() if any(i.user_id == chat for i in p.identities))
