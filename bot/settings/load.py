"""Reads the configuration: one TOML file, over it `.env`, over it the environment. Secrets come from the last two."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr, ValidationError

from bot.settings.people import FeishuContact, feishu_contacts, people_of
from bot.settings.problems import Path as KeyPath
from bot.settings.problems import explain, fields_at, is_secret, leaves, nearest
from bot.settings.schema import Common, ConfigFile, PersonEntry
from core.errors import ConfigurationError
from core.people import Person

PREFIX = "QINGHAI_"
SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "people.toml"
_NOT_SETTINGS = ("QINGHAI_CONFIG", "QINGHAI_SWEEP")
_PASSWORD = re.compile(r"://[^/@:]*:([^/@]+)@|[?&]password=([^&]+)")


class Settings(Common):
    """The whole configuration, checked. `people` is what the file says; the people store is the truth afterwards."""

    people: tuple[Person, ...] = ()
    """The owner first."""
    feishu_contacts: tuple[FeishuContact, ...] = ()
    source: str = "the defaults"
    """The file that it came from, as it was named."""
    sample: bool = False
    """The people are the embedded sample: nobody was configured."""

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels that are configured; none means the console."""
        on = {"telegram": self.telegram.token is not None, "feishu": self.feishu.app_id is not None}
        return tuple(name for name, is_on in on.items() if is_on)

    def secrets(self) -> tuple[str, ...]:
        """Every secret value, for the filter that keeps them out of the log."""
        tables = (self.telegram, self.feishu, self.model, self.http)
        values = [v.get_secret_value() for t in tables for v in t.__dict__.values() if isinstance(v, SecretStr)]
        values += [before or after for before, after in _PASSWORD.findall(self.database_url)]
        return tuple(v for v in values if v)


def load_settings(config: Path | None, environ: Mapping[str, str], folder: Path) -> Settings:
    """The settings of a start in `folder`.

    `config` is the file named on the command line, else `QINGHAI_CONFIG`, else `qinghai.toml` in `folder` if it is
    there. Raises `ConfigurationError` with one sentence naming file or variable, key, value and cure.
    """
    merged_env = {**_read_dotenv(folder / ".env"), **environ}
    named = config or (Path(merged_env["QINGHAI_CONFIG"]) if merged_env.get("QINGHAI_CONFIG") else None)
    file = folder / named if named else folder / "qinghai.toml"
    where = str(named or "qinghai.toml")
    if not named and not file.exists():
        data, where = {}, "the defaults"
    else:
        data = _read_toml(file, where)
    _refuse_secrets(data, (), where)
    given = _overlay(data, merged_env)
    return build_settings(data, where, given)


def build_settings(data: dict[str, Any], where: str, given: Mapping[KeyPath, str] | None = None) -> Settings:
    """Settings from raw tables; the sample people where nobody is named. Raises `ConfigurationError`."""
    try:
        file = ConfigFile.model_validate(data)
    except ValidationError as error:
        raise ConfigurationError(explain(error, ConfigFile, where, given)) from None
    _check_channels(file)
    sample = file.owner is None and not file.people
    entries = _sample_entries() if sample else _entries(file, data)
    people = people_of(entries, where=where, language=file.locale, timezone=file.timezone)
    shared = {name: getattr(file, name) for name in Common.model_fields}
    return Settings(
        **shared, people=people, feishu_contacts=feishu_contacts(e for e, _ in entries), source=where, sample=sample
    )


def _entries(file: ConfigFile, data: Mapping[str, Any]) -> list[tuple[PersonEntry, Mapping[str, Any]]]:
    owner = [(file.owner.model_copy(update={"role": "owner"}), data["owner"])] if file.owner else []
    return [*owner, *zip(file.people, data.get("people", ()), strict=True)]


def _sample_entries() -> list[tuple[PersonEntry, Mapping[str, Any]]]:
    data = _read_toml(SAMPLE, str(SAMPLE))
    return _entries(ConfigFile.model_validate(data), data)


