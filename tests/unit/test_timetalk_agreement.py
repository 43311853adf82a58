"""Agreement with labelled cases from outside; the floors lie a little under what is reached."""

import importlib.util
import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from core.timetalk import answer_line, promised

DATA = Path(__file__).parents[1] / "data" / "time"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_time", DATA / "score_time.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("lang", "floor"), [("zh", 0.90), ("en", 0.84)])
def test_time_expressions_are_read_as_labelled(lang: str, floor: float) -> None:
    judge = scorer().judge
    cases = [c for c in lines("gold_sample.jsonl") if c["lang"] == lang]
    right = sum(judge(c, answer_line(c)["found"]) == "right" for c in cases)
    assert right / len(cases) >= floor


def test_sentences_without_a_time_give_nothing() -> None:
    cases = lines("none_sample.jsonl")
    found = [c["text"] for c in cases if any(f["kind"] != "vague" for f in answer_line(c)["found"])]
    assert len(found) <= 0.01 * len(cases), found


def test_promised_times_are_read_as_labelled() -> None:
    tally: Counter[str] = Counter()
    for case in lines("promises.jsonl"):
        got = promised(case["text"], datetime.fromisoformat(case["now"]))
        if case["promised_time"]:
            tally["right" if got == datetime.fromisoformat(case["promised_time"]) else "missed"] += 1
        else:
            tally["false" if got else "silent"] += 1
    assert tally["right"] >= 0.88 * (tally["right"] + tally["missed"])
    assert tally["false"] <= 0.15 * (tally["false"] + tally["silent"])
