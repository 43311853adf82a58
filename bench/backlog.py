"""The queue under a backlog, beside a bare indexed table, huey and APScheduler: `python bench/backlog.py [--smoke]`.

On SQLite, and on PostgreSQL where one answers. What is not installed is left out, and that is said. Each queue is
filled by one process and measured in another, so that memory is that of working off alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.queues import Figures, Load  # noqa: E402

POSTGRES = "postgresql://postgres@127.0.0.1:5432/test"
NAMES = {
    "ours": "ours",
    "postgres": "ours, PG",
    "table": "bare table",
    "huey": "huey",
    "apscheduler": "APScheduler",
}
NEEDS = {"huey": ("huey",), "apscheduler": ("sqlalchemy",)}


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    field: str
    factor: float
    unit: str
    aim: str = ""


ROWS = (
    Row("idle scan, p50", "idle_p50", 1000, "ms"),
    Row("idle scan, p95", "idle_p95", 1000, "ms", "< 1 ms"),
    Row("a claim with so many due", "claim", 1000, "ms"),
    Row("claim and done, a job", "drain", 1000, "ms", "< 3 ms; PG < 2 ms"),
    Row("through runtime and runner, a job", "worked", 1000, "ms", "< 3 ms"),
    Row("memory grown meanwhile", "memory", 1 / 2**20, "MB", "<= 20 MB"),
)


@dataclass(frozen=True)
class Sizes:
    """Loads that are measured, and for the looks: rows, due ones, and how often each is timed."""

    loads: tuple[Load, ...]
    looks: tuple[int, int, int]


FULL = Sizes((Load(100_000, 1_000), Load(1_000_000, 1_000, 1_000_000)), (100_000, 1_000, 100))
SMOKE = Sizes((Load(5_000, 100, 1_000),), (3_000, 100, 10))


@contextmanager
def schema() -> Iterator[str | None]:
    """The URL of an empty schema of a PostgreSQL, dropped afterwards; None where there is none."""
    wanted = os.environ.get("QINGHAI_TEST_POSTGRES", "")
    url = wanted if "://" in wanted else POSTGRES
    if find_spec("psycopg") is None:
        yield None
        return
    import psycopg

    name = f"bench_{os.getpid()}"
    try:
        server = psycopg.connect(url, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError:
        yield None
        return
    with server:
        server.execute(f"CREATE SCHEMA {name}")
        try:
            yield f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{name}"
        finally:
            server.execute(f"DROP SCHEMA {name} CASCADE")


async def _run(module: str, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    if process.returncode:
        raise SystemExit(f"{module} {' '.join(arguments[:2])} ended with {process.returncode}")
    return printed.decode()


@asynccontextmanager
async def _place(name: str) -> AsyncIterator[str | None]:
    """An empty database for one measurement; None where it cannot be had."""
    if name == "postgres":
        with schema() as url:
            yield url
    elif all(find_spec(module) for module in NEEDS.get(name, ())):
        with tempfile.TemporaryDirectory(prefix="backlog-") as folder:
            yield str(Path(folder) / "backlog.db")
    else:
        yield None


async def measure(name: str, load: Load) -> Figures | None:
    """One queue under one load; None where it cannot be had."""
    async with _place(name) as where:
        if where is None:
            return None
        sizes = ["--at", where]
        for part in ("waiting", "due", "done"):
            sizes += [f"--{part}", str(getattr(load, part))]
        await _run("bench.queues", name, "fill", *sizes)
        return Figures(**json.loads(await _run("bench.queues", name, "measure", *sizes)))


def table(load: Load, found: dict[str, Figures]) -> str:
    """All queues under one load, as text: each with its ratio to ours on SQLite."""
    over = f", {load.done:,} done" if load.done else ""
    aims = {"idle_p95": "< 2 ms"} if load.waiting >= 1_000_000 else {}
    lines = [f"the queue: {load.waiting:,} waiting, {load.due:,} due{over}"]
    lines.append(f"  {'':34}" + "".join(f"{NAMES[name]:>17}" for name in found) + "   aim")
    for row in ROWS:
        ours = getattr(found["ours"], row.field)
        cells = (_cell(getattr(figures, row.field), ours, row, name) for name, figures in found.items())
        lines.append(
            f"  {row.name:34}" + "".join(f"{cell:>17}" for cell in cells) + f"   {aims.get(row.field, row.aim)}"
        )
    missing = [NAMES[name] for name in NAMES if name not in found]
    if missing:
        lines.append(f"  left out, not to be had here (make bench brings the libraries): {', '.join(missing)}")
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: float | None, ours: float | None, row: Row, name: str) -> str:
    if value is None:
        return "-"
    shown = f"{value * row.factor:.{3 if row.unit == 'ms' else 1}f} {row.unit}"
    return shown if name == "ours" or not ours or row.unit == "MB" else f"{shown} x{value / ours:.1f}"


async def looks(sizes: tuple[int, int, int]) -> str:
    """The queries that are asked all the time, on SQLite and PostgreSQL, as text."""
    found: dict[str, dict[str, list[float]]] = {}
    for name in ("ours", "postgres"):
        async with _place(name) as where:
            if where is not None:
                options = [o for n, v in zip(("rows", "due", "times"), sizes, strict=True) for o in (f"--{n}", str(v))]
                found[name] = json.loads(await _run("bench.looks", "--at", where, *options))
    lines = [f"what is looked for all the time, {sizes[0]:,} rows in each table (ms, p50 and p95)"]
    lines.append(f"  {'':48}" + "".join(f"{NAMES[name]:>20}" for name in found))
    for look in found["ours"]:
        spans = (f"{found[name][look][0]:.3f} {found[name][look][1]:9.3f}" for name in found)
        lines.append(f"  {look:48}" + "".join(f"{span:>20}" for span in spans))
    return "\n".join(lines)


async def main(sizes: Sizes, say: Callable[[str], Any] = print) -> None:
    """Measure and print."""
    for load in sizes.loads:
        measured = {name: await measure(name, load) for name in NAMES}
        say(table(load, {name: figures for name, figures in measured.items() if figures is not None}) + "\n")
    say(await looks(sizes.looks) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="bench/backlog.py", description="The queue under a backlog.")
    parser.add_argument("--smoke", action="store_true", help="a few seconds: does it run?")
    asyncio.run(main(SMOKE if parser.parse_args().smoke else FULL))
