"""Whether an expectation is met: pure functions of the messages, or of a concern's JSON form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.channels.virtual import Delivered
from bot.rehearsal.steps import Expect


@dataclass(frozen=True)
class Verdict:
    """`problem` is None when it is met; `fitting` are the messages that fit all conditions but `lacks`."""

    problem: str | None
    fitting: tuple[Delivered, ...] = ()


def judge_expect(expect: Expect, messages: Sequence[Delivered]) -> Verdict:
    """Look at `messages`: all that came to the person since the last look.

    `lacks` holds for every one of them; `count` is how many fit the other conditions, at least one without it, unless
    `lacks` stands alone.
    """
    fitting = tuple(m for m in messages if _fits(expect, m))
    for text in expect.lacks:
        if any(text in m.text for m in messages):
            return Verdict(f"{text!r} was not to come", fitting)
    if expect.count is not None:
        if len(fitting) != expect.count:
            return Verdict(f"wanted {_times(expect.count)}{_wanted(expect)}, saw {len(fitting)}", fitting)
        return Verdict(None, fitting)
    alone = bool(expect.lacks) and not (expect.contains or expect.matches or expect.channel)
    if not fitting and not alone:
        return Verdict(f"wanted a message{_wanted(expect)}", fitting)
    return Verdict(None, fitting)


def _fits(expect: Expect, message: Delivered) -> bool:
    return (
        all(text in message.text for text in expect.contains)
        and (expect.matches is None or re.search(expect.matches, message.text) is not None)
        and expect.channel in (None, message.channel)
    )


def _times(count: int) -> str:
    return "one message" if count == 1 else f"{count} messages"


def _wanted(expect: Expect) -> str:
    parts = []
    if expect.contains:
        parts.append(" with " + " and ".join(repr(t) for t in expect.contains))
    if expect.matches is not None:
        parts.append(f" matching {expect.matches!r}")
    if expect.channel:
        parts.append(f" on {expect.channel}")
    return "".join(parts)


_ABSENT = object()


def judge_concern(wanted: dict[str, Any], concern: dict[str, Any]) -> list[str]:
    """One sentence for each field that is not as wanted. A missing field counts as null."""
    problems = []
    for path, value in wanted.items():
        actual = _at(concern, path)
        actual = None if actual is _ABSENT else actual
        if not _same(value, actual):
            problems.append(f"{path} is {_short(actual)}, not {_short(value)}")
    return problems


def _at(data: Any, path: str) -> Any:
    """The value at a dotted path; a list takes an index, or the id or name of one of its persons."""
    for part in path.split("."):
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list):
            data = _in_list(data, part)
        else:
            return _ABSENT
    return data


def _in_list(items: list[Any], part: str) -> Any:
    if re.fullmatch(r"-?\d+", part):
        index = int(part)
        return items[index] if -len(items) <= index < len(items) else _ABSENT
    persons = [i for i in items if isinstance(i, dict) and part in (i.get("person_id"), i.get("display_name"))]
    return persons[0] if persons else _ABSENT


def _same(wanted: Any, actual: Any) -> bool:
    if wanted == actual:
        return True
    first, second = _moment(wanted), _moment(actual)
    return first is not None and first == second


def _moment(value: Any) -> datetime | None:
    """An aware moment out of a string or a YAML timestamp."""
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return moment if moment.tzinfo else None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."
