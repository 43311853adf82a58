"""One run: the people and their server, the clock, and the bot that dies and is started again."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.crash.sweep.ledger import Ledger
from tests.crash.sweep.life import Fate, SharedClock, live
from tests.crash.sweep.platforms import Heard, Platform, platform
from tests.crash.sweep.stories import OWNER, START, Act, Cast, at, stories, story_of

PATIENCE_S = 120.0
"""So long may one moment take; the machine may have more to do."""
LOOKS_S = 0.008
ASKS = 8
ENDS_AT = 38 * 60
"""Minutes: the last moment of a run, late on the second day."""

context = multiprocessing.get_context("forkserver")
context.set_forkserver_preload(["tests.crash.sweep.preloaded"])


@dataclass(frozen=True)
class Death:
    """One kill: where, at which pass, and what was being sent then."""

    point: str
    nth: int
    being_sent: frozenset[str]
    stories: frozenset[str]
    """Whose messages these were."""


@dataclass
class Run:
    """What a run is to be, and what was seen in it."""

    names: tuple[str, ...]
    url: str
    folder: Path
    fates: tuple[str, ...] = ()
    """`POINT:n` for the first lives; all later ones are left in peace."""
    sabotage: str = ""
    platform: str = "telegram"
    patience_s: float = PATIENCE_S
    deaths: list[Death] = field(default_factory=list)
    lives: int = 0
    passes: Counter[str] = field(default_factory=Counter)
    written: list[str] = field(default_factory=list)
    """Event ids of what people did."""
    sent: list[Heard] = field(default_factory=list)


class Broken(AssertionError):
    """A run that did not come to its end."""


class Town:
    """Implements `stories.Town` on a platform, and leads the run."""

    def __init__(self, run: Run, there: Platform, ledger: Ledger, clock: SharedClock) -> None:
        self._run = run
        self._there = there
        self._ledger = ledger
        self._clock = clock
        self._process: Any = None
        self.blocks, self.moves, self.group = there.blocks, there.moves, there.add_group

    # --- what people do -----------------------------------------------------------------------------------------------

    def says(self, user: int, text: str, *, chat: int | None = None) -> None:
        """Write to the bot."""
        self._there.says(user, text, chat)

    def edits(self, user: int, text: str) -> None:
        """Change one's last message."""
        self._there.edits(user, text)

    def presses(self, user: int, label: str, *, or_says: str) -> None:
        """Press the last button of that label; who has not seen one says it in words."""
        shown = next((s for s in reversed(self._sent_to(user)) if label in s.labels), None)
        if shown is None:
            self.says(user, or_says)
        else:
            self._there.presses(user, label, shown)

    def goes_wrong(self, kind: Any, chat: int, *, words: str = "", **more: Any) -> None:
        """Until the clock moves on: the next message with these words into that chat meets a fault."""
        self._there.goes_wrong(kind, chat, words, **more)

    def _sent_to(self, chat: int) -> list[Heard]:
        return [one for one in self._there.sent if one.chat == chat]

    # --- the bot ------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        run = self._run
        dies_at = run.fates[run.lives] if run.lives < len(run.fates) else ""
        self._fate = Fate(
            str(run.folder), run.url, run.platform, *self._there.reached_by, run.names, run.lives, dies_at, run.sabotage
        )  # fmt: skip
        run.lives += 1
        self._comings_before = self._there.comings
        self._process = context.Process(target=live, args=(self._fate,))
        self._process.start()

    def _died(self) -> bool:
        """Whether it was killed as it was to be; then the next life begins."""
        code = self._process.exitcode
        if code is None:
            return False
        if code != -signal.SIGKILL or not self._fate.dies_at:
            raise Broken(f"the bot ended by itself with {code}")
        point, _, nth = self._fate.dies_at.rpartition(":")
        sending = self._being_sent()
        stories = frozenset(story_of(lane) for lane in sending.values())
        self._run.deaths.append(Death(point, int(nth), frozenset(sending), stories))
        self._ledger.time_passes()
        self._process.close()
        self._start()
        return True

    def _being_sent(self) -> dict[str, str]:
        try:
            return self._ledger.being_sent()
        except Exception:  # it died before there were tables
            return {}

    async def _rest(self) -> None:
        """Until everything that is due is done, through any number of lives."""
        try:
            async with asyncio.timeout(self._run.patience_s):
                while self._died() or self._there.waits or not self._ledger.at_rest(self._clock.now()):
                    await asyncio.sleep(LOOKS_S)
        except TimeoutError:
            raise Broken(f"not at rest at {self._clock.now()}: {self._what_is_left()}") from None

    def _what_is_left(self) -> str:
        jobs = self._ledger.rows(
            "SELECT key, state, due, holder FROM jobs WHERE state IN ('pending','running','sending')"
        )
        facts = self._ledger.rows("SELECT id, kind, due_at, holder, attempts FROM facts WHERE state = 'unhandled'")
        waits = "something is not acknowledged, " if self._there.waits else ""
        return f"{waits}facts {facts}, jobs {jobs}"

    async def _end(self) -> None:
        """SIGTERM; a life that dies at that is started and ended again."""
        while True:
            async with asyncio.timeout(PATIENCE_S):
                while self._there.comings <= self._comings_before:  # only then it hears signals
                    await asyncio.sleep(LOOKS_S)
                self._process.terminate()
                while self._process.exitcode is None:
                    await asyncio.sleep(LOOKS_S)
            if self._process.exitcode == 0:
                break
            self._died()
            await self._rest()
        self._run.passes = Counter(json.loads(self._fate.counted.read_text()))

    def kill(self) -> None:
        """Whatever state it is in."""
        if self._process is not None and self._process.exitcode is None:
            self._process.kill()
            self._process.join(5)

    # --- the run ------------------------------------------------------------------------------------------------------

    async def live(self) -> None:
        """All stories to their end."""
        casts = stories(self._run.names)
        for cast in casts:
            for user in (cast.a, cast.b):
                self._there.add_user(user)
        self._start()
        for minute, doings in self._agenda(casts):
            await self._until(at(minute))
            self._there.goes_well()
            for act, cast in doings:
                act[1](self, cast)
            await self._rest()
        await self._until(at(ENDS_AT))
        await self._owner_looks()
        await self._end()
        self._run.sent, self._run.written = self._there.sent, self._there.written

    async def _owner_looks(self) -> None:
        """At what is not certain. Whoever got no answer, or one that may be in doubt itself, asks again."""
        for _ in range(ASKS):
            heard, lives = len(self._sent_to(OWNER)), self._run.lives
            self.says(OWNER, "/jobs")
            await self._rest()
            if len(self._sent_to(OWNER)) > heard and self._run.lives == lives:
                return

    @staticmethod
    def _agenda(casts: tuple[Cast, ...]) -> list[tuple[int, list[tuple[Act, Cast]]]]:
        minutes = sorted({act[0] for cast in casts for act in cast.story.acts})
        return [(m, [(act, cast) for cast in casts for act in cast.story.acts if act[0] == m]) for m in minutes]

    async def _until(self, target: datetime) -> None:
        """Each piece of work is done at its own time."""
        await self._rest()
        while (due := self._ledger.next_due(self._clock.now())) is not None and due <= target:
            self._there.goes_well()
            self._clock.set(due)
            await self._rest()
        self._clock.set(target)


@contextmanager
def _opened(run: Run) -> Iterator[tuple[Ledger, SharedClock]]:
    ledger = Ledger(run.url)
    try:
        yield ledger, SharedClock.create(run.folder / "clock", START)
    finally:
        ledger.close()


async def played(run: Run) -> Run:
    """The run, played. Raises `Broken` when it does not come to its end."""
    run.folder.mkdir(exist_ok=True)
    with _opened(run) as (ledger, clock):
        there = platform(run.platform, clock.seconds)
        await there.start()
        try:
            town = Town(run, there, ledger, clock)
            try:
                await town.live()
            finally:
                town.kill()
        finally:
            await there.stop()
    return run
