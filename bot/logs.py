"""The log: text or JSON lines on standard error, with every configured secret masked in one place."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TextIO

MASK = "***"
SHORTEST = 6
"""What is shorter ("any", for a server that wants some key) is no secret, and would tear holes into every word."""
# httpx prints the URL with the bot token in it, the others whole requests.
_TALKATIVE = ("httpx", "httpx2", "httpcore", "openai", "telegram", "lark_oapi", "Lark", "websockets", "apscheduler",
              "asyncio", "peewee")  # fmt: skip
_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class Tidy(logging.Filter):
    """Masks secrets in a record, its trace included, and puts the trace into half a line where none are wanted."""

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
            if key not in _PLAIN and isinstance(value, str):
                setattr(record, key, self.mask(value))
        return True


def where(error: BaseException) -> str:
    """An error in half a line: `TypeError: … at core/concern/turn.py:93`."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" at {Path(last[0].filename).name}:{last[0].lineno}" if last else ""
    return " ".join(f"{type(error).__name__}: {error}{place}".split())


class JsonLines(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`, `trace` and whatever was passed as `extra`."""

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
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s  %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
