"""The log: text or JSON lines on standard error, with every configured secret masked in one place.

A line says what it belongs to: the fact, job and concern at which its task works (`about`). What people wrote is in no
line at INFO or above: of an error that is not ours only its kind and place are told there, for a library quotes what
it was given.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterable
from contextvars import ContextVar, Token
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from core.errors import QinghaiError

MASK = "***"
SHORTEST = 6
"""What is shorter ("any", for a server that wants some key) is no secret, and would tear holes into every word."""
# httpx prints the URL with the bot token in it, the others whole requests.
_TALKATIVE = ("httpx", "httpx2", "httpcore", "openai", "telegram", "lark_oapi", "Lark", "websockets", "apscheduler",
              "asyncio", "peewee", "uvicorn", "psycopg", "tzlocal")  # fmt: skip
_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


@dataclass(frozen=True)
class Subject:
    """What a task works on: the numbers of a fact or a job in their tables, and the id of a concern."""

    fact: int | None = None
    job: int | None = None
    concern: str | None = None


_subject: ContextVar[Subject | None] = ContextVar("what this task works on", default=None)


def subject() -> Subject:
    """What the running task works on; empty outside any turn."""
    return _subject.get() or Subject()


def about(**known: Any) -> Token[Subject | None]:
    """From here on this task works on it too: fields of `Subject`. The token takes it back (`no_longer`)."""
    return _subject.set(replace(subject(), **known))


def no_longer(token: Token[Subject | None]) -> None:
    """Take back what `about` said."""
    _subject.reset(token)


class Tidy(logging.Filter):
    """Masks secrets in a record, its trace included, says what it belongs to, and puts the trace into half a line where
    none are wanted.
    """

    def __init__(self, secrets: Iterable[str], *, traces: bool) -> None:
        super().__init__()
        # The longest first: one secret may be part of another.
        self._secrets = sorted({s for s in secrets if len(s) >= SHORTEST}, key=len, reverse=True)
        self._traces = traces

    def mask(self, text: str) -> str:
        """`text` without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    def filter(self, record: logging.LogRecord) -> bool:
        """Changes the record in place; lets everything pass."""
        message = record.getMessage()
        if record.exc_info and self._traces:
            record.exc_text = self.mask(record.exc_text or logging.Formatter().formatException(record.exc_info))
        elif record.exc_info:
            message += f" ({where(record.exc_info[1])})" if record.exc_info[1] else ""
            record.exc_info = record.exc_text = None
        record.msg, record.args = self.mask(message), None
        for key, value in list(vars(record).items()):
            if key not in _PLAIN and not isinstance(value, int | float | None):
                setattr(record, key, self.mask(str(value)))
        for key, value in vars(subject()).items():
            if value is not None and not hasattr(record, key):
                setattr(record, key, value)
        return True


def where(error: BaseException) -> str:
    """An error in half a line: `TypeError at turn.py:93`; our own errors say more, for they quote nobody."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" at {Path(last[0].filename).name}:{last[0].lineno}" if last else ""
    return " ".join(f"{named(error)}{place}".split())


def named(error: BaseException) -> str:
    """The kind of an error, and its sentence where that is one of ours: a library's may quote what people wrote."""
    kind = type(error).__name__
    if isinstance(error, QinghaiError):
        return f"{kind}: {error}"
    reason = error.strerror if isinstance(error, OSError) else None
    return f"{kind}: {reason}" if reason else kind


class TextLines(logging.Formatter):
    """Moment, level, logger, `[f12 j7 con_20260316_001]` where it belongs to something, message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s  %(ids)s%(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        marks = (("f", "fact"), ("j", "job"), ("", "concern"))
        ids = " ".join(f"{mark}{value}" for mark, key in marks if (value := getattr(record, key, None)) is not None)
        record.ids = f"[{ids}] " if ids else ""
        return super().format(record)


class JsonLines(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`, `trace`, what it belongs to (`fact`, `job`,
    `concern`) and whatever was passed as `extra`.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_text:
            line["trace"] = record.exc_text
        extra = {k: v for k, v in vars(record).items() if k not in _PLAIN}
        return json.dumps({**line, **extra}, ensure_ascii=False, default=str)


def set_up_logs(
    level: str, form: Literal["text", "json"], secrets: Iterable[str], stream: TextIO | None = None
) -> None:
    """One handler on the root logger; a second call replaces the first.

    Traces are written at level DEBUG only. Libraries speak from WARNING on, whatever `level` says: they print requests.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(Tidy(secrets, traces=level == "DEBUG"))
    if form == "json":
        handler.setFormatter(JsonLines())
    else:
        handler.setFormatter(TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
