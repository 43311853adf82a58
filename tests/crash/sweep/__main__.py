"""The sweep from the command line: prints its table, and what is wrong; status 1 where anything is."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import time

from tests.conftest import DEFAULT_POSTGRES_URL
from tests.crash.sweep.platforms import NAMES
from tests.crash.sweep.sweeping import Sweep, Table, points, sweep


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.crash.sweep", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="how many (10)")
    parser.add_argument("--first-seed", type=int, default=1, help="the first of them (1)")
    parser.add_argument("--databases", default="sqlite,postgresql", help="sqlite,postgresql")
    parser.add_argument("--platforms", default=",".join(NAMES), help=",".join(NAMES))
    parser.add_argument("--points", default="", help="only those whose name begins so; several with commas")
    parser.add_argument("--at-once", type=int, default=2, help="runs at the same time (2)")
    parser.add_argument("--sample", action="store_true", help="each point of a seed on one of the databases")
    return parser.parse_args()


async def _sweep(options: argparse.Namespace, platform: str) -> tuple[Table, Sweep]:
    wanted = [p for p in points(platform) if p.startswith(tuple(options.points.split(",")))]
    kinds = options.databases.split(",")
    url = os.environ.get("QINGHAI_TEST_POSTGRES", "")
    sweeping = Sweep(url if "://" in url else DEFAULT_POSTGRES_URL, options.at_once, platform)
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    async with sweeping.opened(kinds):
        return await sweep(sweeping, kinds, seeds, wanted, spread=options.sample), sweeping


def main() -> int:
    """Exit status."""
    logging.disable(logging.CRITICAL)
    options, faults = _arguments(), []
    for platform in options.platforms.split(","):
        began = time.monotonic()
        table, sweeping = asyncio.run(_sweep(options, platform))
        print(f"{platform}\n{table.text()}")
        took, runs = time.monotonic() - began, len(sweeping.seconds)
        print(f"{runs} runs in {took:.0f} s, {sum(sweeping.seconds) / runs:.2f} s each")
        faults += table.faults()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
