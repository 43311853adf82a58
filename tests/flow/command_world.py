"""The slash commands on a database in memory, with a clock that is moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.brain.scripted import ScriptedBrain
from bot.commands import Commands
from bot.condition import Condition
from bot.render import JinjaRenderer
from bot.sending.words import Writer
from bot.store.repositories import StoreRepositories
from bot.store.unit import PeeweeStore
from bot.system import SystemIds, VirtualClock
from core.brain.rules import RuleBrain
from core.concern import inbound, opening, outbound
from core.concern.decision import Setting
from core.concern.model import Concern, ConcernType
from core.concern.points import raise_point
from core.effects import Outgoing, Purpose, Words
from core.facts import Fact, FactKind, StoredFact
from core.hub.commit import commit
from core.hub.services import Services, everybody
from core.ids import ConcernId, ConversationId, PersonId
from core.limits import Limits
from core.people import Identity, Person, Role
from core.ports import ChannelButton

NOON = datetime.fromisoformat("2026-03-16T12:00:00+08:00")  # a Monday
RENDERER = JinjaRenderer()
OWNER, ADMIN, MEMBER, ZHANGSAN, LISI, NOBODY = "1001", "1002", "1003", "2001", "2002", "6666"


def person(person_id: str, name: str, number: str, role: Role = Role.DELEGATE, **more: Any) -> Person:
    there = (Identity(channel="telegram", user_id=number),)
    return Person(person_id=PersonId(person_id), name=name, role=role, identities=there, **more)


PEOPLE = (
    person("p_owner", "老板", "1001", Role.OWNER),
    person("p_admin", "孙秘书", "1002", Role.ADMIN),
    person("p_member", "小周", "1003", Role.MEMBER),
    person("p_zhangsan", "张三", "2001", aliases=("三哥", "Zhang San")),
    person("p_lisi", "李四", "2002", language="en"),
)


@dataclass(frozen=True)
class Said:
    """One message that would go out."""

    to: str
    chat: str
    text: str
    purpose: Purpose
    buttons: tuple[tuple[ChannelButton, ...], ...]

    @property
    def labels(self) -> list[str]:
        return [b.label for row in self.buttons for b in row]

    @property
    def data(self) -> list[str]:
        return [b.data for row in self.buttons for b in row]


class World:
    """The commands on a database in memory, and a clock that is moved."""

    def __init__(self, failpoint: Callable[[str], None] = lambda name: None) -> None:
        self.store = PeeweeStore("sqlite:///:memory:", inline=True, failpoint=failpoint)
        self.clock = VirtualClock(NOON)
        self.services = Services(
            store=self.store,
            brain=ScriptedBrain(RuleBrain()),
            simple_brain=RuleBrain(),
            clock=self.clock,
            ids=SystemIds(),
            limits=Limits(),
        )
        self.condition = Condition(self.store, {}, self.clock, model="gpt-fake")
        self.commands = Commands(self.services, self.store, self.condition)
        self.store.run_now(lambda repos: [repos.people.save(p) for p in PEOPLE])
        self._events = 0

    # --- doing ---

    def fact(self, number: str, text: str = "", **more: Any) -> StoredFact:
        self._events += 1
        values: dict[str, Any] = {
            "channel": "telegram",
            "event_id": str(self._events),
            "kind": FactKind.MESSAGE,
            "occurred_at": self.clock.now(),
            "conversation": ConversationId(f"telegram:{number}"),
            "sender": number,
            "message_id": f"m{self._events}",
            "text": text,
        }
        fact = Fact(**{**values, **more})
        fact_id = self.store.run_now(lambda repos: repos.facts.add(fact, self.clock.now()))
        assert fact_id is not None
        return StoredFact(fact_id=fact_id, fact=fact)

    async def say(self, number: str, text: str, **more: Any) -> list[Said]:
        """What goes out after this message; the fact must have been taken for a command, and be closed."""
        self.sent()
        stored = self.fact(number, text, **more)
        assert await self.commands.handle(stored)
        assert stored.fact_id not in self.unhandled()
        return self.sent()

    async def answer(self, number: str, text: str, **more: Any) -> Said:
        """The one message that goes out after this one, into the chat where it was said."""
        (said,) = await self.say(number, text, **more)
        assert (said.chat, said.purpose) == (f"telegram:{number}", Purpose.REPLY)
        return said

    async def press(self, number: str, data: str) -> Said:
        assert len(data.encode()) <= 64
        return await self.answer(number, "", kind=FactKind.BUTTON, button=data)

    def raise_concern(
        self, title: str, initiator: str = "p_owner", delegates: tuple[str, ...] = ("p_zhangsan",), **more: Any
    ) -> ConcernId:
        def keep(repos: StoreRepositories) -> ConcernId:
            people = everybody(repos)
            by = people[PersonId(initiator)]
            proposal = opening.Proposal(
                concern_id=repos.concerns.next_id(self.clock.now().strftime("%Y%m%d")),
                type=ConcernType.DELEGATION,
                title=title,
                goal=f"拿到答复：{title}",
                words=title,
                initiator=by,
                channel="telegram",
                channel_user_id=by.user_id_on("telegram") or "",
                conversation=None,
                origin_message_id=None,
                delegates=tuple(people[PersonId(d)] for d in delegates),
                **more,
            )
            return commit(repos, opening.open_concern(proposal, self.setting(people)), new=True).concern_id

        return self.store.run_now(keep)

    def contact(self, concern_id: ConcernId, to: str, text: str = "请问一下") -> None:
        """The first contact has gone out."""
        message = Outgoing(
            purpose=Purpose.FIRST_CONTACT, to=PersonId(to), words=Words(text=text), concern_id=concern_id
        )

        def keep(repos: StoreRepositories) -> None:
            concern = self.get(concern_id, repos)
            setting = self.setting(everybody(repos))
            commit(repos, outbound.delivered(concern, message, text, "telegram", "9", setting))

        self.store.run_now(keep)

    def hear(self, concern_id: ConcernId, who: str, text: str) -> None:
        def keep(repos: StoreRepositories) -> None:
            now, setting = self.clock.now(), self.setting(everybody(repos))
            concern = self.get(concern_id, repos)
            heard = inbound.heard(
                concern, inbound.Utterance(PersonId(who), text, "telegram", None, now), setting, f"{who}{text}"
            )
            commit(repos, heard)

        self.store.run_now(keep)

    def ask_initiator(self, concern_id: ConcernId, question: str) -> None:
        def keep(repos: StoreRepositories) -> None:
            concern, setting = self.get(concern_id, repos), self.setting(everybody(repos))
            commit(repos, raise_point(concern, setting, kind="open", question=question, about=None))

        self.store.run_now(keep)

    # --- looking ---

    def setting(self, people: dict[PersonId, Person]) -> Setting:
        return Setting(now=self.clock.now(), people=people, limits=Limits())

    def get(self, concern_id: ConcernId, repos: StoreRepositories | None = None) -> Concern:
        found = repos.concerns.get(concern_id) if repos else self.store.run_now(lambda r: r.concerns.get(concern_id))
        assert found is not None
        return found

    def person(self, person_id: str) -> Person:
        found = self.store.run_now(lambda repos: repos.people.get(PersonId(person_id)))
        assert found is not None
        return found

    def unhandled(self) -> set[int]:
        found = self.store.run_now(lambda repos: repos.facts.claim(self.clock.now(), 1000))
        return {stored.fact_id for stored in found}

    def sent(self) -> list[Said]:
        """The messages that are due now, each once, in words."""

        def take(repos: StoreRepositories) -> list[Said]:
            due = []
            while claimed := repos.jobs.claim(self.clock.now(), 100):
                for one in claimed:
                    repos.jobs.done(one.job.key)
                    if one.job.kind == "deliver":
                        message = Outgoing.model_validate_json(one.job.payload)
                        due.append(self._in_words(repos, message))
            return due

        return self.store.run_now(take)

    def _in_words(self, repos: StoreRepositories, message: Outgoing) -> Said:
        reader = repos.people.get(message.to) if message.to else None
        writer = Writer(RENDERER, reader, self.clock.now(), "zh-CN", "Asia/Shanghai")
        buttons = writer.buttons(message.buttons)
        text = writer.text(message.words)
        return Said(message.to or "", message.conversation or "", text, message.purpose, buttons)
