"""What each error of the Bot API says about the message, and that no log gets the token."""

import logging
from datetime import timedelta

import httpx
import pytest
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.channels.telegram import TelegramChannel
from bot.channels.telegram.api import ServerFault
from bot.channels.telegram.errors import delivery_error
from bot.channels.telegram.logs import MaskSecret
from bot.system import SystemClock
from core.errors import ConfigurationError, PermanentDeliveryError, TransientDeliveryError, UnknownDeliveryError

TOKEN = "7000000001:planted-secret"


def caused(error: TelegramError, cause: Exception) -> TelegramError:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        caused(NetworkError("httpx.ConnectError"), httpx.ConnectError("refused")),
        caused(TimedOut(), httpx.ConnectTimeout("slow")),
        caused(TimedOut(), httpx.PoolTimeout("busy")),
        caused(NetworkError("proxy"), httpx.ProxyError("407")),
        NetworkError("Method Not Allowed (405)"),
        Conflict("Conflict"),
        InvalidToken(),
    ],
    ids=repr,
)
def test_what_was_never_written_or_refused_for_now_is_transient(error: TelegramError) -> None:
    told = delivery_error(error)
    assert type(told) is TransientDeliveryError
    assert told.retry_after is None


def test_the_servers_wish_to_wait_is_handed_on() -> None:
    told = delivery_error(RetryAfter(35))
    assert isinstance(told, TransientDeliveryError)
    assert told.retry_after == timedelta(seconds=35)


@pytest.mark.parametrize(
    "error",
    [
        Forbidden("Forbidden: bot was blocked by the user"),
        Forbidden("Forbidden: user is deactivated"),
        Forbidden("Forbidden: bot can't initiate conversation with a user"),
        BadRequest("Chat not found"),
        BadRequest("Message is too long"),
    ],
    ids=repr,
)
def test_what_was_refused_for_good_is_permanent(error: TelegramError) -> None:
    told = delivery_error(error)
    assert isinstance(told, PermanentDeliveryError)
    assert told.migrated_to is None


def test_a_group_that_moved_says_where_to() -> None:
    told = delivery_error(ChatMigrated(-1009))
    assert isinstance(told, PermanentDeliveryError)
    assert told.migrated_to == "-1009"


@pytest.mark.parametrize(
    "error",
    [
        caused(TimedOut(), httpx.ReadTimeout("no answer")),
        caused(TimedOut(), httpx.WriteTimeout("half of it")),
        caused(NetworkError("x"), httpx.ReadError("reset")),
        caused(NetworkError("x"), httpx.WriteError("reset")),
        caused(NetworkError("x"), httpx.RemoteProtocolError("disconnected")),
        caused(NetworkError("x"), RuntimeError("anything")),
        caused(TelegramError("Invalid server response"), ValueError("no JSON")),
        ServerFault("Telegram answered 502"),
        KeyError("message_id"),
    ],
    ids=repr,
)
def test_what_may_have_arrived_is_unknown(error: Exception) -> None:
    assert type(delivery_error(error)) is UnknownDeliveryError


def test_no_error_repeats_the_token() -> None:
    assert TOKEN not in str(delivery_error(InvalidToken(f"The token `{TOKEN}` was rejected by the server.")))


@pytest.mark.parametrize(
    ("token", "base_url"), [("", "https://a/bot"), ("1 2", "https://a/bot"), (TOKEN, "api.telegram.org/bot")]
)
def test_a_setting_that_cannot_work_is_named(token: str, base_url: str) -> None:
    with pytest.raises(ConfigurationError, match="QINGHAI_TELEGRAM__"):
        TelegramChannel(token, SystemClock(), base_url=base_url)


def test_a_mask_hides_the_secret_in_messages_arguments_and_traces(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("tests.masked")
    mask = MaskSecret(TOKEN)
    log.addFilter(mask)
    try:
        raise ValueError(f"https://x/bot{TOKEN}/getMe")
    except ValueError:
        log.exception("at %s", f"bot{TOKEN}")
    log.warning("100% plain")
    log.removeFilter(mask)
    assert TOKEN not in caplog.text
    assert "bot***" in caplog.text
    assert "100% plain" in caplog.text
