"""Makes the parts that the configuration names. Each library is imported only when its part is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from pydantic import SecretStr

from bot.failpoints import Failpoint, no_failpoint
from bot.settings import Settings
from bot.system import SystemClock
from core.brain.port import Brain
from core.brain.rules import RuleBrain
from core.errors import ConfigurationError
from core.ports import Channel, Clock, Emit

if TYPE_CHECKING:
    from bot.brain.openai import OpenAIBrain
    from bot.web.house import House
    from bot.web.server import Inlet


class LiveChannel(Channel, Protocol):
    """A channel that holds connections."""

    async def check(self) -> str:
        """Who the bot is there. Raises `ConfigurationError` or a `DeliveryError`."""
        ...

    async def close(self) -> None:
        """Give the connections back."""
        ...


def model_brain(settings: Settings) -> OpenAIBrain:
    """The model of the configuration. Raises `ConfigurationError` when none is configured."""
    model = settings.model
    if not model.name or not model.api_key:
        raise ConfigurationError("no model is configured; set QINGHAI_MODEL__NAME and QINGHAI_MODEL__API_KEY.")
    from bot.brain.openai import OpenAIBrain
    from bot.render import JinjaRenderer

    return OpenAIBrain(
        base_url=model.base_url,
        api_key=model.api_key.get_secret_value(),
        name=model.name,
        timeout_s=model.timeout_s,
        renderer=JinjaRenderer(),
    )


def configured_brain(settings: Settings) -> Brain:
    """The model where one is configured, else the rules."""
    return model_brain(settings) if settings.model.is_set else RuleBrain()


async def close_brain(brain: Brain) -> None:
    """Let go of the connections of a brain that has any."""
    close = getattr(brain, "close", None)
    if close is not None:
        await close()


def configured_inlet(
    settings: Settings, house: House, emit: Emit, clock: Clock, channels: Iterable[Channel] = ()
) -> Inlet | None:
    """The HTTP inlet, listening already; None where no port is set. Raises `ConfigurationError` when it is taken.

    `emit` stores what comes in: facts from outside, and updates for those of `channels` that are in webhook mode.
    """
    http = settings.http
    if http.port is None:
        return None
    from bot.web.feishu import FeishuEvents, Posted
    from bot.web.posts import Posts, Secrets
    from bot.web.server import Inlet
    from bot.web.updates import Hooked, Updates

    secrets = Secrets(_secret(http.token), _secret(http.gitlab_token), _secret(http.github_secret))
    routes = Posts(emit, clock, secrets, settings.locale).routes()
    for channel in channels:
        if isinstance(channel, Hooked) and channel.webhook_secret is not None:
            routes += Updates(channel, channel.webhook_secret, emit).routes()
        if isinstance(channel, Posted) and channel.posted:
            routes += FeishuEvents(channel, emit).routes()
    return Inlet(http.host, http.port, house, routes)


def _secret(value: SecretStr | None) -> str | None:
    return value.get_secret_value() if value is not None else None


def configured_channels(
    settings: Settings, clock: SystemClock, failpoint: Failpoint = no_failpoint
) -> dict[str, LiveChannel]:
    """The channels of the configuration by name. Raises `ConfigurationError` where one is set up wrongly."""
    found = (_telegram(settings, clock, failpoint), _feishu(settings, clock, failpoint))
    return {channel.name: channel for channel in found if channel is not None}


def _telegram(settings: Settings, clock: SystemClock, failpoint: Failpoint) -> LiveChannel | None:
    telegram = settings.telegram
    if not telegram.token:
        return None
    from bot.channels.telegram import TelegramChannel, Webhook

    webhook = None
    if telegram.mode == "webhook" and telegram.webhook_url and telegram.webhook_secret:
        webhook = Webhook(telegram.webhook_url, telegram.webhook_secret.get_secret_value())
    return TelegramChannel(
        telegram.token.get_secret_value(),
        clock,
        base_url=telegram.base_url,
        arrival_time=_keeps_own_time(settings, clock),
        failpoint=failpoint,
        webhook=webhook,
    )


_LOCALES = {"zh_cn": "zh-CN", "en_us": "en"}
"""Feishu's names for our languages."""


def _feishu(settings: Settings, clock: SystemClock, failpoint: Failpoint) -> LiveChannel | None:
    feishu = settings.feishu
    if not feishu.app_id:
        return None
    from bot.channels.feishu.channel import FeishuChannel
    from bot.channels.feishu.webhook import Secrets
    from bot.render import JinjaRenderer

    def pressed(language: str) -> str:
        return JinjaRenderer().render("buttons/pressed", language, now=clock.now(), timezone=settings.timezone)

    return FeishuChannel(
        feishu.app_id,
        _secret(feishu.app_secret) or "",
        clock,
        domain=feishu.domain,
        mode=feishu.mode,
        secrets=Secrets(_secret(feishu.encrypt_key) or "", _secret(feishu.verification_token) or ""),
        toast={locale: pressed(language) for locale, language in _LOCALES.items()},
        arrival_time=_keeps_own_time(settings, clock),
        failpoint=failpoint,
    )


def load_libraries(settings: Settings) -> None:
    """Import what takes seconds before anything runs that could be held up by it."""
    if settings.feishu.app_id:
        import bot.channels.feishu.channel  # noqa: F401


def _keeps_own_time(settings: Settings, clock: SystemClock) -> bool:
    """The bot's clock does not run with the world's, so that a message's time is the moment of its arrival."""
    return settings.time_scale != 1 or clock.ahead > timedelta(seconds=1)
