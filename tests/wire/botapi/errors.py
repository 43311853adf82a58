"""Answers that are not ok."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """`{"ok": false, "error_code": …, "description": …, "parameters": …}`."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


def bad_request(what: str) -> ApiError:
    return ApiError(400, f"Bad Request: {what}")
