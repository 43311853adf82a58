"""The token is part of every URL of the Bot API: it must not reach a log."""

from __future__ import annotations

import logging

_LIBRARIES = ("httpx", "httpcore", "telegram")
_SPEAKERS = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "telegram.Bot",
    "telegram.request.BaseRequest",
    "telegram.request.HTTPXRequest",
)


class MaskSecret(logging.Filter):
    """Puts `***` in the place of a secret, in the message and in a trace. For loggers and for handlers."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self._secret = secret

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true; the record may be changed."""
        message = record.getMessage()
        if self._secret in message:
            record.msg, record.args = message.replace(self._secret, "***"), None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = record.exc_text.replace(self._secret, "***")
        return True


def keep_out_of_logs(token: str, *own: logging.Logger) -> None:
    """Quiet the libraries that print URLs, and mask the token in whatever they or `own` still say.

    Filters of a logger do not see its children's records, so each that speaks gets its own.
    """
    for name in _LIBRARIES:
        logging.getLogger(name).setLevel(logging.WARNING)
    mask = MaskSecret(token)
    for logger in (*map(logging.getLogger, _SPEAKERS), *own):
        for old in [f for f in logger.filters if isinstance(f, MaskSecret) and f._secret == token]:
            logger.removeFilter(old)
        logger.addFilter(mask)
