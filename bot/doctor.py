"""`doctor`: is everything in order? One line for each thing, with the cure where it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.brain.trial import Trial, cure, tried
from bot.cli.start import clock_of, configured
from bot.commands.status import SHORT
from bot.parts import configured_channels, model_brain
from bot.render import JinjaRenderer
from bot.runtime.directory import KnowsPeople
from bot.settings import Settings
from bot.store import PeeweeStore
from bot.store.repositories.leases import TOLERATED
from bot.system import SystemClock
from core.calendar import covers
from core.errors import ConfigurationError, QinghaiError
from core.people import Role
from core.timetalk import say_duration


@dataclass(frozen=True)
class Finding:
    """One line: what was looked at, whether it is well, and the particulars or the cure."""

    well: bool
    what: str
    said: str

    def __str__(self) -> str:
        return f"{'✓' if self.well else '✗'} {self.what}: {self.said}"


Check = Callable[[Settings], Awaitable[str | list[Finding]]]
"""Says what is well, or raises a `QinghaiError` whose sentence says what is not; several findings say both."""


def examine(config: Path | None) -> bool:
    """Print all findings; true when everything is well."""
    try:
        settings = configured(config, quiet=True)
    except ConfigurationError as error:
        print(Finding(False, "configuration", str(error)))
        return False
    findings = asyncio.run(_examine(settings))
    return all(f.well for f in findings)


async def _examine(settings: Settings) -> list[Finding]:
    findings = []
    for what, check in CHECKS.items():
        try:
            said = await check(settings)
            found = [Finding(True, what, said)] if isinstance(said, str) else said
        except QinghaiError as error:
            found = [Finding(False, what, str(error))]
        for finding in found:
            print(finding, flush=True)
        findings += found
    return findings


async def _configuration(settings: Settings) -> str:
    owner = next((p for p in settings.people if p.role is Role.OWNER), None)
    reachable = owner and (not settings.channels or any(i.channel in settings.channels for i in owner.identities))
    if not reachable:
        channel = settings.channels[0] if settings.channels else "telegram"
        raise ConfigurationError(
            f"{settings.source}: the owner cannot be met on {channel}; add [owner] with id, name and "
            f'{channel} = "your user id there".'
        )
    on = ", ".join(settings.channels) or "the console, no channel is configured"
    who = "sample people" if settings.sample else f"{len(settings.people)} people"
    return f"{settings.source}; {who}; {on}"


async def _database(settings: Settings) -> str:
    store = PeeweeStore(settings.database_url, inline=True)
    try:
        await store.run(lambda repos: repos.meta.set("doctor", "was here"))
    finally:
        store.close()
    shown = settings.database_url
    for secret in settings.secrets():
        shown = shown.replace(secret, "***")
    return f"{shown} can be written"


async def _templates(settings: Settings) -> str:
    renderer = JinjaRenderer()
    problem = renderer.check()
    if problem:
        raise ConfigurationError(f"{problem}; take the templates folder from the release again.")
    return f"{len(renderer.names('zh-CN'))} texts in both languages, {len(renderer.names('prompts'))} prompts"


async def _channels(settings: Settings) -> str:
    channels = configured_channels(settings, _clock(settings))
    if not channels:
        return "none is configured; set QINGHAI_TELEGRAM__TOKEN for Telegram, QINGHAI_FEISHU__APP_ID for Feishu"
    try:
        said = [f"{name} knows the bot as @{await channel.check()}" for name, channel in channels.items()]
        for channel in channels.values():
            if isinstance(channel, KnowsPeople) and settings.feishu_contacts:
                said.append(await _found(channel, settings))
        return "; ".join(said)
    finally:
        await asyncio.gather(*(channel.close() for channel in channels.values()))


async def _found(channel: KnowsPeople, settings: Settings) -> str:
    wanted = settings.feishu_contacts
    missing = {contact.person_id for contact in wanted} - set(await channel.find(wanted))
    if missing:
        raise ConfigurationError(
            f"{channel.name} does not know {', '.join(sorted(missing))}: check the address in the people file, and the "
            "app's range in the developer console"
        )
    return f"{len(wanted)} people were found by address on {channel.name}"


async def _http(settings: Settings) -> str:
    http = settings.http
    if http.port is None:
        return "off; set QINGHAI_HTTP__PORT for /healthz, /readyz, /metrics and facts from outside"
    from bot.web.server import listen

    try:
        listen(http.host, http.port).close()
    except ConfigurationError as error:
        if await _answers(http.host, http.port):
            return f"{http.host}:{http.port} answers already: the bot is running"
        raise error from None
    open_to = "" if _is_loopback(http.host) else ", open to other machines: /metrics asks nobody who they are"
    return f"{http.host}:{http.port} is free{open_to}"


_SHORT = 16
"""Characters of a secret from which on nobody guesses it."""


async def _inlet(settings: Settings) -> str:
    http, telegram = settings.http, settings.telegram
    if http.port is None:
        return "off with the port; facts from GitLab, GitHub and anything else come in there"
    routes = {
        "/facts": ("QINGHAI_HTTP__TOKEN", http.token),
        "/facts/gitlab": ("QINGHAI_HTTP__GITLAB_TOKEN", http.gitlab_token),
        "/facts/github": ("QINGHAI_HTTP__GITHUB_SECRET", http.github_secret),
    }
    on = [path for path, (_, secret) in routes.items() if secret]
    off = [f"{path} is off ({variable})" for path, (variable, secret) in routes.items() if not secret]
    short = [variable for variable, secret in routes.values() if secret and len(secret.get_secret_value()) < _SHORT]
    hook = telegram.webhook_secret if telegram.token and telegram.mode == "webhook" else None
    if hook is not None:
        on.append(f"Telegram's updates by way of {telegram.webhook_url}")
        short += ["QINGHAI_TELEGRAM__WEBHOOK_SECRET"] if len(hook.get_secret_value()) < _SHORT else []
    if short:
        raise ConfigurationError(f"{' and '.join(short)} can be guessed; take {_SHORT} characters or more")
    return "; ".join([*(["open: " + ", ".join(on)] if on else []), *off])


async def _answers(host: str, port: int) -> bool:
    """Whether a bot lives there: the same words as from `GET /healthz`."""
    try:
        async with asyncio.timeout(2):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: bot\r\nConnection: close\r\n\r\n")
                said = await reader.read(4096)
            finally:
                writer.transport.abort()
    except (OSError, TimeoutError):
        return False
    return said.startswith(b"HTTP/1.1 200") and said.endswith(b"alive\n")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _model(settings: Settings) -> str | list[Finding]:
    model = settings.model
    if not model.is_set and (model.name or model.api_key):
        missing = "API_KEY (any word for a server that wants none)" if model.name else "NAME"
        raise ConfigurationError(f"half of it is configured; set QINGHAI_MODEL__{missing} too, or the rules work alone")
    if not model.is_set:
        return "none is configured, the rules work alone; set QINGHAI_MODEL__NAME and QINGHAI_MODEL__API_KEY for one"
    brain = model_brain(settings)
    try:
        trials = await tried(brain)
    finally:
        await brain.close()
    return _tried(model.name or "", trials)


def _tried(name: str, trials: Sequence[Trial]) -> list[Finding]:
    """A line for the model, and one for each question that it cannot answer."""
    answered = [trial for trial in trials if trial.problem is None]
    seconds, tokens = sum(t.seconds for t in trials), sum(t.tokens for t in trials)
    cost = f"in {seconds:.1f} s with {tokens:,} tokens"
    said = f"{name} answers {len(answered)} of {len(trials)} questions, {cost}"
    wrong = [Finding(False, f"model, {t.question}", f"{t.problem}; {cure(t.problem)}") for t in trials if t.problem]
    return [Finding(bool(answered), "model", said), *wrong]


def _clock(settings: Settings) -> SystemClock:
    """The database's clock; the wall clock where there is no database, which the line about that one says."""
    try:
        return clock_of(settings.database_url)
    except QinghaiError:
        return SystemClock()