def _read_toml(file: Path, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigurationError(f"{where}: there is no such file; name another with --config.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigurationError(f"{where}: cannot be read ({reason}).") from None
    except tomllib.TOMLDecodeError as error:
        text = re.sub(r" \(at (.+)\)$", r", \1", str(error)).replace(", column ", " column ")
        raise ConfigurationError(f"{where}: not valid TOML: {text[0].lower()}{text[1:]}.") from None


def _read_dotenv(file: Path) -> dict[str, str]:
    """`NAME=value` lines; comments, `export` and quotes are understood. Only our own variables are taken."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{file.name}: cannot be read; make it UTF-8 text that this user may read.") from None
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip().removeprefix("export ").strip()
        if not words or words.startswith("#"):
            continue
        name, equals, value = words.partition("=")
        if not equals:
            raise ConfigurationError(f"{file.name}: line {number} is not NAME=value.")
        if name.strip().startswith(PREFIX):
            found[name.strip()] = _unquoted(value.strip())
    return found


def _unquoted(value: str) -> str:
    quoted = re.match(r"""(["'])(.*?)\1\s*(#.*)?$""", value)
    return quoted.group(2) if quoted else value.split(" #", 1)[0].rstrip()


def _refuse_secrets(data: Mapping[str, Any], path: KeyPath, where: str) -> None:
    for key, value in data.items():
        here = (*path, key)
        if isinstance(value, dict):
            _refuse_secrets(value, here, where)
        elif is_secret(ConfigFile, here):
            raise ConfigurationError(
                f"{where}: {'.'.join(map(str, here))} is a secret and does not belong in this file; "
                f"set {variable_of(here)} in the environment or in .env."
            )
        elif here == ("database_url",) and isinstance(value, str) and _PASSWORD.search(value):
            raise ConfigurationError(
                f"{where}: database_url holds a password, which does not belong in this file; "
                "set QINGHAI_DATABASE_URL in the environment or in .env."
            )


def variable_of(path: KeyPath) -> str:
    """The environment variable of a key."""
    return PREFIX + "__".join(str(p) for p in path).upper()


def _overlay(data: dict[str, Any], environ: Mapping[str, str]) -> dict[KeyPath, str]:
    """Lays the variables over `data`; says which value came from which."""
    given: dict[KeyPath, str] = {}
    for name in sorted(environ):
        if not name.startswith(PREFIX) or name in _NOT_SETTINGS or name.startswith("QINGHAI_TEST_"):
            continue
        path = _path_of(name)
        value = environ[name]
        if value == "":
            continue
        table = data
        for part in path[:-1]:
            inner = table.setdefault(part, {})
            if not isinstance(inner, dict):
                raise ConfigurationError(f"{name}: {part} is not a table in the file; take one of the two out.")
            table = inner
        table[str(path[-1])] = _value(value, name)
        given[path] = name
    return given


def _path_of(name: str) -> tuple[str, ...]:
    """The key of a variable; every part of it must be known."""
    path = tuple(name.removeprefix(PREFIX).lower().split("__"))
    if all(part in fields_at(ConfigFile, path[:n]) for n, part in enumerate(path)):
        return path
    near = nearest(name, [variable_of(leaf).lower() for leaf in leaves(ConfigFile)])
    raise ConfigurationError(
        f"{name}: unknown variable; " + (f"did you mean {near.upper()!r}?" if near else "take it out.")
    )


def _value(text: str, name: str) -> Any:
    """Lists and tables are written as JSON; all else is text that the schema reads."""
    if not text.startswith(("[", "{")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise ConfigurationError(
            f"{name}: begins like a list or a table but is not JSON; write it like '[\"4h\"]'."
        ) from None


def _check_channels(file: ConfigFile) -> None:
    telegram, feishu = file.telegram, file.feishu
    if telegram.token and telegram.mode == "webhook":
        _check_webhook(file)
    if feishu.app_id and not feishu.app_secret:
        raise ConfigurationError("feishu.app_id is set without its secret; set QINGHAI_FEISHU__APP_SECRET.")
    if feishu.app_id and feishu.mode == "webhook" and file.http.port is None:
        raise ConfigurationError(
            "feishu.mode = 'webhook' needs a port to listen on; set QINGHAI_HTTP__PORT (http.port)."
        )


def _check_webhook(file: ConfigFile) -> None:
    telegram, secret = file.telegram, file.telegram.webhook_secret
    if not telegram.webhook_url:
        raise ConfigurationError(
            "telegram.mode = 'webhook' needs an address; set QINGHAI_TELEGRAM__WEBHOOK_URL, or use mode 'polling'."
        )
    if secret is None or not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret.get_secret_value()):
        raise ConfigurationError(
            "telegram.mode = 'webhook' needs a secret of letters, digits, _ and -; "
            "set QINGHAI_TELEGRAM__WEBHOOK_SECRET (openssl rand -hex 24 makes one)."
        )
    if file.http.port is None:
        raise ConfigurationError(
            "telegram.mode = 'webhook' needs a port to listen on; set QINGHAI_HTTP__PORT (http.port)."
        )
