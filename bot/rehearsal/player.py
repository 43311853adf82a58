"""Plays a scenario: drives the bot on a virtual clock and notes each expectation that is not met."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from bot.app import App, build_app
from bot.logs import where
from bot.rehearsal.brains import Play
from bot.rehearsal.expectations import judge_concern, judge_expect
from bot.rehearsal.scenario import ANYONE, Scenario
from bot.rehearsal.steps import ChannelFails, ConcernStep, Expect, Step
from bot.rehearsal.timeline import RehearsalError, run_until
from bot.rehearsal.world import Line, World
from core.concern.model import Concern
from core.errors import QinghaiError
from core.facts import Fact, FactKind


@dataclass(frozen=True)
class Unmet:
    """An expectation that was not met: which, what was wrong, and what was there instead."""

    step: int
    kind: str
    problem: str
    saw: tuple[str, ...] = ()


@dataclass
class Outcome:
    """What came of a scenario."""

    scenario: Scenario
    brain: str
    lines: list[Line]
    expectations: int = 0
    unmet: list[Unmet] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all was as expected."""
        return not self.unmet


Look = Callable[[App, Step, datetime], Awaitable[None]]
"""Looks at the bot after a step; it is that time then."""


async def play(scenario: Scenario, brain: Play, look: Look | None = None) -> Outcome:
    """Play all steps on an empty database; `look` is called after each.

    A step that cannot be played ends it and counts as unmet.
    """
    world = World(scenario)
    outcome = Outcome(scenario, brain.kind, world.lines)
    with _database(scenario) as url, _faults() as faults:
        player = _Player(scenario, world, brain, outcome, url)
        await player.start()
        try:
            await player.play_all(look)
        finally:
            world.note_delivered()
            await player.stop()
            await brain.close()
    last = len(scenario.steps)
    outcome.unmet += [Unmet(last, "fault", f"the bot logged an error: {text}") for text in dict.fromkeys(faults)]
    return outcome


