"""A Feishu channel that runs against the server, for tests."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

from bot.channels.feishu.channel import FeishuChannel
from bot.system import SystemClock
from tests.wire.feishu_api.server import FeishuApi
from tests.wire.loopback import NO_LIMITS

TOAST = {"zh_cn": "收到", "en_us": "Got it"}


def channel_for(server: FeishuApi, **options: Any) -> FeishuChannel:
    """With no limits and shorter time-outs than usual unless `options` say otherwise."""
    defaults = {"rates": NO_LIMITS, "answer_within": timedelta(seconds=5), "toast": TOAST, "domain": server.domain}
    clock = options.pop("clock", None) or SystemClock()
    secret = options.pop("app_secret", server.app_secret)
    return FeishuChannel(server.app_id, secret, clock, **{**defaults, **options})


@contextlib.asynccontextmanager
async def feishu_api() -> AsyncIterator[FeishuApi]:
    """A server."""
    server = FeishuApi()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
