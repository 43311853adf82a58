"""What anybody with the token may post to `/facts`, and what becomes a fact of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from bot.web.reading import LINE, line, words
from bot.web.refusal import Refused
from core.facts import Event

OURS = frozenset({"telegram", "feishu", "console", "timer", "callback"})
"""Where facts come from that speak with somebody's authority, or the bot's own."""
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)


def _line(value: Any) -> Any:
    return line(value, len(value)) if isinstance(value, str) else value


def _words(value: Any) -> Any:
    return words(value, len(value)) if isinstance(value, str) else value


Line = Annotated[str, BeforeValidator(_line), Field(max_length=LINE)]
Named = Annotated[str, BeforeValidator(_line), Field(min_length=1, max_length=LINE)]


class Particulars(BaseModel):
    """What is read of `data`; other keys are the poster's own affair."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    project: Line = ""
    branch: Line = ""
    action: Annotated[Line, Field(max_length=40)] = ""
    url: Line = ""
    target: Line = ""


class Posted(BaseModel):
    """The body of `POST /facts` (CONTRACT 4)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Annotated[Named, Field(max_length=200)]
    source: Annotated[str, BeforeValidator(_line), Field(pattern=r"^\w[\w.-]{0,39}$")]
    kind: Annotated[Named, Field(max_length=60)]
    subject: Named
    person: Annotated[Line, Field(max_length=200)] | None = None
    """Their id, name or alias. Somebody whom nobody knows is no error: the name is kept."""
    text: Annotated[str, BeforeValidator(_words), Field(max_length=10_000)] | None = None
    occurred_at: AwareDatetime | None = None
    data: Particulars = Particulars()

    @field_validator("source")
    @classmethod
    def _from_outside(cls, value: str) -> str:
        if value.casefold() in OURS:
            raise ValueError(f"{value} is a source of the bot's own; take another name")
        return value

    @field_validator("occurred_at")
    @classmethod
    def _in_our_time(cls, value: datetime | None) -> datetime | None:
        if value is not None and value.year < EARLIEST.year:
            raise ValueError("that was before the year 2000")
        return value

    @property
    def event(self) -> Event:
        """The same as the core knows it."""
        return Event(
            source=self.source,
            kind=self.kind,
            subject=self.subject,
            actor=self.person or "",
            text=self.text or "",
            **self.data.model_dump(),
        )


def posted(body: dict[str, Any]) -> Posted:
    """Raises `Refused` (422) that names the first field that will not do."""
    given = {key: value for key, value in body.items() if value is not None}
    try:
        return Posted.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part)[:40] for part in first["loc"])
        raise Refused(422, f"{field}: {_cure(first)}", field=field) from None


def _cure(complaint: Any) -> str:
    match complaint["type"]:
        case "missing" | "string_too_short" | "too_short":
            return "it is missing"
        case "extra_forbidden":
            return f"it is unknown; known are {', '.join(Posted.model_fields)}"
        case "string_type":
            return "it must be text"
        case "string_too_long" | "too_long":
            return f"it is longer than {complaint['ctx']['max_length']} characters"
        case "string_pattern_mismatch":
            return "at most 40 letters, digits, dots, dashes and underscores"
        case "value_error":
            return str(complaint["ctx"]["error"])
        case "model_type" | "model_attributes_type":
            return "it must be an object"
        case kind if kind.startswith(("datetime_", "timezone_")):
            return "it must be a moment with its offset, like 2026-03-16T10:00:00+08:00"
    return str(complaint["msg"])