class _Faults(logging.Handler):
    """What the bot logs as an error: it goes on after a fault of its own, a rehearsal shall not hide it."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self.seen.append(record.getMessage() + (f" ({where(error)})" if error else ""))


@contextmanager
def _faults() -> Iterator[list[str]]:
    """Collects faults instead of printing them between the lines; at level DEBUG they are printed as well."""
    root, faults = logging.getLogger(), _Faults()
    handlers = root.handlers[:]
    root.handlers[:] = [faults, *(handlers if root.level == logging.DEBUG else ())]
    try:
        yield faults.seen
    finally:
        root.handlers[:] = handlers


@contextmanager
def _database(scenario: Scenario) -> Iterator[str]:
    """In memory; on disk where the process dies on the way."""
    if not any(s.kind == "restart" for s in scenario.steps):
        yield "sqlite:///:memory:"
        return
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
        yield f"sqlite:///{Path(folder) / 'rehearsal.db'}"


class _Player:
    def __init__(self, scenario: Scenario, world: World, brain: Play, outcome: Outcome, url: str) -> None:
        self._scenario = scenario
        self._world = world
        self._brain = brain
        self._outcome = outcome
        self._url = url
        self._app: App | None = None

    @property
    def _bot(self) -> App:
        if self._app is None:
            raise RehearsalError("the bot is not running")
        return self._app

    async def start(self) -> None:
        self._app = await build_app(
            self._scenario.settings,
            clock=self._world.clock,
            ids=self._world.ids,
            brain=self._brain,
            channels=self._world.channels,
            database_url=self._url,
            inline=True,
        )
        await self._bot.settle()

    async def stop(self) -> None:
        if self._app is not None:
            await self._app.close()
            self._app = None

    async def play_all(self, look: Look | None) -> None:
        for step in self._scenario.steps:
            try:
                await _PLAYS[step.kind](self, step)
            except RehearsalError as error:
                self._unmet(step, str(error))
                return
            except QinghaiError as error:
                self._unmet(step, f"the bot failed: {error}")
                return
            self._world.note_delivered()
            if look is not None:
                await look(self._bot, step, self._world.clock.now())
        last = len(self._scenario.steps)
        self._outcome.unmet += [Unmet(last, "model", sentence) for sentence in self._brain.leftovers()]

    def _unmet(self, step: Step, problem: str, saw: tuple[str, ...] = ()) -> None:
        self._outcome.unmet.append(Unmet(step.number, step.kind, problem, saw))

    # --- people and the world -----------------------------------------------------------------------------------

    async def _say(self, step: Step) -> None:
        await self._accept(self._world.say(step.body))

    async def _edit(self, step: Step) -> None:
        await self._accept(self._world.change(step.body.who, step.body.id, step.body.text))

    async def _recall(self, step: Step) -> None:
        await self._accept(self._world.change(step.body.who, step.body.id, None))

    async def _press(self, step: Step) -> None:
        await self._accept(self._world.press(step.body))

    async def _event(self, step: Step) -> None:
        await self._accept(self._world.event(step.body))

    async def _accept(self, fact: Fact) -> None:
        new = await self._bot.accept(fact)
        if new and fact.kind is FactKind.BUTTON:
            await self._world.channels[fact.channel].settle_button(fact, None)
        await self._bot.settle()

    async def _channel_fails(self, step: Step) -> None:
        body: ChannelFails = step.body
        self._world.fail(body)

    async def _model_fails(self, step: Step) -> None:
        self._brain.fail(step.body.error, step.body.times)

    async def _model(self, step: Step) -> None:
        self._brain.queue(step.body.root)

    async def _restart(self, step: Step) -> None:
        await self.stop()
        self._world.clock.advance(step.body.down or timedelta())
        self._world.lines.append(Line(self._world.clock.now(), None, None, "", "", kind="restart"))
        await self.start()

    # --- time ---------------------------------------------------------------------------------------------------

    async def _advance(self, step: Step) -> None:
        await self._run_until(self._world.clock.now() + step.body.root)

    async def _until(self, step: Step) -> None:
        if step.body.root < self._world.clock.now():
            raise RehearsalError(
                f"{step.body.root.isoformat()} has passed; it is {self._world.clock.now().isoformat()}"
            )
        await self._run_until(step.body.root)

    async def _run_until(self, target: datetime) -> None:
        await run_until(self._bot, self._world.clock.set, target)

    # --- looking ------------------------------------------------------------------------------------------------

    async def _expect(self, step: Step) -> None:
        body: Expect = step.body
        messages = self._world.take(body.to)
        verdict = judge_expect(body, messages)
        self._outcome.expectations += 1
        if verdict.problem:
            name = self._world.name_of(body.to)
            self._unmet(step, f"to {name}: {verdict.problem}", tuple(f"[{m.channel}] {m.text}" for m in messages))
        if body.as_ and (verdict.fitting or messages):
            self._world.name_message(body.as_, (verdict.fitting or messages)[-1])
        elif body.as_:
            raise RehearsalError(f"no message came that could be called {body.as_!r}")

    async def _silent(self, step: Step) -> None:
        messages = self._world.take(step.body.to)
        self._outcome.expectations += 1
        if messages:
            whom = "anyone" if step.body.to == ANYONE else self._world.name_of(step.body.to)
            saw = tuple(f"{self._world.name_of(self._world.recipient(m))}: {m.text}" for m in messages)
            self._unmet(step, f"nothing was to come to {whom}", saw)

    async def _concern(self, step: Step) -> None:
        body: ConcernStep = step.body
        self._outcome.expectations += 1
        concerns = await self._bot.store.run(lambda repos: repos.concerns.list(open_only=False, limit=1000))
        found = _pick(concerns, body.which)
        if found is None:
            there = tuple(f"{c.concern_id} {c.title} ({c.status})" for c in concerns)
            self._unmet(step, f"there is no concern {body.which!r}", there)
            return
        problems = judge_concern(body.fields, found.to_json())
        if problems:
            self._unmet(step, f"{found.concern_id} {found.title}: {'; '.join(problems)}")


def _pick(concerns: tuple[Concern, ...], which: str) -> Concern | None:
    """`concerns` are newest first."""
    if which == "last":
        return concerns[0] if concerns else None
    return next((c for c in concerns if c.concern_id == which or which in c.title), None)


_PLAYS: dict[str, Callable[[_Player, Step], Awaitable[None]]] = {
    "say": _Player._say,
    "edit": _Player._edit,
    "recall": _Player._recall,
    "press": _Player._press,
    "event": _Player._event,
    "channel_fails": _Player._channel_fails,
    "model_fails": _Player._model_fails,
    "model": _Player._model,
    "restart": _Player._restart,
    "advance": _Player._advance,
    "until": _Player._until,
    "expect": _Player._expect,
    "silent": _Player._silent,
    "concern": _Player._concern,
}
