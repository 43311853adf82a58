"""The console's loop: lines of a terminal or a pipe, the sandbox's clock, and the bot between them."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from bot.channels.console import ConsoleChannel, Directive, Nobody, Speech, clean, read_line
from bot.rehearsal.timeline import RehearsalError, Runs, run_until
from bot.settings import nearest
from bot.system import SystemClock
from core.facts import Fact, FactKind
from core.people import Person, Role
from core.ports import Renderer
from core.timetalk import parse_duration

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

TICK_S = 1.0
"""How often the terminal looks whether something has fallen due while nobody types."""
LONGEST_JUMP = timedelta(days=366)


class Bot(Runs, Protocol):
    """The part of the app that the console needs."""

    async def accept(self, fact: Fact) -> bool:
        """Store what happened."""
        ...


class Sandbox:
    """One person at a terminal who plays everybody."""

    def __init__(
        self,
        app: Bot,
        channel: ConsoleChannel,
        clock: SystemClock,
        renderer: Renderer,
        people: tuple[Person, ...],
        *,
        persona: str,
        print_line: Callable[[str], None],
        keep_clock: Callable[[], Awaitable[None]],
    ) -> None:
        self._app = app
        self._channel = channel
        self._clock = clock
        self._renderer = renderer
        self._people = people
        self._persona = persona
        self._print = print_line
        self._keep_clock = keep_clock
        self.speaker = next((p for p in people if p.role is Role.OWNER), people[0])
        self._language = self.speaker.language
        self._zone = self.speaker.timezone
        self._turn = asyncio.Lock()
        self.ended = False
        self._jumping = False
        self._shown: datetime | None = None
        channel.meet(people)
        channel.before = self._show_jump
        self._directives: dict[str, Callable[[str], Awaitable[None]]] = {
            "advance": self._advance,
            "until": self._until,
            "press": self._press,
            "people": self._list_people,
            "help": self._help,
            "quit": self._quit,
        }

    @property
    def words(self) -> tuple[str, ...]:
        """What can begin a line, for completion."""
        return tuple(f"!{d}" for d in self._directives) + tuple(f"{p.name}: " for p in self._people)

    @property
    def prompt(self) -> str:
        """Sandbox time and speaker."""
        return f"{self._clock.now().astimezone(ZoneInfo(self._zone)):%H:%M} {self.speaker.name}> "

    def greet(self) -> None:
        """Who is here and how to speak."""
        self._tell("hello", persona=self._persona, people=self._names())
        self._show_clock()

    async def take(self, line: str) -> None:
        """One line of input, with all that follows from it."""
        async with self._turn:
            read = read_line(line, self._people, self.speaker)
            if isinstance(read, Speech):
                self.speaker = read.speaker
                await self._happen(self._channel.said(read))
            elif isinstance(read, Directive):
                await self._direct(read)
            elif isinstance(read, Nobody):
                self._tell("nobody", name=read.name, people=self._names())

    async def settle(self) -> None:
        """Run what is due now."""
        async with self._turn:
            await self._app.settle()

    async def tick(self) -> None:
        """Run what falls due while nobody types; ends when cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            due = await self._app.next_due()
            if due is not None and due <= self._clock.now():
                await self.settle()

    async def _happen(self, fact: Fact) -> None:
        new = await self._app.accept(fact)
        if new and fact.kind is FactKind.BUTTON:
            await self._channel.settle_button(fact, None)
        await self._app.settle()

    async def _direct(self, directive: Directive) -> None:
        handler = self._directives.get(directive.word)
        if handler is None:
            self._tell("unknown", word=directive.word, near=nearest(directive.word, self._directives))
            return
        await handler(directive.argument)

    async def _advance(self, argument: str) -> None:
        try:
            target = self._clock.now() + parse_duration(argument)
        except (ValueError, OverflowError):
            self._tell("bad_span")
            return
        await self._run_until(target)

    async def _until(self, argument: str) -> None:
        try:
            moment = datetime.fromisoformat(argument)
        except ValueError:
            self._tell("bad_moment")
            return
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=ZoneInfo(self._zone))
        if moment < self._clock.now():
            self._tell("past", at=self._clock.now().isoformat())
            return
        await self._run_until(moment)

    async def _run_until(self, target: datetime) -> None:
        if target - self._clock.now() > LONGEST_JUMP:
            self._tell("too_far", most=LONGEST_JUMP.days)
            return
        self._jumping, self._shown = True, None
        try:
            await run_until(self._app, self._jump, target)
        except RehearsalError as error:
            self._print(str(error))
        finally:
            self._jumping = False
            await self._keep_clock()
        if self._shown != _minute(self._clock.now()):
            self._show_clock()

    def _jump(self, moment: datetime) -> None:
        if moment > self._clock.now():
            self._clock.set(moment)

    async def _press(self, argument: str) -> None:
        fact = self._channel.pressed(argument)
        if fact is None:
            self._tell("no_button", label=argument, labels=self._channel.labels())
            return
        await self._happen(fact)

    async def _list_people(self, argument: str) -> None:
        for person in self._people:
            hours = None if person.working_hours == "00:00-24:00" else person.working_hours
            self._tell("person", name=person.name, role=person.role, aliases=person.aliases, hours=hours)

    async def _help(self, argument: str) -> None:
        self._tell("help", people=self._names())

    async def _quit(self, argument: str) -> None:
        self.ended = True

    def _names(self) -> list[str]:
        return [p.name for p in self._people]

    def _show_jump(self) -> None:
        """On the way to a later moment each message stands under the time at which it was sent."""
        if self._jumping and self._shown != _minute(self._clock.now()):
            self._show_clock()

    def _show_clock(self) -> None:
        now = self._clock.now()
        self._shown = _minute(now)
        self._tell("clock", at=now.isoformat(), clock=f"{now.astimezone(ZoneInfo(self._zone)):%H:%M}")

    def _tell(self, template: str, **values: object) -> None:
        self._print(
            self._renderer.render(
                f"console/{template}", self._language, now=self._clock.now(), timezone=self._zone, **values
            )
        )


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


