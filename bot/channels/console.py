"""The console: owner and delegates in one terminal. What is typed is read here, what the bot says is printed here."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.facts import Fact, FactKind
from core.ids import conversation_id
from core.people import Person, Role
from core.ports import ChannelButton, ChannelMessage, Clock, Emit, Ids, Receipt

NAME = "console"
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SPEAKER = re.compile(r"\s*([^:：]{1,40}?)\s*([:：])\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Speech:
    """A line that somebody says."""

    speaker: Person
    text: str


@dataclass(frozen=True)
class Directive:
    """A line that drives the sandbox: `!advance 4h`."""

    word: str
    argument: str


@dataclass(frozen=True)
class Nobody:
    """A line that begins like somebody's, but nobody is called so."""

    name: str
    text: str


def clean(line: str) -> str:
    """What was typed or piped in without what is no text: control characters and bytes of another encoding."""
    return _UNSEEN.sub("", line).strip()


def read_line(line: str, people: Sequence[Person], last: Person) -> Speech | Directive | Nobody | None:
    """What a typed line is; None when it is empty.

    `name: words` speaks as that person when the name is known; `name: words` with a plain colon and a blank and
    an unknown name of one word is taken for a slip; all else is said by `last`.
    """
    line = clean(line)
    if not line:
        return None
    if line[0] in "!！":
        word, _, argument = line[1:].strip().partition(" ")
        return Directive(word.lower(), argument.strip())
    spoken = None if line.startswith("/") else _SPEAKER.fullmatch(line)
    if not spoken:
        return Speech(last, line)
    name, colon, text = spoken.groups()
    person = find_person(name, people)
    if person:
        return Speech(person, text.strip()) if text.strip() else None
    if colon == ":" and " " not in name and line[spoken.start(3) - 1] == " ":
        return Nobody(name, text)
    return Speech(last, line)


def find_person(name: str, people: Sequence[Person]) -> Person | None:
    """Who is called so, by name, id or alias; `老板` and `owner` are the owner, whatever their name."""
    wanted = name.strip().casefold()
    for person in people:
        words = (person.name, person.person_id, *person.aliases, *(i.user_id for i in person.identities))
        if wanted in (w.casefold() for w in words):
            return person
    return next((p for p in people if p.role is Role.OWNER and wanted in ("owner", "老板")), None)


@dataclass(frozen=True)
class Shown:
    """A message that was printed, with the buttons that it still has."""

    message_id: str
    chat: str
    buttons: tuple[tuple[ChannelButton, ...], ...]


class ConsoleChannel:
    """Implements `core.ports.Channel` on a terminal; whoever reads it has the facts of what is typed made here."""

    name = NAME

    def __init__(self, clock: Clock, ids: Ids, print_line: Callable[[str], None], persona: str) -> None:
        self._clock = clock
        self._ids = ids
        self._print = print_line
        self._persona = persona
        self._names: dict[str, str] = {}
        self._shown: list[Shown] = []
        self.before: Callable[[], None] = lambda: None
        """Called before a message is printed."""

    def meet(self, people: Sequence[Person]) -> None:
        """Who the chats belong to."""
        self._names = {chat: p.name for p in people if (chat := p.user_id_on(NAME))}

    async def run(self, emit: Emit) -> None:
        """Nothing comes in by itself; ends when cancelled."""
        await asyncio.Event().wait()

    async def send(self, message: ChannelMessage) -> Receipt:
        """Print it: `清海 → 张三: …`, with its buttons."""
        message_id = self._ids.token()
        to = self._names.get(message.chat, message.chat)
        first, *more = [_UNSEEN.sub("", text) for text in message.text.splitlines()] or [""]
        self.before()
        self._print(f"{self._persona} → {to}: {first}")
        for text in more:
            self._print(f"    {text}".rstrip())
        for row in message.buttons:
            self._print("    " + " ".join(f"[{button.label}]" for button in row))
        for kind, ref in message.attachments:
            self._print(f"    <{kind}: {ref}>")
        self._shown.append(Shown(message_id, message.chat, message.buttons))
        return Receipt(channel=NAME, chat=message.chat, message_id=message_id)

    def parts(self, text: str) -> list[str]:
        """A terminal takes any length."""
        return [text]

    async def settle_button(self, fact: Fact, note: str | None) -> None:
        """The message loses its buttons: they cannot be pressed twice."""
        self._shown = [replace(s, buttons=()) if s.message_id == fact.message_id else s for s in self._shown]

    # --- what people do, as facts -------------------------------------------------------------------------------

    def said(self, speech: Speech) -> Fact:
        """The fact of a line that somebody says."""
        return self._fact(FactKind.MESSAGE, self._chat_of(speech.speaker), speech.speaker.name).model_copy(
            update={"text": speech.text, "message_id": self._ids.token()}
        )

    def pressed(self, label: str) -> Fact | None:
        """The fact of pressing the latest button with this label (or beginning with it); None when there is none."""
        wanted = label.strip().strip("[]").casefold()
        for fits in (str.__eq__, str.startswith):
            for shown in reversed(self._shown):
                for button in (b for row in shown.buttons for b in row):
                    if wanted and fits(button.label.casefold(), wanted):
                        fact = self._fact(FactKind.BUTTON, shown.chat, self._names.get(shown.chat))
                        return fact.model_copy(update={"button": button.data, "message_id": shown.message_id})
        return None

    def labels(self) -> tuple[str, ...]:
        """The labels of all buttons that can be pressed, the latest first."""
        return tuple(dict.fromkeys(b.label for s in reversed(self._shown) for row in s.buttons for b in row))

    @staticmethod
    def _chat_of(person: Person) -> str:
        return person.user_id_on(NAME) or person.person_id

    def _fact(self, kind: FactKind, chat: str, name: str | None) -> Fact:
        return Fact(
            channel=NAME,
            event_id=self._ids.token(),
            kind=kind,
            occurred_at=self._clock.now(),
            conversation=conversation_id(NAME, chat),
            sender=chat,
            sender_name=name,
        )
