"""Words from templates: status texts for people, prompts for the model.

`templates/{language}/NAME.j2` holds what a person reads, `templates/prompts/NAME.j2` what a model reads.
A template or a value that is missing is an error, never an empty place in a message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, pass_context
from jinja2.exceptions import TemplateError, TemplateNotFound
from jinja2.runtime import Context

from core.errors import QinghaiError
from core.schedule import ScheduleTrigger, say_trigger
from core.spacing import edged, settled
from core.timetalk import say_date, say_duration, say_exactly, say_moment

TEMPLATES = Path(__file__).parent.parent / "templates"
LANGUAGES = ("zh-CN", "en")


class RenderError(QinghaiError):
    """A template that is missing or broken, or a value that it needs and did not get; the sentence names both."""


_WRONG = (TemplateError, RenderError, TypeError, ValueError, LookupError)
"""What a template meets when its values are not what it expects; an unknown zone is a LookupError."""


def language_code(language: str) -> Literal["zh", "en"]:
    """`zh-CN` → `zh`, `en` → `en`: the names that the time words go by."""
    return "en" if language.startswith("en") else "zh"


def instant(value: object, timezone: str) -> datetime:
    """An ISO 8601 moment (or an aware datetime) on the clocks of `timezone`; `RenderError` where it is none."""
    if not isinstance(value, str | datetime):
        # `!s`: a value that is missing says its own name.
        raise RenderError(f"{value!s} is no moment")
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise RenderError(f"{value!r} is no ISO 8601 moment") from None
    if at.tzinfo is None:
        raise RenderError(f"the moment {value!s} lacks its offset")
    return at.astimezone(_zone(timezone))


@lru_cache(maxsize=256)
def _zone(timezone: str) -> ZoneInfo:
    return ZoneInfo(timezone)


@pass_context
def moment(context: Context, value: object) -> str:
    """As people say it, in the reader's zone, relative to now: 周四 18:00."""
    timezone = context["timezone"]
    now = instant(context["now"], timezone)
    return say_moment(instant(value, timezone), now, language_code(context["language"]))


@pass_context
def date(context: Context, value: object) -> str:
    """The day alone, absolute: 3月18日 / Mar 18; with the year when it could be taken for another."""
    timezone = context["timezone"]
    day, today = instant(value, timezone).date(), instant(context["now"], timezone).date()
    return say_date(day, today, language_code(context["language"]) == "zh")


@pass_context
def exactly(context: Context, value: object) -> str:
    """Day, weekday and time, absolute: 3月18日周三 15:00 / Wed, Mar 18, 15:00."""
    timezone = context["timezone"]
    at, now = instant(value, timezone), instant(context["now"], timezone)
    return say_exactly(at, now.date(), language_code(context["language"]))


@pass_context
def schedule(context: Context, value: Mapping[str, Any]) -> str:
    """When something runs, given the fields of a `ScheduleTrigger`: 每周一 9:00. The clock of a rule is named where the
    reader's shows another time.
    """
    now = instant(context["now"], context["timezone"])
    trigger, language = ScheduleTrigger.model_validate(value), language_code(context["language"])
    said = say_trigger(trigger, now, language)
    if trigger.kind != "recurring" or now.astimezone(_zone(trigger.timezone)).utcoffset() == now.utcoffset():
        return said
    return f"{said}（{trigger.timezone}）" if language == "zh" else f"{said} ({trigger.timezone})"


@pass_context
def duration(context: Context, value: float | timedelta) -> str:
    """A length of time, given in seconds: 2 小时."""
    delta = value if isinstance(value, timedelta) else timedelta(seconds=float(value))
    return say_duration(delta, language_code(context["language"]))


@pass_context
def names(context: Context, value: Sequence[str]) -> str:
    """张三、李四和王五 / A, B and C."""
    if not value:
        return ""
    *others, last = value
    if language_code(context["language"]) == "en":
        return f"{', '.join(others)} and {last}" if others else last
    return settled(f"{edged('、'.join(others))}和{edged(last)}") if others else last


@pass_context
def _spaced(context: Context, value: object) -> object:
    """Each value on its way into a text: in Chinese a Latin one stands apart from the words beside it."""
    if not isinstance(value, str) or not str(context.get("language", "")).startswith("zh"):
        return value
    return edged(value)


@lru_cache(maxsize=8)
def _environment(folder: Path) -> Environment:
    """One for all renderers of a folder: to compile a text takes longer than all else that is done for a message."""
    env = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        finalize=_spaced,
        # Texts go to chats and to a model, never into HTML.
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    filters: dict[str, Callable[..., str]] = {
        "moment": moment,
        "date": date,
        "exactly": exactly,
        "schedule": schedule,
        "duration": duration,
        "names": names,
    }
    env.filters.update(filters)
    return env


class JinjaRenderer:
    """The `Renderer` of `core.ports` on Jinja2: plain text, strict, each text compiled once a process."""

    def __init__(self, folder: Path = TEMPLATES) -> None:
        self.folder = folder
        self._env = _environment(folder)

    def render(self, template: str, language: str, *, now: datetime, timezone: str, **values: Any) -> str:
        """The text of `{language}/{template}.j2` without white space around it.

        Moments among `values` are ISO 8601 with offset, durations seconds. Raises `RenderError` on a missing template
        or value.
        """
        name = f"{language}/{template}.j2"
        found = self._template(name)
        try:
            return settled(found.render(values, now=now, timezone=timezone, language=language)).strip()
        except _WRONG as error:
            raise RenderError(f"template {name} cannot be rendered: {error}") from error

    def render_prompt(self, name: str, question: Any, **helpers: Any) -> tuple[str, str]:
        """The blocks `system` and `user` of `prompts/{name}.j2`; the template sees `q` (the question) and `helpers`."""
        path = f"prompts/{name}.j2"
        found = self._template(path)
        if lacking := sorted({"system", "user"} - found.blocks.keys()):
            raise RenderError(f"prompt {path} lacks its block {lacking[0]}")
        context = found.new_context({"q": question, **helpers})
        try:
            system, user = ("".join(found.blocks[part](context)).strip() for part in ("system", "user"))
        except _WRONG as error:
            raise RenderError(f"prompt {path} cannot be rendered: {error}") from error
        return system, user

    def names(self, language: str) -> frozenset[str]:
        """The names of all templates of a language (or of `prompts`)."""
        prefix = f"{language}/"
        found = self._env.list_templates(extensions=["j2"])
        return frozenset(name.removeprefix(prefix).removesuffix(".j2") for name in found if name.startswith(prefix))

    def check(self) -> str | None:
        """One sentence on the first template that is missing in a language or does not compile, or None."""
        sets = {language: self.names(language) for language in LANGUAGES}
        for language, other in (LANGUAGES, LANGUAGES[::-1]):
            if lacking := sorted(sets[other] - sets[language]):
                return f"templates/{language} lacks {', '.join(lacking)}, which templates/{other} has"
        if not sets[LANGUAGES[0]]:
            return f"no templates in {self.folder}"
        for folder in (*LANGUAGES, "prompts"):
            for name in sorted(self.names(folder)):
                try:
                    self._template(f"{folder}/{name}.j2")
                except RenderError as error:
                    return str(error)
        return None

    def _template(self, name: str) -> Template:
        try:
            return self._env.get_template(name)
        except TemplateNotFound:
            raise RenderError(f"template {name} is missing in {self.folder}") from None
        except TemplateError as error:
            raise RenderError(f"template {name} does not compile: {error}") from error
