"""What an error of the Bot API says about the message that met it: not delivered, never to be, or perhaps.

| met | means |
| --- | --- |
| connection refused, no name, no TLS, no free connection | nothing was written: transient |
| 429 | refused for now: transient, with the server's own wish |
| token refused, conflict, other answers below 500 | refused, whatever the message: transient |
| 403, 400 | refused for good: permanent; most 400s speak of the message alone |
| 400 with a new id of the chat | the group became a supergroup: permanent, and where it went |
| 5xx; written, and then no answer or a broken connection | perhaps delivered: unknown |
"""

from __future__ import annotations

from datetime import timedelta

import httpx
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError

from bot.channels.telegram.api import ServerFault
from core.errors import DeliveryError, PermanentDeliveryError, Shut, TransientDeliveryError, UnknownDeliveryError

_NOT_WRITTEN = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


_NO_CHAT = (
    "chat not found",
    "user not found",
    "peer_id_invalid",
    "chat_id is empty",
    "deactivated",
    "not enough rights",
    "have no rights",
    "chat_write_forbidden",
    "bot was kicked",
    "bot is not a member",
    "chat_restricted",
)
"""What a 400 says that holds for whatever else is sent there."""


_SHUT = {
    "blocked by the user": Shut.BLOCKED,
    "deactivated": Shut.GONE,
    "can't initiate conversation": Shut.NEVER_STARTED,
    "chat not found": Shut.NEVER_STARTED,
}
"""What a refusal says of why. A bot may not write first, and knows no chat in which nobody wrote."""


def wish(error: RetryAfter) -> timedelta:
    """How long the server wants to be left alone."""
    wait = error.retry_after
    return wait if isinstance(wait, timedelta) else timedelta(seconds=wait)


def delivery_error(error: Exception) -> DeliveryError:
    """What `error`, met while sending, says about the message."""
    match error:
        case ChatMigrated():
            new = str(error.new_chat_id)
            return PermanentDeliveryError("the group has become a supergroup with another id", migrated_to=new)
        case RetryAfter():
            return TransientDeliveryError("Telegram wants fewer messages", retry_after=wish(error))
        case Forbidden() | BadRequest():
            said = error.message.lower()
            about_chat = isinstance(error, Forbidden) or any(sign in said for sign in _NO_CHAT)
            shut = next((why for sign, why in _SHUT.items() if sign in said), None)
            refused = f"Telegram refused the message: {error.message}"
            return PermanentDeliveryError(refused, message_only=not about_chat, shut=shut)
        case InvalidToken():
            return TransientDeliveryError("Telegram refused the bot's token", outage=True)
        case ServerFault():
            return UnknownDeliveryError(f"{error.message}; the message may have arrived")
        case NetworkError():
            return _transport_error(error)
        case TelegramError() if error.__cause__ is None:
            return TransientDeliveryError(f"Telegram refused the message for now: {error.message}")
        case _:
            return UnknownDeliveryError("Telegram's answer makes no sense; the message may have arrived")


def _transport_error(error: NetworkError) -> DeliveryError:
    cause = error.__cause__
    if isinstance(cause, _NOT_WRITTEN):
        return TransientDeliveryError(f"Telegram cannot be reached ({type(cause).__name__})", outage=True)
    if cause is None:
        return TransientDeliveryError(f"Telegram refused the message for now: {error.message}")
    return UnknownDeliveryError(f"no answer from Telegram ({type(cause).__name__}); the message may have arrived")
