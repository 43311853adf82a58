"""The texts of concerns in both languages: each renders, reads as one piece, and leaves nothing unsaid or doubled."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.concern.composing import _GONE
from core.concern.points import CHOICES
from core.errors import Shut
from tests.unit.concern_desk import MONDAY, RENDERER

LANGUAGES = ("zh-CN", "en")
WHEN = "2026-03-17T09:00:00+08:00"

OPENING: dict[str, Any] = {
    "title": "T",
    "relay": None,
    "names": ["A", "B"],
    "later": [{"names": ["C"], "when": WHEN, "away": False}],
    "unreachable": ["D"],
    "declined": ["E"],
    "deadline": WHEN,
    "simple": True,
}
STANDING: dict[str, Any] = {
    "title": "T",
    "status": "waiting_reply",
    "said": [{"name": "A", "words": "X。"}],
    "events": [],
    "spoken": [{"name": "F", "words": "Y"}],
    "pending": ["B"],
    "to_contact": ["C"],
    "gone": ["D"],
    "question": "Q",
    "paused": False,
    "when": WHEN,
}
TWO_ANSWERS = [{"name": "A", "words": "X"}, {"name": "B", "words": "Y"}]

MERGED = {"source": "gitlab", "kind": "merge_request", "action": "merged", "subject": "X", "at": WHEN}
EVENTS: list[dict[str, Any]] = [
    MERGED,
    MERGED | {"source": "ci", "kind": "pipeline", "action": "failed"},
    MERGED | {"source": "", "kind": "delivery", "action": ""},
]

RULE = {"kind": "recurring", "when": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": "Asia/Shanghai", "start": WHEN}
TRIGGERS: list[dict[str, Any]] = [
    {"trigger": RULE | {"working_days": True}, "first": WHEN},
    {"trigger": {"kind": "once", "when": WHEN, "timezone": "Asia/Shanghai"}, "first": WHEN},
    {"trigger": {"kind": "event", "when": "X", "timezone": "Asia/Shanghai"}, "first": None},
]
DEEDS: list[dict[str, Any]] = [
    {"key": k, "names": n, "text": "X"}
    for k in ("remind", "send_message", "raise_concern", "schedule", "deep_task")
    for n in (["A"], ["A", "B"])
]

SAMPLES: dict[str, list[dict[str, Any]]] = {
    "schedule_kept": [
        *(
            {"title": "T", "deeds": [{"key": "remind", "names": [], "text": "X"}], "changed": c, "paused": c} | t
            for c in (True, False)
            for t in TRIGGERS
        ),
        {"title": "T", "deeds": DEEDS, "changed": False, "paused": False} | TRIGGERS[0],
    ],
    "schedule_ended": [{"title": "T", "names": []}],
    "schedule_passed": [{"title": "T"}],
    "schedule_forbidden": [{"title": "T"}],
    "schedule_run": [{"title": "T"}],
    "schedule_when": [
        {"title": "T", "problem": p, "shortest": 900.0} for p in ("past", "never", "too_often", "unreadable")
    ],
    "schedule_late": [{"title": "T", "when": WHEN, "missed": n} for n in (0, 1, 2)],
    "created": [
        OPENING,
        OPENING | {"names": [], "simple": False},
        OPENING | {"names": [], "later": []},
        *(OPENING | {"relay": r, "later": x} for r in ("told", "reminded") for x in ([], OPENING["later"])),
        OPENING | {"relay": "told", "names": []},
        *(OPENING | {"later": [{"names": n, "when": WHEN, "away": True}]} for n in (["C"], ["C", "D"])),
    ],
    "relay": [{"relay": r, "initiator": "I", "persona": "P", "text": "X"} for r in ("told", "reminded")],
    "relay_corrected": [{"initiator": "I", "words": "W"}],
    "relayed": [{"relay": r, "names": n} for r in ("told", "reminded") for n in (["A"], ["A", "B"])],
    "added": [{"title": "T", "names": ["A"]}],
    "standstill": [{"title": "T", "days": n, "names": names} for n, names in ((1, []), (3, ["A"]), (5, ["A", "B"]))],
    "promise": [{"title": "T", "due": WHEN, "initiator": i, "persona": "P"} for i in ("I", None)],
    "there_already": [{"title": "T", "names": ["A"]}],
    "swapped": [{"title": "T", "names": ["A", "B"]}],
    "hurried": [{"title": "T", "priority": p, "deadline": d} for p, d in (("high", None), (None, WHEN), ("low", WHEN))],
    "words_said": [{"title": "T", "name": "A", "said": [{"at": WHEN, "words": "X"}, {"at": WHEN, "words": "Y"}]}],
    "replaced": [OPENING],
    "first_contact": [{"initiator": "I", "title": "T", "text": "Q?", "simple": s} for s in (True, False)],
    "follow_up": [
        {"title": "T", "initiator": "I", "number": n, "softer": s} for n, s in ((1, False), (2, False), (3, True))
    ],
    "ask_day": [{"title": "T", "initiator": "I"}],
    "decision": [{"title": "T", "initiator": "I", "words": "W"}],
    "correction": [{"title": "T", "initiator": "I", "words": "W", "instead": i} for i in (None, "V")],
    "addition_off": [{"title": "T", "initiator": "I", "words": "W"}],
    "addition_back": [
        {"title": "T", "words": "W", "names": names, "nothing": nothing}
        for names, nothing in (([], False), (["A", "B"], False), ([], True))
    ],
    "several_first": [
        {
            "persona": "P",
            "known": known,
            "initiators": initiators,
            "items": [
                {"text": "X", "initiator": "I", "relay": r, "simple": simple} for r in (None, "told", "reminded")
            ],
        }
        for known, initiators, simple in ((False, ["I"], False), (True, ["I", "J"], True))
    ],
    "introduction": [{"title": "T", "initiator": "I", "persona": "P"}],
    "settled": [{"title": "T", "initiator": "I"}],
    "no_longer": [{"title": "T", "initiator": "I"}],
    "several": [
        {
            "items": [{"title": t, "initiator": "I", "deadline": d} for t, d in (("T", None), ("U", WHEN))],
            "initiators": i,
        }
        for i in (["I"], ["I", "J"])
    ],
    "deadline_check": [{"title": "T", "initiator": "I", "deadline": WHEN}],
    "nudge": [{"title": "T", "initiator": "I"}],
    "late_reply": [
        {"title": "T", "name": "A", "text": "X", "relay": r, "amends": a, "now_so": "Y"}
        for r, a in (
            (None, None),
            ("told", None),
            ("reminded", None),
            *((None, a) for a in ("corrects", "completes", "qualifies", "takes_back")),
        )
    ],
    "passed_on": [{"title": "T", "name": "A", "when": None}, {"title": "T", "name": "A", "when": WHEN}],
    "swap": [{"title": "T", "name": "A"}],
    "cancelled": [{"title": "T", "names": ["A"]}, {"title": "T", "names": []}],
    "merged": [
        {"title": "T", "names": ["A"], "added": a, "deadline": d, "priority": p}
        for a, d, p in (([], None, None), (["X"], WHEN, None), ([], WHEN, "high"), ([], None, "critical"))
    ],
    "amended": [{"title": "T", "names": ["A", "B"]}],
    "forgotten": [{"title": "T", "others": []}, {"title": "T", "others": ["B", "C"]}],
    "released": [{"title": "T", "names": ["A"], "others": ["B", "C"]}],
    "reply_recalled": [{"title": "T", "name": "A"}],
    "report_back": [
        {"title": "T", "outcome": o, "answers": a, "events": e, "seconds": 7200.0, "background": b}
        for o, a, e, b in (
            ("O", TWO_ANSWERS, [], "G"),
            (None, TWO_ANSWERS, EVENTS, None),
            ("O", [], EVENTS[:1], None),
            (None, [], [], None),
        )
    ],
    "standing": [
        STANDING,
        STANDING | {"events": EVENTS},
        STANDING | {"status": "resolved"},
        STANDING | {"paused": True},
    ],
    "button": [{"choice": c, "name": "A"} for c in ("now", "ask", "wait", "back", "swap", "keep", "drop")],
}

QUESTION = {
    "kind": "question",
    "name": "A",
    "words": "X",
    "additions": ["W"],
    "title": "T",
    "suggested": None,
    "times": 1,
    "text": None,
}
PARTS: list[dict[str, Any]] = [
    {"kind": "answered", "name": "A", "words": "X。"},
    {"kind": "answered", "name": "A", "words": ""},
    *({"kind": "shown", "name": "A", "event": e} for e in EVENTS),
    *({"kind": "setback", "title": "T", "event": e} for e in EVENTS),
    {"kind": "trouble", "name": "A", "text": "X。"},
    {"kind": "update", "text": "U"},
    {"kind": "away", "name": "A", "since": None, "until": WHEN, "text": None, "elsewhere": 0},
    {"kind": "away", "name": "A", "since": WHEN, "until": WHEN, "text": None, "elsewhere": 1},
    {"kind": "away", "name": "A", "since": None, "until": None, "text": "U", "elsewhere": 2},
    *(
        {"kind": kind.value, "names": ["A", "B"], "times": 2, "spoke": spoke, "why": None}
        for kind in _GONE
        for spoke in (True, False)
    ),
    *({"kind": "unreachable", "names": ["A", "B"], "times": 0, "spoke": False, "why": why} for why in Shut),
    {"kind": "escalated", "name": "A", "to": "B", "times": 5, "asks": False},
    {"kind": "escalated", "name": "A", "to": None, "times": 5, "asks": True},
    {"kind": "escalated", "name": "A", "to": None, "times": 1, "asks": False},
    {"kind": "pending", "names": ["A"], "times": 1},
    {"kind": "pending", "names": ["A", "B"], "times": 3},
    {"kind": "unsettled", "names": ["A"], "times": 2},
    {"kind": "overdue", "names": ["A", "B"], "times": 0},
    {"kind": "overdue", "names": ["A"], "times": 2},
    {"kind": "promised", "name": "A", "until": WHEN, "away": False},
    {"kind": "promised", "name": "A", "until": WHEN, "away": True},
    {"kind": "contacted", "names": ["A"], "pronoun": "他"},
    {"kind": "contacted", "names": ["A", "B"], "pronoun": None},
    {"kind": "dropped", "title": "T", "answers": TWO_ANSWERS, "gone": ["C", "D"], "anew": False},
    {"kind": "dropped", "title": "T", "answers": [], "gone": [], "anew": False},
    {"kind": "dropped", "title": "T", "answers": TWO_ANSWERS, "gone": ["C"], "anew": True},
    {"kind": "deadline", **STANDING},
    {"kind": "deadline", **STANDING, "events": EVENTS},
    {"kind": "deadline", **STANDING, "question": None},
    *(QUESTION | {"point": kind} for kind in CHOICES),
    QUESTION | {"point": "open", "text": "U", "times": 2},
    QUESTION | {"point": "refused", "suggested": "B"},
    QUESTION | {"point": "open", "words": ""},
]


def render(language: str, template: str, values: dict[str, Any]) -> str:
    return RENDERER.render(f"concern/{template}", language, now=MONDAY, timezone="Asia/Shanghai", **values)


def reads_well(text: str, language: str) -> None:
    assert text
    assert "None" not in text
    assert "{" not in text
    assert not re.search(r"[ \t]{2,}|[ \t]$|^[ \t]|\n{2,}", text, re.MULTILINE), repr(text)
    assert not re.search(r"[。.]{2,}|[。，,][。，]", text), repr(text)
    if language == "en":
        assert not re.search(r"[\u3000-\u9fff\uff00-\uffef]", text), repr(text)
    else:
        assert re.search(r"[\u4e00-\u9fff]", text), repr(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_a_sample(language: str) -> None:
    known = {name.removeprefix("concern/") for name in RENDERER.names(language) if name.startswith("concern/")}
    assert known == {*SAMPLES, "report"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("template", "values"), [(t, v) for t, samples in SAMPLES.items() for v in samples])
def test_a_text_reads_well(template: str, values: dict[str, Any], language: str) -> None:
    reads_well(render(language, template, values), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", PARTS, ids=lambda p: f"{p['kind']}-{p.get('point', '')}")
def test_a_part_of_a_report_reads_well_alone_and_among_others(part: dict[str, Any], language: str) -> None:
    alone = render(language, "report", {"title": "T", "parts": [part], "titled": False})
    if part.get("text") is None:
        reads_well(alone, language)
    among = render(language, "report", {"title": "T", "parts": [PARTS[0], part, PARTS[0]], "titled": True})
    assert alone in among
    assert among.startswith(("「T」：A", '"T": A'))
    assert "\n" not in among


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_back_has_its_four_lines_whatever_is_missing(language: str) -> None:
    for values in SAMPLES["report_back"]:
        lines = render(language, "report_back", values).split("\n")
        marks = (
            ("结果：", "关键信息：", "耗时：")
            if language == "zh-CN"
            else ("Outcome: ", "Key information: ", "Time taken: ")
        )
        assert lines[0] in ("[回流] T", "[Result] T")
        assert all(line.startswith(mark) and line != mark for line, mark in zip(lines[1:4], marks, strict=True))
        assert len(lines) == (5 if values["background"] else 4)