async def play_pipe(sandbox: Sandbox, print_line: Callable[[str], None]) -> None:
    """All lines of standard input, each with what follows from it; ends with the input, when nothing is due."""
    await sandbox.settle()
    async for line in _piped():
        if clean(line):
            print_line(f"> {clean(line)}")
        await sandbox.take(line)
        if sandbox.ended:
            break
    await sandbox.settle()


async def _piped() -> AsyncIterator[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while line := await asyncio.to_thread(sys.stdin.readline):
        yield line


async def play_terminal(sandbox: Sandbox, history: Path | None) -> None:
    """A prompt with history and completion; what the bot says meanwhile is printed above it. Ends with !quit or ^D."""
    from prompt_toolkit.patch_stdout import patch_stdout

    session = _prompt(sandbox, history)
    sandbox.greet()
    await sandbox.settle()
    ticking = asyncio.create_task(sandbox.tick())
    try:
        with patch_stdout():
            while not sandbox.ended:
                await sandbox.take(await session.prompt_async(lambda: sandbox.prompt))
    except (EOFError, KeyboardInterrupt):
        pass
    finally:
        ticking.cancel()
        await asyncio.gather(ticking, return_exceptions=True)


def _prompt(sandbox: Sandbox, history: Path | None) -> PromptSession[str]:
    """The prompt; what was typed is kept in `history`, for nobody else to read."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import FileHistory, History, InMemoryHistory

    kept: History = InMemoryHistory()
    if history:
        history.touch(mode=0o600)
        kept = FileHistory(str(history))
    completer = WordCompleter(list(sandbox.words), sentence=True)
    return PromptSession(history=kept, completer=completer, complete_while_typing=False)
