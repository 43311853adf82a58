"""Reads a scenario file. Whatever is wrong with it is one sentence with the file and the step (exit status 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.rehearsal.steps import STEPS, Step
from bot.settings import Settings, build_settings, explain, hint
from core.errors import ConfigurationError
from core.ids import PersonId
from core.people import Person, Role

BrainName = Literal["rules", "scripted", "model"]
ANYONE = "anyone"


@dataclass(frozen=True)
class Scenario:
    """A file, checked: every name in its steps is known, persons are given by id."""

    file: str
    title: str
    now: datetime
    brain: BrainName
    settings: Settings
    """As the file says; the people store is filled from it."""
    strangers: tuple[Person, ...]
    """Persons with the role `stranger`: they have an account on a channel and are in no directory."""
    steps: tuple[Step, ...]

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody who takes part."""
        return self.settings.people + self.strangers

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels on which anybody can be met."""
        return tuple(dict.fromkeys(i.channel for p in self.people for i in p.identities))


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    now: datetime
    timezone: str = "Asia/Shanghai"
    locale: str = "zh-CN"
    brain: BrainName = "rules"
    people: tuple[dict[str, Any], ...]
    limits: dict[str, Any] = {}
    steps: tuple[Any, ...]


def read_scenario(path: Path) -> Scenario:
    """The scenario of a file. Raises `ConfigurationError`."""
    name = str(path)
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigurationError(f"{name}: there is no such file.") from None
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{name}: cannot be read; make it a UTF-8 text file.") from None
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{name}: {_yaml_problem(error)}") from None
    if not isinstance(data, dict):
        raise ConfigurationError(f"{name}: is not a scenario; it begins with title:, now:, people: and steps:.")
    return parse_scenario(data, name)


def parse_scenario(data: dict[str, Any], name: str) -> Scenario:
    """The scenario in the tables of a file called `name`. Raises `ConfigurationError`."""
    try:
        file = _File.model_validate(data)
    except ValidationError as error:
        raise ConfigurationError(explain(error, _File, name)) from None
    known = [p for p in file.people if p.get("role") != "stranger"]
    others = [{**p, "role": "delegate"} for p in file.people if p.get("role") == "stranger"]
    tables = {"timezone": file.timezone, "locale": file.locale, "limits": file.limits}
    if not known:
        raise ConfigurationError(f"{name}: people names nobody; a scenario needs at least an owner.")
    settings = build_settings({**tables, "people": known}, name)
    strangers = build_settings({**tables, "people": others}, name).people if others else ()
    scenario = Scenario(
        file=name,
        title=file.title,
        now=_aware(file.now, file.timezone),
        brain=file.brain,
        settings=settings,
        strangers=tuple(p.model_copy(update={"role": Role.STRANGER}) for p in strangers),
        steps=tuple(_step(n, raw, name) for n, raw in enumerate(file.steps, 1)),
    )
    return replace(scenario, steps=tuple(_checked(scenario, file.timezone)))


def _yaml_problem(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or "it cannot be understood"
    return f"not valid YAML: {what}" + (f", line {mark.line + 1} column {mark.column + 1}." if mark else ".")


def _aware(moment: datetime, timezone: str) -> datetime:
    zone = ZoneInfo(timezone)
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)


def _step(number: int, raw: Any, name: str) -> Step:
    where = f"{name}: step {number}"
    if not isinstance(raw, dict) or len(raw) != 1:
        raise ConfigurationError(f"{where}: a step is a mapping with one key, such as 'advance: 4h'.")
    ((kind, body),) = raw.items()
    if kind not in STEPS:
        raise ConfigurationError(f"{where}: there is no step {str(kind)!r}; {hint(str(kind), STEPS)}")
    try:
        return Step(number, kind, STEPS[kind].model_validate({} if body is None and kind == "restart" else body))
    except ValidationError as error:
        raise ConfigurationError(explain(error, STEPS[kind], f"{where} ({kind})")) from None


_PERSON_KEYS = {"say": "who", "edit": "who", "recall": "who", "press": "who", "expect": "to", "silent": "to",
                "event": "person", "channel_fails": "to"}  # fmt: skip


def _checked(scenario: Scenario, timezone: str) -> Iterator[Step]:
    """The steps with persons given by id and moments with an offset; names that lead nowhere are refused."""
    persons = _persons(scenario.people)
    names: dict[str, int] = {}
    for step in scenario.steps:
        where, body = f"{scenario.file}: step {step.number} ({step.kind})", step.body
        if step.kind == "until":
            yield replace(step, body=type(body)(_aware(body.root, timezone)))
            continue
        key = _PERSON_KEYS.get(step.kind)
        wanted = getattr(body, key) if key else None
        if key and wanted and not (step.kind == "silent" and wanted == ANYONE):
            if wanted not in persons:
                raise ConfigurationError(f"{where}: there is nobody called {wanted!r}; {hint(wanted, persons)}")
            body = body.model_copy(update={key: persons[wanted]})
        _check_channel(body, scenario.channels, where)
        _check_names(step.kind, body, names, where)
        if step.kind == "model" and scenario.brain != "scripted":
            raise ConfigurationError(f"{where}: answers can be queued for brain: scripted only.")
        yield replace(step, body=body)


def _persons(people: tuple[Person, ...]) -> Mapping[str, PersonId]:
    """By id, name and alias; an id wins over a name."""
    names = {word: p.person_id for p in reversed(people) for word in (*p.aliases, p.name)}
    return {**names, **{p.person_id: p.person_id for p in people}}


def _check_channel(body: Any, channels: tuple[str, ...], where: str) -> None:
    channel = getattr(body, "channel", None)
    if channel and channel not in channels:
        raise ConfigurationError(f"{where}: nobody is on channel {channel!r}; {hint(channel, channels)}")


def _check_names(kind: str, body: Any, names: dict[str, int], where: str) -> None:
    """`id` of a say and `as` of an expect give names; `reply_to`, `edit`, `recall` and `press` use them."""
    used = {"say": "reply_to", "edit": "id", "recall": "id", "press": "as_"}.get(kind)
    gives = {"say": "id", "expect": "as_"}.get(kind)
    wanted = getattr(body, used) if used else None
    if wanted and wanted not in names:
        raise ConfigurationError(
            f"{where}: no message was named {wanted!r} before; "
            + (hint(wanted, names) if names else "name it with as: or id:.")
        )
    given = getattr(body, gives) if gives else None
    if given:
        names[given] = names.get(given, 0) + 1
