"""The log: text or JSON lines on standard error, with every configured secret masked in one place."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal, TextIO

MASK = "***"
# httpx prints the URL with the bot token in it, the others whole requests.
_TALKATIVE = ("httpx", "httpx2", "httpcore", "openai", "telegram", "lark_oapi", "Lark", "websockets", "apscheduler",
              "asyncio", "peewee")  # fmt: skip
_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class MaskSecrets(logging.Filter):
    """Replaces secrets in the finished line of a record, its trace included."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        # The longest first: one secret may be part of another.
        self._secrets = sorted({s for s in secrets if s}, key=len, reverse=True)

    def mask(self, text: str) -> str:
        """`text` without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    def filter(self, record: logging.LogRecord) -> bool:
        """Masks in place; lets everything pass."""
        record.msg, record.args = self.mask(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        record.exc_text = self.mask(record.exc_text) if record.exc_text else None
        for key, value in list(vars(record).items()):
            if key not in _PLAIN and isinstance(value, str):
                setattr(record, key, self.mask(value))
        return True


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

    Libraries speak from WARNING on, whatever `level` says: they print requests.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.addFilter(MaskSecrets(secrets))
    if form == "json":
        handler.setFormatter(JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s  %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