async def _time(settings: Settings) -> str:
    ahead = timedelta(minutes=round(_clock(settings).ahead / timedelta(minutes=1)))
    now = SystemClock().now().astimezone(ZoneInfo(settings.timezone)) + ahead
    await _clocks(settings)
    moved = f", {say_duration(ahead, 'en')} ahead of the world (moved in the console)" if ahead else ""
    return f"{settings.timezone}, {now:%Y-%m-%d %H:%M}{moved}"


async def _clocks(settings: Settings) -> None:
    """Several processes go by the clock of their database; each by its own machine's besides."""
    try:
        with closing(PeeweeStore(settings.database_url, inline=True)) as store:
            off, others = await store.run(lambda repos: (repos.leases.off(), repos.leases.clocks()))
    except QinghaiError:
        return  # the line about the database says so
    wrong = {"this machine": off} if abs(off) > TOLERATED else {}
    wrong |= {f"process {name[:SHORT]}": by for name, by in others.items()}
    if wrong:
        said = "; ".join(
            f"the clock of {who} is {say_duration(abs(by), 'en')} {'ahead of' if by > timedelta() else 'behind'} the "
            "database's"
            for who, by in wrong.items()
        )
        raise ConfigurationError(f"{said}. Reminders and follow-ups come that much too early or late; set it (NTP).")


async def _holidays(settings: Settings) -> str:
    year = SystemClock().now().year
    if not covers(year):
        raise ConfigurationError(
            f"the Chinese holidays and swapped days of {year} are not in this version; take a newer one, or give "
            "people working_days as a list."
        )
    return f"Chinese holidays and swapped days of {year} are known"


CHECKS: dict[str, Check] = {
    "configuration": _configuration,
    "database": _database,
    "templates": _templates,
    "channels": _channels,
    "http": _http,
    "inlet": _inlet,
    "model": _model,
    "time": _time,
    "holidays": _holidays,
}
