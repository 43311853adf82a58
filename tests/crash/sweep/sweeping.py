"""Which runs a sweep is made of, and its table."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.store.tables import TABLES
from bot.store.unit import PeeweeStore
from tests.crash.sweep.checks import Outcome, Verdict, outcome, verdict
from tests.crash.sweep.life import WRITES
from tests.crash.sweep.stories import HANGS, MOVES, STORIES
from tests.crash.sweep.town import Broken, Run, played
from tests.postgres import own_schema

ROOT = Path(__file__).parents[3]
GROUP = 5
"""Stories that are played together."""
DEATHS, DEATHS_OF_A_SAMPLE = 2, 4
"""Points at which one run dies, one a life: many are quicker, and few are a sharper look (what a message in doubt
changes is not held against a story)."""
HALVINGS = 8
LEFT_OUT: dict[str, set[str]] = {"telegram": set(), "feishu": {"moved"}}
"""Units of work that nothing brings about there."""
CLEARING = ("people.", "clear_up.", "bury.")
"""Passed when a life begins: it has to find something that another left."""


def points(platform: str = "telegram") -> tuple[str, ...]:
    """All failpoints that the program comes to there, as its source names them."""
    source = "\n".join(
        path.read_text(encoding="utf-8") for part in ("bot", "core") for path in (ROOT / part).rglob("*.py")
    )
    units = set(re.findall(r'\bat="([a-z_]+)"', source)) | {"read"}
    requests = set(re.findall(r'"([a-z_]+)\.(?:before|after)_request"', source))
    requests = requests - {"acknowledge"} | set(_named_in_api(platform))
    found = {f"{unit}.{side}_commit" for unit in units - LEFT_OUT[platform] for side in ("before", "after")}
    found |= {f"{request}.{side}_request" for request in requests for side in ("before", "after")}
    return tuple(sorted(found | {"acknowledge.before_request"}))


def _named_in_api(platform: str) -> tuple[str, ...]:
    from bot.channels.feishu.api import POINTS as FEISHU
    from bot.channels.telegram.api import POINTS as TELEGRAM

    return tuple((FEISHU if platform == "feishu" else TELEGRAM).values())


@dataclass
class Line:
    """A point of the table."""

    passes: int = 0
    kills: int = 0
    lost: int = 0
    doubled: int = 0
    in_doubt: int = 0
    unshown: int = 0
    astray: int = 0
    other: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Table:
    """All of them."""

    lines: dict[str, Line]

    def note(self, point: str, run: Run, found: Verdict) -> None:
        """One run. A death counts where it came; what is wrong with the run, at its first point."""
        for death in run.deaths:
            if death.point in self.lines:
                self.lines[death.point].kills += 1
                self.lines[death.point].in_doubt += len(found.in_doubt & death.being_sent)
        line = self.lines[point]
        line.lost += found.lost
        line.doubled += found.doubled
        line.unshown += found.unshown
        line.astray += found.astray
        line.other += len(found.faults) - found.lost - found.doubled - found.unshown
        where = f"{'/'.join(run.fates)} in {', '.join(run.names)} on {run.url.partition(':')[0]}"
        for fault in found.faults:
            self.wrong(point, f"{where}: {fault}")

    def broken(self, point: str, fault: str) -> None:
        """A run that did not come to its end."""
        self.lines[point].kills += 1
        self.lines[point].other += 1
        self.wrong(point, fault)

    def wrong(self, point: str, fault: str) -> None:
        """A fault in words; told at once, for a sweep takes its time."""
        self.lines[point].faults.append(fault)
        print(fault, file=sys.stderr, flush=True)

    def text(self) -> str:
        """For people."""
        head = f"{'point':<34}{'passes':>8}{'kills':>7}{'lost':>6}{'doubled':>9}{'in doubt':>10}{'unshown':>9}{'astray':>8}{'other':>7}"
        rows = [_row(point, line) for point, line in self.lines.items()]
        total = Line()
        for line in self.lines.values():
            for name in ("passes", "kills", "lost", "doubled", "in_doubt", "unshown", "astray", "other"):
                setattr(total, name, getattr(total, name) + getattr(line, name))
        return "\n".join([head, "-" * len(head), *rows, "-" * len(head), _row(f"{len(self.lines)} points", total)])

    def faults(self) -> list[str]:
        """Everything that is wrong, a point that nobody came to included."""
        unreached = [f"{point}: no run came there" for point, line in self.lines.items() if not line.kills]
        return [*unreached, *(fault for line in self.lines.values() for fault in line.faults)]


def _row(name: str, line: Line) -> str:
    return (
        f"{name:<34}{line.passes:>8}{line.kills:>7}{line.lost:>6}{line.doubled:>9}"
        f"{line.in_doubt:>10}{line.unshown:>9}{line.astray:>8}{line.other:>7}"
    )


@contextmanager
def databases(kind: str, postgres: str, number: int) -> Iterator[Callable[[Path], str]]:
    """Gives the URL of an empty database for a run in a folder."""
    if kind == "sqlite":
        yield lambda folder: f"sqlite:///{folder / 'bot.db'}"
        return
    import psycopg

    names = ", ".join(table._meta.table_name for table in TABLES)
    with own_schema(postgres, f"sweep_{number}", hasty=True) as url:
        PeeweeStore(url, inline=True).close()

        def emptied(_: Path) -> str:
            with psycopg.connect(url, autocommit=True) as inside:
                inside.execute(f"TRUNCATE {names} RESTART IDENTITY")  # type: ignore[arg-type]
            return url

        yield emptied


@dataclass
class Sweep:
    """Plays runs, so many at once, each on a database of its own."""

    postgres: str
    at_once: int = 2
    platform: str = "telegram"
    seconds: list[float] = field(default_factory=list)
    _free: dict[str, asyncio.Queue[Callable[[Path], str]]] = field(default_factory=dict)

    @asynccontextmanager
    async def opened(self, kinds: Sequence[str]) -> AsyncIterator[Sweep]:
        """The databases are there inside."""
        from contextlib import ExitStack

        with ExitStack() as stack:
            for kind in kinds:
                queue: asyncio.Queue[Callable[[Path], str]] = asyncio.Queue()
                for number in range(self.at_once):
                    queue.put_nowait(stack.enter_context(databases(kind, self.postgres, number)))
                self._free[kind] = queue
            self._places = asyncio.Semaphore(self.at_once)
            yield self

    async def play(self, kind: str, names: tuple[str, ...], fates: tuple[str, ...] = ()) -> tuple[Run, Outcome]:
        """A run and what it ended in."""
        async with self._places:
            make = await self._free[kind].get()
            folder = Path(tempfile.mkdtemp(prefix="sweep-"))
            began = asyncio.get_running_loop().time()
            try:
                run = await played(Run(names, make(folder), folder, fates, platform=self.platform))
                return run, outcome(run)
            finally:
                self.seconds.append(asyncio.get_running_loop().time() - began)
                shutil.rmtree(folder, ignore_errors=True)
                self._free[kind].put_nowait(make)


@dataclass(frozen=True)
class Calm:
    """A run in which nobody died: what it passed, and what it ended in."""

    kind: str
    names: tuple[str, ...]
    passes: Counter[str]
    ended: Outcome


def grouped(dice: random.Random, platform: str) -> list[tuple[str, ...]]:
    """The stories, mixed, so many together."""
    left_out = {HANGS, MOVES} if platform == "feishu" else {HANGS}
    names = [story.name for story in STORIES if story.name not in left_out]
    dice.shuffle(names)
    return [(HANGS,), *(tuple(names[i : i + GROUP]) for i in range(0, len(names), GROUP))]


async def sweep(
    sweeping: Sweep, kinds: Sequence[str], seeds: Sequence[int], wanted: Sequence[str], *, spread: bool = False
) -> Table:
    """Each point with each seed on each database; with `spread` each point of a seed on one of them only."""
    table = Table({point: Line() for point in wanted})
    for seed in seeds:
        groups = grouped(random.Random(seed), sweeping.platform)
        calm: dict[str, list[Calm]] = {}
        for kind in kinds:
            calm[kind] = list(await asyncio.gather(*(_calm(sweeping, kind, names) for names in groups)))
        for kind in kinds:
            for one in calm[kind]:
                for point in wanted:
                    table.lines[point].passes += one.passes[point]
        cases = _cases(wanted, kinds, calm, seed if spread else None)
        deaths = DEATHS_OF_A_SAMPLE if spread else DEATHS
        runs = [run for kind in kinds for run in _together(cases[kind], calm[kind], deaths, random.Random(seed))]
        await asyncio.gather(*(_killed(sweeping, table, seed, *run) for run in runs))
    return table


def _cases(
    wanted: Sequence[str], kinds: Sequence[str], calm: dict[str, list[Calm]], seed: int | None
) -> dict[str, list[str]]:
    """Points by database; with a seed each point on one of them, and the two sides of a commit not on the same."""
    cases: dict[str, list[str]] = {kind: [] for kind in kinds}
    for number, point in enumerate(wanted):
        able = [kind for kind in kinds if any(one.passes[point] for one in calm[kind])]
        turn = 0 if seed is None or not able else (number + number // 2 + seed) % len(able)
        for kind in able if seed is None else able[turn : turn + 1]:
            cases[kind].append(point)
    return cases


def _together(
    cases: list[str], calm: list[Calm], deaths: int, dice: random.Random
) -> list[tuple[Calm, str, tuple[str, ...]]]:
    """Runs: the stories, the point of the first death, and those of the later ones."""
    left = [point for point in cases if not point.startswith(CLEARING)]
    dice.shuffle(left)
    runs = [(_chosen("send.after_request", calm, dice), point, ()) for point in cases if point not in left]
    while left:
        first = left.pop()
        here = _chosen(first, calm, dice)
        others = tuple([point for point in left if here.passes[point]][: deaths - 1])
        left = [point for point in left if point not in others]
        runs.append((here, first, others))
    return runs


def _chosen(point: str, calm: list[Calm], dice: random.Random) -> Calm:
    """Stories that come to a point; the one that takes seconds only where no others do."""
    able = [one for one in calm if one.passes[point]]
    return dice.choice([one for one in able if one.names != (HANGS,)] or able)


async def _calm(sweeping: Sweep, kind: str, names: tuple[str, ...]) -> Calm:
    run, ended = await sweeping.play(kind, names)
    if run.passes[WRITES]:
        raise Broken(WRITES)
    return Calm(kind, names, run.passes, ended)


async def _killed(sweeping: Sweep, table: Table, seed: int, here: Calm, point: str, others: tuple[str, ...]) -> None:
    dice = random.Random(f"{seed} {point}")
    nth = dice.randint(1, here.passes[point] or 1)
    for attempt in range(HALVINGS):
        fates = _fates(point, nth, others, seed, dice, here)
        if attempt and point.startswith(CLEARING):  # a short second life does not come there on every database
            fates = (f"{point}:1",)
        try:
            run, ended = await sweeping.play(here.kind, here.names, fates)
        except Broken as broken:
            table.broken(point, f"{'/'.join(fates)} in {', '.join(here.names)} on {here.kind}: {broken}")
            return
        reached = {death.point for death in run.deaths}
        if point in reached:
            table.note(point, run, verdict(run, ended, here.ended))
            missed = tuple(other for other in others if other not in reached)
            if missed:
                await _killed(sweeping, table, seed, here, missed[0], missed[1:])
            return
        nth = (nth + 1) // 2  # how often idle loops go round is not the same in every run


def _fates(
    point: str, nth: int, others: tuple[str, ...], seed: int, dice: random.Random, here: Calm
) -> tuple[str, ...]:
    """The deaths of a run, one a life; with every other seed a short run dies at the first point once more."""
    if point.startswith(CLEARING):
        return (f"send.after_request:{dice.randint(1, here.passes['send.after_request'])}", f"{point}:1")
    later = [
        f"{it}:{dice.randint(1, max(1, (here.passes[it] + 1) // (2 * n - 2)))}" for n, it in enumerate(others, start=2)
    ]
    again = (f"{point}:{dice.randint(1, nth)}",) if seed % 2 and len(others) < DEATHS else ()
    return (f"{point}:{nth}", *later, *again)
