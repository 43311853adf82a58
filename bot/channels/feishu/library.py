"""Imports lark-oapi, which takes seconds, and which makes an event loop for itself where it is imported."""

from __future__ import annotations

import sys
import threading


def _load() -> None:
    new = "lark_oapi" not in sys.modules
    import lark_oapi.ws.client as client

    if new:
        client.loop.close()


# On a thread of its own no other loop is to be found there, neither one that runs nor one that somebody waits to use.
_loading = threading.Thread(target=_load)
_loading.start()
_loading.join()

import lark_oapi.ws.client as ws_client  # noqa: E402
from lark_oapi import AccessTokenType, BaseRequest, Client, HttpMethod, LogLevel, RequestOption  # noqa: E402
from lark_oapi.core.http import Transport  # noqa: E402

__all__ = [
    "AccessTokenType",
    "BaseRequest",
    "Client",
    "HttpMethod",
    "LogLevel",
    "RequestOption",
    "Transport",
    "ws_client",
]
