"""The log: its two forms, and no secret in either."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from bot.logs import MASK, Tidy, set_up_logs
from core.errors import ConfigurationError

SECRETS = ("123:abcdef", "abcdef", "sk-planted-9")


@pytest.fixture(autouse=True)
def _root_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def logged(form: str, level: str = "DEBUG") -> io.StringIO:
    stream = io.StringIO()
    set_up_logs(level, form, SECRETS, stream)  # type: ignore[arg-type]
    return stream


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_are_masked_in_message_arguments_extras_and_traces(form: str) -> None:
    stream = logged(form)
    log = logging.getLogger("qinghai.test")
    log.info("url https://host/bot123:abcdef/getMe")
    log.warning("key %s of %s", "sk-planted-9", {"key": "sk-planted-9"})
    log.info("extra", extra={"request": "Bearer sk-planted-9"})
    try:
        raise ValueError("refused sk-planted-9")
    except ValueError:
        log.exception("failed with 123:abcdef")
    text = stream.getvalue()
    assert text.count(MASK) >= 5
    assert "sk-planted-9" not in text
    assert "abcdef" not in text
    assert "ValueError" in text


def test_a_longer_secret_goes_before_one_that_is_part_of_it() -> None:
    stream = logged("text")
    logging.getLogger("qinghai.test").info("<123:abcdef>")
    assert f"<{MASK}>" in stream.getvalue()


def test_a_json_line_has_its_parts() -> None:
    stream = logged("json")
    logging.getLogger("qinghai.test").info("sent %s", 1, extra={"fact": 7})
    line = json.loads(stream.getvalue())
    assert (line["level"], line["logger"], line["message"], line["fact"]) == ("INFO", "qinghai.test", "sent 1", 7)
    assert "at" in line


def test_libraries_that_print_requests_are_hushed_even_at_debug() -> None:
    stream = logged("text")
    logging.getLogger("httpx").info("HTTP Request: POST https://host")
    logging.getLogger("openai._base_client").debug("Request options: …")
    assert stream.getvalue() == ""


def test_the_level_holds_and_a_second_call_replaces_the_first() -> None:
    first = logged("text")
    second = logged("text", "WARNING")
    logging.getLogger("qinghai.test").info("quiet")
    logging.getLogger("qinghai.test").warning("loud")
    assert first.getvalue() == ""
    assert second.getvalue().count("\n") == 1


def test_a_trace_is_half_a_line_unless_details_were_asked_for() -> None:
    for level, traced in (("INFO", False), ("DEBUG", True)):
        stream = logged("text", level)
        try:
            raise ValueError("two\nlines")
        except ValueError:
            logging.getLogger("qinghai.test").exception("fact %s failed", 7)
        assert ("Traceback" in stream.getvalue()) is traced
        if not traced:
            assert "fact 7 failed (ValueError at test_logs.py:" in stream.getvalue()


def test_a_key_that_is_a_word_tears_no_holes_into_others() -> None:
    assert Tidy(["any", "k"], traces=False).mask("any company may check") == "any company may check"


@pytest.mark.parametrize("form", ["text", "json"])
def test_at_info_an_error_that_is_not_ours_quotes_nobody(form: str) -> None:
    for error, told in (
        (ValueError("周四提测 is no number"), "ValueError"),
        (KeyError("周四提测"), "KeyError"),
        (OSError(28, "No space left on device", "周四提测"), "No space left on device"),
        (ConfigurationError("database x: gone"), "database x: gone"),
    ):
        stream = logged(form, "INFO")
        try:
            raise error
        except Exception:
            logging.getLogger("qinghai.test").exception("fact %s failed", 7)
        assert told in stream.getvalue()
        assert "周四" not in stream.getvalue()


def test_what_was_passed_along_is_masked_whatever_it_is() -> None:
    stream = logged("json")
    logging.getLogger("qinghai.test").info("sent", extra={"request": {"key": "sk-planted-9"}})
    assert "sk-planted-9" not in stream.getvalue()
