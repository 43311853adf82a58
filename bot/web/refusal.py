"""What is refused, and compared, without telling more than a sentence."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

NOTHING_HERE = "there is nothing at {path}"


class Refused(Exception):
    """Answered with `status` and a sentence, and the `field` where it is about one."""

    def __init__(
        self, status: int, sentence: str, *, field: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.body = {"error": sentence} if field is None else {"error": sentence, "field": field}
        self.headers = dict(headers or {})


def same(given: str, secret: str) -> bool:
    """Whether a header has the secret, in a time that tells nothing. Headers come in as Latin-1."""
    return hmac.compare_digest(given.encode("latin-1", "replace"), secret.encode())


def signed(body: bytes, signature: str, secret: str) -> bool:
    """Whether `signature` is `sha256=` and the HMAC of the raw body."""
    return same(signature, "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest())
