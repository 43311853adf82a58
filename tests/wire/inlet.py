"""The HTTP inlet with its posts, and a place where their facts are kept."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from starlette.routing import Route

from bot.system import VirtualClock
from bot.web.house import Gauge
from bot.web.posts import Posts, Secrets
from bot.web.server import Inlet
from core.facts import Fact

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
TOKEN, GITLAB, GITHUB = "planted-token", "planted-gitlab", "planted-github"
ALL = Secrets(TOKEN, GITLAB, GITHUB)
WEBHOOKS = Path(__file__).parents[1] / "data/webhooks"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


class Well:
    """A bot of which nothing is wrong."""

    async def problems(self) -> list[str]:
        return []

    async def gauges(self) -> Sequence[Gauge]:
        return ()


@dataclass
class Kept:
    """Facts, unique as in the store; `trouble` is raised instead while it is set."""

    facts: list[Fact] = field(default_factory=list)
    trouble: Exception | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    async def emit(self, fact: Fact) -> bool:
        await self.gate.wait()
        if self.trouble is not None:
            raise self.trouble
        if any((known.channel, known.event_id) == (fact.channel, fact.event_id) for known in self.facts):
            return False
        self.facts.append(fact)
        return True


@contextlib.asynccontextmanager
async def listening(routes: Sequence[Route]) -> AsyncIterator[httpx.AsyncClient]:
    made = Inlet("127.0.0.1", 0, Well(), routes)
    made.start()
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{made.port}", trust_env=False) as client:
            yield client
    finally:
        await made.stop()


@contextlib.asynccontextmanager
async def inlet(kept: Kept, secrets: Secrets = ALL) -> AsyncIterator[httpx.AsyncClient]:
    async with listening(Posts(kept.emit, VirtualClock(NOW), secrets).routes()) as client:
        yield client


def fact(**changes: Any) -> dict[str, Any]:
    """The body of a post that will do."""
    return {"id": "d-1", "source": "jenkins", "kind": "deploy", "subject": "v2.0 上线", **changes}


def payload(name: str) -> bytes:
    return (WEBHOOKS / f"{name}.json").read_bytes()


def from_gitlab(key: str | None = "g-1", token: str = GITLAB) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "X-Gitlab-Token": token, "X-Gitlab-Event": "Merge Request Hook"}
    return {**headers, "Idempotency-Key": key} if key else headers


def from_github(body: bytes, event: str, delivery: str = "h-1", secret: str = GITHUB) -> dict[str, str]:
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": delivery,
        "X-Hub-Signature-256": f"sha256={signature}",
    }


async def raw(client: httpx.AsyncClient, request: bytes, *, patience: timedelta = timedelta(seconds=10)) -> bytes:
    """What comes back on a connection of its own, up to the end of the head and whatever came with it."""
    reader, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
    try:
        writer.write(request)
        async with asyncio.timeout(patience.total_seconds()):
            return await reader.readuntil(b"\r\n\r\n")
    finally:
        writer.transport.abort()


def head(path: str, **headers: str) -> bytes:
    """The head of a post, as it goes over the wire."""
    lines = [f"POST {path} HTTP/1.1", "Host: bot", *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def body(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
