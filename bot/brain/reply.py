"""What a model server sent back, read with distrust: the words of an answer, or what is wrong in one sentence.

The sentences name the server by its host and say what to check. They hold nothing of what the server wrote, since an
error text may repeat a key or a prompt.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

import openai

from core.errors import BrainError, BrainRefused, BrainTimeout

_CODE = re.compile(r"[a-z][a-z_]{2,39}")
_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length"})
_NO_MODEL = frozenset({"model_not_found", "model_not_supported"})
_DECLINED = frozenset({"content_filter", "content_policy_violation", "data_inspection_failed"})
_AGAIN = frozenset({408, 409, 429, 502, 503, 504, 520, 522, 524, 529})
MOST_TOKENS = 10_000_000
_PAUSE = 0.5
"""Seconds before a second try where the server names none."""


class Next(Enum):
    """What may help after a fault."""

    NOTHING = "nothing"
    AGAIN = "again"
    """The same request a little later."""
    OTHER_FORM = "other form"
    """Perhaps the server does not know this way of asking for JSON."""


@dataclass(frozen=True)
class Fault:
    """A call without an answer: the error to raise if nothing helps, and what may help."""

    error: BrainError
    then: Next = Next.NOTHING
    wait: float = _PAUSE
    """Seconds before AGAIN."""
    status: int = 0


def fault_of(error: Exception, host: str) -> Fault:
    """What an exception of the client (or of reading the body) means."""
    if isinstance(error, openai.APITimeoutError):
        return Fault(BrainTimeout(f"the model server {host} did not answer in time"))
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error.status_code, _code(error.body), host, _retry_after(error))
    if isinstance(error, openai.APIConnectionError):
        sentence = f"the model server {host} cannot be reached: check QINGHAI_MODEL__BASE_URL and the network"
        return Fault(BrainError(sentence), Next.AGAIN)
    if isinstance(error, UnicodeEncodeError):
        return Fault(BrainError("the model's key holds characters that no key has: check QINGHAI_MODEL__API_KEY"))
    return Fault(BrainError(_not_json(host)))


def read(completion: object, host: str) -> str | Fault:
    """The words of a completion, empty where there are none; a fault where it is no completion or a refusal."""
    if not isinstance(completion, openai.types.chat.ChatCompletion):
        return Fault(BrainError(_not_json(host)))
    told = (completion.model_extra or {}).get("error")
    if told:
        code = _code(told)
        status = told.get("code") if isinstance(told, dict) else None
        return _status_fault(status if isinstance(status, int) else 400, code, host, None)
    choices: Any = completion.choices
    if not isinstance(choices, list) or not choices:
        return ""
    message = getattr(choices[0], "message", None)
    if getattr(message, "refusal", None) or getattr(choices[0], "finish_reason", None) == "content_filter":
        return Fault(BrainRefused(f"the model at {host} declined to answer"))
    return _words(message)


def was_cut(completion: object) -> bool:
    """The answer stopped at a limit of tokens."""
    choices = getattr(completion, "choices", None)
    return isinstance(choices, list) and bool(choices) and getattr(choices[0], "finish_reason", None) == "length"


def tokens(completion: object) -> tuple[int, int]:
    """Tokens read and written, as far as the server counts; a number that no call can have counts for none."""
    usage = getattr(completion, "usage", None)
    counts = (getattr(usage, "prompt_tokens", 0), getattr(usage, "completion_tokens", 0))
    read_, written = (count if isinstance(count, int) and 0 <= count <= MOST_TOKENS else 0 for count in counts)
    return read_, written


def _words(message: Any) -> str:
    """A call of the tool first, then the content; thoughts only where a server puts the answer among them."""
    calls = getattr(message, "tool_calls", None)
    if isinstance(calls, list) and calls:
        arguments = getattr(getattr(calls[0], "function", None), "arguments", None)
        if arguments:
            return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    content = getattr(message, "content", None)
    if isinstance(content, str) and content.strip():
        return content
    thoughts = (getattr(message, "model_extra", None) or {}).get("reasoning_content")
    return thoughts if isinstance(thoughts, str) else ""


def _status_fault(status: int, code: str, host: str, retry_after: float | None) -> Fault:
    if code in _QUOTA or status == 402:
        return Fault(BrainError(f"the account at the model server {host} has no credit left"), status=status)
    if code in _DECLINED:
        return Fault(BrainRefused(f"the model at {host} declined to answer"), status=status)
    if code in _TOO_LONG:
        return Fault(BrainError(f"the question is too long for the model at {host}"), status=status)
    if status in (401, 403):
        sentence = f"the model server {host} refused the key (status {status}): check QINGHAI_MODEL__API_KEY"
        return Fault(BrainError(sentence), status=status)
    if status == 404 or code in _NO_MODEL:
        sentence = f"the model server {host} knows no such model or path: check QINGHAI_MODEL__NAME and __BASE_URL"
        return Fault(BrainError(sentence), status=status)
    if status in _AGAIN:
        reason = "asks for patience" if status == 429 else "is not ready"
        sentence = f"the model server {host} {reason} (status {status})"
        return Fault(BrainError(sentence), Next.AGAIN, _PAUSE if retry_after is None else retry_after, status)
    sentence = f"the model server {host} failed (status {status}{', ' + code if code else ''})"
    return Fault(BrainError(sentence), Next.OTHER_FORM, status=status)


def _code(body: object) -> str:
    """The short error code in an error body, if it is one; never any other text of it."""
    if not isinstance(body, dict):
        return ""
    inner = body.get("error")
    if isinstance(inner, dict):
        return _code(inner)
    for name in ("code", "type"):
        value = body.get(name)
        if isinstance(value, str) and _CODE.fullmatch(value):
            return value
    return ""


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds from `Retry-After`, or None where there is none (or a date, which servers of models do not send)."""
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def _not_json(host: str) -> str:
    return f"the model server {host} answered with something that is no completion: check QINGHAI_MODEL__BASE_URL"
