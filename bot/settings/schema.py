"""The shape of the configuration: what may be in the TOML file and in the environment, with its defaults."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, model_validator

from core.calendar import WorkCalendar, parse_window
from core.limits import Limits
from core.timetalk import parse_duration


class Table(BaseModel):
    """Root of all tables: frozen, and a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError("it must be a time zone such as 'Asia/Shanghai'") from None
    return name


def _url(text: str) -> str:
    if not text.startswith(("http://", "https://")) or len(text.split("://", 1)[1]) < 1:
        raise ValueError("it must begin with http:// or https://")
    return text


def _hours(text: str) -> str:
    parse_window(text)
    return text


def _quiet(text: str) -> str:
    return "" if text.strip().lower() in ("", "off", "none", "无") else _hours(text)


def _days(value: Any) -> Any:
    if not isinstance(value, str | list | tuple):
        raise ValueError("it must be 'china', 'daily' or a list of weekdays such as ['mon', 'tue']")
    try:
        WorkCalendar.from_config(working_days=value)
    except ValueError as error:
        raise ValueError(str(error).removeprefix("working_days: ")) from None
    return value if isinstance(value, str) else tuple(value)


def _database(url: str) -> str:
    if not url.startswith(("sqlite:///", "postgresql://")) or url in ("sqlite:///", "postgresql://"):
        raise ValueError("it must look like sqlite:///data/qinghai.db or postgresql://user@host/name")
    return url


def _upper(value: Any) -> Any:
    return value.upper() if isinstance(value, str) else value


def _user_id(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Zone = Annotated[str, AfterValidator(_zone)]
Url = Annotated[str, AfterValidator(_url)]
Secret = SecretStr | None
UserId = Annotated[str, Field(min_length=1), BeforeValidator(_user_id)]
Word = Annotated[str, Field(min_length=1)]
Language = Literal["zh-CN", "en"]


class TelegramSettings(Table):
    """The bot on Telegram; off without a token."""

    token: Secret = None
    base_url: Url = "https://api.telegram.org/bot"
    mode: Literal["polling", "webhook"] = "polling"
    webhook_url: Url | None = None
    webhook_secret: Secret = None


class FeishuSettings(Table):
    """The app on Feishu or Lark; off without its id."""

    app_id: str | None = None
    app_secret: Secret = None
    domain: Url = "https://open.feishu.cn"
    mode: Literal["ws", "webhook"] = "ws"
    encrypt_key: Secret = None
    verification_token: Secret = None


class ModelSettings(Table):
    """Any OpenAI-compatible server; without name or key the rule brain works alone."""

    base_url: Url = "https://api.openai.com/v1"
    api_key: Secret = None
    name: str | None = None
    timeout_s: float = Field(default=30.0, gt=0)

    @property
    def is_set(self) -> bool:
        """Whether there is a model to ask."""
        return bool(self.name and self.api_key and self.api_key.get_secret_value())


class HttpSettings(Table):
    """The HTTP inlet; off while no port is set."""

    host: str = "127.0.0.1"
    port: int | None = Field(default=None, ge=1, le=65535)
    token: Secret = None
    gitlab_token: Secret = None
    github_secret: Secret = None


def _kept(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value.strip().lower() == "keep":
        return None
    try:
        span = parse_duration(value)
    except ValueError:
        raise ValueError("it must be a duration such as '365d', or 'keep'") from None
    if span < timedelta(days=7):
        raise ValueError("it must be 7d at least (a channel may bring the same message again), or 'keep'")
    return span


Kept = Annotated[timedelta | None, BeforeValidator(_kept)]


class RetentionSettings(Table):
    """How long is kept what is over; `keep`: for ever."""

    facts: Kept = timedelta(days=365)
    """Handled messages and events, and what was sent for them."""
    concerns: Kept = timedelta(days=365)
    """Closed concerns, from their end on."""


class PersonaSettings(Table):
    """Who the bot is."""

    name: Word = "清海"


class PersonEntry(Table):
    """A person of the file. User ids per channel; the order of the keys is the order in which channels are tried."""

    id: Word
    name: Word
    aliases: tuple[Word, ...] = ()
    pronoun: str | None = None
    telegram: UserId | None = None
    feishu: UserId | None = None
    feishu_email: str | None = None
    feishu_mobile: UserId | None = None
    console: UserId | None = None
    gitlab: Word | None = None
    github: Word | None = None
    email: Annotated[str, Field(pattern=r"^\S+@\S+$")] | None = None
    """What webhooks call them; nothing is written there."""
    working_hours: Annotated[str, AfterValidator(_hours)] = "09:00-18:00"
    working_days: Annotated[Literal["china", "daily"] | tuple[str, ...], BeforeValidator(_days)] = "china"
    quiet_hours: Annotated[str, AfterValidator(_quiet)] = "22:00-08:00"
    preferred_channel: Literal["telegram", "feishu", "console"] | None = None
    language: Language | None = None
    timezone: Zone | None = None
    escalation_to: str | None = None
    role: Literal["owner", "admin", "member", "delegate"] = "delegate"


class Common(Table):
    """What stands in the file as it is used."""

    database_url: Annotated[str, AfterValidator(_database)] = "sqlite:///data/qinghai.db"
    locale: Language = "zh-CN"
    timezone: Zone = "Asia/Shanghai"
    telegram: TelegramSettings = TelegramSettings()
    feishu: FeishuSettings = FeishuSettings()
    model: ModelSettings = ModelSettings()
    http: HttpSettings = HttpSettings()
    time_scale: float = Field(default=1.0, gt=0)
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = "INFO"
    log_format: Literal["text", "json"] = "text"
    persona: PersonaSettings = PersonaSettings()
    limits: Limits = Limits()
    retention: RetentionSettings = RetentionSettings()

    @model_validator(mode="before")
    @classmethod
    def _named_for_readers(cls, data: Any) -> Any:
        """Who writes English is Qinghai, unless it was given a name."""
        persona = data.get("persona", {}) if isinstance(data, dict) and data.get("locale") == "en" else None
        return {**data, "persona": {"name": "Qinghai", **persona}} if isinstance(persona, dict) else data


class ConfigFile(Common):
    """The whole of the TOML file, with the environment laid over it."""

    owner: PersonEntry | None = None
    people: tuple[PersonEntry, ...] = ()
