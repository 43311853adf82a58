"""The form of labelled cases: JSON lines, each a message of an owner or a reply of a delegate, with what it means."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.settings import explain
from core.errors import ConfigurationError

Intent = Literal[
    "delegate", "remind", "schedule", "expect", "cancel", "confirm", "deny", "amend", "decide", "status", "chat",
    "lookup", "invite", "task",
]  # fmt: skip
"""What a message asks for. Sets without the last three call it status when something is only looked up."""
PriorityName = Literal["critical", "high", "medium", "low"]


class _Form(BaseModel):
    """Frozen; keys that a set has beyond the form are left aside."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Contact(_Form):
    """Somebody whom the owner knows."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()


class OpenConcern(_Form):
    """A matter that is open: of whom it is asked, by id."""

    id: str
    title: str
    people: tuple[str, ...] = ()


class When(_Form):
    """The time of an action. `value` is ISO 8601 (two moments with `/` between for a span), an RFC 5545 rule or
    `EVENT=…` for a recurrence, words for a vague one.
    """

    kind: Literal["moment", "deadline", "recurrence", "span", "vague"]
    value: str

    @model_validator(mode="after")
    def _fits_its_kind(self) -> When:
        parts = {"moment": 1, "deadline": 1, "span": 2}.get(self.kind)
        if self.kind == "recurrence" and "FREQ=" not in self.value and not self.value.startswith("EVENT="):
            raise ValueError("a recurrence's value is a rule with FREQ=, or EVENT= and words.")
        if parts is None:
            return self
        try:
            fine = [datetime.fromisoformat(v).tzinfo is not None for v in self.value.split("/")]
        except ValueError:
            fine = []
        if len(fine) != parts or not all(fine):
            raise ValueError(f"a {self.kind}'s value is ISO 8601 with its offset: 2026-03-16T18:00+08:00.")
        return self


class OwnerCase(_Form):
    """A message of the owner, and what it asks for."""

    id: str
    lang: str
    now: AwareDatetime
    contacts: tuple[Contact, ...]
    text: str
    intent: Intent
    people: tuple[str, ...]
    unknown_people: tuple[str, ...]
    when: When | None
    priority: PriorityName
    needs_confirmation: bool
    open_concerns: tuple[OpenConcern, ...] = ()
    pending: str | None = None
    """The action that waits for a yes, in the words in which it was shown."""
    note: str = ""


class Earlier(_Form):
    """A line of the dialogue before."""

    by: Literal["bot", "delegate"] = Field(alias="from")
    text: str


class ReplyCase(_Form):
    """A reply of a delegate to what they were asked, and what it amounts to."""

    id: str
    lang: str
    now: AwareDatetime
    priority: PriorityName
    title: str
    goal: str
    asked: str
    reply: str | tuple[str, ...]
    attitude: Literal["answered", "commitment", "vague", "resistant", "refused", "question", "unrelated"]
    goal_met: bool
    promised_time: AwareDatetime | None
    needs_owner: bool
    names_other: str | None
    injection: bool
    earlier: tuple[Earlier, ...] = ()
    note: str = ""

    @property
    def replies(self) -> tuple[str, ...]:
        """Their messages, one after another."""
        return (self.reply,) if isinstance(self.reply, str) else self.reply


C = TypeVar("C", OwnerCase, ReplyCase)
Cases = tuple[OwnerCase, ...] | tuple[ReplyCase, ...]


def read_cases(path: Path) -> Cases:
    """All cases of a file; its first line tells which form it has. Raises `ConfigurationError`."""
    lines = list(_lines(path))
    if not lines:
        raise ConfigurationError(f"{path}: holds no cases.")
    if "reply" in lines[0][1]:
        return tuple(_case(ReplyCase, line, where) for where, line in lines)
    return tuple(_case(OwnerCase, line, where) for where, line in lines)


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigurationError(f"{path}: there is no such file.") from None
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{path}: cannot be read; make it a UTF-8 text file.") from None
    # Only line feeds: a text may hold other characters that Python takes for the end of a line.
    for number, raw in enumerate(text.split("\n"), 1):
        if raw.strip():
            where = f"{path}, line {number}"
            try:
                line = json.loads(raw)
            except ValueError:
                line = None
            if not isinstance(line, dict):
                raise ConfigurationError(f"{where}: is not a JSON object.")
            yield where, line


def _case(form: type[C], line: dict[str, Any], where: str) -> C:
    try:
        return form.model_validate(line)
    except ValidationError as error:
        raise ConfigurationError(explain(error, form, where)) from None
