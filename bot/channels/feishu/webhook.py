"""Events as HTTP requests: is one of ours, what is in it, and the answer. Pure but for the handler at its end.

With an encryption key every request is encrypted and signed, and its time is part of the signature: one that is not of
now (`WINDOW_S`) is a replay. With a verification token alone that is the proof. With neither nothing is taken.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from Crypto.Cipher import AES

log = logging.getLogger(__name__)

Json = dict[str, Any]

Take = Callable[[Json], Awaitable[Json | None]]
"""Stores what is in an event and says what it is answered with; raising, it was not stored."""

WINDOW_S = 300.0

_TIMESTAMP, _NONCE, _SIGNATURE = "x-lark-request-timestamp", "x-lark-request-nonce", "x-lark-signature"


class NotOurs(Exception):
    """A request that nobody but a stranger can have sent; says why, for the log."""


@dataclass(frozen=True)
class Secrets:
    """What the developer console shows; empty where it was not set."""

    encrypt_key: str = ""
    verification_token: str = ""


def opened(headers: Mapping[str, str], body: bytes, secrets: Secrets, now: float) -> Json:
    """The event in a request, or the `url_verification` with which the address is tried out.

    `now` in seconds of the wall clock. Raises `NotOurs`.
    """
    if not secrets.encrypt_key and not secrets.verification_token:
        raise NotOurs("no secret is configured to know it by")
    said = _object(body)
    if secrets.encrypt_key:
        if not isinstance(said.get("encrypt"), str):
            raise NotOurs("it is not encrypted")
        said = _object(decrypted(said["encrypt"], secrets.encrypt_key))
        # The trial of the address is not signed; that it can be read at all is its proof.
        if said.get("type") != "url_verification":
            _check_signature(headers, body, secrets.encrypt_key, now)
    if secrets.verification_token and not _same(_token(said), secrets.verification_token):
        raise NotOurs("wrong verification token")
    return said


def signature(timestamp: str, nonce: str, encrypt_key: str, body: bytes) -> str:
    """What Feishu signs a request with."""
    return hashlib.sha256(f"{timestamp}{nonce}{encrypt_key}".encode() + body).hexdigest()


def decrypted(text: str, encrypt_key: str) -> bytes:
    """The plain body. Raises `NotOurs`."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NotOurs("it cannot be decrypted") from None
    size = AES.block_size
    if len(raw) < 2 * size or len(raw) % size:
        raise NotOurs("it cannot be decrypted")
    cipher = AES.new(hashlib.sha256(encrypt_key.encode()).digest(), AES.MODE_CBC, raw[:size])
    plain = cipher.decrypt(raw[size:])
    pad = plain[-1]
    if not 1 <= pad <= size or plain[-pad:] != bytes([pad]) * pad:
        raise NotOurs("it cannot be decrypted")
    return plain[:-pad]


def _check_signature(headers: Mapping[str, str], body: bytes, encrypt_key: str, now: float) -> None:
    given = {name.lower(): value for name, value in headers.items()}
    timestamp, nonce = given.get(_TIMESTAMP, ""), given.get(_NONCE, "")
    if not _same(given.get(_SIGNATURE, ""), signature(timestamp, nonce, encrypt_key, body)):
        raise NotOurs("wrong signature")
    if not timestamp.isdecimal() or abs(now - int(timestamp)) > WINDOW_S:
        raise NotOurs("its time is not now")


def _token(said: Json) -> str:
    header = said.get("header")
    token = header.get("token") if isinstance(header, dict) else said.get("token")
    return token if isinstance(token, str) else ""


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def _object(body: bytes) -> Json:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise NotOurs("it is no JSON") from None
    if not isinstance(said, dict):
        raise NotOurs("it is no object")
    return said


class Webhook:
    """Answers the requests of Feishu at `/feishu/events` and `/feishu/cards`."""

    def __init__(self, secrets: Secrets, wall: Callable[[], float]) -> None:
        """`wall`: seconds of the wall clock, which Feishu's requests go by."""
        self._secrets = secrets
        self._wall = wall

    async def handle(self, headers: Mapping[str, str], body: bytes, take: Take) -> tuple[int, Json]:
        """Status and body of the answer. An event is answered with 200 only once it is stored."""
        try:
            said = opened(headers, body, self._secrets, self._wall())
        except NotOurs as error:
            log.warning("a request to Feishu's address was refused: %s", error)
            return 403, {"error": "refused"}
        if said.get("type") == "url_verification":
            return 200, {"challenge": str(said.get("challenge", ""))}
        try:
            return 200, await take(said) or {}
        except Exception as error:
            log.warning("an event could not be stored, Feishu brings it again: %s", type(error).__name__)
            return 503, {"error": "not stored"}
