"""Reads what was posted: bounded, in time, and JSON without surprises."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from bot.web.refusal import Refused

MOST = 256 * 1024
"""Bytes of a body."""
PATIENCE_S = 10.0
"""How long it may take to come in."""


async def body_of(request: Request, most: int = MOST) -> bytes:
    """The raw body. Raises `Refused` where it is longer than `most`, whatever its header says, or does not come."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and (len(declared) > 18 or int(declared) > most):
        raise _too_large(most)
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise _too_large(most)
    except TimeoutError:
        raise Refused(408, f"the body did not come within {PATIENCE_S:g} s") from None
    except ClientDisconnect:
        raise Refused(400, "the body ended early") from None
    return bytes(body)


def _too_large(most: int) -> Refused:
    return Refused(413, f"the body is longer than {most // 1024} KiB")


def need_json(request: Request) -> None:
    """Raises `Refused` where the body says that it is something else."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise Refused(415, "post JSON, with Content-Type: application/json")


def object_in(body: bytes) -> dict[str, Any]:
    """The JSON object in a body. Raises `Refused`: not UTF-8, not JSON, a name twice, nested too deep, no object."""
    try:
        found = json.loads(body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Refused(400, "the body is not UTF-8") from None
    except RecursionError:
        raise Refused(400, "the body is nested too deep") from None
    except ValueError as error:
        # Of a fault in the JSON its place is told, of anything longer nothing.
        said = f"line {error.lineno} column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise Refused(400, f"the body is not JSON: {said[:80]}") from None
    if not isinstance(found, dict):
        raise Refused(400, "the body is JSON, but no object")
    return found


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values for one name different readers take a different one."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
