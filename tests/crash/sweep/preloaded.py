"""What every life would otherwise do anew: imports, and patterns and templates, which are compiled when first used.

The fork server imports this once; each life is a fork of it.
"""

from __future__ import annotations

import gc
import importlib
import logging

from jinja2 import Environment

from bot.render import JinjaRenderer
from core.patterns import lazy
from tests.crash.sweep import life

__all__ = ["life"]

for name in (
    "anyio._backends._asyncio", "apscheduler.executors.asyncio", "apscheduler.triggers.interval", "certifi",
    "httpcore._async.http11", "httpcore._async.http_proxy", "httpcore._sync.http_proxy", "encodings.utf_16_le",
    "encodings.unicode_escape", "pydantic.type_adapter", "psycopg", "sniffio", "lark_oapi.ws.pb.pbbp2_pb2", "tests.crash.sweep.sabotage",
):  # fmt: skip
    importlib.import_module(name)

logging.disable(logging.CRITICAL)
_compile = Environment.compile
_compiled: dict[object, object] = {}


def _compile_once(self: Environment, source: object, *more: object, **options: object) -> object:
    """The same source gives the same code: all environments of this program are alike."""
    if source not in _compiled:
        _compiled[source] = _compile(self, source, *more, **options)  # type: ignore[call-overload]
    return _compiled[source]


Environment.compile = _compile_once  # type: ignore[method-assign]
_templates = JinjaRenderer()._env
for name in _templates.list_templates():
    if not name.startswith("prompts/"):
        _templates.get_template(name)
for found in gc.get_objects():
    if isinstance(found, type(lazy(""))):
        found.search("")
gc.collect()
gc.freeze()
