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
from tests.unit.chat_labels import verdict

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


@pytest.mark.parametrize(("lang", "floor"), [("zh", 0.93), ("en", 0.87)])
def test_time_expressions_are_read_as_labelled(lang: str, floor: float) -> None:
    judge = scorer().judge
    cases = [c for c in lines("gold_sample.jsonl") if c["lang"] == lang]
    right = sum(judge(c, answer_line(c)["found"]) == "right" for c in cases)
    assert right / len(cases) >= floor


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_chat_is_read_as_labelled_and_nothing_else_is_found_in_it(lang: str) -> None:
    cases = lines(f"chat_{lang}.jsonl")
    verdicts = Counter(verdict(c, answer_line({"text": c["text"], "reference_time": c["now"]})["found"]) for c in cases)
    assert verdicts["right"] >= 0.97 * len(cases), verdicts
    assert verdicts["wrong"] <= 0.02 * len(cases), verdicts


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
