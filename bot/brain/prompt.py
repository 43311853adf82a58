"""From a question to the two texts that a model reads: what to do (system) and what it is about (user).

Words that people wrote stand between marks that they cannot contain, as data, never as instructions. Characters that
nobody can see are taken out before, since text can hide in them.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Protocol, cast

from pydantic import BaseModel

from core.brain.questions import Line, PersonBrief, Question
from core.context.text import MAX_TEXT, absent_mark, cut_middle, fence, moment, one_line, stamp, texts_in, visible

__all__ = ["MAX_DIALOGUE", "MAX_TEXT", "PromptRenderer", "now_of", "prompt", "visible"]

MAX_DIALOGUE = 12_000
"""Characters of a dialogue; older lines are left out first."""

MOST_PEOPLE = 60
"""People of a directory that are told; those whose names stand in the question come first."""


class PromptRenderer(Protocol):
    """Fills `templates/prompts/{name}.j2` and gives its blocks `system` and `user`."""

    def render_prompt(self, name: str, question: Any, **helpers: Any) -> tuple[str, str]:
        """`question` is `q` in the template, `helpers` go by their own names."""
        ...


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
        json_of=json_of,
        names_of=names_of,
        one=one_line,
        people=desk.people,
        schema_of=schema_of,
        talk=desk.talk,
    )


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
    """The parameters of an ability on one line: `people: string[], priority?: "high"|"low", deadline?: date-time`."""
    needed = parameters.get("required", ())
    fields = parameters.get("properties", {}).items()
    told = [f"{name}{'' if name in needed else '?'}: {_type_of(field)}" for name, field in fields]
    return ", ".join(told) or "-"


def _type_of(field: dict[str, Any]) -> str:
    """A type as a model reads it at a glance; that something may be null is told by its question mark."""
    if "anyOf" in field:
        return "|".join(_type_of(f) for f in field["anyOf"] if f.get("type") != "null")
    if "enum" in field:
        return "|".join(json.dumps(value, ensure_ascii=False) for value in field["enum"])
    if field.get("type") == "array":
        return f"{_type_of(field.get('items', {}))}[]"
    return str(field.get("format") or field.get("type") or "any")


def json_of(value: Any) -> str:
    """A value on one line; what is at its default is left out."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


class _Desk:
    """The helpers of one question: its clock, its mark, and what is said in it."""

    def __init__(self, question: Question[Any]) -> None:
        self._zone = now_of(question).tzinfo
        fields = {name: getattr(question, name) for name in type(question).model_fields if name != "contacts"}
        self._said = "\0".join(texts_in(fields)).casefold()
        self._mark = absent_mark(texts_in(question))

    def at(self, at: datetime) -> str:
        """`2026-03-16T10:00+08:00（周一）` on the clock of the question."""
        return moment(at.astimezone(self._zone))

    def people(self, briefs: tuple[PersonBrief, ...]) -> str:
        """As many as are told, in their order."""
        if len(briefs) > MOST_PEOPLE:
            named = [b.person_id for b in briefs if any(n.casefold() in self._said for n in (b.name, *b.aliases))]
            rest = [b.person_id for b in briefs if b.person_id not in set(named)]
            told = {*named[:MOST_PEOPLE], *rest[: max(0, MOST_PEOPLE - len(named))]}
            briefs = tuple(b for b in briefs if b.person_id in told)
        return people(briefs)

    def fence(self, text: str) -> str:
        """Words of a person, between marks."""
        return fence(text, self._mark)

    def talk(self, lines: tuple[Line, ...]) -> str:
        """A dialogue between marks, oldest first; the bot's own lines are told by 我."""
        told: list[str] = []
        room = MAX_DIALOGUE
        for line in reversed(lines):
            who = "我" if line.ours else one_line(line.who)
            text = cut_middle(visible(line.text).strip()).replace("\n", "\n    ")
            entry = f"[{stamp(line.at.astimezone(self._zone))}] {who}：{text}"
            room -= len(entry)
            if told and room < 0:
                told.append("（更早的略）")
                break
            told.append(entry)
        return f"<{self._mark}>\n" + "\n".join(reversed(told)) + f"\n</{self._mark}>"
