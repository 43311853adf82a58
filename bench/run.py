"""`make bench`: the whole path of the product beside a bare python-telegram-bot, on the same loopback server.

    python bench/run.py [--smoke] [--rounds N]

Each bot runs in a fresh process and is measured turn about; of several rounds the median counts. What matters are the
ratios: absolute figures are those of the machine, with whatever else it does. Then what a fact costs the hub by how
much is open (bench/hub.py), the queue under a backlog (bench/backlog.py), the reading of times (bench/times.py), and
how far the rule brain agrees with people (bench/judging.py). No message waits here for more of its sender's.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from dataclasses import dataclass, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import backlog, hub, judging, times
from bench.load import Figures, Sizes, instant_model, measure

FULL = Sizes(one_by_one=200, chats=200, messages=2000)
SMOKE = Sizes(one_by_one=5, chats=10, messages=30)


@dataclass(frozen=True)
class Pair:
    """Both bots under the same conditions."""

    title: str
    ours: Figures
    bare: Figures


@dataclass(frozen=True)
class Row:
    """One line of the table: a field of `Figures`, how it is shown, and what is aimed at."""

    name: str
    field: str
    factor: float
    unit: str
    aim: str = ""


ROWS = (
    Row("answer, one by one, p50", "p50", 1000, "ms", "ratio <= 2"),
    Row("answer, one by one, p95", "p95", 1000, "ms"),
    Row("many chats", "rate", 1, "/s", "ratio >= 0.6"),
    Row("processor time a message", "cpu", 1000, "ms"),
    Row("memory", "memory", 1 / 2**20, "MB", "< 120"),
    Row("start", "start", 1, "s", "< 2"),
    Row("start, processor time", "start_cpu", 1, "s"),
)
MODEL_AIMS = {"p50": "<= 25", "rate": ">= 40", "memory": "", "start": ""}


def median(rounds: list[Figures]) -> Figures:
    """Field by field."""
    return Figures(**{f.name: statistics.median(getattr(r, f.name) for r in rounds) for f in fields(Figures)})


async def compare(title: str, sizes: Sizes, rounds: int, model: str | None = None) -> Pair:
    """Turn about, so that a slow minute of the machine meets both."""
    ours, bare = [], []
    for _ in range(rounds):
        bare.append(await measure("bare", sizes, model))
        ours.append(await measure("ours", sizes, model))
    return Pair(title, median(ours), median(bare))


def table(pair: Pair, aims: dict[str, str]) -> str:
    """The pair as text."""
    lines = [pair.title, f"  {'':26}{'ours':>12}{'bare':>12}{'ours/bare':>11}   aim"]
    for row in ROWS:
        ours, bare = getattr(pair.ours, row.field) * row.factor, getattr(pair.bare, row.field) * row.factor
        shown = (f"{value:.{1 if value < 100 else 0}f} {row.unit:<2}" for value in (ours, bare))
        ratio = f"{ours / bare:.2f}" if bare else "-"
        lines.append(
            f"  {row.name:26}" + "".join(f"{s:>12}" for s in shown) + f"{ratio:>11}   {aims.get(row.field, row.aim)}"
        )
    return "\n".join(line.rstrip() for line in lines)


async def main(sizes: Sizes, rounds: int) -> None:
    """Measure and print."""
    title = f"{sizes.messages} messages in {sizes.chats} chats, median of {rounds}"
    rules = await compare(f"rules, SQLite, every message durable ({title})", sizes, rounds)
    print(table(rules, {}), end="\n\n", flush=True)
    async with instant_model() as url:
        model = await compare(
            f"with a model that answers at once: ours asks it twice a message, the bare bot once ({title})",
            sizes,
            rounds,
            url,
        )
    print(table(model, MODEL_AIMS), end="\n\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="bench/run.py", description="The product beside a bare bot.")
    parser.add_argument("--smoke", action="store_true", help="a few seconds: does it run?")
    parser.add_argument("--rounds", type=int, default=None, metavar="N", help="3; 1 with --smoke")
    options = parser.parse_args()
    asyncio.run(main(SMOKE if options.smoke else FULL, options.rounds or (1 if options.smoke else 3)))
    asyncio.run(hub.main(hub.SMOKE if options.smoke else hub.FULL))
    asyncio.run(backlog.main(backlog.SMOKE if options.smoke else backlog.FULL))
    times.main(times.SMOKE if options.smoke else times.FULL)
    asyncio.run(judging.main(judging.SMOKE if options.smoke else judging.FULL))
