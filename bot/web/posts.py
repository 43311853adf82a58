"""The routes that take facts from outside in. Each is answered when its fact is on disk, and not before (RULES 2).

| route | who may |
| --- | --- |
| `POST /facts` | `Authorization: Bearer` and the token |
| `POST /facts/gitlab` | `X-Gitlab-Token`, the secret token of the webhook |
| `POST /facts/github` | `X-Hub-Signature-256`, the HMAC of the raw body |

A route whose secret is not configured is closed. What an event says is data: it carries no authority, whoever sent it.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.metrics import POSTS
from bot.web import github, gitlab
from bot.web.body import body_of, need_json, object_in
from bot.web.posted import posted
from bot.web.reading import Unreadable, line
from bot.web.refusal import Refused, same, signed
from bot.web.wording import Language, said
from core.errors import StorageFailed
from core.facts import Event, Fact, FactKind
from core.ids import conversation_id
from core.ports import Clock, Emit

log = logging.getLogger(__name__)

Answer = dict[str, str]
"""What became of a post, by `status`: `new`, `seen`, `ignored`."""
Door = Callable[[Request], Awaitable[Answer]]

_STATUS = {"new": 202, "ignored": 202, "seen": 200}
_REFUSED = {401: "unauthorized", 404: "off", 413: "too_large", 503: "not_stored"}


@dataclass(frozen=True)
class Secrets:
    """What those who post must know; None closes the route."""

    token: str | None = None
    gitlab: str | None = None
    github: str | None = None


class Posts:
    """Takes posts in. `emit` stores a fact."""

    def __init__(self, emit: Emit, clock: Clock, secrets: Secrets, language: Language = "zh-CN") -> None:
        self._emit = emit
        self._clock = clock
        self._secrets = secrets
        self._language = language

    def routes(self) -> list[Route]:
        """All of them, each counted by what became of its posts."""
        doors = {"/facts": self._anything, "/facts/gitlab": self._gitlab, "/facts/github": self._github}
        return [Route(path, _counted(path, door), methods=["POST"]) for path, door in doors.items()]

    async def _anything(self, request: Request) -> Answer:
        token = _open(self._secrets.token, "QINGHAI_HTTP__TOKEN")
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not same(given.strip(), token):
            raise Refused(401, "Authorization: Bearer and the token are needed", headers={"WWW-Authenticate": "Bearer"})
        need_json(request)
        post = posted(object_in(await body_of(request)))
        return await self._store(post.id, post.event, post.occurred_at, with_text=True)

    async def _gitlab(self, request: Request) -> Answer:
        token = _open(self._secrets.gitlab, "QINGHAI_HTTP__GITLAB_TOKEN")
        if not same(request.headers.get("x-gitlab-token", ""), token):
            raise Refused(401, "X-Gitlab-Token is not the token of this inlet")
        need_json(request)
        body = await body_of(request)
        # The same for every try of one delivery. Where an older GitLab has none, the body tells deliveries apart: its
        # X-Gitlab-Event-UUID is also that of whatever one event sets off.
        key = request.headers.get("idempotency-key")
        return await self._told(key, body, _read(lambda: gitlab.read(object_in(body))))

    async def _github(self, request: Request) -> Answer:
        secret = _open(self._secrets.github, "QINGHAI_HTTP__GITHUB_SECRET")
        signature = request.headers.get("x-hub-signature-256", "")
        body = await body_of(request) if signature else b""
        if not signed(body, signature, secret):
            raise Refused(401, "X-Hub-Signature-256 does not fit the body and the secret of this inlet")
        need_json(request)
        kind = line(request.headers.get("x-github-event"))
        if not kind:
            raise Refused(400, "X-GitHub-Event is missing")
        event = _read(lambda: github.read(kind, object_in(body)))
        return await self._told(request.headers.get("x-github-delivery"), body, event)

    async def _told(self, key: str | None, body: bytes, event: Event | str) -> Answer:
        """What a webhook brought. `key` is the name of the delivery, which a repetition has again."""
        if isinstance(event, str):
            return {"status": "ignored", "reason": event}
        name = line(key, 200)
        return await self._store(f"delivery:{name}" if name else f"body:{hashlib.sha256(body).hexdigest()}", event)

    async def _store(
        self, event_id: str, event: Event, occurred_at: datetime | None = None, *, with_text: bool = False
    ) -> Answer:
        now = self._clock.now()
        fact = Fact(
            channel=event.source,
            event_id=event_id,
            kind=FactKind.EVENT,
            # What is told of has happened; a clock that is ahead does not make it something to come.
            occurred_at=min(occurred_at or now, now),
            conversation=conversation_id(event.source, event.project or event.kind),
            sender_name=event.source,
            text=said(event, self._language, with_text=with_text),
            event=event,
        )
        try:
            new = await self._emit(fact)
        except StorageFailed:
            raise Refused(503, "it cannot be stored just now; post it again", headers={"Retry-After": "30"}) from None
        return {"status": "new" if new else "seen"}


def _open(secret: str | None, variable: str) -> str:
    """The secret of a route. Raises `Refused` where there is none."""
    if not secret:
        raise Refused(404, f"this route is off; {variable} switches it on")
    return secret


def _read(parse: Callable[[], Event | str]) -> Event | str:
    try:
        return parse()
    except Unreadable as error:
        raise Refused(422, str(error)) from None


def _counted(path: str, door: Door) -> Callable[[Request], Awaitable[Response]]:
    async def counted(request: Request) -> Response:
        outcome = "failed"
        try:
            answer = await door(request)
            outcome = answer["status"]
            return JSONResponse(answer, status_code=_STATUS[outcome])
        except Refused as refused:
            outcome = _REFUSED.get(refused.status, "malformed")
            if outcome == "unauthorized":
                log.warning("a post to %s was refused: it does not know the secret", path)
            raise
        finally:
            POSTS.count(path, outcome)

    return counted
