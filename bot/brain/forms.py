"""The ways to ask a server for JSON, and what is known of a server: which of them it can and which it cannot."""

from __future__ import annotations

import logging
from enum import Enum
from typing import Any

from bot.brain.shape import strict_schema
from core.brain.questions import Question

STRIKES = 2
"""So often a form must have failed where the next one worked, before it is left out; a plain no is as many at once."""

log = logging.getLogger(__name__)


class Form(Enum):
    """Strictest first."""

    JSON_SCHEMA = "json_schema"
    TOOL = "tool"
    JSON_OBJECT = "json_object"
    PLAIN = "plain"

    @property
    def shows_schema(self) -> bool:
        """The schema must stand in the prompt, since the request has no place for it."""
        return self in (Form.JSON_OBJECT, Form.PLAIN)


def request(form: Form, question: Question[Any], host: str) -> dict[str, Any]:
    """What a request in this form says besides model and messages."""
    fields: dict[str, Any] = {}
    if host.endswith("aliyuncs.com"):
        # Qwen thinks aloud unless told not to, and then refuses to be held to JSON.
        fields["extra_body"] = {"enable_thinking": False}
    match form:
        case Form.JSON_SCHEMA:
            schema = {"name": question.name, "strict": True, "schema": strict_schema(question.answers)}
            fields["response_format"] = {"type": "json_schema", "json_schema": schema}
        case Form.TOOL:
            function = {"name": question.name, "parameters": strict_schema(question.answers)}
            fields["tools"] = [{"type": "function", "function": function}]
            fields["tool_choice"] = {"type": "function", "function": {"name": question.name}}
        case Form.JSON_OBJECT:
            fields["response_format"] = {"type": "json_object"}
    return fields


class KnownForms:
    """Forms of one server that have worked, and strikes against those that have not.

    A form that has worked before is struck for that one question alone, whose schema the server may not take.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._worked: set[Form] = set()
        self._strikes: dict[tuple[Form, str], int] = {}

    def to_try(self, question: str) -> list[Form]:
        """Forms worth trying, in order; the plain one always is."""
        return [form for form in Form if form is Form.PLAIN or not self._is_out(form, question)]

    def has_worked(self, form: Form) -> bool:
        """It gave an answer that fitted at once."""
        return form in self._worked

    def worked(self, form: Form) -> None:
        """It gave one now; what was held against it before was bad luck."""
        self._worked.add(form)
        self._strikes.pop((form, ""), None)

    def failed(self, form: Form, question: str, strikes: int) -> None:
        """It failed where another form, or the schema in the prompt, did not."""
        where = question if form in self._worked else ""
        self._strikes[form, where] = self._strikes.get((form, where), 0) + strikes
        if self._is_out(form, question):
            log.info("the model server %s is no longer asked in the form %s", self._host, form.value)

    def _is_out(self, form: Form, question: str) -> bool:
        return any(self._strikes.get((form, where), 0) >= STRIKES for where in ("", question))
