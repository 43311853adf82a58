"""How far the rule brain agrees with people, and what it costs: `python bench/judging.py [--smoke]`.

A line for each labelled file: the agreement on what matters most of it, what should never happen and how often it did,
and the processor time of all questions about one message. Times are also given in readings of one ISO stamp by dateutil
(pure Python too): that ratio is the same on any machine.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.times import a_stamp  # noqa: E402
from bot.evaluation.cases import Cases, OwnerCase, read_cases  # noqa: E402
from bot.evaluation.evaluate import ALARMS, evaluate  # noqa: E402
from bot.evaluation.tally import Tally  # noqa: E402
from core.brain.questions import A, Question  # noqa: E402
from core.brain.rules import RuleBrain  # noqa: E402

LABELLED = ROOT / "tests" / "data" / "judgement"
FULL, SMOKE = 3, 1
MATTERS = {True: ("intent", "people"), False: ("attitude", "goal_met")}
"""Of owners' messages and of replies."""
AIM_MS = 2.0
WARM = 50
"""Cases before the first that counts: patterns are compiled, words are known."""


class Timed:
    """The rule brain, and the processor seconds that its answers took."""

    name = "rules"

    def __init__(self) -> None:
        self._brain = RuleBrain()
        self.seconds = 0.0

    async def ask(self, question: Question[A]) -> A:
        """The answer."""
        begun = time.process_time()
        try:
            return await self._brain.ask(question)
        finally:
            self.seconds += time.process_time() - begun


async def judged(cases: Cases, rounds: int) -> tuple[Tally, float]:
    """What came of it, and seconds for a message: the median of the rounds."""
    taken, tally = [], None
    for _ in range(rounds):
        brain = Timed()
        tally = Tally(await evaluate(cases, brain), ALARMS[type(cases[0])])
        taken.append(brain.seconds / len(cases))
    assert tally is not None
    return tally, statistics.median(taken)


def line(name: str, fields: Sequence[str], tally: Tally, seconds: float, stamp: float) -> str:
    """One file."""
    shares = ", ".join(f"{field} {tally.share(field).value:.1%}" for field in fields)
    never = ", ".join(f"{what} {len(found)}" for what, found in tally.alarms.items())
    cost = f"{seconds * 1000:.2f} ms, {seconds / stamp:.0f} stamps a message"
    return f"  {name:16}{len(tally.marked):>5} cases   {shares:36} {cost:34} {never}"


async def main(rounds: int) -> None:
    """Measure and print."""
    stamp = a_stamp()
    print(f"the rule brain on labelled messages   aim: <= {AIM_MS:g} ms a message, and 0 of what must not happen")
    for path in sorted([*LABELLED.glob("owner*.jsonl"), *LABELLED.glob("replies*.jsonl")]):
        cases = read_cases(path)
        await judged(cases[:WARM], 1)
        tally, seconds = await judged(cases, rounds)
        print(line(path.stem, MATTERS[isinstance(cases[0], OwnerCase)], tally, seconds, stamp), flush=True)
    print(flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="bench/judging.py", description="How far the rule brain agrees.")
    parser.add_argument("--smoke", action="store_true", help="once each: does it run?")
    asyncio.run(main(SMOKE if parser.parse_args().smoke else FULL))
