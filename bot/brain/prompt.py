"""From a question to the two texts that a model reads: what to do (system) and what it is about (user).

Words that people wrote stand between marks that they cannot contain, as data, never as instructions. Characters that
nobody can see are taken out before, since text can hide in them.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, Protocol, cast

from pydantic import BaseModel

from bot.brain.shape import without_prose
from core.brain.questions import Line, PersonBrief, Question

MAX_TEXT = 4_000
"""Characters of one text; what is longer is cut in its middle, and says so."""
MAX_DIALOGUE = 12_000
"""Characters of a dialogue; older lines are left out first."""
WEEKDAYS = "一二三四五六日"

# Not in the category Cf, and just as invisible: fillers, joiners, variation selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_DROPPED = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})


class PromptRenderer(Protocol):
    """Fills `templates/prompts/{name}.j2` and gives its blocks `system` and `user`."""

    def render_prompt(self, name: str, question: Any, **helpers: Any) -> tuple[str, str]:
        """`question` is `q` in the template, `helpers` go by their own names."""
        ...


@lru_cache(maxsize=4096)
def visible(text: str) -> str:
    """The text without characters that cannot be seen: format and control characters, private use, fillers."""
    if text.isascii() and text.isprintable():
        return text
    text = _UNSEEN.sub("", text.replace("\r\n", "\n"))
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in _DROPPED)


def now_of(question: Question[Any]) -> datetime:
    """The present of a question: each kind has its `now`, only the common root does not say so."""
    now: datetime = cast(Any, question).now
    return now


def prompt(question: Question[Any], renderer: PromptRenderer) -> tuple[str, str]:
    """System and user text of a question."""
    desk = _Desk(question)
    return renderer.render_prompt(
        question.name,
        question,
        at=desk.at,
        fence=desk.fence,
        names_of=names_of,
        one=one_line,
        people=people,
        schema_of=schema_of,
        talk=desk.talk,
    )


def one_line(text: str) -> str:
    """Names, titles, goals: on one line, so that they cannot pass for a part of the prompt."""
    return _cut(" ".join(visible(text).split()))


def people(briefs: tuple[PersonBrief, ...]) -> str:
    """`p_1 张三（三哥、Zhang San）; …`"""
    told = []
    for brief in briefs:
        aliases = f"（{'、'.join(map(one_line, brief.aliases))}）" if brief.aliases else ""
        told.append(f"{one_line(brief.person_id)} {one_line(brief.name)}{aliases}")
    return "; ".join(told)


def names_of(briefs: tuple[PersonBrief, ...]) -> str:
    """Names alone, without ids."""
    return "、".join(one_line(name) for brief in briefs for name in (brief.name, *brief.aliases))


def schema_of(parameters: dict[str, Any]) -> str:
    """The parameters of an ability on one line."""
    return json.dumps(without_prose(parameters), ensure_ascii=False, separators=(",", ":"))


class _Desk:
    """The helpers of one question: its clock and its mark."""

    def __init__(self, question: Question[Any]) -> None:
        self._zone = now_of(question).tzinfo
        texts = "\0".join(visible(text) for text in _strings(question))
        self._mark = _absent_mark(texts)

    def at(self, moment: datetime) -> str:
        """`2026-03-16T10:00+08:00（周一）` on the clock of the question."""
        local = moment.astimezone(self._zone)
        return f"{local.isoformat(timespec='minutes')}（周{WEEKDAYS[local.weekday()]}）"

    def _stamp(self, moment: datetime) -> str:
        local = moment.astimezone(self._zone)
        return f"{local:%m-%d} 周{WEEKDAYS[local.weekday()]} {local:%H:%M}"

    def fence(self, text: str) -> str:
        """Words of a person, between marks."""
        return f"<{self._mark}>\n{_cut(visible(text).strip())}\n</{self._mark}>"

    def talk(self, lines: tuple[Line, ...]) -> str:
        """A dialogue between marks, oldest first; the bot's own lines are told by 我."""
        told: list[str] = []
        room = MAX_DIALOGUE
        for line in reversed(lines):
            who = "我" if line.ours else one_line(line.who)
            text = _cut(visible(line.text).strip()).replace("\n", "\n    ")
            entry = f"[{self._stamp(line.at)}] {who}：{text}"
            room -= len(entry)
            if told and room < 0:
                told.append("（更早的略）")
                break
            told.append(entry)
        return f"<{self._mark}>\n" + "\n".join(reversed(told)) + f"\n</{self._mark}>"


def _cut(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    half = MAX_TEXT // 2
    return f"{text[:half]}\n（中间略去 {len(text) - 2 * half} 字）\n{text[-half:]}"


def _absent_mark(texts: str) -> str:
    """A mark that occurs nowhere in `texts`; the same texts give the same mark."""
    number = 0
    while True:
        mark = "data-" + hashlib.sha256(f"{number}\0{texts}".encode()).hexdigest()[:8]
        if mark not in texts:
            return mark
        number += 1


def _strings(value: Any) -> Iterator[str]:
    """All texts in a question, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _strings(getattr(value, name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
