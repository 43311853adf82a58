"""Makes the parts that the configuration names. Each library is imported only when its part is wanted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from bot.failpoints import Failpoint, no_failpoint
from bot.settings import Settings
from bot.system import SystemClock
from core.brain.port import Brain
from core.brain.rules import RuleBrain
from core.errors import ConfigurationError
from core.ports import Channel

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


def configured_inlet(settings: Settings, house: House) -> Inlet | None:
    """The HTTP inlet, listening already; None where no port is set. Raises `ConfigurationError` when it is taken."""
    if settings.http.port is None:
        return None
    from bot.web.server import Inlet

    return Inlet(settings.http.host, settings.http.port, house)


def configured_channels(
    settings: Settings, clock: SystemClock, failpoint: Failpoint = no_failpoint
) -> dict[str, LiveChannel]:
    """The channels of the configuration by name. Raises `ConfigurationError` for what this version cannot do."""
    if settings.feishu.app_id:
        raise ConfigurationError("feishu.app_id is set, but this version does not speak Feishu yet; leave it out.")
    telegram = settings.telegram
    if not telegram.token:
        return {}
    if telegram.mode == "webhook":
        raise ConfigurationError("telegram.mode = 'webhook' is not there in this version yet; use 'polling'.")
    from bot.channels.telegram import TelegramChannel

    channel = TelegramChannel(
        telegram.token.get_secret_value(),
        clock,
        base_url=telegram.base_url,
        arrival_time=settings.time_scale != 1 or clock.ahead > timedelta(seconds=1),
        failpoint=failpoint,
    )
    return {channel.name: channel}
