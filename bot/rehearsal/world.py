"""The world of a rehearsal: the clock, the channels, who was told what, and what was looked at already.

It outlives a restart of the bot: channels keep what was delivered, whatever the process behind them remembers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.channels.virtual import Counter, Delivered, Fault, VirtualChannel
from bot.rehearsal.scenario import ANYONE, Scenario
from bot.rehearsal.steps import ChannelFails, EventStep, Press, Say
from bot.rehearsal.timeline import RehearsalError
from bot.system import SequenceIds, VirtualClock
from bot.web.wording import said
from core.facts import Event, Fact, FactKind
from core.ids import ConversationId, PersonId, conversation_id
from core.people import Person


@dataclass(frozen=True)
class Named:
    """A message that a step gave a name: where it lies."""

    channel: str
    chat: str
    message_id: str


@dataclass(frozen=True)
class Line:
    """A line of the dialogue as it is shown. `who` and `to` are names; None is the bot."""

    at: datetime
    who: str | None
    to: str | None
    text: str
    channel: str
    kind: Literal["message", "edit", "recall", "press", "event", "fault", "restart"] = "message"
    buttons: tuple[tuple[str, ...], ...] = ()


@dataclass
class World:
    """Everything around the bot."""

    scenario: Scenario
    clock: VirtualClock = field(init=False)
    ids: SequenceIds = field(default_factory=SequenceIds)
    channels: dict[str, VirtualChannel] = field(init=False)
    lines: list[Line] = field(default_factory=list)
    _seen: dict[str, int] = field(default_factory=dict)
    """By person: the number of the last message that a step looked at."""
    _shown: int = 0
    _named: dict[str, Named] = field(default_factory=dict)
    _events: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        counter = Counter()
        self.clock = VirtualClock(self.scenario.now)
        self.channels = {n: VirtualChannel(n, self.clock, counter) for n in self.scenario.channels}
        self._people = {p.person_id: p for p in self.scenario.people}
        self._by_chat = {(i.channel, i.user_id): p.person_id for p in self.scenario.people for i in p.identities}

    # --- what was delivered -------------------------------------------------------------------------------------

    def delivered(self) -> list[Delivered]:
        """Everything that any channel accepted, in order."""
        return sorted((d for c in self.channels.values() for d in c.delivered), key=lambda d: d.number)

    def recipient(self, message: Delivered) -> str:
        """Person id, or `channel:chat` for a chat of nobody's."""
        return self._by_chat.get((message.channel, message.chat), f"{message.channel}:{message.chat}")

    def take(self, person: str) -> list[Delivered]:
        """The messages to a person (or to anyone) since the last step that looked at them; takes all of them."""
        everything = self.delivered()
        new = [d for d in everything if d.number > self._seen.get(self.recipient(d), 0)]
        taken = [d for d in new if person in (ANYONE, self.recipient(d))]
        for message in taken:
            self._seen[self.recipient(message)] = message.number
        return taken

    def note_delivered(self) -> None:
        """Put what was delivered since the last call into the dialogue."""
        for message in self.delivered():
            if message.number > self._shown:
                labels = tuple(tuple(b.label for b in row) for row in message.buttons)
                self.lines.append(
                    Line(message.at, None, self.name_of(self.recipient(message)), message.text, message.channel,
                         buttons=labels)
                )  # fmt: skip
                self._shown = message.number

    def name_of(self, person: str) -> str:
        """The display name of a person id."""
        return self._people[PersonId(person)].name if person in self._people else person

    def name_message(self, name: str, message: Delivered) -> None:
        """Give a delivered message a name."""
        self._named[name] = Named(message.channel, message.chat, message.message_id)

    # --- what people do -----------------------------------------------------------------------------------------

    def say(self, step: Say) -> Fact:
        """The fact of a message; remembered and shown."""
        person = self._people[PersonId(step.who)]
        quoted = self._named[step.reply_to] if step.reply_to else None
        channel = step.channel or (quoted.channel if quoted else None) or self._usual_channel(person)
        chat = self._chat(person, channel)
        message_id = self.channels[channel].next_message_id()
        if step.id:
            self._named[step.id] = Named(channel, chat, message_id)
        self._show(person, step.text, channel)
        return self._fact(FactKind.MESSAGE, channel, chat, person).model_copy(
            update={
                "text": step.text,
                "message_id": message_id,
                "reply_to": quoted.message_id if quoted else None,
                "forwarded_from": step.forwarded_from,
            }
        )

    def change(self, who: str, name: str, text: str | None) -> Fact:
        """The fact of an edit (`text`) or a recall (None) of the message called `name`."""
        person, message = self._people[PersonId(who)], self._named[name]
        kind = FactKind.RECALL if text is None else FactKind.EDIT
        self._show(person, text or "", message.channel, kind="recall" if text is None else "edit")
        return self._fact(kind, message.channel, message.chat, person).model_copy(
            update={"text": text or "", "message_id": message.message_id}
        )

    def press(self, step: Press) -> Fact:
        """The fact of a button press: the latest message to them with this label, or the one that was named."""
        person = self._people[PersonId(step.who)]
        named = self._named[step.as_].message_id if step.as_ else None
        mine = [d for d in self.delivered() if self.recipient(d) == step.who and named in (None, d.message_id)]
        for message in reversed(mine):
            button = next((b for row in message.buttons for b in row if b.label == step.label), None)
            if button:
                self._show(person, step.label, message.channel, kind="press")
                return self._fact(FactKind.BUTTON, message.channel, message.chat, person).model_copy(
                    update={"button": button.data, "message_id": message.message_id}
                )
        labels = dict.fromkeys(b.label for d in mine for row in d.buttons for b in row)
        seen = f"there are {', '.join(labels)}" if labels else "there are no buttons"
        raise RehearsalError(f"{person.name} has no button {step.label!r}; {seen}")

    def event(self, step: EventStep) -> Fact:
        """The fact of something that happened outside."""
        self.lines.append(Line(self.clock.now(), step.source, None, step.subject, step.source, kind="event"))
        told = {"source": step.source, "kind": step.kind, "subject": step.subject, "text": step.text or ""}
        happened = Event.model_validate({**told, **step.data})
        return Fact(
            channel=step.source,
            event_id=step.id or self._event_id(),
            kind=FactKind.EVENT,
            occurred_at=self.clock.now(),
            conversation=ConversationId(f"{step.source}:{step.person or step.kind}"),
            sender_name=step.source,
            text=said(happened, self.scenario.settings.locale, with_text=True),
            person_id=PersonId(step.person) if step.person else None,
            event=happened,
        )

    def fail(self, step: ChannelFails) -> None:
        """Script a fault."""
        fault = Fault(step.error, times=step.times)
        if step.to:
            fault.chat = self._chat(self._people[PersonId(step.to)], step.channel)
        if step.retry_after is not None:
            fault.retry_after = step.retry_after
        to = self.name_of(step.to) if step.to else ANYONE
        self.lines.append(Line(self.clock.now(), None, to, step.error, step.channel, kind="fault"))
        self.channels[step.channel].fail(fault)

    def _usual_channel(self, person: Person) -> str:
        """Where they were written to last, else where they like it best."""
        last = [d.channel for d in self.delivered() if self.recipient(d) == person.person_id]
        channels = last[-1:] or list(person.channels())
        if not channels:
            raise RehearsalError(f'{person.name} is on no channel; give them one, such as telegram: "1001"')
        return channels[0]

    def _chat(self, person: Person, channel: str) -> str:
        user_id = person.user_id_on(channel)
        if user_id is None:
            raise RehearsalError(f"{person.name} is not on {channel}")
        return user_id

    def _event_id(self) -> str:
        return f"e{self._events.next()}"

    def _show(
        self, person: Person, text: str, channel: str, kind: Literal["message", "edit", "recall", "press"] = "message"
    ) -> None:
        self.lines.append(Line(self.clock.now(), person.name, None, text, channel, kind=kind))

    def _fact(self, kind: FactKind, channel: str, chat: str, person: Person) -> Fact:
        return Fact(
            channel=channel,
            event_id=self._event_id(),
            kind=kind,
            occurred_at=self.clock.now(),
            conversation=conversation_id(channel, chat),
            sender=chat,
            sender_name=person.name,
        )
