"""Webhook mode: Telegram posts updates to the HTTP inlet. Here it is told where, and asked whether it gets through.

Whoever takes updates in may be another process than the one that does this.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from telegram.error import BadRequest

from bot.channels.telegram.api import Api
from bot.channels.telegram.inbound import ALLOWED_UPDATES
from core.errors import ConfigurationError

LOOKED_AT_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class Webhook:
    """Where Telegram reaches the inlet from outside (`https://bot.example.com`), and what it must know there."""

    url: str
    secret: str = field(repr=False)

    @property
    def address(self) -> str:
        """The whole, with the secret in its path."""
        return f"{self.url.rstrip('/')}/telegram/{self.secret}"


class NotDelivered(Exception):
    """Telegram has updates and cannot post them; the words are its own."""


async def announce(api: Api, webhook: Webhook) -> None:
    """Tell Telegram where to post. Raises `ConfigurationError` where it refuses the address, else a `TelegramError`."""
    parameters = {
        "url": webhook.address,
        "secret_token": webhook.secret,
        "allowed_updates": list(ALLOWED_UPDATES),
        # Of several at once the second could be stored before the first: a 「算了」 before what it calls off.
        "max_connections": 1,
    }
    try:
        await api.call("setWebhook", parameters)
    except BadRequest as error:
        said = error.message.replace(webhook.secret, "***")
        raise ConfigurationError(
            f"Telegram refuses the webhook ({said}): check QINGHAI_TELEGRAM__WEBHOOK_URL, or use mode 'polling'"
        ) from None


async def look_after(api: Api, webhook: Webhook, known: int) -> int:
    """Is the address still ours, and does Telegram get through? Sets it anew where it was changed.

    `known` is the moment (as Telegram has it) of a failure that is over; returns the latest such. Raises `NotDelivered`
    while updates wait and there was another one since; else what `announce` raises.
    """
    info: dict[str, Any] = await api.call("getWebhookInfo")
    if info.get("url") != webhook.address:
        await announce(api, webhook)
        return known
    failed = int(info.get("last_error_date") or 0)
    if info.get("pending_update_count") and failed != known:
        raise NotDelivered(str(info.get("last_error_message") or "no reason given").replace(webhook.secret, "***"))
    return failed
