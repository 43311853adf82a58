"""The open API in raw JSON, through lark-oapi's transport, on threads of its own.

The library's asynchronous calls fetch tokens synchronously and open a client each; its typed answers cannot be made of
what a gateway says. So its synchronous transport runs here, with a token that we keep.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import requests
from requests_toolbelt import MultipartEncoder

from bot.channels.feishu.errors import INVALID_TOKEN, NoAnswer, NotWritten, Refused
from bot.channels.feishu.library import (
    AccessTokenType,
    BaseRequest,
    Client,
    HttpMethod,
    LogLevel,
    RequestOption,
    Transport,
)
from bot.channels.feishu.tokens import Seconds, Tokens
from bot.failpoints import Failpoint, no_failpoint

Json = dict[str, Any]

POINTS = {"PATCH": "take_off_buttons"}
"""Failpoints around these; sending has its own."""

_AT_ONCE = 16
"""Requests in flight."""
_TOKEN_URI = "/open-apis/auth/v3/tenant_access_token/internal"
_WAITS = ("x-ogw-ratelimit-reset", "retry-after")
"""Headers that say in seconds how long the server wants to be left alone."""


def keep_out_of_logs() -> None:
    """The library prints to standard output, at times an address with its ticket: what matters is said by us."""
    for name in ("Lark", "urllib3"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Api:
    """One app on one server."""

    def __init__(
        self,
        app_id: str,
        app_secret: str,
        domain: str,
        answer_within: timedelta,
        monotonic: Callable[[], Seconds] = time.monotonic,
        failpoint: Failpoint = no_failpoint,
    ) -> None:
        keep_out_of_logs()
        self._failpoint = failpoint
        self._credentials = {"app_id": app_id, "app_secret": app_secret}
        self._within = answer_within.total_seconds()
        client = Client.builder().app_id(app_id).app_secret(app_secret).domain(domain)
        self._config = client.timeout(self._within).log_level(LogLevel.CRITICAL).build()._config
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="feishu")
        self.tokens = Tokens(self._fetch_token, monotonic)

    async def call(
        self,
        method: str,
        uri: str,
        body: Json | None = None,
        *,
        queries: Sequence[tuple[str, str]] = (),
        form: Json | None = None,
    ) -> Json:
        """The `data` of an answer (else the whole of it). Raises `Refused`, `NotWritten`, `NoAnswer`.

        A token that is not taken any more is replaced, and the call made once more: nothing came of it.
        """
        try:
            return _data(await self._authorised(method, uri, queries, body, form))
        except Refused as error:
            if error.code not in INVALID_TOKEN:
                raise
        return _data(await self._authorised(method, uri, queries, body, form))

    async def download(self, uri: str, queries: Sequence[tuple[str, str]]) -> bytes:
        """The bytes of a resource. Raises as `call` does."""
        answer = await self._authorised("GET", uri, queries, None, None)
        if answer.status_code != 200 or _is_json(answer):
            _data(answer)
        return bytes(answer.content)

    async def close(self) -> None:
        """Take no more; what is under way ends by its time-out."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _authorised(
        self, method: str, uri: str, queries: Sequence[tuple[str, str]], body: Json | None, form: Json | None
    ) -> Any:
        try:
            token = await self.tokens.get()
        except NoAnswer as error:  # about the token; of the call itself nothing was written
            raise NotWritten(str(error)) from error
        point = POINTS.get(method)
        if point:
            self._failpoint(f"{point}.before_request")
        answer = await self._execute(method, uri, queries, body, form, token)
        if point:
            self._failpoint(f"{point}.after_request")
        if _is_json(answer) and _code_of(answer) in INVALID_TOKEN:
            self.tokens.forget(token)
        return answer

    async def _fetch_token(self) -> tuple[str, Seconds]:
        answer = _object(await self._execute("POST", _TOKEN_URI, (), self._credentials, None, None))
        return str(answer["tenant_access_token"]), float(answer["expire"])

    async def _execute(
        self,
        method: str,
        uri: str,
        queries: Sequence[tuple[str, str]],
        body: Json | None,
        form: Json | None,
        token: str | None,
    ) -> Any:
        request = BaseRequest()
        request.http_method = HttpMethod[method]
        request.uri, request.queries = uri, list(queries)
        option = RequestOption()
        if token is not None:
            request.token_types = {AccessTokenType.TENANT}
            option.tenant_access_token = token
        if form is not None:
            request.body = MultipartEncoder(form)
            option.headers["Content-Type"] = request.body.content_type
        else:
            request.body = body
            option.headers["Content-Type"] = "application/json; charset=utf-8"
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, Transport.execute, self._config, request, option
        )
        try:
            # The library's time-out is one of silence: a server that drips would hold it for ever.
            async with asyncio.timeout(self._within * 2):
                return await work
        except TimeoutError:
            raise NoAnswer("it takes too long") from None
        except requests.RequestException as error:
            raise _met(error) from error


def _met(error: requests.RequestException) -> Exception:
    kind = type(error).__name__
    if isinstance(error, requests.ConnectTimeout | requests.exceptions.SSLError | requests.exceptions.ProxyError):
        return NotWritten(kind)
    reason = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(error, requests.ConnectionError) and type(reason).__name__ in (
        "NewConnectionError",
        "NameResolutionError",
        "ConnectTimeoutError",
    ):
        return NotWritten(kind)
    return NoAnswer(kind)


def _is_json(answer: Any) -> bool:
    return str(_header(answer, "content-type")).startswith("application/json")


def _header(answer: Any, name: str) -> str:
    return next((value for key, value in answer.headers.items() if key.lower() == name), "")


def _object(answer: Any) -> Json:
    """The answer's JSON, its code being 0."""
    try:
        said = json.loads(answer.content)
        code = int(said["code"])
    except (ValueError, KeyError, TypeError):
        if answer.status_code == 429:
            raise Refused(429, "too many requests", 429, _wait(answer)) from None
        raise NoAnswer(f"{answer.status_code}, and no JSON") from None
    if code != 0:
        raise Refused(code, str(said.get("msg", "")), answer.status_code, _wait(answer))
    return dict(said)


def _data(answer: Any) -> Json:
    said = _object(answer)
    data = said.get("data", said)
    return data if isinstance(data, dict) else said


def _code_of(answer: Any) -> int | None:
    try:
        return int(json.loads(answer.content)["code"])
    except (ValueError, KeyError, TypeError):
        return None


def _wait(answer: Any) -> timedelta | None:
    for name in _WAITS:
        value = _header(answer, name)
        if value.isdecimal() and int(value) > 0:
            return timedelta(seconds=int(value))
    return None
