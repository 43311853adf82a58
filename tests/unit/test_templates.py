"""Texts for people: the same set in both languages, with the same values, and those values are what callers pass."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from jinja2 import Environment, meta

from bot.commands.why import SIGNS
from bot.render import LANGUAGES, TEMPLATES, JinjaRenderer
from core.action.meta_actions import REGISTRY
from core.agenda.model import Verdict
from core.agenda.ranking import Why
from core.effects import Purpose

ROOT = Path(__file__).parents[2]
NOW = datetime.fromisoformat("2026-03-16T12:00:00+08:00")
LATER = "2026-03-17T09:00:00+08:00"
RENDERER = JinjaRenderer()
NAMES = sorted(RENDERER.names("zh-CN") | RENDERER.names("en"))
OURS = ("buttons/", "chat/", "commands/")
MACROS = {"commands/words", "commands/why"}
PARSER = Environment(autoescape=False)
PARSER.filters.update(dict.fromkeys(("moment", "date", "exactly", "schedule", "duration", "names"), str))
GIVEN = {"now", "timezone", "language"}
"""What the renderer itself hands to every template."""


def source(name: str, language: str) -> str:
    return (TEMPLATES / language / f"{name}.j2").read_text(encoding="utf-8")


@cache
def wanted(name: str, language: str) -> set[str]:
    """The values that a template reads."""
    return meta.find_undeclared_variables(PARSER.parse(source(name, language))) - GIVEN


# --- two languages ---


def test_both_languages_have_the_same_templates_and_all_compile() -> None:
    assert RENDERER.names("zh-CN") == RENDERER.names("en")
    assert RENDERER.check() is None


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_read_the_same_values(name: str) -> None:
    assert wanted(name, "zh-CN") == wanted(name, "en")


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(OURS)])
def test_english_has_no_chinese_in_it(name: str) -> None:
    assert not [c for c in source(name, "en") if "\u3000" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef"]


HAN = "\u3400-\u9fff"
IN_TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
HALF_WIDTH = re.compile(rf"[{HAN}][,;:!?()]|[,;:!?()][{HAN}]|[“”‘’]|\.\.\.")
RUN_TOGETHER = re.compile(rf"[{HAN}][A-Za-z]|[A-Za-z][{HAN}]")
LONG_FORMS = re.compile(
    r"\b(?:cannot|(?:could|did|do|does|has|have|had|will|would|is|are|was|were) not|I (?:will|am|would|have (?!no\b))|"
    r"[Yy]ou are|That is|It is (?!yesterday|[{|])|[Tt]here is)\b"
)


def own_words(name: str, language: str) -> str:
    """What stands in a template beside its tags, and the literals within them."""
    text = source(name, language)
    literals = " ".join(re.findall(r"'([^'\n]*)'", "".join(IN_TAGS.findall(text))))
    return f"{IN_TAGS.sub('|', text)}\n{literals}"


@pytest.mark.parametrize("name", [n for n in NAMES if not n.startswith("console/")])
def test_chinese_is_set_as_chinese_is(name: str) -> None:
    """Full-width marks, 「」 for quotes, and a blank between Chinese and Latin letters."""
    words = own_words(name, "zh-CN")
    assert not HALF_WIDTH.findall(words)
    assert not RUN_TOGETHER.findall(words)


def test_english_speaks_in_short_forms() -> None:
    found = {n: m.group() for n in NAMES if (m := LONG_FORMS.search(own_words(n, "en")))}
    assert not found


# --- what callers pass ---

NOT_VALUES = {"part", "buttons", "block_id", "lines"}
VERBS = ("heard", "cancel", "decide", "change")
"""What the one name that is put together at run time ends in."""


def calls() -> Iterator[tuple[str, set[str] | None]]:
    """Each place in the program that names one of our templates, and the values that it passes (None: not in sight)."""
    for path in sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "bot").rglob("*.py")]):
        program = path.read_text(encoding="utf-8")
        if not any(folder in program for folder in OURS):
            continue
        nodes = list(ast.walk(ast.parse(program)))
        seen = {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in nodes:
            if isinstance(node, ast.Call):
                yield from _of_call(node, seen)
        for node in nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr) and node not in seen:
                yield from ((name, None) for name in _named(node))


def _of_call(node: ast.Call, seen: set[ast.expr]) -> Iterator[tuple[str, set[str] | None]]:
    arguments = {k.arg: k.value for k in node.keywords if k.arg}
    function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    place = arguments.get("template") if function == "Words" else next((a for a in node.args if _named(a)), None)
    if place is None or not _named(place):
        return
    seen.add(place)
    values: set[str] | None = None
    if function == "reply" and all(k.arg for k in node.keywords):
        values = set(arguments) - NOT_VALUES
    elif function == "Words":
        values = _keys(arguments.get("values"))
    for name in _named(place):
        yield name, values


def _keys(values: ast.expr | None) -> set[str] | None:
    if values is None:
        return set()
    if not isinstance(values, ast.Dict):
        return None
    return {k.value for k in values.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}


def _named(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(p.value if isinstance(p, ast.Constant) else "*" for p in node.values)  # type: ignore[misc]
    else:
        return []
    if not text.startswith(OURS) or not text.replace("/", "").replace("_", "").replace("*", "").isalnum():
        return []
    return [text.replace("*", verb) for verb in VERBS] if "*" in text else [text]


CALLS = list(calls())


@pytest.mark.parametrize("name", sorted({name for name, _ in CALLS}))
def test_every_template_that_the_program_names_is_there(name: str) -> None:
    assert name in NAMES


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(OURS) and n not in MACROS])
def test_every_template_is_named_by_the_program(name: str) -> None:
    assert name in {called for called, _ in CALLS}


@pytest.mark.parametrize(("name", "passed"), [(n, p) for n, p in CALLS if p is not None])
def test_callers_pass_what_a_template_reads(name: str, passed: set[str]) -> None:
    assert wanted(name, "zh-CN") <= passed
    assert not passed & GIVEN


def test_most_callers_are_in_sight() -> None:
    assert sum(passed is not None for _, passed in CALLS) >= 20


# --- every text can be made ---

SPENT = {"calls": 12, "failures": 1, "tokens_in": 12345, "tokens_out": 678, "seconds": 18.5}
FREE = {"calls": 0, "failures": 0, "tokens_in": 0, "tokens_out": 0, "seconds": 0.0}
STATUS: dict[str, Any] = {
    "clocks": [{"name": "a1b2c3", "off": 90.0, "ahead": True}],
    "version": "0.1.0",
    "uptime": 3725.5,
    "model": "gpt",
    "ours": True,
    "channels": [
        {"name": "telegram", "ready": True, "trouble": None},
        {"name": "feishu", "ready": False, "trouble": "down"},
    ],
    "processes": ["a1b2c3", "d4e5f6"],
    "speaker": "a1b2c3",
    "pending": 12,
    "due": 3,
    "late": 130.0,
    "failing": 1,
    "dead": 1,
    "in_doubt": 2,
    "facts": 4,
    "database": "SQLite",
    "megabytes": "1.2",
}

STEP = {"kind": "reply", "names": ["张三", "李四"], "when": LATER, "late": False}
LINE: dict[str, Any] = {
    "handle": "001",
    "title": "提测时间",
    "names": ["张三", "李四"],
    "status": "waiting_reply",
    "scheduled": False,
    "priority": "high",
    "by": "小周",
    "next": STEP,
}
WHYS = [{"why": "high", "days": 0, "at": None}, {"why": "today", "days": 0, "at": LATER}, {"why": "still", "days": 3, "at": LATER}]  # fmt: skip
REASON = {"word": "silent", "rest": "张三", "text": "张三一直没有答复"}
CAUSE: dict[str, Any] = {
    "kind": "words",
    "at": LATER,
    "name": "老板",
    "text": "问一下张三",
    "title": "发日报",
    "when": LATER,
    "source": "gitlab",
    "judged": {"decision": "raise", "reasons": [REASON, {"word": None, "rest": "", "text": "an order"}], "brain": "rules", "milliseconds": 3},
}  # fmt: skip

SAMPLES: dict[str, Any] = {
    **LINE,
    "aliases": ["三哥"],
    "at_once": ["张三"],
    "channel": "telegram",
    "choices": ["张三（三哥）", "张三"],
    "closed_at": None,
    "code": True,
    "command": "start",
    "count": 2,
    "created_at": LATER,
    "deadline": LATER,
    "denied": False,
    "dialogue": [
        {"at": LATER, "name": "张三", "ours": True, "text": "请问什么时候能提测"},
        {"at": LATER, "name": "张三", "ours": False, "text": "我看看"},
    ],
    "dialogue_left": 3,
    "filter": "status",
    "goal": "拿到时间",
    "hours": "09:00-18:00",
    "identities": [{"channel": "telegram", "user_id": "1001"}],
    "kind": "unclear",
    "later": [{"name": "李四", "when": LATER}],
    "least": 900.0,
    "level": "high",
    "missing": "when",
    "lines": [LINE, {**LINE, "names": [], "by": None, "priority": "low"}],
    "name": "张三",
    "names": ["张三", "李四"],
    "open": [{**LINE, "reasons": WHYS, "asked": None}],
    "open_count": 9,
    "confirmations": [{"summary": "问张三", "until": LATER}],
    "expected": [{"id": "e1", "name": "张三", "what": "发日报", "when": LATER}],
    "expected_left": 2,
    "confirmations_left": 2,
    "left": 3,
    "more": 2,
    "next_left": 4,
    "watches_left": 3,
    "waiting_left": 5,
    "cause": CAUSE,
    "outcome": "nudged",
    "owner": "老板",
    "page": 1,
    "pages": 3,
    "persona": "清海",
    "problem": "level",
    "question": "能换下午吗",
    "reason": "",
    "recent": [
        {"at": LATER, "what": "resolved", "title": "提测时间", "reason": REASON, "refusal": None},
        {"at": LATER, "what": "refused", "title": "订机票", "reason": None, "refusal": "no_ability"},
    ],
    "resumed": True,
    "role": "delegate",
    "stopped": True,
    "summary": "问张三",
    "tendency": "问张三提测时间",
    "text": "明天请假",
    "timeline": [
        {
            "at": LATER,
            "type": t,
            "detail": "张三回复了",
            "names": ["张三"],
            "until": LATER,
            "level": "high",
            "reason": REASON,
        }
        for t in ("discovered", "action_send", "paused", "priority", "nudged", "resolved", "anything")
    ],
    "timeline_left": 3,
    "titles": ["提测时间", "合同用印"],
    "unknown": ["王五"],
    "until": LATER,
    "user_id": "6666",
    "verb": "nudge",
    "waiting": [{**LINE, "question": "能换下午吗", "reasons": WHYS, "asked": LATER}],
    "watches": [
        {"id": "w1", "what": "客户的消息", "until": LATER, "promised": None},
        {"id": "w2", "what": "给客户答复", "until": LATER, "promised": "张三"},
        {"id": "w3", "what": "给客户答复", "until": LATER, "promised": ""},
    ],
    "what": "[图片]",
    "under_way": True,
    "when": LATER,
    "word": "提测",
    "zone": "Asia/Shanghai",
}
PERSON = {
    "name": "张三",
    "role": "member",
    "aliases": ["三哥"],
    "channels": [],
    "hours": "09:00-18:00",
    "stopped": True,
}
EVERY_DAY = {"kind": "recurring", "when": "FREQ=DAILY;BYHOUR=18;BYMINUTE=30", "start": LATER}
EXPECTED = {
    "id": "e1",
    "name": "张三",
    "what": "发日报",
    "every": EVERY_DAY,
    "when": LATER,
    "on_missed": "both",
    "met": 3,
    "missed": 1,
    "by": "王五",
}
OWED = {"title": "开会", "name": None, "source": "user_reminder", "when": LATER, "out": False}
WATCHED = {"id": "w1", "what": "客户的消息", "name": "李四", "until": LATER, "by": None, "promised": None}
SCHEDULE: dict[str, Any] = {
    "handle": "001",
    "deeds": [{"key": "remind", "names": [], "text": "吃药"}],
    "trigger": {
        "kind": "recurring",
        "when": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0",
        "timezone": "Asia/Shanghai",
        "start": LATER,
        "working_days": False,
    },
    "mode": "direct",
    "by": "小周",
    "paused": False,
    "until": None,
    "next": LATER,
    "last": LATER,
    "ok": False,
}
JOB: dict[str, Any] = {
    "section": "doubt",
    "kind": "first_contact",
    "name": "李四",
    "title": "提测时间",
    "more": 0,
    "step": None,
    "when": LATER,
    "late": False,
    "attempts": 2,
    "reason": "no_answer",
}
DEED: dict[str, Any] = {
    "at": LATER,
    "how": "button",
    "what": "confirm",
    "by": "老板",
    "about": True,
    "name": "张三",
    "matter": "001 提测",
    "outcome": "admin",
}
COUNTS = {"doubt": 1, "failing": 2, "dead": 1, "running": 0, "next": 9}
SAMPLES_BY_NAME: dict[str, dict[str, Any]] = {
    "chat/amend_how": {"past": False},
    "chat/away_noted": {"since": LATER, "from_morning": True, "held": 2},
    "chat/brief_how": {"at": None, "off": False},
    "chat/which_person": {"only": None},
    "chat/which_heard": {"or_none": False},
    "chat/untold": {"id": "con_20260316_001"},
    "chat/relayed": {"waiting": 2},
    "chat/confirm": {
        "trigger": {"kind": "once", "when": LATER},
        "deeds": [{"key": "send_message", "names": ["张三"], "text": "开会"}],
    },
    "chat/which_action": {"verb": "confirm"},
    "chat/this_or_another": {"titles": ["让张三把尾款三万打给供应商"], "text": "让李四打五万"},
    "buttons/numbered": {"verb": "edit", "number": 2},
    "commands/pending": {
        "actions_left": 1,
        "goals_left": 1,
        "actions": [{"summary": "问张三提测时间", "until": LATER}],
        "goals": [
            {"summary": "提醒我开会", "until": LATER, "missing": m} for m in ("who", "what", "when", "which", "past")
        ],
    },
    "buttons/unwatch": {"id": "e1"},
    "chat/absent": {"what": "发日报", "due": LATER, "asked": False, "later": LATER, "unasked": False, "back": None},
    "chat/expect_refused": {"problem": "too_often", "seconds": 900},
    "chat/expecting": {**EXPECTED, "outside": False, "unreachable": True},
    "chat/item_dropped": {"what": "发日报"},
    "chat/watch_over": {"what": "客户的消息"},
    "chat/watch_seen": {"what": "客户的消息", "text": "客户来电话了"},
    "chat/watching": WATCHED,
    "chat/promise_noted": {"what": "给客户答复", "when": LATER},
    "chat/promise_missed": {"name": "张三", "what": "把合同发过去", "due": LATER},
    "chat/follow_up": {"what": "支付接口联不通", "title": None, "names": ["张三"]},
    "chat/follow_up_whom": {"what": "支付接口联不通"},
    "concern/promise": {"initiator": "老板", "persona": "清海", "title": "把合同发过去", "due": LATER},
    "chat/brief": {
        "waiting": [{"title": "提测", "question": "上不上临时方案"}, {"title": None, "question": "付五万"}],
        "moved": [
            *[{"what": w, "title": "提测", "name": None, "words": None} for w in ("dropped", "escalated", "lifted")],
            {"what": "said", "title": "提测", "name": "张三", "words": "周四"},
            {"what": "resolved", "title": "提测", "name": None, "words": "周四"},
        ],
        "today": [
            {"what": w, "title": "提测", "name": "张三", "when": LATER}
            for w in ("deadline", "promised", "expected", "run")
        ],
        "stuck": [{"title": "提测", "days": n} for n in (1, 3)],
        **{f"{name}_left": 2 for name in ("waiting", "moved", "today", "stuck")},
    },
    "commands/brief": {"outcome": "on", "at": "08:30", "next": LATER},
    "commands/expectations": {
        "items": [EXPECTED, {**EXPECTED, "every": None, "met": 0, "missed": 0, "by": None}],
        "item_count": 9,
        "kept": [SCHEDULE],
        "kept_count": 3,
    },
    "commands/watch": {
        "items": [
            WATCHED,
            {**WATCHED, "name": None, "by": "王五"},
            *[{**WATCHED, "name": None, "promised": p} for p in ("张三", "")],
        ]
    },
    "chat/connected": {"dropped": "合同用印"},
    "chat/fact": {"who": "张三", "text": "周四能提测"},
    "chat/facts": {"more": True, "words": ["提测"]},
    "chat/invited": {"link": "https://t.me/qinghai_bot?start=a1", "code": "a1"},
    "chat/person_card": {
        "away_until": LATER,
        "away_from": LATER,
        "channels": ["telegram", "feishu"],
        "days": "china",
        "clock": "21:00",
        "elsewhere": True,
        "day": -1,
        "at_work": False,
        "opens": LATER,
        "matters": [{"title": "提测时间", "status": "waiting_reply"}],
        "more": 2,
    },
    "commands/redeem": {"outcome": "taken", "span": 3600},
    "chat/task_cut_off": {"why": "stuck", "found": True},
    "chat/callback_off": {"out": False, "title": "开会"},
    "chat/item_forgotten": {"what": "发日报"},
    "chat/task_stopped": {"out": False, "title": "理一遍进展"},
    "commands/callbacks": {"items": [OWED, {**OWED, "name": "张三", "source": "task_completion", "out": True}]},
    "commands/concern": {
        "people": [
            {"name": "张三", "status": "replied", "follow_ups": 2, "promised": LATER, "words": "周四"},
            {"name": "李四", "status": "left", "follow_ups": 0, "promised": None, "words": None},
        ]
    },
    "commands/concerns": {"name": "waiting_reply"},
    "chat/reminder": {"text": "开会", "late": None},
    "chat/kept": {"kind": "schedule", "title": "开会", "when": LATER, "steps": 0},
    "chat/step": {"key": "raise_concern", "state": "failed", "names": ["张三"], "text": "提测时间"},
    "commands/help": {"names": ["concern", "drop", "help"]},
    "commands/people": {"people": [PERSON, {**PERSON, "channels": ["telegram", "feishu"], "stopped": False}]},
    "commands/schedules": {"lines": [SCHEDULE]},
    "buttons/doubt": {"verb": "resend", "line": 2},
    "commands/jobs": {
        "counts": COUNTS,
        "lines": [
            JOB,
            {**JOB, "section": "failing", "reason": "down"},
            {**JOB, "section": "next", "kind": "task", "title": "上周的风险", "step": {"done": 3, "of": 8}},
        ],
    },
    "commands/doubt": {"outcome": "resend"},
    "commands/usage": {"name": "pause"},
    "commands/whoami": {"quiet": LATER},
    "commands/quiet": {"outcome": "on"},
    "commands/bind": {"link": "https://t.me/x?start=abc", "code": "abc", "channels": ["telegram"]},
    "commands/granted": {"outcome": "granted", "role": "admin"},
    "commands/reassigned": {"outcome": "reassigned", "old": "李四"},
    "commands/reassigned_by": {"new": "李四", "old": "张三"},
    "commands/audit": {
        "lines": [DEED, {**DEED, "how": "shell", "by": None, "name": None, "matter": None, "outcome": ""}]
    },
    "commands/purpose": {"name": "drop"},
    "commands/status": STATUS,
    "commands/spending": {
        "model": "m",
        "today": SPENT,
        "week": SPENT,
        "top": [{"handle": "001", "title": "提测", **SPENT}],
    },
}


def render(name: str, language: str, /, **values: Any) -> str:
    known = {**SAMPLES, **SAMPLES_BY_NAME.get(name, {}), **values}
    needed = {key: known[key] for key in wanted(name, language)}
    return RENDERER.render(name, language, now=NOW, timezone="Asia/Shanghai", **needed)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(OURS) and n not in MACROS])
def test_every_text_can_be_made(name: str, language: str) -> None:
    text = render(name, language)
    assert text
    assert not [line for line in text.splitlines() if line.rstrip() != line]
    assert "\n\n\n" not in text
    for slip in ("None", "{{", "{%", "T09:00", "waiting_reply", "。。", "  \n"):
        assert slip not in text


BRANCHES = [
    *[
        ("chat/away_noted", {"since": s, "until": u, "from_morning": False, "held": h})
        for s, u, h in ((LATER, LATER, 0), (None, LATER, 1), (None, None, 0))
    ],
    *[("chat/brief_how", {"at": a, "off": o}) for a, o in (("8:30", False), (None, True))],
    ("chat/which_person", {"only": "张三", "unknown": []}),
    *[("chat/refused", {"kind": k, "reason": r}) for k in ("no_ability", "covered", "invalid", "no_action") for r in ("", "还不会。")],
    *[("chat/refused", {"kind": "invalid", "problem": p}) for p in ("unknown", "too_often", "too_many", "too_long", "when", "not_later")],
    *[("chat/missing", {"missing": m}) for m in ("who", "what", "when", "which", "past")],
    *[("chat/which_action", {"verb": v}) for v in ("deny", "amend")],
    ("chat/this_or_another", {"titles": ["让张三把尾款三万打给供应商", "告诉李四我们同意降价"]}),
    ("chat/lapsed", {"denied": True}),
    ("commands/pending", {"actions": [], "goals": []}),
    *[("buttons/numbered", {"verb": v}) for v in ("yes", "no")],
    ("chat/amend_how", {"past": True}),
    ("chat/which_person", {"unknown": []}),
    ("chat/confirm", {"trigger": None}),
    ("chat/confirm", {"deeds": []}),
    ("chat/confirm", {"deeds": [], "names": [], "unknown": []}),
    ("chat/standing", {"name": None}),
    ("chat/reminder", {"late": LATER}),
    *[
        ("chat/kept", {"kind": k, "when": w, "steps": 1})
        for k in ("task", "schedule", "item")
        for w in (LATER, None)
    ],
    *[
        ("chat/step", {"key": k, "state": s})
        for k in (*REGISTRY, "other")
        for s in ("done", "failed", "pending")
    ],
    *[("chat/task_cut_off", {"why": w, "found": n}) for w in ("stuck", "expired") for n in (False, True)],
    *[(f"chat/{n}", {"out": True}) for n in ("callback_off", "task_stopped")],
    ("commands/callbacks", {"items": [], "count": 0, "pages": 1}),
    ("commands/callbacks", {"items": [{**OWED, "source": "birthday"}]}),
    *[("commands/usage", {"name": "callbacks", "problem": p}) for p in ("no_callback", "several_callbacks")],
    ("chat/connected", {"titles": [], "dropped": None}),
    ("chat/facts", {"more": False, "name": None, "words": []}),
    *[("chat/facts", {"count": 0, "name": n, "words": w}) for n in (None, "张三") for w in ([], ["提测", "压测"])],
    ("chat/invited", {"link": None}),
    ("chat/person_card", {"channels": [], "stopped": False, "elsewhere": False, "at_work": True, "opens": None, "matters": []}),
    *[("chat/person_card", {"days": d, "more": 0}) for d in ("daily", ["mon", "Sunday"])],
    *[("commands/redeem", {"outcome": o, "name": None}) for o in ("wrong", "locked")],
    ("commands/usage", {"name": "invite", "problem": "no_person"}),
    *[("chat/expecting", {"every": None, "on_missed": m, "outside": o, "unreachable": False}) for m, o in (("ask", False), ("tell", True), ("both", False))],
    *[("chat/expect_refused", {"problem": p}) for p in ("past", "who", "when")],
    *[("chat/absent", {"later": None, "asked": a, "unasked": u}) for a, u in ((True, False), (False, True), (False, False))],
    ("chat/absent", {"later": None, "back": LATER}),
    ("chat/relayed", {"waiting": 0}),
    *[("chat/person_card", {"away_until": a, "away_from": None}) for a in (None, LATER)],
    *[("chat/watch_seen", {"name": None, "text": t}) for t in ("", "新差评")],
    ("chat/watching", {"name": None}),
    ("chat/follow_up", {"title": "提测"}),
    ("chat/follow_up", {"names": []}),
    ("concern/promise", {"initiator": None}),
    *[("chat/brief", {name: [], f"{name}_left": 0}) for name in ("waiting", "moved", "today", "stuck")],
    *[("commands/brief", {"outcome": o, "at": a, "next": LATER}) for o, a in (("off", None), ("state", None), ("state", "08:30"))],
    ("commands/usage", {"name": "brief", "problem": "clock"}),
    *[("commands/expectations", {"items": [{**EXPECTED, "on_missed": m, "by": b} for b in (None, "王五")]}) for m in ("ask", "tell", "both")],
    *[(f"commands/{n}", {"items": [], "kept": []}) for n in ("expectations", "watch")],
    ("commands/expectations", {"items": [], "kept": [{**SCHEDULE, "paused": True}, {**SCHEDULE, "trigger": {"kind": "event", "when": "部署完"}}]}),
    *[("commands/usage", {"name": "unwatch", "problem": p}) for p in ("no_item", "several_items")],
    ("chat/nothing_open", {"name": None}),
    ("chat/no_such_choice", {"count": 1}),
    *[("commands/usage", {"problem": p}) for p in (None, "no_schedule", "no_concern", "moment", "past", "filter")],
    *[("commands/start", {"role": r, "resumed": False}) for r in ("owner", "member", "delegate")],
    ("commands/whoami", {"identities": [], "stopped": False, "role": "owner", "name": "老板"}),
    *[("commands/stranger", {"command": c, "code": False}) for c in ("start", "help", "whoami")],
    *[("commands/concerns", {"filter": f, "count": n, "name": "张三", "lines": []}) for f in ("open", "all", "person") for n in (0, 3)],
    ("commands/concerns", {"filter": "status", "count": 0, "name": "dropped", "lines": [], "pages": 1}),
    ("commands/concern", {"timeline": [], "dialogue": [], "people": [], "question": None, "closed_at": LATER}),
    ("commands/concern", {"question": None, "deadline": None, "outcome": None}),
    ("commands/agenda", {"confirmations": [], "waiting": [], "open": [], "recent": []}),
    ("commands/agenda", {"waiting_left": 0, "expected_left": 0, "watches_left": 0, "pages": 1}),
    *[("commands/agenda", {"open": [{**LINE, "reasons": [{"why": w, "days": n, "at": LATER}], "asked": None}]}) for w in get_args(Why) for n in (0, 1, 2)],
    *[("commands/agenda", {"recent": [{"at": LATER, "what": v, "title": "提测", "reason": None, "refusal": None}]}) for v in get_args(Verdict)],
    *[("commands/concern", {"cause": {**CAUSE, "kind": k, **more}}) for k in ("words", "press", "event", "absence", "promise", "stuck", "run", "gone") for more in ({}, {"name": None, "text": "", "when": None, "judged": None})],
    *[("commands/concern", {"cause": {**CAUSE, "kind": k, "title": None}}) for k in ("stuck", "run")],
    *[("commands/concern", {"cause": {**CAUSE, "judged": {**CAUSE["judged"], "reasons": [{"word": w, "rest": "张三", "text": "x"}], "brain": b}}}) for w, b in zip([w for w, _ in SIGNS], ["", "model", "other"] * 99, strict=False)],
    ("commands/concern", {"cause": None}),
    *[
        ("commands/steered", {"outcome": o, "status": "dropped", "until": None, "later": [], "at_once": ["张三"]})
        for o in (
            "closed", "nudged", "nobody_to_nudge", "nudge_paused", "nudge_decision", "nudge_queued", "nudge_just_now",
            "paused", "not_paused", "resumed", "same_priority", "priority",
        )
    ],
    ("commands/steered", {"outcome": "paused"}),
    ("commands/steered", {"outcome": "nudged", "at_once": []}),
    *[
        ("commands/schedules", {"word": w, "count": 1, "pages": 1, "lines": [{**SCHEDULE, **line}]})
        for w in (None, "吃药")
        for line in (
            {"mode": "session", "by": None, "last": None},
            {"mode": "agent", "paused": True, "trigger": {"kind": "once", "when": LATER}},
            {"paused": True, "until": LATER, "ok": True},
            {"next": None, "trigger": {"kind": "event", "when": "部署完"}},
        )
    ],
    ("commands/concerns", {"lines": [{**LINE, "scheduled": True, "next": {**STEP, "kind": "run"}}]}),
    ("commands/schedules", {"word": None, "count": 0, "lines": [], "pages": 1}),
    ("commands/status", {"ours": False}),
    ("commands/status", {"model": None, "due": 0, "dead": 0, "in_doubt": 0, "facts": 0, "processes": ["a1b2c3"], "speaker": None}),
    ("commands/status", {"channels": [], "dead": 0}),
    *(
        ("commands/status", {"channels": [{"name": "telegram", "ready": False, "trouble": word}]})
        for word in ("starting", "token", "another", "slow", "storage", "fault")
    ),
    ("commands/spending", {"model": None, "top": []}),
    ("commands/spending", {"model": None, "today": FREE, "week": FREE, "top": []}),
    ("commands/spending", {"today": FREE, "week": {**SPENT, "calls": 1}, "top": []}),
    ("chat/which_cancel", {"titles": ["会议室订了没"]}),
    ("chat/which_heard", {"titles": ["会议室订了没"], "or_none": True}),
    ("chat/untold", {"name": None}),
    ("buttons/unschedule", {"title": None}),
    *[("buttons/doubt", {"verb": v, "line": n}) for v in ("sent", "resend") for n in (None, 1)],
    *[
        ("commands/doubt", {"outcome": o, "name": n})
        for o in ("sent", "resend", "replied", "closed", "stopped", "words_gone", "decided")
        for n in ("李四", None)
    ],
    ("commands/jobs", {"counts": dict.fromkeys(COUNTS, 0), "lines": [], "pages": 1}),
    *[
        ("commands/jobs", {"lines": [{**JOB, "section": s, "late": late, "name": name, "reason": r, "more": 2}]})
        for s in COUNTS
        for late, name in ((False, None), (True, "李四"))
        for r in (None, "slow", "cut_off", "token", "down", "refused", "nowhere", "model", "fault")
    ],
    *[("commands/jobs", {"lines": [{**JOB, "kind": k}]}) for k in (*Purpose, "advance", "expire", "expire_question", "expire_task", "act", "task", "report")],
    *[("commands/usage", {"name": n, "problem": "no_doubt"}) for n in ("sent", "resend")],
    *[("buttons/steer", {"verb": v}) for v in ("pause", "resume")],
    *[("commands/usage", {"name": n, "problem": p}) for n, p in (("quiet", "too_long"), ("lang", "language"), ("grant", "role"), ("audit", None), ("bind", None), ("reassign", None))],
    ("commands/whoami", {"quiet": None}),
    *[("commands/quiet", {"outcome": o, "until": u}) for o, u in (("off", None), ("state", None), ("state", LATER))],
    ("commands/bind", {"link": None}),
    *[("commands/granted", {"outcome": o}) for o in ("owner", "same")],
    *[("commands/your_role", {"role": r}) for r in ("admin", "member")],
    *[("commands/audit", {"lines": [], "name": n, "page": p}) for n in (None, "张三") for p in (1, 2)],
    *[("commands/audit", {"lines": [{**DEED, "how": "words", "by": None, "what": w, "name": None}], "name": n}) for w in ("drop", "export") for n in (None, "张三")],
    *[("commands/reassigned", {"outcome": o}) for o in ("in_whose_place", "nobody_to_replace", "asked_already", "is_initiator", "wants_none", "no_way")],
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "values"), BRANCHES)
def test_every_branch_of_a_text_can_be_made(name: str, values: dict[str, Any], language: str) -> None:
    text = render(name, language, **values)
    assert text
    for slip in ("None", "T09:00", "。。", "..", "\n\n\n"):
        assert slip not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["closed", "paused", "decision", "contact", "reply", "run", "work"])
@pytest.mark.parametrize("when", [LATER, None])
@pytest.mark.parametrize("late", [True, False])
def test_every_next_step_has_its_words(language: str, kind: str, when: str | None, late: bool) -> None:
    line = {**LINE, "next": {"kind": kind, "names": ["张三"], "when": when, "late": late}}
    last = render("commands/concerns", language, lines=[line], pages=1).splitlines()[-1]
    assert last.startswith("   ")
    assert ("9:00" in last) == (
        when is not None and kind != "decision" and not (late and kind not in ("closed", "paused"))
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_that_is_missing_is_an_error(language: str) -> None:
    with pytest.raises(Exception, match="title"):
        RENDERER.render("chat/model_down", language, now=NOW, timezone="Asia/Shanghai")
