"""How fast times are read in chat: `python bench/times.py [--smoke]`.

Sentences a second on one core, and how many readings of one ISO stamp by dateutil (pure Python too) a sentence costs:
that ratio is the same on any machine. Then what a hostile text of 100,000 characters takes beside one of half of it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from dateutil.parser import parse as stamp

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from core.timetalk import parse  # noqa: E402

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
FULL, SMOKE = 9, 1
HOSTILE = ("周", "monday and ", "the day before ", "每", "3-")
LENGTH = 100_000


def spent(work: Callable[[], object]) -> float:
    """Processor seconds of it."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def chat(lang: str) -> list[str]:
    """The labelled messages of the tests."""
    lines = (ROOT / "tests" / "data" / "time" / f"chat_{lang}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


def a_sentence(texts: Sequence[str], rounds: int) -> float:
    """Seconds for one of them. Another minute each round: a text that was just read is remembered."""
    for text in texts:
        parse(text, NOW)
    taken = []
    for n in range(1, rounds + 1):
        now = NOW + timedelta(minutes=n)
        taken.append(spent(lambda now=now: [parse(text, now) for text in texts]))  # type: ignore[misc]
    return statistics.median(taken) / len(texts)


def a_stamp() -> float:
    """Seconds for one."""
    return (
        statistics.median(spent(lambda: [stamp("2026-03-16T10:00:00+08:00") for _ in range(1000)]) for _ in "12345")
        / 1000
    )


def hostile(unit: str, length: int) -> float:
    """Seconds for that many characters of it."""
    text = (unit * (length // len(unit) + 1))[:length]
    return spent(lambda: parse(text, NOW))


def main(rounds: int) -> None:
    """Measure and print."""
    one = a_stamp()
    print("times in chat, one core")
    for lang in ("zh", "en"):
        each = a_sentence(chat(lang), rounds)
        print(f"  {lang:26}{1 / each:>10.0f} /s{each / one:>12.1f} stamps   >= 3000 /s, <= 7 stamps")
    for unit in HOSTILE:
        half, whole = hostile(unit, LENGTH // 2), hostile(unit, LENGTH)
        print(f"  {LENGTH} of {unit!r:16}{whole:>11.2f} s {whole / half:>12.1f} times half of it   < 1 s, <= 3 times")
    print(flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="bench/times.py", description="How fast times are read.")
    parser.add_argument("--smoke", action="store_true", help="a second: does it run?")
    main(SMOKE if parser.parse_args().smoke else FULL)
