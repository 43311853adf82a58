"""What is a command, and until when a pause runs: words in, values out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.moments import until
from bot.commands.parse import Call, parse
from bot.commands.request import LONGEST_DATA, press
from core.effects import Words
from core.facts import Fact, FactKind
from core.ids import ConversationId

NOON = datetime.fromisoformat("2026-03-16T12:00:00+08:00")  # a Monday


def fact(text: str = "", **more: Any) -> Fact:
    values: dict[str, Any] = {"channel": "telegram", "event_id": "1", "kind": FactKind.MESSAGE, "occurred_at": NOON}
    return Fact(**{**values, "conversation": ConversationId("telegram:1"), "sender": "1", "text": text, **more})


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("/help", Call("help")),
        ("/HELP", Call("help")),
        ("／help", Call("help")),
        (" /help@qinghai_bot\n", Call("help")),
        ("/drop  1 ", Call("drop", "1")),
        ("/pause\u3000001\u30002h", Call("pause", "001 2h")),
        ("/concern 提测\n时间", Call("concern", "提测 时间")),
        ("/start@qinghai_bot AbC-12_3", Call("start", "AbC-12_3")),
        ("/help，谢谢", None),
        ("/etc/hosts 打不开", None),
        ("/ help", None),
        ("//help", None),
        ("help", None),
        ("看看 /help", None),
        ("/", None),
        ("", None),
    ],
)
def test_a_command_begins_with_a_slash_and_a_name(text: str, call: Call | None) -> None:
    assert parse(fact(text)) == call


def test_a_press_is_a_command_when_its_data_says_so() -> None:
    assert parse(fact(kind=FactKind.BUTTON, button="cmd:concerns 张三 2")) == Call("concerns", "张三 2")
    assert parse(fact(kind=FactKind.BUTTON, button="now:con_20260316_001")) is None
    assert parse(fact("/help", kind=FactKind.BUTTON)) is None


def test_forwarded_words_are_never_a_command() -> None:
    assert parse(fact("/drop 1", forwarded_from="王五")) is None
    assert parse(fact(kind=FactKind.BUTTON, button="cmd:drop 1", forwarded_from="王五")) is None


@given(text=st.text(max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    call = parse(fact(text))
    assert call is None or (call.name.isascii() and call.words == " ".join(call.words.split()))


@given(line=st.text(max_size=80))
def test_a_button_holds_its_line_or_is_not_there(line: str) -> None:
    row = press(line, Words(text="x"))
    assert len(row) == (len(f"cmd:{line}".encode()) <= LONGEST_DATA)
    assert all(b.data == f"cmd:{line}" for b in row)


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("2h", "2026-03-16T14:00:00+08:00"),
        ("1h30m", "2026-03-16T13:30:00+08:00"),
        ("for 2h", "2026-03-16T14:00:00+08:00"),
        ("两小时", "2026-03-16T14:00:00+08:00"),
        ("暂停3天", "2026-03-19T12:00:00+08:00"),
        ("到明天", "2026-03-17T00:00:00+08:00"),
        ("直到周五下午3点", "2026-03-20T15:00:00+08:00"),
        ("到下周一为止", "2026-03-23T00:00:00+08:00"),
        ("下周", "2026-03-23T00:00:00+08:00"),
        ("周三之前", "2026-03-18T23:59:00+08:00"),
        ("until friday", "2026-03-20T00:00:00+08:00"),
        ("tomorrow 9am", "2026-03-17T09:00:00+08:00"),
        ("for two days", "2026-03-18T12:00:00+08:00"),
        ("2026-03-18", "2026-03-18T00:00:00+08:00"),
        ("2026-03-18T09:30", "2026-03-18T09:30:00+08:00"),
        ("2026-03-18T01:30Z", "2026-03-18T09:30:00+08:00"),
        ("昨天", "2026-03-15T00:00:00+08:00"),
    ],
)
def test_a_moment_is_read_from_all_of_the_words(words: str, at: str) -> None:
    assert until(words, NOON) == datetime.fromisoformat(at)


@pytest.mark.parametrize(
    "words",
    ["foo", "", "until", "2h 提测", "提测 明天", "很久", "每天早上", "99999999999d", "900000d", "12-31", "2 4 6"],
)
def test_words_that_name_no_moment_are_refused(words: str) -> None:
    assert until(words, NOON) is None


@given(words=st.text(max_size=40))
def test_no_words_break_the_reading_of_a_moment(words: str) -> None:
    found = until(words, NOON)
    assert found is None or found.tzinfo is not None
